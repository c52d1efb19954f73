// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/measured.h"

#include <string.h>

#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/section_list.h"

#define MOST_OF_KIND 32u /* events of a kind of CPU */
#define WIDTH 6u         /* instructions that a core retires in a cycle at most */

enum {
    NO_PROGRAM,
#define CS_MEASURED(NAME, ...) PROGRAM_##NAME,
#include "scenario/work/measured.def"
#undef CS_MEASURED
};

const cs_key_choice cs_measured_programs[] = {
#define CS_MEASURED(NAME, TEXT, ...) {#NAME, PROGRAM_##NAME, NULL, NULL, TEXT},
#include "scenario/work/measured.def"
#undef CS_MEASURED
    {0},
};

static const struct {
    unsigned per_cycle;                          /* x 100 */
    unsigned branch, mispredict, load, store;    /* instructions for each, x 10 */
    unsigned l1, l2, l3, data_walks, code_walks; /* for each 1000 instructions, x 100 */
} programs[] = {
    [NO_PROGRAM] = {0},
#define CS_MEASURED(NAME, TEXT, ...) [PROGRAM_##NAME] = {__VA_ARGS__},
#include "scenario/work/measured.def"
#undef CS_MEASURED
};

bool cs_measured_rate(unsigned program, cs_measure measure, cs_fraction *out)
{
    const unsigned load = programs[program].load, store = programs[program].store;
    const unsigned each[CS_NR_MEASURES] = {
        [CS_MEASURE_BRANCHES] = programs[program].branch,
        [CS_MEASURE_MISPREDICTS] = programs[program].mispredict,
        [CS_MEASURE_LOADS] = load,
        [CS_MEASURE_STORES] = store,
    };
    const unsigned misses[CS_NR_MEASURES] = {
        [CS_MEASURE_L1_MISSES] = programs[program].l1,
        [CS_MEASURE_L2_MISSES] = programs[program].l2,
        [CS_MEASURE_L3_MISSES] = programs[program].l3,
        [CS_MEASURE_DATA_WALKS] = programs[program].data_walks,
        [CS_MEASURE_CODE_WALKS] = programs[program].code_walks,
    };

    if (measure == CS_MEASURE_INSTRUCTIONS)
        *out = (cs_fraction){programs[program].per_cycle, 100};
    else if (measure == CS_MEASURE_CYCLES)
        *out = (cs_fraction){1, 1};
    else if (each[measure] != 0)
        *out = (cs_fraction){10, each[measure]};
    else if (measure == CS_MEASURE_ACCESSES && load != 0 && store != 0)
        *out = (cs_fraction){10 * (uint64_t)(load + store), (uint64_t)load * store};
    else if (measure >= CS_MEASURE_L1_MISSES && programs[program].branch != 0)
        *out = (cs_fraction){misses[measure], 100000};
    else
        return false;
    return measure != CS_MEASURE_STALLS;
}

/* ---- segments ---- */

typedef struct addition {
    const cs_segment_spec *segment;
    const cs_yaml_node *node; /* `like` */
    const cs_cpu_class *kind;
    unsigned width;        /* WIDTH in bus cycles */
    uint32_t instructions; /* the event that ratios follow */
    bool has_instructions;
} addition;

static bool names(const cs_segment_spec *segment, size_t nr_own, uint32_t event)
{
    for (size_t i = 0; i < nr_own; i++)
        if (segment->streams[i].first_event == event && segment->streams[i].last_event == event)
            return true;
    return false;
}

/* Misses come in bunches, what instructions do comes with them. */
static cs_stream_spec stream_of(const addition *a, uint32_t event, cs_measure measure,
                                cs_fraction rate)
{
    cs_stream_spec spec = {.first_event = event,
                           .last_event = event,
                           .rate = rate,
                           .repeat = true,
                           .increment = 1,
                           .max_increment = a->width};
    cs_fraction per_cycle;

    if (measure == CS_MEASURE_INSTRUCTIONS && a->has_instructions) {
        spec.kind = CS_STREAM_RATIO;
        spec.rate = (cs_fraction){1, 1};
    } else if (measure == CS_MEASURE_INSTRUCTIONS) {
        spec.kind = CS_STREAM_RANDOM;
    } else if (measure == CS_MEASURE_CYCLES) {
        spec.kind = CS_STREAM_RATE;
    } else if (measure < CS_MEASURE_L1_MISSES) {
        spec.kind = CS_STREAM_RATIO;
    } else if (rate.num == 0) {
        spec.kind = CS_STREAM_NONE;
    } else {
        spec.kind = CS_STREAM_RANDOM;
        cs_measured_rate(a->segment->like, CS_MEASURE_INSTRUCTIONS, &per_cycle);
        spec.rate = (cs_fraction){rate.num * per_cycle.num, rate.den * per_cycle.den};
    }
    if (spec.kind == CS_STREAM_RATIO)
        spec.of = a->instructions;
    return spec;
}

/* Of one kind of CPU, behind the streams that are there. */
static void add_kind(const cs_scenario *s, const cs_cpu_class *kind, cs_segment_spec *segment,
                     size_t nr_own, addition *a)
{
    const cs_yaml_node *node = a->node;

    a->has_instructions = false;
    for (const cs_measured_event *e = kind->measured; e != NULL && e->name != NULL; e++) {
        char why[CS_WHY_BYTES];
        uint32_t number;
        cs_fraction rate;

        if (!cs_section_event(s, e->name, &number, why) ||
            !cs_measured_rate(segment->like, e->measure, &rate))
            continue;
        if (!names(segment, nr_own, number)) {
            cs_stream_spec *stream = &segment->streams[segment->nr_streams++];

            *stream = stream_of(a, number, e->measure, rate);
            stream->line = node->line;
            stream->column = node->column;
        }
        if (e->measure == CS_MEASURE_INSTRUCTIONS && !a->has_instructions) {
            a->instructions = number;
            a->has_instructions = true;
        }
    }
}

static cs_status add(cs_check *check, const cs_workload_spec *w, cs_segment_spec *segment)
{
    const cs_scenario *s = check->scenario;
    const size_t nr_own = segment->nr_streams;
    const uint64_t width =
        ((uint64_t)WIDTH * s->core_clock.mhz + s->bus->clock_mhz - 1) / s->bus->clock_mhz;
    addition a = {.segment = segment,
                  .node = cs_yaml_find(check->root, check->path, NULL),
                  .width = width < CS_NARROW_INCREMENT ? (unsigned)width : CS_NARROW_INCREMENT};
    cs_stream_spec *streams = cs_yaml_alloc(
        check->memory, (nr_own + CS_MAX_CPU_CLASSES * MOST_OF_KIND) * sizeof *streams, check->diag);

    if (streams == NULL)
        return CS_ERR_NO_MEMORY;
    if (nr_own != 0)
        memcpy(streams, segment->streams, nr_own * sizeof *streams);
    segment->streams = streams;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        const cs_cpu_class *kind = cs_scenario_cpu_class(s, cpu);

        if (!w->cpus[cpu] || kind == a.kind)
            continue;
        a.kind = kind;
        add_kind(s, kind, segment, nr_own, &a);
        if (!a.has_instructions)
            return cs_check_fail(check,
                                 "no event of %s that counts instructions has a name; give "
                                 "them, or a catalog of events",
                                 kind->words.cores);
    }
    return CS_OK;
}

cs_status cs_check_like(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments && status == CS_OK; k++) {
            cs_check_at(check, "workloads.%zu.segments.%zu.like", i, k);
            if (s->workloads[i].segments[k].like != NO_PROGRAM)
                status = add(check, &s->workloads[i], &s->workloads[i].segments[k]);
        }
    if (status == CS_OK && s->handler.like != NO_PROGRAM) {
        cs_check_at(check, "handler.like");
        status = cs_check_fail(check, "software is like no program; expected its events");
    }
    return status;
}
