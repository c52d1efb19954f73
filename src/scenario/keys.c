// SPDX-License-Identifier: Apache-2.0
/* The top of a scenario: the keys of all sections, one after the other. */
#include "scenario/keys.h"

#include <string.h>
#include <threads.h>

#include "scenario/cpus.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

#define MAX_KEYS 48u

static cs_key keys[MAX_KEYS];
static cs_key_shape top = {.name = "scenario", .keys = keys, .bytes = sizeof(cs_scenario)};

static void gather(void)
{
    cs_cpu_classes_gather();
    for (size_t i = 0; i < cs_nr_sections; i++) {
        if (cs_sections[i].section->make_keys != NULL)
            cs_sections[i].section->make_keys();
        for (size_t k = 0; k < cs_sections[i].section->nr_keys; k++) {
            cs_key *key = &keys[top.nr_keys++];

            *key = cs_sections[i].section->keys[k];
            key->through = cs_sections[i].through;
            key->last = cs_sections[i].section->commands != NULL;
        }
    }
}

const cs_key_shape *cs_scenario_shape(void)
{
    static once_flag once = ONCE_FLAG_INIT;

    call_once(&once, gather);
    return &top;
}

const char *cs_scenario_key_now(const char *was)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;

        if (section->was != NULL && strcmp(section->was, was) == 0)
            return section->name;
    }
    return NULL;
}
