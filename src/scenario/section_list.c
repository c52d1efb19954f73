#include "scenario/section_list.h"

#include <string.h>

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
