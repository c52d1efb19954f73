/* A scenario: everything a run depends on. It is read from YAML by cs_scenario_load (load.h);
 * docs/scenarios.md lists the keys. All defaults are filled in; every value has been checked
 * against its range. Each section has a structure of its own, in the folder of what it is about. */
#ifndef CS_SCENARIO_SCENARIO_H
#define CS_SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cycle.h"
#include "base/stream/events.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/event_spaces.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/limits.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/machine/script_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/sections.h"
#include "scenario/uncore/pmus_spec.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/work/workload_spec.h"

/* Timelines: one for each CPU, one for the nest, one for each uncore unit. */
#define CS_NEST_TIMELINE CS_MAX_CPUS
#define CS_UNCORE_TIMELINE(unit) (CS_MAX_CPUS + 1u + (unit))
#define CS_MAX_TIMELINES (CS_MAX_CPUS + 128u) /* from CS_MAX_CPUS + 64 on they are free */

typedef enum cs_software_kind {
    CS_SOFTWARE_PMCU_DRIVER,
    CS_SOFTWARE_SCRIPT,
    CS_SOFTWARE_IMC,       /* OPAL, the kernel's IMC driver, and perf commands */
    CS_SOFTWARE_PMI,       /* sampling by interrupts, the way without IMC */
    CS_SOFTWARE_NONE,      /* the CPU port does nothing */
    CS_SOFTWARE_MULTIPLEX, /* perf multiplexes the CPUs' events, the way without PMCU */
    CS_SOFTWARE_UNCORE,    /* perf and the kernel's driver of uncore units */
    CS_NR_SOFTWARE
} cs_software_kind;
#define CS_SOFTWARE_BIT(kind) (1u << (kind))

/* Something that is allowed but hardly meant; for the user's eyes. */
typedef struct cs_scenario_warning {
    char where[96]; /* the file, or "--set a.b=c" */
    unsigned line;  /* in the file; 0 where there is none */
    unsigned column;
    char text[240];
} cs_scenario_warning;

/* One of the ways in which a scenario can be run. */
typedef struct cs_way_spec {
    char name[CS_NAME_BYTES];
    char text[CS_WAY_TEXT_BYTES]; /* "" without one */
} cs_way_spec;

typedef struct cs_scenario {
    char name[CS_NAME_BYTES];
    char source[256];   /* the file as it was named, for diagnostics */
    char folder[4096];  /* where the YAML lies; other files are relative to it */
    const char **files; /* named in it, as they were: relative to the folder, or absolute */
    size_t nr_files;
    char *yaml; /* the text as read (with --set applied), NUL terminated */
    uint64_t seed;
    unsigned nr_cpus;  /* of all kinds */
    cs_way_spec *ways; /* this scenario is one of them */
    size_t nr_ways;
    char way[CS_NAME_BYTES]; /* its name; "": the first one's, because none was named */

    /* ---- the sections ---- */
#define CS_SECTION_MEMBER(name) struct cs_##name##_spec *name;
    CS_SECTIONS(CS_NO_SECTION, CS_SECTION_MEMBER)
#undef CS_SECTION_MEMBER
    struct cs_imc_catalog *catalog; /* NULL: none; owned by the loader */
    cs_workload_spec *workloads;
    size_t nr_workloads;
    cs_segment_spec handler; /* what a core does while it runs driver code */
    bool handler_mode;       /* its mode was given: it is that of all CPUs */
    cs_script_step *script;
    size_t nr_script;
    cycle_t limit_cycles; /* 0: until the software has ended */
    cs_scenario_warning *warnings;
    size_t nr_warnings;
} cs_scenario;

/* The CPUs of the PMCU's clusters come first, then the threads of the IMC cores, then the harts. */
typedef enum cs_cpu_kind { CS_CPU_ARM, CS_CPU_IMC, CS_CPU_HART } cs_cpu_kind;

static inline unsigned cs_scenario_arm_cpus(const cs_scenario *s)
{
    return s->pmcu->clusters * s->pmcu->slots;
}

static inline unsigned cs_scenario_hart_cpu(const cs_scenario *s, unsigned hart)
{
    return cs_scenario_arm_cpus(s) + s->imc->cores * s->imc->threads + hart;
}

static inline unsigned cs_scenario_cpus(const cs_scenario *s)
{
    return s->nr_cpus;
}

static inline cs_cpu_kind cs_scenario_cpu_kind(const cs_scenario *s, unsigned cpu)
{
    if (cpu < cs_scenario_arm_cpus(s))
        return CS_CPU_ARM;
    return cpu < cs_scenario_hart_cpu(s, 0) ? CS_CPU_IMC : CS_CPU_HART;
}

static inline unsigned cs_scenario_imc_cpu(const cs_scenario *s, unsigned core, unsigned thread)
{
    return cs_scenario_arm_cpus(s) + s->imc->threads * core + thread;
}

static inline bool cs_scenario_runs(const cs_scenario *s, cs_software_kind kind)
{
    return (s->software->kinds & CS_SOFTWARE_BIT(kind)) != 0;
}

static inline bool cs_scenario_has_pmcu(const cs_scenario *s)
{
    return s->pmcu->clusters != 0;
}

/* Somebody may give the PMCU work: its driver, or a script. */
static inline bool cs_scenario_drives_pmcu(const cs_scenario *s)
{
    return cs_scenario_has_pmcu(s) && (cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER) ||
                                       cs_scenario_runs(s, CS_SOFTWARE_SCRIPT));
}

/* The mode of a CPU without a workload. */
cs_mode cs_scenario_idle_mode(const cs_scenario *s, unsigned cpu);
/* The mode of a CPU's handler. */
cs_mode cs_scenario_handler_mode(const cs_scenario *s, unsigned cpu);

/* An Arm CPU or a thread of an IMC core that is there and online. */
static inline bool cs_scenario_can_manage(const cs_scenario *s, unsigned cpu)
{
    return cs_scenario_cpu_kind(s, cpu) != CS_CPU_HART && !s->corepmu->absent[cpu] &&
           !s->corepmu->offline[cpu];
}

static inline uint64_t cs_scenario_us(const cs_scenario *s, uint64_t us)
{
    return us * s->bus->clock_mhz;
}

/* The bus cycles that the scenario's software takes at least (its counting time alone);
 * 0 when it cannot be said. */
uint64_t cs_scenario_least_cycles(const cs_scenario *s);

#endif
