// SPDX-License-Identifier: Apache-2.0
#include "results/uncore/collector.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "drivers/uncore/uncore_driver.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/uncore/uncore_tags.h"

/* docs/hw/uncore.md, "Registers" */
#define COUNTERS 16u
#define CTL 0x008u
#define CTL_EN 1u
#define CTL_RESET 0x100u
#define SELECT 0x100u
#define SELECT_ON 0x10000u
#define SELECT_EVENT 0xffffu
#define COUNT 0x200u
#define MATCH 0x300u
#define MASK 0x400u
#define NOBODY CS_MAX_UNCORE

/* An event that software opened on a unit. */
typedef struct entry {
    unsigned unit;
    uint32_t event;
    unsigned serial;  /* as software counts them */
    uint64_t counted; /* what happened while a counter counted it */
    uint64_t lost;    /* of that, what nobody had read when the counter was set anew */
    uint64_t told;
} entry;

typedef struct counter {
    uint64_t select;
    uint64_t match, mask; /* of tags */
    size_t entry;         /* of SELECT's event */
    unsigned owner;       /* serial of the event that software gives it to */
    cs_cycle since;       /* cycles below it are in `counted` */
    cs_cycle read;        /* the last read of COUNT */
} counter;

typedef struct unit {
    bool en;
    counter counters[COUNTERS];
    uint64_t accesses;
} unit;

struct cs_uncore_collector {
    const cs_scenario *scenario;
    cs_timeline *const *timelines;
    unsigned unit_of[CS_UNCORE_BRIDGES * CS_UNCORE_SLOTS]; /* by place */
    unit units[CS_MAX_UNCORE];
    entry *entries;
    size_t nr_entries, room;
    uint64_t lost; /* by counters that were set while they counted */
    bool failed;   /* no memory */
};

cs_status cs_uncore_collector_create(const cs_scenario *scenario, cs_timeline *const timelines[],
                                     cs_uncore_collector **out, cs_diag *diag)
{
    cs_uncore_collector *c = calloc(1, sizeof *c);

    *out = c;
    if (c == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the counts of units");
    c->scenario = scenario;
    c->timelines = timelines;
    for (size_t place = 0; place < sizeof c->unit_of / sizeof c->unit_of[0]; place++)
        c->unit_of[place] = NOBODY;
    for (unsigned i = 0; i < scenario->uncore->nr_units; i++)
        c->unit_of[cs_uncore_place(&scenario->uncore->units[i])] = i;
    return CS_OK;
}

void cs_uncore_collector_destroy(cs_uncore_collector *c)
{
    if (c == NULL)
        return;
    free(c->entries);
    free(c);
}

/* Made where there is none yet; entry 0 without memory. */
static size_t entry_of(cs_uncore_collector *c, unsigned unit, uint32_t event, unsigned serial)
{
    for (size_t i = 0; i < c->nr_entries; i++)
        if (c->entries[i].unit == unit && c->entries[i].event == event &&
            c->entries[i].serial == serial)
            return i;
    entry *entries = cs_room(c->entries, &c->room, c->nr_entries, sizeof *entries);

    if (entries == NULL) {
        c->failed = true;
        return 0;
    }
    c->entries = entries;
    c->entries[c->nr_entries] = (entry){.unit = unit, .event = event, .serial = serial};
    return c->nr_entries++;
}

static bool counts(const unit *u, unsigned n)
{
    return u->en && (u->counters[n].select & SELECT_ON) != 0;
}

/* What counter n counts in [from, to) as it is set up now. */
static uint64_t sum(const cs_uncore_collector *c, unsigned number, unsigned n, cs_cycle from,
                    cs_cycle to)
{
    const counter *k = &c->units[number].counters[n];
    const cs_uncore_counted counted = {(uint32_t)k->select & SELECT_EVENT, k->match, k->mask};

    return cs_uncore_sum(&c->scenario->uncore->units[number], &counted,
                         c->timelines[CS_UNCORE_TIMELINE(number)], from, to);
}

/* Brings counter n up to the cycles below `to`. */
static void settle(cs_uncore_collector *c, unsigned number, unsigned n, cs_cycle to)
{
    counter *k = &c->units[number].counters[n];

    if (counts(&c->units[number], n))
        c->entries[k->entry].counted += sum(c, number, n, k->since, to);
    k->since = to;
}

/* COUNT of counter n is set, and what this cycle counts is gone. A handler sets it while it counts: what
 * has come since the handler's read is gone, too. */
static void set_count(cs_uncore_collector *c, unsigned number, unsigned n, cs_cycle cycle)
{
    counter *k = &c->units[number].counters[n];

    settle(c, number, n, cycle);
    if (counts(&c->units[number], n) && c->scenario->uncore_driver->by_interrupt) {
        c->entries[k->entry].lost += sum(c, number, n, k->read, cycle);
        c->lost += sum(c, number, n, k->read, cycle + 1);
    }
    k->since = cycle + 1;
}

/* The increments of the cycle of a write are counted by what was before. */
static void write_register(cs_uncore_collector *c, unsigned number, const cs_probe_record *r)
{
    unit *u = &c->units[number];
    const unsigned n = (unsigned)(r->addr % 0x100 / 8);

    if (r->addr == CTL) {
        for (unsigned i = 0; i < COUNTERS; i++) {
            settle(c, number, i, r->cycle + ((r->value & CTL_RESET) == 0));
            u->counters[i].since = r->cycle + 1;
        }
        u->en = (r->value & CTL_EN) != 0;
    } else if (r->addr >= SELECT && r->addr < SELECT + 8 * COUNTERS) {
        settle(c, number, n, r->cycle + 1);
        u->counters[n].select = r->value;
        if ((r->value & SELECT_ON) != 0)
            u->counters[n].entry =
                entry_of(c, number, (uint32_t)r->value & SELECT_EVENT, u->counters[n].owner);
    } else if (r->addr >= MATCH && r->addr < MATCH + 8 * COUNTERS) {
        settle(c, number, n, r->cycle + 1);
        u->counters[n].match = r->value;
    } else if (r->addr >= MASK && r->addr < MASK + 8 * COUNTERS) {
        settle(c, number, n, r->cycle + 1);
        u->counters[n].mask = r->value;
    } else if (r->addr >= COUNT && r->addr < COUNT + 8 * COUNTERS) {
        set_count(c, number, n, r->cycle);
    }
}

void cs_uncore_collector_record(cs_uncore_collector *c, const cs_probe_record *r)
{
    const unsigned places = sizeof c->unit_of / sizeof c->unit_of[0];

    if (r->kind != CS_PROBE_REG || r->resp != CS_BUS_OKAY || r->source < CS_UNIT_UNCORE(0) ||
        r->source >= CS_UNIT_UNCORE(places) || c->failed)
        return;
    const unsigned number = c->unit_of[r->source - CS_UNIT_UNCORE(0)];
    if (number == NOBODY)
        return;
    c->units[number].accesses++;
    if (r->write)
        write_register(c, number, r);
    else if (r->addr >= COUNT && r->addr < COUNT + 8 * COUNTERS)
        c->units[number].counters[r->addr % 0x100 / 8].read = r->cycle;
}

void cs_uncore_collector_placed(cs_uncore_collector *c, const cs_uncore_placed *placed)
{
    c->units[placed->unit].counters[placed->counter].owner = placed->serial;
}

void cs_uncore_collector_count(cs_uncore_collector *c, const cs_count *count)
{
    if (!count->final || count->family != &cs_uncore_family)
        return;
    const size_t at = entry_of(c, count->unit, count->event, count->serial);

    if (!c->failed)
        c->entries[at].told += count->raw;
}

cs_status cs_uncore_collector_finish(cs_uncore_collector *c, bool ended, cs_uncore_results *out,
                                     cs_diag *diag)
{
    cs_uncore_manager managers[CS_MAX_UNCORE];

    memset(out, 0, sizeof *out);
    if (c->failed)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the counts of units");
    cs_uncore_managers(c->scenario, managers);
    for (size_t i = 0; i < c->scenario->uncore->nr_units; i++) {
        out->units[i].manager = managers[i];
        out->units[i].accesses = c->units[i].accesses;
    }
    out->lost = c->lost;
    for (size_t i = 0; i < c->nr_entries && ended; i++)
        if (c->entries[i].told + c->entries[i].lost != c->entries[i].counted) {
            out->units[c->entries[i].unit].wrong++;
            out->wrong++;
        }
    return CS_OK;
}
