/* Internal to traces: cycles and hart times as nanoseconds since cycle 0. */
#ifndef CS_TRACES_COMMON_TIMES_H
#define CS_TRACES_COMMON_TIMES_H

#include <stdint.h>

#include "scenario/hpm/harts_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/scenario.h"

/* n * 1000 / mhz, without overflow. */
static inline uint64_t cs_trace_scaled_ns(uint64_t n, uint64_t mhz)
{
    return n / mhz * 1000 + n % mhz * 1000 / mhz;
}

static inline uint64_t cs_trace_ns(const cs_scenario *s, cycle_t cycle)
{
    return cs_trace_scaled_ns(cycle, s->bus->clock_mhz);
}

/* mtime counts from timebase_start. */
static inline uint64_t cs_trace_hart_ns(const cs_scenario *s, uint64_t mtime)
{
    return cs_trace_scaled_ns(mtime - s->harts->timebase_start, s->harts->timebase_mhz);
}

#endif
