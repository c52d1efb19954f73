/* What a run hears while it goes on. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "results/perf_truth.h"
#include "results/run_impl.h"

/* Calls a function of the listener, if it has it. */
#define TELL(r, what, ...)                                                                         \
    do {                                                                                           \
        if ((r)->listener.what != NULL)                                                            \
            (r)->listener.what((r)->listener.ctx, __VA_ARGS__);                                    \
    } while (0)

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
    TELL(r, probe, p);
    if (r->probe == NULL)
        return;
    fprintf(r->probe,
            "%" PRIu64 ",%s,%u,%u,%u,%u,0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu32 ",%" PRIu64
            ",%" PRIu64 "\n",
            p->cycle, kind_names[p->kind], p->source, p->index, p->write, p->resp, p->addr,
            p->value, p->bytes, p->request, p->grant);
}

static void subsample(void *ctx, const cs_subsample *s)
{
    cs_running *r = ctx;

    cs_truth_subsample(r->truth, s);
    TELL(r, subsample, s);
}

/* perf reads what the driver hands over before the hardware comes round again. */
static cs_status write_aux(void *ctx, const uint8_t *data, size_t bytes)
{
    cs_running *r = ctx;

    r->aux_bytes += bytes;
    TELL(r, aux, data, bytes, r->aux_bytes == r->environment->aux_bytes);
    return fwrite(data, 1, bytes, r->aux) == bytes ? CS_OK : CS_ERR_IO;
}

static void trigger(void *ctx, const cs_pmcu_trigger *t)
{
    cs_running *r = ctx;

    r->triggers++;
    TELL(r, trigger, t);
}

static void software(void *ctx, unsigned cpu, cycle_t cycle, unsigned track)
{
    cs_running *r = ctx;

    if (r->activity != NULL)
        cs_activity_software(r->activity, cpu, cycle, track);
    TELL(r, software, cpu, cycle, track);
}

static void keep_status(cs_running *r, cs_status status)
{
    if (r->environment->status == CS_OK)
        r->environment->status = status;
}

/* Records go to their files as they are made: no run keeps them in memory. */
static void imc_sample(void *ctx, const cs_imc_sample *s)
{
    cs_running *r = ctx;

    TELL(r, imc_sample, s);
    if (r->scenario->keep->samples_truth)
        cs_truth_imc_sample(r->truth, s);
    if (s->bytes == NULL || r->records == NULL)
        return;
    if (!cs_record_files_put(r->records, s->cpu, s->bytes))
        keep_status(r, CS_ERR_IO);
}

static void opened(void *ctx, unsigned command, cs_imc_error error, const char *reason)
{
    const cs_running *r = ctx;

    TELL(r, opened, command, error, reason);
    if (error != CS_IMC_GOOD)
        cs_running_warn(r->result, "imc_driver.perf.%u: the kernel refuses it: %s, %s", command,
                        cs_imc_error_name(error), reason);
}

static void add_count(cs_running *r, const cs_perf_count *count)
{
    cs_perf_count *counts = cs_room(r->counts, &r->room, r->nr_counts, sizeof *counts);

    if (counts == NULL) {
        keep_status(r, CS_ERR_NO_MEMORY);
        return;
    }
    r->counts = counts;
    r->counts[r->nr_counts++] = *count;
    cs_truth_count(r->truth, count);
}

static void perf_count(void *ctx, const cs_imc_count *c)
{
    cs_running *r = ctx;
    const cs_perf_count count = cs_perf_count_of(r->scenario, r->environment->timelines, c);

    TELL(r, count, c, &count);
    add_count(r, &count);
}

static void perf_sample(void *ctx, const cs_imc_perf_sample *s)
{
    cs_running *r = ctx;
    const cs_perf_sample sample = {s->command, s->cpu, s->ip, s->pid, s->time, s->misc};

    r->perf_samples++;
    r->sampled = true;
    cs_functions_add(r->functions, s->cpu, s->ip);
    TELL(r, perf_sample, s);
    if (r->scenario->keep->samples_truth)
        cs_truth_perf_sample(r->truth, &sample);
}

static void hart_begun(void *ctx, const cs_riscv_which *which, int error, int counter,
                       cycle_t adding)
{
    cs_running *r = ctx;

    TELL(r, hart_begun, which, error, counter, adding);
    if (error == 0)
        cs_hart_collector_begun(r->harts, which, counter, adding);
    else
        cs_running_warn(r->result, "riscv.perf.%u: the kernel refuses %s on hart %u: %s",
                        which->command,
                        r->scenario->riscv->perf[which->command].events[which->event], which->hart,
                        strerror(-error));
}

static void hart_count(void *ctx, const cs_riscv_count *c)
{
    cs_running *r = ctx;
    const cs_riscv_perf_spec *p = &r->scenario->riscv->perf[c->which.command];
    const cs_hart_count truth = cs_hart_collector_count(r->harts, c);
    const cs_perf_count count = {
        .command = c->which.command,
        .pmu = p->guest ? "guest" : "riscv",
        .event = p->events[c->which.event],
        .cpu = cs_scenario_hart_cpu(r->scenario, c->which.hart),
        .from = truth.from,
        .to = truth.to,
        .raw = c->value,
        .value = (double)c->value,
        .truth = truth.truth,
        .counted = truth.counted,
        .has_counted = true,
    };

    TELL(r, hart_count, c, &count);
    add_count(r, &count);
}

static void hart_sample(void *ctx, const cs_riscv_which *which, const cs_riscv_sample *sample)
{
    cs_running *r = ctx;
    const cs_truth_hart_sample s = {*which, cs_scenario_hart_cpu(r->scenario, which->hart), sample,
                                    cs_hart_collector_sample(r->harts, which, sample)};

    TELL(r, hart_sample, which, sample);
    if (sample->chain != NULL && !sample->lost && s.truth.interrupted.function != NULL &&
        (sample->misc == CS_RISCV_MISC_KERNEL || sample->misc == CS_RISCV_MISC_USER))
        cs_call_paths_add(r->paths, which->command, s.truth.interrupted.function->number);
    if (r->scenario->keep->samples_truth)
        cs_truth_hart_sample_put(r->truth, &s);
}

static void hart_data(void *ctx, unsigned hart, bool guest, const void *bytes, size_t length)
{
    cs_running *r = ctx;

    TELL(r, hart_data, hart, guest, bytes, length);
    if (r->rings != NULL && !cs_ring_files_put(r->rings, hart, guest, bytes, length))
        keep_status(r, CS_ERR_IO);
}

static void rotated(void *ctx, const cs_rotated_count *count)
{
    cs_running *r = ctx;
    const cs_rotated_result *result = cs_rotation_results_add(r->rotated, count);

    if (r->uncore != NULL)
        cs_uncore_collector_count(r->uncore, count);
    if (result == NULL) {
        keep_status(r, CS_ERR_NO_MEMORY);
        return;
    }
    TELL(r, rotated, result);
    if (count->final || r->scenario->keep->samples_truth)
        cs_truth_rotated(r->truth, result);
}

cs_probe_sink cs_running_sink(cs_running *r)
{
    return (cs_probe_sink){.record = record, .ctx = r, .no_hashes = !r->scenario->keep->probe};
}

cs_collector_listener cs_running_subsamples(cs_running *r)
{
    return (cs_collector_listener){.subsample = subsample, .ctx = r};
}

cs_imc_collector_listener cs_running_imc_samples(cs_running *r)
{
    return (cs_imc_collector_listener){.sample = imc_sample, .ctx = r};
}

cs_environment_outputs cs_running_outputs(cs_running *r)
{
    return (cs_environment_outputs){
        .aux = write_aux,
        .aux_ctx = r,
        .trigger = trigger,
        .trigger_ctx = r,
        .opened = opened,
        .count = perf_count,
        .perf_sample = perf_sample,
        .perf_ctx = r,
        .rotated = rotated,
        .rotated_ctx = r,
        .riscv = {hart_begun, hart_count, hart_sample, hart_data, r},
        .software = software,
        .software_ctx = r,
    };
}
