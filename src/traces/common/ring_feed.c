#include "traces/common/ring_feed.h"

#include <string.h>

#define HEAD_BYTES 8u
#define TRAILER_BYTES 32u
#define LEAST_BYTES (HEAD_BYTES + TRAILER_BYTES)
#define CHAIN_AT CS_PERF_SAMPLE_BYTES

static uint64_t get64(const uint8_t *bytes)
{
    uint64_t value = 0;

    for (int i = 8; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static uint32_t get32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static unsigned size_of(const uint8_t *bytes)
{
    return bytes[6] | (unsigned)bytes[7] << 8;
}

/* What stands behind the rest of a sample of this size: a length and so many words. */
static void take_chain(cs_ring_feed *f, const uint8_t *bytes, unsigned size, cs_perf_record *r)
{
    r->has_chain = size >= CHAIN_AT + 8;
    r->nr_chain = r->has_chain ? (uint16_t)((size - CHAIN_AT) / 8 - 1) : 0;
    r->chain = f->chain;
    for (unsigned i = 0; i < r->nr_chain; i++)
        f->chain[i] = get64(bytes + CHAIN_AT + 8 + 8 * (size_t)i);
}

static void tell(cs_ring_feed *f, unsigned hart, bool guest, const uint8_t *bytes)
{
    const unsigned size = size_of(bytes);
    const uint8_t *trailer = bytes + size - TRAILER_BYTES;
    cs_perf_record r = {
        .type = get32(bytes), .misc = (uint16_t)(bytes[4] | bytes[5] << 8), .size = (uint16_t)size};

    if (r.type == CS_PERF_SAMPLE) {
        r.id = get64(bytes + 8);
        r.ip = get64(bytes + 16);
        r.period = get64(bytes + 48);
        take_chain(f, bytes, size, &r);
        trailer = bytes + 24; /* who, when, where stand in the same order */
    } else {
        r.id = get64(bytes + (r.type == CS_PERF_LOST ? 8 : 16));
        r.lost = r.type == CS_PERF_LOST ? get64(bytes + 16) : 0;
    }
    r.pid = get32(trailer);
    r.tid = get32(trailer + 4);
    r.time = get64(trailer + 8);
    r.cpu = get32(trailer + 16);
    f->record(f->ctx, hart, guest, &r);
}

bool cs_ring_feed_put(cs_ring_feed *f, unsigned hart, bool guest, const void *bytes, size_t length)
{
    size_t *held = &f->rings[guest][hart].held;
    uint8_t *record = f->rings[guest][hart].bytes;
    const uint8_t *from = bytes;

    while (length > 0) {
        const size_t wanted = *held < HEAD_BYTES ? HEAD_BYTES : size_of(record);
        const size_t here = wanted - *held < length ? wanted - *held : length;

        memcpy(record + *held, from, here);
        *held += here;
        from += here;
        length -= here;
        if (*held < HEAD_BYTES)
            break;
        if (size_of(record) < LEAST_BYTES || size_of(record) > CS_PERF_RECORD_MOST)
            return false;
        if (*held == size_of(record)) {
            tell(f, hart, guest, record);
            *held = 0;
        }
    }
    return true;
}
