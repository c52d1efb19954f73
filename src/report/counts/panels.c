// SPDX-License-Identifier: Apache-2.0
/* perf's counts, and counters that events had in turns: whoever's they are. */
#include "report/panels.h"

/* An event of a command once for all its CPUs; the spread is that of the single counts. */
static const cs_report_query counts[] = {
    {"estimates", "count",
     "SELECT command, pmu || ' ' || event AS name, CASE WHEN min(cpu) = max(cpu) THEN 'cpu ' || "
     "min(cpu)"
     " ELSE count(*) || ' counts' END AS of, sum(truth) AS truth, sum(value) AS estimate,"
     " min(value / truth - 1) AS low, max(value / truth - 1) AS high, count(*) AS parts"
     " FROM count WHERE truth <> 0 GROUP BY command, pmu, event ORDER BY truth DESC",
     0},
    {0},
};

static const cs_report_query rotated[] = {
    {"estimates", "rotated",
     "SELECT command, pmu || ' ' || name AS name, count(*) || CASE count(*) WHEN 1 THEN ' count' "
     "ELSE"
     " ' counts' END AS of, sum(truth) AS truth, sum(scaled) AS estimate, min(error) AS low,"
     " max(error) AS high, count(*) AS parts FROM rotated"
     " WHERE final AND scaled IS NOT NULL AND truth <> 0 GROUP BY command, pmu, event, name ORDER "
     "BY"
     " truth DESC",
     0},
    {0},
};

static const cs_report_query turns[] = {
    {"series", "rotated",
     "SELECT pmu || ' ' || name AS event, 'perf' AS series, (start + stop) / 2 AS cycle,"
     " sum(scaled) * :mhz / :core_mhz / sum(enabled) AS value FROM rotated WHERE NOT final AND "
     "enabled > 0"
     " GROUP BY pmu, name, start, stop UNION ALL"
     " SELECT pmu || ' ' || name, 'truth', (start + stop) / 2, 1.0 * sum(truth) * :mhz / :core_mhz "
     "/"
     " sum(stop - start)"
     " FROM rotated WHERE NOT final AND stop > start GROUP BY pmu, name, start, stop"
     " ORDER BY 1, 2, 3",
     0},
    {0},
};

const cs_report_panel cs_report_of_counts[] = {
    {"counts", CS_REPORT_ESTIMATES, "estimates", "perf's counts against the truth",
     "Left: perf's count, over what happened. Right: the error in percent. Bars reach from the"
     " lowest to the highest error of the counts of single CPUs.",
     "events", counts},
    {"rotated", CS_REPORT_ESTIMATES + 1, "estimates", "Scaled counts against the truth",
     "Events took turns on the counters, and perf scales their counts. Bars reach from the lowest "
     "to"
     " the highest error of the counts of single CPUs or units.",
     "events", rotated},
    {"turns", CS_REPORT_TRACKS, "series", "Counts over time",
     "Event rate in each of perf's intervals, beside what happened, per core cycle.",
     "events per core cycle", turns},
    {0},
};
