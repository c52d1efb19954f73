// SPDX-License-Identifier: Apache-2.0
/* Software made of the steps of a scenario's script: raw bus accesses, delays and waits, those of a
 * CPU in order, each as soon as the one before has ended. It stands for a debugger on the CPU's bus
 * port: no core leaves its workload, and no CPU work is added. */
#ifndef CS_DRIVERS_SCRIPT_H
#define CS_DRIVERS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/software.h"
#include "scenario/machine/script_spec.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;

/* How a step went, by its place in the script. */
typedef struct cs_script_result {
    bool done;
    cs_cycle first; /* its first cycle */
    cs_cycle last;  /* its last: the completion of an access */
    uint64_t value; /* what a read returned */
    uint8_t resp;   /* cs_bus_resp of an access */
    bool irq;       /* a wait ended with the line high, not by its limit */
} cs_script_result;

typedef struct cs_script cs_script;

/* Borrows the steps. CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_script_create(const cs_script_step *steps, size_t nr_steps, cs_script **out,
                           cs_diag *diag);
void cs_script_destroy(cs_script *script); /* NULL is allowed */

/* The steps of a CPU, which are carried out once. */
cs_software cs_script_software(cs_script *script, unsigned cpu);

/* The results of all steps; how many have ended as *nr_done. */
const cs_script_result *cs_script_get_results(const cs_script *script, size_t *nr_done);

/* NULL where it does not run. */
cs_script *cs_script_of(const struct cs_environment *environment);

#ifdef __cplusplus
}
#endif

#endif
