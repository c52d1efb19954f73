// SPDX-License-Identifier: Apache-2.0
/* Internal: what both encodings refuse, and times, which both have as the same nanoseconds. */
#ifndef CS_FORMATS_PERFETTO_WRITE_LIMITS_H
#define CS_FORMATS_PERFETTO_WRITE_LIMITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "formats/perfetto/write/json.h"

/* Rounded down. */
static inline uint64_t cs_perfetto_nanoseconds(unsigned clock_mhz, uint64_t cycle)
{
    return cycle / clock_mhz * 1000 + cycle % clock_mhz * 1000 / clock_mhz;
}

/* Readers take signed 64 bits. */
static inline bool cs_perfetto_is_time(unsigned clock_mhz, uint64_t cycle)
{
    return cycle / clock_mhz <= INT64_MAX / 1000 &&
           cs_perfetto_nanoseconds(clock_mhz, cycle) <= INT64_MAX;
}

static inline bool cs_perfetto_is_value(const char *unit, double value)
{
    return isfinite(value) && strlen(unit) <= CS_PERFETTO_UNIT_BYTES;
}

#endif
