// SPDX-License-Identifier: Apache-2.0
/* Writes that a cluster's bridge posts (docs/hw/bus.md, "The bridge of a cluster"): the transfer is
 * complete at another time than the write takes effect, later or, with a fast bridge, earlier. Of a
 * cluster transfers and effects come in the same order; what came first waits here for the other. */
#ifndef CS_RESULTS_PMCU_POSTED_H
#define CS_RESULTS_PMCU_POSTED_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_POSTED_MOST 16u
#define CS_POSTED_NOBODY 0xffu

typedef struct cs_posted_transfer {
    cs_probe_record record;
    uint8_t
        state; /* the PMCU's when it was complete; CS_POSTED_NOBODY: not a transfer of its own */
} cs_posted_transfer;

/* Of a cluster. Numbers count on; the place is the number modulo the length. Zero: empty. */
typedef struct cs_posted {
    cs_posted_transfer transfers[CS_POSTED_MOST];
    cs_probe_record effects[CS_POSTED_MOST];
    unsigned first_transfer, after_transfer;
    unsigned first_effect, after_effect;
} cs_posted;

void cs_posted_asked(cs_posted *posted, const cs_probe_record *transfer, uint8_t state);
void cs_posted_done(cs_posted *posted, const cs_probe_record *effect);

/* The next write of which there are both; false: none. They stay valid until the next call. */
bool cs_posted_next(cs_posted *posted, const cs_posted_transfer **asked,
                    const cs_probe_record **done);

/* Transfers that wait for their effect are nobody's from now on. */
void cs_posted_disown(cs_posted *posted);

#ifdef __cplusplus
}
#endif

#endif
