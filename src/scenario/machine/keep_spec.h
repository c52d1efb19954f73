// SPDX-License-Identifier: Apache-2.0
/* What goes into the run folder. */
#ifndef CS_SCENARIO_MACHINE_KEEP_SPEC_H
#define CS_SCENARIO_MACHINE_KEEP_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_keep_spec {
    bool memory;        /* memory images in the run folder */
    bool probe;         /* the probe stream as CSV */
    bool samples_truth; /* each sample's truth in the database */
    bool records;       /* every record of trace mode as the hardware wrote it */
} cs_keep_spec;

#endif
