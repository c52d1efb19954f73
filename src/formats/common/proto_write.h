// SPDX-License-Identifier: Apache-2.0
/* Protocol buffers' wire format, written into bytes that grow. */
#ifndef CS_FORMATS_COMMON_PROTO_WRITE_H
#define CS_FORMATS_COMMON_PROTO_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct cs_proto_bytes {
    uint8_t *bytes;
    size_t used;
    size_t room;
    bool failed; /* there was no memory: the content is not whole */
} cs_proto_bytes;

static inline bool cs_proto_room(cs_proto_bytes *b, size_t more)
{
    if (b->used + more > b->room) {
        const size_t room = 2 * (b->used + more);
        uint8_t *bytes = realloc(b->bytes, room);

        if (bytes == NULL) {
            b->failed = true;
            return false;
        }
        b->bytes = bytes;
        b->room = room;
    }
    return true;
}

static inline void cs_proto_varint(cs_proto_bytes *b, uint64_t value)
{
    if (!cs_proto_room(b, 10))
        return;
    for (; value >= 0x80; value >>= 7)
        b->bytes[b->used++] = (uint8_t)(value | 0x80);
    b->bytes[b->used++] = (uint8_t)value;
}

/* A field of a number. */
static inline void cs_proto_number(cs_proto_bytes *b, unsigned field, uint64_t value)
{
    cs_proto_varint(b, (uint64_t)field << 3);
    cs_proto_varint(b, value);
}

/* A field of bytes: a text, a message. */
static inline void cs_proto_put(cs_proto_bytes *b, unsigned field, const void *bytes, size_t count)
{
    cs_proto_varint(b, (uint64_t)field << 3 | 2);
    cs_proto_varint(b, count);
    if (count == 0 || !cs_proto_room(b, count))
        return;
    memcpy(b->bytes + b->used, bytes, count);
    b->used += count;
}

static inline void cs_proto_text(cs_proto_bytes *b, unsigned field, const char *text)
{
    cs_proto_put(b, field, text, strlen(text));
}

/* The message in *message, which is empty afterwards. */
static inline void cs_proto_message(cs_proto_bytes *b, unsigned field, cs_proto_bytes *message)
{
    cs_proto_put(b, field, message->bytes, message->used);
    b->failed = b->failed || message->failed;
    message->used = 0;
}

/* 64 bits as they are. */
static inline void cs_proto_double(cs_proto_bytes *b, unsigned field, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    cs_proto_varint(b, (uint64_t)field << 3 | 1);
    if (!cs_proto_room(b, 8))
        return;
    for (unsigned i = 0; i < 8; i++)
        b->bytes[b->used++] = (uint8_t)(bits >> (8 * i));
}

#endif
