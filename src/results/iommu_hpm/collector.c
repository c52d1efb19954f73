// SPDX-License-Identifier: Apache-2.0
#include "results/iommu_hpm/collector.h"

#include <stdlib.h>
#include <string.h>

/* docs/hw/iommu_hpm.md, "Registers" */
#define COUNTERS 32u
#define IOCOUNTINH 0x05cu
#define IOHPMCYCLES 0x060u
#define NOBODY CS_MAX_IOMMU_EVENTS

/* An event that software opened, by its serial. */
typedef struct entry {
    unsigned unit;
    const cs_iommu_event_spec *spec;
    uint64_t counted; /* what happened while a counter counted it */
    uint64_t told;
} entry;

typedef struct counter {
    unsigned owner; /* serial of the event that software gives it to; NOBODY */
    cs_cycle since; /* cycles below it are in `counted` */
} counter;

typedef struct unit {
    uint32_t inhibit;
    uint32_t stopped; /* counters that a handler has stopped; 0: none has */
    cs_cycle stop;    /* since when */
    counter counters[COUNTERS];
    uint64_t accesses, lost;
} unit;

struct cs_iommu_collector {
    const cs_scenario *scenario;
    cs_timeline *const *timelines;
    unit units[CS_MAX_IOMMUS];
    entry entries[CS_MAX_IOMMU_EVENTS];
};

/* The events' specs by serial: commands, their units, their events, as the software opens them. */
static void list_entries(cs_iommu_collector *c)
{
    const cs_iommu_driver_spec *d = c->scenario->iommu_driver;
    size_t serial = 0;

    for (size_t i = 0; i < d->nr_perf; i++)
        for (size_t u = 0; u < d->perf[i].nr_units; u++)
            for (size_t k = 0; k < d->perf[i].nr_events; k++)
                c->entries[serial++] =
                    (entry){.unit = d->perf[i].units[u], .spec = &d->perf[i].events[k]};
}

cs_status cs_iommu_collector_create(const cs_scenario *scenario, cs_timeline *const timelines[],
                                    cs_iommu_collector **out, cs_diag *diag)
{
    cs_iommu_collector *c = calloc(1, sizeof *c);

    *out = c;
    if (c == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the counts of IOMMUs");
    c->scenario = scenario;
    c->timelines = timelines;
    for (unsigned i = 0; i < CS_MAX_IOMMUS; i++)
        for (unsigned n = 0; n < COUNTERS; n++)
            c->units[i].counters[n].owner = NOBODY;
    list_entries(c);
    return CS_OK;
}

void cs_iommu_collector_destroy(cs_iommu_collector *c)
{
    free(c);
}

static uint64_t happened(const cs_iommu_collector *c, const entry *e, cs_cycle from, cs_cycle to)
{
    const cs_iommu_spec *spec = &c->scenario->iommu_hpm->units[e->unit];

    return cs_iommu_truth(spec, e->spec, &c->timelines[CS_IOMMU_TIMELINE(spec->first_source)], from,
                          to);
}

static bool counts(const unit *u, unsigned n)
{
    return u->counters[n].owner != NOBODY && (u->inhibit >> n & 1) == 0;
}

/* Brings counter n up to the cycles below `to`. */
static void settle(cs_iommu_collector *c, unsigned number, unsigned n, cs_cycle to)
{
    unit *u = &c->units[number];
    counter *k = &u->counters[n];

    if (counts(u, n))
        c->entries[k->owner].counted += happened(c, &c->entries[k->owner], k->since, to);
    k->since = to;
}

/* A handler stops all, and lets go those that it has stopped: what happens in between is lost. */
static void note_stop(cs_iommu_collector *c, unsigned number, cs_cycle cycle, uint32_t inhibit)
{
    unit *u = &c->units[number];
    const uint32_t starts = u->stopped & ~inhibit;

    if (inhibit == UINT32_MAX) {
        for (unsigned n = 0; n < COUNTERS; n++)
            u->stopped |= (uint32_t)(counts(u, n)) << n;
        u->stop = cycle + 1;
        return;
    }
    for (unsigned n = 0; n < COUNTERS; n++)
        if ((starts >> n & 1) != 0)
            u->lost += happened(c, &c->entries[u->counters[n].owner], u->stop, cycle + 1);
    u->stopped = 0;
}

static void write_register(cs_iommu_collector *c, unsigned number, const cs_probe_record *r)
{
    unit *u = &c->units[number];

    if (r->addr == IOCOUNTINH) {
        for (unsigned n = 0; n < COUNTERS; n++)
            settle(c, number, n, r->cycle + 1);
        note_stop(c, number, r->cycle, (uint32_t)r->value);
        u->inhibit = (uint32_t)r->value;
    } else if (r->addr >= IOHPMCYCLES && r->addr < IOHPMCYCLES + 8 * COUNTERS) {
        settle(c, number, (r->addr - IOHPMCYCLES) / 8, r->cycle);
        u->counters[(r->addr - IOHPMCYCLES) / 8].since = r->cycle + 1;
    }
}

void cs_iommu_collector_record(cs_iommu_collector *c, const cs_probe_record *r)
{
    if (r->kind != CS_PROBE_REG || r->resp != CS_BUS_OKAY || r->source < CS_UNIT_IOMMU(0) ||
        r->source >= CS_UNIT_IOMMU(CS_MAX_IOMMUS))
        return;
    c->units[r->source - CS_UNIT_IOMMU(0)].accesses++;
    if (r->write)
        write_register(c, r->source - CS_UNIT_IOMMU(0), r);
}

/* Its counter stands still then. */
void cs_iommu_collector_placed(cs_iommu_collector *c, const cs_iommu_placed *placed)
{
    c->units[placed->unit].counters[placed->counter].owner = placed->serial;
}

void cs_iommu_collector_count(cs_iommu_collector *c, const cs_count *count)
{
    if (count->final && count->family == &cs_iommu_family)
        c->entries[count->serial].told += count->raw;
}

void cs_iommu_collector_finish(cs_iommu_collector *c, bool ended, cs_iommu_results *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < CS_MAX_IOMMUS; i++) {
        out->units[i].accesses = c->units[i].accesses;
        out->units[i].lost = c->units[i].lost;
        out->lost += c->units[i].lost;
    }
    for (unsigned i = 0; i < CS_MAX_IOMMU_EVENTS && ended; i++)
        if (c->entries[i].told != c->entries[i].counted) {
            out->units[c->entries[i].unit].wrong++;
            out->wrong++;
        }
}
