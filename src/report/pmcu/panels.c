// SPDX-License-Identifier: Apache-2.0
/* The PMCU: windows, what they counted, and by how much the CPUs' windows are apart. */
#include "report/panels.h"

/* Of one die its unit; of several dies they stand beside the units. */
#define PMCU                                                                                       \
    "(SELECT CASE count(DISTINCT number) WHEN 1 THEN 'pmcu ' || min(number) ELSE 'pmcu' END FROM " \
    "state WHERE unit = 'pmcu')"

/* Blind: from a window to the next one of the same trigger. */
static const cs_report_query timeline[] = {
    {"windows", "window",
     "SELECT 'cpu ' || w.cpu AS owner, 'window' AS lane, 'counting' AS label, w.start, w.stop FROM"
     " window w ORDER BY w.cpu, w.start",
     0},
    {"blind", "window",
     "SELECT owner, 'window' AS lane, 'blind' AS label, start, stop FROM (SELECT 'cpu ' || w.cpu AS"
     " owner, w.cpu AS cpu, s.of_trigger AS nth, w.start AS stop, lag(w.stop) OVER"
     " (PARTITION BY w.cpu ORDER BY w.start) AS start FROM window w JOIN subsample s"
     " ON s.number = w.subsample) WHERE start IS NOT NULL AND nth > 0 AND stop > start"
     " ORDER BY cpu, start",
     0},
    {"commits", "subsample",
     "SELECT " PMCU
     " AS owner, 'subsamples' AS lane, 'committed' AS label, cycle AS start, cycle AS "
     "stop"
     " FROM subsample ORDER BY cycle",
     0},
    {"losses", "aux_loss",
     "SELECT " PMCU " AS owner, 'buffers' AS lane, 'all full' AS label, start, stop FROM aux_loss"
     " ORDER BY start",
     0},
    {0},
};

/* Of the event with the alias v. Those that nobody has named go by their number. */
#define NAME "coalesce(nullif(v.name, ''), printf('0x%x', v.number))"

/* The CPUs that have windows, with their rows. */
#define ROWS                                                                                       \
    "(SELECT cpu, row_number() OVER (ORDER BY cpu) - 1 AS row FROM (SELECT DISTINCT cpu FROM "     \
    "window))"

/* The windows and events of samples. */
#define SAMPLES                                                                                    \
    "sample s JOIN window w ON w.subsample = s.subsample AND w.cpu = s.cpu JOIN event v ON"        \
    " v.id = s.event"

/* A CPU's estimate is what its windows counted, times the span over the cycles that they had. */
static const cs_report_query estimates[] = {
    {"estimates", "event",
     "SELECT id, " NAME
     " AS name, subsamples || ' subsamples' AS of, truth, scaled AS estimate FROM"
     " event v WHERE truth <> 0 AND scaled IS NOT NULL ORDER BY truth DESC",
     0},
    {"spread", "sample",
     "SELECT id, min(e) AS low, max(e) AS high, count(*) AS parts FROM (SELECT v.id AS id, t.cpu AS"
     " cpu, 1.0 * sum(s.value) * ((SELECT value FROM run WHERE key = 'last_stop') -"
     " (SELECT value FROM run WHERE key = 'first_start')) / sum(w.stop - w.start) / t.truth - 1 AS "
     "e"
     " FROM " SAMPLES
     " JOIN total t ON t.event = v.id AND t.cpu = s.cpu WHERE t.truth > 0 AND NOT EXISTS"
     " (SELECT 1 FROM pragma_table_info('die')) GROUP BY v.id, t.cpu) GROUP BY id",
     0},
    /* Rates of subsamples differ: by so much, and so much of the span they cover. */
    {"interval", "sample",
     "SELECT id, count(*) AS windows, avg(r * r) / avg(r) / avg(r) - 1 AS variance, 1.0 *"
     " sum(cycles) / ((SELECT value FROM run WHERE key = 'last_stop') - (SELECT value FROM run "
     "WHERE"
     " key = 'first_start')) / (SELECT count(DISTINCT cpu) FROM window) AS covered FROM (SELECT "
     "v.id"
     " AS id, 1.0 * sum(s.value) / sum(w.stop - w.start) AS r, sum(w.stop - w.start) AS cycles FROM"
     " " SAMPLES " WHERE NOT EXISTS (SELECT 1 FROM pragma_table_info('die')) GROUP BY v.id,"
     " s.subsample) GROUP BY id HAVING avg(r) > 0",
     0},
    {0},
};

static const cs_report_query rates[] = {
    {"series", "sample",
     "SELECT " NAME " AS event, 'all CPUs' AS series, min(w.start) AS cycle,"
     " 1.0 * sum(s.value) * :mhz / :core_mhz / sum(w.stop - w.start) AS value FROM " SAMPLES
     " GROUP BY v.id, s.subsample ORDER BY v.rowid, s.subsample",
     0},
    {0},
};

/* The events in their order. */
#define LAYERS "(SELECT id, row_number() OVER (ORDER BY rowid) - 1 AS layer FROM event)"

static const cs_report_query map[] = {
    {"layers", "sample", "SELECT " NAME " FROM event v ORDER BY rowid", 0},
    {"rows", "sample", "SELECT 'cpu ' || cpu AS name FROM " ROWS " ORDER BY row", 0},
    {"bins", "sample", "SELECT max(subsamples) FROM event WHERE NOT cycle_counter", 0},
    {"cells", "sample",
     "SELECT l.layer, r.row, w.start, 1.0 * s.value * :mhz / :core_mhz / (w.stop - w.start) "
     "FROM " SAMPLES " JOIN " LAYERS " l ON l.id = v.id JOIN " ROWS
     " r ON r.cpu = s.cpu WHERE w.stop > w.start",
     CS_REPORT_CELLS},
    {0},
};

static const cs_report_query starts[] = {
    {"layers", "window",
     "SELECT * FROM (VALUES ('start after the first CPU'), ('stop after the first CPU'), "
     "('length'))"
     " WHERE EXISTS (SELECT 1 FROM window)",
     0},
    {"rows", "window", "SELECT 'cpu ' || cpu AS name FROM " ROWS " ORDER BY row", 0},
    {"bins", "window", "SELECT count(*) FROM subsample", 0},
    {"cells", "window",
     "SELECT l.n, r.row, w.start, CASE l.n WHEN 0 THEN w.start - f.start WHEN 1 THEN w.stop - "
     "f.stop"
     " ELSE w.stop - w.start END FROM window w JOIN (SELECT subsample, min(start) AS start,"
     " min(stop) AS stop FROM window GROUP BY 1) f ON f.subsample = w.subsample,"
     " (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2) l JOIN " ROWS " r ON r.cpu = w.cpu",
     CS_REPORT_CELLS},
    {0},
};

static const cs_report_query skew[] = {
    {"values", "window",
     "SELECT 'start' AS series, value, count(*) AS count FROM (SELECT max(start) - min(start) AS"
     " value FROM window GROUP BY subsample) GROUP BY value UNION ALL SELECT 'stop', value, "
     "count(*)"
     " FROM (SELECT max(stop) - min(stop) AS value FROM window GROUP BY subsample) GROUP BY value"
     " ORDER BY 1, 2",
     0},
    {0},
};

const cs_report_panel cs_report_of_pmcu[] = {
    {"timeline", CS_REPORT_TIMELINE, NULL, NULL, NULL, NULL, timeline},
    {"events", CS_REPORT_ESTIMATES + 2, "estimates", "Estimates against the truth",
     "Left: what a reader concludes from the windows, scaled to the whole span, over what the cores"
     " did. Right: the error in percent. Bars reach from the CPU with the lowest error to the one"
     " with the highest (with keep.samples_truth). The 95 % interval follows from how much the"
     " windows differ, if they were drawn at random.",
     "events", estimates},
    {"rates", CS_REPORT_TRACKS + 1, "series", "Counters over time",
     "Event rate in each counting window, per core cycle.", "events per core cycle", rates},
    {"map", CS_REPORT_CELL_MAPS, "cells", "Slots over time",
     "Event rate per core cycle: one row per CPU, one column per span of time.",
     "events per core cycle", map},
    {"starts", CS_REPORT_CELL_MAPS + 1, "cells", "Windows, slot by slot",
     "How much later each CPU's window begins or ends than the first one of its subsample, and how"
     " long it is.",
     "bus cycles", starts},
    {"skew", CS_REPORT_SPREAD, "histogram", "Skew",
     "Time from the first to the last CPU of each subsample, in bus cycles.", "bus cycles", skew},
    {0},
};
