// SPDX-License-Identifier: Apache-2.0
/* Waves of a program: a window of cycles of the whole design as a file in FST, in its scope `view` what its
 * outputs are and have to be, and a save file for GTKWave. Cycle t is the time from 10 t to before
 * 10 t + 10, in ns; its inputs come in 10 t + 5, and the clock rises in 10 t. */
#ifndef CS_FOREIGN_WAVES_H
#define CS_FOREIGN_WAVES_H

#include "foreign/unit.h"

typedef struct cs_foreign_waves_plan {
    const char *path;  /* of the file in FST */
    const char *save;  /* of GTKWave's */
    const char *name;  /* of the file in FST, as GTKWave's is to have it */
    const char *pin;   /* that differs: it stands first; NULL: none */
    cs_cycle cycle;    /* in which, where the marker is put */
    cs_cycle from, to; /* cycles below `to` */
} cs_foreign_waves_plan;

typedef struct cs_foreign_waves cs_foreign_waves;

/* `dut` was made for waves, and has just been restarted. CS_ERR_NO_MEMORY, CS_ERR_IO. */
cs_status cs_foreign_waves_begin(const cs_foreign_waves_plan *plan, const cs_foreign_unit *unit,
                                 const cs_foreign_design *design, cs_foreign_dut *dut,
                                 cs_foreign_waves **out, cs_diag *diag);
/* Of an output in the running cycle, or of its field of this port. */
void cs_foreign_waves_show(cs_foreign_waves *waves, unsigned pin, unsigned port, uint64_t model,
                           uint64_t rtl);
/* All has settled in a cycle (`half`), or its clock has risen to the next one. */
void cs_foreign_waves_dump(cs_foreign_waves *waves, cs_cycle cycle, bool half);
/* Closes the file, and writes the save file. CS_ERR_IO. It is gone in any case; NULL is allowed. */
cs_status cs_foreign_waves_end(cs_foreign_waves *waves, cs_diag *diag);

#endif
