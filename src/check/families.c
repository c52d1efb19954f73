// SPDX-License-Identifier: Apache-2.0
#include "check/families.h"

#define ROW(name) &cs_check_##name,
const cs_check_family *const cs_check_families[CS_CHECK_NR_FAMILIES] = {CS_CHECK_FAMILIES(ROW)};
#undef ROW
