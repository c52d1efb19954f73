// SPDX-License-Identifier: Apache-2.0
/* What a POWER guest is brought up with, beside guest/parts.h. */
#ifndef CS_GUEST_IMC_PARTS_H
#define CS_GUEST_IMC_PARTS_H

#include "guest/parts.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The catalog, as firmware has it. */
cs_status cs_power_write_flash(const cs_scenario *scenario, const char *path, cs_diag *diag);

/* What an instruction of that kind (kinds.h) takes. */
unsigned cs_power_cycles(const cs_scenario *scenario, unsigned kind);

/* What the plugin is to know: where the driver reads, what events count, and the fault. */
cs_status cs_power_write_settings(const cs_scenario *scenario, const cs_guest_place *place,
                                  const char *path, cs_diag *diag);

/* What the nest does by itself, as segments.h has it. */
cs_status cs_power_put_segments(const cs_scenario *scenario, FILE *out, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
