// SPDX-License-Identifier: Apache-2.0
/* What the readers of the harts' rings took out of them, one file a driver: records/hart<N>.ring,
 * records/guest<N>.ring in the run folder. Records one after the other, as perf writes them
 * (docs/drivers/riscv_driver.md, "The ring"). */
#ifndef CS_RESULTS_HPM_RING_FILES_H
#define CS_RESULTS_HPM_RING_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "results/run_folder.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_ring_files cs_ring_files;

/* The run folder is borrowed; files are made with their first bytes. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_ring_files_create(cs_run_folder *folder, cs_ring_files **out, cs_diag *diag);

/* A failure is kept for close; false then. */
bool cs_ring_files_put(cs_ring_files *files, unsigned hart, bool guest, const void *bytes,
                       size_t length);

/* The first failure there was. The object is gone afterwards. */
cs_status cs_ring_files_close(cs_ring_files *files, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
