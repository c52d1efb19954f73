// SPDX-License-Identifier: Apache-2.0
/* A term of an event as a path: "perf.0.record.0.nr_sample". */
#ifndef CS_SCENARIO_PERF_PERF_TERM_H
#define CS_SCENARIO_PERF_PERF_TERM_H

#include "scenario/yaml/yaml.h"
#include <countersink/base/diag.h>

/* `assignment` (cs_yaml_set) of a term as one of the whole event, "perf.0.record.0=PMU/TERM=VALUE/";
 * any other as it is. The term is changed, or added behind the others. NULL: no memory. */
const char *cs_perf_term_set(cs_yaml *memory, cs_yaml_node *root, const char *assignment,
                             cs_diag *diag);

#endif
