// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

#define S cs_bus_spec

static const cs_key_choice arbitration_choices[] = {
    {"shared", 0, NULL, NULL, "one path for all targets"},
    {"per_target", 1, NULL, NULL, "a path for each target"},
    {0},
};
static char clock_text[160];

static const cs_key bus_keys[] = {
    {NUMBER("clock_mhz", "MHz", 50, 10000, "1000", clock_text), AT(S, clock_mhz)},
    {CHOICE("arbitration", arbitration_choices, "shared", "how transfers share the fabric"),
     AT(S, per_target)},
    {NUMBER("forward_cycles", "bus cycles", 0, 255, "2",
            "delay from the address check to the target"),
     AT(S, forward_cycles)},
    {NUMBER("return_cycles", "bus cycles", 0, 255, "2",
            "delay from the target back to the manager"),
     AT(S, return_cycles)},
    {NUMBER("register_access_cycles", "bus cycles", 1, 255, "10",
            "length of a register access behind a bridge"),
     AT(S, register_access_cycles)},
};
static const cs_key_shape shape = {SHAPE("bus", bus_keys, S)};

static void make_keys(void)
{
    cs_key_noted("bus.clock_mhz", "the bus clock, by which all cycles count; it divides 500000",
                 clock_text, sizeof clock_text);
}

#define HALF_MICROSECOND_PS 500000u

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "bus.clock_mhz");
    if (HALF_MICROSECOND_PS % s->bus->clock_mhz != 0)
        return cs_check_fail(check,
                             "%u does not divide 500000, so that half a cycle is no whole "
                             "number of picoseconds",
                             s->bus->clock_mhz);
    return CS_OK;
}

static const cs_key keys[] = {{MAP("bus", &shape, "the fabric")}};
const cs_section cs_section_bus = {SECTION("bus", keys, S), .make_keys = make_keys, .check = check};
