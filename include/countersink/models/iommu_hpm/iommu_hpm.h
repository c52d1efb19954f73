// SPDX-License-Identifier: Apache-2.0
/* The monitor of a RISC-V IOMMU (docs/hw/iommu_hpm.md).
 *
 * Time: all cycles below cs_iommu_hpm_now() have been executed; the state, the interrupt line among
 * it, is that of cycle cs_iommu_hpm_now(). A counter is brought up to date, by one exact sum of what
 * fits its iohpmevt, when an access needs it; the cycle of an overflow is found by search.
 *
 *     static uint64_t sum(void *ctx, uint64_t evt, cs_cycle from, cs_cycle to)
 *     {
 *         of each transaction in [from, to): if cs_iommu_hpm_fits(evt, &ids), what it did of event
 *         cs_iommu_hpm_event(evt)
 *     }
 *
 *     const cs_iommu_hpm_config config = {.counters = 7, .width = 64};
 *     const cs_iommu_hpm_env env = {.sum = sum, .ctx = transactions};
 *     cs_iommu_hpm *iommu;
 *
 *     cs_iommu_hpm_create(&config, &env, &iommu, NULL);
 *     cs_iommu_hpm_write(iommu, 10, 0x160, true, 4);        iohpmevt 1: misses, from cycle 11 on
 *     cs_iommu_hpm_read(iommu, 1000, 0x068, true, &count);  iohpmctr 1 */
#ifndef CS_MODELS_IOMMU_HPM_IOMMU_HPM_H
#define CS_MODELS_IOMMU_HPM_IOMMU_HPM_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_iommu_hpm cs_iommu_hpm;

#define CS_IOMMU_HPM_MAX_COUNTERS 31u
#define CS_IOMMU_HPM_MAX_INCREMENT 240u /* of an event in a cycle, over all records */

/* The straps. */
typedef struct cs_iommu_hpm_config {
    unsigned counters; /* N, 1..CS_IOMMU_HPM_MAX_COUNTERS */
    unsigned width;    /* W, 32..64 */
    uint16_t unit;     /* source of its probe records: CS_UNIT_IOMMU(n) */
} cs_iommu_hpm_config;

/* Whose a transaction is ("What the IOMMU reports"). */
typedef struct cs_iommu_hpm_ids {
    uint32_t did;
    uint32_t pid, gscid, pscid;
    bool pv, gscv, pscv; /* there is a process_id, a GSCID, a PSCID */
} cs_iommu_hpm_ids;

/* What a counter with this iohpmevt counts ("Counting, Events"): which event, 0..8, and whether a
 * transaction with these IDs fits. With event 0, or with IDT and an event without these IDs,
 * nothing fits. */
unsigned cs_iommu_hpm_event(uint64_t evt);
bool cs_iommu_hpm_fits(uint64_t evt, const cs_iommu_hpm_ids *ids);

typedef struct cs_iommu_hpm_env {
    /* The increments of all that fits `evt` in the cycles [from, to), which lie below 2^56. */
    uint64_t (*sum)(void *ctx, uint64_t evt, cs_cycle from, cs_cycle to);
    void *ctx;
    const cs_probe_sink *probe; /* may be NULL */
} cs_iommu_hpm_env;

/* The state is that of a reset in cycle 0. *config and *env are copied; what *env points at must
 * outlive the model. On failure (CS_ERR_RANGE, CS_ERR_NO_MEMORY) *out is NULL. */
cs_status cs_iommu_hpm_create(const cs_iommu_hpm_config *config, const cs_iommu_hpm_env *env,
                              cs_iommu_hpm **out, cs_diag *diag);
void cs_iommu_hpm_destroy(cs_iommu_hpm *iommu); /* NULL is allowed */
/* The state of cycle `now` is the reset state; `now` is not before cs_iommu_hpm_now(). */
void cs_iommu_hpm_reset(cs_iommu_hpm *iommu, cs_cycle now);

/* An access with effect in `cycle`, after that of any earlier one and not before
 * cs_iommu_hpm_now(). `wide`: 8 bytes, else 4 (data in the low half). CS_BUS_OKAY, or CS_BUS_SLVERR;
 * a read then gives 0. A write executes its cycle: cs_iommu_hpm_now() is cycle + 1 then, after a read
 * it is cycle. */
cs_bus_resp cs_iommu_hpm_read(cs_iommu_hpm *iommu, cs_cycle cycle, uint32_t offset, bool wide,
                              uint64_t *data);
cs_bus_resp cs_iommu_hpm_write(cs_iommu_hpm *iommu, cs_cycle cycle, uint32_t offset, bool wide,
                               uint64_t data);

/* What a read in cycle cs_iommu_hpm_now() would answer. Nothing happens: it is no access. */
cs_bus_resp cs_iommu_hpm_ask(const cs_iommu_hpm *iommu, uint32_t offset, bool wide, uint64_t *data);

cs_cycle cs_iommu_hpm_now(const cs_iommu_hpm *iommu);
/* The first cycle after cs_iommu_hpm_now() in which the line has another level, if no access comes;
 * CS_NEVER: none. */
cs_cycle cs_iommu_hpm_next(const cs_iommu_hpm *iommu);
/* Executes cycles up to, not including, `to`. Returns the new now (`to` below now is no error). */
cs_cycle cs_iommu_hpm_advance(cs_iommu_hpm *iommu, cs_cycle to);
/* The line in cycle cs_iommu_hpm_now(): pmip. */
bool cs_iommu_hpm_irq(const cs_iommu_hpm *iommu);

#ifdef __cplusplus
}
#endif

#endif
