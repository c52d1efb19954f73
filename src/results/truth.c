#include "results/truth.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenario/arm_events.h"

/* Every table with the statement that fills it; the order is that of enum table. */
enum table {
    RUN,
    CPU,
    EVENT,
    SUBSAMPLE,
    WINDOW,
    SAMPLE,
    TOTAL,
    RECORD,
    FUNCTION,
    COUNT,
    PERF_SAMPLE,
    HART,
    HART_SAMPLE,
    ROTATED,
    UNIT,
    IMAGE,
    POSTED,
    SNAPSHOT,
    NR_TABLES
};

static const struct {
    const char *create;
    const char *insert;
} tables[NR_TABLES] = {
    [RUN] = {"CREATE TABLE run(key TEXT PRIMARY KEY, value) WITHOUT ROWID",
             "INSERT INTO run VALUES(?,?)"},
    [CPU] = {"CREATE TABLE cpu(cpu INTEGER PRIMARY KEY, cluster INTEGER, slot INTEGER, state TEXT)",
             "INSERT INTO cpu VALUES(?,?,?,?)"},
    [EVENT] = {"CREATE TABLE event(id INTEGER PRIMARY KEY, number INTEGER, name TEXT, "
               "cycle_counter INTEGER, subsamples INTEGER, sampled INTEGER, window_truth INTEGER, "
               "truth INTEGER, scaled REAL, error REAL)",
               "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?)"},
    [SUBSAMPLE] = {"CREATE TABLE subsample(number INTEGER PRIMARY KEY, cycle INTEGER, "
                   "address INTEGER)",
                   "INSERT INTO subsample VALUES(?,?,?)"},
    [WINDOW] = {"CREATE TABLE window(subsample INTEGER, cpu INTEGER, start INTEGER, stop INTEGER, "
                "cid1 INTEGER, cid2 INTEGER, PRIMARY KEY(subsample, cpu)) WITHOUT ROWID",
                "INSERT INTO window VALUES(?,?,?,?,?,?)"},
    [SAMPLE] = {"CREATE TABLE sample(subsample INTEGER, cpu INTEGER, position INTEGER, "
                "event INTEGER, value INTEGER, truth INTEGER, "
                "PRIMARY KEY(subsample, position, cpu)) WITHOUT ROWID",
                "INSERT INTO sample VALUES(?,?,?,?,?,?)"},
    [TOTAL] = {"CREATE TABLE total(event INTEGER, cpu INTEGER, truth INTEGER, "
               "PRIMARY KEY(event, cpu)) WITHOUT ROWID",
               "INSERT INTO total VALUES(?,?,?)"},
    [RECORD] = {"CREATE TABLE record(cpu INTEGER, snapshot INTEGER, number INTEGER, "
                "cycle INTEGER, address INTEGER, response TEXT, pc INTEGER, pid INTEGER, "
                "lpid INTEGER, mode INTEGER, PRIMARY KEY(cpu, snapshot)) WITHOUT ROWID",
                "INSERT INTO record VALUES(?,?,?,?,?,?,?,?,?,?)"},
    [FUNCTION] = {"CREATE TABLE function(name TEXT, base INTEGER, samples INTEGER, share REAL, "
                  "expected REAL)",
                  "INSERT INTO function VALUES(?,?,?,?,?)"},
    [COUNT] = {"CREATE TABLE count(command INTEGER, pmu TEXT, event TEXT, cpu INTEGER, "
               "start INTEGER, stop INTEGER, raw INTEGER, value REAL, unit TEXT, truth INTEGER, "
               "counted INTEGER)",
               "INSERT INTO count VALUES(?,?,?,?,?,?,?,?,?,?,?)"},
    [PERF_SAMPLE] = {"CREATE TABLE perf_sample(command INTEGER, cpu INTEGER, time INTEGER, "
                     "ip INTEGER, pid INTEGER, misc INTEGER)",
                     "INSERT INTO perf_sample VALUES(?,?,?,?,?,?)"},
    [HART] = {"CREATE TABLE hart(hart INTEGER PRIMARY KEY, cpu INTEGER, workload INTEGER, "
              "kernel INTEGER, firmware INTEGER, guest INTEGER, interrupts INTEGER, "
              "spurious INTEGER, samples INTEGER, lost INTEGER, throttled INTEGER, "
              "sbi_calls INTEGER, sbi_errors INTEGER)",
              "INSERT INTO hart VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    [HART_SAMPLE] = {"CREATE TABLE hart_sample(command INTEGER, event INTEGER, cpu INTEGER, "
                     "trap INTEGER, ip INTEGER, pid INTEGER, misc INTEGER, time INTEGER, "
                     "period INTEGER, lost INTEGER, overflow INTEGER, true_ip INTEGER, "
                     "true_mode INTEGER, skid INTEGER, true_period INTEGER)",
                     "INSERT INTO hart_sample VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
    [UNIT] = {"CREATE TABLE unit(unit INTEGER PRIMARY KEY, name TEXT, path TEXT, address INTEGER, "
              "bridge INTEGER, slot INTEGER, counters INTEGER, width INTEGER, cpu INTEGER, "
              "why TEXT, accesses INTEGER, wrong INTEGER)",
              "INSERT INTO unit VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
    [IMAGE] = {"CREATE TABLE image(format TEXT, number INTEGER, place INTEGER, address INTEGER, "
               "bytes INTEGER, PRIMARY KEY(format, number)) WITHOUT ROWID",
               "INSERT INTO image VALUES(?,?,?,?,?)"},
    [POSTED] = {"CREATE TABLE posted(format TEXT, number INTEGER, offset INTEGER, posts INTEGER, "
                "value INTEGER, PRIMARY KEY(format, number, offset)) WITHOUT ROWID",
                "INSERT INTO posted VALUES(?,?,?,?,?)"},
    [SNAPSHOT] = {"CREATE TABLE snapshot(hart INTEGER, offset INTEGER, value INTEGER, "
                  "PRIMARY KEY(hart, offset)) WITHOUT ROWID",
                  "INSERT INTO snapshot VALUES(?,?,?)"},
    [ROTATED] = {"CREATE TABLE rotated(command INTEGER, pmu TEXT, unit INTEGER, cpu INTEGER, "
                 "event INTEGER, name TEXT, start INTEGER, stop INTEGER, enabled INTEGER, "
                 "running INTEGER, raw INTEGER, truth INTEGER, final INTEGER, scaled REAL, "
                 "error REAL)",
                 "INSERT INTO rotated VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
};

struct cs_truth {
    sqlite3 *db;
    sqlite3_stmt *insert[NR_TABLES];
    const cs_scenario *scenario;
    char path[4096];
    bool failed;
};

static cs_status sql_error(const cs_truth *t, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_IO, t->path, "SQLite: %s", sqlite3_errmsg(t->db));
}

static bool execute(cs_truth *t, const char *sql)
{
    return sqlite3_exec(t->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static void put(cs_truth *t, enum table table)
{
    if (sqlite3_step(t->insert[table]) != SQLITE_DONE)
        t->failed = true;
    sqlite3_reset(t->insert[table]);
}

/* Integer columns from `first` (1-based) on. SQLite's integers are signed: counts beyond
 * 2^63 come back negative with the same 64 bits. */
static void bind_integers(cs_truth *t, enum table table, int first, const uint64_t *values,
                          int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(t->insert[table], first + i, (sqlite3_int64)values[i]);
}

static void put_integers(cs_truth *t, enum table table, const uint64_t *values, int count)
{
    bind_integers(t, table, 1, values, count);
    put(t, table);
}

static void bind_text(cs_truth *t, enum table table, int column, const char *text)
{
    sqlite3_bind_text(t->insert[table], column, text, -1, SQLITE_STATIC);
}

static void put_run_integer(cs_truth *t, const char *key, uint64_t value)
{
    sqlite3_bind_text(t->insert[RUN], 1, key, -1, SQLITE_STATIC);
    bind_integers(t, RUN, 2, &value, 1);
    put(t, RUN);
}

static const char *cpu_state(const cs_scenario *s, unsigned cpu)
{
    if (s->core.absent[cpu])
        return "absent";
    if (s->core.offline[cpu])
        return "offline";
    return s->core.locked[cpu] ? "locked" : "online";
}

static void put_die(cs_truth *t)
{
    const cs_scenario *s = t->scenario;

    sqlite3_bind_text(t->insert[RUN], 1, "scenario", -1, SQLITE_STATIC);
    sqlite3_bind_text(t->insert[RUN], 2, s->name, -1, SQLITE_STATIC);
    put(t, RUN);
    put_run_integer(t, "seed", s->seed);
    put_run_integer(t, "clock_mhz", s->bus.clock_mhz);
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        /* Of an IMC core: the core and the thread. Of a hart: its number, and 0. */
        const struct {
            unsigned first, width;
        } kinds[] = {
            [CS_CPU_ARM] = {0, s->pmcu.slots},
            [CS_CPU_IMC] = {cs_scenario_arm_cpus(s), s->imc.threads},
            [CS_CPU_HART] = {cs_scenario_hart_cpu(s, 0), 1},
        };
        const cs_cpu_kind kind = cs_scenario_cpu_kind(s, cpu);
        const unsigned number = cpu - kinds[kind].first, width = kinds[kind].width;

        bind_integers(t, CPU, 1, (uint64_t[]){cpu, number / width, number % width}, 3);
        sqlite3_bind_text(t->insert[CPU], 4, cpu_state(s, cpu), -1, SQLITE_STATIC);
        put(t, CPU);
    }
}

static void put_images(cs_truth *t)
{
    for (cs_image_kind kind = 0; kind < CS_IMAGE_KINDS; kind++) {
        uint64_t place = 0;
        cs_image one;

        for (unsigned i = 0; cs_image_get(t->scenario, kind, i, &one); place += one.bytes, i++) {
            bind_text(t, IMAGE, 1, cs_image_format(kind));
            bind_integers(t, IMAGE, 2, (uint64_t[]){one.number, place, one.address, one.bytes}, 4);
            put(t, IMAGE);
        }
    }
}

cs_status cs_truth_create(const char *path, const cs_scenario *scenario, cs_truth **out,
                          cs_diag *diag)
{
    cs_truth *t = calloc(1, sizeof *t);
    cs_status status;
    bool good;

    *out = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the truth");
    t->scenario = scenario;
    snprintf(t->path, sizeof t->path, "%s", path);
    good = sqlite3_open_v2(path, &t->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
           SQLITE_OK;
    /* The file is new and appears under its name when it is whole: no journal needed. */
    good = good && execute(t, "PRAGMA journal_mode=OFF") && execute(t, "PRAGMA synchronous=OFF") &&
           execute(t, "BEGIN");
    for (int i = 0; good && i < NR_TABLES; i++)
        good = execute(t, tables[i].create) &&
               sqlite3_prepare_v2(t->db, tables[i].insert, -1, &t->insert[i], NULL) == SQLITE_OK;
    if (good) {
        put_die(t);
        put_images(t);
    }
    if (!good || t->failed) {
        status = sql_error(t, diag);
        cs_truth_abandon(t);
        return status;
    }
    *out = t;
    return CS_OK;
}

void cs_truth_subsample(cs_truth *t, const cs_subsample *s)
{
    put_integers(t, SUBSAMPLE, (uint64_t[]){s->number, s->cycle, s->addr}, 3);
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
        const cs_window *w = &s->windows[cpu];

        if (w->counted)
            put_integers(
                t, WINDOW,
                (uint64_t[]){s->number, cpu, w->start, w->stop, s->cid1[cpu], s->cid2[cpu]}, 6);
    }
    if (s->truths == NULL)
        return;
    for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++)
        for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
            uint32_t event = i < s->nr_events ? s->events[i] : 0x11;

            put_integers(t, SAMPLE,
                         (uint64_t[]){s->number, cpu, i, event, s->values[i * s->nr_cpus + cpu],
                                      s->truths[i * s->nr_cpus + cpu]},
                         6);
        }
}

static const char *response_name(uint8_t resp)
{
    return resp == CS_BUS_OKAY      ? "OKAY"
           : resp == CS_BUS_SLVERR  ? "SLVERR"
           : resp == CS_SAMPLE_LOST ? "lost"
                                    : "DECERR";
}

void cs_truth_imc_sample(cs_truth *t, const cs_imc_sample *s)
{
    bind_integers(t, RECORD, 1, (uint64_t[]){s->cpu, s->snapshot, s->number, s->cycle, s->addr}, 5);
    bind_text(t, RECORD, 6, response_name(s->resp));
    bind_integers(t, RECORD, 7,
                  (uint64_t[]){s->truth.pc, s->truth.cid1, s->truth.cid2, s->truth.mode}, 4);
    put(t, RECORD);
}

void cs_truth_posted(cs_truth *t, const cs_posted *p)
{
    bind_text(t, POSTED, 1, cs_image_format(p->kind));
    bind_integers(t, POSTED, 2, (uint64_t[]){p->number, p->offset, p->posts, p->value}, 4);
    put(t, POSTED);
}

void cs_truth_snapshot(cs_truth *t, const cs_snapshot_word *w)
{
    bind_integers(t, SNAPSHOT, 1, (uint64_t[]){w->hart, w->offset, w->value}, 3);
    if (!w->known)
        sqlite3_bind_null(t->insert[SNAPSHOT], 3);
    put(t, SNAPSHOT);
}

void cs_truth_functions(cs_truth *t, const cs_function_result *functions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const cs_function_result *f = &functions[i];

        bind_text(t, FUNCTION, 1, f->name);
        bind_integers(t, FUNCTION, 2, (uint64_t[]){f->base, f->samples}, 2);
        sqlite3_bind_double(t->insert[FUNCTION], 4, f->share);
        sqlite3_bind_double(t->insert[FUNCTION], 5, f->expected);
        put(t, FUNCTION);
    }
}

void cs_truth_count(cs_truth *t, const cs_perf_count *c)
{
    bind_integers(t, COUNT, 1, (uint64_t[]){c->command}, 1);
    bind_text(t, COUNT, 2, c->pmu);
    bind_text(t, COUNT, 3, c->event);
    bind_integers(t, COUNT, 4, (uint64_t[]){c->cpu, c->from, c->to, c->raw}, 4);
    sqlite3_bind_double(t->insert[COUNT], 8, c->value);
    bind_text(t, COUNT, 9, c->unit);
    bind_integers(t, COUNT, 10, &c->truth, 1);
    if (c->has_counted)
        bind_integers(t, COUNT, 11, &c->counted, 1);
    else
        sqlite3_bind_null(t->insert[COUNT], 11);
    put(t, COUNT);
}

void cs_truth_perf_sample(cs_truth *t, const cs_perf_sample *s)
{
    put_integers(t, PERF_SAMPLE, (uint64_t[]){s->command, s->cpu, s->time, s->ip, s->pid, s->misc},
                 6);
}

void cs_truth_hart(cs_truth *t, unsigned hart, const cs_riscv_report *r)
{
    const cs_riscv_figures *h = &r->host, *g = &r->guest;

    put_integers(t, HART,
                 (uint64_t[]){hart, cs_scenario_hart_cpu(t->scenario, hart),
                              r->cycles[CS_HART_WORKLOAD], r->cycles[CS_HART_KERNEL],
                              r->cycles[CS_HART_FIRMWARE], r->cycles[CS_HART_GUEST],
                              h->interrupts + g->interrupts, h->spurious + g->spurious,
                              h->samples + g->samples, h->lost + g->lost,
                              h->throttled + g->throttled, h->sbi_calls + g->sbi_calls,
                              h->sbi_errors + g->sbi_errors},
                 13);
}

void cs_truth_hart_sample_put(cs_truth *t, const cs_truth_hart_sample *s)
{
    const cs_riscv_sample *p = s->sample;
    const bool overflowed = s->truth.overflow != CS_NEVER;

    bind_integers(t, HART_SAMPLE, 1,
                  (uint64_t[]){s->which.command, s->which.event, s->cpu, p->cycle, p->ip, p->pid,
                               p->misc, p->time, p->period, p->lost},
                  10);
    if (overflowed)
        bind_integers(t, HART_SAMPLE, 11,
                      (uint64_t[]){s->truth.overflow, s->truth.at.pc, s->truth.at.mode,
                                   (uint64_t)s->truth.skid_cycles, s->truth.period},
                      5);
    for (int i = 11; i <= 15 && !overflowed; i++)
        sqlite3_bind_null(t->insert[HART_SAMPLE], i);
    put(t, HART_SAMPLE);
}

void cs_truth_unit(cs_truth *t, unsigned number, const cs_uncore_unit_result *r)
{
    const cs_uncore_unit_spec *unit = &t->scenario->uncore.units[number];
    const bool has_path = unit->path[0] != '\0';

    bind_integers(t, UNIT, 1, (uint64_t[]){number}, 1);
    bind_text(t, UNIT, 2, unit->name);
    bind_text(t, UNIT, 3, has_path ? unit->path : NULL);
    if (has_path)
        bind_integers(t, UNIT, 4, &unit->address, 1);
    else
        sqlite3_bind_null(t->insert[UNIT], 4);
    bind_integers(t, UNIT, 5, (uint64_t[]){unit->bridge, unit->slot, unit->counters, unit->width},
                  4);
    if (r->manager.managed)
        bind_integers(t, UNIT, 9, (uint64_t[]){r->manager.cpu}, 1);
    else
        sqlite3_bind_null(t->insert[UNIT], 9);
    bind_text(t, UNIT, 10, r->manager.why);
    bind_integers(t, UNIT, 11, (uint64_t[]){r->accesses, r->wrong}, 2);
    put(t, UNIT);
}

void cs_truth_rotated(cs_truth *t, const cs_rotated_result *r)
{
    const cs_rotated_count *c = &r->count;
    char name[40];

    bind_integers(t, ROTATED, 1, (uint64_t[]){c->command}, 1);
    bind_text(t, ROTATED, 2, c->pmu);
    bind_integers(t, ROTATED, 3, (uint64_t[]){c->unit, c->cpu, c->event}, 3);
    bind_text(t, ROTATED, 6, cs_rotated_event_name(c, name, sizeof name));
    bind_integers(t, ROTATED, 7,
                  (uint64_t[]){c->from, c->to, r->enabled, c->running, c->raw, r->truth, c->final},
                  7);
    if (r->counted) {
        sqlite3_bind_double(t->insert[ROTATED], 14, r->scaled);
        sqlite3_bind_double(t->insert[ROTATED], 15, r->error);
    } else {
        sqlite3_bind_null(t->insert[ROTATED], 14);
        sqlite3_bind_null(t->insert[ROTATED], 15);
    }
    put(t, ROTATED);
}

static void put_event(cs_truth *t, size_t id, const cs_event_result *e)
{
    const char *name = e->cycle_counter ? "cycles" : cs_arm_event_name(e->event);

    bind_integers(t, EVENT, 1, (uint64_t[]){id, e->event}, 2);
    sqlite3_bind_text(t->insert[EVENT], 3, name, -1, SQLITE_STATIC);
    bind_integers(
        t, EVENT, 4,
        (uint64_t[]){e->cycle_counter, e->subsamples, e->sampled, e->window_truth, e->truth}, 5);
    sqlite3_bind_double(t->insert[EVENT], 9, e->scaled);
    sqlite3_bind_double(t->insert[EVENT], 10, e->error);
    put(t, EVENT);
}

cs_status cs_truth_finish(cs_truth *t, cs_collector *collector, const cs_results *results,
                          cs_diag *diag)
{
    const unsigned nr_cpus = cs_scenario_arm_cpus(t->scenario);
    cs_status status = CS_OK;

    put_run_integer(t, "first_start", results->first_start);
    put_run_integer(t, "last_stop", results->last_stop);
    for (size_t i = 0; i < results->nr_events; i++) {
        put_event(t, i, &results->events[i]);
        for (unsigned cpu = 0; cpu < nr_cpus; cpu++)
            put_integers(
                t, TOTAL,
                (uint64_t[]){i, cpu, cs_collector_span_truth(collector, &results->events[i], cpu)},
                3);
    }
    if (!execute(t, "COMMIT") || t->failed)
        status = sql_error(t, diag);
    cs_truth_abandon(t);
    return status;
}

void cs_truth_abandon(cs_truth *t)
{
    if (t == NULL)
        return;
    for (int i = 0; i < NR_TABLES; i++)
        sqlite3_finalize(t->insert[i]);
    sqlite3_close(t->db);
    free(t);
}
