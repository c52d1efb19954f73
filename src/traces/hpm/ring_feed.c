// SPDX-License-Identifier: Apache-2.0
#include "traces/hpm/ring_feed.h"

#include <string.h>

/* A record that is shorter is none. */
#define LEAST_BYTES (CS_RING_HEAD_BYTES + CS_RING_TRAILER_BYTES)

bool cs_ring_feed_put(cs_ring_feed *f, unsigned hart, bool guest, const void *bytes, size_t length)
{
    size_t *held = &f->rings[guest][hart].held;
    uint8_t *record = f->rings[guest][hart].bytes;
    const uint8_t *from = bytes;

    while (length > 0) {
        cs_perf_record r = {.size = CS_RING_HEAD_BYTES};
        if (*held >= CS_RING_HEAD_BYTES)
            cs_perf_record_head(record, &r);
        const size_t wanted = r.size;
        const size_t here = wanted - *held < length ? wanted - *held : length;

        memcpy(record + *held, from, here);
        *held += here;
        from += here;
        length -= here;
        if (*held < CS_RING_HEAD_BYTES)
            break;
        cs_perf_record_head(record, &r);
        if (r.size < LEAST_BYTES || r.size > CS_PERF_RECORD_MOST)
            return false;
        if (*held == r.size) {
            cs_perf_record_body(record, &r, f->chain);
            f->record(f->ctx, hart, guest, &r);
            *held = 0;
        }
    }
    return true;
}
