// SPDX-License-Identifier: Apache-2.0
#include "traces/common/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "traces/family.h"
#include <countersink/formats/perf/abi/perf.h>

/* ---- commands ---- */

static bool wanted(const cs_trace_request *request, const cs_perf_command *command)
{
    return request->command == NULL || strcmp(request->command, command->name) == 0;
}

bool cs_trace_is_faithful(const cs_trace_request *request)
{
    return request->flavour != NULL && strcmp(request->flavour, "faithful") == 0;
}

static cs_status check_command(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    char names[320] = "";
    cs_perf_command command;
    size_t used = 0;

    if (request->command == NULL)
        return CS_OK;
    for (unsigned family = 0; family < CS_NR_TRACE_FAMILIES; family++)
        for (unsigned i = 0; cs_perf_command_of(s, cs_trace_families[family]->section, i, &command);
             i++) {
            if (wanted(request, &command))
                return CS_OK;
            if (used < sizeof names - sizeof command.name)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         used != 0 ? ", " : "", command.name);
        }
    return cs_diag_set(diag, CS_ERR_USAGE, NULL,
                       "the scenario has no perf command '%s'; it has: %s", request->command,
                       used != 0 ? names : "none");
}

/* "x.perf, y or z": where perf commands can stand. */
static const char *places(char *out, size_t size)
{
    size_t used = 0;

    for (unsigned i = 0; i < CS_NR_TRACE_FAMILIES && used < size; i++) {
        const cs_section *section = cs_trace_families[i]->section;

        used += (size_t)snprintf(out + used, size - used, "%s%s%s",
                                 i == 0                          ? ""
                                 : i == CS_NR_TRACE_FAMILIES - 1 ? " or "
                                                                 : ", ",
                                 section->name, section->commands->count != NULL ? ".perf" : "");
    }
    return out;
}

/* ---- the list ---- */

uint32_t cs_events_pmu_type(cs_events_builder *b, const char *name)
{
    cs_trace_events *e = b->events;
    uint32_t next = CS_PERF_TYPE_FIRST_DYNAMIC;

    for (size_t i = 0; i < e->nr_pmus; i++) {
        if (strcmp(e->pmus[i].name, name) == 0)
            return e->pmus[i].type;
        if (e->pmus[i].type >= next)
            next = e->pmus[i].type + 1;
    }
    cs_trace_pmu *pmus = realloc(e->pmus, (e->nr_pmus + 1) * sizeof *pmus);
    if (pmus == NULL) {
        b->failed = true;
        return 0;
    }
    e->pmus = pmus;
    pmus[e->nr_pmus].type = strcmp(name, "software") == 0 ? CS_PERF_TYPE_SOFTWARE
                            : strcmp(name, "cpu") == 0    ? CS_PERF_TYPE_RAW
                                                          : next;
    snprintf(pmus[e->nr_pmus].name, sizeof pmus[0].name, "%s", name);
    return pmus[e->nr_pmus++].type;
}

cs_trace_event *cs_events_add(cs_events_builder *b, const cs_perf_command *command, unsigned event,
                              const bool cpus[CS_MAX_CPUS])
{
    cs_trace_events *e = b->events;
    cs_trace_event *new;

    cs_trace_event *list = cs_room(e->list, &b->room, e->nr, sizeof *list);

    if (list == NULL) {
        b->failed = true;
        return NULL;
    }
    e->list = list;
    new = &e->list[e->nr];
    *new = (cs_trace_event){
        .family = b->family, .command = command->number, .event = event, .scale = 1};
    new->ids = malloc(CS_MAX_CPUS * sizeof *new->ids);
    new->cpus = malloc(CS_MAX_CPUS * sizeof *new->cpus);
    e->nr++;
    if (new->ids == NULL || new->cpus == NULL) {
        b->failed = true;
        return NULL;
    }
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (cpus[cpu]) {
            new->cpus[new->nr_cpus] = (uint16_t)cpu;
            new->ids[new->nr_cpus++] = b->next_id++;
        }
    return new;
}

cs_trace_event *cs_events_add_turning(cs_events_builder *b, const cs_perf_command *command,
                                      unsigned event, unsigned cpu, const char *what,
                                      const char *pmu)
{
    bool cpus[CS_MAX_CPUS] = {false};

    cpus[cpu] = true;
    cs_trace_event *new = cs_events_add(b, command, event, cpus);
    if (new == NULL)
        return NULL;
    new->rotated = pmu;
    new->type = cs_events_pmu_type(b, pmu);
    if (new->type < CS_PERF_TYPE_FIRST_DYNAMIC)
        snprintf(b->refused, sizeof b->refused,
                 "%s '%s' has the name of a PMU that perf always has; give it another", what, pmu);
    return new;
}

void cs_events_anywhere(cs_trace_event *event, uint32_t pid)
{
    event->anywhere = true;
    event->pid = pid;
    event->cpus[0] = CS_TRACE_ANY_CPU;
    event->nr_cpus = 1;
}

static void add_command(cs_events_builder *b, const cs_trace_family *family,
                        const cs_perf_command *command)
{
    cs_trace_events *e = b->events;
    const size_t first = e->nr;

    e->nr_commands++;
    e->interval_us = e->nr_commands == 1 ? (unsigned)command->interval_us : 0;
    b->family = family;
    family->open(b, command);
    for (size_t i = first; i < e->nr; i++)
        e->list[i].intervals = command->interval_us != 0;
}

static cs_status open_commands(const cs_scenario *s, const cs_trace_request *request, bool sampling,
                               cs_trace_events **out, cs_diag *diag)
{
    cs_trace_events *e = calloc(1, sizeof *e);
    cs_events_builder b = {
        .scenario = s, .events = e, .next_id = 1, .faithful = cs_trace_is_faithful(request)};
    cs_perf_command command;

    *out = NULL;
    if (e == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for events");
    cs_events_pmu_type(&b, "software");
    cs_events_pmu_type(&b, "cpu");
    for (unsigned family = 0; family < CS_NR_TRACE_FAMILIES; family++)
        for (unsigned i = 0; cs_perf_command_of(s, cs_trace_families[family]->section, i, &command);
             i++)
            if (wanted(request, &command) && (command.period != 0) == sampling)
                add_command(&b, cs_trace_families[family], &command);
    if (b.failed || b.refused[0] != '\0') {
        cs_trace_events_destroy(e);
        return b.failed ? cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for events")
                        : cs_diag_set(diag, CS_ERR_SCENARIO, s->source, "%s", b.refused);
    }
    *out = e;
    return CS_OK;
}

cs_status cs_trace_events_create(const cs_scenario *s, const cs_trace_request *request,
                                 bool *counts, cs_trace_events **out, cs_diag *diag)
{
    const cs_status status = open_commands(s, request, true, out, diag);

    *counts = status == CS_OK && (*out)->nr == 0;
    if (!*counts)
        return status;
    cs_trace_events_destroy(*out);
    return open_commands(s, request, false, out, diag);
}

cs_status cs_trace_events_check(const cs_scenario *s, const cs_trace_request *request,
                                const char *what, bool *counts, cs_trace_events **out,
                                cs_diag *diag)
{
    cs_status status = check_command(s, request, diag);
    char names[160];

    *out = NULL;
    if (status == CS_OK)
        status = cs_trace_events_create(s, request, counts, out, diag);
    if (status != CS_OK || (*out)->nr != 0)
        return status;
    cs_trace_events_destroy(*out);
    *out = NULL;
    return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                       "the scenario has no perf command (%s): there is nothing for %s",
                       places(names, sizeof names), what);
}

void cs_trace_events_destroy(cs_trace_events *e)
{
    if (e == NULL)
        return;
    for (size_t i = 0; i < e->nr; i++) {
        free(e->list[i].ids);
        free(e->list[i].cpus);
    }
    free(e->list);
    free(e->pmus);
    free(e);
}

/* ---- looking up ---- */

size_t cs_trace_events_find(const cs_trace_events *e, const cs_trace_family *family,
                            unsigned command, unsigned event)
{
    size_t i = 0;

    while (i < e->nr && (e->list[i].family != family || e->list[i].command != command ||
                         e->list[i].event != event))
        i++;
    return i;
}

static bool is_of(const cs_trace_event *e, const cs_count *count)
{
    if (e->command != count->command)
        return false;
    if (!count->turns)
        return e->family->counts == count->family && e->event == count->event;
    return e->rotated != NULL && strcmp(e->rotated, count->pmu) == 0 && e->turn == count->event &&
           (count->config == 0 || e->config == count->config) && e->config1 == count->config1 &&
           e->config2 == count->config2;
}

size_t cs_trace_events_find_count(const cs_trace_events *e, const cs_count *count, size_t from)
{
    size_t i = from;

    while (i < e->nr && !is_of(&e->list[i], count))
        i++;
    return i < e->nr ? i : e->nr;
}

uint64_t cs_trace_event_id(const cs_trace_event *event, unsigned cpu)
{
    for (unsigned i = 0; i < event->nr_cpus; i++)
        if (event->cpus[i] == cpu)
            return event->ids[i];
    return 0;
}
