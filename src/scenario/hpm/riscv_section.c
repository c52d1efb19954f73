#include "scenario/hpm/riscv_spec.h"
#include "scenario/key_macros.h"

#define S cs_riscv_spec

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
     AT(S, firmware.proposal_v3)},
    {CHOICE("version", version_choices, "v3", "of the SBI; what is newer is not supported"),
     AT(S, firmware.version)},
    {NUMBER("counters", "", 0, 64, "16", "firmware counters"), AT(S, firmware.counters)},
    {NUMBER("specific_events", "", 0, 65279, "0", "firmware events of its own, from 256 on"),
     AT(S, firmware.specific_events)},
    {NUMBER("platform_events", "", 0, UINT64_MAX, "0", "event_data of PLATFORM events below it"),
     AT(S, firmware.platform_events)},
    {NAMES("deviations", "what it does otherwise than the specification says, by name "
                         "(docs/sbi_pmu.md): of_waits ..., opensbi, opensbi_old, kvm"),
     AT_LIST(S, firmware.deviation_names, firmware.nr_deviations)},
    {NUMBER("call_cycles", "bus cycles", 0, 1000000, "60", "work of a call, beside its accesses"),
     AT(S, firmware.call_cycles)},
    {OTHER("pmu", CS_KEY_PMU_MAP, "=the built-in map",
           "device tree (DTB or DTS) with a riscv,pmu node: which counter counts what"),
     AT(S, map)},
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
    {MAP("driver", &riscv_driver_shape, "the kernel's PMU driver"), AT(S, driver)},
    {OTHER("has_guest", CS_KEY_FLAG, "false",
           "a guest in VS mode on each hart, with a PMU driver of its own"),
     AT(S, has_guest)},
    {NUMBER("hypervisor_cycles", "bus cycles", 0, 1000000, "200",
            "work of the hypervisor for a call of its guest"),
     AT(S, hypervisor_cycles)},
    {MAP("guest", &riscv_driver_shape, "the guest's PMU driver"), AT(S, guest)},
    {LIST("firmware_events", &firmware_event_shape, 0, 64, "[]",
          "what else the firmware has to do, for firmware counters to count"),
     AT_LIST(S, firmware_events, nr_firmware_events)},
    {LIST("perf", &riscv_perf_shape, 0, 64, "[]", "perf commands"), AT_LIST(S, perf, nr_perf)},
};
static const cs_key_shape shape = {SHAPE("riscv", riscv_keys, S)};

static const cs_key keys[] = {{MAP("riscv", &shape, "their firmware, driver, and perf")}};
const cs_section cs_section_riscv = {SECTION("riscv", keys, S)};
