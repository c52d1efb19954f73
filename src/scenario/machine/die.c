// SPDX-License-Identifier: Apache-2.0
#include "scenario/machine/die.h"

#include <string.h>

#include "scenario/section_list.h"

void cs_die_add_manager(cs_die *die, const char *unit, uint16_t number)
{
    const cs_die_manager *last = &die->managers[die->nr_managers] - 1;
    const bool more = die->nr_managers != 0 && strcmp(last->unit, unit) == 0;

    cs_die_add_manager_at(die, unit, number,
                          (cs_die_place){.index = more ? last->place.index + 1 : 0});
}

void cs_die_add_manager_at(cs_die *die, const char *unit, uint16_t number, cs_die_place place)
{
    die->managers[die->nr_managers++] = (cs_die_manager){unit, place, number};
}

void cs_die_add_target(cs_die *die, cs_die_target added)
{
    cs_die_target *target = &die->targets[die->nr_targets];
    const cs_die_target *last = die->nr_targets != 0 ? target - 1 : NULL;
    const bool more = last != NULL && strcmp(last->unit, added.unit) == 0;

    *target = added;
    if (added.place.rows == NULL)
        target->place.index = more ? last->place.index + 1 : 0;
    die->nr_targets++;
}

void cs_die_of(const cs_scenario *s, cs_die *out)
{
    *out = (cs_die){0};
    for (size_t i = 0; i < cs_nr_sections; i++)
        if (cs_sections[i].section->die != NULL)
            cs_sections[i].section->die(s, out);
}

unsigned cs_die_manager_place(const cs_die *die, uint16_t number)
{
    unsigned place = 0;

    while (die->managers[place].number != number)
        place++;
    return place;
}
