// SPDX-License-Identifier: Apache-2.0
/* The rows of all kinds of software (scenario/software_kinds.h), by their numbers. */
#ifndef CS_DRIVERS_SOFTWARE_LIST_H
#define CS_DRIVERS_SOFTWARE_LIST_H

#include "drivers/software_row.h"
#include "scenario/software_kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_software_row *const cs_software_rows[CS_NR_SOFTWARE_KINDS];

#ifdef __cplusplus
}
#endif

#endif
