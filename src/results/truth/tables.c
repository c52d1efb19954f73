/* The tables of the truth (docs/truth.md). */
#include "results/truth/impl.h"

const cs_truth_table_sql cs_truth_tables[CS_TRUTH_NR_TABLES] = {
    [CS_TRUTH_RUN] = {"CREATE TABLE run(key TEXT PRIMARY KEY, value) WITHOUT ROWID",
                      "INSERT INTO run VALUES(?,?)"},
    [CS_TRUTH_CPU] =
        {"CREATE TABLE cpu(cpu INTEGER PRIMARY KEY, cluster INTEGER, slot INTEGER, state TEXT)",
         "INSERT INTO cpu VALUES(?,?,?,?)"},
    [CS_TRUTH_EVENT] =
        {"CREATE TABLE event(id INTEGER PRIMARY KEY, number INTEGER, name TEXT, "
         "cycle_counter INTEGER, subsamples INTEGER, sampled INTEGER, window_truth INTEGER, "
         "truth INTEGER, scaled REAL, error REAL)",
         "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_SUBSAMPLE] = {"CREATE TABLE subsample(number INTEGER PRIMARY KEY, cycle INTEGER, "
                            "address INTEGER, of_trigger INTEGER, bytes INTEGER)",
                            "INSERT INTO subsample VALUES(?,?,?,?,?)"},
    [CS_TRUTH_WINDOW] =
        {"CREATE TABLE window(subsample INTEGER, cpu INTEGER, start INTEGER, stop INTEGER, "
         "cid1 INTEGER, cid2 INTEGER, PRIMARY KEY(subsample, cpu)) WITHOUT ROWID",
         "INSERT INTO window VALUES(?,?,?,?,?,?)"},
    [CS_TRUTH_SAMPLE] = {"CREATE TABLE sample(subsample INTEGER, cpu INTEGER, position INTEGER, "
                         "event INTEGER, value INTEGER, truth INTEGER, "
                         "PRIMARY KEY(subsample, position, cpu)) WITHOUT ROWID",
                         "INSERT INTO sample VALUES(?,?,?,?,?,?)"},
    [CS_TRUTH_TOTAL] = {"CREATE TABLE total(event INTEGER, cpu INTEGER, truth INTEGER, "
                        "PRIMARY KEY(event, cpu)) WITHOUT ROWID",
                        "INSERT INTO total VALUES(?,?,?)"},
    [CS_TRUTH_RECORD] = {"CREATE TABLE record(cpu INTEGER, snapshot INTEGER, number INTEGER, "
                         "cycle INTEGER, address INTEGER, response TEXT, pc INTEGER, pid INTEGER, "
                         "lpid INTEGER, mode INTEGER, PRIMARY KEY(cpu, snapshot)) WITHOUT ROWID",
                         "INSERT INTO record VALUES(?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_FUNCTION] =
        {"CREATE TABLE function(name TEXT, base INTEGER, samples INTEGER, share REAL, "
         "expected REAL)",
         "INSERT INTO function VALUES(?,?,?,?,?)"},
    [CS_TRUTH_COUNT] =
        {"CREATE TABLE count(command INTEGER, pmu TEXT, event TEXT, cpu INTEGER, "
         "start INTEGER, stop INTEGER, raw INTEGER, value REAL, unit TEXT, truth INTEGER, "
         "counted INTEGER)",
         "INSERT INTO count VALUES(?,?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_PERF_SAMPLE] =
        {"CREATE TABLE perf_sample(command INTEGER, cpu INTEGER, time INTEGER, "
         "ip INTEGER, pid INTEGER, misc INTEGER)",
         "INSERT INTO perf_sample VALUES(?,?,?,?,?,?)"},
    [CS_TRUTH_HART] = {"CREATE TABLE hart(hart INTEGER PRIMARY KEY, cpu INTEGER, workload INTEGER, "
                       "kernel INTEGER, firmware INTEGER, guest INTEGER, interrupts INTEGER, "
                       "spurious INTEGER, samples INTEGER, lost INTEGER, throttled INTEGER, "
                       "sbi_calls INTEGER, sbi_errors INTEGER)",
                       "INSERT INTO hart VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_HART_SAMPLE] =
        {"CREATE TABLE hart_sample(command INTEGER, event INTEGER, cpu INTEGER, "
         "trap INTEGER, ip INTEGER, pid INTEGER, misc INTEGER, time INTEGER, "
         "period INTEGER, lost INTEGER, overflow INTEGER, true_ip INTEGER, "
         "true_mode INTEGER, skid INTEGER, true_period INTEGER, chain TEXT)",
         "INSERT INTO hart_sample VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_CALL_PATH] =
        {"CREATE TABLE call_path(command INTEGER, workload TEXT, pid INTEGER, "
         "segment INTEGER, function TEXT, base INTEGER, size INTEGER, stack TEXT, "
         "returns TEXT, weight INTEGER, samples INTEGER, expected REAL)",
         "INSERT INTO call_path VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_CALL_SHARE] =
        {"CREATE TABLE call_share(command INTEGER, workload TEXT, function TEXT, "
         "base INTEGER, self INTEGER, self_expected REAL, inclusive INTEGER, "
         "inclusive_expected REAL)",
         "INSERT INTO call_share VALUES(?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_UNIT] =
        {"CREATE TABLE unit(unit INTEGER PRIMARY KEY, name TEXT, path TEXT, address INTEGER, "
         "bridge INTEGER, slot INTEGER, counters INTEGER, width INTEGER, cpu INTEGER, "
         "why TEXT, accesses INTEGER, wrong INTEGER)",
         "INSERT INTO unit VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_IMAGE] =
        {"CREATE TABLE image(format TEXT, number INTEGER, place INTEGER, address INTEGER, "
         "bytes INTEGER, PRIMARY KEY(format, number)) WITHOUT ROWID",
         "INSERT INTO image VALUES(?,?,?,?,?)"},
    [CS_TRUTH_POSTED] =
        {"CREATE TABLE posted(format TEXT, number INTEGER, offset INTEGER, posts INTEGER, "
         "value INTEGER, PRIMARY KEY(format, number, offset)) WITHOUT ROWID",
         "INSERT INTO posted VALUES(?,?,?,?,?)"},
    [CS_TRUTH_SWITCH] =
        {"CREATE TABLE switch(cpu INTEGER, guest INTEGER, cycle INTEGER, "
         "from_pid INTEGER, to_pid INTEGER, PRIMARY KEY(cpu, guest, cycle)) WITHOUT "
         "ROWID",
         "INSERT INTO switch VALUES(?,?,?,?,?)"},
    [CS_TRUTH_SNAPSHOT] = {"CREATE TABLE snapshot(hart INTEGER, offset INTEGER, value INTEGER, "
                           "PRIMARY KEY(hart, offset)) WITHOUT ROWID",
                           "INSERT INTO snapshot VALUES(?,?,?)"},
    [CS_TRUTH_ROTATED] =
        {"CREATE TABLE rotated(command INTEGER, pmu TEXT, unit INTEGER, cpu INTEGER, "
         "event INTEGER, name TEXT, start INTEGER, stop INTEGER, enabled INTEGER, "
         "running INTEGER, raw INTEGER, truth INTEGER, final INTEGER, scaled REAL, "
         "error REAL)",
         "INSERT INTO rotated VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_STATE] =
        {"CREATE TABLE state(unit TEXT, number INTEGER, start INTEGER, stop INTEGER, state TEXT)",
         "INSERT INTO state VALUES(?,?,?,?,?)"},
    [CS_TRUTH_LINE] =
        {"CREATE TABLE line(unit TEXT, number INTEGER, line INTEGER, start INTEGER, stop INTEGER)",
         "INSERT INTO line VALUES(?,?,?,?,?)"},
    [CS_TRUTH_ACCESS] = {"CREATE TABLE access(unit TEXT, number INTEGER, cycle INTEGER, direction "
                         "TEXT, offset INTEGER, value INTEGER, bytes INTEGER, response TEXT)",
                         "INSERT INTO access VALUES(?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_CSR] = {"CREATE TABLE csr(hart INTEGER, cycle INTEGER, direction TEXT, csr INTEGER, "
                      "value INTEGER, exception TEXT)",
                      "INSERT INTO csr VALUES(?,?,?,?,?,?)"},
    [CS_TRUTH_POSTING] = {"CREATE TABLE posting(nest_group INTEGER, number INTEGER, start INTEGER, "
                          "stop INTEGER, address INTEGER, bytes INTEGER, response TEXT)",
                          "INSERT INTO posting VALUES(?,?,?,?,?,?,?)"},
    [CS_TRUTH_TRANSFER] =
        {"CREATE TABLE transfer(manager TEXT, request INTEGER, granted INTEGER, stop INTEGER, "
         "direction TEXT, address INTEGER, bytes INTEGER, response TEXT)",
         "INSERT INTO transfer VALUES(?,?,?,?,?,?,?,?)"},
    [CS_TRUTH_LOAD] =
        {"CREATE TABLE load(manager TEXT, start INTEGER, stop INTEGER, held INTEGER, PRIMARY "
         "KEY(manager, start)) WITHOUT ROWID",
         "INSERT INTO load VALUES(?,?,?,?) ON CONFLICT DO UPDATE SET held = held + excluded.held"},
    [CS_TRUTH_SOFTWARE] =
        {"CREATE TABLE software(cpu INTEGER, start INTEGER, stop INTEGER, who TEXT)",
         "INSERT INTO software VALUES(?,?,?,?)"},
};
