// SPDX-License-Identifier: Apache-2.0
/* A sweep as an array of Slurm's jobs (docs/uses/sweeps.md, "Where one machine is not enough"). */
#ifndef CS_SWEEP_SLURM_H
#define CS_SWEEP_SLURM_H

#include "sweep/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_sweep_slurm {
    unsigned tasks;      /* of the array */
    unsigned at_once;    /* 0: as many as Slurm likes */
    const char *options; /* of sbatch, as a shell reads them; "" for none */
    const char *command; /* this program */
} cs_sweep_slurm;

/* Submits the sweep, or waits for one that was submitted, and collects what its tasks have run. Uses of
 * `options` output, runs, jobs (of a task; 0: as many as Slurm gives it) and progress, which is told
 * of ended tasks. `sets` are those of the command line. */
cs_status cs_sweep_run_slurm(const cs_sweep_plan *plan, const cs_sweep_options *options,
                             const cs_sweep_slurm *slurm, const char *const sets[], size_t nr_sets,
                             const char *identity, cs_sweep_end *end, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
