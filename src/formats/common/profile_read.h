// SPDX-License-Identifier: Apache-2.0
/* What readers of profilers' formats hand out: a row for each sample, or for each sum of samples, and
 * the printing of such rows. */
#ifndef CS_FORMATS_COMMON_PROFILE_READ_H
#define CS_FORMATS_COMMON_PROFILE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/byte_source.h"
#include "formats/common/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Texts are valid until the next row. NULL, or `has_..` false: the file does not say. */
/* The only frame of what has no address, where a profile has to have one; a row has none then. */
#define CS_PROFILEREAD_NO_ADDRESS "(no address)"

typedef struct cs_profileread_row {
    uint64_t offset; /* where it stands in the file (of a packed file, in what was packed) */
    const char *event;
    bool has_time, has_cpu, has_pid, has_address;
    uint64_t time_ns;
    uint32_t cpu;
    int64_t pid;
    const char *weight; /* a number, as text */
    bool is_whole;      /* then it is `number` */
    int64_t number;
    uint64_t address;  /* of the innermost frame */
    const char *stack; /* names, outermost first with ';' between; "" where there is none */
} cs_profileread_row;

typedef struct cs_profileread_class {
    /* `name` (borrowed) is for messages. *reader NULL on failure. */
    cs_status (*open)(const cs_byte_source *source, const char *name, void **reader, cs_diag *diag);
    /* *row NULL at the end. CS_ERR_FORMAT: damage, with where it is, what was expected and found. */
    cs_status (*next)(void *reader, const cs_profileread_row **row, cs_diag *diag);
    void (*close)(void *reader);
} cs_profileread_class;

/* Prints a row a row. */
cs_status cs_profileread_print(const cs_profileread_class *reads, const cs_byte_source *source,
                               const char *name, cs_table_format format, const cs_text_sink *sink,
                               cs_diag *diag);

/* A text that grows, for stacks. Zeroed at first; `text` is freed by its owner. */
typedef struct cs_profileread_text {
    char *text;
    size_t used, room;
} cs_profileread_text;

/* Sets it to "". False: no memory. */
bool cs_profileread_clear(cs_profileread_text *text);
/* Adds a frame, behind ';' where there is one already. Control characters and what is no UTF-8 become '?', and ';' in
 * it ':'. False: no memory, or it would have more than 1 MiB. */
bool cs_profileread_push(cs_profileread_text *text, const char *frame, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
