// SPDX-License-Identifier: Apache-2.0
/* A kernel that has no symbols of its own, as Debian's for RISC-V, which is its memory and no ELF file, has
 * those that it prints itself (/proc/kallsyms, of Linux 6.4 and later). */
#ifndef CS_GUEST_KERNEL_IMAGE_H
#define CS_GUEST_KERNEL_IMAGE_H

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes an ELF file to `elf` that has the functions and variables of the kernel in the file `image`, and no
 * bytes of them.
 * CS_ERR_FORMAT: it has no such table. */
cs_status cs_kernel_image_symbols(const char *image, const char *elf, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
