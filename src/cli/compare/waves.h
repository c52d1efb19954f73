// SPDX-License-Identifier: Apache-2.0
/* `compare --waves`: the run once more, with waves of a window of its cycles.
 *
 * The second run is made by a process that waits from the beginning: SystemC simulates once in each. */
#ifndef CS_CLI_COMPARE_WAVES_H
#define CS_CLI_COMPARE_WAVES_H

#include "lockstep/compare.h"
#include "scenario/scenario.h"

/* What the command line asks for. */
typedef struct cs_waves_option {
    const char *path;   /* NULL: no waves */
    const char *window; /* "FROM:TO"; NULL: around the first difference, or all */
} cs_waves_option;

typedef struct cs_waves_job cs_waves_job;

/* Claims the names of the files and makes the process that will write them. CS_ERR_USAGE: the window is
 * none; CS_ERR_IO. */
cs_status cs_waves_begin(const cs_waves_option *option, const cs_scenario *scenario,
                         const cs_die_options *die, cs_waves_job **out, cs_diag *diag);
/* Lets it write what *report is about, and says on stderr where it is. The job is gone. */
cs_status cs_waves_finish(cs_waves_job *job, const cs_compare_report *report, cs_diag *diag);
/* NULL is allowed. */
void cs_waves_abandon(cs_waves_job *job);

#endif
