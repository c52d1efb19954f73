// SPDX-License-Identifier: Apache-2.0
#include "scenario/uncore/uncore_perf_owner.h"

#include <string.h>

#include "base/number.h"
#include "scenario/uncore/uncore_spec.h"

#define ALL "uncore"

static const char *pmu(const cs_scenario *s, size_t nr)
{
    if (s->uncore->nr_units == 0 || nr > s->uncore->nr_units)
        return NULL;
    return nr == 0 ? ALL : s->uncore->units[nr - 1].name;
}

static bool is_unit(const cs_scenario *s, const char *name)
{
    for (size_t i = 0; i < s->uncore->nr_units; i++)
        if (strcmp(s->uncore->units[i].name, name) == 0)
            return true;
    return false;
}

/* Those of key pmus: units by name, others by their place. */
static void write_named(cs_asked_part *part)
{
    const cs_perf_command_spec *c = part->command;
    cs_yaml_node *units = NULL, *places = NULL;
    uint64_t address;

    cs_asked_at_key(part, "pmus");
    if (strcmp(part->events[0].pmu, ALL) != 0)
        cs_asked_fail(part, "found beside %s; expected events of " ALL, part->events[0].pmu);
    for (size_t i = 0; i < c->nr_pmus; i++) {
        const bool place =
            strchr(c->pmus[i], '/') != NULL || cs_number_of(c->pmus[i], UINT64_MAX, &address);
        cs_yaml_node **list = place && !is_unit(part->scenario, c->pmus[i]) ? &places : &units;

        if (*list == NULL)
            *list = cs_asked_put(part, part->to, list == &units ? "units" : "pmus", CS_YAML_LIST);
        cs_asked_put_text(part, *list, NULL, "%s", c->pmus[i]);
    }
}

static void write_event(cs_asked_part *part, cs_yaml_node *events, const cs_asked_event *event)
{
    const char *terms = event->what;
    bool has_event = false;
    cs_asked_term term;

    cs_asked_at_event(part, event);
    cs_yaml_node *keys = cs_asked_put(part, events, NULL, CS_YAML_MAP);

    while (cs_asked_term_next(&terms, &term)) {
        if (strcmp(term.name, "event") == 0) {
            has_event = true;
            cs_asked_put_text(part, keys, "event", "uncore:%s", term.value);
        } else if (strcmp(term.name, "config1") == 0)
            cs_asked_put_text(part, keys, "config1", "%s", term.value);
        else if (strcmp(term.name, "config2") == 0)
            cs_asked_put_text(part, keys, "config2", "%s", term.value);
        else if (strcmp(term.name, "counters") == 0)
            cs_asked_put_text(part, keys, "counters", "%s", term.value);
        else
            cs_asked_fail(part, "found term %s; expected event, config1, config2 or counters",
                          term.name);
    }
    if (!has_event)
        cs_asked_fail(part, "found %s; expected event=N among the terms", event->what);
    cs_asked_put_group(part, keys, event);
}

static void write(cs_asked_part *part)
{
    if (part->command->partition[0] != '\0') {
        cs_asked_at_key(part, "partition");
        cs_asked_put_text(part, part->to, "partition", "%s", part->command->partition);
    }
    if (part->command->nr_pmus != 0)
        write_named(part);
    else
        cs_asked_put_fitting(part, "units");
    cs_asked_at_event(part, &part->events[0]);
    cs_yaml_node *events = cs_asked_put(part, part->to, "events", CS_YAML_LIST);

    for (size_t i = 0; i < part->nr_events; i++)
        write_event(part, events, &part->events[i]);
    cs_asked_put_times(part);
}

static const cs_perf_refusal refusals[] = {
    {"record", "EOPNOTSUPP", "a counter of a unit samples no CPU"},
    {0},
};

const cs_perf_owner cs_uncore_perf_owner = {.of = "an uncore unit",
                                            .keys = "interval pmus partition",
                                            .modifiers = "D",
                                            .refusals = refusals,
                                            .pmu = pmu,
                                            .terms = "event=N,config1=N,config2=N,counters=N",
                                            .write = write};
