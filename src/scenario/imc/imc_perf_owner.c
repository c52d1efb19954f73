// SPDX-License-Identifier: Apache-2.0
#include "scenario/imc/imc_perf_owner.h"

#include <string.h>

#include "formats/imc/catalog/catalog.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/yaml/suggest.h"

/* What imc_driver.perf[].pmu calls them. */
static const struct {
    const char *pmu, *word;
} kinds[] = {{"core_imc", "core"}, {"thread_imc", "thread"}, {"trace_imc", "trace"}};

#define KINDS (sizeof kinds / sizeof kinds[0])
#define NEST_PREFIX "nest_"

static bool is_nest(const char *pmu)
{
    return strncmp(pmu, NEST_PREFIX, strlen(NEST_PREFIX)) == 0;
}

/* All units of the catalog. */
static const char *pmu(const cs_scenario *s, size_t nr)
{
    const cs_imc_unit *unit =
        s->imc->catalog != NULL ? cs_imc_catalog_unit(s->imc->catalog, nr) : NULL;

    return unit != NULL ? unit->pmu : NULL;
}

static const char *event_name(const cs_scenario *s, size_t of, size_t nr)
{
    const cs_imc_unit *unit = cs_imc_catalog_unit(s->imc->catalog, of);

    return nr < unit->nr_events ? unit->events[nr].name : NULL;
}

/* Nest units are counted by one command. */
static bool joins(const char *pmu, const char *other)
{
    return is_nest(pmu) && is_nest(other);
}

static void write_kind(cs_asked_part *part)
{
    const char *asked = part->events[0].pmu;

    cs_asked_at_event(part, &part->events[0]);
    if (is_nest(asked)) {
        cs_asked_put_text(part, part->to, "pmu", "nest");
        return;
    }
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].pmu, asked) == 0) {
            cs_asked_put_text(part, part->to, "pmu", "%s", kinds[i].word);
            return;
        }
    cs_asked_fail(part, "found %s; expected core_imc, thread_imc, trace_imc or a unit of the nest",
                  asked);
}

static void check_name(cs_asked_part *part, const char *pmu_name, const char *name)
{
    const cs_imc_unit *unit = cs_imc_catalog_pmu(part->scenario->imc->catalog, pmu_name);
    cs_suggest suggest = cs_suggest_begin(name);

    if (unit == NULL || cs_imc_unit_event(unit, name) != NULL)
        return;
    for (size_t i = 0; i < unit->nr_events; i++)
        cs_suggest_offer(&suggest, unit->events[i].name);
    const char *near = cs_suggest_end(&suggest);
    cs_asked_fail(part, "%s has no event %s%s%s%s", pmu_name, name,
                  near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                  near != NULL ? "?" : "");
}

static void write_event(cs_asked_part *part, cs_yaml_node *names, const cs_asked_event *event)
{
    const char *terms = event->what;
    cs_asked_term term;

    cs_asked_at_event(part, event);
    if (event->group != 0)
        cs_asked_fail(part, "found a group; expected single events: IMC's counters are in memory, "
                            "and none is ever without one");
    while (cs_asked_term_next(&terms, &term)) {
        if (term.value[0] == '\0')
            check_name(part, event->pmu, term.name);
        if (strcmp(term.name, "config") == 0 && term.value[0] != '\0')
            cs_asked_put_text(part, part->to, "config", "%s", term.value);
        else if (term.value[0] != '\0')
            cs_asked_fail(part, "found term %s; expected an event's name, or config", term.name);
        else
            cs_asked_put_text(part, names, NULL, "%s%s%s", is_nest(event->pmu) ? event->pmu : "",
                              is_nest(event->pmu) ? "/" : "", term.name);
    }
}

static void write_processes(cs_asked_part *part)
{
    const char *rest = part->command->pid;
    cs_yaml_node *list;

    if (*rest == '\0')
        return;
    cs_asked_at_key(part, "pid");
    list = cs_asked_put(part, part->to, "processes", CS_YAML_LIST);
    while (*rest != '\0' && list != NULL) {
        const size_t bytes = strcspn(rest, ",");
        cs_yaml_node *one = cs_asked_put(part, list, NULL, CS_YAML_MAP);

        cs_asked_put_text(part, one, "pid", "%.*s", (int)bytes, rest);
        rest += bytes + (rest[bytes] == ',');
    }
}

static void write(cs_asked_part *part)
{
    const cs_perf_command_spec *c = part->command;

    write_kind(part);
    cs_asked_at_event(part, &part->events[0]);
    cs_yaml_node *names = cs_asked_put(part, part->to, "events", CS_YAML_LIST);

    for (size_t i = 0; i < part->nr_events; i++)
        write_event(part, names, &part->events[i]);
    cs_asked_put_key(part, "cpus", "cpus");
    write_processes(part);
    cs_asked_put_key(part, "inherit", "inherit");
    cs_asked_put_key(part, "period", "sample_period");
    cs_asked_put_key(part, "freq", "freq");
    if (c->nr_record != 0 && c->period == 0 && c->freq == 0)
        cs_asked_put_text(part, part->to, "freq", "%u", CS_PERF_DEFAULT_FREQ);
    cs_asked_put_key(part, "per_socket", "per_socket");
    if (c->exclude != 0) {
        cs_asked_at_key(part, "exclude");
        cs_asked_put_text(part, part->to, "exclude", "true");
    }
    cs_asked_put_key(part, "task", "task");
    cs_asked_put_key(part, "privileged", "privileged");
    cs_asked_put_times(part);
}

static const cs_perf_refusal refusals[] = {{0}};

const cs_perf_owner cs_imc_perf_owner = {
    .of = "a PMU of IMC",
    .keys = "record interval cpus pid inherit period freq exclude per_socket task privileged",
    .modifiers = "",
    .refusals = refusals,
    .pmu = pmu,
    .event = event_name,
    .terms = "config=N",
    .joins = joins,
    .write = write};
