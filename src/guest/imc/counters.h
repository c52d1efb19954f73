// SPDX-License-Identifier: Apache-2.0
/* Internal: the truth of a guest's counters. */
#ifndef CS_GUEST_IMC_COUNTERS_H
#define CS_GUEST_IMC_COUNTERS_H

#include <sqlite3.h>
#include <stdio.h>

#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tables guest_post, guest_read and guest_told, of the plugin's log. */
cs_status cs_power_write_counters(sqlite3 *db, const cs_scenario *scenario, FILE *log,
                                  cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
