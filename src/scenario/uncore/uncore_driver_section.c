#include "scenario/key_macros.h"
#include "scenario/uncore/uncore_driver_spec.h"

#define S cs_uncore_driver_spec

static const cs_key_choice list_choices[] = {
    {"per_pmu", 0, NULL, NULL, "a list a unit"},
    {"global", 1, NULL, NULL, "one list for all units that a CPU manages"},
    {0},
};

#define E cs_uncore_event_spec
static const cs_key uncore_event_keys[] = {
    {OTHER("event", CS_KEY_EVENT, NULL, "\"uncore:N\""), AT(E, event)},
    {NUMBER("group", "", 0, 65535, "0",
            "events with the same number are on counters together or not at all; 0: it is alone"),
     AT(E, group)},
    {OTHER("pinned", CS_KEY_FLAG, "false", "on a counter before all others, always"),
     AT(E, pinned)},
    {NUMBER("counters", "", 0, 65535, "0", "those that can count it, as bits; 0: all"),
     AT(E, counters)},
};
#undef E
static const cs_key_shape uncore_event_shape = {
    SHAPE("uncore_event", uncore_event_keys, cs_uncore_event_spec)};

#define P cs_uncore_perf_spec
static const cs_key uncore_perf_keys[] = {
    {NAMES("units", "units by name; none: all"), AT_LIST(P, unit_names, nr_unit_names)},
    {LIST("events", &uncore_event_shape, 1, CS_MAX_UNCORE_EVENTS, NULL, "what is counted on each"),
     AT_LIST(P, events, nr_events)},
    {NUMBER("start_us", "us", 1, MAX_US, "1", "when the command begins"), AT(P, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, NULL, "when it ends"), AT(P, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "counts are printed so often (-I); 0: only at the end"),
     AT(P, interval_us)},
};
#undef P
static const cs_key_shape uncore_perf_shape = {
    SHAPE("uncore_perf", uncore_perf_keys, cs_uncore_perf_spec)};

static const cs_key uncore_driver_keys[] = {
    {CHOICE("list", list_choices, "per_pmu", "what rotates together (docs/rotation.md)"),
     AT(S, global)},
    {NUMBER("tick_us", "us", 1, 1000000, "1000", "the timer's tick"), AT(S, tick_us)},
    {NUMBER("divider", "ticks", 1, 65535, "1", "a rotation at every so manyth tick"),
     AT(S, divider)},
    {OTHER("adaptive", CS_KEY_FLAG, "false", "dividers follow the time that rotations take"),
     AT(S, adaptive)},
    {NUMBER("limit_percent", "%", 1, 100, "1", "so much of the time they may take"),
     AT(S, limit_percent)},
    {NUMBER("most_divider", "ticks", 1, 65535, "64", "adaptive dividers grow no further"),
     AT(S, most_divider)},
    {NUMBER("handler_cycles", "bus cycles", 1, 1000000, "300",
            "work of a tick or a call on a CPU, beside what it finds to do"),
     AT(S, handler_cycles)},
    {NUMBER("event_cycles", "bus cycles", 0, 1000000, "100",
            "work for an event that comes to a counter, or leaves it"),
     AT(S, event_cycles)},
    {NUMBER("poll_cycles", "bus cycles", 1, CS_STREAM_END, "10000",
            "counters are read against wrapping no more often than this"),
     AT(S, poll_cycles)},
    {LIST("perf", &uncore_perf_shape, 0, 64, "[]", "perf stat commands"),
     AT_LIST(S, perf, nr_perf)},
};
static const cs_key_shape shape = {SHAPE("uncore_driver", uncore_driver_keys, S)};

static const cs_key keys[] = {
    {MAP("uncore_driver", &shape, "the settings of software.kind uncore")}};
const cs_section cs_section_uncore_driver = {SECTION("uncore_driver", keys, S)};
