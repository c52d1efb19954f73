// SPDX-License-Identifier: Apache-2.0
/* The PMCU driver's settings. */
#ifndef CS_SCENARIO_PMCU_PMCU_DRIVER_SPEC_H
#define CS_SCENARIO_PMCU_PMCU_DRIVER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"
#include <countersink/base/cycle.h>
#include <countersink/base/numbers.h>

/* What the driver of one die does. */
typedef struct cs_pmcu_program {
    unsigned sccl; /* whose: N of hisi_pmcu_sccl<N> */
    bool runs;
    bool own_samples; /* its nr_sample is not pmcu_driver's */
    bool own_events;  /* they are not those of pmcu_driver.user_events */
    size_t place;     /* in pmcu_driver.dies, where it stands there */
    unsigned cpu;     /* that manages the PMCU */
    uint32_t user_events[CS_MAX_USER_EVENTS];
    unsigned nr_user_events;
    unsigned nr_ignored_events; /* beyond 240; stands behind nr_user_events */
    unsigned nr_sample;
    unsigned sample_period_ms; /* 0 when sample_period_ticks is given */
    uint32_t sample_period_ticks;
    unsigned pmccfiltr;
    cs_cycle stop_at_cycle;
    uint64_t aux_base, data_base;
} cs_pmcu_program;

typedef struct cs_pmcu_driver_spec {
    uint32_t user_events[CS_MAX_USER_EVENTS];
    unsigned nr_user_events;
    unsigned nr_ignored_events; /* beyond 240; stands behind nr_user_events */
    unsigned nr_sample;
    uint64_t span_ms;             /* not 0: as many samples as fit, by their counting times */
    unsigned sample_period_ms;    /* 0 when sample_period_ticks is given */
    uint32_t sample_period_ticks; /* 50 MHz ticks; what the hardware gets */
    unsigned pmccfiltr;
    bool comp;
    uint64_t aux_base; /* physical address of AUX buffer 0 */
    uint64_t aux_buffer_bytes;
    unsigned aux_buffers;
    uint64_t reader_us;          /* perf takes so long to read a buffer */
    uint32_t quirks;             /* bits of cs_pmcu_quirk */
    uint64_t data_base;          /* where the driver keeps its event array */
    cs_cycle start_at_cycle;     /* perf is started by the user */
    cs_cycle stop_at_cycle;      /* perf is stopped by the user; 0: never */
    unsigned perf_wakeup_cycles; /* perf, for a stretch that is handed over */
    unsigned perf_kib_cycles;    /* perf, for each KiB that it copies to its file */
    cs_pmcu_program *dies;       /* as they are given; those that are named alone have a driver */
    size_t nr_dies;              /* 0: all have one, which does the above */
    cs_pmcu_program programs[CS_MAX_DIES]; /* what follows, by die */
} cs_pmcu_driver_spec;

#endif
