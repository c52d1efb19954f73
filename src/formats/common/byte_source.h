// SPDX-License-Identifier: Apache-2.0
/* Where a reader gets its bytes from. */
#ifndef CS_FORMATS_COMMON_BYTE_SOURCE_H
#define CS_FORMATS_COMMON_BYTE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads up to `bytes` bytes and says in *got how many; fewer only at the end. Anything but
 * CS_OK (with *diag set) ends the reading and is handed on. */
typedef struct cs_byte_source {
    cs_status (*read)(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag);
    void *ctx;
} cs_byte_source;

/* Bytes that can be had in any order. */
typedef struct cs_seek_source {
    /* As a cs_byte_source's read, from `offset`; at and beyond the end *got is 0. */
    cs_status (*read_at)(void *ctx, uint64_t offset, uint8_t *out, size_t bytes, size_t *got,
                         cs_diag *diag);
    void *ctx;
    uint64_t bytes; /* there are so many */
} cs_seek_source;

#ifdef __cplusplus
}
#endif

#endif
