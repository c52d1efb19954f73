#include "results/truth/truth.h"

#include <stdio.h>
#include <stdlib.h>

#include "results/truth/impl.h"
#include "scenario/corepmu/arm_events.h"

const cs_soft_kind cs_soft_perf_count = {"perf count"};

static cs_status sql_error(const cs_truth *t, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_IO, t->path, "SQLite: %s", sqlite3_errmsg(t->db));
}

static bool execute(cs_truth *t, const char *sql)
{
    return sqlite3_exec(t->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

void cs_truth_put(cs_truth *t, cs_truth_table table)
{
    if (sqlite3_step(t->insert[table]) != SQLITE_DONE)
        t->failed = true;
    sqlite3_reset(t->insert[table]);
}

void cs_truth_integers(cs_truth *t, cs_truth_table table, int first, const uint64_t *values,
                       int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(t->insert[table], first + i, (sqlite3_int64)values[i]);
}

static void put_integers(cs_truth *t, cs_truth_table table, const uint64_t *values, int count)
{
    cs_truth_integers(t, table, 1, values, count);
    cs_truth_put(t, table);
}

void cs_truth_text(cs_truth *t, cs_truth_table table, int column, const char *text)
{
    sqlite3_bind_text(t->insert[table], column, text, -1, SQLITE_STATIC);
}

static void put_run_integer(cs_truth *t, const char *key, uint64_t value)
{
    cs_truth_text(t, CS_TRUTH_RUN, 1, key);
    cs_truth_integers(t, CS_TRUTH_RUN, 2, &value, 1);
    cs_truth_put(t, CS_TRUTH_RUN);
}

static const char *cpu_state(const cs_scenario *s, unsigned cpu)
{
    if (s->corepmu->absent[cpu])
        return "absent";
    if (s->corepmu->offline[cpu])
        return "offline";
    return s->corepmu->locked[cpu] ? "locked" : "online";
}

static void put_die(cs_truth *t)
{
    const cs_scenario *s = t->scenario;

    cs_truth_text(t, CS_TRUTH_RUN, 1, "scenario");
    cs_truth_text(t, CS_TRUTH_RUN, 2, s->name);
    cs_truth_put(t, CS_TRUTH_RUN);
    put_run_integer(t, "seed", s->seed);
    put_run_integer(t, "clock_mhz", s->bus->clock_mhz);
    put_run_integer(t, "samples_truth", s->keep->samples_truth);
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        /* Of an IMC core: the core and the thread. Of a hart: its number, and 0. */
        const struct {
            unsigned first, width;
        } kinds[] = {
            [CS_CPU_ARM] = {0, s->pmcu->slots},
            [CS_CPU_IMC] = {cs_scenario_arm_cpus(s), s->imc->threads},
            [CS_CPU_HART] = {cs_scenario_hart_cpu(s, 0), 1},
        };
        const cs_cpu_kind kind = cs_scenario_cpu_kind(s, cpu);
        const unsigned number = cpu - kinds[kind].first, width = kinds[kind].width;

        cs_truth_integers(t, CS_TRUTH_CPU, 1, (uint64_t[]){cpu, number / width, number % width}, 3);
        cs_truth_text(t, CS_TRUTH_CPU, 4, cpu_state(s, cpu));
        cs_truth_put(t, CS_TRUTH_CPU);
    }
}

static void put_images(cs_truth *t)
{
    for (cs_image_kind kind = 0; kind < CS_IMAGE_KINDS; kind++) {
        uint64_t place = 0;
        cs_image one;

        for (unsigned i = 0; cs_image_get(t->scenario, kind, i, &one); place += one.bytes, i++) {
            cs_truth_text(t, CS_TRUTH_IMAGE, 1, cs_image_format(kind));
            cs_truth_integers(t, CS_TRUTH_IMAGE, 2,
                              (uint64_t[]){one.number, place, one.address, one.bytes}, 4);
            cs_truth_put(t, CS_TRUTH_IMAGE);
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
    for (int i = 0; good && i < CS_TRUTH_NR_TABLES; i++)
        good = execute(t, cs_truth_tables[i].create) &&
               sqlite3_prepare_v2(t->db, cs_truth_tables[i].insert, -1, &t->insert[i], NULL) ==
                   SQLITE_OK;
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
    put_integers(t, CS_TRUTH_SUBSAMPLE,
                 (uint64_t[]){s->number, s->cycle, s->addr, s->of_trigger, s->bytes}, 5);
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
        const cs_window *w = &s->windows[cpu];

        if (w->counted)
            put_integers(
                t, CS_TRUTH_WINDOW,
                (uint64_t[]){s->number, cpu, w->start, w->stop, s->cid1[cpu], s->cid2[cpu]}, 6);
    }
    if (s->truths == NULL)
        return;
    for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++)
        for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++) {
            uint32_t event = i < s->nr_events ? s->events[i] : 0x11;

            put_integers(t, CS_TRUTH_SAMPLE,
                         (uint64_t[]){s->number, cpu, i, event, s->values[i * s->nr_cpus + cpu],
                                      s->truths[i * s->nr_cpus + cpu]},
                         6);
        }
}

const char *cs_truth_response(uint8_t resp)
{
    return resp == CS_BUS_OKAY      ? "OKAY"
           : resp == CS_BUS_SLVERR  ? "SLVERR"
           : resp == CS_SAMPLE_LOST ? "lost"
                                    : "DECERR";
}

void cs_truth_imc_sample(cs_truth *t, const cs_imc_sample *s)
{
    cs_truth_integers(t, CS_TRUTH_RECORD, 1,
                      (uint64_t[]){s->cpu, s->snapshot, s->number, s->cycle, s->addr}, 5);
    cs_truth_text(t, CS_TRUTH_RECORD, 6, cs_truth_response(s->resp));
    cs_truth_integers(t, CS_TRUTH_RECORD, 7,
                      (uint64_t[]){s->truth.pc, s->truth.cid1, s->truth.cid2, s->truth.mode}, 4);
    cs_truth_put(t, CS_TRUTH_RECORD);
}

void cs_truth_posted(cs_truth *t, const cs_posted *p)
{
    cs_truth_text(t, CS_TRUTH_POSTED, 1, cs_image_format(p->kind));
    cs_truth_integers(t, CS_TRUTH_POSTED, 2, (uint64_t[]){p->number, p->offset, p->posts, p->value},
                      4);
    cs_truth_put(t, CS_TRUTH_POSTED);
}

void cs_truth_snapshot(cs_truth *t, const cs_snapshot_word *w)
{
    cs_truth_integers(t, CS_TRUTH_SNAPSHOT, 1, (uint64_t[]){w->hart, w->offset, w->value}, 3);
    if (!w->known)
        sqlite3_bind_null(t->insert[CS_TRUTH_SNAPSHOT], 3);
    cs_truth_put(t, CS_TRUTH_SNAPSHOT);
}

void cs_truth_switch(cs_truth *t, unsigned cpu, bool guest, const cs_switch *s)
{
    put_integers(t, CS_TRUTH_SWITCH, (uint64_t[]){cpu, guest, s->cycle, s->from, s->to}, 5);
}

void cs_truth_functions(cs_truth *t, const cs_function_result *functions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const cs_function_result *f = &functions[i];

        cs_truth_text(t, CS_TRUTH_FUNCTION, 1, f->name);
        cs_truth_integers(t, CS_TRUTH_FUNCTION, 2, (uint64_t[]){f->base, f->samples}, 2);
        sqlite3_bind_double(t->insert[CS_TRUTH_FUNCTION], 4, f->share);
        sqlite3_bind_double(t->insert[CS_TRUTH_FUNCTION], 5, f->expected);
        cs_truth_put(t, CS_TRUTH_FUNCTION);
    }
}

void cs_truth_count(cs_truth *t, const cs_perf_count *c)
{
    cs_truth_integers(t, CS_TRUTH_COUNT, 1, (uint64_t[]){c->command}, 1);
    cs_truth_text(t, CS_TRUTH_COUNT, 2, c->pmu);
    cs_truth_text(t, CS_TRUTH_COUNT, 3, c->event);
    cs_truth_integers(t, CS_TRUTH_COUNT, 4, (uint64_t[]){c->cpu, c->from, c->to, c->raw}, 4);
    sqlite3_bind_double(t->insert[CS_TRUTH_COUNT], 8, c->value);
    cs_truth_text(t, CS_TRUTH_COUNT, 9, c->unit);
    cs_truth_integers(t, CS_TRUTH_COUNT, 10, &c->truth, 1);
    if (c->has_counted)
        cs_truth_integers(t, CS_TRUTH_COUNT, 11, &c->counted, 1);
    else
        sqlite3_bind_null(t->insert[CS_TRUTH_COUNT], 11);
    cs_truth_put(t, CS_TRUTH_COUNT);
}

void cs_truth_perf_sample(cs_truth *t, const cs_perf_sample *s)
{
    put_integers(t, CS_TRUTH_PERF_SAMPLE,
                 (uint64_t[]){s->command, s->cpu, s->time, s->ip, s->pid, s->misc}, 6);
}

void cs_truth_hart(cs_truth *t, unsigned hart, const cs_riscv_report *r)
{
    const cs_riscv_figures *h = &r->host, *g = &r->guest;

    put_integers(t, CS_TRUTH_HART,
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
    char chain[CS_PERF_CHAIN_TEXT];
    const cs_riscv_sample *p = s->sample;
    const bool overflowed = s->truth.overflow != CS_NEVER;

    cs_truth_integers(t, CS_TRUTH_HART_SAMPLE, 1,
                      (uint64_t[]){s->which.command, s->which.event, s->cpu, p->cycle, p->ip,
                                   p->pid, p->misc, p->time, p->period, p->lost},
                      10);
    if (overflowed)
        cs_truth_integers(t, CS_TRUTH_HART_SAMPLE, 11,
                          (uint64_t[]){s->truth.overflow, s->truth.at.pc, s->truth.at.mode,
                                       (uint64_t)s->truth.skid_cycles, s->truth.period},
                          5);
    for (int i = 11; i <= 15 && !overflowed; i++)
        sqlite3_bind_null(t->insert[CS_TRUTH_HART_SAMPLE], i);
    cs_truth_text(t, CS_TRUTH_HART_SAMPLE, 16, cs_truth_chain(s, chain));
    cs_truth_put(t, CS_TRUTH_HART_SAMPLE);
}

void cs_truth_unit(cs_truth *t, unsigned number, const cs_uncore_unit_result *r)
{
    const cs_uncore_unit_spec *unit = &t->scenario->uncore->units[number];
    const bool has_path = unit->path[0] != '\0';

    cs_truth_integers(t, CS_TRUTH_UNIT, 1, (uint64_t[]){number}, 1);
    cs_truth_text(t, CS_TRUTH_UNIT, 2, unit->name);
    cs_truth_text(t, CS_TRUTH_UNIT, 3, has_path ? unit->path : NULL);
    if (has_path)
        cs_truth_integers(t, CS_TRUTH_UNIT, 4, &unit->address, 1);
    else
        sqlite3_bind_null(t->insert[CS_TRUTH_UNIT], 4);
    cs_truth_integers(t, CS_TRUTH_UNIT, 5,
                      (uint64_t[]){unit->bridge, unit->slot, unit->counters, unit->width}, 4);
    if (r->manager.managed)
        cs_truth_integers(t, CS_TRUTH_UNIT, 9, (uint64_t[]){r->manager.cpu}, 1);
    else
        sqlite3_bind_null(t->insert[CS_TRUTH_UNIT], 9);
    cs_truth_text(t, CS_TRUTH_UNIT, 10, r->manager.why);
    cs_truth_integers(t, CS_TRUTH_UNIT, 11, (uint64_t[]){r->accesses, r->wrong}, 2);
    cs_truth_put(t, CS_TRUTH_UNIT);
}

void cs_truth_rotated(cs_truth *t, const cs_rotated_result *r)
{
    const cs_rotated_count *c = &r->count;
    char name[40];

    cs_truth_integers(t, CS_TRUTH_ROTATED, 1, (uint64_t[]){c->command}, 1);
    cs_truth_text(t, CS_TRUTH_ROTATED, 2, c->pmu);
    cs_truth_integers(t, CS_TRUTH_ROTATED, 3, (uint64_t[]){c->unit, c->cpu, c->event}, 3);
    cs_truth_text(t, CS_TRUTH_ROTATED, 6, cs_rotated_event_name(c, name, sizeof name));
    cs_truth_integers(
        t, CS_TRUTH_ROTATED, 7,
        (uint64_t[]){c->from, c->to, r->enabled, c->running, c->raw, r->truth, c->final}, 7);
    if (r->counted) {
        sqlite3_bind_double(t->insert[CS_TRUTH_ROTATED], 14, r->scaled);
        sqlite3_bind_double(t->insert[CS_TRUTH_ROTATED], 15, r->error);
    } else {
        sqlite3_bind_null(t->insert[CS_TRUTH_ROTATED], 14);
        sqlite3_bind_null(t->insert[CS_TRUTH_ROTATED], 15);
    }
    cs_truth_put(t, CS_TRUTH_ROTATED);
}

static void put_event(cs_truth *t, size_t id, const cs_event_result *e)
{
    const char *name = e->cycle_counter ? "cycles" : cs_arm_event_name(e->event);

    cs_truth_integers(t, CS_TRUTH_EVENT, 1, (uint64_t[]){id, e->event}, 2);
    cs_truth_text(t, CS_TRUTH_EVENT, 3, name);
    cs_truth_integers(
        t, CS_TRUTH_EVENT, 4,
        (uint64_t[]){e->cycle_counter, e->subsamples, e->sampled, e->window_truth, e->truth}, 5);
    sqlite3_bind_double(t->insert[CS_TRUTH_EVENT], 9, e->scaled);
    sqlite3_bind_double(t->insert[CS_TRUTH_EVENT], 10, e->error);
    cs_truth_put(t, CS_TRUTH_EVENT);
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
                t, CS_TRUTH_TOTAL,
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
    for (int i = 0; i < CS_TRUTH_NR_TABLES; i++)
        sqlite3_finalize(t->insert[i]);
    sqlite3_close(t->db);
    free(t);
}
