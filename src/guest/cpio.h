// SPDX-License-Identifier: Apache-2.0
/* An archive as a kernel unpacks it when it begins (cpio, "newc"). */
#ifndef CS_GUEST_CPIO_H
#define CS_GUEST_CPIO_H

#include <stdio.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_cpio {
    FILE *out;
    const char *path;  /* for diagnostics */
    const char *symfs; /* a folder that gets a link to each file (symfs.h); NULL: none */
    unsigned nr;
} cs_cpio;

/* Folders stand before what is in them. `mode` is as in stat. */
void cs_cpio_folder(cs_cpio *cpio, const char *name);
void cs_cpio_link(cs_cpio *cpio, const char *name, const char *to);
void cs_cpio_device(cs_cpio *cpio, const char *name, unsigned major, unsigned minor);
void cs_cpio_bytes(cs_cpio *cpio, const char *name, unsigned mode, const void *bytes, size_t size);
/* CS_ERR_IO: the file cannot be read, or the link not be made. */
cs_status cs_cpio_file(cs_cpio *cpio, const char *name, unsigned mode, const char *from,
                       cs_diag *diag);
/* Another archive, packed or not, which is unpacked before what follows. */
cs_status cs_cpio_archive(cs_cpio *cpio, const char *from, cs_diag *diag);
/* The end; the caller closes `out`, and looks whether all could be written. */
void cs_cpio_end(cs_cpio *cpio);

#ifdef __cplusplus
}
#endif

#endif
