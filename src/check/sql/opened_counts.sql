-- SPDX-License-Identifier: Apache-2.0
-- Counts of a perf.data (stat, of events names and ids): what was read last of each id, and its times.
CREATE TABLE readings AS
SELECT i.fe AS fe, sum(value) AS value, sum(enabled_ns) AS enabled, sum(running_ns) AS running, sum(truth) AS truth
FROM truth.reading r JOIN ids i USING (id)
WHERE r.rowid IN (SELECT max(rowid) FROM truth.reading WHERE last = 0 GROUP BY id)
GROUP BY i.fe;

CREATE TABLE said AS
SELECT fe, sum(value) AS value, sum(enabled) AS enabled, sum(running) AS running FROM stat GROUP BY fe;

SELECT 'counts', n.name, NULL, w.value, h.value,
       (w.value IS NOT h.value) + (w.enabled IS NOT h.enabled) + (w.running IS NOT h.running), 'exact',
       CASE WHEN w.running < w.enabled
            THEN 'really ' || w.truth || ', scaled ' ||
                 CAST(round(w.value * (1.0 * w.enabled / w.running)) AS INTEGER) END
FROM names n JOIN readings w ON w.fe = n.fe JOIN said h ON h.fe = n.fe
ORDER BY n.fe;
