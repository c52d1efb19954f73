// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: records of perf out of the bytes that the readers of the harts' rings take
 * (docs/drivers/riscv_driver.md, "The ring"), however they are cut. */
#ifndef CS_TRACES_HPM_RING_FEED_H
#define CS_TRACES_HPM_RING_FEED_H

#include <stdbool.h>

#include "formats/riscv/read/record.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/scenario.h"

typedef struct cs_ring_feed {
    void (*record)(void *ctx, unsigned hart, bool guest, const cs_perf_record *record);
    void *ctx;
    struct {
        size_t held;
        uint8_t bytes[CS_PERF_RECORD_MOST];
    } rings[2][CS_MAX_HARTS];           /* [1]: of guests */
    uint64_t chain[CS_PERF_CHAIN_MOST]; /* of the record that is told */
} cs_ring_feed;

/* False: something is no record of ours; what has come before it was told. */
bool cs_ring_feed_put(cs_ring_feed *feed, unsigned hart, bool guest, const void *bytes,
                      size_t length);

#endif
