// SPDX-License-Identifier: Apache-2.0
#include "scenario/perf_commands.h"

#include <stdio.h>

#include "scenario/section_list.h"

static unsigned count_of(const cs_scenario *s, const cs_section *section)
{
    const cs_section_commands *commands = section->commands;

    if (commands == NULL || !cs_section_runs(s, section))
        return 0;
    return commands->count != NULL ? commands->count(s) : 1;
}

bool cs_perf_command_of(const cs_scenario *s, const cs_section *section, unsigned nr,
                        cs_perf_command *out)
{
    const cs_section_commands *commands = section->commands;

    if (nr >= count_of(s, section))
        return false;
    *out = (cs_perf_command){
        .section = section,
        .number = nr,
        .period = commands->period != NULL ? commands->period(s, nr) : 0,
        .interval_us = commands->interval_us != NULL ? commands->interval_us(s, nr) : 0,
        .frequency = commands->frequency != NULL ? commands->frequency(s, nr) : 0};
    if (commands->count != NULL)
        snprintf(out->name, sizeof out->name, "%s.perf.%u", section->name, nr);
    else
        snprintf(out->name, sizeof out->name, "%s", section->name);
    return true;
}

bool cs_perf_command_at(const cs_scenario *s, unsigned nr, cs_perf_command *out)
{
    for (size_t i = 0; i < cs_nr_sections; i++) {
        const unsigned here = count_of(s, cs_sections[i].section);

        if (nr < here)
            return cs_perf_command_of(s, cs_sections[i].section, nr, out);
        nr -= here;
    }
    return false;
}
