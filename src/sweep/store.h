// SPDX-License-Identifier: Apache-2.0
/* Internal to sweep. The SQLite file that keeps a sweep: what was asked for, and a row a point that
 * has been run. It may be continued after its process has ended anyhow. */
#ifndef CS_SWEEP_STORE_H
#define CS_SWEEP_STORE_H

#include "sweep/plan.h"
#include "sweep/result.h"
#include "sweep/sweep.h"

typedef struct cs_sweep_store cs_sweep_store;

/* Makes the file, or goes on with it: it must be of the same sweep then, `identity` tells (all that
 * a point's outcome hangs on, but its values). Others may read the file meanwhile, by SQLite's own locks;
 * a second store of the same file is refused. CS_ERR_IO; CS_ERR_USAGE: it holds something else. */
cs_status cs_sweep_store_open(const char *path, const cs_sweep_plan *plan, const char *identity,
                              cs_sweep_store **out, cs_diag *diag);
/* A folder beside the file, to work in: gone with the store. */
const char *cs_sweep_store_folder(const cs_sweep_store *store);
/* Which points are there already: done[point]. */
cs_status cs_sweep_store_done(cs_sweep_store *store, bool *done, cs_diag *diag);
/* `result` of a scenario that was refused has its message. */
cs_status cs_sweep_store_put(cs_sweep_store *store, size_t point, const cs_sweep_result *result,
                             cs_diag *diag);
/* All points of another file of the same sweep that are not here yet. */
cs_status cs_sweep_store_collect(cs_sweep_store *store, const char *path, const char *identity,
                                 cs_diag *diag);
/* Of all points that are here: how many were refused, and the first one's message. */
cs_status cs_sweep_store_refused(cs_sweep_store *store, cs_sweep_end *end, cs_diag *diag);
/* Ends it; the file stays. NULL is allowed. */
void cs_sweep_store_close(cs_sweep_store *store);

#endif
