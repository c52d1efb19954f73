// SPDX-License-Identifier: Apache-2.0
#include "scenario/section_list.h"

#include <stdio.h>
#include <string.h>

#include "scenario/yaml/number.h"

#define PART(name) {&cs_section_##name, 0},
#define SECTION(name) {&cs_section_##name, 1 + offsetof(cs_scenario, name)},

const cs_section_row cs_sections[] = {CS_SECTIONS(PART, SECTION)};
const size_t cs_nr_sections = sizeof cs_sections / sizeof cs_sections[0];

cs_status cs_sections_room(cs_scenario *scenario, cs_yaml *memory, cs_diag *diag)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section_row *row = &cs_sections[i];

        if (row->through == 0)
            continue;
        void *room = cs_yaml_alloc(memory, row->section->bytes, diag);

        if (room == NULL)
            return CS_ERR_NO_MEMORY;
        memcpy((char *)scenario + row->through - 1, &room, sizeof room);
    }
    return CS_OK;
}

void cs_key_noted(const char *key, const char *text, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "%s", text);

    for (size_t i = 0; i < cs_nr_sections; i++)
        for (const cs_key_note *note = cs_sections[i].section->notes;
             note != NULL && note->key != NULL && n < size; note++)
            if (strcmp(note->key, key) == 0)
                n += (size_t)snprintf(out + n, size - n, "%s", note->text);
}

bool cs_section_runs(const cs_scenario *scenario, const cs_section *section)
{
    return section->software == NULL || cs_scenario_runs(scenario, section->software->kind);
}

uint64_t cs_scenario_least_cycles(const cs_scenario *s)
{
    uint64_t most = 0;

    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;

        if (section->least_cycles == NULL || !cs_section_runs(s, section))
            continue;
        const uint64_t cycles = section->least_cycles(s);
        most = cycles > most ? cycles : most;
    }
    return most;
}

uint64_t cs_scenario_expected_cycles(const cs_scenario *s)
{
    const uint64_t least = cs_scenario_least_cycles(s);

    return least == 0 || (s->limit_cycles != 0 && s->limit_cycles < least) ? s->limit_cycles
                                                                           : least;
}

/* "<section>:12" */
static bool numbered_event(const cs_section *section, const char *name, uint32_t *number)
{
    const size_t length = strlen(section->name);
    uint64_t value;

    if (section->units == NULL || !section->units->numbered ||
        strncmp(name, section->name, length) != 0 || name[length] != ':' ||
        cs_number_read(name + length + 1, strlen(name + length + 1), &value) != CS_NUMBER_OK ||
        value > CS_MAX_EVENT)
        return false;
    *number = section->units->first_event + (uint32_t)value;
    return true;
}

bool cs_section_event(const cs_scenario *s, const char *name, uint32_t *number,
                      char why[CS_WHY_BYTES])
{
    why[0] = '\0';
    for (size_t i = 0; i < cs_nr_sections && why[0] == '\0'; i++) {
        const cs_section *section = cs_sections[i].section;

        if (numbered_event(section, name, number) ||
            (section->event != NULL && section->event(s, name, number, why)))
            return true;
    }
    return false;
}
