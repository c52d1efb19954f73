// SPDX-License-Identifier: Apache-2.0
/* Software events of the firmware and the driver's use of them: `riscv.firmware.sse`,
 * `riscv.driver.sse`. */
#ifndef CS_SCENARIO_HPM_RISCV_SSE_H
#define CS_SCENARIO_HPM_RISCV_SSE_H

#include "scenario/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* After the firmware's version is known. */
cs_status cs_riscv_sse_check(cs_check *check);

#ifdef __cplusplus
}
#endif

#endif
