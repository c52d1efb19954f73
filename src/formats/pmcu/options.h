/* Options of formats that have a PMCU's AUX data in them. */
#ifndef CS_FORMATS_PMCU_OPTIONS_H
#define CS_FORMATS_PMCU_OPTIONS_H

#include "formats/format.h"

extern const cs_format_option cs_pmcu_option_slots;

#endif
