#include "scenario/hpm/harts_spec.h"
#include "scenario/key_macros.h"

#define S cs_harts_spec

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
     AT(S, count)},
    {CHOICE("xlen", xlen_choices, "64", "width of the registers"), AT(S, xlen)},
    {CHOICE("modes", hart_mode_choices, "msuh", "privilege modes"), AT(S, modes)},
    {NUMBER("counters", "", 0, 29, "8", "mhpmcounters, from 3 on"), AT(S, counters)},
    {NUMBER("width", "bits", 1, 64, "64", "of each of them"), AT(S, width)},
    {OTHER("sscofpmf", CS_KEY_FLAG, "true", "overflow, filters, LCOFI"), AT(S, sscofpmf)},
    {OTHER("smcntrpmf", CS_KEY_FLAG, "true", "filters of cycle and instret"), AT(S, smcntrpmf)},
    {OTHER("smcdeleg", CS_KEY_FLAG, "=true with S-mode", "counters delegated to S-mode"),
     AT(S, smcdeleg)},
    {OTHER("aia", CS_KEY_FLAG, "false", "LCOFI in the registers of Smaia and Ssaia"), AT(S, aia)},
    {NUMBER("lcofi_latency", "bus cycles", 0, 31, "0", "from the overflow to LCOFIP"),
     AT(S, lcofi_latency)},
    {NUMBER("timebase_mhz", "MHz", 1, 10000, "10", "clock of mtime; not above the bus clock"),
     AT(S, timebase_mhz)},
    {NUMBER("timebase_start", "", 0, UINT64_MAX, "0", "mtime in cycle 0"), AT(S, timebase_start)},
    {NUMBER("csr_cycles", "bus cycles", 1, 1000, "4", "a CSR instruction of the software"),
     AT(S, csr_cycles)},
    {NUMBER("trap_cycles", "bus cycles", 0, 100000, "40",
            "from a trap to the handler's first line"),
     AT(S, trap_cycles)},
    {NUMBER("return_cycles", "bus cycles", 0, 100000, "30", "the way back"), AT(S, return_cycles)},
    {NUMBER("irq_latency_cycles", "bus cycles", 0, 100000, "4", "from the line's rise to the trap"),
     AT(S, irq_latency_cycles)},
    {NUMBER("access_cycles", "bus cycles", 0, 100000, "2", "work before each load or store"),
     AT(S, access_cycles)},
};
static const cs_key_shape shape = {SHAPE("harts", hart_keys, S)};

static const cs_key keys[] = {{MAP("harts", &shape, "RISC-V harts")}};
const cs_section cs_section_harts = {SECTION("harts", keys, S)};
