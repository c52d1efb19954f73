-- SPDX-License-Identifier: Apache-2.0
-- Lines of `perf stat -x,` or `-j` (text) against what was read (truth.reading). how.intervals: they are of -I.

-- Since 7.0 perf opens "instructions" as the event of that name that a PMU has, if it has one.
CREATE TABLE renamed AS
SELECT l.offset, n.type, n.config
FROM text l JOIN truth.named n ON n.name LIKE '%/' || substr(l.name, 1, instr(l.name || ':', ':') - 1) || '/'
WHERE EXISTS (SELECT 1 FROM truth.opened o WHERE o.type = n.type AND o.config = n.config) AND
      NOT EXISTS (SELECT 1 FROM truth.opened o WHERE o.type = l.type AND o.config = l.config);

-- The events of the lines, by what perf opened them with; the nth of so many lines of one kind, CPU and interval.
CREATE TABLE line AS
SELECT *, row_number() OVER (alike ORDER BY offset) AS nth, count(*) OVER alike AS lines
FROM (SELECT l.offset, l.name, l.cpu, l.round, l.value, l.mean, ifnull(n.scale, 1) AS scale,
             coalesce(r.type, l.type, n.type) AS type, coalesce(r.config, l.config, n.config) AS config,
             ifnull(l.excl, 0) AS excl
      FROM text l LEFT JOIN truth.named n ON n.name = l.name LEFT JOIN renamed r USING (offset))
WINDOW alike AS (PARTITION BY type, config, excl, cpu, round);

CREATE TABLE had AS
SELECT id, row_number() OVER (PARTITION BY id ORDER BY rowid) AS nr, count(*) OVER (PARTITION BY id) AS nrs,
       value, enabled_ns AS enabled, running_ns AS running, truth
FROM truth.reading
WHERE last = 0;
CREATE INDEX had_nr ON had(id, nr);

-- Of each descriptor what was read last; or, of intervals, what came between two readings, if perf has read as often
-- as it has printed: it may read once more after the last that it prints.
CREATE TABLE due AS
SELECT a.id, CASE WHEN intervals THEN a.nr ELSE 1 END AS round,
       a.value - ifnull(b.value, 0) AS value, a.enabled - ifnull(b.enabled, 0) AS enabled,
       a.running - ifnull(b.running, 0) AS running, a.truth - ifnull(b.truth, 0) AS truth
FROM how, had a LEFT JOIN had b ON intervals AND b.id = a.id AND b.nr = a.nr - 1
WHERE CASE WHEN intervals THEN a.nrs - (SELECT max(round) FROM text) BETWEEN 0 AND 1 ELSE a.nr = a.nrs END;

-- perf has a descriptor for each CPU, thread or run (-r); or several there if the event was named several times.
CREATE TABLE kind AS
SELECT d.*, type, config, flags >> 4 & 3 AS excl, cpu,
       row_number() OVER (alike ORDER BY id) AS nth, count(*) OVER alike AS ids,
       row_number() OVER (PARTITION BY type, config, flags >> 4 & 3, cpu, d.round ORDER BY id DESC) = 1 AS newest
FROM truth.opened o JOIN due d USING (id)
WINDOW alike AS (PARTITION BY type, config, flags >> 4 & 3, cpu, o.tid, d.round);

-- perf scales what had no counter all the time: up to 6.1 the sum of all descriptors, later each of them.
CREATE TABLE told AS
SELECT l.offset, count(*) AS ids, CASE WHEN l.mean THEN count(*) / count(DISTINCT w.cpu) ELSE 1 END AS runs,
       sum(w.value) * l.scale AS whole, sum(w.running) >= sum(w.enabled) AS ran,
       sum(w.value) * (1.0 * sum(w.enabled) / sum(w.running)) * l.scale AS scaled,
       sum(CASE WHEN w.running > 0 THEN w.value * (1.0 * w.enabled / w.running) ELSE 0 END) * l.scale AS each,
       sum(w.truth) AS truth, sum(CASE WHEN w.newest THEN w.value END) * l.scale AS latest
FROM line l JOIN kind w ON w.type = l.type AND w.config = l.config AND w.excl = l.excl AND w.round = l.round
WHERE (l.cpu < 0 OR w.cpu = l.cpu) AND (l.lines = 1 OR (l.lines = w.ids AND l.nth = w.nth))
GROUP BY l.offset;

-- And rounds, also the mean of several runs.
CREATE TABLE wanted AS
SELECT offset, ids, runs, ran, truth, latest, CAST(round(whole) AS INTEGER) AS whole,
       CAST(round(scaled) AS INTEGER) AS scaled, CAST(round(each / runs) AS INTEGER) AS each
FROM told;

CREATE TABLE judged AS
SELECT l.offset, l.name, l.nth, l.cpu, l.value AS found,
       CASE WHEN t.runs > 1 THEN t.each
            WHEN t.ran THEN t.whole
            WHEN abs(l.value - t.each) < abs(l.value - t.scaled) THEN t.each
            ELSE t.scaled END AS expected,
       CASE WHEN t.ids IS NULL OR l.value IS NULL THEN NULL
            WHEN t.runs > 1 THEN abs(l.value - t.each) > t.ids
            WHEN t.ran THEN l.value <> t.whole
            ELSE abs(l.value - t.scaled) > 1 AND abs(l.value - t.each) > t.ids END AS bad,
       CASE WHEN t.ids IS NULL AND l.lines > 1 THEN 'none: it is there several times'
            WHEN t.ids IS NULL AND l.type IS NOT NULL AND intervals
            THEN 'none: perf has not read it as often as it has printed it'
            WHEN t.ids IS NULL THEN 'none: no such event was read'
            WHEN t.ran AND t.runs = 1 THEN 'exact'
            ELSE CAST(t.ids AS TEXT) END AS bound,
       NOT t.ran AS scaled, t.truth / t.runs AS truth,
       t.runs > 1 AND l.value = CAST(round(t.latest) AS INTEGER) AS of_last
FROM line l, how LEFT JOIN wanted t USING (offset);

SELECT 'counts', name, CASE WHEN cpu >= 0 THEN cpu END, sum(expected), sum(found), sum(bad),
       CASE WHEN count(bad) = 0 THEN max(bound) ELSE min(CASE WHEN bad IS NOT NULL THEN bound END) END ||
       CASE WHEN count(*) > 1 THEN printf(', %d intervals', count(*)) ELSE '' END,
       CASE WHEN sum(bad) > 0 AND max(of_last) THEN 'it is of the last run, not the mean'
            WHEN sum(bad) > 0 AND count(*) > 1 THEN 'at byte ' || min(CASE WHEN bad THEN offset END)
            WHEN max(scaled) THEN 'really ' || sum(truth) END
FROM judged
GROUP BY name, nth, cpu
ORDER BY min(offset);
