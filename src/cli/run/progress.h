// SPDX-License-Identifier: Apache-2.0
/* A line that is written over itself, on a terminal only, and never wider than it is. */
#ifndef CS_CLI_RUN_PROGRESS_H
#define CS_CLI_RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/scenario.h"

/* On standard error, where that is a terminal that can go back in its line; else nothing. */
void cs_line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cs_line_clear(void);
bool cs_line_can(void);

/* Of a simulation, five times a second. */
typedef struct cs_progress {
    const cs_scenario *scenario;
    uint64_t expected_cycles; /* 0: unknown */
    uint64_t begun_ns;
    uint64_t shown_ns;
    bool terminal;
} cs_progress;

void cs_progress_begin(cs_progress *progress, const cs_scenario *scenario,
                       uint64_t expected_cycles);
void cs_progress_show(void *progress, cs_cycle cycles); /* fits cs_compare_options */
void cs_progress_end(cs_progress *progress);

#endif
