// SPDX-License-Identifier: Apache-2.0
/* A device tree from a file: a blob, or source, which dtc compiles. */
#ifndef CS_FORMATS_COMMON_DEVICE_TREE_FILE_H
#define CS_FORMATS_COMMON_DEVICE_TREE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a file may be, and what errors call it. */
typedef struct cs_device_tree_limits {
    const char *what;   /* "a catalog" */
    unsigned max_bytes; /* of the file, and of the blob */
} cs_device_tree_limits;

/* Reads a blob (told by its magic; nothing else of it is looked at) or compiles source. The caller
 * frees *blob. Errors: CS_ERR_IO when the file cannot be read or dtc cannot be run; CS_ERR_FORMAT
 * for what is in it, with dtc's first message for source that does not compile;
 * CS_ERR_NO_MEMORY. *blob is NULL then. */
cs_status cs_device_tree_read(const char *path, const cs_device_tree_limits *limits, void **blob,
                              size_t *bytes, cs_diag *diag);

/* A named one waits for a writer when it is opened, and none can be read twice. */
bool cs_device_tree_is_pipe(const char *path);

/* All of a file, whatever it is; the caller frees *bytes. Errors as above. */
cs_status cs_device_tree_read_bytes(const char *path, const cs_device_tree_limits *limits,
                                    void **bytes, size_t *count, cs_diag *diag);

/* Source alone, whatever the file looks like. Errors as above. */
cs_status cs_device_tree_compile(const char *path, const cs_device_tree_limits *limits, void **blob,
                                 size_t *bytes, cs_diag *diag);

/* CS_ERR_FORMAT: larger than allowed. */
cs_status cs_device_tree_too_large(const char *name, const cs_device_tree_limits *limits,
                                   cs_diag *diag);

/* What is wrong with a blob, which is aligned to 8 bytes; NULL: it is whole, and all of libfdt may be asked
 * about it. */
const char *cs_device_tree_damage(const void *blob, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
