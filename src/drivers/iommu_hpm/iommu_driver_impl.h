// SPDX-License-Identifier: Apache-2.0
/* What the files of the driver share. The software is straight-line code (drivers/routine.h). */
#ifndef CS_DRIVERS_IOMMU_HPM_IOMMU_DRIVER_IMPL_H
#define CS_DRIVERS_IOMMU_HPM_IOMMU_DRIVER_IMPL_H

#include "drivers/iommu_hpm/iommu_driver.h"
#include "drivers/rotation/rotation.h"
#include "drivers/routine.h"

#define IOMMU_COUNTERS 32u /* iohpmcycles, then those of events */
#define NO_COUNTER (-1)

/* An event of a command on one IOMMU. */
typedef struct iommu_event {
    unsigned command, unit;
    const cs_iommu_event_spec *spec;
    const cs_iommu_spec *of;
    unsigned group; /* of all groups of all commands */
    bool open;
    bool error;            /* pinned, and there was no counter for it */
    int8_t counter;        /* where it is; NO_COUNTER */
    uint64_t last;         /* the counter as it was read or set the last time */
    cs_cycle since;        /* running is accounted up to here */
    cs_cycle from;         /* it was opened */
    uint64_t raw, running; /* since then */
    cs_cycle told_to;      /* of the last interval; raw and running then: */
    uint64_t told_raw, told_running;
} iommu_event;

typedef struct iommu_unit {
    const cs_iommu_spec *spec;
    uint64_t base;     /* of its registers */
    uint64_t masks[2]; /* of iohpmcycles, of another counter: as the driver found them */
    unsigned counters; /* likewise, iohpmcycles among them */
    iommu_event *on[IOMMU_COUNTERS]; /* NULL: none */
} iommu_unit;

typedef enum iommu_state { COMMAND_NEW, COMMAND_OPEN, COMMAND_OVER } iommu_state;

typedef struct iommu_command {
    const cs_iommu_perf_spec *spec;
    iommu_state state;
    cs_cycle start, stop;
    cs_cycle interval; /* the next one; CS_NEVER: none */
} iommu_command;

struct cs_iommu_driver {
    cs_iommu_driver_config config;
    cs_routine routine;
    iommu_unit units[CS_MAX_IOMMUS];
    iommu_command *commands;
    iommu_event events[CS_MAX_IOMMU_EVENTS]; /* as they are opened */
    size_t nr_events;
    /* Those that are open, as `rotation` has them. */
    iommu_event *list[CS_MAX_IOMMU_EVENTS];
    size_t nr_list;
    cs_rotation *rotation; /* NULL: no event is open */
    cs_cycle tick_cycles;
    cs_cycle tick;  /* the next one that is needed; CS_NEVER: none */
    unsigned ahead; /* ticks to it, those that are not needed included */
    cs_rotating_report report;
    bool failed;
};

/* ---- iommu_counter.c: registers, as the kernel's driver accesses them ---- */

/* What there is of it. */
void cs_iommu_detect(cs_iommu_driver *driver, iommu_unit *unit);
/* The event comes to the counter, or leaves its own. */
void cs_iommu_start(cs_iommu_driver *driver, iommu_event *event, unsigned counter);
void cs_iommu_stop(cs_iommu_driver *driver, iommu_event *event);
/* Reads the counter of an event that is on one, and accounts for it. */
void cs_iommu_update(cs_iommu_driver *driver, iommu_event *event);
/* The handler's work. */
void cs_iommu_take_overflows(cs_iommu_driver *driver, iommu_unit *unit);

/* ---- iommu_list.c: what is open ---- */

/* Those of the command become open, or closed, and the list is made anew. False: no memory. */
bool cs_iommu_list(cs_iommu_driver *driver, unsigned command, bool open);

#endif
