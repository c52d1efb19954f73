// SPDX-License-Identifier: Apache-2.0
/* A file, or a stretch of it, for readers: its bytes in order, and where it can be sought in also in
 * any. Its first bytes are read ahead: they tell what it is. */
#ifndef CS_FORMATS_COMMON_INPUT_H
#define CS_FORMATS_COMMON_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "formats/common/byte_source.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* So much tells what a file is: two records of formats that have no magic. */
#define CS_INPUT_LOOK_BYTES 128u

/* The members are input.c's, but for those that say what they are. */
typedef struct cs_input {
    FILE *file;         /* NULL: a folder that its reader opens */
    const char *name;   /* the path, as it was given */
    const char *folder; /* a folder with a file `data`, which `file` is; NULL: none */
    uint64_t offset;
    uint64_t left;                     /* of the length */
    uint8_t look[CS_INPUT_LOOK_BYTES]; /* its first bytes .. */
    size_t looked;                     /* .. so many of them */
    size_t given;                      /* of look */
} cs_input;

/* Opens `path` ("-": standard input), passes over `offset` bytes and looks ahead; at most `length` bytes
 * are given. CS_ERR_IO; CS_ERR_FORMAT: it ends before the offset. */
cs_status cs_input_open(cs_input *in, const char *path, uint64_t offset, uint64_t length,
                        cs_diag *diag);
void cs_input_close(cs_input *in);

/* Goes on where the last one ended. */
cs_byte_source cs_input_source(cs_input *in);

/* Of a pipe: takes the rest into a file without a name, in which it can be sought; standard input is that file
 * from then on. Any other input stays. To be called before anything is taken. CS_ERR_IO. */
cs_status cs_input_spool(cs_input *in, cs_diag *diag);

/* False: it cannot be sought in. */
bool cs_input_seek_source(cs_input *in, cs_seek_source *source);

#ifdef __cplusplus
}
#endif

#endif
