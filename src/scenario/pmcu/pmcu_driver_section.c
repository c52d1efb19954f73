#include "scenario/key_macros.h"
#include "scenario/pmcu/pmcu_driver_spec.h"

#define S cs_pmcu_driver_spec

static const cs_key driver_keys[] = {
    {OTHER("user_events", CS_KEY_USER_EVENTS, "[]",
           "the events to count: hexadecimal words as in sysfs, \"0x0-0xef\", or a list; those "
           "beyond 240 are ignored"),
     AT_LIST(S, user_events, nr_user_events)},
    {NUMBER("nr_sample", "", 1, UINT32_MAX, "128", "samples to take (config)"), AT(S, nr_sample)},
    {NUMBER("sample_period_ms", "ms", 1, 85899, "3", "counting time of an event group (config)"),
     AT(S, sample_period_ms)},
    {NUMBER("sample_period_ticks", "50 MHz ticks", 1, UINT32_MAX, "=sample_period_ms * 50000",
            "the same, finer; not beside sample_period_ms"),
     AT(S, sample_period_ticks)},
    {NUMBER("pmccfiltr", "", 0, 255, "0", "bits 31:24 of PMCCFILTR (config1)"), AT(S, pmccfiltr)},
    {OTHER("comp", CS_KEY_FLAG, "false", "compatibility mode"), AT(S, comp)},
    {BYTES("aux_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB", "address of AUX buffer 0"),
     AT(S, aux_base)},
    {BYTES("aux_buffer_bytes", PAGE, (uint64_t)1 << 30, PAGE, "4 MiB", "length of an AUX buffer"),
     AT(S, aux_buffer_bytes)},
    {NUMBER("aux_buffers", "", 1, 4096, "4", "AUX buffers, used in turn"), AT(S, aux_buffers)},
    {BYTES("data_base", 0, UINT64_MAX - 7, 8, "=memory.base + 4 KiB",
           "address of the driver's own data, 4 KiB"),
     AT(S, data_base)},
    {NUMBER("stop_at_cycle", "bus cycles", 0, CS_STREAM_END, "0",
            "when the user stops perf; 0: never"),
     AT(S, stop_at_cycle)},
};
static const cs_key_shape shape = {SHAPE("pmcu_driver", driver_keys, S)};

static const cs_key keys[] = {{MAP("pmcu_driver", &shape, "the PMCU driver's settings")}};
const cs_section cs_section_pmcu_driver = {SECTION("pmcu_driver", keys, S), .was = "driver"};
