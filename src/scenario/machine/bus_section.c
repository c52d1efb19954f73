#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"

#define S cs_bus_spec

static const cs_key_choice arbitration_choices[] = {
    {"shared", 0, NULL, NULL, "one path for all targets"},
    {"per_target", 1, NULL, NULL, "a path for each target"},
    {0},
};
static const cs_key bus_keys[] = {
    {NUMBER("clock_mhz", "MHz", 50, 10000, "1000",
            "the bus clock, by which all cycles count; it divides 500000, and is a multiple of 50 "
            "unless pmcu.tick_cycles is given"),
     AT(S, clock_mhz)},
    {CHOICE("arbitration", arbitration_choices, "shared", "how transfers share the fabric"),
     AT(S, per_target)},
    {NUMBER("forward_cycles", "bus cycles", 0, 255, "2", "from the check to the target"),
     AT(S, forward_cycles)},
    {NUMBER("return_cycles", "bus cycles", 0, 255, "2", "from the target back to the manager"),
     AT(S, return_cycles)},
    {NUMBER("register_access_cycles", "bus cycles", 1, 255, "10",
            "a register access behind a bridge"),
     AT(S, register_access_cycles)},
};
static const cs_key_shape shape = {SHAPE("bus", bus_keys, S)};

static const cs_key keys[] = {{MAP("bus", &shape, "the fabric")}};
const cs_section cs_section_bus = {SECTION("bus", keys, S)};
