// SPDX-License-Identifier: Apache-2.0
/* How tables of cores' events are written. */
#ifndef CS_SOFTWARE_PERF_CORE_MAP_H
#define CS_SOFTWARE_PERF_CORE_MAP_H

#include "software/perf/machine.h"
#include <countersink/formats/perf/abi/perf.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define HARDWARE(number, event)                                                                    \
    {                                                                                              \
        CS_PERF_TYPE_HARDWARE, number, event, 0                                                    \
    }
#define RAW(config, event)                                                                         \
    {                                                                                              \
        CS_PERF_TYPE_RAW, config, event, 0                                                         \
    }

enum cache { L1D, L1I, LL, DTLB, ITLB, BPU, NODE };
enum cache_op { READ, WRITE, PREFETCH };
enum cache_result { ACCESS, MISS };
#define CACHE(cache, op, result, event)                                                            \
    {                                                                                              \
        CS_PERF_TYPE_CACHE, (cache) | (op) << 8 | (result) << 16, event, 0                         \
    }

#endif
