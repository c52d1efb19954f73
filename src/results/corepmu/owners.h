// SPDX-License-Identifier: Apache-2.0
/* Two owners of the cores' counters: perf of the kernel's driver, by system registers, and the PMCU, by the
 * frame (docs/drivers/two_owners.md). For each owner a core has an image of the registers that only that owner has
 * written: what its counters would be without the other. Beside them is the image of all writes, which is
 * what the hardware did. What lies between the two is told, with its cause. */
#ifndef CS_RESULTS_COREPMU_OWNERS_H
#define CS_RESULTS_COREPMU_OWNERS_H

#include <stddef.h>

#include "results/corepmu/image.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_owner { CS_OWNER_PERF, CS_OWNER_PMCU, CS_NR_OWNERS } cs_owner;
extern const char *const cs_owner_names[CS_NR_OWNERS];

typedef enum cs_disturbing {
    CS_DISTURB_STOPPED,  /* the counter stands: its enable, or PMCR.E */
    CS_DISTURB_STARTED,  /* it counts again */
    CS_DISTURB_REPLACED, /* another event, or filter */
    CS_DISTURB_RESET,    /* PMCR.P, PMCR.C */
    CS_DISTURB_WRITTEN,  /* another value */
    CS_DISTURB_FLAG,     /* its overflow flag is cleared */
    CS_NR_DISTURBING
} cs_disturbing;
extern const char *const cs_disturbing_names[CS_NR_DISTURBING];

/* What a counter of a CPU counted of an event for an owner. */
typedef struct cs_owner_row {
    cs_owner owner;
    unsigned cpu, counter;
    uint32_t event;  /* Arm's number, or CS_EVENT_ARM_CLOCK */
    uint64_t should; /* what it would have counted without the other owner */
    uint64_t right;  /* of these it did count */
    uint64_t stopped, replaced,
        dropped;      /* of these it did not: it stood, it counted something else,
                                            or the other gave it a value in that cycle */
    uint64_t foreign; /* it counted of what the other one wanted, instead */
    uint64_t gained;  /* it counted while its owner had stopped it */
    uint64_t readings,
        wrong;               /* how often its owner read it, and found another value than its own */
    uint64_t read, expected; /* the PMCU's readings, all together */
} cs_owner_row;

/* One access of an owner that changed a counter which the other has in use. */
typedef struct cs_disturbance {
    cs_cycle cycle;
    unsigned cpu, counter;
    cs_owner of; /* whose counter */
    cs_disturbing cause;
    uint8_t step;           /* the PMCU's state (docs/hw/pmcu.md, "States"), where it did it */
    uint64_t before, after; /* the counter's value */
} cs_disturbance;

typedef struct cs_owners cs_owners;

typedef struct cs_owners_config {
    const cs_scenario *scenario;
    cs_timeline *const *timelines; /* by CPU */
    bool hpme[CS_MAX_DIES];        /* MDCR_EL2.HPME of the cores, by die */
    void (*disturbed)(void *ctx, const cs_disturbance *what);
    void *ctx;
} cs_owners_config;

/* CS_ERR_NO_MEMORY. */
cs_status cs_owners_create(const cs_owners_config *config, cs_owners **out, cs_diag *diag);
void cs_owners_destroy(cs_owners *owners); /* NULL is allowed */
/* REG and STATE records; CS_ERR_NO_MEMORY. */
cs_status cs_owners_record(cs_owners *owners, const cs_probe_record *record);

/* As of the last access of each CPU. */
const cs_owner_row *cs_owners_rows(const cs_owners *owners, size_t *nr);
/* What perf's counter would have counted up to its last access: NULL, none of this event. */
const cs_owner_row *cs_owners_find(const cs_owners *owners, cs_owner owner, unsigned cpu,
                                   unsigned counter, uint32_t event);
uint64_t cs_owners_disturbances(const cs_owners *owners, cs_owner of, cs_disturbing cause);

#ifdef __cplusplus
}
#endif

#endif
