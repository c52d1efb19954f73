// SPDX-License-Identifier: Apache-2.0
/* Starts a program whose calls wait for us. */
#ifndef CS_PMU_HOST_LAUNCH_H
#define CS_PMU_HOST_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include <countersink/base/diag.h>

typedef struct cs_launch {
    char *const *argv; /* of the program, NULL at the end; looked up as a shell does */
    /* In the new process before the program begins, with `ctx`: 0 or -errno, which is only reported.
     * NULL: nothing is done. */
    int (*prepare)(void *ctx);
    void *ctx;
} cs_launch;

typedef struct cs_launched {
    pid_t pid;    /* a child of ours */
    int listener; /* its calls come from here, those of the exec first */
    bool steady;  /* cs_filter_install */
    int prepared; /* what `prepare` returned */
    int report; /* readable when the program has begun (nothing to read), or could not (an errno) */
} cs_launched;

/* CS_ERR_UNSUPPORTED: what this system forbids, and what can be done; CS_ERR_IO. Nothing is left then. */
cs_status cs_launch_begin(const cs_launch *launch, cs_launched *out, cs_diag *diag);
/* The errno for which the program could not be started; 0: it has begun. To be called when the process
 * has ended. Closes `report`. */
int cs_launch_why(cs_launched *launched);

#endif
