/* The PMCU's driver as a perf command, in two flavours. `faithful` is what the published patches of perf
 * record: the driver's AUX data. `stock` is for every perf: a sample of the PMCU's event for each
 * subsample, which has the subsample's bytes as RAW, and samples of the cores' events, whose period is
 * what was counted. Addresses, which the PMCU does not know, are 0: without any, `perf script` would ask
 * for options. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "formats/perf/abi/perf.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/section_list.h"
#include "traces/common/times.h"
#include "traces/family.h"
#include "traces/pmcu/pmcu_feed.h"

/* Of perf's decoder; in the patches the first number that was free. */
#define AUXTRACE_HISI_PMCU 7u

/* ---- events ---- */

/* The PMCU's own event (config and config1 as its driver takes them); then those that it counts on the
 * cores, the last of which is the cycle counter. */
static void open_events(cs_events_builder *b, const cs_perf_command *command)
{
    const cs_scenario *s = b->scenario;
    bool driver_cpu[CS_MAX_CPUS] = {false}, cpus[CS_MAX_CPUS] = {false};
    cs_trace_event *new;

    driver_cpu[s->software->cpu] = true;
    new = cs_events_add(b, command, 0, driver_cpu);
    if (new == NULL)
        return;
    new->type = cs_events_pmu_type(b, "hisi_pmcu_sccl0");
    new->config = s->pmcu_driver->nr_sample | (uint64_t)s->pmcu_driver->sample_period_ms << 32;
    new->config1 = s->pmcu_driver->pmccfiltr;
    new->period = 1;
    const bool whole =
        s->pmcu_driver->sample_period_ms != 0; /* else there are no bits for it in config */
    snprintf(new->name, sizeof new->name, "hisi_pmcu_sccl0/nr_sample=%u,sample_period_%s=%u/",
             s->pmcu_driver->nr_sample, whole ? "ms" : "ticks",
             whole ? s->pmcu_driver->sample_period_ms : s->pmcu_driver->sample_period_ticks);
    new->raw = !b->faithful;
    if (b->faithful)
        return;
    for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(s); cpu++)
        cpus[cpu] = true;
    for (unsigned k = 0; k < s->pmcu_driver->nr_user_events; k++) {
        const char *name = cs_arm_event_name(s->pmcu_driver->user_events[k]);

        new = cs_events_add(b, command, 1 + k, cpus);
        if (new == NULL)
            return;
        new->type = cs_events_pmu_type(b, "armv8_pmuv3_0");
        new->config = s->pmcu_driver->user_events[k];
        new->period = 1;
        if (name != NULL)
            snprintf(new->name, sizeof new->name, "%s", name);
        else
            snprintf(new->name, sizeof new->name, "armv8_pmuv3_0/event=0x%" PRIx32 "/",
                     s->pmcu_driver->user_events[k]);
    }
    /* The cycle counter is read with every group. */
    new = cs_events_add(b, command, 1 + s->pmcu_driver->nr_user_events, cpus);
    if (new == NULL)
        return;
    new->type = CS_PERF_TYPE_HARDWARE;
    new->period = 1;
    snprintf(new->name, sizeof new->name, "cycles");
}

/* ---- stock ---- */

static void put_raw(cs_trace_feed *f, size_t event, const cs_pmcu_fed *s)
{
    uint8_t *raw = malloc(s->bytes);

    if (raw == NULL) {
        cs_trace_feed_fail(f, CS_ERR_NO_MEMORY);
        return;
    }
    cs_memory_read(f->environment->memory, s->address, s->bytes, raw);
    cs_trace_feed_put(f, &(cs_trace_record){.event = event,
                                            .cpu = f->scenario->software->cpu,
                                            .time_ns = cs_trace_ns(f->scenario, s->cycle),
                                            .period = 1,
                                            .raw = raw,
                                            .raw_bytes = s->bytes});
    free(raw);
}

static void fed(void *ctx, const cs_pmcu_fed *s)
{
    cs_trace_feed *f = ctx;
    const size_t own = cs_trace_events_find(f->events, &cs_trace_family_pmcu, 0, 0);
    const size_t first = own + 1, cycle_counter = first + f->scenario->pmcu_driver->nr_user_events;
    cs_trace_record record = {.time_ns = cs_trace_ns(f->scenario, s->cycle)};

    if (f->sink.raw)
        put_raw(f, own, s);
    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++)
        for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++) {
            const size_t event =
                i == s->nr_events ? cycle_counter : first + (size_t)s->subsample * s->nr_events + i;

            if (i < s->nr_events && event >= cycle_counter)
                continue; /* padding */
            record.event = event;
            record.cpu = cpu;
            record.pid = record.tid = s->cid1[cpu];
            record.period = s->values[i * s->nr_cpus + cpu];
            cs_trace_feed_put(f, &record);
        }
}

static cs_pmcu_feed *feed_of(void *ctx)
{
    return cs_trace_feed_state(ctx, &cs_trace_family_pmcu);
}

static void subsample(void *ctx, const cs_soft_record *record)
{
    cs_pmcu_feed_subsample(feed_of(ctx), record->what);
}

static void trigger(void *ctx, const cs_soft_record *record)
{
    cs_pmcu_feed_trigger(feed_of(ctx), record->what);
}

static void stock_aux(void *ctx, const cs_soft_record *record)
{
    cs_pmcu_feed_aux(feed_of(ctx), record->what);
    cs_trace_feed_fail(ctx, cs_pmcu_feed_status(feed_of(ctx)));
}

/* ---- both ---- */

static void faithful_aux(void *ctx, const cs_soft_record *record)
{
    const cs_trace_feed *f = ctx;
    const cs_pmcu_aux_stretch *stretch = record->what;

    f->sink.aux(f->sink.ctx, record->cycle, stretch->address, stretch->bytes);
}

static cs_status listen(cs_trace_feed *f, void **state, cs_run_listener *listener, cs_diag *diag)
{
    cs_pmcu_feed *feed = NULL;
    cs_status status;

    if (cs_trace_is_faithful(f->request)) {
        cs_run_hear(listener, &cs_soft_pmcu_aux, faithful_aux);
        return CS_OK;
    }
    cs_run_hear(listener, &cs_soft_pmcu_subsample, subsample);
    cs_run_hear(listener, &cs_soft_pmcu_trigger, trigger);
    cs_run_hear(listener, &cs_soft_pmcu_aux, stock_aux);
    status = cs_pmcu_feed_create(fed, f, &feed, diag);
    *state = feed;
    return status;
}

static void begin(cs_trace_feed *f, void *state)
{
    cs_pmcu_feed_begin(
        state, cs_pmcu_driver_get_layout(cs_pmcu_driver_of(f->environment))->subsamples_per_sample);
}

static void destroy(void *state)
{
    cs_pmcu_feed_destroy(state);
}

static const cs_trace_aux aux = {"the PMCU", AUXTRACE_HISI_PMCU};

const cs_trace_family cs_trace_family_pmcu = {
    .section = &cs_section_pmcu_driver,
    .cpu = &cs_trace_cpu_arm,
    .open = open_events,
    .aux = &aux,
    .listen = listen,
    .begin = begin,
    .destroy = destroy,
};
