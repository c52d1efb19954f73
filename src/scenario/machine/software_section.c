// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/ports.h"
#include "scenario/machine/software_spec.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

#define S cs_software_spec

#define CHOICE_OF(name_, word_, text_) {word_, CS_SOFTWARE_##name_, NULL, NULL, text_},
#define NO_CHOICE(name_)
static const cs_key_choice software_choices[] = {CS_SOFTWARE_KINDS(CHOICE_OF, NO_CHOICE){0}};
static char kind_fallback[120];
static const cs_key_choice port_choices[] = {
    {"one", 0, NULL, NULL, "one port carries out all software, one operation at a time"},
    {"per_cpu", 1, NULL, "ipi_cycles",
     "a port for each CPU that runs software: they work side by side"},
    {0},
};

static const cs_key software_keys[] = {
    {OTHER("kind", CS_KEY_CHOICES, kind_fallback,
           "what drives the hardware through the CPU port; a list: all of them"),
     AT(S, kinds), .choices = software_choices},
    {NUMBER("cpu", "", 0, CS_MAX_CPUS - 1, "0",
            "the CPU that runs it, where a driver has no CPU of its own"),
     AT(S, cpu)},
    {NUMBER("irq_latency_cycles", "bus cycles", 0, 1000000000, "2000",
            "from the interrupt line to the handler's first access"),
     AT(S, irq_latency_cycles)},
    {NUMBER("access_cycles", "bus cycles", 0, 1000000, "20",
            "work of the CPU before each register access"),
     AT(S, access_cycles)},
    {CHOICE("ports", port_choices, "one", "how software meets the bus (docs/hw/cpu.md)"),
     AT(S, port_per_cpu)},
    {NUMBER("ipi_cycles", "bus cycles", 1, 1000000, "1000",
            "from one CPU's interrupt to another until that one has it"),
     AT(S, ipi_cycles)},
    {NUMBER("irq_entry_cycles", "bus cycles", 0, 1000000, "300",
            "of an interrupt: exception entry to handler"),
     AT(S, irq_entry_cycles)},
    {NUMBER("irq_exit_cycles", "bus cycles", 0, 1000000, "350",
            "of an interrupt: end of handler to workload"),
     AT(S, irq_exit_cycles)},
    {NUMBER("evicted_lines", "", 0, 1000000, "0",
            "cache lines of the workload that a stay of software on its CPU evicts, where it runs "
            "by the CPU port"),
     AT(S, evicted_lines)},
    {NUMBER("refill_cycles", "bus cycles", 0, 100000, "0",
            "what a line that was evicted costs the workload afterwards"),
     AT(S, refill_cycles)},
};
static const cs_key_shape shape = {SHAPE("software", software_keys, S)};

static void make_keys(void)
{
    int n = snprintf(kind_fallback, sizeof kind_fallback,
                     "=what perf needs; else %s; none on a die of", software_choices[0].name);

    for (size_t i = 0; cs_cpu_classes[i] != NULL && n < (int)sizeof kind_fallback; i++)
        if (cs_cpu_classes[i]->own_software)
            n += snprintf(kind_fallback + n, sizeof kind_fallback - (size_t)n, " %s alone",
                          cs_cpu_classes[i]->words.cores);
}

const char *cs_software_name(unsigned kind)
{
    const cs_key_choice *choice = software_choices;

    while (choice->value != kind)
        choice++;
    return choice->name;
}

/* What perf's PMUs need; else the first kind, where there are CPUs that have no software of their own. */
static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;
    unsigned kind = CS_SOFTWARE_none;

    if (cs_check_at(check, "software.kind") != NULL)
        return;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
        if (!cs_scenario_cpu_class(s, cpu)->own_software)
            kind = (unsigned)software_choices[0].value;
    s->software->kinds = s->perf_kinds != 0 ? s->perf_kinds : CS_SOFTWARE_BIT(kind);
}

static cs_status check_alone(cs_check *check, unsigned kind)
{
    const uint32_t runs = check->scenario->software->kinds, own = CS_SOFTWARE_BIT(kind);

    cs_check_at(check, "software.kind");
    return (runs & own) != 0 && runs != own
               ? cs_check_fail(check, "%s stands alone, not in a list with others",
                               cs_software_name(kind))
               : CS_OK;
}

/* Each kind of software has a section of its own; that of one that does not run is not allowed.
 * Those that stand alone share the CPU port with nobody. */
static cs_status check_kinds(cs_check *check)
{
    cs_status status = check_alone(check, CS_SOFTWARE_none);

    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++) {
        const cs_section *section = cs_sections[i].section;
        const cs_software_rule *rule = section->software;

        if (rule == NULL)
            continue;
        if (rule->alone)
            status = check_alone(check, rule->kind);
        if (status == CS_OK && !cs_scenario_runs(check->scenario, rule->kind) &&
            cs_check_at(check, "%s", section->name) != NULL)
            status = cs_check_fail(check, "not allowed without software.kind %s",
                                   cs_software_name(rule->kind));
    }
    return status;
}

/* With a port a CPU, software has to be made of tasks that belong to a CPU each. */
static cs_status check_ports(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint8_t cpus[CS_MAX_CPUS];

    if (!s->software->port_per_cpu)
        return CS_OK;
    cs_check_at(check, "software.ports");
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_software_rule *rule = cs_sections[i].section->software;

        if (rule != NULL && rule->runs_on == NULL && cs_scenario_runs(s, rule->kind))
            return cs_check_fail(check,
                                 "per_cpu is not for software.kind %s, which does the work of all "
                                 "its CPUs by one port",
                                 cs_software_name(rule->kind));
    }
    const unsigned count = cs_scenario_ports(s, cpus);
    return count <= CS_MAX_CPU_PORTS
               ? CS_OK
               : cs_check_fail(check, "software runs on %u CPUs; there are at most %u CPU ports",
                               count, CS_MAX_CPU_PORTS);
}

bool cs_scenario_runs_on_a_cpu(const cs_scenario *s)
{
    uint32_t kinds = s->software->kinds;

    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_software_rule *rule = cs_sections[i].section->software;

        if (rule != NULL && rule->chooses_cpu)
            kinds &= ~CS_SOFTWARE_BIT(rule->kind);
    }
    return kinds != 0;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    const unsigned cpus = cs_scenario_cpus(s), cpu = s->software->cpu;
    char keys[160];

    cs_check_at(check, "software.cpu");
    if (cpu >= cpus)
        return cs_check_fail(check, "%u is outside the CPUs 0..%u (%s)", cpu, cpus - 1,
                             cs_scenario_cpu_keys(s, NULL, keys, sizeof keys));
    const cs_cpu_state state = cs_scenario_cpu_state(s, cpu);
    if (cs_scenario_runs_on_a_cpu(s) && state >= CS_CPU_OFFLINE)
        return cs_check_fail(check, "CPU %u is %s (%s.%s), no software can run on it", cpu,
                             cs_cpu_state_name(state), cs_scenario_cpu_class(s, cpu)->state_section,
                             cs_cpu_state_name(state));
    const cs_status status = check_kinds(check);
    return status == CS_OK ? check_ports(check) : status;
}

static const cs_key keys[] = {{MAP("software", &shape, "who drives the hardware")}};
const cs_section cs_section_software = {SECTION("software", keys, S), .make_keys = make_keys,
                                        .compute = compute, .check = check};
