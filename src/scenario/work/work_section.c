// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/key_macros.h"
#include "scenario/scenario.h"
#include "scenario/work/cpu_texts.h"
#include "scenario/work/measured.h"
#include "scenario/work/workload_spec.h"

#include <countersink/base/stream/stream.h>

#define S cs_scenario

static const cs_key_choice stream_choices[] = {
    {"rate", CS_STREAM_RATE, "rate", NULL, "as evenly as whole counts can be"},
    {"none", CS_STREAM_NONE, NULL, NULL, "counts nothing"},
    {"periodic", CS_STREAM_PERIODIC, "period_cycles", "offset_cycles increment",
     "increment in every period_cycles-th bus cycle, first in offset_cycles"},
    {"bursts", CS_STREAM_BURSTS, "rate period_cycles length_cycles", "offset_cycles",
     "at rate during length_cycles of every period_cycles"},
    {"random", CS_STREAM_RANDOM, "rate", "max_increment", "Poisson-like with mean rate"},
    {"ratio", CS_STREAM_RATIO, "rate of", NULL, "rate counts for each count of the event `of`"},
    {"spread", CS_STREAM_SPREAD, "rate rate_high", "max_increment",
     "random; every event has its own mean, log-uniform from rate to rate_high"},
    {"replay", CS_STREAM_REPLAY, "file file_event", "after", "recorded by perf stat"},
    {0},
};
static const cs_key_choice after_choices[] = {
    {"repeat", 1, NULL, NULL, "the recording begins again"},
    {"zero", 0, NULL, NULL, "nothing counts any more"},
    {0},
};
static const cs_key function_keys[] = {
    {TEXT("name", CS_NAME_BYTES - 1, NULL, "its symbol"), AT(cs_function_spec, name)},
    {.name = "base",
     .type = CS_KEY_SIZE,
     .unit = "bytes",
     .min = 0,
     .max = UINT64_MAX - 3,
     .step = 4,
     .fallback = "=its symbol's, of a workload with a program; else to be given",
     .text = "its address",
     AT(cs_function_spec, base)},
    {BYTES("size", 4, 0xfffffffc, 4, "=its symbol's, likewise", "its length"),
     AT(cs_function_spec, size)},
    {NUMBER("weight", "", 0, 1000000, "1", "its share of the segment's time"),
     AT(cs_function_spec, weight)},
    {NAMES("callers",
           "its callers, innermost first: functions of the segment or symbols of the "
           "program (docs/traces/call_chains.md); the same function may stand several times, each "
           "with callers of its own"),
     AT_LIST(cs_function_spec, callers, nr_callers)},
};
static const cs_key_shape function_shape = {SHAPE("function", function_keys, cs_function_spec)};

static const cs_key event_keys[] = {
    {OTHER("event", CS_KEY_EVENTS, NULL,
           "the event, or a range in which each event has a stream of its own"),
     AT(cs_stream_spec, first_event)},
    {CHOICE("kind", stream_choices, "rate", "how it counts"), AT(cs_stream_spec, kind)},
    {.name = "rate",
     .type = CS_KEY_RATE,
     .unit = "per core cycle",
     .min = 0,
     .max = 1000,
     .fallback = "=",
     .text = "counts per core cycle; of ratio, per count of `of`",
     AT(cs_stream_spec, rate)},
    {.name = "rate_high",
     .type = CS_KEY_RATE,
     .unit = "per core cycle",
     .min = 0,
     .max = 1000,
     .fallback = "=",
     .text = "the highest mean of a spread",
     AT(cs_stream_spec, rate_high)},
    {NUMBER("period_cycles", "bus cycles", 1, CS_STREAM_END, "=", "length of a period"),
     AT(cs_stream_spec, period_cycles)},
    {NUMBER("offset_cycles", "bus cycles", 0, CS_STREAM_END, "0", "start of the first period"),
     AT(cs_stream_spec, offset_cycles)},
    {NUMBER("length_cycles", "bus cycles", 1, CS_STREAM_END, "=", "length of a burst"),
     AT(cs_stream_spec, length_cycles)},
    {NUMBER("increment", "per bus cycle", 1, CS_MAX_INCREMENT, "1", "counts per period"),
     AT(cs_stream_spec, increment)},
    {NUMBER("max_increment", "per bus cycle", 1, CS_MAX_INCREMENT, "15",
            "the most that a random event counts in one bus cycle"),
     AT(cs_stream_spec, max_increment)},
    {OTHER("of", CS_KEY_EVENT, "=", "the event that a ratio follows, of the same segment"),
     AT(cs_stream_spec, of)},
    {NUMBER("tag", "", 0, UINT64_MAX, "0",
            "what it counts has this tag, where counters choose by tags; an event may have one "
            "stream per tag"),
     AT(cs_stream_spec, tag)},
    {PATH("file", 255, "=", "output of perf stat -I -x, beside the scenario"),
     AT(cs_stream_spec, file)},
    {TEXT("file_event", CS_NAME_BYTES - 1, "=", "name of the event in that file"),
     AT(cs_stream_spec, file_event)},
    {CHOICE("after", after_choices, "repeat", "what follows the end of the recording"),
     AT(cs_stream_spec, repeat)},
};
static const cs_key_shape event_shape = {SHAPE("event", event_keys, cs_stream_spec),
                                         .line = offsetof(cs_stream_spec, line)};

static const cs_key segment_keys[] = {
    {NUMBER("cycles", "bus cycles", 1, CS_STREAM_END, "=for ever, of an only segment",
            "how long it lasts"),
     AT(cs_segment_spec, cycles)},
    {CHOICE("mode", cs_cpu_texts.modes, cs_cpu_texts.mode_fallback, cs_cpu_texts.mode),
     AT(cs_segment_spec, mode)},
    {OTHER("wfi", CS_KEY_FLAG, "false",
           "the core waits for an interrupt: no events, and its clock as wfi_clock says; Arm's "
           "cores alone"),
     AT(cs_segment_spec, wfi)},
    {OTHER("irqs_off", CS_KEY_FLAG, "false",
           "interrupts are off: an overflow waits for the segment's end; in mode s alone"),
     AT(cs_segment_spec, irqs_off)},
    {NUMBER("pid", "", 0, UINT32_MAX, "=cid1; of Arm's cores cid2 where that is 0",
            "the process, in the register in which the kernel keeps it: cid1, or cid2 of an Arm "
            "core's "
            "kernel at el2"),
     AT(cs_segment_spec, pid)},
    {NUMBER("cid1", "", 0, UINT32_MAX, "0", cs_cpu_texts.cid1), AT(cs_segment_spec, cid1)},
    {NUMBER("cid2", "", 0, UINT32_MAX, "0", cs_cpu_texts.cid2), AT(cs_segment_spec, cid2)},
    {TEXT("process", CS_PROCESS_NAME_BYTES - 1, "=the workload's name",
          "what the process is called in traces"),
     AT(cs_segment_spec, process)},
    {LIST("functions", &function_shape, 0, 256, "[]", "the functions that it executes"),
     AT_LIST(cs_segment_spec, functions, nr_functions)},
    {CHOICE("like", cs_measured_programs, "=none",
            "a program that was measured (docs/sources.md), whose events count here, except those "
            "that the segment names; in workloads only"),
     AT(cs_segment_spec, like)},
    {LIST("events", &event_shape, 0, 1024, "[]", cs_cpu_texts.events),
     AT_LIST(cs_segment_spec, streams, nr_streams)},
};
const cs_key_shape cs_segment_shape = {SHAPE("segment", segment_keys, cs_segment_spec)};

static const cs_key_choice phase_choices[] = {
    {"start", CS_PHASE_START, NULL, NULL, "at the start of the first segment"},
    {"seed", CS_PHASE_SEED, NULL, NULL, "at a place that the seed draws, the same on all its CPUs"},
    {"seed_each", CS_PHASE_SEED_EACH, NULL, NULL, "each CPU at a place of its own, by the seed"},
    {0},
};
static const cs_key workload_keys[] = {
    {TEXT("name", CS_NAME_BYTES - 1, "workload", "what it is called"), AT(cs_workload_spec, name)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "the CPUs that run it"), AT(cs_workload_spec, cpus)},
    {PATH("program", CS_PROGRAM_NAME_BYTES - 1, "=none",
          "an ELF file, beside the scenario: functions without base and size are its symbols"),
     AT(cs_workload_spec, program)},
    {BYTES("program_base", 0, LAST_PAGE, PAGE, "0x400000",
           "where the program is loaded, if it is position-independent"),
     AT(cs_workload_spec, program_base)},
    {CHOICE("phase", phase_choices, "start",
            "where in its segments it is when the run begins; by the seed, runs of several seeds "
            "differ in how the segments fall on the samples (docs/uses/sweeps.md)"),
     AT(cs_workload_spec, phase)},
    {LIST("segments", &cs_segment_shape, 1, 64, NULL, "run one after the other, for ever"),
     AT_LIST(cs_workload_spec, segments, nr_segments)},
};
static const cs_key_shape workload_shape = {SHAPE("workload", workload_keys, cs_workload_spec)};

static void compute(cs_check *check)
{
    cs_check_compute_modes(check);
    cs_check_compute_pids(check);
}

static cs_status check(cs_check *check)
{
    static cs_status (*const parts[])(cs_check *) = {cs_check_like,      cs_check_programs,
                                                     cs_check_workloads, cs_check_owners,
                                                     cs_check_modes,     cs_check_pids};
    cs_status status = CS_OK;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CS_OK; i++)
        status = parts[i](check);
    return status;
}

static const cs_key keys[] = {
    {LIST("workloads", &workload_shape, 0, 64, "[]", cs_cpu_texts.workloads),
     AT_LIST(S, workloads, nr_workloads)},
    {MAP("handler", &cs_segment_shape, "what a core does while it runs the software"),
     .without = "cycles", AT(S, handler)},
};
const cs_section cs_section_work = {PART("work", keys), .make_keys = cs_make_cpu_texts,
                                    .compute = compute, .check = check};
