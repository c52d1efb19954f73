// SPDX-License-Identifier: Apache-2.0
/* Real systems that `boot` has run: what their own perf sampled and counted, beside what was executed. */
#include "report/panels.h"

static const cs_report_query timeline[] = {
    {"samples", "guest_record",
     "SELECT 'cpu ' || cpu AS owner, 'sample' AS lane, trim(file, '[]') AS label, cycle AS start,"
     " cycle AS stop FROM guest_record ORDER BY cpu, cycle",
     0},
    {0},
};

/* What a reader looks for comes first. A sample is as likely in a function as its share of what was executed for the event, in the modes in which that
 * counts: of cycles for POWER's trace mode, of instructions or cycles for a hart's event that has counted as many.
 * No share is expected of another event, or of a hart's kernel, where no sample is taken while interrupts are
 * off. */
static const cs_report_query functions[] = {
    {"shares", "guest_taken",
     "WITH taken AS (SELECT t.event, r.mode, r.file, r.function AS name FROM guest_taken t JOIN"
     " guest_record r ON r.number = t.record),"
     " modes AS (SELECT DISTINCT event, mode FROM taken),"
     " done AS (SELECT c.event, c.file, c.name, c.count, c.cycles FROM guest_count c JOIN modes"
     " USING (event, mode) WHERE c.counted_by IN ('trace', 'event')),"
     " hart AS (SELECT event, sum(count) AS counted FROM guest_counted GROUP BY event),"
     " basis AS (SELECT event, sum(count) AS count, sum(cycles) AS cycles, CASE"
     " WHEN (SELECT value FROM run WHERE key = 'guest') = 'power9' THEN 'cycles'"
     " WHEN event IN (SELECT event FROM modes WHERE mode <> 1) THEN NULL"
     " WHEN abs(counted - sum(count)) <= sum(count) / 100 THEN 'count'"
     " WHEN abs(counted - sum(cycles)) <= sum(cycles) / 100 THEN 'cycles' END AS basis"
     " FROM done LEFT JOIN hart USING (event) GROUP BY event),"
     " have AS (SELECT file, name, count(*) AS have FROM taken JOIN basis USING (event)"
     " WHERE basis IS NOT NULL GROUP BY file, name),"
     " want AS (SELECT d.file, d.name, sum((SELECT count(*) FROM taken t WHERE t.event = b.event) *"
     " CASE basis WHEN 'count' THEN 1.0 * d.count / b.count ELSE 1.0 * d.cycles / b.cycles END)"
     " AS want FROM done d JOIN basis b USING (event) WHERE basis IS NOT NULL GROUP BY d.file,"
     " d.name),"
     " rows AS (SELECT CASE WHEN max(coalesce(have, 0), want) < 5 THEN 'all others' WHEN name = "
     "file"
     " THEN name ELSE name || ' (' || trim(file, '[]') || ')' END AS name, coalesce(have, 0) AS"
     " have, want FROM want LEFT JOIN have USING (file, name))"
     " SELECT name, sum(have) AS samples, 1.0 * sum(have) / all_ AS share, sum(want) / all_ AS"
     " expected FROM rows, (SELECT sum(have) AS all_ FROM have) WHERE all_ > 0 GROUP BY name"
     " ORDER BY name = 'all others', expected DESC, name",
     0},
    {0},
};

static const cs_report_query rates[] = {
    {"series", "guest_record",
     "SELECT 'cpu ' || cpu AS series, cycle / :step * :step AS cycle, count(*) * 1000.0 * :mhz /"
     " :step AS value FROM guest_record GROUP BY cpu, cycle / :step ORDER BY 1, 2",
     0},
    {"step", "guest_record", "SELECT :step AS step, :last AS last FROM guest_record LIMIT 1", 0},
    {0},
};

/* Of each file of perf stat the last round, which has the whole count. */
static const cs_report_query counts[] = {
    {"estimates", "guest_told",
     "SELECT event || ' (' || file || ')' AS name, CASE WHEN max(cpu) < 0 THEN 'a task' WHEN"
     " min(cpu) = max(cpu) THEN 'cpu ' || min(cpu) ELSE count(*) || ' counts' END AS of,"
     " sum(counted) AS truth, sum(count * scale) AS estimate, min(count * scale / counted - 1) AS"
     " low, max(count * scale / counted - 1) AS high, count(*) AS parts FROM (SELECT *,"
     " row_number() OVER (PARTITION BY file, event, cpu ORDER BY round DESC) AS back FROM"
     " guest_told) WHERE back = 1 AND counted > 0 GROUP BY file, event ORDER BY truth DESC",
     0},
    {0},
};

const cs_report_panel cs_report_of_guest[] = {
    {"timeline", CS_REPORT_TIMELINE, NULL, NULL, NULL, NULL, timeline},
    {"guest_functions", CS_REPORT_TIMELINE - 2, "shares",
     "What perf sampled, and what was executed",
     "Each function's share of the samples that the guest's driver took for perf, beside its share"
     " of what was executed meanwhile. Functions with fewer than five samples are one row.",
     "share", functions},
    {"guest_counts", CS_REPORT_TIMELINE - 1, "estimates",
     "What perf stat printed, and what happened",
     "Left: the guest's perf, over what happened. Right: the error in percent.", "events", counts},
    {"guest_samples", CS_REPORT_TRACKS + 3, "series", "Samples over time",
     "Samples and records of each CPU, per millisecond.", "samples per millisecond", rates},
    {0},
};
