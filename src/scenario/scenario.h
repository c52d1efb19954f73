// SPDX-License-Identifier: Apache-2.0
/* A scenario: everything a run depends on. It is read from YAML by cs_scenario_load (load.h);
 * docs/scenarios.md lists the keys. All defaults are filled in; every value has been checked
 * against its range. Each section has a structure of its own, in the folder of what it is about. */
#ifndef CS_SCENARIO_SCENARIO_H
#define CS_SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"
#include "scenario/sections.h"
#include "scenario/software_kinds.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/cycle.h>
#include <countersink/base/numbers.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    unsigned nr_cpus;                        /* of all kinds */
    unsigned first_cpus[CS_MAX_CPU_CLASSES]; /* of each kind */
    cs_way_spec *ways;                       /* this scenario is one of them */
    size_t nr_ways;
    char way[CS_NAME_BYTES]; /* its name; "": the first one's, because none was named */

    /* ---- the sections ---- */
#define CS_SECTION_MEMBER(name) struct cs_##name##_spec *name;
    CS_SECTIONS(CS_NO_SECTION, CS_SECTION_MEMBER)
#undef CS_SECTION_MEMBER
    struct cs_perf_command_spec *perf;
    size_t nr_perf;
    uint32_t perf_kinds; /* CS_SOFTWARE_BIT of those whose PMUs perf names */
    cs_workload_spec *workloads;
    size_t nr_workloads;
    cs_segment_spec handler; /* what a core does while it runs driver code */
    bool handler_mode;       /* its mode was given: it is that of all CPUs */
    struct cs_script_step *script;
    size_t nr_script;
    struct {
        unsigned mhz;
        const char *key;   /* that says it */
    } core_clock;          /* of all CPUs */
    cs_cycle limit_cycles; /* 0: until the software has ended */
    cs_scenario_warning *warnings;
    size_t nr_warnings;
} cs_scenario;

/* CPUs of all kinds (scenario/cpus.h). */
unsigned cs_scenario_cpus(const cs_scenario *s);

/* May it run? Of a kind that software.kind has no word for, always. */
bool cs_scenario_runs(const cs_scenario *s, cs_software_kind kind);
/* Does some of it run on software.cpu? */
bool cs_scenario_runs_on_a_cpu(const cs_scenario *s);
/* The mode of a CPU without a workload. */
cs_privilege cs_scenario_idle_mode(const cs_scenario *s, unsigned cpu);
/* The mode of a CPU's handler. */
cs_privilege cs_scenario_handler_mode(const cs_scenario *s, unsigned cpu);

/* Microseconds as bus cycles. */
uint64_t cs_scenario_us(const cs_scenario *s, uint64_t us);

/* The bus cycles that the scenario's software takes at least (its counting time alone);
 * 0 when it cannot be said. */
uint64_t cs_scenario_least_cycles(const cs_scenario *s);
/* The end that is known: that, or the limit, where it comes first; 0: none is. */
uint64_t cs_scenario_expected_cycles(const cs_scenario *s);

#ifdef __cplusplus
}
#endif

#endif
