// SPDX-License-Identifier: Apache-2.0
/* The format `perf`: a perf.data file, the beginning and the end of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/machine/memory_spec.h"
#include "scenario/work/workload_spec.h"
#include "traces/family.h"
#include "traces/perf/impl.h"

#define MOST_FEATURE_PMUS 300u
#define MOST_BUILD_IDS 64u /* as many as workloads */

static const char *const flavours[] = {"stock", "faithful", NULL};

/* ---- what can be traced ---- */

static bool has_guest(const cs_trace_events *e, bool guest)
{
    for (size_t i = 0; i < e->nr; i++)
        if (e->list[i].guest == guest)
            return true;
    return false;
}

/* "the one", "the one or the other": whose AUX data there can be. */
static const char *aux_owners(char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < CS_NR_TRACE_FAMILIES && used < size; i++)
        if (cs_trace_families[i]->aux != NULL)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used != 0 ? " or " : "",
                                     cs_trace_families[i]->aux->of);
    return out;
}

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    cs_trace_events *events;
    char owners[80];
    bool counts;
    cs_status status =
        cs_trace_events_check(s, request, "a perf.data file", &counts, &events, diag);

    if (status != CS_OK)
        return status;
    if (counts && request->switch_events)
        status = cs_diag_set(diag, CS_ERR_USAGE, NULL,
                             "--switch-events is for samples, and no perf command of %s samples",
                             s->name);
    else if (cs_trace_is_faithful(request) && cs_perf_trace_aux_event(events) == events->nr)
        status = cs_diag_set(diag, CS_ERR_USAGE, NULL,
                             "flavour faithful is for %s, which no perf command of %s uses",
                             aux_owners(owners, sizeof owners), s->name);
    else if (cs_trace_is_faithful(request))
        status = events->list[cs_perf_trace_aux_event(events)].family->aux->check(s, diag);
    cs_trace_events_destroy(events);
    return status;
}

/* ---- the beginning ---- */

static cs_perf_data_event file_event(const cs_perf_trace *t, const cs_trace_event *e)
{
    cs_perf_data_event event = {
        .attr = {.type = e->type,
                 .config = e->config,
                 .config1 = e->config1,
                 .config2 = e->config2,
                 .sample_period = e->freq != 0 ? e->freq : e->period,
                 .flags = CS_PERF_ATTR_DISABLED | CS_PERF_ATTR_INHERIT |
                          (e->freq != 0 ? CS_PERF_ATTR_FREQ : 0) | e->flags},
        .name = e->name,
        .ids = e->ids,
        .nr_ids = e->nr_cpus,
    };

    if (t->feed->counts) {
        event.attr.sample_type = CS_PERF_SAMPLE_IDENTIFIER;
        event.attr.read_format = CS_PERF_READ_ENABLED | CS_PERF_READ_RUNNING;
        return event;
    }
    event.attr.sample_type = CS_PERF_TRACE_SAMPLE_TYPE;
    if (e->callchain)
        event.attr.sample_type |= CS_PERF_SAMPLE_CALLCHAIN;
    if (e->raw)
        event.attr.sample_type |= CS_PERF_SAMPLE_RAW;
    if (t->request->switch_events)
        event.attr.flags |= CS_PERF_ATTR_CONTEXT_SWITCH;
    event.attr.flags |= CS_PERF_ATTR_SAMPLE_ID_ALL | CS_PERF_ATTR_MMAP | CS_PERF_ATTR_MMAP2 |
                        CS_PERF_ATTR_COMM | CS_PERF_ATTR_TASK;
    return event;
}

static cs_status create_writer(cs_perf_trace *t, cs_diag *diag)
{
    cs_perf_data_event *events = calloc(t->events->nr, sizeof *events);
    const cs_perf_data_sink sink = cs_perf_data_to_file(&t->file);
    cs_status status;

    if (events == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for events");
    for (size_t i = 0; i < t->events->nr; i++)
        events[i] = file_event(t, &t->events->list[i]);
    status = cs_perf_data_create(&sink, events, t->events->nr, &t->writer, diag);
    free(events);
    return status;
}

static void begin(void *ctx, cs_environment *environment)
{
    cs_perf_trace *t = ctx;

    if (!t->feed->counts)
        cs_perf_trace_begin_switches(t, environment);
}

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag);
static void close_trace(void *state);

static cs_status open_file(cs_perf_trace *t, const cs_trace_place *place, cs_run_listener *listener,
                           cs_diag *diag)
{
    const cs_trace_sink sink = {
        .raw = true,
        .begin = begin,
        .record = cs_perf_trace_record,
        .aux = cs_perf_trace_aux,
        .count = cs_perf_trace_count,
        .end = end,
        .ctx = t,
    };
    cs_status status = cs_trace_feed_create(place, &sink, listener, &t->feed, diag);

    if (status != CS_OK)
        return status;
    t->events = t->feed->events;
    t->guest = !has_guest(t->events, false);
    t->file.stream = fopen(place->path, "wb");
    if (t->file.stream == NULL)
        return cs_diag_set(diag, CS_ERR_IO, place->request->output, "cannot write: %s",
                           strerror(errno));
    status = create_writer(t, diag);
    if (status == CS_OK && t->feed->counts)
        return cs_perf_trace_begin_counts(t, diag);
    if (status == CS_OK)
        status = cs_perf_trace_begin_record(t, diag);
    if (status == CS_OK && cs_trace_is_faithful(t->request))
        status = cs_perf_trace_begin_aux(t, diag);
    return status == CS_OK ? cs_perf_trace_put_front(t, diag) : status;
}

static cs_status open_trace(const cs_trace_place *place, void **state, cs_run_listener *listener,
                            cs_diag *diag)
{
    cs_perf_trace *t = calloc(1, sizeof *t);
    cs_status status;

    *state = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->scenario = place->scenario;
    t->request = place->request;
    t->file.name = place->request->output;
    status = open_file(t, place, listener, diag);
    if (status != CS_OK) {
        close_trace(t);
        return status;
    }
    *state = t;
    return CS_OK;
}

/* ---- the end ---- */

/* The real programs, each once. */
static size_t build_ids(const cs_scenario *s, cs_perf_data_build_id out[MOST_BUILD_IDS])
{
    size_t nr = 0;

    for (size_t i = 0; i < s->nr_workloads && nr < MOST_BUILD_IDS; i++) {
        const cs_program_spec *p = s->workloads[i].loaded;
        bool known = p == NULL || p->build_id_bytes == 0;

        for (size_t k = 0; k < nr && !known; k++)
            known = strcmp(out[k].file, p->path) == 0;
        if (!known)
            out[nr++] = (cs_perf_data_build_id){CS_PERF_MISC_USER, -1, p->build_id,
                                                p->build_id_bytes, p->path};
    }
    return nr;
}

static const cs_perf_data_place *places(const cs_perf_trace *t, cs_perf_data_place out[CS_MAX_CPUS])
{
    const unsigned cpus = cs_scenario_cpus(t->scenario);

    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        const cs_trace_cpu *kind = cs_trace_cpu_of(t->scenario, cpu);
        unsigned core = cpu, socket = 0;

        if (kind->place != NULL)
            kind->place(t->scenario, cpu, &core, &socket);
        out[cpu] = (cs_perf_data_place){core, socket};
    }
    return out;
}

/* That of the first event. */
static cs_trace_machine machine_of(const cs_perf_trace *t)
{
    const cs_trace_event *first = &t->events->list[0];
    const cs_trace_cpu *cpu = first->family->cpu != NULL
                                  ? first->family->cpu
                                  : cs_trace_cpu_of(t->scenario, first->cpus[0]);

    return cpu->machine(t->scenario);
}

static cs_status finish(cs_perf_trace *t, cs_diag *diag)
{
    const char *const cmdline[] = {"countersink", "trace", t->scenario->name};
    const cs_trace_machine m = machine_of(t);
    cs_perf_data_pmu pmus[MOST_FEATURE_PMUS];
    cs_perf_data_build_id ids[MOST_BUILD_IDS];
    cs_perf_data_place cpus[CS_MAX_CPUS];
    cs_perf_data_features features = {
        .hostname = "countersink",
        .osrelease = "simulated",
        .version = "countersink",
        .arch = m.arch,
        .cpudesc = m.cpudesc,
        .cpuid = m.cpuid,
        .nr_cpus = cs_scenario_cpus(t->scenario),
        .places = places(t, cpus),
        .total_mem_kb = t->scenario->memory->size >> 10,
        .cmdline = cmdline,
        .nr_cmdline = sizeof cmdline / sizeof cmdline[0],
        .pmus = pmus,
        .build_ids = ids,
        .nr_build_ids = build_ids(t->scenario, ids),
        .stat = t->feed->counts,
    };
    cs_perf_data_writer *writer = t->writer;

    for (size_t i = 0; i < t->events->nr_pmus && i < MOST_FEATURE_PMUS; i++)
        pmus[features.nr_pmus++] =
            (cs_perf_data_pmu){t->events->pmus[i].type, t->events->pmus[i].name};
    t->writer = NULL;
    return cs_perf_data_finish(writer, &features, diag);
}

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag)
{
    cs_perf_trace *t = ctx;
    FILE *stream = t->file.stream;
    cs_status status;

    if (t->feed->counts)
        cs_perf_trace_end_counts(t);
    else
        cs_perf_trace_end_record(t, cycle);
    cs_perf_trace_end_aux(t);
    status = finish(t, diag);
    if (status == CS_OK)
        status = cs_trace_feed_status(t->feed, t->file.name, "a trace", diag);
    t->file.stream = NULL;
    if (fclose(stream) != 0 && status == CS_OK)
        status = cs_diag_set(diag, CS_ERR_IO, t->file.name, "cannot write: %s", strerror(errno));
    return status;
}

static cs_status beside(void *state, const char *folder, cs_diag *diag)
{
    const cs_perf_trace *t = state;

    return t->feed->counts ? CS_OK : cs_perf_trace_put_names(t, machine_of(t).arch, folder, diag);
}

static void close_trace(void *state)
{
    cs_perf_trace *t = state;

    cs_perf_data_abandon(t->writer);
    if (t->file.stream != NULL)
        fclose(t->file.stream);
    cs_perf_trace_free_counts(t);
    cs_perf_trace_free_aux(t);
    cs_perf_trace_free_record(t);
    cs_trace_feed_destroy(t->feed);
    free(t);
}

const cs_trace_format cs_trace_perf = {
    .summary = "perf.data: samples (perf script, perf report), or counts (perf stat report)",
    .flavours = flavours,
    .switches = true,
    .check = check,
    .open = open_trace,
    .close = close_trace,
    .beside = beside,
};
