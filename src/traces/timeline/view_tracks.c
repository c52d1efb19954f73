#include "traces/timeline/view_tracks.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/uncore/uncore_spec.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_ROOM 256u
/* Groups in the order in which viewers show them; units follow by their numbers. */
#define GROUP_BUS 1u
#define GROUP_UNIT 2u
#define TRACKS_OF_GROUP 0x1000u

static bool is_managers(cs_view_kind kind)
{
    return kind == CS_VIEW_TRANSFERS || kind == CS_VIEW_LOAD;
}

static bool is_cpus(cs_view_kind kind)
{
    return kind == CS_VIEW_WINDOWS || kind == CS_VIEW_RECORDS || kind == CS_VIEW_SOFTWARE ||
           kind == CS_VIEW_PROFILE;
}

/* The unit to whose group a track belongs. */
static unsigned unit_of(const cs_scenario *s, cs_view_kind kind, unsigned source)
{
    if (kind == CS_VIEW_POSTINGS)
        return CS_UNIT_NEST;
    if (!is_cpus(kind))
        return source;
    if (cs_scenario_is_hart(s, source))
        return CS_UNIT_HART(source - cs_scenario_hart_cpu(s, 0));
    return CS_UNIT_CORE(source);
}

static void name_group(const cs_scenario *s, cs_view_track *t, unsigned unit)
{
    const size_t size = sizeof t->group_name;
    char name[CS_VIEW_NAME_BYTES];

    if (unit >= CS_UNIT_CORE(0) && unit < CS_UNIT_CORE(CS_MAX_CPUS))
        snprintf(t->group_name, size, "cpu %u", unit - CS_UNIT_CORE(0));
    else
        snprintf(t->group_name, size, "%s",
                 cs_probe_source_name(CS_PROBE_REG, (uint16_t)unit, name, sizeof name));
    for (size_t i = 0; i < s->uncore->nr_units; i++)
        if (unit == CS_UNIT_UNCORE(cs_uncore_place(&s->uncore->units[i])))
            snprintf(t->group_name, size, "uncore %.32s", s->uncore->units[i].name);
}

static void name_track(cs_view_track *t, unsigned unit, unsigned index)
{
    static const char *const names[CS_VIEW_KINDS] = {
        [CS_VIEW_STATES] = "state",       [CS_VIEW_LINES] = "interrupt",
        [CS_VIEW_SAMPLES] = "subsamples", [CS_VIEW_WINDOWS] = "windows",
        [CS_VIEW_RECORDS] = "records",    [CS_VIEW_SOFTWARE] = "software",
        [CS_VIEW_PROFILE] = "samples",    [CS_VIEW_REGISTERS] = "registers",
        [CS_VIEW_CSRS] = "csrs",
    };
    static const char *const lines[] = {"LCOFI to M", "LCOFI to S", "LCOFI to VS"};
    const bool hart = unit >= CS_UNIT_HART(0) && unit < CS_UNIT_HART(CS_MAX_HARTS);
    char name[CS_VIEW_NAME_BYTES];

    if (t->kind == CS_VIEW_TRANSFERS || t->kind == CS_VIEW_LOAD)
        snprintf(t->name, sizeof t->name, "%s%s",
                 cs_probe_source_name(CS_PROBE_BUS, (uint16_t)t->instance, name, sizeof name),
                 t->kind == CS_VIEW_LOAD ? " load" : "");
    else if (t->kind == CS_VIEW_POSTINGS)
        snprintf(t->name, sizeof t->name, "postings of group %u", t->instance);
    else if (t->kind == CS_VIEW_LINES && hart && index < 3)
        snprintf(t->name, sizeof t->name, "%s", lines[index]);
    else if (t->kind == CS_VIEW_PROFILE && index != 0)
        snprintf(t->name, sizeof t->name, "guest samples");
    else
        snprintf(t->name, sizeof t->name, "%s", names[t->kind]);
}

static cs_view_place *make(const cs_scenario *s, cs_view_kind kind, unsigned source, unsigned index)
{
    cs_view_place *place = calloc(1, sizeof *place);

    if (place == NULL)
        return NULL;
    cs_view_track *t = &place->track;
    place->index = index;
    t->kind = kind;
    t->instance = source;
    if (is_managers(kind)) {
        t->group = GROUP_BUS;
        t->number = GROUP_BUS * TRACKS_OF_GROUP + source * CS_VIEW_KINDS + (unsigned)kind;
        snprintf(t->group_name, sizeof t->group_name, "bus");
        name_track(t, source, index);
        return place;
    }
    const unsigned unit = unit_of(s, kind, source);
    t->group = GROUP_UNIT + unit;
    t->number = t->group * TRACKS_OF_GROUP + (unsigned)kind * 16 + index;
    name_group(s, t, unit);
    name_track(t, unit, index);
    return place;
}

/* ---- the hash table ---- */

static size_t hash(cs_view_kind kind, unsigned source, unsigned index)
{
    return (((size_t)source * 16 + index) * CS_VIEW_KINDS + (size_t)kind) * 2654435761u;
}

static cs_view_place **find(const cs_view_tracks *tracks, cs_view_kind kind, unsigned source,
                            unsigned index)
{
    for (size_t at = hash(kind, source, index);; at++) {
        cs_view_place **slot = &tracks->places[at & (tracks->room - 1)];
        const cs_view_place *p = *slot;

        if (p == NULL ||
            (p->track.kind == kind && p->track.instance == source && p->index == index))
            return slot;
    }
}

static bool grow(cs_view_tracks *tracks)
{
    const size_t room = tracks->room != 0 ? 2 * tracks->room : FIRST_ROOM;
    cs_view_tracks larger = {tracks->scenario, calloc(room, sizeof *tracks->places), room,
                             tracks->used};

    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < tracks->room; i++) {
        cs_view_place *p = tracks->places[i];

        if (p != NULL)
            *find(&larger, p->track.kind, p->track.instance, p->index) = p;
    }
    free(tracks->places);
    *tracks = larger;
    return true;
}

cs_view_place *cs_view_tracks_get(cs_view_tracks *tracks, cs_view_kind kind, unsigned source,
                                  unsigned index)
{
    if (tracks->used * 2 >= tracks->room && !grow(tracks))
        return NULL;
    cs_view_place **slot = find(tracks, kind, source, index);
    if (*slot == NULL) {
        *slot = make(tracks->scenario, kind, source, index);
        tracks->used += *slot != NULL;
    }
    return *slot;
}

void cs_view_tracks_free(cs_view_tracks *tracks)
{
    for (size_t i = 0; i < tracks->room; i++)
        free(tracks->places[i]);
    free(tracks->places);
}
