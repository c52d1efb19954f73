// SPDX-License-Identifier: Apache-2.0
/* Internal to check: what RISC-V's harts sampled. */
#ifndef CS_CHECK_HPM_HPM_H
#define CS_CHECK_HPM_HPM_H

#include "check/family.h"

#define CS_CHECK_HPM_PLACE 1
#define CS_CHECK_HPM_FROM "1000000" /* CS_CHECK_COMMANDS times the place */

extern const cs_check_family cs_check_hpm;

/* Shares of functions and of call paths in table found. */
cs_status cs_check_hpm_shares(cs_checking *check);
cs_status cs_check_hpm_paths(cs_checking *check);

#endif
