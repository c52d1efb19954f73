// SPDX-License-Identifier: Apache-2.0
/* Reads protocol buffers' wire format (protobuf.dev, "Encoding") in memory: the fields of a message,
 * one after the other, or those that a table names. Fields that nobody asks for are passed over. */
#ifndef CS_FORMATS_COMMON_PROTO_READ_H
#define CS_FORMATS_COMMON_PROTO_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As a tag has them. 3 and 4 are groups, which are refused. */
typedef enum cs_protoread_wire {
    CS_PROTO_VARINT = 0,
    CS_PROTO_FIXED64 = 1,
    CS_PROTO_BYTES = 2, /* a text, bytes, a message, or packed numbers */
    CS_PROTO_FIXED32 = 5
} cs_protoread_wire;

typedef struct cs_protoread_field {
    uint32_t number; /* 1..2^29 - 1; 0: there is none */
    cs_protoread_wire wire;
    uint64_t value;       /* of a number */
    const uint8_t *bytes; /* of CS_PROTO_BYTES; in the message's memory */
    size_t length;
    uint64_t offset; /* of its tag in the file */
    uint64_t inside; /* of `bytes` in the file */
} cs_protoread_field;

/* A message that is being read; the members are the reader's own after cs_protoread_begin. */
typedef struct cs_protoread {
    const uint8_t *bytes;
    size_t left;
    uint64_t offset;  /* of `bytes` in the file */
    const char *name; /* of the file, borrowed */
    cs_diag *diag;
} cs_protoread;

/* `field` is CS_PROTO_BYTES and holds a message. `name` and `diag` as those of `parent`. */
cs_protoread cs_protoread_begin(const cs_protoread *parent, const cs_protoread_field *field);

/* The next field; number 0 at the end. CS_ERR_FORMAT with byte, expected and found: a varint of more
 * than 64 bits or without its end, a length beyond the end, a tag that is none, a group. */
cs_status cs_protoread_next(cs_protoread *message, cs_protoread_field *field);

/* A tag and what stands right behind it, the number of CS_PROTO_VARINT or the length of
 * CS_PROTO_BYTES, else 0: for messages that do not lie in memory whole. */
cs_status cs_protoread_head(cs_protoread *message, uint64_t *tag, uint64_t *value);

/* What a field of a message must be. */
typedef enum cs_protoread_type {
    CS_PROTO_NUMBER, /* varint */
    CS_PROTO_DOUBLE,
    CS_PROTO_TEXT, /* or bytes, or a message */
    CS_PROTO_NUMBERS,
    CS_PROTO_DOUBLES /* repeated: each of its own, or packed */
} cs_protoread_type;

typedef struct cs_protoread_spec {
    uint32_t number;
    cs_protoread_type type;
    const char *name; /* for messages: "TrackEvent.name" */
} cs_protoread_spec;

/* Reads `message` to its end: found[i] is the last field that is specs[i], number 0 where there is
 * none. CS_ERR_FORMAT also for a field of another type than specs has. */
cs_status cs_protoread_take(cs_protoread message, const cs_protoread_spec *specs, size_t nr,
                            cs_protoread_field *found);

/* The next field that is `spec`, others are passed over; number 0 at the end. */
cs_status cs_protoread_find(cs_protoread *message, const cs_protoread_spec *spec,
                            cs_protoread_field *field);

/* The same of CS_PROTO_NUMBERS and CS_PROTO_DOUBLES, a number at a time; *packed holds what is left
 * of packed ones, zeroed at first. */
cs_status cs_protoread_number(cs_protoread *message, const cs_protoread_spec *spec,
                              cs_protoread *packed, uint64_t *value, bool *there);

double cs_protoread_double(uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
