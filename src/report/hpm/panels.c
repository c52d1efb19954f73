// SPDX-License-Identifier: Apache-2.0
/* RISC-V's harts: samples, skid, call graphs, and where the cycles went. */
#include "report/panels.h"

static const cs_report_query timeline[] = {
    {"samples", "hart_sample",
     "SELECT 'cpu ' || cpu AS owner, 'sample' AS lane, CASE lost WHEN 0 THEN 'sample' ELSE 'lost'"
     " END AS label, coalesce(overflow, trap) AS start, trap AS stop FROM hart_sample"
     " ORDER BY cpu, start",
     0},
    {"owners", "hart", "SELECT 'hart ' || hart AS owner, 'cpu ' || cpu AS stands_by FROM hart", 0},
    {0},
};

static const cs_report_query cycles[] = {
    {"parts", "hart",
     "SELECT 'hart ' || hart AS name, workload, kernel, firmware, guest FROM hart ORDER BY hart",
     0},
    {0},
};

static const cs_report_query skid[] = {
    {"values", "hart_sample",
     "SELECT 'command ' || command AS series, skid AS value, count(*) AS count FROM hart_sample"
     " WHERE skid IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2",
     0},
    {0},
};

static const cs_report_query rates[] = {
    {"series", "hart_sample",
     "SELECT 'cpu ' || cpu AS series, trap / (10 * :step) * (10 * :step) AS cycle,"
     " count(*) * 1000.0 * :mhz / (10 * :step) AS value FROM hart_sample GROUP BY cpu,"
     " trap / (10 * :step) ORDER BY cpu, cycle",
     0},
    {"step", "hart_sample", "SELECT 10 * :step AS step, :last AS last FROM hart_sample LIMIT 1", 0},
    {0},
};

static const cs_report_query paths[] = {
    {"paths", "call_path",
     "SELECT workload AS root, stack, sum(samples) AS samples, sum(expected *"
     " (SELECT sum(samples) FROM call_path c WHERE c.command = p.command)) AS expected FROM"
     " call_path p GROUP BY workload, stack ORDER BY workload, stack",
     0},
    {0},
};

static const cs_report_query shares[] = {
    {"shares", "call_share",
     "SELECT workload || ': ' || function AS name, sum(self) AS samples, 1.0 * sum(self) /"
     " (SELECT sum(self) FROM call_share) AS share, sum(self_expected * n) /"
     " (SELECT sum(self) FROM call_share) AS expected FROM call_share JOIN (SELECT command AS c,"
     " sum(self) AS n FROM call_share GROUP BY command) ON c = command GROUP BY 1"
     " ORDER BY expected DESC",
     0},
    {0},
};

/* Of commands without call chains, a bar for each function of an event. */
#define FLAT "hart_function WHERE command NOT IN (SELECT command FROM call_share)"
static const cs_report_query functions[] = {
    {"shares", "hart_function",
     "SELECT function || CASE WHEN n.pids > 1 THEN ' (' || pid || ')' ELSE '' END || ', ' ||"
     " event_name AS name, sum(samples) AS samples, sum(share) AS share, sum(expected) AS expected,"
     " (SELECT sum(samples) FROM hart_function a WHERE a.command = f.command AND a.event = f.event)"
     " AS of FROM (SELECT * FROM " FLAT ") f, (SELECT count(DISTINCT pid) AS pids FROM " FLAT
     ") n GROUP BY f.command, f.event, pid, function ORDER BY f.command, f.event, 4 DESC, name",
     0},
    {0},
};

const cs_report_panel cs_report_of_hpm[] = {
    {"timeline", CS_REPORT_TIMELINE, NULL, NULL, NULL, NULL, timeline},
    {"harts", CS_REPORT_FIGURES + 1, "parts", "Where the cycles went",
     "Time of each hart, by who ran: workload, kernel, firmware or guest.", "bus cycles", cycles},
    {"samples", CS_REPORT_TRACKS + 3, "series", "Samples over time",
     "Samples that the drivers took, per millisecond.", "samples per millisecond", rates},
    {"flame", CS_REPORT_FUNCTIONS + 1, "flame", "Call graph: sampled against true",
     "A box is a function, on top of its caller; its width is its share. Above: samples. Hanging"
     " below: what a perfect profiler would have found. Click a box to see it alone.",
     "samples", paths},
    {"call_shares", CS_REPORT_FUNCTIONS + 2, "shares", "Functions of the call graph",
     "Each function's own share of the samples, beside its true share.", "share", shares},
    {"hart_functions", CS_REPORT_FUNCTIONS + 3, "shares", "Functions of flat profiles",
     "Each function's share of the samples of an event, beside its true share.", "share",
     functions},
    {"skid", CS_REPORT_SPREAD + 2, "histogram", "Skid",
     "From the overflow to the trap of each sample, in bus cycles.", "bus cycles", skid},
    {0},
};
