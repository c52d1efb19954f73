// SPDX-License-Identifier: Apache-2.0
/* How a driver has a counter found: `riscv.firmware.set_event` and `riscv.driver.find`. */
#ifndef CS_SCENARIO_HPM_RISCV_FIND_H
#define CS_SCENARIO_HPM_RISCV_FIND_H

#include "scenario/check.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/keys.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_key_choice cs_riscv_set_event_choices[];
extern const cs_key_choice cs_riscv_find_choices[];

/* Of a driver at `path` that does not say how. */
void cs_riscv_find_compute(cs_check *check, const char *path, cs_riscv_driver_spec *driver);
/* Does the firmware have it? */
cs_status cs_riscv_find_check(cs_check *check, const char *path,
                              const cs_riscv_driver_spec *driver);

#ifdef __cplusplus
}
#endif

#endif
