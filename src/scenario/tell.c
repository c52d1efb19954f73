// SPDX-License-Identifier: Apache-2.0
#include "scenario/tell.h"

#include "scenario/machine/bus_spec.h"
#include "scenario/section_list.h"

#define LINE_BYTES 512u

void cs_scenario_tell(const cs_scenario *s, FILE *out)
{
    fprintf(out, "%s: bus %u MHz %s\n", s->name, s->bus->clock_mhz,
            s->bus->per_target ? "per target" : "shared");
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const cs_section *section = cs_sections[i].section;
        char line[LINE_BYTES] = "";

        if (section->tell != NULL && cs_section_runs(s, section))
            section->tell(s, line, sizeof line);
        if (line[0] != '\0')
            fprintf(out, "  %s\n", line);
    }
}

void cs_scenario_tell_warnings(const cs_scenario *scenario, FILE *out)
{
    for (size_t i = 0; i < scenario->nr_warnings; i++) {
        const cs_scenario_warning *w = &scenario->warnings[i];

        if (w->line != 0)
            fprintf(out, "warning: %s:%u:%u: %s\n", w->where, w->line, w->column, w->text);
        else
            fprintf(out, "warning: %s: %s\n", w->where, w->text);
    }
}
