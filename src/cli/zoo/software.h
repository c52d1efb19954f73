// SPDX-License-Identifier: Apache-2.0
/* A published bug of software: a scenario without it, and with it. */
#ifndef CS_CLI_ZOO_SOFTWARE_H
#define CS_CLI_ZOO_SOFTWARE_H

#include "zoo/bugs.h"

/* What the bug's figure is. */
typedef struct cs_zoo_runs {
    double without, with;
} cs_zoo_runs;

/* CS_ERR_IO: no place for the runs; else what a scenario or a run says. */
cs_status cs_zoo_run(const cs_zoo_bug *bug, const char *cache, cs_zoo_runs *out, cs_diag *diag);

#endif
