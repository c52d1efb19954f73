// SPDX-License-Identifier: Apache-2.0
/* What `check` must know of RISC-V's harts. */
#include <string.h>

#include "check/hpm/hpm.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/section_list.h"

#define MOST_COMMANDS 64u /* of riscv.perf */

/* A perf.data file with commands of host and guest tells them apart by the mode; in a ring, and in a
 * file of a guest's own, the guest's kernel is a kernel. */
static void mode(const cs_scenario *s, char *misc, size_t bytes)
{
    char guests[MOST_COMMANDS * 4] = "-1";
    bool hosts = false;

    for (size_t i = 0; i < s->riscv->nr_perf && i < MOST_COMMANDS; i++) {
        const bool samples = s->riscv->perf[i].sample_period != 0;
        const bool guest = s->riscv->perf[i].guest;
        const size_t used = strlen(guests);

        hosts |= samples && !guest;
        if (samples && guest)
            snprintf(guests + used, sizeof guests - used, ",%zu", i);
    }
    if (hosts)
        snprintf(misc, bytes,
                 "CASE WHEN command IN (%s) AND misc IN (1,2) THEN misc+3 ELSE misc END", guests);
    else
        snprintf(misc, bytes, "misc");
}

static void mtime(const cs_scenario *s, int64_t *mhz, int64_t *start)
{
    *mhz = s->harts->timebase_mhz;
    *start = (int64_t)s->harts->timebase_start;
}

static const cs_check_sampled sampled = {
    .rows = "SELECT rowid AS seq, command, event, cpu, time, ip, pid, misc, command IN (SELECT "
            "command FROM truth.count WHERE pmu='guest') AS guest, period, chain FROM "
            "truth.hart_sample WHERE lost=0",
    .clock = mtime,
    .mode = mode,
    .rings = true};

static const cs_check_counted counted = {.own = "pmu IN ('riscv','guest')", .name = "event"};
static const cs_check_counted rotated = {.own = "pmu IN ('riscv','guest')", .name = "name"};

/* ---- timelines ---- */

static const cs_timeline_kind kinds[] = {
    {"sample", .ctf = "hart_sample", 'i', NULL, "command", "ip",
     .track = "CASE track WHEN 'guest samples' THEN track ELSE 'samples' END"},
    {"software", .ctf = "hart_software"},
    {"csr", .ctf = "csr", 'i', NULL, "csr", "exception", .track = "'csrs'"},
    {"line", .where = "unit LIKE 'hart %'",
     .track = "'LCOFI to '||CASE line WHEN 0 THEN 'M' WHEN 1 THEN 'S' ELSE 'VS' END"},
};

static const cs_timeline_comparison comparisons[] = {
    {60,
     "samples",
     "command, event, time, ip, pid, period, lost",
     {.kind = "sample", .cpu = true},
     "SELECT " CS_NO_GROUP "command, event, $T(trap) AS time, ip, pid, period, CASE lost WHEN 0 "
     "THEN 'no' ELSE 'yes' END AS lost FROM truth.hart_sample",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
    {120,
     "csrs",
     "time, direction, csr, value, exception",
     {.kind = "csr", .group = "unit"},
     "SELECT 'hart '||hart AS grp, NULL AS cpu, $T(cycle) AS time, direction, csr, value, "
     "exception FROM truth.csr",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
    {150,
     "software cycles",
     "cycles",
     {.select =
          "SELECT NULL AS place, min(offset) AS offset, who AS grp, cpu, sum(cycles) AS "
          "cycles" CS_OF_KIND(
              "software") " AND who IN ('kernel','firmware','guest') GROUP BY who, cpu HAVING "
                          "sum(cycles)>0",
      .adds = true},
     "SELECT who AS grp, cpu, cycles FROM (SELECT 'kernel' AS who, cpu, kernel AS cycles FROM "
     "truth.hart UNION ALL SELECT 'firmware', cpu, firmware FROM truth.hart UNION ALL SELECT "
     "'guest', cpu, guest FROM truth.hart) WHERE cycles>0",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ALWAYS},
};

static const char *const resolve_perfetto[] = {"UPDATE process SET cpu=(SELECT cpu FROM truth.hart "
                                               "WHERE hart=CAST(substr(name,6) AS INTEGER)) "
                                               "WHERE name LIKE 'hart %'",
                                               NULL};

static const cs_section *const sections[] = {&cs_section_riscv, NULL};

const cs_check_family cs_check_hpm = {.sections = sections,
                                      .place = CS_CHECK_HPM_PLACE,
                                      .sampled = &sampled,
                                      .counted = &counted,
                                      .rotated = &rotated,
                                      .shares = cs_check_hpm_shares,
                                      .kinds = kinds,
                                      .nr_kinds = sizeof kinds / sizeof kinds[0],
                                      .comparisons = comparisons,
                                      .nr_comparisons = sizeof comparisons / sizeof comparisons[0],
                                      .resolve_perfetto = resolve_perfetto};
