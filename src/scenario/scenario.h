/* A scenario: everything a run depends on, as one plain structure. It is read from
 * YAML by cs_scenario_load (load.h); docs/scenarios.md lists the keys. All
 * defaults are filled in; every value has been checked against its range. */
#ifndef CS_SCENARIO_SCENARIO_H
#define CS_SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cycle.h"
#include "base/events.h"
#include "scenario/riscv_kind.h"

#define CS_MAX_CPUS 128u
/* Timelines: one for each CPU, one for the nest, one for each uncore unit. */
#define CS_NEST_TIMELINE CS_MAX_CPUS
#define CS_UNCORE_TIMELINE(unit) (CS_MAX_CPUS + 1u + (unit))
#define CS_MAX_TIMELINES CS_UNCORE_TIMELINE(CS_MAX_UNCORE)
#define CS_UNCORE_BRIDGES 4u
#define CS_UNCORE_SLOTS 15u /* of a bridge */
#define CS_MAX_UNCORE (CS_UNCORE_BRIDGES * CS_UNCORE_SLOTS)
#define CS_CPU_PMU_NAME "cpu"      /* in results, where units have their names */
#define CS_MAX_UNCORE_EVENTS 1024u /* of all perf commands together */
#define CS_IMC_THREADS 4u          /* places for the threads of a core in maps and numbers */
#define CS_IMC_MAX_CORES 24u
#define CS_MAX_HARTS 16u
#define CS_MAX_USER_EVENTS 240u
#define CS_NAME_BYTES 64u
#define CS_PMU_TEXT_BYTES 256u /* of a path or of places in YAML */
#define CS_MAX_PMU_PLACES 64u
#define CS_WAY_TEXT_BYTES 200u

/* A rate as the exact fraction that the YAML decimal says; per core cycle. */
typedef struct cs_fraction {
    uint64_t num;
    uint64_t den;
} cs_fraction;

typedef enum cs_stream_kind {
    CS_STREAM_NONE,
    CS_STREAM_RATE,     /* rate */
    CS_STREAM_PERIODIC, /* increment every period_cycles, at offset_cycles */
    CS_STREAM_BURSTS,   /* rate during length_cycles of every period_cycles */
    CS_STREAM_RANDOM,   /* rate */
    CS_STREAM_RATIO,    /* rate = increments for each of event `of` */
    CS_STREAM_SPREAD,   /* random; each event of the range has a rate of its own,
                           log-uniform between rate and rate_high, from the seed */
    CS_STREAM_REPLAY    /* `perf stat -I -x,` file, event file_event */
} cs_stream_kind;

typedef struct cs_stream_spec {
    uint32_t first_event; /* the events that have a stream of this kind, each its own */
    uint32_t last_event;
    cs_stream_kind kind;
    cs_fraction rate;
    cs_fraction rate_high;
    uint64_t period_cycles; /* bus cycles */
    uint64_t offset_cycles;
    uint64_t length_cycles;
    uint32_t increment;     /* of CS_STREAM_PERIODIC, in one bus cycle */
    uint32_t max_increment; /* of CS_STREAM_RANDOM and _SPREAD, in one bus cycle */
    uint32_t of;
    char file[256]; /* relative to the scenario's folder */
    char file_event[CS_NAME_BYTES];
    bool repeat;   /* of CS_STREAM_REPLAY: again from its start when the file has ended */
    unsigned line; /* in the YAML, for errors found later */
    unsigned column;
} cs_stream_spec;

#define CS_MAX_CALLERS 126u /* of a function; with it, what perf keeps of a stack */

/* A function in which another was called (docs/call_chains.md). */
typedef struct cs_caller_spec {
    uint64_t base;
    uint64_t size; /* 0: not known yet */
    uint64_t ret;  /* where the other returns to */
} cs_caller_spec;

typedef struct cs_function_spec {
    char name[CS_NAME_BYTES];
    uint64_t base;
    uint64_t size;
    uint32_t weight;
    bool of_program;      /* base and size are those of a symbol */
    const char **callers; /* [nr_callers] innermost first */
    size_t nr_callers;
    cs_caller_spec *caller_specs; /* [nr_callers] the same, as they lie */
    uint32_t number;              /* among those of all workloads */
} cs_function_spec;

typedef struct cs_segment_spec {
    uint64_t cycles; /* bus cycles; 0: the only segment, for ever */
    cs_mode mode;
    uint32_t cid1;
    uint32_t cid2;
    cs_function_spec *functions;
    size_t nr_functions;
    cs_stream_spec *streams;
    size_t nr_streams;
} cs_segment_spec;

#define CS_PROGRAM_NAME_BYTES 1024u
#define CS_PROGRAM_TEXTS 8u
#define CS_PROGRAM_BUILD_ID_BYTES 20u

/* A real program, as it is loaded. */
typedef struct cs_program_spec {
    const char *path; /* absolute */
    uint8_t build_id[CS_PROGRAM_BUILD_ID_BYTES];
    unsigned build_id_bytes; /* 0: it has none */
    struct cs_program_text {
        uint64_t base;         /* in memory */
        uint64_t size;         /* both whole pages */
        uint64_t offset;       /* in the file */
    } texts[CS_PROGRAM_TEXTS]; /* what can be executed */
    unsigned nr_texts;
} cs_program_spec;

typedef struct cs_workload_spec {
    char name[CS_NAME_BYTES];
    bool cpus[CS_MAX_CPUS];              /* the CPUs that run it */
    char program[CS_PROGRAM_NAME_BYTES]; /* as it was named; "": none */
    uint64_t program_base;
    const cs_program_spec *loaded; /* NULL: there is no program */
    cs_segment_spec *segments;     /* repeated for ever */
    size_t nr_segments;
} cs_workload_spec;

typedef struct cs_region_spec {
    uint64_t base;
    uint64_t size;
    bool readable;
    bool writable;
} cs_region_spec;

typedef struct cs_fault_spec {
    uint64_t base;
    uint64_t size;
    bool on_read;
    bool on_write;
    uint64_t nth;   /* first access that is hit, from 1 */
    uint64_t count; /* how many; 0: all that follow */
    bool error;     /* SLVERR, else a stall */
    unsigned stall_cycles;
} cs_fault_spec;

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

/* Events of streams: Arm's by their number; those of IMC's core engines, of the nest
 * counters, of harts and of uncore units above them (docs/hw/imc.md, nest.md, hpm.md, uncore.md). */
#define CS_EVENT_IMC(n) (0x10000u + (n))
#define CS_EVENT_NEST(n) (0x20000u + (n))
#define CS_EVENT_HART(n) (0x30000u + (n))
#define CS_EVENT_UNCORE(n) (0x40000u + (n))
#define CS_EVENT_SPACE 0x10000u /* numbers of one of the five */
#define CS_UNCORE_CLOCK 0u      /* uncore: the bus clock */

/* perf stat of more events than counters on the CPUs (docs/software_way.md). Costs in bus cycles. */
typedef struct cs_multiplex_spec {
    uint32_t events[CS_MAX_USER_EVENTS];
    unsigned nr_events;
    unsigned nr_ignored_events; /* beyond 240: an error; stands behind nr_events */
    bool cpus[CS_MAX_CPUS];
    unsigned counters;     /* of a CPU, beside the cycle counter; 1..31 */
    unsigned counter_bits; /* 8..64; each overflow is an interrupt at half of the range */
    unsigned tick_us;      /* perf_event_mux_interval_ms */
    unsigned divider;
    uint64_t interval_us; /* perf stat -I; 0: only at the end */
    uint64_t stop_us;
    bool
        calls; /* perf stays on its CPU and reaches the others by interrupts; false: it goes there */
    unsigned irq_entry_cycles;
    unsigned irq_exit_cycles;
    unsigned timer_cycles;
    unsigned register_read_cycles;
    unsigned register_write_cycles;
    unsigned rotation_cycles;
    unsigned event_out_cycles;
    unsigned event_in_cycles;
    unsigned event_skip_cycles;
    unsigned event_read_cycles;
    unsigned overflow_cycles;
    unsigned syscall_cycles;
    unsigned migration_cycles;
    unsigned wakeup_cycles;
    unsigned ipi_cycles;
} cs_multiplex_spec;

/* A core whose power goes for a while. */
typedef struct cs_deep_stop_spec {
    unsigned core;
    uint64_t at_us;
    uint64_t for_us;
} cs_deep_stop_spec;

typedef enum cs_perf_pmu {
    CS_PERF_NEST = 1, /* the kernel's domains */
    CS_PERF_CORE = 2,
    CS_PERF_THREAD = 3,
    CS_PERF_TRACE = 4
} cs_perf_pmu;

/* What is given back after a deep stop. */
typedef enum cs_restore {
    CS_RESTORE_ALL,      /* SCOM registers by OPAL's stop-api, LDBAR by the kernel */
    CS_RESTORE_NO_LDBAR, /* Linux 5.2 */
    CS_RESTORE_NONE      /* skiboot before the stop-api entries */
} cs_restore;

/* One perf command: stat (sample_period 0) or record. */
typedef struct cs_perf_spec {
    cs_perf_pmu pmu;
    const char **events; /* names of the catalog */
    size_t nr_events;
    uint64_t config; /* raw, where there are no names */
    bool cpus[CS_MAX_CPUS];
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us; /* stat: -I; record: the task is scheduled out and in; 0: never */
    uint64_t sample_period;
    bool exclude;    /* one of the exclude_* bits */
    bool task;       /* counts a task, not a CPU */
    bool privileged; /* perfmon_capable() */
    unsigned line;   /* in the YAML */
    unsigned column;
} cs_perf_spec;

/* A bridge to uncore units: so far away they are. */
typedef struct cs_uncore_bridge_spec {
    unsigned access_cycles;
    bool near[CS_MAX_CPUS];
    unsigned remote_cycles; /* what an access costs a CPU that is not near, in addition */
} cs_uncore_bridge_spec;

typedef struct cs_uncore_unit_spec {
    char name[CS_NAME_BYTES];
    unsigned bridge;
    unsigned slot; /* in the order of the units of a bridge */
    unsigned counters;
    unsigned width;
    unsigned id;
    char path[CS_PMU_TEXT_BYTES]; /* "": it has no address */
    uint64_t address;
    cs_segment_spec *segments;
    size_t nr_segments;
    unsigned divider; /* of rotations; default: uncore_driver.divider */
} cs_uncore_unit_spec;

typedef struct cs_uncore_event_spec {
    uint32_t event; /* CS_EVENT_UNCORE */
    unsigned group; /* 0: alone */
    bool pinned;
    uint32_t counters; /* that may count it, as bits; 0: all */
} cs_uncore_event_spec;

/* One perf stat on uncore units. */
typedef struct cs_uncore_perf_spec {
    const char **unit_names;
    size_t nr_unit_names;
    bool units[CS_MAX_UNCORE];         /* the same by number; without names all */
    unsigned unit_list[CS_MAX_UNCORE]; /* and in their order */
    size_t nr_units;
    cs_uncore_event_spec *events;
    size_t nr_events;
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us; /* -I; 0: only at the end */
} cs_uncore_perf_spec;

/* Places that have the same PMUs. */
typedef struct cs_pmu_place_spec {
    char at[CS_PMU_TEXT_BYTES];
    struct cs_pmu_kind *units;
    size_t nr_units;
} cs_pmu_place_spec;

/* The kernel's PMU driver on a hart, or that of a guest (docs/riscv_driver.md). */
typedef struct cs_riscv_driver_spec {
    cs_riscv_kind kind;
    const char **bug_names;
    size_t nr_bugs;
    uint32_t bugs; /* the same as a mask */
    bool snapshot;
    bool event_info;
    bool legacy_user_access;
    uint64_t base;         /* of its pages: those of hart n at n x cs_scenario_riscv_bytes */
    uint64_t ring_bytes;   /* of data; a power of two, or 0 */
    uint64_t wakeup_bytes; /* so much in the ring wakes the reader up; 0: only the command's end */
    unsigned handler_cycles;
    unsigned event_cycles;
    unsigned sample_cycles;
    unsigned frame_cycles;
    unsigned max_samples_per_tick;
    unsigned tick_us;
} cs_riscv_driver_spec;

/* One perf command on harts: stat (sample_period 0) or record. */
typedef struct cs_riscv_perf_spec {
    const char **events;
    size_t nr_events;
    struct cs_riscv_perf_config *configs; /* the same, as perf opens them */
    bool cpus[CS_MAX_CPUS];
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us; /* stat -I; 0: only at the end */
    uint64_t sample_period;
    bool callchain; /* -g */
    bool exclude_user, exclude_kernel, exclude_hv, exclude_host, exclude_guest;
    bool guest_events; /* the first three mean the guest's modes */
    bool mmapped;
    bool guest; /* the guest's perf does it */
} cs_riscv_perf_spec;

/* What the rest of the firmware has to do, again and again. */
typedef struct cs_firmware_event_spec {
    char name[CS_NAME_BYTES];
    unsigned code;
    bool cpus[CS_MAX_CPUS];
    uint64_t every_us;
    uint64_t count;
} cs_firmware_event_spec;

/* One step of a script: raw bus accesses, as a bring-up engineer would type them. */
typedef enum cs_step_kind {
    CS_STEP_WRITE,
    CS_STEP_READ,
    CS_STEP_DELAY,
    CS_STEP_WAIT_IRQ, /* until the line is high, at most `cycles` if not 0 */
} cs_step_kind;

typedef struct cs_script_step {
    cs_step_kind kind;
    uint64_t addr;
    uint8_t size; /* 1, 2, 4, 8 */
    uint64_t value;
    uint64_t cycles;
} cs_script_step;

/* Something that is allowed but hardly meant; for the user's eyes. */
typedef struct cs_scenario_warning {
    unsigned line; /* in the YAML; 0 where there is none */
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
    cs_way_spec *ways; /* this scenario is one of them */
    size_t nr_ways;
    char way[CS_NAME_BYTES]; /* its name; "": the first one's, because none was named */

    struct {
        unsigned clock_mhz; /* divides 500000; a multiple of 50 */
        bool per_target;
        unsigned forward_cycles;
        unsigned return_cycles;
        unsigned register_access_cycles;
    } bus;
    struct {
        uint64_t base;
        uint64_t size;
        unsigned read_cycles;
        unsigned write_cycles;
        unsigned gap_cycles;
        cs_region_spec *regions;
        size_t nr_regions;
        cs_fault_spec *faults;
        size_t nr_faults;
    } memory;
    struct {
        unsigned clock_mhz;
        unsigned counters;
        bool ext64;
        unsigned hpmn; /* default: counters */
        bool hpme;
        bool offline[CS_MAX_CPUS];
        bool absent[CS_MAX_CPUS];
        bool locked[CS_MAX_CPUS];
    } core;
    struct {
        unsigned clusters;
        unsigned slots;
        unsigned lanes;
        bool broadcast;
        bool prefetch;
        unsigned tick_cycles; /* default: bus.clock_mhz / 50 */
    } pmcu;
    struct cs_imc_catalog *catalog; /* NULL: none; owned by the loader */
    struct {
        unsigned cores;
        unsigned threads; /* 1, 2, 4 */
        bool power10;
        unsigned tap_log2;
        unsigned timebase_mhz;
        uint64_t timebase_start;
        cs_deep_stop_spec *deep_stops;
        size_t nr_deep_stops;
        /* The event whose stream a select code of CPMC1 (0..127), CPMC2 (128..255), and CPMC3 and
         * CPMC4 count: user and kernel shares are those of the event that they share. */
        uint16_t event_of[258];
    } imc;
    struct {
        bool present;
        uint64_t base;
        uint64_t tick_cycles; /* fits 32 bits */
        cs_segment_spec *segments;
        size_t nr_segments;
    } nest;
    struct {
        unsigned count;
        unsigned xlen;
        unsigned modes; /* docs/hw/hpm.md, section 1 */
        unsigned counters;
        unsigned width;
        bool sscofpmf;
        bool smcntrpmf;
        bool smcdeleg;
        bool aia;
        unsigned lcofi_latency;
        unsigned timebase_mhz;
        uint64_t timebase_start;
        unsigned csr_cycles;
        unsigned trap_cycles;
        unsigned return_cycles;
        unsigned irq_latency_cycles;
        unsigned access_cycles;
    } harts;
    struct {
        struct {
            bool proposal_v3;
            unsigned version; /* as the SBI says it: 0x02000000 */
            unsigned counters;
            unsigned specific_events;
            uint64_t platform_events;
            const char **deviation_names;
            size_t nr_deviations;
            uint32_t deviations; /* the same as a mask */
            unsigned call_cycles;
        } firmware;
        struct cs_riscv_pmu_map *map; /* NULL: the built-in one */
        cs_riscv_driver_spec driver;
        bool has_guest;
        unsigned hypervisor_cycles; /* work of the hypervisor for a call of its guest */
        cs_riscv_driver_spec guest;
        cs_firmware_event_spec *firmware_events;
        size_t nr_firmware_events;
        cs_riscv_perf_spec *perf;
        size_t nr_perf;
    } riscv;
    struct {
        cs_uncore_bridge_spec *bridges;
        size_t nr_bridges;
        cs_uncore_unit_spec *units;
        size_t nr_units;
    } uncore;
    struct {
        bool global; /* one list a CPU; false: one a unit */
        unsigned tick_us;
        unsigned divider;
        bool adaptive;
        unsigned limit_percent;
        unsigned most_divider;
        unsigned handler_cycles;
        unsigned event_cycles;
        uint64_t poll_cycles;
        cs_uncore_perf_spec *perf;
        size_t nr_perf;
    } uncore_driver;
    struct {
        struct cs_pmu_level *levels;
        size_t nr_levels;
        cs_pmu_place_spec *places;
        size_t nr_places;
        struct cs_pmu_tree *tree; /* of both, and of uncore units with a path; never NULL */
    } pmus;
    cs_workload_spec *workloads;
    size_t nr_workloads;
    cs_segment_spec handler; /* what a core does while it runs driver code */
    bool handler_mode;       /* its mode was given: it is that of all CPUs */
    struct {
        uint32_t kinds;              /* CS_SOFTWARE_BIT of each that runs */
        unsigned cpu;                /* the CPU that runs what has none of its own */
        unsigned irq_latency_cycles; /* line high to first handler access */
        unsigned access_cycles;      /* CPU work before each register access */
    } software;
    struct {
        uint32_t user_events[CS_MAX_USER_EVENTS];
        unsigned nr_user_events;
        unsigned nr_ignored_events; /* beyond 240; stands behind nr_user_events */
        unsigned nr_sample;
        unsigned sample_period_ms;    /* 0 when sample_period_ticks is given */
        uint32_t sample_period_ticks; /* 50 MHz ticks; what the hardware gets */
        unsigned pmccfiltr;
        bool comp;
        uint64_t aux_base; /* physical address of AUX buffer 0 */
        uint64_t aux_buffer_bytes;
        unsigned aux_buffers;
        uint64_t data_base;    /* where the driver keeps its event array */
        cycle_t stop_at_cycle; /* perf is stopped by the user; 0: never */
    } driver;
    struct {
        uint64_t buffers_base;      /* where the kernel's IMC memory lies */
        uint64_t event_mask;        /* what OPAL writes */
        uint64_t trace_scom;        /* what OPAL writes; default: skiboot's for the variant */
        unsigned opal_cycles;       /* an OPAL call, beside its accesses */
        unsigned cross_call_cycles; /* to have another CPU do something */
        unsigned record_cycles;     /* work of the CPU for each record of a dump */
        cs_restore restore;
        cs_perf_spec *perf;
        size_t nr_perf;
    } imc_driver;
    struct {
        uint64_t period; /* core cycles from one interrupt to the next */
        bool cpus[CS_MAX_CPUS];
        unsigned handler_cycles;
        uint64_t ring_base; /* of the samples */
        uint64_t stop_us;
    } pmi;
    cs_multiplex_spec multiplex;
    cs_script_step *script;
    size_t nr_script;
    cycle_t limit_cycles; /* 0: until the software has ended */
    struct {
        bool memory;        /* memory images in the run folder */
        bool probe;         /* the probe stream as CSV */
        bool samples_truth; /* each sample's truth in the database */
        bool records;       /* every record of trace mode as the hardware wrote it */
    } keep;
    cs_scenario_warning *warnings;
    size_t nr_warnings;
} cs_scenario;

/* The CPUs of the PMCU's clusters come first, then the threads of the IMC cores, then the harts. */
typedef enum cs_cpu_kind { CS_CPU_ARM, CS_CPU_IMC, CS_CPU_HART } cs_cpu_kind;

static inline unsigned cs_scenario_arm_cpus(const cs_scenario *s)
{
    return s->pmcu.clusters * s->pmcu.slots;
}

static inline unsigned cs_scenario_hart_cpu(const cs_scenario *s, unsigned hart)
{
    return cs_scenario_arm_cpus(s) + s->imc.cores * s->imc.threads + hart;
}

static inline unsigned cs_scenario_cpus(const cs_scenario *s)
{
    return cs_scenario_hart_cpu(s, s->harts.count);
}

static inline cs_cpu_kind cs_scenario_cpu_kind(const cs_scenario *s, unsigned cpu)
{
    if (cpu < cs_scenario_arm_cpus(s))
        return CS_CPU_ARM;
    return cpu < cs_scenario_hart_cpu(s, 0) ? CS_CPU_IMC : CS_CPU_HART;
}

static inline unsigned cs_scenario_imc_cpu(const cs_scenario *s, unsigned core, unsigned thread)
{
    return cs_scenario_arm_cpus(s) + s->imc.threads * core + thread;
}

/* The unit's place in the RTL and in records: slot s of bridge b is b * CS_UNCORE_SLOTS + s. */
static inline unsigned cs_uncore_place(const cs_uncore_unit_spec *unit)
{
    return unit->bridge * CS_UNCORE_SLOTS + unit->slot;
}

/* What a driver on a hart has in memory: snapshot page, a page for EVENT_GET_INFO, ring. */
#define CS_RISCV_PAGE 4096u
static inline uint64_t cs_scenario_riscv_bytes(const cs_riscv_driver_spec *driver)
{
    return 3 * (uint64_t)CS_RISCV_PAGE + driver->ring_bytes;
}

static inline bool cs_scenario_runs(const cs_scenario *s, cs_software_kind kind)
{
    return (s->software.kinds & CS_SOFTWARE_BIT(kind)) != 0;
}

static inline bool cs_scenario_has_pmcu(const cs_scenario *s)
{
    return s->pmcu.clusters != 0;
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
    return cs_scenario_cpu_kind(s, cpu) != CS_CPU_HART && !s->core.absent[cpu] &&
           !s->core.offline[cpu];
}

static inline uint64_t cs_scenario_us(const cs_scenario *s, uint64_t us)
{
    return us * s->bus.clock_mhz;
}

/* The bus cycles that the scenario's drivers take at least (their counting time alone);
 * 0 when it cannot be said. */
static inline uint64_t cs_scenario_least_cycles(const cs_scenario *s)
{
    const unsigned most = s->driver.comp ? 5 : 8;
    const unsigned groups = (s->driver.nr_user_events + most - 1) / most;
    uint64_t last = 0;

    for (size_t i = 0; i < s->riscv.nr_perf; i++)
        last = s->riscv.perf[i].stop_us > last ? s->riscv.perf[i].stop_us : last;
    for (size_t i = 0; i < s->uncore_driver.nr_perf; i++)
        last = s->uncore_driver.perf[i].stop_us > last ? s->uncore_driver.perf[i].stop_us : last;
    if (cs_scenario_runs(s, CS_SOFTWARE_MULTIPLEX))
        return cs_scenario_us(s, s->multiplex.stop_us > last ? s->multiplex.stop_us : last);
    if (!cs_scenario_runs(s, CS_SOFTWARE_PMCU_DRIVER))
        return cs_scenario_us(s, last);
    return (uint64_t)s->driver.nr_sample * groups * s->driver.sample_period_ticks *
           s->pmcu.tick_cycles;
}

#endif
