// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/event_names.h"

#include "scenario/section_list.h"

cs_named_event cs_named_event_at(size_t nr)
{
    cs_named_event event = {0};

    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_event_names *names = cs_sections[i].section->names;
        size_t count = 0;

        if (names == NULL)
            continue;
        event.prefix = names->prefix;
        event.name = names->at(nr, &event.number);
        if (event.name != NULL)
            return event;
        while (names->at(count, &event.number) != NULL)
            count++;
        nr -= count;
    }
    return event;
}

const char *cs_named_event_of(uint32_t number)
{
    uint32_t other;
    const char *name;

    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_event_names *names = cs_sections[i].section->names;

        if (names == NULL || names->prefix[0] != '\0')
            continue;
        for (size_t k = 0; (name = names->at(k, &other)) != NULL; k++)
            if (other == number)
                return name;
    }
    return NULL;
}
