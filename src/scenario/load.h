// SPDX-License-Identifier: Apache-2.0
/* Scenarios from YAML (docs/scenarios.md).
 *
 * Errors name the file, line, column and key, what was found and what is allowed:
 * CS_ERR_SCENARIO for all that a scenario can say wrong, including a file that it
 * names and that cannot be read; CS_ERR_IO where the scenario itself cannot be
 * read; CS_ERR_FORMAT and CS_ERR_UNSUPPORTED at the place in a replayed recording
 * that is wrong; CS_ERR_NO_MEMORY. *out is NULL then. */
#ifndef CS_SCENARIO_LOAD_H
#define CS_SCENARIO_LOAD_H

#include <stddef.h>

#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the file `path` (at most 1 MiB); "-" is standard input, beside whose files it has none but those
 * of the working folder. `sets` are nr_sets assignments
 * "a.b.0.c=VALUE" (VALUE is YAML) that replace or add keys, in order; NULL where
 * there are none. */
cs_status cs_scenario_load(const char *path, const char *const sets[], size_t nr_sets,
                           cs_scenario **out, cs_diag *diag);

/* The same, of a scenario that is about to be simulated: CS_ERR_SCENARIO where it is something else, a
 * real system that is brought up. */
cs_status cs_scenario_load_simulated(const char *path, const char *const sets[], size_t nr_sets,
                                     cs_scenario **out, cs_diag *diag);

/* As cs_scenario_load, from `bytes` bytes at `text` (no NUL needed; not kept). `name` is what
 * diagnostics call it; files that it names are looked up in `folder`. */
cs_status cs_scenario_parse(const char *text, size_t bytes, const char *name, const char *folder,
                            const char *const sets[], size_t nr_sets, cs_scenario **out,
                            cs_diag *diag);

/* Ends a scenario made by one of them. NULL is allowed. */
void cs_scenario_destroy(cs_scenario *scenario);

#ifdef __cplusplus
}
#endif

#endif
