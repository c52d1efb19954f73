// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/imc/imc_places.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/key_macros.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/die.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/nest/nest_spec.h"
#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/bus/memory.h>
#include <countersink/base/probe/probe.h>
#include <stdio.h>

#define S cs_nest_spec

static const cs_key chip_keys[] = {
    {NUMBER("units", "", 0, UINT64_MAX, "0",
            "the availability vector as the chip's firmware leaves it; 0: the engine's default"),
     AT(cs_nest_chip_spec, units)},
    {LIST("segments", &cs_segment_shape, 0, 64, "[]", "what this chip's nest does"),
     .without = "mode", AT_LIST(cs_nest_chip_spec, segments, nr_segments)},
};
static const cs_key_shape chip_shape = {SHAPE("nest_chip", chip_keys, cs_nest_chip_spec)};

static const cs_key nest_keys[] = {
    {OTHER("present", CS_KEY_FLAG, "=false; with a guest: true",
           "the die has nest counters and their engine"),
     AT(S, present)},
    {BYTES("base", 0, LAST_PAGE, PAGE,
           "=end of RAM - 4 MiB x (imc.chips + 1) + 0x180000; with a guest: where QEMU has it",
           "address of the window, 256 KiB; those of more chips follow, 4 MiB apart"),
     AT(S, base)},
    {NUMBER("tick_cycles", "bus cycles", 16, UINT32_MAX, "=500 us",
            "length of a tick of the engine"),
     AT(S, tick_cycles)},
    {NUMBER("units", "", 0, UINT64_MAX, "=power9: 0; power10: 0xFFF6DBB7FFFFFFC0",
            "availability vector in the control block when the run begins; 0: power9 takes its "
            "default, power10 has no unit"),
     AT(S, units)},
    {NUMBER("speed", "", 0, 255, "0",
            "collection speed there: 0..11 of the microcode; above that it stops with ERR1"),
     AT(S, speed)},
    {NUMBER("mode", "", 0, 255, "0", "mode there: 0 monitor, 1 debug; above that ERR2"),
     AT(S, mode)},
    {LIST("segments", &cs_segment_shape, 0, 64, "[]",
          "what the nest does: events of nest PMUs, in segments that repeat"),
     .without = "mode", AT_LIST(S, segments, nr_segments)},
    {LIST("chips", &chip_shape, 0, CS_MAX_CHIPS, "[]",
          "what the nest of each chip does, in their order, in place of segments for all"),
     AT_LIST(S, chips, nr_chips)},
};
static const cs_key_shape shape = {SHAPE("nest", nest_keys, S)};

#define NEST_IN_HOMER 0x180000u
#define WINDOW_BYTES 0x40000u

/* docs/hw/nest.md, "The window" */
#define SPEED_OFFSET 0x3fc10u
#define UNITS_OFFSET 0x3fc18u
#define MODE_OFFSET 0x3fc20u
/* All units; links 0 to 3 are xlinks, 4 and 5 alinks, 6 and 7 OpenCAPI. */
#define POWER10_UNITS UINT64_C(0xFFF6DBB7FFFFFFC0)

static bool has_guest(const cs_scenario *s)
{
    return s->guest->kind != CS_GUEST_NONE;
}

static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (cs_check_at(check, "nest.present") == NULL)
        s->nest->present = has_guest(s);
    if (cs_check_at(check, "nest.base") == NULL)
        s->nest->base = NEST_IN_HOMER + (has_guest(s) ? CS_GUEST_HOMER
                                                      : s->memory->base + s->memory->size -
                                                            (s->imc->chips + 1) * CS_NEST_APART);
    if (cs_check_at(check, "nest.tick_cycles") == NULL)
        s->nest->tick_cycles = cs_scenario_us(s, 500);
    if (cs_check_at(check, "nest.units") == NULL)
        s->nest->units = s->imc->power10 ? POWER10_UNITS : 0;
}

/* From chip 0's to the end of the last one's. */
static uint64_t window_bytes(const cs_scenario *s)
{
    return (s->imc->chips - 1) * CS_NEST_APART + WINDOW_BYTES;
}

/* QEMU says where its window is; and there is one chip. */
static cs_status check_guest(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (cs_check_at(check, "nest.base") != NULL)
        return cs_check_fail(check, "not allowed with a guest: its window is in QEMU's HOMER");
    if (cs_check_at(check, "nest.chips") != NULL && s->nest->nr_chips != 0)
        return cs_check_fail(check, "not allowed with a guest, which has one chip: nest.segments "
                                    "and nest.units are its");
    cs_check_at(check, "nest.segments");
    for (size_t i = 0; i < s->nest->nr_segments; i++)
        for (size_t k = 0; k < s->nest->segments[i].nr_streams; k++)
            if (s->nest->segments[i].streams[k].kind == CS_STREAM_REPLAY)
                return cs_check_fail(check, "a guest's nest cannot replay a file (kind replay)");
    return CS_OK;
}

static cs_status check(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (!s->nest->present) {
        if (cs_check_at(check, "nest.segments") != NULL || cs_check_at(check, "nest.chips") != NULL)
            return cs_check_fail(check, "not allowed without nest.present");
        return CS_OK;
    }
    if (has_guest(s))
        return check_guest(check);
    if (cs_check_at(check, "nest.chips") != NULL && s->nest->nr_chips != 0) {
        if (s->nest->nr_chips != s->imc->chips)
            return cs_check_fail(check, "has %zu entries; expected one for each of imc.chips %u",
                                 s->nest->nr_chips, s->imc->chips);
        if (s->nest->nr_segments != 0)
            return cs_check_fail(check, "not allowed beside nest.segments");
    }
    cs_check_at(check, "nest.base");
    return cs_check_in_ram(check, s->nest->base, window_bytes(s), "the nest's counters");
}

void cs_nest_block(const cs_nest_spec *nest, cs_nest_word out[CS_NEST_WORDS])
{
    out[0] = (cs_nest_word){SPEED_OFFSET, nest->speed};
    out[1] = (cs_nest_word){UNITS_OFFSET, nest->units};
    out[2] = (cs_nest_word){MODE_OFFSET, nest->mode};
}

static cs_status lay(const cs_scenario *s, cs_memory *memory)
{
    cs_nest_word words[CS_NEST_WORDS];
    cs_status status = CS_OK;

    cs_nest_block(s->nest, words);
    for (unsigned chip = 0; chip < s->imc->chips && s->nest->present; chip++)
        for (size_t i = 0; i < CS_NEST_WORDS; i++)
            if (status == CS_OK && words[i].value != 0)
                status = cs_memory_add(memory, cs_nest_base(s->nest, chip) + words[i].offset,
                                       words[i].value);
    return status;
}

static size_t areas(const cs_scenario *s, cs_area out[])
{
    out[0] = (cs_area){"nest.base", "the nest's window", s->nest->base, window_bytes(s)};
    return s->nest->present && !has_guest(s);
}

static unsigned count(const cs_scenario *s)
{
    return s->nest->present ? s->imc->chips : 0;
}

static const cs_segment_spec *segments(const cs_scenario *s, unsigned number, size_t *nr)
{
    if (s->nest->nr_chips != 0) {
        *nr = s->nest->chips[number].nr_segments;
        return s->nest->chips[number].segments;
    }
    *nr = s->nest->nr_segments;
    return s->nest->segments;
}

static void path(const cs_scenario *s, unsigned number, char *out, size_t size)
{
    if (s->nest->nr_chips != 0)
        snprintf(out, size, "nest.chips.%u", number);
    else
        snprintf(out, size, "nest");
}

/* The time of day, which POWER9's engine stores. */
static size_t implicit(const cs_scenario *s, cs_implicit_event out[])
{
    if (s->imc->power10)
        return 0;
    out[0] = (cs_implicit_event){CS_EVENT_NEST(CS_NEST_TOD),
                                 {.p = s->imc->timebase_mhz, .q = s->bus->clock_mhz}};
    return 1;
}

static const cs_unit_class units = {.timeline = CS_NEST_TIMELINE,
                                    .more = CS_NEST_TIMELINE_1,
                                    .count = count,
                                    .segments = segments,
                                    .path = path,
                                    .first_event = CS_EVENT_NEST(0),
                                    .implicit = implicit,
                                    .other = "a nest event; those go to nest.segments",
                                    .wanted = "no event of a nest counter"};

static void die(const cs_scenario *s, cs_die *die)
{
    if (!s->nest->present)
        return;
    const char *name = s->imc->power10 ? "nest10" : "nest"; /* the module of the RTL */

    for (unsigned chip = 0; chip < s->imc->chips; chip++)
        cs_die_add_manager(die, name, (uint16_t)CS_MANAGER_NEST_OF(chip));
    if (s->imc->chips > 1)
        cs_die_shape_add(&die->shape, name, "NrChip", s->imc->chips);
    else
        cs_die_shape_add(&die->shape, name, NULL, 0);
    die->adds = true;
}

static const cs_unit_page unit = {.unit = "nest",
                                  .about = "POWER's nest counters and posting engine",
                                  .page = "docs/hw/nest.md",
                                  .places = cs_nest_places};

static const cs_key keys[] = {{MAP("nest", &shape, "POWER's nest counters")}};
const cs_section cs_section_nest = {
    SECTION("nest", keys, S), .compute = compute, .check = check, .areas = areas,
    .units = &units,          .die = die,         .lay = lay,     .unit = &unit};
