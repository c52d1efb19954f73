// SPDX-License-Identifier: Apache-2.0
/* DebugAnnotations of Perfetto's protocol buffers as arguments: name and value, those of a dictionary
 * or array flattened. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/perfetto/read/impl.h"

enum {
    NAME_IID,
    NAME,
    BOOL,
    UINT,
    INT,
    REAL,
    STRING,
    POINTER,
    NESTED,
    JSON,
    STRING_IID,
    PROTO,
    ENTRIES,
    VALUES,
    NR_ANNOTATION,
    FIRST_VALUE = BOOL
};

static const cs_protoread_spec annotation_specs[NR_ANNOTATION] = {
    [NAME_IID] = {1, CS_PROTO_NUMBER, "DebugAnnotation.name_iid"},
    [NAME] = {10, CS_PROTO_TEXT, "DebugAnnotation.name"},
    [BOOL] = {2, CS_PROTO_NUMBER, "DebugAnnotation.bool_value"},
    [UINT] = {3, CS_PROTO_NUMBER, "DebugAnnotation.uint_value"},
    [INT] = {4, CS_PROTO_NUMBER, "DebugAnnotation.int_value"},
    [REAL] = {5, CS_PROTO_DOUBLE, "DebugAnnotation.double_value"},
    [STRING] = {6, CS_PROTO_TEXT, "DebugAnnotation.string_value"},
    [POINTER] = {7, CS_PROTO_NUMBER, "DebugAnnotation.pointer_value"},
    [NESTED] = {8, CS_PROTO_TEXT, "DebugAnnotation.nested_value"},
    [JSON] = {9, CS_PROTO_TEXT, "DebugAnnotation.legacy_json_value"},
    [STRING_IID] = {17, CS_PROTO_NUMBER, "DebugAnnotation.string_value_iid"},
    [PROTO] = {14, CS_PROTO_TEXT, "DebugAnnotation.proto_value"},
    [ENTRIES] = {11, CS_PROTO_TEXT, "DebugAnnotation.dict_entries"},
    [VALUES] = {12, CS_PROTO_TEXT, "DebugAnnotation.array_values"}};

/* NestedValue, the deprecated way; its leaves have the types of the others. */
enum {
    KEYS,
    NESTED_ENTRIES,
    NESTED_VALUES,
    NESTED_INT,
    NESTED_REAL,
    NESTED_BOOL,
    NESTED_STRING,
    NR_NESTED
};

static const cs_protoread_spec nested_specs[NR_NESTED] = {
    [KEYS] = {2, CS_PROTO_TEXT, "NestedValue.dict_keys"},
    [NESTED_ENTRIES] = {3, CS_PROTO_TEXT, "NestedValue.dict_values"},
    [NESTED_VALUES] = {4, CS_PROTO_TEXT, "NestedValue.array_values"},
    [NESTED_INT] = {5, CS_PROTO_NUMBER, "NestedValue.int_value"},
    [NESTED_REAL] = {6, CS_PROTO_DOUBLE, "NestedValue.double_value"},
    [NESTED_BOOL] = {7, CS_PROTO_NUMBER, "NestedValue.bool_value"},
    [NESTED_STRING] = {8, CS_PROTO_TEXT, "NestedValue.string_value"}};

/* Of a leaf of NestedValue: what it would be in a DebugAnnotation. */
static const unsigned leaves[NR_NESTED] = {
    [NESTED_INT] = INT, [NESTED_REAL] = REAL, [NESTED_BOOL] = BOOL, [NESTED_STRING] = STRING};

/* Where an argument stands. */
typedef struct place {
    size_t at;      /* bytes of the path that are its parents' */
    unsigned depth; /* of dictionaries and arrays */
} place;

static cs_status too_deep(cs_perfettoread *reader, uint64_t offset)
{
    return cs_pftread_bad(reader, offset, "found arguments more than %u deep",
                          CS_PERFETTOREAD_DEEP);
}

static cs_status put_name(cs_perfettoread *reader, size_t at, const char *name, size_t bytes,
                          uint64_t offset)
{
    const size_t dot = at > 0 ? 1 : 0;

    if (at + dot + bytes + 1 > sizeof reader->path)
        return cs_pftread_bad(reader, offset,
                              "found an argument's name of %zu bytes, expected less than %zu",
                              at + dot + bytes, sizeof reader->path);
    memcpy(reader->path + at, ".", dot);
    memcpy(reader->path + at + dot, name, bytes);
    reader->path[at + dot + bytes] = '\0';
    return CS_OK;
}

static cs_status put_index(cs_perfettoread *reader, size_t at, unsigned index, uint64_t offset)
{
    char text[16];

    return put_name(reader, at, text, (size_t)snprintf(text, sizeof text, "%u", index), offset);
}

cs_status cs_pftread_argument(cs_perfettoread *reader, const char *name,
                              const cs_protoread_field *field, const char *text, size_t bytes,
                              bool is_number)
{
    cs_event_fields *args = &reader->event.args;

    if (cs_event_fields_add(args, name, text, bytes, is_number ? field->value : 0, is_number))
        return CS_OK;
    if (args->no_memory)
        return cs_pftread_no_memory(reader);
    return cs_pftread_bad(reader, field->offset, "more arguments than %u, or %u bytes of them",
                          CS_EVENT_MAX_FIELDS, CS_EVENT_MAX_BYTES);
}

static cs_status add(cs_perfettoread *reader, const cs_protoread_field *field, const char *text,
                     size_t bytes, bool is_number)
{
    return cs_pftread_argument(reader, reader->path, field, text, bytes, is_number);
}

/* A value that has no others in it. */
static cs_status add_leaf(cs_perfettoread *reader, unsigned what, const cs_protoread_field *field)
{
    const uint64_t value = field->value;
    const char *interned = NULL;
    bool is_number = false;
    char text[64] = "";

    switch (what) {
    case BOOL:
        snprintf(text, sizeof text, "%s", value != 0 ? "true" : "false");
        break;
    case UINT:
        snprintf(text, sizeof text, "%" PRIu64, value);
        is_number = true;
        break;
    case INT:
        snprintf(text, sizeof text, "%" PRId64, (int64_t)value);
        is_number = true;
        break;
    case POINTER:
        snprintf(text, sizeof text, "0x%" PRIx64, value);
        is_number = true;
        break;
    case REAL:
        snprintf(text, sizeof text, "%.17g", cs_protoread_double(value));
        break;
    case STRING_IID: {
        const cs_status status = cs_pftread_interned(reader, CS_PFT_STRING, field, &interned);

        if (status != CS_OK)
            return status;
        if (interned != NULL)
            return add(reader, field, interned, strlen(interned), false);
        snprintf(text, sizeof text, "#%" PRIu64, value); /* it was lost */
        break;
    }
    case PROTO:
        snprintf(text, sizeof text, "(a message of %zu bytes)", field->length);
        break;
    default: /* STRING, JSON */
        return add(reader, field, field->length > 0 ? (const char *)field->bytes : "",
                   field->length, false);
    }
    return add(reader, field, text, strlen(text), is_number);
}

/* The field of the oneof that was written last, of found[first..nr). */
static unsigned last_of(const cs_protoread_field *found, unsigned first, unsigned nr)
{
    unsigned last = nr;

    for (unsigned i = first; i < nr; i++)
        if (found[i].number != 0 && (last == nr || found[i].offset > found[last].offset))
            last = i;
    return last;
}

static cs_status add_nested(cs_perfettoread *reader, const cs_protoread *parent,
                            const cs_protoread_field *field, place where)
{
    cs_protoread_field found[NR_NESTED], key = {0}, item;
    const cs_protoread message = cs_protoread_begin(parent, field);
    cs_protoread keys = message, items = message;
    cs_status status = cs_protoread_take(message, nested_specs, NR_NESTED, found);

    if (status != CS_OK)
        return status;
    if (where.depth >= CS_PERFETTOREAD_DEEP)
        return too_deep(reader, field->offset);
    const unsigned what = last_of(found, NESTED_ENTRIES, NR_NESTED);
    if (what == NR_NESTED)
        return add(reader, field, "null", 4, false);
    if (what != NESTED_ENTRIES && what != NESTED_VALUES)
        return add_leaf(reader, leaves[what], &found[what]);
    const place inner = {strlen(reader->path), where.depth + 1};
    for (unsigned i = 0;; i++) {
        status = cs_protoread_find(&items, &nested_specs[what], &item);
        if (status == CS_OK && item.number != 0 && what == NESTED_ENTRIES) {
            status = cs_protoread_find(&keys, &nested_specs[KEYS], &key);
            if (status == CS_OK && key.number == 0)
                return cs_pftread_bad(reader, item.offset,
                                      "found more values than keys of a dictionary");
        }
        if (status != CS_OK || item.number == 0)
            return status;
        status = what == NESTED_VALUES
                     ? put_index(reader, inner.at, i, item.offset)
                     : put_name(reader, inner.at, key.length > 0 ? (const char *)key.bytes : "",
                                key.length, key.offset);
        if (status == CS_OK)
            status = add_nested(reader, &message, &item, inner);
        if (status != CS_OK)
            return status;
    }
}

static cs_status add_annotation(cs_perfettoread *reader, const cs_protoread *parent,
                                const cs_protoread_field *field, place where, int index);

/* What stands in a dictionary, or in an array. */
static cs_status add_all(cs_perfettoread *reader, const cs_protoread *annotation, unsigned what,
                         place inner)
{
    cs_protoread items = *annotation;
    cs_protoread_field item;
    cs_status status;

    for (int i = 0;; i++) {
        status = cs_protoread_find(&items, &annotation_specs[what], &item);
        if (status != CS_OK || item.number == 0)
            return status;
        status = add_annotation(reader, annotation, &item, inner, what == VALUES ? i : -1);
        if (status != CS_OK)
            return status;
    }
}

/* `index` >= 0: in an array, where it needs no name. */
static cs_status add_annotation(cs_perfettoread *reader, const cs_protoread *parent,
                                const cs_protoread_field *field, place where, int index)
{
    cs_protoread_field found[NR_ANNOTATION];
    const cs_protoread message = cs_protoread_begin(parent, field);
    cs_status status = cs_protoread_take(message, annotation_specs, NR_ANNOTATION, found);

    if (status != CS_OK)
        return status;
    if (where.depth >= CS_PERFETTOREAD_DEEP)
        return too_deep(reader, field->offset);
    const unsigned name = last_of(found, NAME_IID, NAME + 1);
    if (index >= 0) {
        status = put_index(reader, where.at, (unsigned)index, field->offset);
    } else if (name == NAME_IID) {
        const char *text = NULL;
        char number[32];

        status = cs_pftread_interned(reader, CS_PFT_ARGUMENT, &found[NAME_IID], &text);
        if (status == CS_OK && text == NULL) { /* it was lost */
            snprintf(number, sizeof number, "#%" PRIu64, found[NAME_IID].value);
            text = number;
        }
        if (status == CS_OK)
            status = put_name(reader, where.at, text, strlen(text), field->offset);
    } else if (name == NAME) {
        status = put_name(reader, where.at,
                          found[NAME].length > 0 ? (const char *)found[NAME].bytes : "",
                          found[NAME].length, field->offset);
    } else {
        return cs_pftread_bad(reader, field->offset, "found an argument without a name");
    }
    if (status != CS_OK)
        return status;
    const unsigned what = last_of(found, FIRST_VALUE, NR_ANNOTATION);
    const place inner = {strlen(reader->path), where.depth + 1};
    if (what == NESTED)
        return add_nested(reader, &message, &found[NESTED], (place){where.at, where.depth + 1});
    if (what == ENTRIES || what == VALUES)
        return add_all(reader, &message, what, inner);
    return what == NR_ANNOTATION ? add(reader, field, "null", 4, false)
                                 : add_leaf(reader, what, &found[what]);
}

cs_status cs_pftread_arguments(cs_perfettoread *reader)
{
    static const cs_protoread_spec annotations = {4, CS_PROTO_TEXT, "TrackEvent.debug_annotations"};
    const cs_protoread message = cs_protoread_begin(&reader->packet.message, &reader->packet.event);
    cs_protoread event = message;
    cs_protoread_field field;
    cs_status status;

    while ((status = cs_protoread_find(&event, &annotations, &field)) == CS_OK &&
           field.number != 0) {
        status = add_annotation(reader, &message, &field, (place){0}, -1);
        if (status != CS_OK)
            return status;
    }
    return status;
}
