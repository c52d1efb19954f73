// SPDX-License-Identifier: Apache-2.0
#include "drivers/software_list.h"

#define DECLARE_ALWAYS(name) extern const cs_software_row cs_software_row_##name;
#define DECLARE(name, word, text) DECLARE_ALWAYS(name)
CS_SOFTWARE_KINDS(DECLARE, DECLARE_ALWAYS)

#define ALWAYS(name) &cs_software_row_##name,
#define KIND(name, word, text) ALWAYS(name)
const cs_software_row *const cs_software_rows[CS_NR_SOFTWARE_KINDS] = {
    CS_SOFTWARE_KINDS(KIND, ALWAYS)};
