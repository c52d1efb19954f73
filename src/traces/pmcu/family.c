// SPDX-License-Identifier: Apache-2.0
/* The PMCUs' drivers as a perf command, with an event a die, in two flavours. `faithful` is what the published patches of perf
 * record: the driver's AUX data. `stock` is for every perf: a sample of the PMCU's event for each
 * subsample, which has the subsample's bytes as RAW, and samples of the cores' events, whose period is
 * what was counted. Addresses, which the PMCU does not know, are 0: without any, `perf script` would ask
 * for options. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/section_list.h"
#include "traces/common/times.h"
#include "traces/family.h"
#include "traces/pmcu/pmcu_feed.h"
#include <countersink/formats/perf/abi/perf.h>

/* Of perf's decoder; in the patches the first number that was free. Today's perf has given it to
 * POWER's dispatch trace log. */
#define AUXTRACE_HISI_PMCU 7u

#define CLUSTER_SLOTS 8u

/* Numbers of a die's events in the command: its own (0), those that it counts, the cycle counter. */
#define EVENTS_OF_DIE (2 + CS_MAX_USER_EVENTS)

/* ---- events ---- */

static const cs_pmcu_program *program_of(const cs_scenario *s, unsigned die)
{
    return &s->pmcu_driver->programs[die];
}

/* The PMU's own event: config and config1 as its driver takes them; on the CPU that manages it. */
static void open_own(cs_events_builder *b, const cs_perf_command *command, unsigned die)
{
    const cs_pmcu_program *p = program_of(b->scenario, die);
    const bool whole = p->sample_period_ms != 0; /* else there are no bits for it in config */
    bool cpus[CS_MAX_CPUS] = {false};
    char pmu[32];
    cs_trace_event *new;

    cpus[p->cpu] = true;
    new = cs_events_add(b, command, die * EVENTS_OF_DIE, cpus);
    if (new == NULL)
        return;
    snprintf(pmu, sizeof pmu, "hisi_pmcu_sccl%u", p->sccl);
    new->type = cs_events_pmu_type(b, pmu);
    new->config = p->nr_sample | (uint64_t)p->sample_period_ms << 32;
    new->config1 = p->pmccfiltr;
    new->period = 1;
    snprintf(new->name, sizeof new->name, "%s/nr_sample=%u,sample_period_%s=%u/", pmu, p->nr_sample,
             whole ? "ms" : "ticks", whole ? p->sample_period_ms : p->sample_period_ticks);
    new->raw = !b->faithful;
}

/* What it counts on its cores; the last is the cycle counter, which is read with every group. */
static void open_counted(cs_events_builder *b, const cs_perf_command *command, unsigned die)
{
    const cs_pmcu_program *p = program_of(b->scenario, die);
    const unsigned nr_cpus = cs_scenario_die_cpus(b->scenario);
    const unsigned first = die * EVENTS_OF_DIE + 1;
    bool cpus[CS_MAX_CPUS] = {false};
    cs_trace_event *new;

    for (unsigned i = 0; i < nr_cpus; i++)
        cpus[die * nr_cpus + i] = true;
    for (unsigned k = 0; k < p->nr_user_events; k++) {
        const char *name = cs_arm_event_name(p->user_events[k]);

        new = cs_events_add(b, command, first + k, cpus);
        if (new == NULL)
            return;
        new->type = cs_events_pmu_type(b, "armv8_pmuv3_0");
        new->config = p->user_events[k];
        new->period = 1;
        if (name != NULL)
            snprintf(new->name, sizeof new->name, "%s", name);
        else
            snprintf(new->name, sizeof new->name, CS_ARM_EVENT_PERF, (unsigned)p->user_events[k]);
    }
    new = cs_events_add(b, command, first + p->nr_user_events, cpus);
    if (new == NULL)
        return;
    new->type = CS_PERF_TYPE_HARDWARE;
    new->period = 1;
    snprintf(new->name, sizeof new->name, "cycles");
}

/* `perf record -e hisi_pmcu_sccl0/../ -e hisi_pmcu_sccl1/../`: die by die. */
static void open_events(cs_events_builder *b, const cs_perf_command *command)
{
    for (unsigned die = 0; die < b->scenario->pmcu->dies; die++) {
        if (!program_of(b->scenario, die)->runs)
            continue;
        open_own(b, command, die);
        if (!b->faithful)
            open_counted(b, command, die);
    }
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
                                            .cpu = program_of(f->scenario, s->die)->cpu,
                                            .time_ns = cs_trace_ns(f->scenario, s->cycle),
                                            .period = 1,
                                            .raw = raw,
                                            .raw_bytes = s->bytes});
    free(raw);
}

static void fed(void *ctx, const cs_pmcu_fed *s)
{
    cs_trace_feed *f = ctx;
    const size_t own =
        cs_trace_events_find(f->events, &cs_trace_family_pmcu, 0, s->die * EVENTS_OF_DIE);
    const size_t first = own + 1;
    const size_t cycle_counter = first + program_of(f->scenario, s->die)->nr_user_events;
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
            record.cpu = s->first_cpu + cpu;
            record.pid = record.tid = s->pids[cpu];
            record.period = s->values[i * s->nr_cpus + cpu];
            cs_trace_feed_put(f, &record);
        }
}

/* Of each die. */
typedef struct feeds {
    cs_pmcu_feed *list[CS_MAX_DIES];
} feeds;

static cs_pmcu_feed *feed_of(void *ctx, unsigned die)
{
    return ((feeds *)cs_trace_feed_state(ctx, &cs_trace_family_pmcu))->list[die];
}

static void subsample(void *ctx, const cs_soft_record *record)
{
    const cs_pmcu_subsample *s = cs_told_pmcu_subsample(record);

    if (feed_of(ctx, s->die) != NULL)
        cs_pmcu_feed_subsample(feed_of(ctx, s->die), s);
}

static void trigger(void *ctx, const cs_soft_record *record)
{
    const cs_pmcu_trigger *trigger = cs_told_pmcu_trigger(record);

    cs_pmcu_feed_trigger(feed_of(ctx, trigger->die), trigger);
}

static void stock_aux(void *ctx, const cs_soft_record *record)
{
    const cs_pmcu_aux_stretch *stretch = cs_told_pmcu_aux(record);
    cs_pmcu_feed *feed = feed_of(ctx, stretch->die);

    cs_pmcu_feed_aux(feed, stretch);
    cs_trace_feed_fail(ctx, cs_pmcu_feed_status(feed));
}

/* ---- both ---- */

static void faithful_aux(void *ctx, const cs_soft_record *record)
{
    const cs_trace_feed *f = ctx;
    const cs_pmcu_aux_stretch *stretch = cs_told_pmcu_aux(record);
    const size_t event =
        cs_trace_events_find(f->events, &cs_trace_family_pmcu, 0, stretch->die * EVENTS_OF_DIE);

    f->sink.aux(f->sink.ctx, event, record->cycle, stretch->address, stretch->bytes,
                stretch->truncated);
}

static cs_status listen(cs_trace_feed *f, void **state, cs_run_listener *listener, cs_diag *diag)
{
    feeds *all;
    cs_status status = CS_OK;

    if (cs_trace_is_faithful(f->request)) {
        cs_run_hear(listener, &cs_soft_pmcu_aux, faithful_aux);
        return CS_OK;
    }
    cs_run_hear(listener, &cs_soft_pmcu_subsample, subsample);
    cs_run_hear(listener, &cs_soft_pmcu_trigger, trigger);
    cs_run_hear(listener, &cs_soft_pmcu_aux, stock_aux);
    *state = all = calloc(1, sizeof *all);
    if (all == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for subsamples");
    for (unsigned die = 0; die < f->scenario->pmcu->dies && status == CS_OK; die++)
        if (program_of(f->scenario, die)->runs)
            status = cs_pmcu_feed_create(fed, f, &all->list[die], diag);
    return status;
}

static void begin(cs_trace_feed *f, void *state)
{
    const feeds *all = state;

    for (unsigned die = 0; die < CS_MAX_DIES; die++) {
        const cs_pmcu_driver *driver = cs_pmcu_driver_of(f->environment, die);

        if (all->list[die] != NULL)
            cs_pmcu_feed_begin(all->list[die],
                               cs_pmcu_driver_get_layout(driver)->subsamples_per_sample);
    }
}

static void destroy(void *state)
{
    feeds *all = state;

    for (unsigned die = 0; all != NULL && die < CS_MAX_DIES; die++)
        cs_pmcu_feed_destroy(all->list[die]);
    free(all);
}

/* The patches' decoder takes an eighth of the slots for the number of clusters. With fewer it gets
 * no further than the header, and never ends. */
static cs_status check_slots(const cs_scenario *s, cs_diag *diag)
{
    if (s->pmcu->slots == CLUSTER_SLOTS)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                       "pmcu.slots: %u; flavour faithful needs clusters of %u slots, because the "
                       "published decoder assumes them; corepmu.absent leaves slots without a core",
                       s->pmcu->slots, CLUSTER_SLOTS);
}

/* perf record has the kernel wake it when half of the AUX area is full. */
static uint64_t watermark(const cs_scenario *s)
{
    return s->pmcu_driver->aux_buffer_bytes * s->pmcu_driver->aux_buffers / 2;
}

static const cs_trace_aux aux = {"the PMCU", AUXTRACE_HISI_PMCU, check_slots, watermark};

const cs_trace_family cs_trace_family_pmcu = {
    .section = &cs_section_pmcu_driver,
    .cpu = &cs_trace_cpu_arm,
    .open = open_events,
    .aux = &aux,
    .listen = listen,
    .begin = begin,
    .destroy = destroy,
};
