// SPDX-License-Identifier: Apache-2.0
/* The machine that a cs_perf is of: its CPUs, its core PMU, and the kernel's settings. */
#ifndef CS_SOFTWARE_PERF_MACHINE_H
#define CS_SOFTWARE_PERF_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_MOST_CPUS 256u
#define CS_PERF_MOST_SYSTEMS 64u

/* An event by the numbers that a program asks for. */
typedef struct cs_perf_map {
    uint32_t type; /* CS_PERF_TYPE_HARDWARE, _CACHE or _RAW */
    uint64_t config;
    uint32_t event;    /* its number for the streams: Arm's, or mhpmevent's */
    uint32_t counters; /* those that can count it, as bits; 0: all */
} cs_perf_map;

/* A file of a PMU in sysfs. */
typedef struct cs_perf_file {
    const char *name;
    const char *text; /* without the newline */
} cs_perf_file;

typedef struct cs_perf_core_driver cs_perf_core_driver;

/* A core's counters; every CPU has the same. All that it points at is borrowed. */
typedef struct cs_perf_core {
    const cs_perf_core_driver *driver; /* of one of the cores below */
    const char *name;                  /* in sysfs: "cpu", "armv8_pmuv3_0" */
    uint32_t type;      /* its number there. Type RAW always means this PMU, whatever its number */
    unsigned counters;  /* Arm: 1..31; RISC-V: 0..29, beside cycle and instret */
    bool cycle_counter; /* Arm: beside them one that counts cycles only */
    bool no_interrupt;  /* overflows are not reported: sampling is refused with EOPNOTSUPP */
    bool no_exclude;    /* it counts in all modes: exclude_* are refused with EINVAL */
    const cs_perf_map *maps;
    size_t nr_maps;
    /* Of a raw config these bits count, and others are dropped, or refused with EINVAL (strict). What
     * no map has is the event itself, or `raw_other`, if that is not 0. */
    uint64_t raw_mask;
    bool raw_strict;
    uint32_t raw_other;
    uint32_t first_event; /* what the streams call event 0 of maps and raw configs */
    /* sysfs: folders `format`, `events`, `caps`. */
    const cs_perf_file *formats, *events, *caps;
    size_t nr_formats, nr_events, nr_caps;
} cs_perf_core;

/* Ready-made ones, to be used as they are or changed in a copy. */
extern const cs_perf_core cs_perf_core_x86; /* "cpu": 4 counters and one for cycles */
extern const cs_perf_core cs_perf_core_arm; /* "armv8_pmuv3_0": 6 and one for cycles */
/* RISC-V's "cpu": 29, with Sscofpmf; and without it: no sampling, no filters. */
extern const cs_perf_core cs_perf_core_rv64;
extern const cs_perf_core cs_perf_core_rv64_plain;

typedef struct cs_perf_system_driver cs_perf_system_driver;

/* A PMU of the system rather than of a core: it counts what a unit does, whoever runs. All that it
 * points at is borrowed. */
typedef struct cs_perf_system {
    const cs_perf_system_driver *driver; /* NULL: `pmu` is there already, with its name and type */
    struct cs_pmu *pmu;
    const char *name;    /* in sysfs */
    uint32_t type;       /* its number there; no other PMU has it */
    const char *cpumask; /* its file in sysfs: where perf is to open events; NULL: there is none */
    const void *config;  /* what the driver wants to know */
    /* Of its own folder, beside type and cpumask; settings may be written by root. */
    const cs_perf_file *files, *settings;
    const cs_perf_file *formats, *events, *caps;
    size_t nr_files, nr_settings, nr_formats, nr_events, nr_caps;
} cs_perf_system;

typedef struct cs_perf_machine {
    unsigned nr_cpus;              /* 1..CS_PERF_MOST_CPUS */
    unsigned clock_mhz;            /* core cycles in a microsecond: 1..100000 */
    const cs_perf_core *core;      /* NULL: the machine has no PMU; borrowed */
    const cs_perf_system *systems; /* borrowed */
    size_t nr_systems;             /* 0..CS_PERF_MOST_SYSTEMS */
    int paranoid;         /* kernel.perf_event_paranoid; 3 and more: Debian's, for nobody */
    unsigned sample_rate; /* kernel.perf_event_max_sample_rate; 0: 100000 */
    unsigned mux_us;      /* perf_event_mux_interval_ms; 0: 4000 */
    unsigned tick_us;     /* of the timer; 0: 4000, as with HZ=250 */
    unsigned mlock_kb;    /* kernel.perf_event_mlock_kb; 0: 516 */
    unsigned max_stack;   /* kernel.perf_event_max_stack; 0: 127 */
    uint64_t ids_above;   /* events have ids from this one + 1 on */
    bool
        last_first; /* in a turn the last group of a list goes to its front, as no kernel does it */
    bool
        each_pinned; /* all pinned groups are tried, as in Linux in 2010; else none after one that fails */
} cs_perf_machine;

#ifdef __cplusplus
}
#endif

#endif
