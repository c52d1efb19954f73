// SPDX-License-Identifier: Apache-2.0
/* A kind of software, as the environment knows it: a row of software_list.h, by the number that it
 * has in scenario/software_kinds.h. Each stands beside its driver. */
#ifndef CS_DRIVERS_SOFTWARE_ROW_H
#define CS_DRIVERS_SOFTWARE_ROW_H

#include "drivers/software.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;
struct cs_rotating_report;

typedef struct cs_software_row {
    /* *object stays NULL where there is nothing to run. What it emits goes to the environment's
     * `soft`; the timelines are there. What runs on CPU ports is handed over by
     * cs_environment_add_task, each task with its CPU. */
    cs_status (*create)(struct cs_environment *environment, void **object, cs_diag *diag);
    void (*destroy)(void *object); /* NULL is allowed; NULL: there is no object */
    const char *ended;             /* what the run says when it has ended; NULL: that perf has */
    /* What its rotation cost so far (count.h); NULL: it rotates nothing. */
    const struct cs_rotating_report *(*rotating)(const void *object);
} cs_software_row;

#ifdef __cplusplus
}
#endif

#endif
