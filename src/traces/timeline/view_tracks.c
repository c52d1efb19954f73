// SPDX-License-Identifier: Apache-2.0
#include "traces/timeline/view_tracks.h"

#include <stdio.h>
#include <stdlib.h>

#include "traces/common/cpus.h"
#include "traces/timeline/view_unit.h"

#define FIRST_ROOM 256u
/* Groups in the order in which viewers show them; units follow by their numbers. */
#define GROUP_BUS 1u
#define GROUP_UNIT 2u
#define TRACKS_OF_GROUP 0x1000u
/* Kinds that every trace knows: numbers do not depend on others. */
#define KINDS CS_VIEW_OUTAGES

/* ---- a new track ---- */

/* The unit to whose group a track belongs. */
static unsigned unit_of(const cs_scenario *s, const cs_view_kind_info *kind, unsigned source)
{
    const cs_trace_cpu *cpu;

    switch (kind->owner) {
    case CS_VIEW_OF_CPU:
        cpu = cs_trace_cpu_of(s, source);
        return cpu->unit != NULL ? cpu->unit(s, source) : CS_UNIT_CORE(source);
    case CS_VIEW_OF_PART:
        return kind->unit;
    default:
        return source;
    }
}

static void name_group(const cs_scenario *s, cs_view_track *t, unsigned number)
{
    const cs_view_unit *unit = cs_view_unit_of(number);
    const size_t size = sizeof t->group_name;
    char name[CS_VIEW_NAME_BYTES];

    if (unit != NULL && unit->name != NULL && unit->name(s, number, t->group_name, size))
        return;
    if (number >= CS_UNIT_CORE(0) && number < CS_UNIT_CORE(CS_MAX_CPUS))
        snprintf(t->group_name, size, "cpu %u", number - CS_UNIT_CORE(0));
    else
        snprintf(t->group_name, size, "%s",
                 cs_probe_source_name(CS_PROBE_REG, (uint16_t)number, name, sizeof name));
}

static void name_track(cs_view_track *t, const cs_view_kind_info *kind, unsigned number,
                       unsigned index)
{
    const cs_view_unit *unit = cs_view_unit_of(number);
    const char *name = kind->names[index < kind->nr_names ? index : kind->nr_names - 1];
    char manager[CS_VIEW_NAME_BYTES];

    if (kind->owner == CS_VIEW_OF_MANAGER)
        snprintf(t->name, sizeof t->name, "%s%s",
                 cs_probe_source_name(CS_PROBE_BUS, (uint16_t)t->instance, manager, sizeof manager),
                 name);
    else if (t->kind == CS_VIEW_LINES && unit != NULL && index < unit->nr_lines)
        snprintf(t->name, sizeof t->name, "%s", unit->lines[index]);
    else
        snprintf(t->name, sizeof t->name, name, t->instance);
}

/* Of slices that last until something changes: whose they are tells which. */
static unsigned class_of(const cs_scenario *s, const cs_view_track *t)
{
    const cs_view_kind_info *kind = cs_view_kinds[t->kind];
    const cs_view_class *wanted = t->kind == CS_VIEW_STATES ? cs_view_unit_of(t->instance)->states
                                  : t->kind == CS_VIEW_SOFTWARE
                                      ? cs_trace_cpu_of(s, t->instance)->software
                                      : kind->classes[0];
    unsigned i = 0;

    while (i < kind->nr_classes - 1 && kind->classes[i] != wanted)
        i++;
    return i;
}

static cs_view_place *make(const cs_scenario *s, cs_view_kind kind, unsigned source, unsigned index)
{
    const cs_view_kind_info *info = cs_view_kinds[kind];
    cs_view_place *place = calloc(1, sizeof *place);

    if (place == NULL)
        return NULL;
    cs_view_track *t = &place->track;
    place->index = index;
    t->kind = kind;
    t->instance = source;
    place->class = class_of(s, t);
    if (info->owner == CS_VIEW_OF_MANAGER) {
        t->group = GROUP_BUS;
        t->number = GROUP_BUS * TRACKS_OF_GROUP + source * KINDS + (unsigned)kind;
        snprintf(t->group_name, sizeof t->group_name, "bus");
        name_track(t, info, source, index);
        return place;
    }
    const unsigned unit = unit_of(s, info, source);
    t->group = GROUP_UNIT + unit;
    t->number = t->group * TRACKS_OF_GROUP + (unsigned)kind * 16 + index;
    name_group(s, t, unit);
    name_track(t, info, unit, index);
    return place;
}

/* ---- the hash table ---- */

static size_t hash(cs_view_kind kind, unsigned source, unsigned index)
{
    return (((size_t)source * 16 + index) * KINDS + (size_t)kind) * 2654435761u;
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
