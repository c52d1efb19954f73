// SPDX-License-Identifier: Apache-2.0
/* What timelines have of every system: states, interrupts, registers, software, and the bus. */
#include "check/family.h"

static const cs_timeline_kind kinds[] = {
    {"load", .ctf = "bus_load", 'C', NULL, "percent"},
    {"access", .ctf = "access", 'i', NULL, "offset", "value", .track = "'registers'"},
    {"software", .ctf = "software", 'X', NULL, "cycles", "who", .track = "'software'"},
    {"state", NULL, 'X', NULL, "cycles", "state", .track = "'state'"},
    {"line", .ctf = "interrupt", 'X', "interrupt", "cycles", "line", .track = "'interrupt'"},
    {"transfer", .ctf = "transfer", 'X', NULL, "grant", "direction"},
};

#define OF_MANAGER "manager AS grp, NULL AS cpu, "
#define BY_MANAGER(kind) CS_OF_KIND(kind) " GROUP BY manager"
#define SUMS_OF_TRANSFERS                                                                          \
    "SELECT NULL AS place, min(offset) AS offset, " OF_MANAGER "sum(events) AS transactions, "     \
    "sum(bytes) AS bytes, sum((resp<>'OKAY')*events) AS errors"

static const cs_timeline_comparison comparisons[] = {
    {80,
     "states",
     "time, cycles, state",
     {.kind = "state", .group = "unit", .ends = true},
     "SELECT $UNIT AS grp, NULL AS cpu, $T(start) AS time, stop-start AS cycles, state$U(stop) "
     "FROM truth.state",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
    {90,
     "interrupts",
     "line, time, cycles",
     {.kind = "line", .group = "unit", .ends = true},
     "SELECT $UNIT AS grp, NULL AS cpu, line, $T(start) AS time, stop-start AS cycles$U(stop) FROM "
     "truth.line",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
    {100,
     "accesses",
     "time, direction, register, value, bytes, resp",
     {.kind = "access", .group = "unit"},
     "SELECT $UNIT AS grp, NULL AS cpu, $T(cycle) AS time, direction, offset AS register, value, "
     "bytes, response AS "
     "resp FROM truth.access",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
    {140,
     "software",
     "time, cycles",
     {.kind = "software", .group = "who", .cpu = true, .ends = true},
     "SELECT who AS grp, cpu, $T(start) AS time, stop-start AS cycles$U(stop) FROM truth.software",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
    {160,
     "transfers",
     "time, cycles, granted, direction, addr, bytes, resp",
     {.kind = "transfer", .group = "manager", .ends = true},
     "SELECT " OF_MANAGER "$T(request) AS time, stop-request AS cycles, granted, direction, "
     "address AS addr, bytes, response AS resp$U(stop) FROM truth.transfer",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
    {170,
     "transfer sums",
     "transactions, bytes, errors, wait, held",
     {.select = SUMS_OF_TRANSFERS
      ", sum(granted-time) AS wait, sum(time+cycles-granted) AS held" BY_MANAGER("transfer"),
      .adds = true},
     "SELECT " OF_MANAGER "transactions, bytes, errors, wait, held FROM said WHERE transactions>0",
     CS_TIMELINE_CTF,
     CS_TIMELINE_SUMMARY},
    {180,
     "transfer sums",
     "transactions, bytes, errors",
     {.select = SUMS_OF_TRANSFERS BY_MANAGER("transfer"), .adds = true},
     "SELECT " OF_MANAGER "transactions, bytes, errors FROM said WHERE transactions>0",
     CS_TIMELINE_PERFETTO,
     CS_TIMELINE_SUMMARY},
    {190,
     "loads",
     "time, held, percent",
     {.kind = "load", .group = "manager"},
     "SELECT " OF_MANAGER "$T(start) AS time, held, held*100/(stop-start) AS percent FROM "
     "truth.load",
     CS_TIMELINE_CTF,
     CS_TIMELINE_ROWS},
    {200,
     "loads",
     "time, percent",
     {.kind = "load", .group = "manager"},
     "SELECT " OF_MANAGER "$T(start) AS time, held*100/(stop-start) AS percent FROM truth.load "
     "UNION ALL SELECT " OF_MANAGER "$T(stop), 0 FROM truth.load",
     CS_TIMELINE_PERFETTO,
     CS_TIMELINE_ROWS},
    {210,
     "load sums",
     "held",
     {.select = "SELECT NULL AS place, min(offset) AS offset, " OF_MANAGER
                "sum(held) AS held" BY_MANAGER("load"),
      .adds = true},
     "SELECT " OF_MANAGER "held FROM said WHERE transactions>0",
     CS_TIMELINE_CTF,
     CS_TIMELINE_SUMMARY},
    {220,
     "tracks",
     "track",
     {.select = "SELECT place, offset, kind AS grp, cpu, track FROM ev WHERE track IS NOT $TRACK",
      .adds = true},
     "SELECT NULL AS grp, NULL AS cpu, NULL AS track WHERE 0",
     CS_TIMELINE_PERFETTO,
     CS_TIMELINE_ALWAYS},
    {230,
     "other events",
     "time",
     {.kind = "other", .group = "name"},
     "SELECT NULL AS grp, NULL AS cpu, NULL AS time WHERE 0",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ALWAYS},
};

const cs_check_family cs_check_common = {.kinds = kinds,
                                         .nr_kinds = sizeof kinds / sizeof kinds[0],
                                         .comparisons = comparisons,
                                         .nr_comparisons =
                                             sizeof comparisons / sizeof comparisons[0]};
