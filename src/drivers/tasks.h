// SPDX-License-Identifier: Apache-2.0
/* Several pieces of software that share one CPU port (docs/hw/cpu.md, "Several at once"): one runs
 * until it sleeps, waits for an interrupt or ends; then the next one that is due does. */
#ifndef CS_DRIVERS_TASKS_H
#define CS_DRIVERS_TASKS_H

#include "drivers/software.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_tasks cs_tasks;

/* CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_tasks_create(cs_tasks **out, cs_diag *diag);
void cs_tasks_destroy(cs_tasks *tasks); /* NULL is allowed */

/* Before the first operation. Those added first go first. `core`: what 0 in its ENTER and LEAVE
 * means. CS_ERR_NO_MEMORY. */
cs_status cs_tasks_add(cs_tasks *tasks, cs_software software, uint16_t core, cs_diag *diag);

/* All of them as one. */
cs_software cs_tasks_software(cs_tasks *tasks);

#ifdef __cplusplus
}
#endif

#endif
