#include "traces/common/events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "formats/perf/abi/perf.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/perf_commands.h"
#include "scenario/section_list.h"
#include "traces/common/events_impl.h"

/* ---- commands ---- */

/* The sections whose commands open events, in the order of the events. */
static const cs_section *const sections[] = {[CS_TRACE_IMC] = &cs_section_imc_driver,
                                             [CS_TRACE_HART] = &cs_section_riscv,
                                             [CS_TRACE_UNCORE] = &cs_section_uncore_driver,
                                             [CS_TRACE_MULTIPLEX] = &cs_section_multiplex,
                                             [CS_TRACE_PMI] = &cs_section_pmi,
                                             [CS_TRACE_PMCU] = &cs_section_pmcu_driver};

static bool wanted(const cs_trace_request *request, const cs_perf_command *command)
{
    return request->command == NULL || strcmp(request->command, command->name) == 0;
}

bool cs_trace_is_faithful(const cs_trace_request *request)
{
    return request->flavour != NULL && strcmp(request->flavour, "faithful") == 0;
}

cs_status cs_trace_command_check(const cs_scenario *s, const cs_trace_request *request,
                                 cs_diag *diag)
{
    char names[320] = "";
    cs_perf_command command;
    size_t used = 0;

    if (request->command == NULL)
        return CS_OK;
    for (cs_trace_source source = CS_TRACE_IMC; source <= CS_TRACE_PMCU; source++)
        for (unsigned i = 0; cs_perf_command_of(s, sections[source], i, &command); i++) {
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

cs_trace_event *cs_events_add(cs_events_builder *b, cs_trace_source source, unsigned command,
                              unsigned event, const bool cpus[CS_MAX_CPUS])
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
    *new = (cs_trace_event){.source = source, .command = command, .event = event, .scale = 1};
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

/* ---- IMC ---- */

/* One CPU stands for its core, or for the chip (docs/imc_driver.md, "Adding and deleting"). */
static void imc_cpus(const cs_scenario *s, const cs_perf_spec *p, bool out[CS_MAX_CPUS])
{
    const unsigned first = cs_scenario_arm_cpus(s), end = cs_scenario_hart_cpu(s, 0);
    unsigned last = UINT32_MAX;

    memset(out, 0, CS_MAX_CPUS * sizeof *out);
    for (unsigned cpu = first; cpu < end; cpu++) {
        const unsigned place = p->pmu == CS_PERF_NEST   ? 0
                               : p->pmu == CS_PERF_CORE ? (cpu - first) / s->imc->threads
                                                        : cpu;

        out[cpu] = p->cpus[cpu] && place != last;
        last = p->cpus[cpu] ? place : last;
    }
}

/* As the driver finds it: in its PMU, else anywhere in the catalog. */
static const cs_imc_event *imc_event(const cs_scenario *s, const cs_perf_spec *p, size_t k)
{
    static const char *const pmus[] = {[CS_PERF_CORE] = "core_imc",
                                       [CS_PERF_THREAD] = "thread_imc",
                                       [CS_PERF_TRACE] = "trace_imc"};
    const cs_imc_unit *unit =
        p->pmu != CS_PERF_NEST ? cs_imc_catalog_pmu(s->catalog, pmus[p->pmu]) : NULL;
    const cs_imc_event *event = NULL;

    if (p->nr_events == 0)
        return cs_imc_catalog_at(s->catalog, (cs_imc_domain)p->pmu, (uint32_t)p->config, NULL);
    if (unit != NULL)
        event = cs_imc_unit_event(unit, p->events[k]);
    if (event == NULL)
        (void)cs_imc_catalog_find(s->catalog, p->events[k], &event, NULL);
    return event;
}

static void add_imc(cs_events_builder *b, unsigned command)
{
    const cs_scenario *s = b->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[command];
    const size_t nr = p->nr_events != 0 ? p->nr_events : 1;
    bool cpus[CS_MAX_CPUS];

    imc_cpus(s, p, cpus);
    for (size_t k = 0; k < nr; k++) {
        const cs_imc_event *event = imc_event(s, p, k);
        cs_trace_event *new =
            event != NULL ? cs_events_add(b, CS_TRACE_IMC, command, (unsigned)k, cpus) : NULL;

        if (new == NULL)
            continue;
        new->imc = event;
        snprintf(new->name, sizeof new->name, "%s/%s/", event->of->pmu, event->name);
        new->type = cs_events_pmu_type(b, event->of->pmu);
        new->config = event->value;
        new->period = p->sample_period;
        new->unit = event->unit;
        new->scale = event->scale != NULL ? strtod(event->scale, NULL) : 1;
    }
}

/* ---- harts ---- */

static void hart_modifiers(const cs_riscv_perf_spec *p, cs_trace_event *e)
{
    const struct {
        bool set;
        uint64_t bit;
    } excludes[] = {
        {p->exclude_user, CS_PERF_ATTR_EXCLUDE_USER},
        {p->exclude_kernel, CS_PERF_ATTR_EXCLUDE_KERNEL},
        {p->exclude_hv, CS_PERF_ATTR_EXCLUDE_HV},
        {p->exclude_host, CS_PERF_ATTR_EXCLUDE_HOST},
        {p->exclude_guest, CS_PERF_ATTR_EXCLUDE_GUEST},
    };
    char letters[8] = ":";

    for (size_t i = 0; i < sizeof excludes / sizeof excludes[0]; i++)
        e->excludes |= excludes[i].set ? excludes[i].bit : 0;
    /* As perf's modifiers tell what is left. */
    if (p->exclude_user != p->exclude_kernel)
        strcat(letters, p->exclude_user ? "k" : "u");
    if (p->exclude_host != p->exclude_guest)
        strcat(letters, p->exclude_host ? "G" : "H");
    if (letters[1] != '\0')
        strcat(e->name, letters);
}

static void add_hart(cs_events_builder *b, unsigned command)
{
    const cs_scenario *s = b->scenario;
    const cs_riscv_perf_spec *p = &s->riscv->perf[command];
    const unsigned first = cs_scenario_hart_cpu(s, 0);
    bool cpus[CS_MAX_CPUS] = {false};

    for (unsigned cpu = first; cpu < first + s->harts->count; cpu++)
        cpus[cpu] = p->cpus[cpu];
    for (size_t k = 0; k < p->nr_events; k++) {
        cs_trace_event *new = cs_events_add(b, CS_TRACE_HART, command, (unsigned)k, cpus);

        if (new == NULL)
            return;
        snprintf(new->name, sizeof new->name, "%s", p->events[k]);
        hart_modifiers(p, new);
        new->type = p->configs[k].type;
        new->config = p->configs[k].config;
        new->period = p->sample_period;
        new->guest = p->guest;
        new->callchain = p->callchain;
    }
}

/* ---- the others ---- */

static void add_pmi(cs_events_builder *b)
{
    cs_trace_event *new = cs_events_add(b, CS_TRACE_PMI, 0, 0, b->scenario->pmi->cpus);

    if (new == NULL)
        return;
    snprintf(new->name, sizeof new->name, "cycles");
    new->type = CS_PERF_TYPE_HARDWARE;
    new->period = b->scenario->pmi->period;
}

static void add_pmcu(cs_events_builder *b, bool own_only)
{
    const cs_scenario *s = b->scenario;
    bool driver_cpu[CS_MAX_CPUS] = {false}, cpus[CS_MAX_CPUS] = {false};
    cs_trace_event *new;

    driver_cpu[s->software->cpu] = true;
    new = cs_events_add(b, CS_TRACE_PMCU, 0, 0, driver_cpu);
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
    if (own_only)
        return;
    for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(s); cpu++)
        cpus[cpu] = true;
    for (unsigned k = 0; k < s->pmcu_driver->nr_user_events; k++) {
        const char *name = cs_arm_event_name(s->pmcu_driver->user_events[k]);

        new = cs_events_add(b, CS_TRACE_ARM, 0, k, cpus);
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
    new = cs_events_add(b, CS_TRACE_ARM, 0, s->pmcu_driver->nr_user_events, cpus);
    if (new == NULL)
        return;
    new->type = CS_PERF_TYPE_HARDWARE;
    new->period = 1;
    snprintf(new->name, sizeof new->name, "cycles");
}

static void add_command(cs_events_builder *b, cs_trace_source source,
                        const cs_perf_command *command)
{
    cs_trace_events *e = b->events;
    const uint64_t interval_us = command->interval_us;
    const size_t first = e->nr;

    e->nr_commands++;
    e->interval_us = e->nr_commands == 1 ? (unsigned)interval_us : 0;
    switch (source) {
    case CS_TRACE_IMC:
        add_imc(b, command->number);
        break;
    case CS_TRACE_HART:
        add_hart(b, command->number);
        break;
    case CS_TRACE_UNCORE:
        cs_events_add_uncore(b, command->number);
        break;
    case CS_TRACE_MULTIPLEX:
        cs_events_add_multiplex(b);
        break;
    case CS_TRACE_PMI:
        add_pmi(b);
        break;
    default:
        add_pmcu(b, b->faithful);
    }
    for (size_t i = first; i < e->nr; i++)
        e->list[i].intervals = interval_us != 0;
}

cs_status cs_trace_events_create(const cs_scenario *s, const cs_trace_request *request,
                                 bool sampling, cs_trace_events **out, cs_diag *diag)
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
    for (cs_trace_source source = CS_TRACE_IMC; source <= CS_TRACE_PMCU; source++)
        for (unsigned i = 0; cs_perf_command_of(s, sections[source], i, &command); i++)
            if (wanted(request, &command) && (command.period != 0) == sampling)
                add_command(&b, source, &command);
    if (b.failed || b.reserved != NULL) {
        cs_trace_events_destroy(e);
        return b.failed
                   ? cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for events")
                   : cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                                 "the uncore unit '%s' has the name of a PMU that perf always has; "
                                 "give it another",
                                 b.reserved);
    }
    *out = e;
    return CS_OK;
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

size_t cs_trace_events_find(const cs_trace_events *e, cs_trace_source source, unsigned command,
                            unsigned event)
{
    size_t i = 0;

    while (i < e->nr && (e->list[i].source != source || e->list[i].command != command ||
                         e->list[i].event != event))
        i++;
    return i;
}

size_t cs_trace_events_find_imc(const cs_trace_events *e, unsigned command, const cs_imc_event *imc)
{
    size_t i = 0;

    while (i < e->nr && (e->list[i].source != CS_TRACE_IMC || e->list[i].command != command ||
                         e->list[i].imc != imc))
        i++;
    return i;
}

uint64_t cs_trace_event_id(const cs_trace_event *event, unsigned cpu)
{
    for (unsigned i = 0; i < event->nr_cpus; i++)
        if (event->cpus[i] == cpu)
            return event->ids[i];
    return 0;
}

/* ---- what the kernel says ---- */

static void opened(cs_trace_openings *o, size_t event, const char *list, unsigned command,
                   const char *why)
{
    if (event == o->events->nr)
        return; /* of another command */
    if (why == NULL)
        o->good++;
    else if (o->refused++ == 0)
        snprintf(o->why, sizeof o->why, "%s.%u: %s", list, command, why);
}

void cs_trace_opened_imc(cs_trace_openings *o, unsigned command, const char *why)
{
    opened(o, cs_trace_events_find(o->events, CS_TRACE_IMC, command, 0), "imc_driver.perf", command,
           why);
}

void cs_trace_opened_hart(cs_trace_openings *o, unsigned command, unsigned event, const char *why)
{
    opened(o, cs_trace_events_find(o->events, CS_TRACE_HART, command, event), "riscv.perf", command,
           why);
}

cs_status cs_trace_openings_check(const cs_trace_openings *o, const cs_scenario *s, cs_diag *diag)
{
    bool others = false;

    for (size_t i = 0; i < o->events->nr; i++)
        others |=
            o->events->list[i].source != CS_TRACE_IMC && o->events->list[i].source != CS_TRACE_HART;
    if (o->refused == 0 || o->good > 0 || others)
        return CS_OK;
    return cs_diag_set(
        diag, CS_ERR_SCENARIO, s->source,
        "the kernel refuses all events that were to sample (%s), and perf makes no file "
        "then; --command takes another perf command",
        o->why);
}
