/* The format `script`: a line for each sample that perf gets of harts and of IMC. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/hpm/riscv.h"
#include "drivers/imc/imc_driver.h"
#include "formats/script/abi/script.h"
#include "scenario/hpm/hart_cpus.h"
#include "traces/common/events.h"
#include "traces/common/ring_feed.h"
#include "traces/common/times.h"
#include "traces/format.h"

typedef struct script {
    const cs_scenario *scenario;
    cs_trace_events *events;
    const char *name;
    FILE *file;
    cs_ring_feed ring;
    cs_status status; /* of the rings */
} script;

static void put(script *t, size_t event, unsigned pid, unsigned cpu, uint64_t ns, uint64_t period,
                uint64_t ip)
{
    if (event < t->events->nr)
        fprintf(t->file, "%5u [%03u] %5" PRIu64 ".%09" PRIu64 ": %10" PRIu64 " %s: %16" PRIx64 "\n",
                pid, cpu, ns / 1000000000, ns % 1000000000, period, t->events->list[event].name,
                ip);
}

static void imc_sample(void *ctx, const cs_soft_record *record)
{
    const script *t = ctx;
    const cs_imc_perf_sample *s = record->what;
    const size_t event = cs_trace_events_find(
        t->events, s->by_interrupt ? CS_TRACE_PMI : CS_TRACE_IMC, s->command, 0);

    put(ctx, event, s->pid, s->cpu, cs_trace_ns(t->scenario, s->time), s->period, s->ip);
}

static void ring_record(void *ctx, unsigned hart, bool guest, const cs_perf_record *r)
{
    const script *t = ctx;
    const size_t event = cs_trace_events_find(t->events, CS_TRACE_HART, cs_ring_command(r->id),
                                              cs_ring_event(r->id));

    (void)guest;
    if (r->type == CS_PERF_REC_SAMPLE)
        put(ctx, event, r->pid, cs_scenario_hart_cpu(t->scenario, hart),
            cs_trace_hart_ns(t->scenario, r->time), r->period, r->ip);
}

static void hart_data(void *ctx, const cs_soft_record *record)
{
    script *t = ctx;
    const cs_riscv_data *d = record->what;

    if (!cs_ring_feed_put(&t->ring, d->hart, d->guest, d->bytes, d->length))
        t->status = CS_ERR_FORMAT;
}

static void close_script(void *state)
{
    script *t = state;

    if (t->file != NULL)
        fclose(t->file);
    cs_trace_events_destroy(t->events);
    free(t);
}

static cs_status end(void *ctx, cycle_t cycle, cs_diag *diag)
{
    script *t = ctx;

    (void)cycle;
    if (fflush(t->file) != 0 || ferror(t->file) != 0)
        return cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    return t->status == CS_OK ? CS_OK
                              : cs_diag_set(diag, t->status, t->name, "the rings hold no records");
}

static cs_status open_script(const cs_trace_place *place, void **state, cs_run_listener *listener,
                             cs_diag *diag)
{
    script *t = calloc(1, sizeof *t);

    *state = t;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->scenario = place->scenario;
    t->name = place->request->output;
    t->ring.record = ring_record;
    t->ring.ctx = t;
    *listener = (cs_run_listener){.end = end, .ctx = t};
    cs_run_hear(listener, &cs_soft_imc_sample, imc_sample);
    cs_run_hear(listener, &cs_soft_riscv_data, hart_data);
    cs_status status = cs_trace_events_create(t->scenario, place->request, true, &t->events, diag);
    if (status == CS_OK && (t->events->nr == 0 || t->events->list[0].source >= CS_TRACE_PMCU))
        status = cs_diag_set(diag, CS_ERR_SCENARIO, t->scenario->source,
                             "format script needs a perf command that samples harts or IMC");
    if (status == CS_OK && (t->file = fopen(place->path, "wb")) == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    if (status == CS_OK)
        fputs(CS_SCRIPT_TITLE, t->file);
    if (status != CS_OK) {
        close_script(t);
        *state = NULL;
    }
    return status;
}

const cs_trace_format cs_trace_script = {
    .check = cs_trace_command_check, .open = open_script, .close = close_script};
