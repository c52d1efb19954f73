#include "scenario/check.h"
#include "scenario/cpus.h"
#include "scenario/key_macros.h"
#include "scenario/machine/software_spec.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

#define S cs_software_spec

static const cs_key_choice software_choices[] = {
    {"pmcu_driver", CS_SOFTWARE_PMCU_DRIVER, NULL, NULL,
     "the PMCU driver under perf (pmcu_driver)"},
    {"script", CS_SOFTWARE_SCRIPT, NULL, NULL, "raw bus accesses (script)"},
    {"imc", CS_SOFTWARE_IMC, NULL, NULL, "OPAL, the kernel's IMC driver and perf (imc_driver)"},
    {"pmi", CS_SOFTWARE_PMI, NULL, NULL, "sampling by interrupts, without IMC (pmi)"},
    {"none", CS_SOFTWARE_NONE, NULL, NULL, "nothing; harts have their own (riscv)"},
    {"multiplex", CS_SOFTWARE_MULTIPLEX, NULL, NULL,
     "perf stat of the CPUs' events, without PMCU (multiplex)"},
    {"uncore", CS_SOFTWARE_UNCORE, NULL, NULL, "perf on uncore units (uncore_driver)"},
    {0},
};
static const cs_key software_keys[] = {
    {OTHER("kind", CS_KEY_CHOICES, "=pmcu_driver; none on a die of harts alone",
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
};
static const cs_key_shape shape = {SHAPE("software", software_keys, S)};

static cs_status check_alone(cs_check *check, unsigned kind, const char *name)
{
    const uint32_t runs = check->scenario->software->kinds, own = CS_SOFTWARE_BIT(kind);

    cs_check_at(check, "software.kind");
    return (runs & own) != 0 && runs != own
               ? cs_check_fail(check, "%s stands alone, not in a list with others", name)
               : CS_OK;
}

/* Each kind of software has a section of its own; that of one that does not run is not allowed.
 * Those that stand alone share the CPU port with nobody. */
static cs_status check_kinds(cs_check *check)
{
    cs_status status = check_alone(check, CS_SOFTWARE_NONE, "none");

    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++) {
        const cs_section *section = cs_sections[i].section;
        const cs_software_rule *rule = section->software;

        if (rule == NULL)
            continue;
        if (rule->alone)
            status = check_alone(check, rule->kind, rule->name);
        if (status == CS_OK && !cs_scenario_runs(check->scenario, rule->kind) &&
            cs_check_at(check, "%s", section->name) != NULL)
            status = cs_check_fail(check, "not allowed without software.kind %s", rule->name);
    }
    return status;
}

/* Some of it runs on software.cpu. */
static bool has_cpu(const cs_scenario *s)
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
    if (has_cpu(s) && (s->corepmu->absent[cpu] || s->corepmu->offline[cpu]))
        return cs_check_fail(check, "CPU %u is %s (corepmu.%s), no software can run on it", cpu,
                             s->corepmu->absent[cpu] ? "absent" : "offline",
                             s->corepmu->absent[cpu] ? "absent" : "offline");
    return check_kinds(check);
}

static const cs_key keys[] = {{MAP("software", &shape, "who drives the hardware")}};
const cs_section cs_section_software = {SECTION("software", keys, S), .check = check};
