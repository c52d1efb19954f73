// SPDX-License-Identifier: Apache-2.0
/* A whole simulated die with its software, behind one small interface: the model
 * system (src/bus) and the RTL system (src/lockstep) are two implementations. C API. */
#ifndef CS_BUS_SYSTEM_H
#define CS_BUS_SYSTEM_H

#include <stdbool.h>

#include "drivers/environment.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_system cs_system;

typedef struct cs_system_ops {
    void (*destroy)(cs_system *system);
    /* Simulates all cycles below `until`; returns early when the software has ended.
     * Returns the number of cycles that are finished: every record
     * with a lower cycle has been sent to the probe sink. */
    cs_cycle (*run)(cs_system *system, cs_cycle until);
    /* The cycle in which the software ended; CS_NEVER: not known yet. It may be known before `run` has
     * come so far. */
    cs_cycle (*end_cycle)(const cs_system *system);
    /* Whether nothing is to happen any more, in all time; NULL: nobody can say. */
    bool (*idle)(const cs_system *system);
} cs_system_ops;

struct cs_system {
    const cs_system_ops *ops;
    cs_environment *environment; /* owned by whoever made it */
};

/* The TLM fabric with the C models. One at a time in a process (SystemC has one
 * simulation context). */
cs_status cs_model_system_create(cs_environment *environment, cs_system **out, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
