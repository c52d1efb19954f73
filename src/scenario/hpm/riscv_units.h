// SPDX-License-Identifier: Apache-2.0
/* Units whose counters the harts' firmware offers: `riscv.firmware.units`. */
#ifndef CS_SCENARIO_HPM_RISCV_UNITS_H
#define CS_SCENARIO_HPM_RISCV_UNITS_H

#include "scenario/check.h"
#include "scenario/hpm/riscv_events.h"

#ifdef __cplusplus
extern "C" {
#endif

cs_status cs_riscv_units_check(cs_check *check);

/* "NAME:NUMBER" as perf opens it; false: it is no event of those units. */
bool cs_riscv_units_event(const cs_scenario *s, const char *name, cs_riscv_perf_config *out);
/* The unit and its event that such a configuration means; false: it is another. */
bool cs_riscv_units_of(const cs_scenario *s, const cs_riscv_perf_config *config, unsigned *unit,
                       uint32_t *event);

#ifdef __cplusplus
}
#endif

#endif
