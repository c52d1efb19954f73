// SPDX-License-Identifier: Apache-2.0
#include "scenario/pmcu/pmcu_perf_owner.h"

#include <stdio.h>
#include <string.h>

#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

#define PREFIX "hisi_pmcu_sccl"

/* One for each die. */
static const char *pmu(const cs_scenario *s, size_t nr)
{
    static _Thread_local char names[CS_MAX_DIES][24];

    if (!cs_scenario_has_pmcu(s) || nr >= s->pmcu->dies || nr >= CS_MAX_DIES)
        return NULL;
    snprintf(names[nr], sizeof names[nr], PREFIX "%u", cs_scenario_sccl(s, (unsigned)nr));
    return names[nr];
}

static bool joins(const char *pmu, const char *other)
{
    return strncmp(pmu, PREFIX, strlen(PREFIX)) == 0 && strncmp(other, PREFIX, strlen(PREFIX)) == 0;
}

/* The terms are keys of the driver. */
static void write_terms(cs_asked_part *part, cs_yaml_node *to, const cs_asked_event *event)
{
    static const char *const known[] = {"nr_sample", "sample_period_ms", "sample_period_ticks",
                                        "pmccfiltr"};
    const char *terms = event->what;
    cs_asked_term term;

    cs_asked_at_event(part, event);
    while (cs_asked_term_next(&terms, &term)) {
        size_t i = 0;

        while (i < sizeof known / sizeof known[0] && strcmp(term.name, known[i]) != 0)
            i++;
        if (i == sizeof known / sizeof known[0])
            cs_asked_fail(part,
                          "found term %s; expected nr_sample, sample_period_ms, "
                          "sample_period_ticks or pmccfiltr",
                          term.name);
        else
            cs_asked_put_text(part, to, known[i], "%s", term.value);
    }
}

static const char *sccl_of(const cs_yaml_node *die)
{
    const cs_yaml_node *sccl = cs_yaml_child(die, "sccl", strlen("sccl"));

    return sccl != NULL && sccl->kind == CS_YAML_SCALAR ? sccl->text : "";
}

/* A die has settings, although the command does not name it. */
static void check_dies(cs_asked_part *part, const cs_yaml_node *dies)
{
    for (const cs_yaml_node *die = dies->first; die != NULL; die = die->next) {
        char name[64];
        size_t i = 0;

        snprintf(name, sizeof name, PREFIX "%s", sccl_of(die));
        while (i < part->nr_events && !cs_perf_pmu_fits(part->events[i].pmu, name))
            i++;
        if (i == part->nr_events)
            cs_asked_fail(part, "found no event of %s, which is among pmcu_driver.dies", name);
    }
}

/* A die's element of the list: its settings, or a new one. */
static cs_yaml_node *die_of(cs_asked_part *part, cs_yaml_node *dies, const char *sccl)
{
    for (cs_yaml_node *die = dies->first; die != NULL; die = die->next)
        if (strcmp(sccl_of(die), sccl) == 0)
            return die;
    cs_yaml_node *die = cs_asked_put(part, dies, NULL, CS_YAML_MAP);

    cs_asked_put_text(part, die, "sccl", "%s", sccl);
    return die;
}

/* Of several dies those that are named have a driver. Settings may be given of these alone. */
static void write_dies(cs_asked_part *part)
{
    cs_asked_at_event(part, &part->events[0]);
    cs_yaml_node *dies = cs_yaml_child(part->to, "dies", strlen("dies"));
    const char *name;

    if (dies != NULL)
        check_dies(part, dies);
    else
        dies = cs_asked_put(part, part->to, "dies", CS_YAML_LIST);
    for (size_t i = 0; i < part->nr_events && part->status == CS_OK; i++)
        for (size_t nr = 0; (name = pmu(part->scenario, nr)) != NULL; nr++) {
            if (!cs_perf_pmu_fits(part->events[i].pmu, name))
                continue;
            cs_asked_at_event(part, &part->events[i]);
            write_terms(part, die_of(part, dies, name + strlen(PREFIX)), &part->events[i]);
        }
}

static void write_time(cs_asked_part *part, const char *key, const char *of_driver, uint64_t us)
{
    if (us == 0)
        return;
    cs_asked_at_key(part, key);
    cs_asked_put_text(part, part->to, of_driver, "%llu",
                      (unsigned long long)cs_scenario_us(part->scenario, us));
}

static void write(cs_asked_part *part)
{
    cs_asked_at_event(part, &part->events[0]);
    if (part->command->nr_stat != 0)
        cs_asked_fail(part, "found stat; expected record: a PMCU writes samples into AUX buffers");
    if (part->scenario->pmcu->dies > 1)
        write_dies(part);
    else if (part->nr_events == 1)
        write_terms(part, part->to, &part->events[0]);
    else
        cs_asked_fail(part, "found %zu events of a PMCU; expected one", part->nr_events);
    write_time(part, "start", "start_at_cycle", part->command->start_us);
    write_time(part, "stop", "stop_at_cycle", part->command->stop_us);
}

static const cs_perf_refusal refusals[] = {{0}};

const cs_perf_owner cs_pmcu_perf_owner = {.of = "a PMCU",
                                          .keys = "record",
                                          .modifiers = "",
                                          .single =
                                              "nr_sample sample_period_ms sample_period_ticks "
                                              "pmccfiltr start_at_cycle stop_at_cycle",
                                          .ends = true,
                                          .refusals = refusals,
                                          .pmu = pmu,
                                          .terms = "nr_sample=N,sample_period_ms=N,"
                                                   "sample_period_ticks=N,pmccfiltr=N",
                                          .joins = joins,
                                          .write = write};
