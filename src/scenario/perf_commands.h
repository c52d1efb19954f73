// SPDX-License-Identifier: Apache-2.0
/* The perf commands of a scenario, as its sections describe them (cs_section.commands). */
#ifndef CS_SCENARIO_PERF_COMMANDS_H
#define CS_SCENARIO_PERF_COMMANDS_H

#include "scenario/scenario.h"
#include "scenario/section.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_COMMAND_NAME_BYTES 32u

typedef struct cs_perf_command {
    const cs_section *section;
    unsigned number; /* in the section */
    /* On the command line: "<section>.perf.<number>", or "<section>" of the only one. */
    char name[CS_COMMAND_NAME_BYTES];
    uint64_t period;      /* of its samples; 0: it counts */
    uint64_t frequency;   /* samples per second (perf record -F), period is 1 then; 0: -c */
    uint64_t interval_us; /* after which it prints its counts (-I); 0: only at the end */
} cs_perf_command;

/* The nr'th of a section's that run. False: there are no more. */
bool cs_perf_command_of(const cs_scenario *scenario, const cs_section *section, unsigned nr,
                        cs_perf_command *out);
/* The nr'th of all, section after section. False: there are no more. */
bool cs_perf_command_at(const cs_scenario *scenario, unsigned nr, cs_perf_command *out);

#ifdef __cplusplus
}
#endif

#endif
