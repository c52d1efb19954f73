// SPDX-License-Identifier: Apache-2.0
/* What the pages of SBI snapshots ought to hold (docs/drivers/sbi_pmu.md, "Snapshot page"): it follows the CSR accesses of the
 * counters and the transfers to the pages in the probe stream. What a slot gets is what the hart
 * collector says of the counter that firmware has read, or what firmware then wrote into a counter
 * that was to start from the slot; never what is in the page, nor a transfer's data. */
#ifndef CS_RESULTS_HPM_SNAPSHOT_PAGES_H
#define CS_RESULTS_HPM_SNAPSHOT_PAGES_H

#include "results/common/memory_images.h"
#include "results/hpm/collector.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_image_source cs_image_snapshot; /* the harts' pages */

typedef struct cs_snapshot_pages cs_snapshot_pages;

/* A doubleword of a page that was written. */
typedef struct cs_snapshot_word {
    unsigned hart;
    uint64_t offset; /* 0: the bitmap; 8 + 8 i: slot i */
    bool known;      /* else nothing but the page says what was written */
    uint64_t value;
} cs_snapshot_word;

/* `harts` must have seen a record before this has. Both are borrowed. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_snapshot_pages_create(const cs_scenario *scenario, cs_hart_collector *harts,
                                   cs_snapshot_pages **out, cs_diag *diag);
void cs_snapshot_pages_destroy(cs_snapshot_pages *pages); /* NULL is allowed */
void cs_snapshot_pages_record(cs_snapshot_pages *pages, const cs_probe_record *record);

/* All that were written, by hart and offset. */
void cs_snapshot_pages_each(const cs_snapshot_pages *pages,
                            void (*each)(void *ctx, const cs_snapshot_word *word), void *ctx);

#ifdef __cplusplus
}
#endif

#endif
