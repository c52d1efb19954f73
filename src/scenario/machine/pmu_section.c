// SPDX-License-Identifier: Apache-2.0
#include "scenario/key_macros.h"
#include "scenario/machine/pmu_spec.h"
#include "scenario/section_list.h"

#define S cs_pmu_spec

static const cs_key_choice core_choices[] = {
    {"x86", CS_PMU_CORE_X86, NULL, NULL, "cpu, with generic hardware and cache events"},
    {"arm", CS_PMU_CORE_ARM, NULL, NULL, "armv8_pmuv3_0, with Arm's events by number, too"},
    {"rv64", CS_PMU_CORE_RV64, NULL, NULL, "cpu, of a RISC-V with Sscofpmf"},
    {"rv64_plain", CS_PMU_CORE_RV64_PLAIN, NULL, NULL,
     "cpu, without it: no sampling, and no mode can be left out"},
    {"none", CS_PMU_CORE_NONE, NULL, NULL, "no PMU: programs find out, and must cope"},
    {0},
};

static const cs_key pmu_keys[] = {
    {CHOICE("core", core_choices, "x86", "the cores' PMU"), AT(S, core)},
    {NUMBER("counters", "", 0, 31, "0", "general counters of a core; 0: as that core has"),
     AT(S, counters)},
    {NUMBER("mux_us", "us", 100, 1000000, "4000", "when events take turns on a counter"),
     AT(S, mux_us)},
    {NUMBER("sample_rate", "per second", 1, 10000000, "100000",
            "kernel.perf_event_max_sample_rate: an event with more samples is throttled"),
     AT(S, sample_rate)},
};
static const cs_key_shape shape = {SHAPE("pmu", pmu_keys, S)};

static const cs_key keys[] = {
    {MAP("pmu", &shape, "what `countersink pmu` shows to a program; of no effect elsewhere")}};
const cs_section cs_section_pmu = {SECTION("pmu", keys, S)};
