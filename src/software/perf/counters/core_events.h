// SPDX-License-Identifier: Apache-2.0
#ifndef CS_SOFTWARE_PERF_CORE_EVENTS_H
#define CS_SOFTWARE_PERF_CORE_EVENTS_H

#include "software/perf/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the attr asks for. -ENOENT: the core does not have it; -EINVAL: nobody does; -EOPNOTSUPP: no
 * core here can do that. */
int cs_perf_core_find(const cs_perf_core *core, const cs_perf_attr *attr, cs_perf_map *out);

#ifdef __cplusplus
}
#endif

#endif
