// SPDX-License-Identifier: Apache-2.0
/* A hart's events by encodings of mhpmevent (docs/hw/hpm.md, "Events"). */
#include "software/perf/counters/core_map.h"
#include "software/perf/hpm/hpm_pmu.h"
#include <countersink/base/numbers.h>

enum hart_event {
    HART_CYCLES = 1,
    HART_INSTRUCTIONS = 2,
    HART_L1D_ACCESS = 3,
    HART_L1D_MISS = 4,
    HART_BRANCHES = 5,
    HART_MISPREDICTS = 6,
    HART_REF_CYCLES = 10,
    HART_L1I_ACCESS = 11,
    HART_L1I_MISS = 12,
    HART_LL_ACCESS = 13,
    HART_LL_MISS = 14,
    HART_DTLB_ACCESS = 15,
    HART_DTLB_MISS = 16,
    HART_ITLB_ACCESS = 17,
    HART_ITLB_MISS = 18
};

static const cs_perf_map hart_maps[] = {
    HARDWARE(0, HART_CYCLES),
    HARDWARE(1, HART_INSTRUCTIONS),
    HARDWARE(2, HART_L1D_ACCESS),
    HARDWARE(3, HART_L1D_MISS),
    HARDWARE(4, HART_BRANCHES),
    HARDWARE(5, HART_MISPREDICTS),
    HARDWARE(9, HART_REF_CYCLES),
    CACHE(L1D, READ, ACCESS, HART_L1D_ACCESS),
    CACHE(L1D, READ, MISS, HART_L1D_MISS),
    CACHE(L1I, READ, ACCESS, HART_L1I_ACCESS),
    CACHE(L1I, READ, MISS, HART_L1I_MISS),
    CACHE(LL, READ, ACCESS, HART_LL_ACCESS),
    CACHE(LL, READ, MISS, HART_LL_MISS),
    CACHE(DTLB, READ, ACCESS, HART_DTLB_ACCESS),
    CACHE(DTLB, READ, MISS, HART_DTLB_MISS),
    CACHE(ITLB, READ, ACCESS, HART_ITLB_ACCESS),
    CACHE(ITLB, READ, MISS, HART_ITLB_MISS),
    CACHE(BPU, READ, ACCESS, HART_BRANCHES),
    CACHE(BPU, READ, MISS, HART_MISPREDICTS),
};

static const cs_perf_file hart_formats[] = {{"event", "config:0-47"}, {"firmware", "config:63"}};

#define RV64_CORE                                                                                  \
    .driver = &cs_perf_hpm_driver, .name = "cpu", .type = CS_PERF_TYPE_RAW, .counters = 29,        \
    .maps = hart_maps, .nr_maps = COUNT(hart_maps), .raw_mask = 0xffff, .raw_strict = true,        \
    .first_event = CS_EVENT_HART(0), .formats = hart_formats, .nr_formats = COUNT(hart_formats)

const cs_perf_core cs_perf_core_rv64 = {RV64_CORE};
const cs_perf_core cs_perf_core_rv64_plain = {RV64_CORE, .no_interrupt = true, .no_exclude = true};
