// SPDX-License-Identifier: Apache-2.0
/* Inside the core PMU: what its files share.
 *
 * The cycle counter is counter 31: its bit in the enables and flags, its place in the
 * register map and its filter are where a counter 31 would have them. */
#ifndef CS_MODELS_COREPMU_INTERNAL_H
#define CS_MODELS_COREPMU_INTERNAL_H

#include <countersink/models/corepmu/corepmu.h>

#define CS_COREPMU_CYCLE_BIT (1u << CS_COREPMU_CYCLE_COUNTER)
#define CS_COREPMU_SLOTS 32u

typedef struct cs_corepmu_counter {
    uint64_t value; /* while counting: the state of cycle `since` */
    cs_cycle since;
    uint32_t type;  /* PMEVTYPER<n>, PMCCFILTR */
    uint32_t modes; /* those in which it counts, by `type` and what is prohibited */
} cs_corepmu_counter;

/* Who is at the registers, and how they lie for him. */
typedef struct cs_corepmu_view {
    uint32_t visible; /* the counters that he sees */
    bool ext64;
    bool system; /* the core itself */
} cs_corepmu_view;

struct cs_corepmu {
    cs_corepmu_config config;
    cs_corepmu_view view; /* of the access that is carried out */
    cs_event_source events;
    uint32_t event_mask;  /* the event counters that exist */
    uint32_t first_range; /* those below hpmn */
    uint32_t enabled;
    uint32_t counting; /* the counters that count now, by enables, ranges and filters */
    uint32_t overflow; /* flags, up to date for counters that do not count */
    uint32_t int_enabled;
    uint32_t pmcr;    /* the bits that are kept */
    cs_cycle reached; /* of the last access or reset */
    cs_cycle framed;  /* the frame's last access; CS_NEVER: none yet */
    bool framed_line; /* the interrupt line in that cycle */
    uint32_t pc_high; /* the capture */
    uint32_t cid1;
    uint32_t cid2;
    cs_corepmu_counter counter[CS_COREPMU_SLOTS];
};

static inline uint32_t cs_corepmu_existing(const cs_corepmu *pmu)
{
    return pmu->event_mask | CS_COREPMU_CYCLE_BIT;
}

/* Brings the counters of `mask` and their flags to the state of cycle `to`. A counter
 * that does not count, or is there already, costs nothing. */
void cs_corepmu_settle(cs_corepmu *pmu, uint32_t mask, cs_cycle to);

/* Decides anew who counts, after an enable, a filter or PMCR has changed; counters that
 * begin to count do so in cycle `from`. The others must have been settled to `from`. */
void cs_corepmu_recount(cs_corepmu *pmu, cs_cycle from);

/* Counter n has `value` in cycle `from`, whatever it was before. */
void cs_corepmu_set_counter(cs_corepmu *pmu, unsigned n, uint64_t value, cs_cycle from);

void cs_corepmu_set_type(cs_corepmu *pmu, unsigned n, uint32_t type);

/* The counters whose range is on. */
uint32_t cs_corepmu_on(const cs_corepmu *pmu);

/* Which counters overflow from bit 63; the others do so from bit 31. */
uint32_t cs_corepmu_long(const cs_corepmu *pmu);

/* What counter n counts. */
uint32_t cs_corepmu_event_of(const cs_corepmu *pmu, unsigned n);

/* The interrupt line, as far as the flags are settled. */
static inline bool cs_corepmu_line(const cs_corepmu *pmu)
{
    return (pmu->overflow & pmu->int_enabled & cs_corepmu_on(pmu)) != 0;
}

/* The access of one word (offset a multiple of 4) with effect in `cycle`. */
uint32_t cs_corepmu_read_word(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset);
void cs_corepmu_write_word(cs_corepmu *pmu, cs_cycle cycle, uint32_t offset, uint32_t data);

#endif
