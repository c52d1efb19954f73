// SPDX-License-Identifier: Apache-2.0
/* Internal to perf's row in the list of formats. */
#ifndef CS_FORMATS_PERF_FORMAT_H
#define CS_FORMATS_PERF_FORMAT_H

#include "formats/damage/finder.h"

void cs_perfread_find(cs_damage_finder *find); /* damage.c */

#endif
