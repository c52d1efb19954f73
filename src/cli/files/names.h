// SPDX-License-Identifier: Apache-2.0
/* How perf shows functions by name: a command line to be typed. */
#ifndef CS_CLI_NAMES_H
#define CS_CLI_NAMES_H

/* Prints it for the perf.data file `trace`, if the folder `symfs` is there. With the kernel's functions if that
 * has `kallsyms`, and with what perf must be, as a comment, if not any can read the file. */
void cs_names_print(const char *symfs, const char *trace);
/* For each file of samples in a run folder whose `symfs` has the guest's files. */
void cs_names_print_all(const char *folder);

#endif
