// SPDX-License-Identifier: Apache-2.0
/* Internal to the CTF reader: types that TSDL declares (Common Trace Format 1.8.3, section 4). */
#ifndef CS_FORMATS_CTF_READ_TSDL_H
#define CS_FORMATS_CTF_READ_TSDL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

typedef enum cs_tsdl_kind {
    CS_TSDL_INTEGER,
    CS_TSDL_FLOAT,
    CS_TSDL_STRING,
    CS_TSDL_STRUCT,
    CS_TSDL_ARRAY,   /* of `length` */
    CS_TSDL_SEQUENCE /* of as many as the field `length_name` says */
} cs_tsdl_kind;

typedef enum cs_tsdl_order { CS_TSDL_NATIVE, CS_TSDL_LITTLE, CS_TSDL_BIG } cs_tsdl_order;

/* An enumeration is an integer with labels. */
typedef struct cs_tsdl_label {
    struct cs_tsdl_label *next;
    const char *name;
    uint64_t first, last; /* inclusive; of a signed one as two's complement */
} cs_tsdl_label;

typedef struct cs_tsdl_type {
    cs_tsdl_kind kind;
    unsigned size; /* bits: integers 1..64, floats 32 or 64 */
    unsigned align;
    unsigned base;
    bool is_signed, is_text, is_clock;
    cs_tsdl_order order;
    cs_tsdl_label *labels;
    struct cs_tsdl_member *members;
    const struct cs_tsdl_type *element;
    uint64_t length;
    const char *length_name;
} cs_tsdl_type;

typedef struct cs_tsdl_member {
    struct cs_tsdl_member *next;
    const char *name; /* without the underscore in front */
    const cs_tsdl_type *type;
} cs_tsdl_member;

typedef struct cs_tsdl_event_class {
    struct cs_tsdl_event_class *next;
    uint64_t id, stream_id;
    const char *name;                     /* without control characters, in UTF-8 */
    const cs_tsdl_type *context, *fields; /* NULL: none */
} cs_tsdl_event_class;

typedef struct cs_tsdl_stream_class {
    struct cs_tsdl_stream_class *next;
    uint64_t id;
    const cs_tsdl_type *packet_context, *event_header, *event_context; /* NULL: none */
} cs_tsdl_stream_class;

typedef struct cs_tsdl {
    cs_tsdl_order order;
    bool has_uuid;
    uint8_t uuid[16];
    const cs_tsdl_type *packet_header; /* NULL: none */
    cs_tsdl_stream_class *streams;
    cs_tsdl_event_class *events;
    void *memory; /* of all of it */
} cs_tsdl;

/* Parses metadata text; `name` is for messages. CS_ERR_FORMAT with line, column and byte;
 * CS_ERR_UNSUPPORTED: variants, and metadata in packets. To be freed in any case. */
cs_status cs_tsdl_parse(cs_tsdl *metadata, const char *text, size_t bytes, const char *name,
                        cs_diag *diag);
void cs_tsdl_free(cs_tsdl *metadata);

const cs_tsdl_stream_class *cs_tsdl_stream_of(const cs_tsdl *metadata, uint64_t id);
const cs_tsdl_event_class *cs_tsdl_event_of(const cs_tsdl *metadata, uint64_t stream, uint64_t id);

#endif
