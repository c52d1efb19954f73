// SPDX-License-Identifier: Apache-2.0
/* What an event of a trace carries: named fields, told once in a table, and their values. Writers of
 * timelines (ctf/write/ctf.h, perfetto/write/json.h) take both. */
#ifndef CS_FORMATS_COMMON_FIELD_H
#define CS_FORMATS_COMMON_FIELD_H

#include <stddef.h>
#include <stdint.h>

typedef enum cs_field_kind {
    CS_FIELD_DECIMAL, /* unsigned; readers show it to base 10 */
    CS_FIELD_HEX,     /* unsigned; to base 16 */
    CS_FIELD_SIGNED,
    CS_FIELD_ENUM, /* unsigned, with names; a value without one is allowed */
    CS_FIELD_TEXT  /* UTF-8; babeltrace2 2.0.4 may show an older text for an empty one */
} cs_field_kind;

/* A name of one value. */
typedef struct cs_field_label {
    uint64_t value;
    const char *name;
} cs_field_label;

typedef struct cs_field {
    const char *name; /* an identifier of C */
    cs_field_kind kind;
    unsigned bits;                /* 8, 16, 32 or 64; of text: not looked at */
    const cs_field_label *labels; /* of CS_FIELD_ENUM: at least one, no value twice */
    size_t nr_labels;
} cs_field;

typedef union cs_field_value {
    uint64_t number; /* of CS_FIELD_SIGNED: as cast from int64_t */
    const char *text;
} cs_field_value;

#endif
