// SPDX-License-Identifier: Apache-2.0
/* What `check` must know of the cores' own PMUs: events that perf gave counters, perhaps in turns, and
 * its samples. */
#include "check/family.h"
#include "scenario/section_list.h"

static const cs_section *const sections[] = {&cs_section_arm_pmu, NULL};

static const cs_check_counted rotated = {
    .own = "pmu='cpu'",
    .name = "CASE WHEN name LIKE '0x%' THEN printf('r%x', event) ELSE name END"};

static const cs_check_sampled sampled = {
    .rows =
        "SELECT seq, 0 AS command, event, cpu, cycle AS time, pc AS ip, pid, iif(mode=0,2,1) AS "
        "misc, 0 AS guest, period, NULL AS chain FROM truth.arm_sample",
    .table = "arm_sample"};

static const cs_timeline_kind kinds[] = {
    {"outage", .ctf = "outage", 'X', "outage", "cycles", "state", .track = "'outages'"},
};

static const cs_timeline_comparison comparisons[] = {
    {75,
     "outage",
     "time, cycles, state",
     {.kind = "outage", .cpu = true, .ends = true},
     "SELECT " CS_NO_GROUP
     "$T(start) AS time, stop-start AS cycles, kind AS state$U(stop) FROM truth.outage",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_TABLE},
};

const cs_check_family cs_check_corepmu = {
    .sections = sections,
    .place = 4,
    .sampled = &sampled,
    .rotated = &rotated,
    .kinds = kinds,
    .nr_kinds = sizeof kinds / sizeof kinds[0],
    .comparisons = comparisons,
    .nr_comparisons = sizeof comparisons / sizeof comparisons[0],
};
