// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/build_stream.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/work/workload_spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

#define SPREAD_STEPS 32u

cs_status cs_stream_place_error(const cs_stream_place *place, const cs_stream_spec *spec,
                                const char *text)
{
    return cs_diag_set_at(place->diag, CS_ERR_SCENARIO, place->scenario->source, spec->line,
                          spec->column, "%s.events.%zu: %s", place->path,
                          (size_t)(spec - place->segment->streams), text);
}

/* By the machine's root, whose last bits are then put right. */
static uint64_t square_root(wide value)
{
    uint64_t root = (uint64_t)sqrt((double)value);

    while ((wide)root * root > value)
        root--;
    while ((wide)(root + 1) * (root + 1) <= value)
        root++;
    return root;
}

uint64_t cs_spread_rate(uint64_t seed, uint32_t event, cs_fraction low, cs_fraction high)
{
    /* den divides 10^12 (number.h), so that this is exact. */
    uint64_t from = low.num * (CS_SPREAD_SCALE / low.den);
    uint64_t to = high.num * (CS_SPREAD_SCALE / high.den);
    char name[24];

    snprintf(name, sizeof name, "spread/0x%04x", event);
    uint64_t draw = cs_stream_key(seed, 0, name);

    /* Each bit halves the interval at its geometric mean. */
    for (unsigned i = 0; i < SPREAD_STEPS; i++, draw <<= 1) {
        uint64_t middle = square_root((wide)from * to);

        if (draw >> 63 != 0)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* Per core cycle to per bus cycle. */
static cs_rate bus_rate(const cs_scenario *s, uint64_t num, uint64_t den)
{
    return (cs_rate){.p = num * s->core_clock.mhz, .q = den * s->bus->clock_mhz};
}

/* "work.0/0x0008": with the seed and the CPU it fixes a random stream. */
static uint64_t key_of(const cs_stream_place *place, uint32_t event)
{
    char name[64];

    snprintf(name, sizeof name, "%s.%u/0x%04x", place->track, place->number, event);
    return cs_stream_key(place->scenario->seed, place->cpu, name);
}

cs_stream_recipe cs_build_recipe(const cs_stream_place *p, const cs_stream_spec *spec,
                                 uint32_t event)
{
    cs_stream_recipe recipe = {.kind = spec->kind,
                               .rate = bus_rate(p->scenario, spec->rate.num, spec->rate.den),
                               .period_cycles = spec->period_cycles,
                               .offset_cycles = spec->offset_cycles,
                               .length_cycles = spec->length_cycles,
                               .increment = spec->increment,
                               .max_increment = spec->max_increment,
                               .of = spec->of};

    if (spec->kind == CS_STREAM_RATIO)
        recipe.rate = (cs_rate){.p = spec->rate.num, .q = spec->rate.den};
    if (spec->kind == CS_STREAM_RANDOM || spec->kind == CS_STREAM_SPREAD)
        recipe.key = key_of(p, event);
    if (spec->kind == CS_STREAM_SPREAD)
        recipe.rate = bus_rate(
            p->scenario, cs_spread_rate(p->scenario->seed, event, spec->rate, spec->rate_high),
            CS_SPREAD_SCALE);
    return recipe;
}

cs_status cs_build_stream(const cs_stream_place *place, const cs_stream_spec *spec, uint32_t event,
                          const cs_stream *source, const cs_stream **out)
{
    const cs_stream_recipe recipe = cs_build_recipe(place, spec, event);
    cs_diag inner = {0};

    if (spec->kind == CS_STREAM_REPLAY)
        return cs_recordings_stream(place->recordings, place, spec, out);
    cs_status status = cs_stream_of_recipe(place->pool, &recipe, source, out, &inner);
    if (status == CS_ERR_RANGE)
        return cs_stream_place_error(place, spec, inner.text);
    if (status != CS_OK && place->diag != NULL)
        *place->diag = inner;
    return status;
}
