// SPDX-License-Identifier: Apache-2.0
/* From section perf to the sections of the drivers that carry its commands out. */
#ifndef CS_SCENARIO_PERF_PERF_LOWER_H
#define CS_SCENARIO_PERF_PERF_LOWER_H

#include "scenario/fill.h"

/* Each command becomes one of <section>.perf in the tree, or several where its events are of several
 * PMUs, and software.kind has their drivers. What is made knows where it comes from
 * (cs_yaml_node.written), so that messages show what a person wrote. Nothing happens where something
 * was wrong before. Errors are kept (cs_fill_keep_error); CS_ERR_NO_MEMORY. */
cs_status cs_perf_lower(cs_fill *fill);

#endif
