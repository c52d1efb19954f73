// SPDX-License-Identifier: Apache-2.0
/* What a guest's perf cannot have seen, by the truth of its boot. */
#ifndef CS_GUEST_WARNINGS_H
#define CS_GUEST_WARNINGS_H

#include <sqlite3.h>

#include "guest/guest.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds to the result's warnings: one an event and CPU. */
void cs_guest_warn(sqlite3 *truth, cs_guest_result *result);

#ifdef __cplusplus
}
#endif

#endif
