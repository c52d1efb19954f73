// SPDX-License-Identifier: Apache-2.0
/* What every run has: its die, its figures, what ran when, and the bus. */
#include "report/panels.h"

static const cs_report_query die[] = {
    {"cpus", "cpu", "SELECT cpu, cluster, slot, state FROM cpu ORDER BY cpu", 0},
    {"managers", NULL,
     "SELECT value->>'manager' AS name, value->>'transactions' AS transactions,"
     " value->>'bytes' AS bytes, value->>'errors' AS errors,"
     " value->>'wait_cycles' AS wait, value->>'held_cycles' AS held"
     " FROM json_each(:summary, '$.managers')",
     0},
    {0},
};

static const cs_report_query figures[] = {
    {"figures", NULL,
     "SELECT key, CAST(value AS TEXT) AS value, type FROM json_each(:summary)"
     " WHERE type NOT IN ('array', 'object', 'null')",
     0},
    {0},
};

/* Lanes of an owner stand together: of a CPU, of a unit. */
static const cs_report_query timeline[] = {
    {"states", "state",
     "SELECT unit || ' ' || number AS owner, 'state' AS lane, state AS label, start, stop FROM "
     "state"
     " ORDER BY unit, number, start",
     0},
    {"lines", "line",
     "SELECT unit || ' ' || number AS owner, 'interrupt' AS lane, 'line ' || line AS label, start,"
     " stop FROM line ORDER BY unit, number, start",
     0},
    {"software", "software",
     "SELECT 'cpu ' || cpu AS owner, 'software' AS lane, who AS label, start, stop FROM software"
     " ORDER BY cpu, start",
     0},
    {"processes", "switch",
     "SELECT 'cpu ' || cpu AS owner, CASE guest WHEN 0 THEN 'process' ELSE 'guest process' END AS"
     " lane, 'pid ' || to_pid AS label, cycle AS start,"
     " lead(cycle, 1, :last) OVER (PARTITION BY cpu, guest ORDER BY cycle) AS stop FROM switch"
     " ORDER BY cpu, guest, start",
     0},
    {"outages", "outage",
     "SELECT 'cpu ' || cpu AS owner, 'off' AS lane, kind AS label, start, stop FROM outage"
     " ORDER BY cpu, start",
     0},
    {0},
};

static const cs_report_query functions[] = {
    {"shares", "function",
     "SELECT name, samples, share, expected FROM function WHERE samples > 0 OR expected > 0"
     " ORDER BY expected DESC",
     0},
    {0},
};

static const cs_report_query load[] = {
    {"series", "load",
     "SELECT manager AS series, (start / :step) * :step AS cycle, 1.0 * sum(held) / :step AS value"
     " FROM load GROUP BY manager, start / :step ORDER BY manager, cycle",
     0},
    {"step", "load", "SELECT :step AS step, :last AS last FROM load LIMIT 1", 0},
    {0},
};

static const cs_report_query waits[] = {
    {"values", "transfer",
     "SELECT manager AS series, granted - request AS value, count(*) AS count FROM transfer"
     " WHERE granted > 0 GROUP BY 1, 2 ORDER BY 1, 2",
     0},
    {0},
};

const cs_report_panel cs_report_of_general[] = {
    {"die", CS_REPORT_DIE, "die", "What was simulated",
     "CPUs in their clusters, managers above the bus and targets below it. A manager shows the "
     "bytes"
     " that it moved, and the share of the time in which it held the bus.",
     NULL, die},
    {"figures", CS_REPORT_FIGURES, "figures", "Figures",
     "The figures of summary.json. Point at one to read what it means, or see the table.", NULL,
     figures},
    {"timeline", CS_REPORT_TIMELINE, "timeline", "Timeline",
     "One lane per activity of a CPU or unit. Zoom in to read the states.", "bus cycles", timeline},
    {"functions", CS_REPORT_FUNCTIONS, "shares", "Functions: sampled against true",
     "Each function's share of the samples, beside its true share of the time.", "share",
     functions},
    {"load", CS_REPORT_BUS, "series", "Bus load",
     "Share of the time in which each manager held the bus, stacked.", "share stacked", load},
    {"waits", CS_REPORT_BUS + 1, "histogram", "Waiting for the bus",
     "Request-to-grant latency of transfers, in bus cycles.", "bus cycles", waits},
    {0},
};
