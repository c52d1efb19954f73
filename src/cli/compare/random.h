// SPDX-License-Identifier: Apache-2.0
/* `compare --random`: its options, and what it does. */
#ifndef CS_CLI_COMPARE_RANDOM_H
#define CS_CLI_COMPARE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lockstep/die/find.h"

#define CS_CLI_PATH 4096u

typedef struct cs_random_asked {
    uint64_t scenarios; /* 0: it was not asked for */
    uint64_t seed;
    const char *unit;
    uint64_t seconds;
    uint64_t jobs;
    bool shrink;        /* a scenario, to the smallest that still shows its difference */
    const char *output; /* NULL: a name is made */
    const char *keep;   /* the folder of regressions; NULL: none */
    const cs_die_options *die;
} cs_random_asked;

#define CS_CLI_DIFFERENCE_LEFT (-1)

/* An exit status, or CS_CLI_DIFFERENCE_LEFT: the scenario that shows it is the file `path`. */
int cs_cli_random(const cs_random_asked *asked, char path[CS_CLI_PATH]);
int cs_cli_shrink(const cs_random_asked *asked, const char *name, const char *const sets[],
                  size_t nr_sets, char path[CS_CLI_PATH]);

#endif
