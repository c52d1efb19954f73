#include "scenario/imc/pmi_spec.h"
#include "scenario/key_macros.h"

#define S cs_pmi_spec

static const cs_key pmi_keys[] = {
    {NUMBER("period", "core cycles", 1000, CS_STREAM_END, "1000000",
            "from one interrupt to the next"),
     AT(S, period)},
    {OTHER("cpus", CS_KEY_CPUS, "all", "the CPUs that are sampled"), AT(S, cpus)},
    {NUMBER("handler_cycles", "bus cycles", 1, 10000000, "3000", "work of the handler"),
     AT(S, handler_cycles)},
    {BYTES("ring_base", 0, LAST_PAGE, PAGE, "=memory.base + 16 MiB",
           "where the samples go: 256 KiB a CPU"),
     AT(S, ring_base)},
    {NUMBER("stop_us", "us", 1, MAX_US, "10000", "when it ends"), AT(S, stop_us)},
};
static const cs_key_shape shape = {SHAPE("pmi", pmi_keys, S)};

static const cs_key keys[] = {{MAP("pmi", &shape, "the settings of software.kind pmi")}};
const cs_section cs_section_pmi = {SECTION("pmi", keys, S)};
