// SPDX-License-Identifier: Apache-2.0
/* A hart with nothing around it: the CSR block's C model, and memory that answers at once. For
 * firmware and driver authors, and for tests (docs/yours/embedding_hart.md). The caller is the software
 * unless config->software says otherwise. */
#ifndef CS_DRIVERS_HPM_HART_ALONE_H
#define CS_DRIVERS_HPM_HART_ALONE_H

#include <countersink/base/bus/memory.h>
#include <countersink/base/stream/timeline.h>
#include <countersink/drivers/hpm/hart.h>
#include <countersink/models/hpm/hpm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_hart_alone_config {
    cs_hart_config hart; /* its xlen may be 0: that of the CSR block */
    cs_hpm_config hpm;
    /* What the hart does, with a track for each cs_hart_track, and events by hpm.md's numbers
     * plus `first_event`; nothing inserted yet; borrowed. */
    cs_timeline *timeline;
    uint32_t first_event;
    const cs_probe_sink *probe; /* of the CSR block; NULL is allowed; borrowed */
    unsigned memory_cycles;     /* of a transfer, from request to completion */
} cs_hart_alone_config;

typedef struct cs_hart_alone cs_hart_alone;

/* RV64 with all that the CSR block can have, mtime as fast as the clock, and costs as scenarios
 * have them by default (docs/scenarios.md); no timeline yet. */
cs_hart_alone_config cs_hart_alone_defaults(void);

/* *config is copied. Errors: CS_ERR_RANGE (what was found and what is allowed), CS_ERR_NO_MEMORY;
 * *out is NULL then. */
cs_status cs_hart_alone_create(const cs_hart_alone_config *config, cs_hart_alone **out,
                               cs_diag *diag);
void cs_hart_alone_destroy(cs_hart_alone *alone); /* NULL is allowed */
cs_hart *cs_hart_alone_hart(cs_hart_alone *alone);
cs_hpm *cs_hart_alone_hpm(cs_hart_alone *alone);
cs_memory *cs_hart_alone_memory(cs_hart_alone *alone);
/* For a program that runs for long, and does not ask what there was to count: frees what the timeline
 * keeps of cycles before cs_hart_now() (cs_timeline_forget). Changes nothing that the hart or its software
 * sees. */
void cs_hart_alone_forget(cs_hart_alone *alone);
/* Transfers that touch [address, address + bytes) answer `resp` and move nothing; until the next call, 0
 * bytes: none. */
void cs_hart_alone_fault(cs_hart_alone *alone, uint64_t address, uint64_t bytes, cs_bus_resp resp);

#ifdef __cplusplus
}
#endif

#endif
