// SPDX-License-Identifier: Apache-2.0
#include "formats/common/proto_read.h"

#include <string.h>

#include "formats/common/little.h"

#define MAX_NUMBER ((1u << 29) - 1)

cs_protoread cs_protoread_begin(const cs_protoread *parent, const cs_protoread_field *field)
{
    return (cs_protoread){.bytes = field->bytes,
                          .left = field->length,
                          .offset = field->inside,
                          .name = parent->name,
                          .diag = parent->diag};
}

static void advance(cs_protoread *message, size_t bytes)
{
    message->bytes += bytes;
    message->offset += bytes;
    message->left -= bytes;
}

static cs_status ends(const cs_protoread *message, uint64_t offset, const char *expected)
{
    return cs_diag_set(message->diag, CS_ERR_FORMAT, message->name,
                       "byte 0x%llx: the message ends at byte 0x%llx, expected %s",
                       (unsigned long long)offset,
                       (unsigned long long)(message->offset + message->left), expected);
}

static cs_status long_varint(cs_protoread *message, const char *what, uint64_t *out)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < message->left; i++) {
        const uint8_t byte = message->bytes[i];

        if (i == 9 && byte > 1)
            return cs_diag_set(message->diag, CS_ERR_FORMAT, message->name,
                               "byte 0x%llx: found %s of more than 64 bits, expected a varint",
                               (unsigned long long)message->offset, what);
        value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            advance(message, i + 1);
            *out = value;
            return CS_OK;
        }
    }
    return ends(message, message->offset, what);
}

static inline cs_status varint(cs_protoread *message, const char *what, uint64_t *out)
{
    if (message->left == 0 || message->bytes[0] >= 0x80)
        return long_varint(message, what, out);
    *out = message->bytes[0]; /* most are of one byte */
    advance(message, 1);
    return CS_OK;
}

cs_status cs_protoread_head(cs_protoread *message, uint64_t *tag, uint64_t *value)
{
    static const char *const what[] = {
        [CS_PROTO_VARINT] = "a number", [CS_PROTO_BYTES] = "a length"};
    const uint64_t offset = message->offset;
    const cs_status status = varint(message, "a tag", tag);

    *value = 0;
    if (status != CS_OK)
        return status;
    const unsigned wire = *tag & 7;
    if (*tag >> 3 == 0 || *tag >> 3 > MAX_NUMBER)
        return cs_diag_set(message->diag, CS_ERR_FORMAT, message->name,
                           "byte 0x%llx: found field %llu, expected 1..%u",
                           (unsigned long long)offset, (unsigned long long)(*tag >> 3), MAX_NUMBER);
    if (wire == CS_PROTO_VARINT || wire == CS_PROTO_BYTES)
        return varint(message, what[wire], value);
    if (wire != CS_PROTO_FIXED64 && wire != CS_PROTO_FIXED32)
        return cs_diag_set(message->diag, CS_ERR_FORMAT, message->name,
                           "byte 0x%llx: field %u has wire type %u, expected 0, 1, 2 or 5",
                           (unsigned long long)offset, (unsigned)(*tag >> 3), wire);
    return CS_OK;
}

cs_status cs_protoread_next(cs_protoread *message, cs_protoread_field *field)
{
    const uint64_t offset = message->offset;
    uint64_t tag = 0, value = 0;

    *field = (cs_protoread_field){.offset = offset};
    if (message->left == 0)
        return CS_OK;
    const cs_status status = cs_protoread_head(message, &tag, &value);
    if (status != CS_OK)
        return status;
    const unsigned number = (unsigned)(tag >> 3);
    field->wire = (cs_protoread_wire)(tag & 7);
    field->value = value;
    if (field->wire == CS_PROTO_FIXED64) {
        if (message->left < 8)
            return ends(message, message->offset, "8 bytes");
        field->value = cs_little_get64(message->bytes);
        advance(message, 8);
    } else if (field->wire == CS_PROTO_FIXED32) {
        if (message->left < 4)
            return ends(message, message->offset, "4 bytes");
        field->value = cs_little_get32(message->bytes);
        advance(message, 4);
    } else if (field->wire == CS_PROTO_BYTES) {
        if (value > message->left)
            return cs_diag_set(
                message->diag, CS_ERR_FORMAT, message->name,
                "byte 0x%llx: field %u has %llu bytes, expected at most %llu, the message's rest",
                (unsigned long long)offset, number, (unsigned long long)value,
                (unsigned long long)message->left);
        field->value = 0;
        field->bytes = message->bytes;
        field->inside = message->offset;
        field->length = (size_t)value;
        advance(message, field->length);
    }
    field->number = number;
    return CS_OK;
}

/* Of each type: how it is written, and whether also packed. */
static const struct {
    cs_protoread_wire wire;
    bool packed;
} types[] = {[CS_PROTO_NUMBER] = {CS_PROTO_VARINT, false},
             [CS_PROTO_DOUBLE] = {CS_PROTO_FIXED64, false},
             [CS_PROTO_TEXT] = {CS_PROTO_BYTES, false},
             [CS_PROTO_NUMBERS] = {CS_PROTO_VARINT, true},
             [CS_PROTO_DOUBLES] = {CS_PROTO_FIXED64, true}};

static cs_status check_type(const cs_protoread *message, const cs_protoread_spec *spec,
                            const cs_protoread_field *field)
{
    if (field->wire == types[spec->type].wire ||
        (types[spec->type].packed && field->wire == CS_PROTO_BYTES))
        return CS_OK;
    return cs_diag_set(message->diag, CS_ERR_FORMAT, message->name,
                       "byte 0x%llx: %s: found wire type %u, expected %u",
                       (unsigned long long)field->offset, spec->name, (unsigned)field->wire,
                       (unsigned)types[spec->type].wire);
}

cs_status cs_protoread_take(cs_protoread message, const cs_protoread_spec *specs, size_t nr,
                            cs_protoread_field *found)
{
    cs_protoread_field field;
    cs_status status;

    memset(found, 0, nr * sizeof *found);
    while ((status = cs_protoread_next(&message, &field)) == CS_OK && field.number != 0)
        for (size_t i = 0; i < nr; i++)
            if (specs[i].number == field.number) {
                status = check_type(&message, &specs[i], &field);
                if (status != CS_OK)
                    return status;
                found[i] = field;
                break;
            }
    return status;
}

cs_status cs_protoread_find(cs_protoread *message, const cs_protoread_spec *spec,
                            cs_protoread_field *field)
{
    cs_status status;

    while ((status = cs_protoread_next(message, field)) == CS_OK && field->number != 0)
        if (field->number == spec->number)
            return check_type(message, spec, field);
    return status;
}

cs_status cs_protoread_number(cs_protoread *message, const cs_protoread_spec *spec,
                              cs_protoread *packed, uint64_t *value, bool *there)
{
    cs_protoread_field field;
    cs_status status = CS_OK;

    *there = false;
    while (packed->left == 0) {
        status = cs_protoread_find(message, spec, &field);
        if (status != CS_OK || field.number == 0)
            return status;
        if (field.wire != CS_PROTO_BYTES) {
            *value = field.value;
            *there = true;
            return CS_OK;
        }
        *packed = cs_protoread_begin(message, &field);
    }
    if (types[spec->type].wire == CS_PROTO_VARINT) {
        status = varint(packed, "a number", value);
    } else if (packed->left < 8) {
        status = ends(packed, packed->offset, "8 bytes");
    } else {
        *value = cs_little_get64(packed->bytes);
        advance(packed, 8);
    }
    *there = status == CS_OK;
    return status;
}

double cs_protoread_double(uint64_t value)
{
    double real;

    memcpy(&real, &value, sizeof real);
    return real;
}
