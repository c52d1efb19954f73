// SPDX-License-Identifier: Apache-2.0
/* What `check` must know of uncore units. */
#include "check/family.h"
#include "scenario/section_list.h"

static const cs_section *const sections[] = {&cs_section_uncore_driver, NULL};

static const cs_check_counted rotated = {
    .name = "printf('%s/event=0x%x%s/', pmu, event, CASE instr(name, ',') WHEN 0 THEN '' ELSE "
            "substr(name, instr(name, ',')) END)"};

/* They have their number in CTF by bridge and slot, in Perfetto's their name; the truth has that of the
 * scenario. */
static const char *const resolve_ctf[] = {
    "UPDATE ev SET unit=(SELECT 'uncore '||u.unit FROM truth.unit u WHERE "
    "ev.unit='uncore '||(15*u.bridge+u.slot)) WHERE unit GLOB 'uncore [0-9]*'",
    NULL};
static const char *const resolve_perfetto[] = {
    "UPDATE process SET unit=coalesce((SELECT 'uncore '||u.unit FROM truth.unit u WHERE "
    "substr(u.name,1,32)=substr(process.name,8)), name) WHERE name LIKE 'uncore %'",
    NULL};

/* ---- timelines: who managed a unit ---- */

/* From a CPU's having taken a unit to its giving it away: nobody else reaches for the unit. In between two
 * of them both do. */
#define NEVER "4611686018427387904"
#define SPANS                                                                                      \
    "(SELECT u.unit, u.cpu, -1 AS start, coalesce((SELECT min(m.stopped) FROM truth.unit_move m "  \
    "WHERE m.unit=u.unit)," NEVER ") AS stop FROM truth.unit u WHERE u.cpu IS NOT NULL UNION ALL " \
    "SELECT m.unit, m.new_cpu, m.taken, coalesce((SELECT min(n.stopped) FROM truth.unit_move n "   \
    "WHERE n.unit=m.unit AND n.taken>m.taken)," NEVER ") FROM truth.unit_move m) p"

/* Each access to the unit lies in software of the CPU that has it then. */
static const cs_timeline_comparison comparisons[] = {
    {145,
     "accesses of managers",
     "accesses",
     {.select = "SELECT NULL AS place, min(e.offset) AS offset, e.unit AS grp, p.cpu, count(*) AS "
                "accesses "
                "FROM ev e, " SPANS " WHERE e.kind='access' AND e.unit='uncore '||p.unit AND "
                "e.time>$T(p.start) AND e.time<$T(p.stop) AND (SELECT "
                "s.time+coalesce(s.duration,s.cycles) "
                "FROM ev s WHERE s.kind='software' AND s.cpu=p.cpu AND s.time<=e.time ORDER BY "
                "s.time DESC "
                "LIMIT 1)>=e.time GROUP BY e.unit, p.cpu"},
     "SELECT 'uncore '||p.unit AS grp, p.cpu, count(*) AS accesses FROM truth.access a, " SPANS
     " WHERE a.unit='uncore' AND a.number=p.unit AND $T(a.cycle)>$T(p.start) AND "
     "$T(a.cycle)<$T(p.stop) GROUP BY p.unit, p.cpu",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
};

const cs_check_family cs_check_uncore = {.sections = sections,
                                         .rotated = &rotated,
                                         .resolve_ctf = resolve_ctf,
                                         .resolve_perfetto = resolve_perfetto,
                                         .comparisons = comparisons,
                                         .nr_comparisons =
                                             sizeof comparisons / sizeof comparisons[0],
                                         .comparisons_of = "unit_move",
                                         .prepare = "CREATE INDEX IF NOT EXISTS ev_software ON "
                                                    "ev(cpu, time) WHERE kind='software'"};
