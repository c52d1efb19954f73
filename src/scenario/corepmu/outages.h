// SPDX-License-Identifier: Apache-2.0
/* CPUs that go off and come back: corepmu.outages (docs/hw/corepmu.md, "Power"). */
#ifndef CS_SCENARIO_COREPMU_OUTAGES_H
#define CS_SCENARIO_COREPMU_OUTAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/check.h"
#include <countersink/base/cycle.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From `cycle` on the pins of the CPU's core PMU have these levels. */
typedef struct cs_power_change {
    cs_cycle cycle;
    bool offline, locked;
} cs_power_change;

/* Those of a CPU, in rising order; returns how many. `out` NULL: only that. */
size_t cs_outages_changes(const struct cs_scenario *s, unsigned cpu, cs_power_change out[]);

/* The spans in which the CPU executes nothing, likewise. */
size_t cs_outages_off(const struct cs_scenario *s, unsigned cpu, cs_timeline_off out[]);

/* Whether the PMU of the CPU refuses accesses in some cycle of [from, to). */
bool cs_outages_refuse(const struct cs_scenario *s, unsigned cpu, cs_cycle from, cs_cycle to);
/* Whether it loses its registers in some cycle of [from, to). */
bool cs_outages_lose(const struct cs_scenario *s, unsigned cpu, cs_cycle from, cs_cycle to);

/* Whether the system has taken the CPU away at `cycle`. */
bool cs_outages_hotplug(const struct cs_scenario *s, unsigned cpu, cs_cycle cycle);

/* The outage in which the CPU is at `cycle`; *back: when it executes again. NULL: none. */
const struct cs_outage_spec *cs_outages_at(const struct cs_scenario *s, unsigned cpu,
                                           cs_cycle cycle, cs_cycle *back);

cs_status cs_outages_check(cs_check *check);

#ifdef __cplusplus
}
#endif

#endif
