// SPDX-License-Identifier: Apache-2.0
/* What `check` must know of a PMCU. */
#include "check/pmcu/pmcu.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/section_list.h"

static const cs_timeline_kind kinds[] = {
    {"window", .ctf = "window", 'X', "window", "cycles", "subsample", .track = "'windows'"},
    {"blind", .ctf = "blind", 'X', "blind", "cycles", .track = "'windows'"},
    {"count", .ctf = "count", 'C', NULL, "count"},
    {"subsample", .ctf = "subsample", 'i', "subsample", "number", "bytes", .track = "'subsamples'"},
    {"state", .ctf = "pmcu_state"},
};

#define COUNTS_FROM                                                                                \
    "FROM truth.sample s JOIN truth.window w USING(subsample, cpu) LEFT JOIN truth.event e ON "    \
    "e.id=s.event WHERE s.event<>49152"
#define EVENT_NAME                                                                                 \
    "CASE WHEN s.event=" CS_CHECK_PMCU_CYCLES " THEN 'cycle counter' ELSE coalesce(e.name, "       \
    "printf('" CS_ARM_EVENT_NUMBER "', s.event)) END"

static const cs_timeline_comparison comparisons[] = {
    {10,
     "windows",
     "subsample, time, cycles",
     {.kind = "window", .cpu = true, .ends = true},
     "SELECT " CS_NO_GROUP
     "subsample, $T(start) AS time, stop-start AS cycles$U(stop) FROM truth.window",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ALWAYS},
    {20,
     "blind",
     "time, cycles",
     {.kind = "blind", .cpu = true, .ends = true},
     "SELECT " CS_NO_GROUP
     "$T(last) AS time, start-last AS cycles$U(start) FROM (SELECT cpu, start, lag(stop) "
     "OVER (PARTITION BY cpu ORDER BY subsample) AS last FROM truth.window) WHERE last IS NOT NULL",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ALWAYS},
    {30,
     "counts",
     "subsample, time, number, count",
     {.kind = "count", .group = "name", .cpu = true},
     "SELECT " EVENT_NAME
     " AS grp, s.cpu, s.subsample, $T(w.start) AS time, CASE WHEN s.event=" CS_CHECK_PMCU_CYCLES
     " THEN 17 ELSE s.event END AS number, "
     "s.value AS count " COUNTS_FROM,
     CS_TIMELINE_CTF,
     CS_TIMELINE_ROWS},
    {40,
     "counts",
     "time, count",
     {.kind = "count", .group = "name", .cpu = true},
     "SELECT " EVENT_NAME
     " AS grp, s.cpu, $T(w.start) AS time, as_double(s.value) AS count " COUNTS_FROM
     " UNION ALL SELECT " EVENT_NAME ", s.cpu, $T(w.stop), 0 " COUNTS_FROM,
     CS_TIMELINE_PERFETTO,
     CS_TIMELINE_ROWS},
    {70,
     "subsamples",
     "time, number, addr, bytes",
     {.kind = "subsample", .cpu = true},
     "SELECT NULL AS grp, NULL AS cpu, $T(cycle) AS time, of_trigger AS number, address AS addr, "
     "bytes FROM truth.subsample",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ALWAYS},
};

static const cs_section *const sections[] = {&cs_section_pmcu_driver, NULL};

const cs_check_family cs_check_pmcu = {.sections = sections,
                                       .tabled = cs_check_pmcu_tabled,
                                       .perf = &cs_check_pmcu_perf,
                                       .kinds = kinds,
                                       .nr_kinds = sizeof kinds / sizeof kinds[0],
                                       .comparisons = comparisons,
                                       .nr_comparisons =
                                           sizeof comparisons / sizeof comparisons[0]};
