// SPDX-License-Identifier: Apache-2.0
/* The records of trace mode, one file a CPU: records/cpu<N>.imc in the run folder. A thread of its own
 * writes them, block by block, while the simulation goes on: a run keeps a few MiB of them in
 * memory, however many there are. */
#ifndef CS_RESULTS_IMC_RECORD_FILES_H
#define CS_RESULTS_IMC_RECORD_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/imc/abi/record.h"
#include "results/run_folder.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_record_files cs_record_files;

/* Makes the subfolder. The run folder is borrowed. */
cs_status cs_record_files_create(cs_run_folder *folder, cs_record_files **out, cs_diag *diag);

/* Appends one record to the file of the CPU. A failure is kept for close; what follows it is
 * dropped. Returns false once there was one. */
bool cs_record_files_put(cs_record_files *files, unsigned cpu,
                         const uint8_t record[CS_IMC_TRACE_RECORD_BYTES]);

/* Everything is in the files: the first failure there was. The object is gone afterwards. */
cs_status cs_record_files_close(cs_record_files *files, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
