// SPDX-License-Identifier: Apache-2.0
/* Internal to golden: what its parts ask each other. */
#ifndef CS_GOLDEN_HPM_GOLDEN_IMPL_H
#define CS_GOLDEN_HPM_GOLDEN_IMPL_H

#include <countersink/golden.h>

/* The setting event_set (cs_record_sets). */
unsigned cs_golden_sets(const cs_golden *golden);

#endif
