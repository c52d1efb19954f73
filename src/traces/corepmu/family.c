// SPDX-License-Identifier: Apache-2.0
/* perf on the CPUs' own events, by Arm's numbers. */
#include <inttypes.h>
#include <stdio.h>

#include "drivers/corepmu/arm_pmu.h"
#include "drivers/told.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/section_list.h"
#include "traces/common/times.h"
#include "traces/family.h"
#include <countersink/formats/perf/abi/perf.h>

static cs_trace_event *open_event(cs_events_builder *b, const cs_perf_command *command, unsigned k,
                                  uint32_t event, const bool *cpus)
{
    const char *name = cs_arm_event_name(event);
    cs_trace_event *new = cs_events_add(b, command, k, cpus);

    if (new == NULL)
        return NULL;
    new->type = CS_PERF_TYPE_RAW;
    new->config = event;
    if (name != NULL)
        snprintf(new->name, sizeof new->name, "%s", name);
    else
        snprintf(new->name, sizeof new->name, "r%" PRIx32, event);
    return new;
}

static void open_arm(cs_events_builder *b, const cs_perf_command *command)
{
    const cs_arm_pmu_spec *p = b->scenario->arm_pmu;

    for (unsigned k = 0; k < p->nr_events; k++) {
        cs_trace_event *new = open_event(b, command, k, p->events[k], p->cpus);

        if (new == NULL)
            return;
        if (p->command == CS_ARM_STAT)
            new->rotated = CS_CPU_PMU_NAME;
        new->turn = p->events[k];
        new->period = p->period;
    }
}

static void sample(void *ctx, const cs_soft_record *record)
{
    cs_trace_feed *f = ctx;
    const cs_arm_sample *s = cs_told_arm_sample(record);

    cs_trace_feed_put(
        f, &(cs_trace_record){
               .event = cs_trace_events_find(f->events, &cs_trace_family_arm_pmu, 0, s->event),
               .cpu = record->cpu,
               .time_ns = cs_trace_ns(f->scenario, record->cycle),
               .pid = s->pid,
               .tid = s->pid,
               .misc = s->mode == CS_MODE_EL0 ? CS_PERF_MISC_USER : CS_PERF_MISC_KERNEL,
               .ip = s->pc,
               .period = s->period});
}

static void throttled(void *ctx, const cs_soft_record *record)
{
    cs_trace_feed_throttled(ctx, &cs_trace_family_arm_pmu, record);
}

static cs_status listen(cs_trace_feed *f, void **state, cs_run_listener *listener, cs_diag *diag)
{
    (void)f, (void)state, (void)diag;
    cs_run_hear(listener, &cs_soft_arm_sample, sample);
    cs_run_hear(listener, &cs_soft_throttled, throttled);
    return CS_OK;
}

const cs_trace_family cs_trace_family_arm_pmu = {
    .section = &cs_section_arm_pmu,
    .cpu = &cs_trace_cpu_arm,
    .open = open_arm,
    .listen = listen,
};
