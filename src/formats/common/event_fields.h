// SPDX-License-Identifier: Apache-2.0
/* Fields of an event that a timeline's reader hands out: names and values as text, in a memory of
 * their own that the next event takes over. */
#ifndef CS_FORMATS_COMMON_EVENT_FIELDS_H
#define CS_FORMATS_COMMON_EVENT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* More is no event of any tracer, but damage. */
#define CS_EVENT_MAX_FIELDS 65536u
#define CS_EVENT_MAX_BYTES (16u << 20)

typedef struct cs_event_field {
    const char *name;
    const char *text; /* the label of an enumeration, where it has one */
    uint64_t number;  /* of a signed one: as two's complement */
    bool is_number;
} cs_event_field;

/* To be zeroed at first, and freed at last. */
typedef struct cs_event_fields {
    cs_event_field *fields; /* set by cs_event_fields_done */
    size_t nr_fields;
    struct {
        size_t name, text;
        uint64_t number;
        bool is_number;
    } * held;
    size_t room;
    char *text;
    size_t bytes, text_room;
    size_t fields_room;
    bool no_memory; /* for one that was to be added */
} cs_event_fields;

void cs_event_fields_clear(cs_event_fields *fields);
void cs_event_fields_free(cs_event_fields *fields);

/* Control characters and what is no UTF-8 become '?'. False: too many, or `no_memory`. */
bool cs_event_fields_add(cs_event_fields *fields, const char *name, const char *text, size_t bytes,
                         uint64_t number, bool is_number);

/* The array can be looked at from here on. False: no memory. */
bool cs_event_fields_done(cs_event_fields *fields);

/* By name; NULL: there is none. The last, where there are several. */
const cs_event_field *cs_event_field_of(const cs_event_fields *fields, const char *name);

/* "a=1 b=0x2 c=\"two words\"", valid until the next call that changes *fields. NULL: no memory. */
const char *cs_event_fields_print(cs_event_fields *fields);

/* Bytes of the UTF-8 character that text[0..bytes) begins with; 0: it is none. */
size_t cs_utf8_length(const char *text, size_t bytes);

/* out[0..bytes] := text and a NUL; control characters and what is no UTF-8 become '?'. */
void cs_utf8_clean(char *out, const char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
