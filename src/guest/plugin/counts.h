// SPDX-License-Identifier: Apache-2.0
/* How often each instruction was executed, by CPU, image of a program, and who counted then.
 *
 * Who keeps numbers has one a place for each CPU, which only rises; here is what it rose by while
 * somebody counted. */
#ifndef CS_GUEST_PLUGIN_COUNTS_H
#define CS_GUEST_PLUGIN_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNTS_MOST (UINT64_C(1) << 21) /* places */
#define COUNTS_NONE COUNTS_MOST

typedef struct counts counts;

/* `all`: also what nobody counts. NULL: no memory. */
counts *counts_create(unsigned nr_cpus, bool all);
void counts_destroy(counts *c);

/* The place of an instruction of a kind, in a mode (MSR[HV PR] as a number); COUNTS_NONE: there is none
 * left. */
size_t counts_place(counts *c, uint64_t pc, unsigned mode, unsigned kind);

/* From here on `by` (0: nobody) counts the CPU, for that event of perf (0: for none); now[place] is the
 * CPU's, as `image` has brought it there. */
void counts_change(counts *c, unsigned cpu, unsigned by, uint32_t event, const uint64_t *now,
                   uint32_t image);
/* What was executed until here was the image's. */
void counts_end(counts *c, unsigned cpu, const uint64_t *now, uint32_t image);

/* Lines of log.h. */
void counts_put(const counts *c, FILE *log);

#endif
