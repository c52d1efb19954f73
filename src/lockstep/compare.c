// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "lockstep/compare.h"

#include <string.h>

#include "base/probe/probe_log.h"
#include "base/wall.h"
#include "bus/system.h"
#include "drivers/environment.h"
#include "drivers/told.h"
#include "lockstep/increments.h"
#include "lockstep/rtl_system.h"

/* Cycles that both sides do before their records are held against each other. */
#define CHUNK_CYCLES 8192u

typedef struct side {
    cs_probe_log *log;
    cs_data_ring *data;
    cs_probe_sink log_sink;
    cs_probe_sink sink;
    cs_environment *environment;
    cs_system *system;
    cs_cycle finished;
    uint64_t wall_ns;
} side;

static void side_destroy(side *s)
{
    if (s->system != NULL)
        s->system->ops->destroy(s->system);
    cs_environment_destroy(s->environment);
    cs_probe_log_destroy(s->log);
    cs_data_ring_destroy(s->data);
}

/* The sink of both: records go to the log, the bytes behind hashes are kept for a while. */
static void side_record(void *ctx, const cs_probe_record *record)
{
    cs_probe_emit(&((side *)ctx)->log_sink, record);
}

static void side_data(void *ctx, uint64_t hash, const uint8_t *data, unsigned bytes)
{
    cs_data_ring_add(((side *)ctx)->data, hash, data, bytes);
}

/* All but its system. */
static cs_status side_create(side *s, const cs_scenario *scenario, cs_diag *diag)
{
    cs_status status = cs_probe_log_create(&s->log, diag);

    if (status == CS_OK)
        status = cs_data_ring_create(&s->data, diag);
    if (status != CS_OK)
        return status;
    s->log_sink = cs_probe_log_sink(s->log);
    s->sink = (cs_probe_sink){.record = side_record, .ctx = s, .data = side_data};
    return cs_environment_create(scenario, &s->sink, &s->environment, diag);
}

/* ---- what the model's software tells; the RTL's is the same code on the same records ---- */

typedef struct hearer {
    const cs_compare_options *options;
    cs_compare_report *report;
    cs_soft_stream *stream;
} hearer;

static void warned(void *ctx, const cs_soft_record *record)
{
    const cs_compare_options *options = ((const hearer *)ctx)->options;

    if (options->warn != NULL)
        options->warn(options->warn_ctx, cs_told_warning(record));
}

static void sampled(void *ctx, const cs_soft_record *record)
{
    (void)record;
    ((const hearer *)ctx)->report->perf_samples++;
}

static cs_status hear(hearer *h, cs_environment *environment, cs_diag *diag)
{
    static const cs_soft_hearing hearings[] = {
        {&cs_soft_warning, warned},
        {&cs_soft_sampled, sampled},
        {NULL, NULL},
    };
    cs_status status = cs_soft_stream_create(&h->stream, diag);

    if (status == CS_OK)
        status = cs_soft_stream_join(h->stream, hearings, h, diag);
    if (status == CS_OK)
        environment->soft = cs_soft_stream_sink(h->stream);
    return status;
}

static void side_run(side *s, cs_cycle until)
{
    uint64_t begin = cs_wall_ns();

    s->finished = s->system->ops->run(s->system, until);
    s->wall_ns += cs_wall_ns() - begin;
}

static cs_cycle side_end(const side *s)
{
    return s->system->ops->end_cycle(s->system);
}

static void tail_push(cs_compare_tail *tail, const cs_probe_record *record)
{
    if (tail->count == CS_COMPARE_CONTEXT) {
        memmove(&tail->records[0], &tail->records[1],
                (CS_COMPARE_CONTEXT - 1) * sizeof tail->records[0]);
        tail->count--;
    }
    tail->records[tail->count++] = *record;
}

/* The record of one side that has no partner, or differs from it. */
static void diverge(cs_compare_report *report, const cs_probe_record *model,
                    const cs_probe_record *rtl)
{
    report->what = CS_COMPARE_RECORD;
    report->cycle =
        model == NULL || (rtl != NULL && rtl->cycle < model->cycle) ? rtl->cycle : model->cycle;
    report->field = "record";
    if (model != NULL && rtl != NULL)
        report->field = cs_probe_difference(model, rtl, &report->model_value, &report->rtl_value);
    if (model != NULL) {
        tail_push(&report->model, model);
        report->model.has_record = true;
    }
    if (rtl != NULL) {
        tail_push(&report->rtl, rtl);
        report->rtl.has_record = true;
    }
}

/* What both have of the cycles below; the lists are valid until the next call. */
typedef struct taken {
    const cs_probe_record *model, *rtl;
    size_t nr_model, nr_rtl;
} taken;

static taken take(side *model, side *rtl, cs_cycle below)
{
    taken t;

    t.nr_model = cs_probe_log_take(model->log, below, &t.model);
    t.nr_rtl = cs_probe_log_take(rtl->log, below, &t.rtl);
    return t;
}

/* A record that only one side has stands beside one of something else: that one agrees with a later one. */
static void leave_alone(cs_compare_report *report)
{
    const cs_difference_row *row = &report->difference.rows[report->difference.first];
    cs_compare_tail *none = row->has_model ? &report->rtl : &report->model;
    const cs_compare_tail *some = row->has_model ? &report->model : &report->rtl;

    if ((row->has_model && row->has_rtl) || !none->has_record || !some->has_record)
        return;
    none->has_record = false;
    none->count--;
    report->cycle = row->has_model ? row->model.cycle : row->rtl.cycle;
    report->field = "record";
    report->model_value = report->rtl_value = 0;
}

/* A hash says nothing: the first byte behind it that differs does. */
static void look_behind_hash(cs_compare_report *report)
{
    const cs_difference_row *row = &report->difference.rows[report->difference.first];
    unsigned at = 0;

    if (strcmp(report->field, "value") != 0 || cs_difference_part(row, 1, &at) == 0)
        return;
    report->field = "data";
    report->address = row->model.addr + at - 1;
    report->model_value = row->model_data.data[at - 1];
    report->rtl_value = row->rtl_data.data[at - 1];
}

/* Both go on a little, so that it can be told what else differs. */
static cs_status look_further(cs_compare_report *report, side *model, side *rtl, const taken *t,
                              size_t agreed, cs_diag *diag)
{
    cs_difference *d = &report->difference;
    cs_record_list lists[2] = {{0}};
    const cs_cycle to = report->cycles + CHUNK_CYCLES;
    cs_status status;
    taken more;

    status = agreed < t->nr_model
                 ? cs_record_list_add(&lists[0], t->model + agreed, t->nr_model - agreed, diag)
                 : CS_OK;
    if (status == CS_OK && agreed < t->nr_rtl)
        status = cs_record_list_add(&lists[1], t->rtl + agreed, t->nr_rtl - agreed, diag);
    side_run(rtl, to);
    side_run(model, to);
    d->looked_to = model->finished < rtl->finished ? model->finished : rtl->finished;
    more = take(model, rtl, d->looked_to);
    if (status == CS_OK)
        status = cs_record_list_add(&lists[0], more.model, more.nr_model, diag);
    if (status == CS_OK)
        status = cs_record_list_add(&lists[1], more.rtl, more.nr_rtl, diag);
    if (status == CS_OK) {
        const cs_compare_tail *tail = report->model.has_record ? &report->model : &report->rtl;

        cs_difference_align(d, tail->records, tail->count - 1, &lists[0], &lists[1]);
        leave_alone(report);
        cs_difference_others(d, &lists[0], &lists[1]);
        cs_difference_data_of(d, model->data, rtl->data);
        look_behind_hash(report);
        cs_increments_tell(d, rtl->system);
    }
    cs_record_list_free(&lists[0]);
    cs_record_list_free(&lists[1]);
    return status;
}

/* *out: all of them agree. */
static cs_status compare_records(cs_compare_report *report, const cs_compare_options *options,
                                 side *model, side *rtl, bool *out, cs_diag *diag)
{
    const taken t = take(model, rtl, report->cycles);
    uint64_t ignored[2];

    if (options->coverage != NULL) {
        cs_coverage_see(options->coverage, CS_COVERAGE_MODEL, t.model, t.nr_model);
        cs_coverage_see(options->coverage, CS_COVERAGE_RTL, t.rtl, t.nr_rtl);
    }
    *out = true;
    for (size_t i = 0; i < t.nr_model || i < t.nr_rtl; i++) {
        const cs_probe_record *left = i < t.nr_model ? &t.model[i] : NULL;
        const cs_probe_record *right = i < t.nr_rtl ? &t.rtl[i] : NULL;

        if (left == NULL || right == NULL ||
            cs_probe_difference(left, right, &ignored[0], &ignored[1]) != NULL) {
            diverge(report, left, right);
            *out = false;
            return look_further(report, model, rtl, &t, i, diag);
        }
        cs_exercise_record(options->exercise, left);
        if (options->agreed != NULL)
            options->agreed(options->agreed_ctx, left);
        report->records++;
        report->of_kind[left->kind]++;
        tail_push(&report->model, left);
        tail_push(&report->rtl, right);
    }
    return CS_OK;
}

static void compare_ends(cs_compare_report *report, side *model, side *rtl)
{
    cs_cycle a = side_end(model);
    cs_cycle b = side_end(rtl);

    if (a == b)
        return;
    report->what = CS_COMPARE_END;
    report->field = "end";
    report->cycle = a < b ? a : b;
    report->model_value = a;
    report->rtl_value = b;
}

static void compare_memory(cs_compare_report *report, side *model, side *rtl)
{
    uint8_t a;
    uint8_t b;

    report->memory = true;
    report->memory_bytes =
        (uint64_t)cs_memory_pages(model->environment->memory) * CS_MEMORY_PAGE_BYTES;
    if (cs_memory_equal(model->environment->memory, rtl->environment->memory, &report->address, &a,
                        &b))
        return;
    report->what = CS_COMPARE_MEMORY;
    report->field = "byte";
    report->cycle = report->cycles;
    report->model_value = a;
    report->rtl_value = b;
    cs_difference_memory *m = &report->difference.memory;
    m->base = report->address - report->address % sizeof m->model;
    cs_memory_read(model->environment->memory, m->base, sizeof m->model, m->model);
    cs_memory_read(rtl->environment->memory, m->base, sizeof m->rtl, m->rtl);
}

/* After the first chunks it is known how fast this RTL is on this machine. */
static cs_status check_budget(const cs_scenario *scenario, const cs_compare_options *options,
                              const side *rtl, cs_cycle limit, cs_diag *diag)
{
    uint64_t total = cs_scenario_least_cycles(scenario);
    double seconds;

    if (limit != CS_NEVER && (total == 0 || limit < total))
        total = limit;
    if (options->budget_ns == 0 || total == 0 || rtl->finished == 0)
        return CS_OK;
    seconds = (double)rtl->wall_ns / (double)rtl->finished * (double)total * 1e-9;
    if (seconds * 1e9 <= (double)options->budget_ns)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, scenario->name,
                       "has about %.*f million cycles; the RTL would take about %.0f minutes for "
                       "them on this machine (%.0f kcycle/s). Compare the beginning with "
                       "--limit-cycles N, or all of it with --no-time-limit",
                       total < 100000000 ? 1 : 0, (double)total * 1e-6, seconds / 60 + 0.5,
                       (double)rtl->finished * 1e6 / (double)rtl->wall_ns);
}

static cs_status run_both(const cs_scenario *scenario, const cs_compare_options *options,
                          side *model, side *rtl, cs_compare_report *report, cs_diag *diag)
{
    cs_cycle limit = options->limit_cycles != 0 ? options->limit_cycles : CS_NEVER;
    cs_status status = CS_OK;
    bool probed = false;
    bool agree;

    if (scenario->limit_cycles != 0 && scenario->limit_cycles < limit)
        limit = scenario->limit_cycles;
    for (cs_cycle until = 0; until < limit && status == CS_OK;) {
        until = limit - until > CHUNK_CYCLES ? until + CHUNK_CYCLES : limit;
        side_run(rtl, until);
        side_run(model, until);
        report->cycles = model->finished < rtl->finished ? model->finished : rtl->finished;
        if (model->environment->status != CS_OK || rtl->environment->status != CS_OK)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, scenario->name,
                               "the simulation ran out of memory");
        status = compare_records(report, options, model, rtl, &agree, diag);
        if (status != CS_OK || !agree)
            return status;
        if (side_end(model) != CS_NEVER || side_end(rtl) != CS_NEVER)
            break;
        if (!probed && until >= 4 * CHUNK_CYCLES) {
            probed = true;
            status = check_budget(scenario, options, rtl, limit, diag);
        }
        if (options->progress != NULL)
            options->progress(options->progress_ctx, report->cycles);
    }
    if (status == CS_OK)
        compare_ends(report, model, rtl);
    /* Cut short, a write burst may be on its way in one side and done in the other. */
    if (status == CS_OK && report->what == CS_COMPARE_EQUAL && side_end(model) != CS_NEVER)
        compare_memory(report, model, rtl);
    if (status == CS_OK &&
        (cs_probe_log_status(model->log) != CS_OK || cs_probe_log_status(rtl->log) != CS_OK))
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the probe stream");
    return status;
}

/* All has agreed: whether enough was looked at. */
static cs_status judge(const cs_scenario *scenario, cs_exercise *exercise,
                       cs_compare_report *report, cs_diag *diag)
{
    char ignored[2];
    cs_status status;

    if (report->what != CS_COMPARE_EQUAL)
        return CS_OK;
    status = cs_exercise_end(exercise, scenario, diag);
    if (status != CS_OK)
        return status;
    if (cs_exercise_at(exercise, 0) == NULL)
        report->what = CS_COMPARE_NOTHING;
    else if (cs_exercise_idle(exercise, ignored, sizeof ignored) != 0)
        report->what = CS_COMPARE_IDLE;
    return CS_OK;
}

static cs_status compare_sides(const cs_scenario *scenario, const cs_compare_options *options,
                               cs_compare_report *report, cs_diag *diag)
{
    side model = {0};
    side rtl = {0};
    hearer h = {.options = options, .report = report};
    cs_status status;

    memset(report, 0, sizeof *report);
    if (options->coverage != NULL)
        cs_coverage_begin(options->coverage, scenario);
    status = side_create(&rtl, scenario, diag);
    if (status == CS_OK)
        status = cs_rtl_system_create(rtl.environment, &options->die, &rtl.system, diag);
    if (status == CS_OK)
        status = side_create(&model, scenario, diag);
    if (status == CS_OK)
        status = hear(&h, model.environment, diag);
    if (status == CS_OK)
        status = cs_model_system_create(model.environment, &model.system, diag);
    if (status == CS_OK)
        status = cs_rtl_system_parts(rtl.system, options->exercise, diag);
    if (status == CS_OK)
        status = run_both(scenario, options, &model, &rtl, report, diag);
    if (status == CS_OK)
        status = judge(scenario, options->exercise, report, diag);
    report->model_ns = model.wall_ns;
    report->rtl_ns = rtl.wall_ns;
    side_destroy(&model);
    side_destroy(&rtl);
    cs_soft_stream_destroy(h.stream);
    return status;
}

cs_status cs_compare(const cs_scenario *scenario, const cs_compare_options *options,
                     cs_compare_report *report, cs_diag *diag)
{
    cs_compare_options own = *options;
    cs_status status = CS_OK;

    if (own.exercise == NULL)
        status = cs_exercise_create(&own.exercise, diag);
    if (status == CS_OK)
        status = compare_sides(scenario, &own, report, diag);
    if (options->exercise == NULL)
        cs_exercise_destroy(own.exercise);
    return status;
}
