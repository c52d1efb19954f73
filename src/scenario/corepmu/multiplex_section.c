#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/key_macros.h"

#define S cs_multiplex_spec

static const cs_key_choice reach_choices[] = {
    {"affinity", 0, NULL, NULL, "it goes to each in turn (since 5.6)"},
    {"calls", 1, NULL, NULL,
     "it stays on software.cpu and interrupts them (before; --no-affinity)"},
    {0},
};

#define COST(name_, fallback_, text_)                                                              \
    NUMBER(#name_, "bus cycles", 0, 1000000, fallback_, text_), AT(S, name_)
static const cs_key multiplex_keys[] = {
    {OTHER("events", CS_KEY_USER_EVENTS, "[]",
           "the events to count, as pmcu_driver.user_events; 1..240 of them"),
     AT_LIST(S, events, nr_events)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "perf stat -C; all: those that are online"), AT(S, cpus)},
    {NUMBER("counters", "", 1, 31, "=corepmu.counters",
            "event counters of a CPU that perf may use, beside the cycle counter"),
     AT(S, counters)},
    {NUMBER("counter_bits", "", 8, 64, "32",
            "their width; an event interrupts at every half of the range. 32 is Linux's also on "
            "64-bit counters, unless long=1"),
     AT(S, counter_bits)},
    {NUMBER("tick_us", "us", 1, 1000000, "4000", "perf_event_mux_interval_ms"), AT(S, tick_us)},
    {NUMBER("divider", "", 1, 1000000, "1", "events move at every so manyth tick; Linux: 1"),
     AT(S, divider)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "perf stat -I: from the end of a reading to the next; 0: only at the end"),
     AT(S, interval_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, "1000000", "when perf stops"), AT(S, stop_us)},
    {CHOICE("reach", reach_choices, "affinity", "how perf reaches the CPUs"), AT(S, calls)},
    {COST(irq_entry_cycles, "300", "exception entry to handler")},
    {COST(irq_exit_cycles, "350", "end of handler to workload")},
    {COST(timer_cycles, "200", "the timer's own part of a tick")},
    {COST(register_read_cycles, "10", "MRS of a PMU register")},
    {COST(register_write_cycles, "20", "MSR of a PMU register, with its ISB")},
    {COST(rotation_cycles, "100", "a rotation, beside its events")},
    {COST(event_out_cycles, "60", "an event leaves its counter, beside its accesses")},
    {COST(event_in_cycles, "80", "an event gets a counter, beside its accesses")},
    {COST(event_skip_cycles, "15", "an event that stays without, in the walk over all")},
    {COST(event_read_cycles, "60", "a counter is read for perf, beside its access")},
    {COST(overflow_cycles, "100", "a counter that overflowed, beside its accesses")},
    {COST(syscall_cycles, "1250", "a system call of perf, up to the PMU's driver and back")},
    {COST(migration_cycles, "5000", "perf goes to another CPU")},
    {COST(wakeup_cycles, "3000", "perf wakes up for an interval")},
    {COST(ipi_cycles, "2000", "from the call of another CPU to its exception")},
};
#undef COST
static const cs_key_shape shape = {SHAPE("multiplex", multiplex_keys, S)};

static const cs_key keys[] = {
    {MAP("multiplex", &shape, "the settings of software.kind multiplex")}};
const cs_section cs_section_multiplex = {SECTION("multiplex", keys, S)};
