// SPDX-License-Identifier: Apache-2.0
/* The guest's files where perf on this machine looks for functions: a folder that it takes for the guest's
 * root (perf report --symfs), and the kernel's functions as a list (--kallsyms). */
#ifndef CS_GUEST_SYMFS_H
#define CS_GUEST_SYMFS_H

#include <stddef.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `name` in the guest is the file `from` of this machine: a link, which replaces what has that name. Folders on
 * the way are made. CS_ERR_IO. */
cs_status cs_symfs_link(const char *folder, const char *name, const char *from, cs_diag *diag);
/* The same of a file that is nowhere else. */
cs_status cs_symfs_bytes(const char *folder, const char *name, const void *bytes, size_t size,
                         cs_diag *diag);

/* Writes the functions of the kernel whose ELF file is `elf` to `path`, as /proc/kallsyms has them; nothing if
 * it has none. Errors: those of cs_elf_program_open, but for CS_ERR_FORMAT, and CS_ERR_IO. */
cs_status cs_symfs_kernel(const char *elf, const char *path, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
