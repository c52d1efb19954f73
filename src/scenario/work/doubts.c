// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/doubts.h"

#include <stdarg.h>
#include <stdio.h>

#include "scenario/build.h"
#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/perf_commands.h"
#include "scenario/section_list.h"
#include "scenario/work/measured.h"

#define MOST_CYCLES 2000000u /* bus cycles of a segment that are looked at */
#define MOST_WIDTH 10u       /* instructions in a cycle: no core does more */
#define SLACK 100u           /* counts: streams are random */

typedef struct looking {
    const cs_scenario *s;
    cs_timelines *timelines;
    void (*hear)(void *ctx, const char *text);
    void *ctx;
} looking;

/* What counts most of a measure in a segment. */
typedef struct counted {
    const char *name; /* NULL: nothing counts so */
    double counts;
} counted;

static const struct {
    cs_measure less, more;
    unsigned times;
    const char *text;
} rules[] = {
    {CS_MEASURE_BRANCHES, CS_MEASURE_INSTRUCTIONS, 1, "more branches than instructions"},
    {CS_MEASURE_LOADS, CS_MEASURE_INSTRUCTIONS, 1, "more loads than instructions"},
    {CS_MEASURE_STORES, CS_MEASURE_INSTRUCTIONS, 1, "more stores than instructions"},
    {CS_MEASURE_ACCESSES, CS_MEASURE_INSTRUCTIONS, 2, "more than two accesses an instruction"},
    {CS_MEASURE_MISPREDICTS, CS_MEASURE_BRANCHES, 1, "more mispredictions than branches"},
    {CS_MEASURE_MISPREDICTS, CS_MEASURE_INSTRUCTIONS, 1, "more mispredictions than instructions"},
    {CS_MEASURE_L1_MISSES, CS_MEASURE_ACCESSES, 1, "more misses than accesses"},
    {CS_MEASURE_L1_MISSES, CS_MEASURE_INSTRUCTIONS, 1, "more misses than instructions"},
    {CS_MEASURE_L2_MISSES, CS_MEASURE_L1_MISSES, 1,
     "more misses of the second cache than of the first"},
    {CS_MEASURE_L3_MISSES, CS_MEASURE_L2_MISSES, 1,
     "more misses of the third cache than of the second"},
};

__attribute__((format(printf, 2, 3))) static void say(const looking *l, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    l->hear(l->ctx, text);
}

/* Of the segment's first cycles, which begin at `from`. */
static void count(const looking *l, unsigned cpu, const cs_segment_spec *segment, cs_cycle from,
                  uint64_t cycles, counted out[CS_NR_MEASURES])
{
    const cs_cpu_class *kind = cs_scenario_cpu_class(l->s, cpu);

    for (const cs_measured_event *e = kind->measured; e != NULL && e->name != NULL; e++) {
        char why[CS_WHY_BYTES];
        uint32_t event;

        if (!cs_section_event(l->s, e->name, &event, why) ||
            !cs_check_segment_counts(segment, event))
            continue;
        const double counts = (double)cs_timeline_sum(cs_timelines_cpu(l->timelines, cpu), event,
                                                      CS_MODE_ALL, from, from + cycles);
        if (out[e->measure].name == NULL || counts > out[e->measure].counts)
            out[e->measure] = (counted){e->name, counts};
    }
}

static void look(const looking *l, const char *path, unsigned cpu, const cs_segment_spec *segment,
                 cs_cycle from)
{
    const uint64_t cycles =
        segment->cycles != 0 && segment->cycles < MOST_CYCLES ? segment->cycles : MOST_CYCLES;
    const double core = (double)cycles * l->s->core_clock.mhz / l->s->bus->clock_mhz;
    counted c[CS_NR_MEASURES] = {0};

    count(l, cpu, segment, from, cycles, c);
    if (c[CS_MEASURE_INSTRUCTIONS].counts > MOST_WIDTH * core + SLACK)
        say(l, "%s: %s counts %.2f in a core cycle; no core retires more than %u instructions",
            path, c[CS_MEASURE_INSTRUCTIONS].name, c[CS_MEASURE_INSTRUCTIONS].counts / core,
            MOST_WIDTH);
    if (c[CS_MEASURE_STALLS].counts > core + SLACK)
        say(l, "%s: %s counts %.2f in a core cycle: more cycles than there are", path,
            c[CS_MEASURE_STALLS].name, c[CS_MEASURE_STALLS].counts / core);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const counted *less = &c[rules[i].less], *more = &c[rules[i].more];

        if (less->name != NULL && more->name != NULL &&
            less->counts > rules[i].times * more->counts * 1.02 + SLACK)
            say(l, "%s: %s (%s counts %.4g in a core cycle, %s %.4g)", path, rules[i].text,
                less->name, less->counts / core, more->name, more->counts / core);
    }
}

static bool samples(const cs_scenario *s)
{
    cs_perf_command command;

    for (unsigned i = 0; cs_perf_command_at(s, i, &command); i++)
        if (command.period != 0 || command.frequency != 0)
            return true;
    return false;
}

cs_status cs_scenario_doubts(const cs_scenario *s, void (*hear)(void *ctx, const char *text),
                             void *ctx, cs_diag *diag)
{
    looking l = {.s = s, .hear = hear, .ctx = ctx};
    const bool sampling = samples(s);
    cs_status status = cs_scenario_timelines(s, &l.timelines, diag);

    for (size_t i = 0; i < s->nr_workloads && status == CS_OK; i++) {
        const cs_workload_spec *w = &s->workloads[i];
        unsigned cpu = 0;
        cs_cycle from = 0;

        while (cpu < cs_scenario_cpus(s) && !w->cpus[cpu])
            cpu++;
        for (size_t k = 0; k < w->nr_segments && cpu < cs_scenario_cpus(s); k++) {
            char path[64];

            snprintf(path, sizeof path, "workloads.%zu.segments.%zu", i, k);
            look(&l, path, cpu, &w->segments[k], from);
            if (sampling && !w->segments[k].wfi && w->segments[k].nr_functions == 0)
                say(&l, "%s: no functions: the address of its samples is 0", path);
            from += w->segments[k].cycles;
        }
    }
    if (status == CS_OK && sampling && s->handler.nr_functions == 0)
        say(&l, "handler: no functions: the address of the software's own samples is 0");
    cs_timelines_destroy(l.timelines);
    return status;
}
