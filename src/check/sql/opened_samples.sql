-- SPDX-License-Identifier: Apache-2.0
-- Samples of a perf.data (found, of events names and ids) against those that were taken (truth.sample).

-- Both sides, numbered where an event has several samples at one time and place: a sample has one partner at most.
-- What a ring had room for comes first.
CREATE TABLE present AS
SELECT event AS fe, cpu, time, ip, period, offset,
       row_number() OVER (PARTITION BY event, time, ip ORDER BY period, offset) AS nth
FROM found;
CREATE INDEX present_time ON present(time);

CREATE TABLE taken AS
SELECT i.fe AS fe, s.cpu AS cpu, s.time_ns AS time, s.ip AS ip, s.period AS period, s.lost AS lost,
       row_number() OVER (PARTITION BY i.fe, s.time_ns, s.ip ORDER BY s.lost, s.period) AS nth
FROM truth.sample s JOIN ids i ON i.id = s.id;
CREATE INDEX taken_time ON taken(time);

-- A file without periods has 0 there.
CREATE TABLE extra AS
SELECT fe, min(offset) AS first, count(*) AS nr
FROM present p
WHERE NOT EXISTS (SELECT 1 FROM taken t
                  WHERE t.time = p.time AND t.fe = p.fe AND t.ip = p.ip AND t.nth = p.nth AND NOT t.lost AND
                        p.period IN (0, t.period))
GROUP BY fe;

-- What perf had not read yet when it ended is not missing: what comes after the file's last sample of a CPU (-1: it
-- does not say of which).
CREATE TABLE newest AS
SELECT cpu, max(time) AS time FROM found GROUP BY cpu;

CREATE TABLE due AS
SELECT t.*, EXISTS (SELECT 1 FROM present p
                    WHERE p.time = t.time AND p.fe = t.fe AND p.ip = t.ip AND p.nth = t.nth AND
                          p.period IN (0, t.period)) AS there
FROM taken t
WHERE NOT lost AND time <= ifnull((SELECT max(n.time) FROM newest n WHERE n.cpu IN (t.cpu, -1)), 0);

CREATE TABLE absent AS
SELECT fe, min(time) AS first, count(*) AS nr FROM due WHERE NOT there GROUP BY fe;

-- What the kernel counts itself has ids of the kernel's, which are smaller.
CREATE TABLE event AS
SELECT fe, name,
       ifnull((SELECT max(id) FROM ids i WHERE i.fe = n.fe) <=
              (SELECT value FROM truth.run WHERE key = 'ids_above'), 0) AS kernel
FROM names n
UNION ALL SELECT -1, 'of no event', 0;

-- Each sample of the file is an overflow that the ring had room for, and the other way round.
SELECT 'samples', n.name, NULL,
       CASE WHEN kernel THEN NULL ELSE (SELECT count(*) FROM due d WHERE d.fe = n.fe) END,
       (SELECT count(*) FROM present p WHERE p.fe = n.fe),
       CASE WHEN kernel THEN NULL ELSE ifnull(e.nr, 0) + ifnull(a.nr, 0) END,
       CASE WHEN kernel THEN 'none: the kernel counted them' ELSE 'exact' END,
       CASE WHEN kernel THEN NULL
            WHEN e.nr > 0 THEN 'at byte ' || e.first
            WHEN a.nr > 0 THEN 'none at ' || a.first || ' ns' END
FROM event n LEFT JOIN extra e USING (fe) LEFT JOIN absent a USING (fe)
WHERE EXISTS (SELECT 1 FROM due d WHERE d.fe = n.fe) OR EXISTS (SELECT 1 FROM present p WHERE p.fe = n.fe)
ORDER BY n.fe < 0, n.fe;

-- What LOST records say.
SELECT 'lost', NULL, NULL, told, said, abs(told - said), 'exact', NULL
FROM (SELECT ifnull((SELECT sum(lost) FROM truth.loss WHERE id IN (SELECT id FROM ids)), 0) AS told,
             ifnull((SELECT sum(lost) FROM missed), 0) AS said)
WHERE told > 0 OR said > 0;
