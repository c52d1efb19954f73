// SPDX-License-Identifier: Apache-2.0
/* The core PMU as its memory-mapped frame shows it (docs/hw/corepmu.md).
 *
 * Time: the model holds no clock of its own. A counter is brought up to date, by one exact sum over
 * the core's event source, when an access needs it.
 *
 *     const cs_corepmu_config config = {.counters = 8, .hpmn = 8};
 *     const cs_corepmu_env env = {.events = cs_timeline_event_source(timeline)};
 *     cs_corepmu *pmu;
 *
 *     cs_corepmu_create(&config, &env, &pmu, NULL);
 *     cs_corepmu_write(pmu, 10, 0x400, false, 0x08);      PMEVTYPER0: instructions retired
 *     cs_corepmu_write(pmu, 11, 0xC00, false, 1);         PMCNTENSET
 *     cs_corepmu_write(pmu, 12, 0xE04, false, 1);         PMCR.E
 *     cs_corepmu_read(pmu, 1000, 0x000, false, &count);   PMEVCNTR0 */
#ifndef CS_MODELS_COREPMU_COREPMU_H
#define CS_MODELS_COREPMU_COREPMU_H

#include <stdbool.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_corepmu cs_corepmu;

/* The core's clocks, which drive the cycle counter: their number in an event source. It is not
 * one of Arm's events, which have 16 bits. */
#define CS_COREPMU_EVENT_CLOCK 0x50000u

/* The cycle counter as a number: its bit in the enables and flags. */
#define CS_COREPMU_CYCLE_COUNTER 31u

#define CS_COREPMU_MAX_COUNTERS 31u

/* The straps. */
typedef struct cs_corepmu_config {
    unsigned counters; /* 1..CS_COREPMU_MAX_COUNTERS */
    bool ext64;        /* register map */
    unsigned hpmn;     /* 0..31: counters of the first range (MDCR_EL2.HPMN) */
    bool hpme;         /* the second range counts */
    bool offline;      /* without power in cycle 0: every access is an error */
    bool locked;       /* the OS lock is set in cycle 0: likewise */
    bool hpmd;         /* the first range does not count in EL2 */
    bool spme;         /* events count in EL3 */
} cs_corepmu_config;

typedef struct cs_corepmu_env {
    cs_event_source events; /* by Arm's numbers; sum, reach and context are used */
} cs_corepmu_env;

/* The state is that of a reset in cycle 0. *config and *env are copied; what *env points at must
 * outlive the model. On failure (CS_ERR_RANGE, CS_ERR_NO_MEMORY) *out is NULL. */
cs_status cs_corepmu_create(const cs_corepmu_config *config, const cs_corepmu_env *env,
                            cs_corepmu **out, cs_diag *diag);
void cs_corepmu_destroy(cs_corepmu *pmu); /* NULL is allowed */
/* The state of cycle `now` is the reset state. */
void cs_corepmu_reset(cs_corepmu *pmu, cs_cycle now);

/* The pins from `cycle` on (not before any earlier access or change). Without power the state is that
 * of a reset. */
void cs_corepmu_set_power(cs_corepmu *pmu, cs_cycle cycle, bool offline, bool locked);

/* An access with effect in `cycle` (not before any earlier access). `wide`: 8
 * bytes, else 4 (data in the low half). CS_BUS_OKAY, or CS_BUS_SLVERR; a read then
 * gives 0. */
cs_bus_resp cs_corepmu_read(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, bool wide,
                            uint64_t *data);
cs_bus_resp cs_corepmu_write(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, bool wide,
                             uint64_t data);

/* What a read in `cycle`, or in that of the last access where that is later, would answer. Nothing happens:
 * it is no access, and captures nothing. */
cs_bus_resp cs_corepmu_ask(const cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, bool wide,
                           uint64_t *data);

/* An access of the core itself: a system register, by its offset in the ext64 map. */
typedef struct cs_corepmu_access {
    uint16_t offset;
    bool write;
    bool guest; /* from EL1 or EL0, with a hypervisor below */
    uint64_t value;
} cs_corepmu_access;

/* With effect in `cycle` (not before any earlier access). False: the frame has an access in that
 * cycle; ask again for the next one. *data: what a read returns; 0 for others. The frame's access of
 * a cycle comes first. */
bool cs_corepmu_system(cs_corepmu *pmu, cs_cycle cycle, const cs_corepmu_access *access,
                       uint64_t *data);

/* The first cycle of [from, to) in which the overflow interrupt is high, if there is no access
 * from `from` on; `to`: none of them. `from` is not before any earlier access. */
cs_cycle cs_corepmu_irq(cs_corepmu *pmu, cs_cycle from, cs_cycle to);

/* It never acts by itself, but for the interrupt line (cs_corepmu_irq): CS_NEVER. */
cs_cycle cs_corepmu_next(const cs_corepmu *pmu);

/* The modes that a filter lets pass, as a CS_MODE_MASK set: bits 31:26 of `filter` as in
 * PMEVTYPER and PMCCFILTR (docs/hw/corepmu.md, "Filter"); other bits do not matter. */
uint32_t cs_corepmu_filter_modes(uint32_t filter);

/* The modes in which counter n (CS_COREPMU_CYCLE_COUNTER: the cycle counter) counts: those that its
 * filter lets pass and in which counting is not prohibited to it. `pmcr`: for its bit DP. */
uint32_t cs_corepmu_counted_modes(const cs_corepmu_config *config, unsigned n, uint32_t filter,
                                  uint32_t pmcr);

#ifdef __cplusplus
}
#endif

#endif
