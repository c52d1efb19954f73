// SPDX-License-Identifier: Apache-2.0
/* CPUs that manage a PMCU and go off (corepmu.outages): the driver goes to another CPU of the die
 * (docs/drivers/pmcu_driver.md, "CPUs that go off"). */
#ifndef CS_SCENARIO_PMCU_PMCU_MOVES_H
#define CS_SCENARIO_PMCU_PMCU_MOVES_H

#include <stddef.h>

#include "scenario/check.h"
#include <countersink/base/cycle.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PMCU_MOST_MOVES 64u

/* From cycle `at` on the driver is to be on CPU `to`. */
typedef struct cs_pmcu_move {
    cs_cycle at;
    unsigned to;
} cs_pmcu_move;

/* Those of a die's driver, in rising order; how many. */
size_t cs_pmcu_moves(const cs_scenario *s, unsigned die, cs_pmcu_move out[CS_PMCU_MOST_MOVES]);

/* That a driver can go where it has to. */
cs_status cs_pmcu_moves_check(cs_check *check);

#ifdef __cplusplus
}
#endif

#endif
