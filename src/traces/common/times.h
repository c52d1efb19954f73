// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: cycles, and ticks of other clocks, as nanoseconds since cycle 0. */
#ifndef CS_TRACES_COMMON_TIMES_H
#define CS_TRACES_COMMON_TIMES_H

#include <stdint.h>

#include "scenario/machine/bus_spec.h"
#include "scenario/scenario.h"

/* n * 1000 / mhz, without overflow. */
static inline uint64_t cs_trace_scaled_ns(uint64_t n, uint64_t mhz)
{
    return n / mhz * 1000 + n % mhz * 1000 / mhz;
}

static inline uint64_t cs_trace_ns(const cs_scenario *s, cs_cycle cycle)
{
    return cs_trace_scaled_ns(cycle, s->bus->clock_mhz);
}

#endif
