// SPDX-License-Identifier: Apache-2.0
/* POWER's IMC and nest: records of trace mode, postings. */
#include "report/panels.h"

static const cs_report_query timeline[] = {
    {"records", "record",
     "SELECT 'cpu ' || cpu AS owner, 'trace record' AS lane,"
     " CASE response WHEN 'OKAY' THEN 'written' ELSE response END AS label, snapshot AS start,"
     " cycle AS stop FROM record ORDER BY cpu, snapshot",
     0},
    {"postings", "posting",
     "SELECT 'nest group ' || nest_group AS owner, 'posting' AS lane,"
     " CASE response WHEN 'OKAY' THEN 'posted' ELSE response END AS label, start, stop"
     " FROM posting ORDER BY nest_group, start",
     0},
    {0},
};

static const cs_report_query rates[] = {
    {"series", "record",
     "SELECT 'cpu ' || cpu AS series, snapshot / (5 * :step) * (5 * :step) AS cycle,"
     " count(*) * 1000.0 * :mhz / (5 * :step) AS value FROM record GROUP BY cpu,"
     " snapshot / (5 * :step) ORDER BY cpu, cycle",
     0},
    {"step", "record", "SELECT 5 * :step AS step, :last AS last FROM record LIMIT 1", 0},
    {0},
};

static const cs_report_query delay[] = {
    {"values", "record",
     "SELECT 'cpu ' || cpu AS series, cycle - snapshot AS value, count(*) AS count FROM record"
     " WHERE response <> 'lost' GROUP BY 1, 2 ORDER BY 1, 2",
     0},
    {0},
};

const cs_report_panel cs_report_of_imc[] = {
    {"timeline", CS_REPORT_TIMELINE, NULL, NULL, NULL, NULL, timeline},
    {"records", CS_REPORT_TRACKS + 2, "series", "Trace records over time",
     "Records that each thread's counter made, per millisecond.", "records per millisecond", rates},
    {"delay", CS_REPORT_SPREAD + 1, "histogram", "From snapshot to memory",
     "From the snapshot to the write of each trace record, in bus cycles.", "bus cycles", delay},
    {0},
};
