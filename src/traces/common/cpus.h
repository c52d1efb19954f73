// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: what a trace must know of a kind of CPUs. families.h lists them all. */
#ifndef CS_TRACES_COMMON_CPUS_H
#define CS_TRACES_COMMON_CPUS_H

#include "scenario/cpus.h"
#include "traces/families.h"

struct cs_view_class;

/* As perf's header names it. */
typedef struct cs_trace_machine {
    const char *arch, *cpudesc, *cpuid;
} cs_trace_machine;

typedef struct cs_trace_cpu {
    const cs_section *section; /* that brings these CPUs */
    cs_trace_machine (*machine)(const cs_scenario *s);
    /* Whether what runs in the mode is a kernel, or beneath one. */
    bool (*is_kernel)(const cs_scenario *s, cs_privilege mode, uint64_t address);
    bool (*is_guest)(cs_privilege mode); /* which has traces of its own; NULL: there are none */
    /* The unit in whose group of a timeline its tracks are; NULL: its core PMU. */
    unsigned (*unit)(const cs_scenario *s, unsigned cpu);
    /* The core and the socket of a CPU; NULL: each is a core of its own, in one socket. */
    void (*place)(const cs_scenario *s, unsigned cpu, unsigned *core, unsigned *socket);
    const struct cs_view_class *software; /* what runs beside workloads */
} cs_trace_cpu;

#define CS_DECLARE_CPU(name) extern const cs_trace_cpu cs_trace_cpu_##name;
CS_TRACE_CPUS(CS_DECLARE_CPU)
#undef CS_DECLARE_CPU

/* A CPU that there is not is of the first kind. */
const cs_trace_cpu *cs_trace_cpu_of(const cs_scenario *s, unsigned cpu);

#endif
