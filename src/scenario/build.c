// SPDX-License-Identifier: Apache-2.0
#include "scenario/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "scenario/cpus.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/section_list.h"
#include "scenario/work/build_stream.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/stream/stream.h>

#define MAX_TRACKS 4u

/* What a segment of one CPU owns. */
typedef struct parts {
    cs_function *functions;
    uint64_t *returns; /* of all functions */
    cs_segment_event *events;
} parts;

/* A track of one CPU. */
typedef struct owned_track {
    cs_segment *segments;
    parts *parts;
    size_t nr_segments;
} owned_track;

struct cs_timelines {
    const cs_scenario *scenario;
    cs_stream_pool *pool;
    cs_recordings *recordings;
    const cs_stream_listener *listener; /* while they are made */
    unsigned nr_cpus;
    struct {
        cs_timeline *timeline;
        owned_track tracks[MAX_TRACKS];
        cs_track descs[MAX_TRACKS];
        cs_timeline_off *off;
    } cpus[CS_MAX_TIMELINES]; /* behind those of CPUs the units' */
};

static cs_status no_memory(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for timelines");
}

void cs_timelines_destroy(cs_timelines *t)
{
    if (t == NULL)
        return;
    for (unsigned cpu = 0; cpu < CS_MAX_TIMELINES; cpu++) {
        cs_timeline_destroy(t->cpus[cpu].timeline);
        free(t->cpus[cpu].off);
        for (unsigned k = 0; k < MAX_TRACKS; k++) {
            owned_track *track = &t->cpus[cpu].tracks[k];

            for (size_t i = 0; i < track->nr_segments; i++) {
                free(track->parts[i].functions);
                free(track->parts[i].returns);
                free(track->parts[i].events);
            }
            free(track->segments);
            free(track->parts);
        }
    }
    cs_recordings_destroy(t->recordings);
    cs_stream_pool_destroy(t->pool);
    free(t);
}

static cs_status make_functions(const cs_segment_spec *spec, parts *own, cs_diag *diag)
{
    size_t nr_returns = 0;

    if (spec->nr_functions == 0)
        return CS_OK;
    for (size_t i = 0; i < spec->nr_functions; i++)
        nr_returns += spec->functions[i].nr_callers;
    own->functions = malloc(spec->nr_functions * sizeof *own->functions);
    own->returns = malloc((nr_returns + 1) * sizeof *own->returns);
    if (own->functions == NULL || own->returns == NULL)
        return no_memory(diag);
    nr_returns = 0;
    for (size_t i = 0; i < spec->nr_functions; i++) {
        const cs_function_spec *f = &spec->functions[i];

        own->functions[i] = (cs_function){.name = f->name,
                                          .base = f->base,
                                          .size = (uint32_t)f->size,
                                          .weight = f->weight,
                                          .returns = own->returns + nr_returns,
                                          .nr_returns = (uint32_t)f->nr_callers,
                                          .number = f->number};
        for (size_t k = 0; k < f->nr_callers; k++)
            own->returns[nr_returns++] = f->caller_specs[k].ret;
    }
    return CS_OK;
}

static cs_status make_segment(const cs_stream_place *place, parts *own, cs_segment *out)
{
    const cs_segment_spec *spec = place->segment;
    size_t nr_events = 0;
    cs_status status = make_functions(spec, own, place->diag);

    if (status == CS_OK)
        status = cs_build_segment_events(place, &own->events, &nr_events);
    *out = (cs_segment){
        .length_cycles = spec->cycles != 0 ? spec->cycles : CS_STREAM_END,
        .mode = spec->mode,
        .irqs_off = spec->irqs_off,
        .cid1 = spec->cid1,
        .cid2 = spec->cid2,
        .pid = spec->pid,
        .functions = own->functions,
        .nr_functions = spec->nr_functions,
        .events = own->events,
        .nr_events = nr_events,
    };
    return status;
}

/* `path` is that of the segments; they are numbered if there may be several. */
static cs_status make_track(cs_timelines *t, unsigned cpu, unsigned number, const char *name,
                            const char *path, const cs_segment_spec *segments, size_t nr_segments,
                            cs_diag *diag)
{
    owned_track *track = &t->cpus[cpu].tracks[number];
    cs_implicit_event implicit[CS_MAX_IMPLICIT];
    const bool idle = strcmp(path, "idle") == 0;
    cs_status status = CS_OK;

    track->segments = calloc(nr_segments, sizeof *track->segments);
    track->parts = calloc(nr_segments, sizeof *track->parts);
    if (track->segments == NULL || track->parts == NULL)
        return no_memory(diag);
    track->nr_segments = nr_segments;
    for (size_t i = 0; i < nr_segments && status == CS_OK; i++) {
        char segment_path[64];
        const cs_stream_place place = {
            .scenario = t->scenario,
            .pool = t->pool,
            .recordings = t->recordings,
            .segment = &segments[i],
            .path = segment_path,
            .track = number == CS_TIMELINE_WORKLOAD ? "work" : name,
            .number = (unsigned)i,
            .cpu = cpu,
            .implicit = implicit,
            .nr_implicit = cs_implicit_events(t->scenario, cpu, idle || segments[i].wfi, implicit),
            .most = cs_timeline_most_increment(t->scenario, cpu),
            .listener = t->listener,
            .diag = diag,
        };

        if (number != CS_TIMELINE_WORKLOAD)
            snprintf(segment_path, sizeof segment_path, "%s", path);
        else
            snprintf(segment_path, sizeof segment_path, "%s.segments.%zu", path, i);
        status = make_segment(&place, &track->parts[i], &track->segments[i]);
    }
    t->cpus[cpu].descs[number] =
        (cs_track){.name = name, .segments = track->segments, .nr_segments = nr_segments};
    return status;
}

/* How far a CPU is in the segments of its workload when the run begins. */
static uint64_t phase_of(const cs_scenario *s, const cs_workload_spec *w, unsigned cpu)
{
    uint64_t cycles = 0;
    uint64_t key = cs_hash_mix(s->seed + CS_HASH_STEP * (uint64_t)(w - s->workloads + 1));

    if (w->phase == CS_PHASE_START)
        return 0;
    if (w->phase == CS_PHASE_SEED_EACH)
        key = cs_hash_mix(key + CS_HASH_STEP * (cpu + 1u));
    for (size_t i = 0; i < w->nr_segments; i++)
        cycles += w->segments[i].cycles;
    return cycles != 0 ? key % cycles : 0; /* 0: one segment for ever */
}

/* `class` is NULL of what is no CPU. */
static cs_status make_timeline(cs_timelines *t, unsigned cpu, const cs_cpu_class *class,
                               unsigned nr_tracks, uint64_t begun, const char *path, cs_diag *diag)
{
    const cs_scenario *s = t->scenario;
    cs_timeline_desc desc = {.seed = s->seed,
                             .core = cpu,
                             .begun = begun,
                             .tracks = t->cpus[cpu].descs,
                             .nr_tracks = nr_tracks};
    cs_diag inner = {0};

    if (class != NULL && class->off != NULL) {
        desc.nr_off = class->off(s, cpu, NULL);
        desc.off = t->cpus[cpu].off = calloc(desc.nr_off + 1, sizeof *t->cpus[cpu].off);
        desc.off_mode = cs_scenario_idle_mode(s, cpu);
        if (t->cpus[cpu].off == NULL)
            return no_memory(diag);
        (void)class->off(s, cpu, t->cpus[cpu].off);
    }
    cs_status status = cs_timeline_create(&desc, &t->cpus[cpu].timeline, &inner);

    if (status == CS_OK)
        return CS_OK;
    return cs_diag_set(diag, status == CS_ERR_RANGE ? CS_ERR_SCENARIO : status, s->source, "%s: %s",
                       path, inner.text);
}

static cs_status make_cpu(cs_timelines *t, unsigned cpu, cs_diag *diag)
{
    const cs_scenario *s = t->scenario;
    const cs_segment_spec idle = {.mode = cs_scenario_idle_mode(s, cpu)};
    const cs_segment_spec *segments = &idle;
    size_t nr_segments = 1;
    uint64_t begun = 0;
    const char *name = "idle";
    char path[32] = "idle";

    for (size_t i = 0; i < s->nr_workloads; i++) {
        if (!s->workloads[i].cpus[cpu])
            continue;
        segments = s->workloads[i].segments;
        nr_segments = s->workloads[i].nr_segments;
        begun = phase_of(s, &s->workloads[i], cpu);
        name = s->workloads[i].name;
        snprintf(path, sizeof path, "workloads.%u", (unsigned)i);
    }
    cs_status status =
        make_track(t, cpu, CS_TIMELINE_WORKLOAD, name, path, segments, nr_segments, diag);
    const cs_cpu_class *class = cs_scenario_cpu_class(s, cpu);
    const unsigned nr_tracks = class->tracks != NULL ? 1 + (unsigned)class->nr_tracks : 2;
    for (unsigned k = 1; k < nr_tracks && status == CS_OK; k++) {
        cs_segment_spec handler = s->handler;

        handler.mode = cs_scenario_handler_mode(s, cpu);
        if (class->tracks != NULL)
            handler.mode = class->tracks[k - 1].mode;
        status =
            make_track(t, cpu, k, cs_scenario_track_name(s, cpu, k), "handler", &handler, 1, diag);
    }
    return status == CS_OK ? make_timeline(t, cpu, class, nr_tracks, begun, path, diag) : status;
}

/* What is no CPU does one thing, or nothing. */
static cs_status make_unit(cs_timelines *t, unsigned timeline, const char *path,
                           const cs_segment_spec *segments, size_t nr_segments, cs_diag *diag)
{
    static const cs_segment_spec silent = {0};
    const bool some = nr_segments != 0;
    cs_status status = make_track(t, timeline, CS_TIMELINE_WORKLOAD, "unit", path,
                                  some ? segments : &silent, some ? nr_segments : 1, diag);

    return status == CS_OK ? make_timeline(t, timeline, NULL, 1, 0, path, diag) : status;
}

static cs_status make_units(cs_timelines *t, const cs_unit_class *units, cs_diag *diag)
{
    const unsigned count = units != NULL ? units->count(t->scenario) : 0;
    cs_status status = CS_OK;
    char path[32];

    for (unsigned i = 0; i < count && status == CS_OK; i++) {
        size_t nr_segments;
        const cs_segment_spec *segments = units->segments(t->scenario, i, &nr_segments);

        units->path(t->scenario, i, path, sizeof path);
        status = make_unit(t, cs_unit_timeline(units, i), path, segments, nr_segments, diag);
    }
    return status;
}

static cs_status make_all(const cs_scenario *scenario, const cs_stream_listener *listener,
                          cs_timelines **out, cs_diag *diag)
{
    cs_timelines *t = calloc(1, sizeof *t);

    *out = NULL;
    if (t == NULL)
        return no_memory(diag);
    t->scenario = scenario;
    t->listener = listener;
    t->nr_cpus = cs_scenario_cpus(scenario);
    cs_status status = cs_stream_pool_create(&t->pool, diag);
    if (status == CS_OK)
        status = cs_recordings_create(&t->recordings, diag);
    for (unsigned cpu = 0; cpu < t->nr_cpus && status == CS_OK; cpu++)
        status = make_cpu(t, cpu, diag);
    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++)
        status = make_units(t, cs_sections[i].section->units, diag);
    if (status != CS_OK) {
        cs_timelines_destroy(t);
        return status;
    }
    t->listener = NULL;
    *out = t;
    return CS_OK;
}

cs_status cs_scenario_timelines(const cs_scenario *scenario, cs_timelines **out, cs_diag *diag)
{
    return make_all(scenario, NULL, out, diag);
}

cs_status cs_scenario_tell_streams(const cs_scenario *scenario, const cs_stream_listener *listener,
                                   cs_diag *diag)
{
    cs_timelines *t;
    const cs_status status = make_all(scenario, listener, &t, diag);

    cs_timelines_destroy(t);
    return status;
}

cs_timeline *cs_timelines_cpu(cs_timelines *timelines, unsigned cpu)
{
    return timelines->cpus[cpu].timeline;
}

cs_status cs_scenario_guard(const cs_scenario *s, cs_guard **out, cs_diag *diag)
{
    size_t nr_regions = s->memory->nr_regions, nr_faults = s->memory->nr_faults;
    cs_guard_region *regions = calloc(nr_regions + 1, sizeof *regions);
    cs_guard_fault *faults = calloc(nr_faults + 1, sizeof *faults);
    cs_status status;

    *out = NULL;
    for (size_t i = 0; i < nr_regions && regions != NULL; i++) {
        const cs_region_spec *spec = &s->memory->regions[i];

        regions[i] = (cs_guard_region){.base = spec->base,
                                       .size = spec->size,
                                       .readable = spec->readable,
                                       .writable = spec->writable};
    }
    for (size_t i = 0; i < nr_faults && faults != NULL; i++) {
        const cs_fault_spec *spec = &s->memory->faults[i];
        bool any = spec->on_read && spec->on_write;

        faults[i] = (cs_guard_fault){
            .base = spec->base,
            .size = spec->size,
            .direction = any             ? CS_GUARD_ANY
                         : spec->on_read ? CS_GUARD_READ
                                         : CS_GUARD_WRITE,
            .nth = spec->nth,
            .count = spec->count,
            .action = spec->error ? CS_GUARD_ERROR : CS_GUARD_STALL,
            .stall_cycles = spec->error ? 0 : spec->stall_cycles,
        };
    }
    if (regions == NULL || faults == NULL)
        status = no_memory(diag);
    else
        status = cs_guard_create(regions, nr_regions, faults, nr_faults, out, diag);
    free(regions);
    free(faults);
    return status;
}
