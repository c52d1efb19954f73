/* The table. Keys are read in this order, not in that of the file: clusters and
 * slots stand before whatever names CPUs. */
#include "scenario/keys.h"

#include "base/stream.h"
#include "formats/pmu_address_tree.h"
#include "scenario/riscv_kind.h"
#include "scenario/scenario.h"

/* Where a value goes: a member of a structure and its width. */
#define AT(type, member) .offset = offsetof(type, member), .width = sizeof(((type *)NULL)->member)
/* A list: its pointer, or first flag, or first element, and its length. */
#define AT_LIST(type, member, nr)                                                                  \
    .offset = offsetof(type, member), .count_offset = offsetof(type, nr)
#define AT_FLAGS(type, member) .offset = offsetof(type, member), .width = 0

#define NUMBER(name_, unit_, min_, max_, fallback_, text_)                                         \
    .name = name_, .type = CS_KEY_NUMBER, .unit = unit_, .min = min_, .max = max_, .step = 1,      \
    .fallback = fallback_, .text = text_
#define BYTES(name_, min_, max_, step_, fallback_, text_)                                          \
    .name = name_, .type = CS_KEY_SIZE, .unit = "bytes", .min = min_, .max = max_, .step = step_,  \
    .fallback = fallback_, .text = text_
#define OTHER(name_, type_, fallback_, text_)                                                      \
    .name = name_, .type = type_, .unit = "", .fallback = fallback_, .text = text_
#define CHOICE(name_, choices_, fallback_, text_)                                                  \
    .name = name_, .type = CS_KEY_CHOICE, .unit = "", .choices = choices_, .fallback = fallback_,  \
    .text = text_
#define TEXT(name_, max_, fallback_, text_)                                                        \
    .name = name_, .type = CS_KEY_NAME, .unit = "", .min = 1, .max = max_, .fallback = fallback_,  \
    .text = text_
#define PATH(name_, max_, fallback_, text_)                                                        \
    .name = name_, .type = CS_KEY_FILE, .unit = "", .min = 1, .max = max_, .fallback = fallback_,  \
    .text = text_
#define MAP(name_, shape_, text_)                                                                  \
    .name = name_, .type = CS_KEY_MAP, .unit = "", .shape = shape_, .fallback = "{}", .text = text_
#define LIST(name_, shape_, min_, max_, fallback_, text_)                                          \
    .name = name_, .type = CS_KEY_LIST, .unit = "", .min = min_, .max = max_, .shape = shape_,     \
    .fallback = fallback_, .text = text_

#define NAMES(name_, text_)                                                                        \
    .name = name_, .type = CS_KEY_NAMES, .unit = "", .min = 0, .max = 255, .fallback = "[]",       \
    .text = text_

#define SHAPE(name_, keys_, type_)                                                                 \
    .name = name_, .keys = keys_, .nr_keys = sizeof keys_ / sizeof keys_[0], .bytes = sizeof(type_)

#define MAX_US 1000000000000u /* eleven days */
#define PAGE 4096u
#define LAST_PAGE (UINT64_MAX - PAGE + 1)
#define S cs_scenario

/* ---- choices ---- */

static const cs_key_choice arbitration_choices[] = {
    {"shared", 0, NULL, NULL, "one path for all targets"},
    {"per_target", 1, NULL, NULL, "a path for each target"},
    {0},
};
static const cs_key_choice map_choices[] = {
    {"ext32", 0, NULL, NULL, "32-bit external register map"},
    {"ext64", 1, NULL, NULL, "64-bit external register map"},
    {0},
};
static const cs_key_choice rights_choices[] = {
    {"rw", 3, NULL, NULL, "read and write"},
    {"ro", 1, NULL, NULL, "read only"},
    {"wo", 2, NULL, NULL, "write only"},
    {"none", 0, NULL, NULL, "neither"},
    {0},
};
static const cs_key_choice access_choices[] = {
    {"any", 3, NULL, NULL, "reads and writes"},
    {"read", 1, NULL, NULL, "reads"},
    {"write", 2, NULL, NULL, "writes"},
    {0},
};
static const cs_key_choice action_choices[] = {
    {"error", 1, NULL, NULL, "the response is SLVERR"},
    {"stall", 0, "stall_cycles", NULL, "the response is late"},
    {0},
};
static const cs_key_choice mode_choices[] = {
    {"el0", CS_MODE_EL0, NULL, NULL, "user"},
    {"el1", CS_MODE_EL1, NULL, NULL, "kernel"},
    {"el2", CS_MODE_EL2, NULL, NULL, "hypervisor, or kernel with VHE"},
    {"el3", CS_MODE_EL3, NULL, NULL, "firmware"},
    {"guest_kernel", CS_MODE_GUEST_KERNEL, NULL, NULL, "IMC: MSR HV 0, PR 0"},
    {"guest_user", CS_MODE_GUEST_USER, NULL, NULL, "IMC: HV 0, PR 1"},
    {"host_kernel", CS_MODE_HOST_KERNEL, NULL, NULL, "IMC: HV 1, PR 0"},
    {"host_user", CS_MODE_HOST_USER, NULL, NULL, "IMC: HV 1, PR 1"},
    {"u", CS_MODE_U, NULL, NULL, "hart: user"},
    {"s", CS_MODE_S, NULL, NULL, "hart: supervisor (HS with the H extension)"},
    {"m", CS_MODE_M, NULL, NULL, "hart: machine"},
    {"vu", CS_MODE_VU, NULL, NULL, "hart: a guest's user"},
    {"vs", CS_MODE_VS, NULL, NULL, "hart: a guest's supervisor"},
    {0},
};
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
static const cs_key_choice software_choices[] = {
    {"pmcu_driver", CS_SOFTWARE_PMCU_DRIVER, NULL, NULL, "the PMCU driver under perf (driver)"},
    {"script", CS_SOFTWARE_SCRIPT, NULL, NULL, "raw bus accesses (script)"},
    {"imc", CS_SOFTWARE_IMC, NULL, NULL, "OPAL, the kernel's IMC driver and perf (imc_driver)"},
    {"pmi", CS_SOFTWARE_PMI, NULL, NULL, "sampling by interrupts, without IMC (pmi)"},
    {"none", CS_SOFTWARE_NONE, NULL, NULL, "nothing; harts have their own (riscv)"},
    {"multiplex", CS_SOFTWARE_MULTIPLEX, NULL, NULL,
     "perf stat of the CPUs' events, without PMCU (multiplex)"},
    {"uncore", CS_SOFTWARE_UNCORE, NULL, NULL, "perf on uncore units (uncore_driver)"},
    {0},
};

/* ---- the machine ---- */

static const cs_key bus_keys[] = {
    {NUMBER("clock_mhz", "MHz", 50, 10000, "1000",
            "the bus clock, by which all cycles count; it divides 500000, and is a multiple of 50 "
            "unless pmcu.tick_cycles is given"),
     AT(S, bus.clock_mhz)},
    {CHOICE("arbitration", arbitration_choices, "shared", "how transfers share the fabric"),
     AT(S, bus.per_target)},
    {NUMBER("forward_cycles", "bus cycles", 0, 255, "2", "from the check to the target"),
     AT(S, bus.forward_cycles)},
    {NUMBER("return_cycles", "bus cycles", 0, 255, "2", "from the target back to the manager"),
     AT(S, bus.return_cycles)},
    {NUMBER("register_access_cycles", "bus cycles", 1, 255, "10",
            "a register access behind a bridge"),
     AT(S, bus.register_access_cycles)},
};

static const cs_key region_keys[] = {
    {BYTES("base", 0, UINT64_MAX, 1, NULL, "first address"), AT(cs_region_spec, base)},
    {BYTES("size", 1, UINT64_MAX, 1, NULL, "length"), AT(cs_region_spec, size)},
    {CHOICE("rights", rights_choices, NULL, "what is allowed there"),
     AT_FLAGS(cs_region_spec, readable)},
};
static const cs_key_shape region_shape = {SHAPE("region", region_keys, cs_region_spec)};

static const cs_key fault_keys[] = {
    {BYTES("base", 0, UINT64_MAX, 1, NULL, "first address"), AT(cs_fault_spec, base)},
    {BYTES("size", 1, UINT64_MAX, 1, NULL, "length"), AT(cs_fault_spec, size)},
    {CHOICE("access", access_choices, "any", "which accesses count"),
     AT_FLAGS(cs_fault_spec, on_read)},
    {NUMBER("nth", "", 1, UINT64_MAX, "1", "the first access that is hit, from 1"),
     AT(cs_fault_spec, nth)},
    {NUMBER("count", "", 0, UINT64_MAX, "1", "how many are hit; 0: all that follow"),
     AT(cs_fault_spec, count)},
    {CHOICE("action", action_choices, "error", "what happens to them"), AT(cs_fault_spec, error)},
    {NUMBER("stall_cycles", "bus cycles", 1, 65535, "=", "by how much they are late"),
     AT(cs_fault_spec, stall_cycles)},
};
static const cs_key_shape fault_shape = {SHAPE("fault", fault_keys, cs_fault_spec)};

static const cs_key memory_keys[] = {
    {BYTES("base", 0, LAST_PAGE, PAGE, "0x80000000", "first address of RAM"), AT(S, memory.base)},
    {BYTES("size", PAGE, (uint64_t)1 << 48, PAGE, "1 GiB", "length of RAM"), AT(S, memory.size)},
    {NUMBER("read_cycles", "bus cycles", 0, 1023, "20", "before the first beat of a read"),
     AT(S, memory.read_cycles)},
    {NUMBER("write_cycles", "bus cycles", 0, 1023, "4", "between a write and its response"),
     AT(S, memory.write_cycles)},
    {NUMBER("gap_cycles", "bus cycles", 0, 15, "0", "between two beats"), AT(S, memory.gap_cycles)},
    {LIST("regions", &region_shape, 0, 64, "[]", "address ranges with less than all rights"),
     AT_LIST(S, memory.regions, memory.nr_regions)},
    {LIST("faults", &fault_shape, 0, 64, "[]", "accesses that fail or are late"),
     AT_LIST(S, memory.faults, memory.nr_faults)},
};

static const cs_key pmcu_keys[] = {
    {NUMBER("clusters", "", 0, 16, "=4; 0 on a die with IMC cores or harts and no key pmcu",
            "clusters of the die; 0: no PMCU"),
     AT(S, pmcu.clusters)},
    {NUMBER("slots", "", 1, 8, "8",
            "CPU slots of a cluster; slot c of cluster k is CPU c + slots * k"),
     AT(S, pmcu.slots)},
    {NUMBER("lanes", "", 1, 4, "1", "register accesses in flight"), AT(S, pmcu.lanes)},
    {OTHER("broadcast", CS_KEY_FLAG, "false", "start and stop by one write to each cluster"),
     AT(S, pmcu.broadcast)},
    {OTHER("prefetch", CS_KEY_FLAG, "false", "fetch the next events while counting"),
     AT(S, pmcu.prefetch)},
    {NUMBER("tick_cycles", "bus cycles", 1, 65535, "=bus.clock_mhz / 50",
            "length of a tick of WAIT_CNT"),
     AT(S, pmcu.tick_cycles)},
};

static const cs_key core_keys[] = {
    {NUMBER("clock_mhz", "MHz", 1, 10000, "2600", "the clock of the cores"), AT(S, core.clock_mhz)},
    {NUMBER("counters", "", 1, 31, "8", "event counters of a core"), AT(S, core.counters)},
    {CHOICE("map", map_choices, "ext32", "how a core PMU's registers lie"), AT(S, core.ext64)},
    {NUMBER("hpmn", "", 0, 31, "=core.counters", "counters in the first range (MDCR_EL2.HPMN)"),
     AT(S, core.hpmn)},
    {OTHER("hpme", CS_KEY_FLAG, "false", "the second range counts (MDCR_EL2.HPME)"),
     AT(S, core.hpme)},
    {OTHER("offline", CS_KEY_CPUS, "[]", "cores without power"), AT(S, core.offline)},
    {OTHER("absent", CS_KEY_CPUS, "[]", "slots without a core"), AT(S, core.absent)},
    {OTHER("locked", CS_KEY_CPUS, "[]", "cores with the OS lock set"), AT(S, core.locked)},
};

/* ---- what the cores do ---- */

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
           "who has called it, innermost first: functions of the segment or symbols of the "
           "program (docs/call_chains.md); the same function may stand several times, each "
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
     .text = "counts for each core cycle; of ratio, for each count of `of`",
     AT(cs_stream_spec, rate)},
    {.name = "rate_high",
     .type = CS_KEY_RATE,
     .unit = "per core cycle",
     .min = 0,
     .max = 1000,
     .fallback = "=",
     .text = "the highest mean of a spread",
     AT(cs_stream_spec, rate_high)},
    {NUMBER("period_cycles", "bus cycles", 1, CS_STREAM_END, "=", "from one to the next"),
     AT(cs_stream_spec, period_cycles)},
    {NUMBER("offset_cycles", "bus cycles", 0, CS_STREAM_END, "0", "before the first"),
     AT(cs_stream_spec, offset_cycles)},
    {NUMBER("length_cycles", "bus cycles", 1, CS_STREAM_END, "=", "of a burst"),
     AT(cs_stream_spec, length_cycles)},
    {NUMBER("increment", "per bus cycle", 1, CS_MAX_INCREMENT, "1", "counts of a period"),
     AT(cs_stream_spec, increment)},
    {NUMBER("max_increment", "per bus cycle", 1, CS_MAX_INCREMENT, "15",
            "the most that a random event counts in one bus cycle"),
     AT(cs_stream_spec, max_increment)},
    {OTHER("of", CS_KEY_EVENT, "=", "the event that a ratio follows, of the same segment"),
     AT(cs_stream_spec, of)},
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
            "how long the core stays in it before the next"),
     AT(cs_segment_spec, cycles)},
    {CHOICE("mode", mode_choices,
            "=el1; on IMC cores host_user, host_kernel in their handler; on harts u",
            "exception level, MSR HV and PR of an IMC core's thread, or mode of a hart"),
     AT(cs_segment_spec, mode)},
    {NUMBER("cid1", "", 0, UINT32_MAX, "0",
            "CONTEXTIDR_EL1; of an IMC core's thread or a hart its PID"),
     AT(cs_segment_spec, cid1)},
    {NUMBER("cid2", "", 0, UINT32_MAX, "0", "CONTEXTIDR_EL2; of an IMC core's thread its LPID"),
     AT(cs_segment_spec, cid2)},
    {LIST("functions", &function_shape, 0, 256, "[]", "where its program counters lie"),
     AT_LIST(cs_segment_spec, functions, nr_functions)},
    {LIST("events", &event_shape, 0, 1024, "[]",
          "what counts in it; CPU_CYCLES (IMC: CPMC4 and the 32 MHz event; harts: CYCLES.HART and "
          "CYCLES.REF) counts unless given"),
     AT_LIST(cs_segment_spec, streams, nr_streams)},
};
static const cs_key_shape segment_shape = {SHAPE("segment", segment_keys, cs_segment_spec)};

static const cs_key workload_keys[] = {
    {TEXT("name", CS_NAME_BYTES - 1, "workload", "what it is called"), AT(cs_workload_spec, name)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "the CPUs that run it"), AT(cs_workload_spec, cpus)},
    {PATH("program", CS_PROGRAM_NAME_BYTES - 1, "=none",
          "an ELF file, beside the scenario: functions without base and size are its symbols"),
     AT(cs_workload_spec, program)},
    {BYTES("program_base", 0, LAST_PAGE, PAGE, "0x400000",
           "where the program is loaded, if it is position-independent"),
     AT(cs_workload_spec, program_base)},
    {LIST("segments", &segment_shape, 1, 64, NULL, "run one after the other, for ever"),
     AT_LIST(cs_workload_spec, segments, nr_segments)},
};
static const cs_key_shape workload_shape = {SHAPE("workload", workload_keys, cs_workload_spec)};

/* ---- POWER's IMC ---- */

static const cs_key_choice thread_choices[] = {
    {"4", 4, NULL, NULL, "SMT4"},
    {"2", 2, NULL, NULL, "SMT2"},
    {"1", 1, NULL, NULL, "single threaded"},
    {0},
};
static const cs_key_choice variant_choices[] = {
    {"power9", 0, NULL, NULL, "POWER9"},
    {"power10", 1, NULL, NULL, "POWER10"},
    {0},
};

static const cs_key deep_stop_keys[] = {
    {NUMBER("core", "", 0, CS_IMC_MAX_CORES - 1, NULL, "which core"), AT(cs_deep_stop_spec, core)},
    {NUMBER("at_us", "us", 1, MAX_US, NULL, "when its power goes"), AT(cs_deep_stop_spec, at_us)},
    {NUMBER("for_us", "us", 1, MAX_US, NULL, "for how long"), AT(cs_deep_stop_spec, for_us)},
};
static const cs_key_shape deep_stop_shape = {SHAPE("deep_stop", deep_stop_keys, cs_deep_stop_spec)};

static const cs_key imc_keys[] = {
    {NUMBER("cores", "", 0, CS_IMC_MAX_CORES, "0", "IMC cores of the die"), AT(S, imc.cores)},
    {CHOICE("threads", thread_choices, "4",
            "threads of a core; thread v of core c is CPU v + threads * c after those of the PMCU"),
     AT(S, imc.threads)},
    {CHOICE("variant", variant_choices, "power9", "which generation"), AT(S, imc.power10)},
    {NUMBER("tap_log2", "", 2, 18, "18", "log2 of the timebase ticks of the shortest window"),
     AT(S, imc.tap_log2)},
    {NUMBER("timebase_mhz", "MHz", 1, 10000, "512", "of the timebase; not above the bus clock"),
     AT(S, imc.timebase_mhz)},
    {NUMBER("timebase_start", "", 0, UINT64_MAX, "0", "the timebase in cycle 0"),
     AT(S, imc.timebase_start)},
    {LIST("deep_stops", &deep_stop_shape, 0, 256, "[]", "cores that lose their registers"),
     AT_LIST(S, imc.deep_stops, imc.nr_deep_stops)},
};

static const cs_key nest_keys[] = {
    {OTHER("present", CS_KEY_FLAG, "false", "the die has nest counters and their engine"),
     AT(S, nest.present)},
    {BYTES("base", 0, LAST_PAGE, PAGE, "=end of RAM - 8 MiB + 0x180000",
           "address of the window, 256 KiB"),
     AT(S, nest.base)},
    {NUMBER("tick_cycles", "bus cycles", 16, UINT32_MAX, "=500 us", "a tick of the engine"),
     AT(S, nest.tick_cycles)},
    {LIST("segments", &segment_shape, 0, 64, "[]",
          "what the nest does: events of nest PMUs, in segments that repeat"),
     .without = "mode", AT_LIST(S, nest.segments, nest.nr_segments)},
};

/* ---- uncore units ---- */

static const cs_key bridge_keys[] = {
    {NUMBER("access_cycles", "bus cycles", 1, 65535, "10", "a register access of the units there"),
     AT(cs_uncore_bridge_spec, access_cycles)},
    {OTHER("near", CS_KEY_CPUS, "all", "the CPUs that are near to it"),
     AT(cs_uncore_bridge_spec, near)},
    {NUMBER("remote_cycles", "bus cycles", 0, 1000000, "0",
            "what an access takes longer from a CPU that is not"),
     AT(cs_uncore_bridge_spec, remote_cycles)},
};
static const cs_key_shape bridge_shape = {SHAPE("bridge", bridge_keys, cs_uncore_bridge_spec)};

#define U cs_uncore_unit_spec
static const cs_key unit_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called"), AT(U, name), .min = 1,
     .max = CS_NAME_BYTES - 1},
    {NUMBER("bridge", "", 0, CS_UNCORE_BRIDGES - 1, "0", "the bridge behind which it is"),
     AT(U, bridge)},
    {NUMBER("counters", "", 1, 16, "4", "its counters"), AT(U, counters)},
    {NUMBER("width", "bits", 8, 64, "48", "of each of them"), AT(U, width)},
    {NUMBER("id", "", 0, UINT16_MAX, "0", "what its ID register says"), AT(U, id)},
    {TEXT("path", CS_PMU_TEXT_BYTES - 1, "=none", "its place among pmus, as rack0/chip1/memctl0"),
     AT(U, path)},
    {LIST("segments", &segment_shape, 0, 64, "[]",
          "what it does: events \"uncore:N\", in segments that repeat"),
     .without = "mode", AT_LIST(U, segments, nr_segments)},
    {NUMBER("divider", "ticks", 1, 65535, "=uncore_driver.divider",
            "perf rotates its events so seldom"),
     AT(U, divider)},
};
#undef U
static const cs_key_shape unit_shape = {SHAPE("unit", unit_keys, cs_uncore_unit_spec)};

static const cs_key uncore_keys[] = {
    {LIST("bridges", &bridge_shape, 0, CS_UNCORE_BRIDGES, "[]", "distances, by number"),
     AT_LIST(S, uncore.bridges, uncore.nr_bridges)},
    {LIST("units", &unit_shape, 0, CS_MAX_UNCORE, "[]",
          "counters of units that are no cores (docs/hw/uncore.md)"),
     AT_LIST(S, uncore.units, uncore.nr_units)},
};
static const cs_key_shape uncore_shape = {SHAPE("uncore", uncore_keys, S)};

/* ---- addresses of PMUs ---- */

static const cs_key level_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called in paths"), AT(cs_pmu_level, name),
     .min = 1, .max = CS_PMU_NAME_BYTES - 1},
    {NUMBER("bits", "bits", 1, 64, NULL, "of its numbers"), AT(cs_pmu_level, bits)},
};
static const cs_key_shape level_shape = {SHAPE("pmu_level", level_keys, cs_pmu_level)};

static const cs_key kind_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what they are called"), AT(cs_pmu_kind, name), .min = 1,
     .max = CS_PMU_NAME_BYTES - 1},
    {NUMBER("count", "", 1, UINT64_MAX, "1", "how many at each place"), AT(cs_pmu_kind, count)},
    {NUMBER("first", "", 0, UINT64_MAX, "=after those before it in the list",
            "the number of the first"),
     AT(cs_pmu_kind, first)},
};
static const cs_key_shape kind_shape = {SHAPE("pmu_kind", kind_keys, cs_pmu_kind)};

#define P cs_pmu_place_spec
static const cs_key place_keys[] = {
    {TEXT("at", CS_PMU_TEXT_BYTES - 1, "/", "places, as rack0-127/blade0-31; /: the system itself"),
     AT(P, at)},
    {LIST("units", &kind_shape, 1, CS_PMU_MAX_KINDS, NULL, "the PMUs of each of them"),
     AT_LIST(P, units, nr_units)},
};
#undef P
static const cs_key_shape place_shape = {SHAPE("pmu_place", place_keys, cs_pmu_place_spec)};

static const cs_key pmus_keys[] = {
    {LIST("levels", &level_shape, 0, CS_PMU_MAX_LEVELS, "[]",
          "the fields of an address from bit 0 on; none: pmu 4, core 4, node 1, chip 3, blade 5, "
          "rack 7 bits"),
     AT_LIST(S, pmus.levels, pmus.nr_levels)},
    {LIST("tree", &place_shape, 0, CS_MAX_PMU_PLACES, "[]", "what is where, beside uncore.units"),
     AT_LIST(S, pmus.places, pmus.nr_places)},
};
static const cs_key_shape pmus_shape = {SHAPE("pmus", pmus_keys, S)};

/* ---- RISC-V ---- */

static const cs_key_choice xlen_choices[] = {
    {"64", 64, NULL, NULL, "RV64"},
    {"32", 32, NULL, NULL, "RV32"},
    {0},
};
static const cs_key_choice hart_mode_choices[] = {
    {"msuh", 3, NULL, NULL, "M, S, U, and VS, VU of the hypervisor extension"},
    {"msu", 2, NULL, NULL, "M, S, U"},
    {"mu", 1, NULL, NULL, "M, U"},
    {"m", 0, NULL, NULL, "M"},
    {0},
};

static const cs_key hart_keys[] = {
    {NUMBER("count", "", 0, CS_MAX_HARTS, "0",
            "RISC-V harts of the die; their CPU numbers follow those of the IMC threads"),
     AT(S, harts.count)},
    {CHOICE("xlen", xlen_choices, "64", "width of the registers"), AT(S, harts.xlen)},
    {CHOICE("modes", hart_mode_choices, "msuh", "privilege modes"), AT(S, harts.modes)},
    {NUMBER("counters", "", 0, 29, "8", "mhpmcounters, from 3 on"), AT(S, harts.counters)},
    {NUMBER("width", "bits", 1, 64, "64", "of each of them"), AT(S, harts.width)},
    {OTHER("sscofpmf", CS_KEY_FLAG, "true", "overflow, filters, LCOFI"), AT(S, harts.sscofpmf)},
    {OTHER("smcntrpmf", CS_KEY_FLAG, "true", "filters of cycle and instret"),
     AT(S, harts.smcntrpmf)},
    {OTHER("smcdeleg", CS_KEY_FLAG, "=true with S-mode", "counters delegated to S-mode"),
     AT(S, harts.smcdeleg)},
    {OTHER("aia", CS_KEY_FLAG, "false", "LCOFI in the registers of Smaia and Ssaia"),
     AT(S, harts.aia)},
    {NUMBER("lcofi_latency", "bus cycles", 0, 31, "0", "from the overflow to LCOFIP"),
     AT(S, harts.lcofi_latency)},
    {NUMBER("timebase_mhz", "MHz", 1, 10000, "10", "clock of mtime; not above the bus clock"),
     AT(S, harts.timebase_mhz)},
    {NUMBER("timebase_start", "", 0, UINT64_MAX, "0", "mtime in cycle 0"),
     AT(S, harts.timebase_start)},
    {NUMBER("csr_cycles", "bus cycles", 1, 1000, "4", "a CSR instruction of the software"),
     AT(S, harts.csr_cycles)},
    {NUMBER("trap_cycles", "bus cycles", 0, 100000, "40",
            "from a trap to the handler's first line"),
     AT(S, harts.trap_cycles)},
    {NUMBER("return_cycles", "bus cycles", 0, 100000, "30", "the way back"),
     AT(S, harts.return_cycles)},
    {NUMBER("irq_latency_cycles", "bus cycles", 0, 100000, "4", "from the line's rise to the trap"),
     AT(S, harts.irq_latency_cycles)},
    {NUMBER("access_cycles", "bus cycles", 0, 100000, "2", "work before each load or store"),
     AT(S, harts.access_cycles)},
};

static const cs_key_choice form_choices[] = {
    {"ratified", 0, NULL, NULL, "the SBI PMU extension"},
    {"proposal_v3", 1, NULL, NULL, "the proposal of July 2020"},
    {0},
};
static const cs_key_choice version_choices[] = {
    {"v3", 0x03000000, NULL, NULL, "3.0: with event info"},
    {"v2", 0x02000000, NULL, NULL, "2.0: with snapshots"},
    {"v03", 0x00000003, NULL, NULL, "0.3"},
    {0},
};
static const cs_key_choice driver_kind_choices[] = {
    {"sbi", CS_RISCV_SBI, NULL, NULL, "the SBI PMU extension"},
    {"legacy", CS_RISCV_LEGACY, NULL, NULL, "cycle and instret as they run"},
    {"delegated", CS_RISCV_DELEGATED, NULL, NULL, "Smcdeleg: counters without calls"},
    {"v3", CS_RISCV_V3, NULL, NULL, "the proposal of July 2020"},
    {0},
};
static const cs_key_choice user_access_choices[] = {
    {"mapped", 0, NULL, NULL, "counters of events that user space has mapped"},
    {"legacy", 1, NULL, NULL, "cycle, time and instret always"},
    {0},
};

static const cs_key firmware_keys[] = {
    {CHOICE("form", form_choices, "ratified", "which calls it answers"),
     AT(S, riscv.firmware.proposal_v3)},
    {CHOICE("version", version_choices, "v3", "of the SBI; what is newer is not supported"),
     AT(S, riscv.firmware.version)},
    {NUMBER("counters", "", 0, 64, "16", "firmware counters"), AT(S, riscv.firmware.counters)},
    {NUMBER("specific_events", "", 0, 65279, "0", "firmware events of its own, from 256 on"),
     AT(S, riscv.firmware.specific_events)},
    {NUMBER("platform_events", "", 0, UINT64_MAX, "0", "event_data of PLATFORM events below it"),
     AT(S, riscv.firmware.platform_events)},
    {NAMES("deviations", "what it does otherwise than the specification says, by name "
                         "(docs/sbi_pmu.md): of_waits ..., opensbi, opensbi_old, kvm"),
     AT_LIST(S, riscv.firmware.deviation_names, riscv.firmware.nr_deviations)},
    {NUMBER("call_cycles", "bus cycles", 0, 1000000, "60", "work of a call, beside its accesses"),
     AT(S, riscv.firmware.call_cycles)},
    {OTHER("pmu", CS_KEY_PMU_MAP, "=the built-in map",
           "device tree (DTB or DTS) with a riscv,pmu node: which counter counts what"),
     AT(S, riscv.map)},
};
static const cs_key_shape firmware_shape = {SHAPE("firmware", firmware_keys, S)};

#define D cs_riscv_driver_spec
static const cs_key riscv_driver_keys[] = {
    {CHOICE("kind", driver_kind_choices, "=sbi, or v3 with firmware.form proposal_v3",
            "which driver"),
     AT(D, kind)},
    {NAMES("bugs", "bugs of published kernels by name (docs/riscv_driver.md)"),
     AT_LIST(D, bug_names, nr_bugs)},
    {OTHER("snapshot", CS_KEY_FLAG, "false", "counters and overflow marks by snapshot page"),
     AT(D, snapshot)},
    {OTHER("event_info", CS_KEY_FLAG, "true", "events are asked for by EVENT_GET_INFO"),
     AT(D, event_info)},
    {CHOICE("user_access", user_access_choices, "mapped", "what user space may read"),
     AT(D, legacy_user_access)},
    {BYTES("base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB, a guest's + 32 MiB",
           "where its pages and rings lie"),
     AT(D, base)},
    {BYTES("ring_bytes", 0, (uint64_t)1 << 28, PAGE, "64 KiB",
           "data of a hart's ring of samples, a power of two"),
     AT(D, ring_bytes)},
    {BYTES("wakeup_bytes", 0, (uint64_t)1 << 28, 1, "=ring_bytes / 2",
           "so much wakes up the reader of the ring; 0: it reads at the end only"),
     AT(D, wakeup_bytes)},
    {NUMBER("handler_cycles", "bus cycles", 0, 1000000, "300",
            "work of the overflow handler, beside its accesses"),
     AT(D, handler_cycles)},
    {NUMBER("event_cycles", "bus cycles", 0, 1000000, "100",
            "work of opening, adding, starting, stopping, reading an event"),
     AT(D, event_cycles)},
    {NUMBER("sample_cycles", "bus cycles", 0, 1000000, "200", "work of a sample"),
     AT(D, sample_cycles)},
    {NUMBER("frame_cycles", "bus cycles", 0, 1000000, "40",
            "work for each address of a sample's call chain"),
     AT(D, frame_cycles)},
    {NUMBER("max_samples_per_tick", "", 0, 1000000, "0",
            "an event with more in a tick is throttled; 0: never"),
     AT(D, max_samples_per_tick)},
    {NUMBER("tick_us", "us", 1, 1000000, "4000", "the timer's tick"), AT(D, tick_us)},
};
#undef D
static const cs_key_shape riscv_driver_shape = {
    SHAPE("riscv_driver", riscv_driver_keys, cs_riscv_driver_spec)};

static const cs_key firmware_event_keys[] = {
    {TEXT("event", CS_NAME_BYTES - 1, NULL, "a firmware event: fw_set_timer ..., \"fw:256\""),
     AT(cs_firmware_event_spec, name)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "on these harts"), AT(cs_firmware_event_spec, cpus)},
    {NUMBER("every_us", "us", 1, MAX_US, NULL, "how often"), AT(cs_firmware_event_spec, every_us)},
    {NUMBER("count", "", 1, UINT32_MAX, "1", "how many at once"),
     AT(cs_firmware_event_spec, count)},
};
static const cs_key_shape firmware_event_shape = {
    SHAPE("firmware_event", firmware_event_keys, cs_firmware_event_spec)};

#define P cs_riscv_perf_spec
static const cs_key riscv_perf_keys[] = {
    {NAMES("events", "what perf -e takes: cycles, LLC-load-misses, r21 (raw), fw_set_timer; and "
                     "names of the hart's events"),
     AT_LIST(P, events, nr_events)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "perf -C: harts by CPU number"), AT(P, cpus)},
    {NUMBER("start_us", "us", 1, MAX_US, "100", "when the command begins"), AT(P, start_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, NULL, "when it ends"), AT(P, stop_us)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "stat: counts are printed so often (-I); 0: only at the end"),
     AT(P, interval_us)},
    {NUMBER("sample_period", "", 0, INT64_MAX, "0", "0: perf stat; else perf record -c"),
     AT(P, sample_period)},
    {OTHER("callchain", CS_KEY_FLAG, "false", "perf record -g: samples with their call chains"),
     AT(P, callchain)},
    {OTHER("exclude_user", CS_KEY_FLAG, "false", ":k"), AT(P, exclude_user)},
    {OTHER("exclude_kernel", CS_KEY_FLAG, "false", ":u"), AT(P, exclude_kernel)},
    {OTHER("exclude_hv", CS_KEY_FLAG, "false", "beside guest_events: the hypervisor"),
     AT(P, exclude_hv)},
    {OTHER("exclude_host", CS_KEY_FLAG, "false", ":G"), AT(P, exclude_host)},
    {OTHER("exclude_guest", CS_KEY_FLAG, "false", ":H"), AT(P, exclude_guest)},
    {OTHER("guest_events", CS_KEY_FLAG, "false",
           "exclude_user and exclude_kernel are about the guest's modes"),
     AT(P, guest_events)},
    {OTHER("mmapped", CS_KEY_FLAG, "false", "user space reads the counter"), AT(P, mmapped)},
    {OTHER("guest", CS_KEY_FLAG, "false", "a command of the guest's perf (riscv.has_guest)"),
     AT(P, guest)},
};
#undef P
static const cs_key_shape riscv_perf_shape = {
    SHAPE("riscv_perf", riscv_perf_keys, cs_riscv_perf_spec)};

static const cs_key riscv_keys[] = {
    {MAP("firmware", &firmware_shape, "what runs in M mode")},
    {MAP("driver", &riscv_driver_shape, "the kernel's PMU driver"), AT(S, riscv.driver)},
    {OTHER("has_guest", CS_KEY_FLAG, "false",
           "a guest in VS mode on each hart, with a PMU driver of its own"),
     AT(S, riscv.has_guest)},
    {NUMBER("hypervisor_cycles", "bus cycles", 0, 1000000, "200",
            "work of the hypervisor for a call of its guest"),
     AT(S, riscv.hypervisor_cycles)},
    {MAP("guest", &riscv_driver_shape, "the guest's PMU driver"), AT(S, riscv.guest)},
    {LIST("firmware_events", &firmware_event_shape, 0, 64, "[]",
          "what else the firmware has to do, for firmware counters to count"),
     AT_LIST(S, riscv.firmware_events, riscv.nr_firmware_events)},
    {LIST("perf", &riscv_perf_shape, 0, 64, "[]", "perf commands"),
     AT_LIST(S, riscv.perf, riscv.nr_perf)},
};
static const cs_key_shape riscv_shape = {SHAPE("riscv", riscv_keys, S)};

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
     AT(S, imc_driver.buffers_base)},
    {NUMBER("event_mask", "", 0, UINT64_MAX, "0x0402010000000000", "EVENT_MASK as OPAL writes it"),
     AT(S, imc_driver.event_mask)},
    {NUMBER("trace_scom", "", 0, UINT64_MAX,
            "=skiboot's: 0x7FFFFFC142020000 (power9), 0x3FFFFFC142020000 (power10)",
            "TRACE as OPAL writes it"),
     AT(S, imc_driver.trace_scom)},
    {NUMBER("opal_cycles", "bus cycles", 1, 1000000, "400", "an OPAL call beside its accesses"),
     AT(S, imc_driver.opal_cycles)},
    {NUMBER("cross_call_cycles", "bus cycles", 1, 1000000, "2000",
            "to have another CPU do something"),
     AT(S, imc_driver.cross_call_cycles)},
    {NUMBER("record_cycles", "bus cycles", 1, 1000000, "60",
            "work of the CPU for each record of a dump"),
     AT(S, imc_driver.record_cycles)},
    {CHOICE("restore", restore_choices, "all", "what is given back after a deep stop"),
     AT(S, imc_driver.restore)},
    {LIST("perf", &perf_shape, 0, 64, "[]", "perf commands"),
     AT_LIST(S, imc_driver.perf, imc_driver.nr_perf)},
};

/* ---- perf on uncore units ---- */

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
     AT(S, uncore_driver.global)},
    {NUMBER("tick_us", "us", 1, 1000000, "1000", "the timer's tick"), AT(S, uncore_driver.tick_us)},
    {NUMBER("divider", "ticks", 1, 65535, "1", "a rotation at every so manyth tick"),
     AT(S, uncore_driver.divider)},
    {OTHER("adaptive", CS_KEY_FLAG, "false", "dividers follow the time that rotations take"),
     AT(S, uncore_driver.adaptive)},
    {NUMBER("limit_percent", "%", 1, 100, "1", "so much of the time they may take"),
     AT(S, uncore_driver.limit_percent)},
    {NUMBER("most_divider", "ticks", 1, 65535, "64", "adaptive dividers grow no further"),
     AT(S, uncore_driver.most_divider)},
    {NUMBER("handler_cycles", "bus cycles", 1, 1000000, "300",
            "work of a tick or a call on a CPU, beside what it finds to do"),
     AT(S, uncore_driver.handler_cycles)},
    {NUMBER("event_cycles", "bus cycles", 0, 1000000, "100",
            "work for an event that comes to a counter, or leaves it"),
     AT(S, uncore_driver.event_cycles)},
    {NUMBER("poll_cycles", "bus cycles", 1, CS_STREAM_END, "10000",
            "counters are read against wrapping no more often than this"),
     AT(S, uncore_driver.poll_cycles)},
    {LIST("perf", &uncore_perf_shape, 0, 64, "[]", "perf stat commands"),
     AT_LIST(S, uncore_driver.perf, uncore_driver.nr_perf)},
};

static const cs_key pmi_keys[] = {
    {NUMBER("period", "core cycles", 1000, CS_STREAM_END, "1000000",
            "from one interrupt to the next"),
     AT(S, pmi.period)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "the CPUs that are sampled"), AT(S, pmi.cpus)},
    {NUMBER("handler_cycles", "bus cycles", 1, 10000000, "3000", "work of the handler"),
     AT(S, pmi.handler_cycles)},
    {BYTES("ring_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB",
           "where the samples go: 256 KiB a CPU"),
     AT(S, pmi.ring_base)},
    {NUMBER("stop_us", "us", 1, MAX_US, "10000", "when it ends"), AT(S, pmi.stop_us)},
};

static const cs_key_choice reach_choices[] = {
    {"affinity", 0, NULL, NULL, "it goes to each in turn (since 5.6)"},
    {"calls", 1, NULL, NULL,
     "it stays on software.cpu and interrupts them (before; --no-affinity)"},
    {0},
};

#define COST(name_, fallback_, text_)                                                              \
    NUMBER(#name_, "bus cycles", 0, 1000000, fallback_, text_), AT(S, multiplex.name_)
static const cs_key multiplex_keys[] = {
    {OTHER("events", CS_KEY_USER_EVENTS, "[]",
           "the events to count, as driver.user_events; 1..240 of them"),
     AT_LIST(S, multiplex.events, multiplex.nr_events)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "perf stat -C; all: those that are online"),
     AT(S, multiplex.cpus)},
    {NUMBER("counters", "", 1, 31, "=core.counters",
            "event counters of a CPU that perf may use, beside the cycle counter"),
     AT(S, multiplex.counters)},
    {NUMBER("counter_bits", "", 8, 64, "32",
            "their width; an event interrupts at every half of the range. 32 is Linux's also on "
            "64-bit counters, unless long=1"),
     AT(S, multiplex.counter_bits)},
    {NUMBER("tick_us", "us", 1, 1000000, "4000", "perf_event_mux_interval_ms"),
     AT(S, multiplex.tick_us)},
    {NUMBER("divider", "", 1, 1000000, "1", "events move at every so manyth tick; Linux: 1"),
     AT(S, multiplex.divider)},
    {NUMBER("interval_us", "us", 0, MAX_US, "0",
            "perf stat -I: from the end of a reading to the next; 0: only at the end"),
     AT(S, multiplex.interval_us)},
    {NUMBER("stop_us", "us", 1, MAX_US, "1000000", "when perf stops"), AT(S, multiplex.stop_us)},
    {CHOICE("reach", reach_choices, "affinity", "how perf reaches the CPUs"),
     AT(S, multiplex.calls)},
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

/* ---- the software ---- */

static const cs_key software_keys[] = {
    {OTHER("kind", CS_KEY_CHOICES, "=pmcu_driver; none on a die of harts alone",
           "what drives the hardware through the CPU port; a list: all of them"),
     AT(S, software.kinds), .choices = software_choices},
    {NUMBER("cpu", "", 0, CS_MAX_CPUS - 1, "0",
            "the CPU that runs it, where a driver has no CPU of its own"),
     AT(S, software.cpu)},
    {NUMBER("irq_latency_cycles", "bus cycles", 0, 1000000000, "2000",
            "from the interrupt line to the handler's first access"),
     AT(S, software.irq_latency_cycles)},
    {NUMBER("access_cycles", "bus cycles", 0, 1000000, "20",
            "work of the CPU before each register access"),
     AT(S, software.access_cycles)},
};

static const cs_key driver_keys[] = {
    {OTHER("user_events", CS_KEY_USER_EVENTS, "[]",
           "the events to count: hexadecimal words as in sysfs, \"0x0-0xef\", or a list; those "
           "beyond 240 are ignored"),
     AT_LIST(S, driver.user_events, driver.nr_user_events)},
    {NUMBER("nr_sample", "", 1, UINT32_MAX, "128", "samples to take (config)"),
     AT(S, driver.nr_sample)},
    {NUMBER("sample_period_ms", "ms", 1, 85899, "3", "counting time of an event group (config)"),
     AT(S, driver.sample_period_ms)},
    {NUMBER("sample_period_ticks", "50 MHz ticks", 1, UINT32_MAX, "=sample_period_ms * 50000",
            "the same, finer; not beside sample_period_ms"),
     AT(S, driver.sample_period_ticks)},
    {NUMBER("pmccfiltr", "", 0, 255, "0", "bits 31:24 of PMCCFILTR (config1)"),
     AT(S, driver.pmccfiltr)},
    {OTHER("comp", CS_KEY_FLAG, "false", "compatibility mode"), AT(S, driver.comp)},
    {BYTES("aux_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB", "address of AUX buffer 0"),
     AT(S, driver.aux_base)},
    {BYTES("aux_buffer_bytes", PAGE, (uint64_t)1 << 30, PAGE, "4 MiB", "length of an AUX buffer"),
     AT(S, driver.aux_buffer_bytes)},
    {NUMBER("aux_buffers", "", 1, 4096, "4", "AUX buffers, used in turn"),
     AT(S, driver.aux_buffers)},
    {BYTES("data_base", 0, UINT64_MAX - 7, 8, "=memory.base + 4 KiB",
           "address of the driver's own data, 4 KiB"),
     AT(S, driver.data_base)},
    {NUMBER("stop_at_cycle", "bus cycles", 0, CS_STREAM_END, "0",
            "when the user stops perf; 0: never"),
     AT(S, driver.stop_at_cycle)},
};

static const cs_key_choice size_choices[] = {
    {"1", 1, NULL, NULL, ""},
    {"2", 2, NULL, NULL, ""},
    {"4", 4, NULL, NULL, ""},
    {"8", 8, NULL, NULL, ""},
    {0},
};
static const cs_key write_keys[] = {
    {OTHER("at", CS_KEY_ADDRESS, NULL, "a register by name, or an address"),
     AT(cs_script_step, addr)},
    {NUMBER("value", "", 0, UINT64_MAX, NULL, "what is written"), AT(cs_script_step, value)},
    {CHOICE("size", size_choices, "4", "bytes of the access"), AT(cs_script_step, size)},
};
static const cs_key_shape write_shape = {SHAPE("write", write_keys, cs_script_step)};

static const cs_key read_keys[] = {
    {OTHER("at", CS_KEY_ADDRESS, NULL, "a register by name, or an address"),
     AT(cs_script_step, addr)},
    {CHOICE("size", size_choices, "4", "bytes of the access"), AT(cs_script_step, size)},
};
static const cs_key_shape read_shape = {SHAPE("read", read_keys, cs_script_step)};

/* In the order of cs_step_kind. */
static const cs_key step_keys[] = {
    {MAP("write", &write_shape, "a bus write")},
    {MAP("read", &read_shape, "a bus read")},
    {NUMBER("delay", "bus cycles", 1, CS_STREAM_END, "=", "nothing for so long"),
     AT(cs_script_step, cycles)},
    {NUMBER("wait_irq", "bus cycles", 0, CS_STREAM_END, "=",
            "until the interrupt line is high, at most so long; 0: without limit"),
     AT(cs_script_step, cycles)},
};
static const cs_key_shape step_shape = {SHAPE("step", step_keys, cs_script_step), .one = true,
                                        .which = offsetof(cs_script_step, kind)};

/* ---- the run ---- */

static const cs_key keep_keys[] = {
    {OTHER("memory", CS_KEY_FLAG, "true", "memory images in the run folder"), AT(S, keep.memory)},
    {OTHER("probe", CS_KEY_FLAG, "false", "every record of the probe stream, as CSV"),
     AT(S, keep.probe)},
    {OTHER("records", CS_KEY_FLAG, "true",
           "IMC: every trace record as the hardware wrote it, a file a CPU"),
     AT(S, keep.records)},
    {OTHER("samples_truth", CS_KEY_FLAG, "true",
           "the truth of each sample, and what happened when, in the database"),
     AT(S, keep.samples_truth)},
};

static const cs_key way_keys[] = {
    {OTHER("name", CS_KEY_LABEL, NULL, "what it is called; its folder in the run folder"),
     AT(cs_way_spec, name), .min = 1, .max = CS_NAME_BYTES - 1},
    {TEXT("text", CS_WAY_TEXT_BYTES - 1, "=empty", "a line that says more"), AT(cs_way_spec, text)},
    {OTHER("set", CS_KEY_OVERLAY, "{}",
           "keys of the scenario as this way has them: maps grow together, anything else takes the "
           "place of what was there")},
};
static const cs_key_shape way_shape = {SHAPE("way", way_keys, cs_way_spec)};

static const cs_key_shape bus_shape = {SHAPE("bus", bus_keys, S)};
static const cs_key_shape memory_shape = {SHAPE("memory", memory_keys, S)};
static const cs_key_shape pmcu_shape = {SHAPE("pmcu", pmcu_keys, S)};
static const cs_key_shape core_shape = {SHAPE("core", core_keys, S)};
static const cs_key_shape software_shape = {SHAPE("software", software_keys, S)};
static const cs_key_shape driver_shape = {SHAPE("driver", driver_keys, S)};
static const cs_key_shape keep_shape = {SHAPE("keep", keep_keys, S)};
static const cs_key_shape imc_shape = {SHAPE("imc", imc_keys, S)};
static const cs_key_shape hart_shape = {SHAPE("harts", hart_keys, S)};
static const cs_key_shape nest_shape = {SHAPE("nest", nest_keys, S)};
static const cs_key_shape imc_driver_shape = {SHAPE("imc_driver", imc_driver_keys, S)};
static const cs_key_shape pmi_shape = {SHAPE("pmi", pmi_keys, S)};
static const cs_key_shape multiplex_shape = {SHAPE("multiplex", multiplex_keys, S)};
static const cs_key_shape uncore_driver_shape = {SHAPE("uncore_driver", uncore_driver_keys, S)};

static const cs_key scenario_keys[] = {
    {OTHER("name", CS_KEY_LABEL, "=the file's name", "what the run is called"), AT(S, name),
     .min = 1, .max = CS_NAME_BYTES - 1},
    {NUMBER("seed", "", 0, UINT64_MAX, "1", "of everything random"), AT(S, seed)},
    {LIST("ways", &way_shape, 2, 8, "=none",
          "the same machine and workload in several ways, to be held side by side: `run` runs them "
          "all"),
     AT_LIST(S, ways, nr_ways)},
    {OTHER("way", CS_KEY_LABEL, "=the first; run: all", "the one way that is meant"), AT(S, way),
     .min = 1, .max = CS_NAME_BYTES - 1},
    {MAP("bus", &bus_shape, "the fabric")},
    {MAP("memory", &memory_shape, "RAM, and what goes wrong on the bus")},
    {MAP("pmcu", &pmcu_shape, "the die and its PMCU")},
    {MAP("core", &core_shape, "the cores' PMUs")},
    {OTHER("catalog", CS_KEY_CATALOG, "=none", "IMC catalog (DTB or DTS) beside the scenario"),
     AT(S, catalog)},
    {MAP("imc", &imc_shape, "POWER cores with in-memory collection")},
    {MAP("nest", &nest_shape, "POWER's nest counters")},
    {MAP("uncore", &uncore_shape, "units off the cores")},
    {MAP("pmus", &pmus_shape, "the PMUs of the whole system, by address (docs/uncore_address.md)")},
    {MAP("harts", &hart_shape, "RISC-V harts")},
    {MAP("riscv", &riscv_shape, "their firmware, driver, and perf")},
    {LIST("workloads", &workload_shape, 0, 64, "[]",
          "what the cores do; a core without one is idle: el1 (IMC host_kernel, hart s), and only "
          "cycles count"),
     AT_LIST(S, workloads, nr_workloads)},
    {MAP("handler", &segment_shape, "what a core does while it runs the software"),
     .without = "cycles", AT(S, handler)},
    {MAP("software", &software_shape, "who drives the hardware")},
    {MAP("driver", &driver_shape, "the PMCU driver's settings")},
    {MAP("imc_driver", &imc_driver_shape, "the settings of software.kind imc")},
    {MAP("pmi", &pmi_shape, "the settings of software.kind pmi")},
    {MAP("multiplex", &multiplex_shape, "the settings of software.kind multiplex")},
    {MAP("uncore_driver", &uncore_driver_shape, "the settings of software.kind uncore")},
    {LIST("script", &step_shape, 0, 10000, "[]", "the steps of software.kind script"),
     AT_LIST(S, script, nr_script)},
    {NUMBER("limit_cycles", "bus cycles", 0, CS_STREAM_END, "0",
            "the run ends there; 0: when the software has ended"),
     AT(S, limit_cycles)},
    {MAP("keep", &keep_shape, "what goes into the run folder")},
};
static const cs_key_shape scenario_shape = {SHAPE("scenario", scenario_keys, S)};

const cs_key_shape *cs_scenario_shape(void)
{
    return &scenario_shape;
}
