// SPDX-License-Identifier: Apache-2.0
/* Who runs what: CPUs, segments, functions, streams. */
#include <string.h>

#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/work/build_stream.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/stream/events.h>
#include <countersink/base/stream/stream.h>

__extension__ typedef unsigned __int128 wide;

/* Streams of all CPUs together; what a computer can hold. */
#define MAX_STREAMS 1000000u

static cs_status check_functions(cs_check *check, const char *path, const cs_segment_spec *segment)
{
    uint64_t weights = 0;

    for (size_t i = 0; i < segment->nr_functions; i++) {
        const cs_function_spec *f = &segment->functions[i];

        weights += f->weight;
        for (int k = 0; k < 2 && !f->of_program; k++) {
            const char *const keys[] = {"base", "size"};

            if (cs_check_at(check, "%s.functions.%zu.%s", path, i, keys[k]) == NULL)
                return cs_check_fail(check, "missing; only functions of a workload with a program "
                                            "may do without");
        }
        if (f->size - 1 > UINT64_MAX - f->base) {
            cs_check_at(check, "%s.functions.%zu.size", path, i);
            return cs_check_fail(check, "the function ends beyond 2^64");
        }
    }
    if (segment->nr_functions == 0 || weights > 0)
        return cs_check_calls(check, path, segment);
    cs_check_at(check, "%s.functions", path);
    return cs_check_fail(check, "the weights of all functions are 0");
}

/* rate per core cycle, times the core clock, over bus.clock_mhz: at most `most`? */
static bool fits(const cs_scenario *s, cs_fraction rate, unsigned most)
{
    return rate.num * s->core_clock.mhz <= (uint64_t)most * rate.den * s->bus->clock_mhz;
}

static cs_status check_rate(cs_check *check, const char *path, size_t i, const char *key,
                            cs_fraction rate, unsigned most)
{
    const cs_scenario *s = check->scenario;

    if (fits(s, rate, most))
        return CS_OK;
    cs_check_at(check, "%s.events.%zu.%s", path, i, key);
    return cs_check_fail(check,
                         "more than %u counts in a bus cycle (%s %u, bus.clock_mhz %u); at most %g "
                         "is allowed",
                         most, s->core_clock.key, s->core_clock.mhz, s->bus->clock_mhz,
                         (double)most * s->bus->clock_mhz / s->core_clock.mhz);
}

/* Random streams: the mean within what one cycle can carry, and that within the unit's pins. */
static cs_status check_random(cs_check *check, const char *path, size_t i, const char *key,
                              const cs_stream_spec *stream, unsigned most)
{
    const unsigned max_increment = stream->max_increment;
    const cs_fraction rate = stream->kind == CS_STREAM_SPREAD ? stream->rate_high : stream->rate;

    if (max_increment <= most)
        return check_rate(check, path, i, key, rate, max_increment);
    cs_check_at(check, "%s.events.%zu.max_increment", path, i);
    return cs_check_fail(check, "%u is more than the %u that can count in a bus cycle",
                         max_increment, most);
}

static cs_status check_spread(cs_check *check, const char *path, size_t i,
                              const cs_stream_spec *stream, unsigned most)
{
    cs_check_at(check, "%s.events.%zu.rate", path, i);
    if (stream->rate.num == 0)
        return cs_check_fail(check, "0; the lowest mean of a spread must be more");
    cs_check_at(check, "%s.events.%zu.rate_high", path, i);
    if ((wide)stream->rate_high.num * stream->rate.den <
        (wide)stream->rate.num * stream->rate_high.den)
        return cs_check_fail(check, "less than rate");
    return check_random(check, path, i, "rate_high", stream, most);
}

static cs_status check_ratio(cs_check *check, const char *path, size_t i,
                             const cs_segment_spec *segment)
{
    const cs_stream_spec *stream = &segment->streams[i];
    bool known = cs_is_implicit_event(check->scenario, stream->of);

    for (size_t k = 0; k < segment->nr_streams && !known; k++)
        known = stream->of >= segment->streams[k].first_event &&
                stream->of <= segment->streams[k].last_event;
    if (known)
        return CS_OK;
    cs_check_at(check, "%s.events.%zu.of", path, i);
    return cs_check_fail(check, "event 0x%x does not count in this segment", stream->of);
}

static cs_status check_stream(cs_check *check, const char *path, size_t i,
                              const cs_segment_spec *segment, unsigned most)
{
    const cs_stream_spec *stream = &segment->streams[i];

    switch (stream->kind) {
    case CS_STREAM_PERIODIC:
        cs_check_at(check, "%s.events.%zu.increment", path, i);
        if (stream->increment > most)
            return cs_check_fail(check, "%u is more than the %u that can count in a bus cycle",
                                 stream->increment, most);
        return CS_OK;
    case CS_STREAM_RATE:
        return check_rate(check, path, i, "rate", stream->rate, most);
    case CS_STREAM_BURSTS:
        cs_check_at(check, "%s.events.%zu.length_cycles", path, i);
        if (stream->length_cycles > stream->period_cycles)
            return cs_check_fail(check, "%llu is more than period_cycles %llu",
                                 (unsigned long long)stream->length_cycles,
                                 (unsigned long long)stream->period_cycles);
        return check_rate(check, path, i, "rate", stream->rate, most);
    case CS_STREAM_RANDOM:
        return check_random(check, path, i, "rate", stream, most);
    case CS_STREAM_SPREAD:
        return check_spread(check, path, i, stream, most);
    case CS_STREAM_RATIO:
        return check_ratio(check, path, i, segment);
    default:
        return CS_OK;
    }
}

/* An event that is named alone stands against ranges, but not against another. */
static cs_status check_events(cs_check *check, const char *path, const cs_segment_spec *segment,
                              unsigned most)
{
    for (size_t i = 0; i < segment->nr_streams; i++) {
        const cs_stream_spec *a = &segment->streams[i];

        for (size_t k = 0; k < i; k++) {
            const cs_stream_spec *b = &segment->streams[k];
            bool same_form = (a->first_event == a->last_event) == (b->first_event == b->last_event);

            if (!same_form || a->tag != b->tag || a->first_event > b->last_event ||
                b->first_event > a->last_event)
                continue;
            cs_check_at(check, "%s.events.%zu.event", path, i);
            return cs_check_fail(check, "0x%x has a stream already, in line %u",
                                 a->first_event > b->first_event ? a->first_event : b->first_event,
                                 b->line);
        }
        cs_status status = check_stream(check, path, i, segment, most);
        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}

cs_status cs_check_segment(cs_check *check, const char *path, const cs_segment_spec *segment,
                           unsigned most)
{
    cs_status status = check_functions(check, path, segment);

    return status == CS_OK ? check_events(check, path, segment, most) : status;
}

/* A CPU that waits executes nothing; and of some kinds nothing waits. */
static cs_status check_wait(cs_check *check, size_t number, const char *path,
                            const cs_segment_spec *segment)
{
    const cs_workload_spec *w = &check->scenario->workloads[number];

    if (!segment->wfi)
        return CS_OK;
    cs_check_at(check, "%s.wfi", path);
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(check->scenario); cpu++)
        if (w->cpus[cpu] && !cs_scenario_cpu_class(check->scenario, cpu)->waits)
            return cs_check_fail(check, "CPU %u is %s, which has no such segments", cpu,
                                 cs_scenario_cpu_class(check->scenario, cpu)->words.one);
    cs_check_at(check, "%s.events", path);
    if (segment->nr_streams != 0)
        return cs_check_fail(check, "not allowed beside wfi: the core executes nothing");
    return CS_OK;
}

/* Code with interrupts off ends some time, and is a kernel's. */
static cs_status check_irqs(cs_check *check, size_t number, const char *path, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_workload_spec *w = &s->workloads[number];
    bool ends = false;

    if (!w->segments[i].irqs_off)
        return CS_OK;
    cs_check_at(check, "%s.irqs_off", path);
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        if (w->cpus[cpu] && !cs_scenario_cpu_class(s, cpu)->masks)
            return cs_check_fail(check, "CPU %u is %s, which has no such segments", cpu,
                                 cs_scenario_cpu_class(s, cpu)->words.one);
    if (w->segments[i].mode != CS_MODE_S)
        return cs_check_fail(check, "only the kernel's code (mode s) runs with interrupts off");
    for (size_t k = 0; k < w->nr_segments; k++)
        ends |= !w->segments[k].irqs_off;
    return ends ? CS_OK
                : cs_check_fail(check, "all segments are so: nothing would ever be taken; expected "
                                       "one with interrupts on");
}

/* Of the CPUs that run the workload. */
static unsigned most_increment(const cs_scenario *s, const cs_workload_spec *w)
{
    unsigned most = CS_MAX_INCREMENT;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        if (w->cpus[cpu] && cs_timeline_most_increment(s, cpu) < most)
            most = cs_timeline_most_increment(s, cpu);
    return most;
}

static cs_status check_segments(cs_check *check, size_t number)
{
    const cs_workload_spec *w = &check->scenario->workloads[number];
    uint64_t cycles = 0;

    for (size_t i = 0; i < w->nr_segments; i++) {
        char path[64];

        cs_check_at(check, "workloads.%zu.segments.%zu", number, i);
        memcpy(path, check->path, sizeof path);
        cs_status status =
            cs_check_segment(check, path, &w->segments[i], most_increment(check->scenario, w));
        if (status == CS_OK)
            status = check_wait(check, number, path, &w->segments[i]);
        if (status == CS_OK)
            status = check_irqs(check, number, path, i);
        if (status != CS_OK)
            return status;
        cs_check_at(check, "%s.cycles", path);
        if (w->segments[i].cycles == 0 && w->nr_segments > 1)
            return cs_check_fail(check, "missing; only an only segment lasts for ever");
        cycles += w->segments[i].cycles;
        if (cycles > CS_STREAM_END)
            return cs_check_fail(check, "the segments up to here are longer than 2^56 cycles");
    }
    return CS_OK;
}

/* Absent cores run nothing; `all` leaves them out. */
static cs_status check_cpus(cs_check *check, size_t number)
{
    cs_scenario *s = check->scenario;
    cs_workload_spec *w = &s->workloads[number];
    const cs_yaml_node *node = cs_check_at(check, "workloads.%zu.cpus", number);
    bool all = node == NULL || (node->kind == CS_YAML_SCALAR && strcmp(node->text, "all") == 0);

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        if (w->cpus[cpu] && cs_scenario_cpu_state(s, cpu) == CS_CPU_ABSENT) {
            if (!all)
                return cs_check_fail(check, "CPU %u is absent (%s.absent)", cpu,
                                     cs_scenario_cpu_class(s, cpu)->state_section);
            w->cpus[cpu] = false;
        }
        for (size_t k = 0; k < number && w->cpus[cpu]; k++)
            if (s->workloads[k].cpus[cpu])
                return cs_check_fail(check, "CPU %u runs workloads.%zu already", cpu, k);
    }
    return CS_OK;
}

static uint64_t count_streams(const cs_segment_spec *segment)
{
    uint64_t count = 1;

    for (size_t i = 0; i < segment->nr_streams; i++)
        count += segment->streams[i].last_event - segment->streams[i].first_event + 1;
    return count;
}

/* A timeline has a place for each of its events in each of its segments. */
static cs_status check_size(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t handler = count_streams(&s->handler) * cs_scenario_cpus(s);
    uint64_t total = handler;

    for (size_t i = 0; i < s->nr_workloads; i++) {
        const cs_workload_spec *w = &s->workloads[i];
        uint64_t cpus = 0, streams = 0;

        for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
            cpus += w->cpus[cpu];
        for (size_t k = 0; k < w->nr_segments; k++)
            streams += count_streams(&w->segments[k]);
        total += streams * cpus;
        cs_check_at(check, "workloads.%zu", i);
        if (total > MAX_STREAMS || streams * w->nr_segments * cpus > 4 * MAX_STREAMS)
            return cs_check_fail(check, "%llu event streams over all CPUs; at most %u are allowed",
                                 (unsigned long long)total, MAX_STREAMS);
    }
    cs_check_at(check, "handler");
    if (handler > MAX_STREAMS)
        return cs_check_fail(check, "%llu event streams over all CPUs; at most %u are allowed",
                             (unsigned long long)handler, MAX_STREAMS);
    return CS_OK;
}

cs_status cs_check_workloads(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;
    uint32_t number = 0;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            for (size_t f = 0; f < s->workloads[i].segments[k].nr_functions; f++)
                s->workloads[i].segments[k].functions[f].number = number++;
    for (size_t i = 0; i < s->nr_workloads && status == CS_OK; i++) {
        status = check_cpus(check, i);
        if (status == CS_OK)
            status = check_segments(check, i);
    }
    if (status == CS_OK && s->handler.irqs_off) {
        cs_check_at(check, "handler.irqs_off");
        return cs_check_fail(check, "software has them off by itself; expected none");
    }
    if (status == CS_OK)
        status = cs_check_segment(check, "handler", &s->handler, cs_scenario_most_increment(s));
    return status == CS_OK ? check_size(check) : status;
}

bool cs_check_segment_counts(const cs_segment_spec *segment, uint32_t event)
{
    for (size_t i = 0; i < segment->nr_streams; i++)
        if (event >= segment->streams[i].first_event && event <= segment->streams[i].last_event)
            return true;
    return false;
}

bool cs_check_somewhere_counts(const cs_scenario *s, uint32_t event)
{
    bool counts = cs_is_implicit_event(s, event) || cs_check_segment_counts(&s->handler, event);

    for (size_t i = 0; i < s->nr_workloads && !counts; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments && !counts; k++)
            counts = cs_check_segment_counts(&s->workloads[i].segments[k], event);
    return counts;
}
