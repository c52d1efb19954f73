#include "scenario/imc/imc_driver_spec.h"
#include "scenario/key_macros.h"

#define S cs_imc_driver_spec

static const cs_key_choice restore_choices[] = {
    {"all", CS_RESTORE_ALL, NULL, NULL, "SCOM registers by OPAL, LDBAR by the kernel"},
    {"no_ldbar", CS_RESTORE_NO_LDBAR, NULL, NULL, "SCOM registers only (Linux 5.2)"},
    {"none", CS_RESTORE_NONE, NULL, NULL, "nothing (early skiboot)"},
    {0},
};
static const cs_key_choice pmu_choices[] = {
    {"nest", CS_PERF_NEST, NULL, NULL, "nest units"},
    {"core", CS_PERF_CORE, NULL, NULL, "core_imc"},
    {"thread", CS_PERF_THREAD, NULL, NULL, "thread_imc"},
    {"trace", CS_PERF_TRACE, NULL, NULL, "trace_imc"},
    {0},
};

static const cs_key perf_keys[] = {
    {CHOICE("pmu", pmu_choices, NULL, "what is asked"), AT(cs_perf_spec, pmu)},
    {NAMES("events", "events of the catalog by name (pmu/event where a name is not enough)"),
     AT_LIST(cs_perf_spec, events, nr_events)},
    {NUMBER("config", "", 0, UINT64_MAX, "0", "perf's config, where no event is named"),
     AT(cs_perf_spec, config)},
    {OTHER("cpus", CS_KEY_CPUS, "[]",
           "perf -C; of core and nest one CPU stands for all of its core or chip"),
     AT(cs_perf_spec, cpus)},
    {NUMBER("start_us", "us", 1, MAX_US, "1", "when the command begins"),
     AT(cs_perf_spec, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, NULL, "when it ends"), AT(cs_perf_spec, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "stat: counts are printed so often (-I); record: the task is scheduled out and in so "
            "often; 0: only at the end"),
     AT(cs_perf_spec, interval_us)},
    {NUMBER("sample_period", "", 0, UINT64_MAX, "0", "0: perf stat; else perf record -c"),
     AT(cs_perf_spec, sample_period)},
    {OTHER("exclude", CS_KEY_FLAG, "false", "with an exclude_ bit"), AT(cs_perf_spec, exclude)},
    {OTHER("task", CS_KEY_FLAG, "false", "counts a task on these CPUs, not the CPUs"),
     AT(cs_perf_spec, task)},
    {OTHER("privileged", CS_KEY_FLAG, "true", "the user may (perfmon_capable)"),
     AT(cs_perf_spec, privileged)},
};
static const cs_key_shape perf_shape = {SHAPE("perf", perf_keys, cs_perf_spec),
                                        .line = offsetof(cs_perf_spec, line)};

static const cs_key imc_driver_keys[] = {
    {BYTES("buffers_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB",
           "where the kernel's IMC memory lies"),
     AT(S, buffers_base)},
    {NUMBER("event_mask", "", 0, UINT64_MAX, "0x0402010000000000", "EVENT_MASK as OPAL writes it"),
     AT(S, event_mask)},
    {NUMBER("trace_scom", "", 0, UINT64_MAX,
            "=skiboot's: 0x7FFFFFC142020000 (power9), 0x3FFFFFC142020000 (power10)",
            "TRACE as OPAL writes it"),
     AT(S, trace_scom)},
    {NUMBER("opal_cycles", "bus cycles", 1, 1000000, "400", "an OPAL call beside its accesses"),
     AT(S, opal_cycles)},
    {NUMBER("cross_call_cycles", "bus cycles", 1, 1000000, "2000",
            "to have another CPU do something"),
     AT(S, cross_call_cycles)},
    {NUMBER("record_cycles", "bus cycles", 1, 1000000, "60",
            "work of the CPU for each record of a dump"),
     AT(S, record_cycles)},
    {CHOICE("restore", restore_choices, "all", "what is given back after a deep stop"),
     AT(S, restore)},
    {LIST("perf", &perf_shape, 0, 64, "[]", "perf commands"), AT_LIST(S, perf, nr_perf)},
};
static const cs_key_shape shape = {SHAPE("imc_driver", imc_driver_keys, S)};

static const cs_key keys[] = {{MAP("imc_driver", &shape, "the settings of software.kind imc")}};
const cs_section cs_section_imc_driver = {SECTION("imc_driver", keys, S)};
