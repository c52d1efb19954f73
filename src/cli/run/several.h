// SPDX-License-Identifier: Apache-2.0
/* Several runs by one command, some at a time, each in a process of its own. */
#ifndef CS_CLI_SEVERAL_H
#define CS_CLI_SEVERAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/files/output.h"

/* A run as it were alone: into `output`, which is committed when it has ended well. It prints to standard
 * output and error, and returns the exit status. */
typedef struct cs_several {
    int (*run)(void *ctx, size_t number, const cs_output *output);
    void *ctx;
    /* The stem of a run's folder, "runs/<name>"; it gets a number. */
    const char *(*stem)(void *ctx, size_t number);
    size_t count;
    unsigned jobs; /* at a time */
    bool compact;  /* no empty line between what they print */
} cs_several;

/* What each prints comes in the order of the runs, and whole. The exit status is that of the first run that
 * was not good. */
int cs_several_run(const cs_several *several);

#endif
