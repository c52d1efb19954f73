/* What a run hears while it goes on. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "results/imc/perf_truth.h"
#include "results/run_impl.h"

static const char *const kind_names[] = {"bus", "reg", "state", "irq", "sample"};

void cs_running_warn(cs_run_result *result, const char *format, ...)
{
    va_list args;

    if (result->nr_warnings == CS_RUN_MAX_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(result->warnings[result->nr_warnings++], sizeof result->warnings[0], format, args);
    va_end(args);
}

static void record(void *ctx, const cs_probe_record *p)
{
    cs_running *r = ctx;

    cs_probe_emit(&r->collector_sink, p);
    cs_probe_emit(&r->imc_sink, p);
    cs_probe_emit(&r->posts_sink, p);
    cs_probe_emit(&r->hart_sink, p);
    cs_probe_emit(&r->pages_sink, p); /* it asks the collector of harts */
    cs_probe_emit(&r->uncore_sink, p);
    cs_probe_emit(&r->activity_sink, p);
    if (r->listener.probe != NULL)
        r->listener.probe(r->listener.ctx, p);
    if (r->probe == NULL)
        return;
    fprintf(r->probe,
            "%" PRIu64 ",%s,%u,%u,%u,%u,0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu32 ",%" PRIu64
            ",%" PRIu64 "\n",
            p->cycle, kind_names[p->kind], p->source, p->index, p->write, p->resp, p->addr,
            p->value, p->bytes, p->request, p->grant);
}

static void keep_status(cs_running *r, cs_status status)
{
    if (r->environment->status == CS_OK)
        r->environment->status = status;
}

static void subsample(void *ctx, const cs_soft_record *record)
{
    const cs_running *r = ctx;

    cs_truth_subsample(r->truth, record->what);
}

static cs_status write_aux(void *ctx, const uint8_t *data, size_t bytes)
{
    return fwrite(data, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

/* perf reads what the driver hands over before the hardware comes round again. */
static void aux(void *ctx, const cs_soft_record *record)
{
    cs_running *r = ctx;
    const cs_pmcu_aux_stretch *stretch = record->what;

    r->aux_bytes += stretch->bytes;
    keep_status(r, cs_memory_save(r->environment->memory, stretch->address, stretch->bytes,
                                  write_aux, r->aux));
}

static void trigger(void *ctx, const cs_soft_record *record)
{
    (void)record;
    ((cs_running *)ctx)->triggers++;
}

static void track(void *ctx, const cs_soft_record *record)
{
    const cs_running *r = ctx;
    const cs_track_change *change = record->what;

    if (r->activity != NULL)
        cs_activity_software(r->activity, record->cpu, record->cycle, change->track);
}

/* Records go to their files as they are made: no run keeps them in memory. */
static void imc_record(void *ctx, const cs_soft_record *record)
{
    cs_running *r = ctx;
    const cs_imc_sample *s = record->what;

    if (r->scenario->keep->samples_truth)
        cs_truth_imc_sample(r->truth, s);
    if (s->bytes == NULL || r->records == NULL)
        return;
    if (!cs_record_files_put(r->records, s->cpu, s->bytes))
        keep_status(r, CS_ERR_IO);
}

static void imc_opened(void *ctx, const cs_soft_record *record)
{
    const cs_running *r = ctx;
    const cs_imc_opened *o = record->what;

    if (o->error != CS_IMC_GOOD)
        cs_running_warn(r->result, "imc_driver.perf.%u: the kernel refuses it: %s, %s", o->command,
                        cs_imc_error_name(o->error), o->reason);
}

static void add_count(cs_running *r, const cs_perf_count *count, const cs_soft_record *of)
{
    cs_perf_count *counts = cs_room(r->counts, &r->room, r->nr_counts, sizeof *counts);

    if (counts == NULL) {
        keep_status(r, CS_ERR_NO_MEMORY);
        return;
    }
    r->counts = counts;
    r->counts[r->nr_counts++] = *count;
    cs_truth_count(r->truth, count);
    cs_soft_emit(&r->soft, &cs_soft_perf_count, of->cycle, count->cpu, &(cs_told_count){count, of});
}

static void imc_count(void *ctx, const cs_soft_record *record)
{
    cs_running *r = ctx;
    const cs_perf_count count =
        cs_perf_count_of(r->scenario, r->environment->timelines, record->what);

    add_count(r, &count, record);
}

static void imc_sample(void *ctx, const cs_soft_record *record)
{
    cs_running *r = ctx;
    const cs_imc_perf_sample *s = record->what;
    const cs_perf_sample sample = {s->command, s->cpu, s->ip, s->pid, s->time, s->misc};

    r->perf_samples++;
    r->sampled = true;
    cs_functions_add(r->functions, s->cpu, s->ip);
    if (r->scenario->keep->samples_truth)
        cs_truth_perf_sample(r->truth, &sample);
}

static void hart_opened(void *ctx, const cs_soft_record *record)
{
    const cs_running *r = ctx;
    const cs_riscv_opened *o = record->what;
    const cs_riscv_which *which = &o->which;

    if (o->error == 0)
        cs_hart_collector_begun(r->harts, which, o->counter, o->adding);
    else
        cs_running_warn(r->result, "riscv.perf.%u: the kernel refuses %s on hart %u: %s",
                        which->command,
                        r->scenario->riscv->perf[which->command].events[which->event], which->hart,
                        strerror(-o->error));
}

static void hart_count(void *ctx, const cs_soft_record *record)
{
    cs_running *r = ctx;
    const cs_riscv_count *c = record->what;
    const cs_riscv_perf_spec *p = &r->scenario->riscv->perf[c->which.command];
    const cs_hart_count truth = cs_hart_collector_count(r->harts, c);
    const cs_perf_count count = {
        .command = c->which.command,
        .pmu = p->guest ? "guest" : "riscv",
        .event = p->events[c->which.event],
        .cpu = record->cpu,
        .from = truth.from,
        .to = truth.to,
        .raw = c->value,
        .value = (double)c->value,
        .truth = truth.truth,
        .counted = truth.counted,
        .has_counted = true,
    };

    add_count(r, &count, record);
}

static void hart_sample(void *ctx, const cs_soft_record *record)
{
    const cs_running *r = ctx;
    const cs_riscv_taken *taken = record->what;
    const cs_riscv_which *which = &taken->which;
    const cs_riscv_sample *sample = taken->sample;
    const cs_truth_hart_sample s = {*which, record->cpu, sample,
                                    cs_hart_collector_sample(r->harts, which, sample)};

    if (sample->chain != NULL && !sample->lost && s.truth.interrupted.function != NULL &&
        (sample->misc == CS_RISCV_MISC_KERNEL || sample->misc == CS_RISCV_MISC_USER))
        cs_call_paths_add(r->paths, which->command, s.truth.interrupted.function->number);
    if (r->scenario->keep->samples_truth)
        cs_truth_hart_sample_put(r->truth, &s);
}

static void hart_data(void *ctx, const cs_soft_record *record)
{
    cs_running *r = ctx;
    const cs_riscv_data *d = record->what;

    if (r->rings != NULL && !cs_ring_files_put(r->rings, d->hart, d->guest, d->bytes, d->length))
        keep_status(r, CS_ERR_IO);
}

static void rotated(void *ctx, const cs_soft_record *record)
{
    cs_running *r = ctx;
    const cs_rotated_count *count = record->what;
    const cs_rotated_result *result = cs_rotation_results_add(r->rotated, count);

    if (r->uncore != NULL)
        cs_uncore_collector_count(r->uncore, count);
    if (result == NULL) {
        keep_status(r, CS_ERR_NO_MEMORY);
        return;
    }
    cs_soft_emit(&r->soft, &cs_soft_rotated_result, record->cycle, record->cpu, result);
    if (count->final || r->scenario->keep->samples_truth)
        cs_truth_rotated(r->truth, result);
}

cs_probe_sink cs_running_sink(cs_running *r)
{
    return (cs_probe_sink){.record = record, .ctx = r, .no_hashes = !r->scenario->keep->probe};
}

cs_status cs_running_listen(cs_running *r, cs_diag *diag)
{
    static const cs_soft_hearing hearings[] = {
        {&cs_soft_track, track},
        {&cs_soft_pmcu_aux, aux},
        {&cs_soft_pmcu_trigger, trigger},
        {&cs_soft_pmcu_subsample, subsample},
        {&cs_soft_imc_opened, imc_opened},
        {&cs_soft_imc_count, imc_count},
        {&cs_soft_imc_sample, imc_sample},
        {&cs_soft_imc_record, imc_record},
        {&cs_soft_riscv_opened, hart_opened},
        {&cs_soft_riscv_count, hart_count},
        {&cs_soft_riscv_sample, hart_sample},
        {&cs_soft_riscv_data, hart_data},
        {&cs_soft_rotated, rotated},
        {NULL, NULL},
    };
    cs_status status = cs_soft_stream_create(&r->stream, diag);

    if (status == CS_OK)
        status = cs_soft_stream_join(r->stream, hearings, r, diag);
    if (status == CS_OK)
        status = cs_soft_stream_join(r->stream, r->listener.hearings, r->listener.ctx, diag);
    if (status == CS_OK)
        r->soft = cs_soft_stream_sink(r->stream);
    return status;
}

void cs_run_hear(cs_run_listener *listener, const cs_soft_kind *kind,
                 void (*hear)(void *ctx, const cs_soft_record *record))
{
    for (unsigned i = 0; i + 1 < CS_RUN_MAX_HEARINGS; i++)
        if (listener->hearings[i].kind == NULL) {
            listener->hearings[i] = (cs_soft_hearing){kind, hear};
            return;
        }
}
