// SPDX-License-Identifier: Apache-2.0
/* perf stat on uncore units, with the kernel's driver below it (docs/drivers/uncore_driver.md). It knows
 * nothing of the units but their registers (docs/hw/uncore.md). */
#ifndef CS_DRIVERS_UNCORE_UNCORE_DRIVER_H
#define CS_DRIVERS_UNCORE_UNCORE_DRIVER_H

#include "drivers/count.h"
#include "drivers/software.h"
#include "drivers/uncore/uncore_place.h"
#include "scenario/limits.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;

typedef struct cs_uncore_driver cs_uncore_driver;

extern const cs_count_family cs_uncore_family; /* of the counts that it tells */

/* A counter is given to an event; told before the counter's first access for it. */
typedef struct cs_uncore_placed {
    unsigned unit, counter;
    unsigned event;  /* number on the unit */
    unsigned serial; /* as in cs_count */
} cs_uncore_placed;

CS_SOFT_KIND(uncore_placed, cs_uncore_placed)

/* A unit has another CPU from now on: told when that one has taken it over. */
typedef struct cs_uncore_moved {
    unsigned unit, from, to;
    cs_cycle left;   /* its counters stood still from then on */
    const char *why; /* static */
} cs_uncore_moved;

CS_SOFT_KIND(uncore_moved, cs_uncore_moved)

typedef struct cs_uncore_driver_config {
    const cs_uncore_driver_spec *spec;         /* borrowed; in the ranges of the scenario's keys */
    const cs_uncore_spec *units;               /* likewise */
    cs_uncore_manager managers[CS_MAX_UNCORE]; /* by unit */
    unsigned nr_cpus;                          /* of all kinds; managers are among them */
    unsigned clock_mhz;                        /* bus cycles of a microsecond */
    unsigned access_cycles;                    /* CPU work before each register access */
    bool may[CS_MAX_CPUS];                     /* manage units */
    bool side_by_side;                         /* each of them has a port of its own */
    unsigned ipi_cycles;                       /* from one to another */
    unsigned irq_latency_cycles;               /* from a unit's line to the handler */
    /* The CPU waits for an interrupt in this cycle, or has nothing to do; `own`: it is the one that asks. NULL: none ever
     * does. */
    bool (*waits)(void *ctx, unsigned cpu, cs_cycle cycle, bool own);
    void *waits_ctx;
    const cs_soft_sink *soft; /* what it tells; borrowed, may be NULL */
} cs_uncore_driver_config;

/* CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_uncore_driver_create(const cs_uncore_driver_config *config, cs_uncore_driver **out,
                                  cs_diag *diag);
void cs_uncore_driver_destroy(cs_uncore_driver *driver); /* NULL is allowed */
/* What a CPU runs; `cpu` is of those that may manage with side_by_side, else it does not matter. */
cs_software cs_uncore_driver_software(cs_uncore_driver *driver, unsigned cpu);

/* So far; valid until destroy. */
const cs_rotating_report *cs_uncore_driver_get_report(const cs_uncore_driver *driver);
/* The divider of a unit as it is in force, for tests and the curious; 0: it is not managed. */
unsigned cs_uncore_driver_divider(const cs_uncore_driver *driver, unsigned unit);
/* Memory ran out while events were opened or closed; the software has ended then. */
bool cs_uncore_driver_failed(const cs_uncore_driver *driver);

/* NULL where it does not run. */
cs_uncore_driver *cs_uncore_driver_of(const struct cs_environment *environment);
/* The scenario's, without soft; it borrows the scenario. */
cs_uncore_driver_config cs_uncore_driver_config_of(const struct cs_scenario *scenario);

#ifdef __cplusplus
}
#endif

#endif
