// SPDX-License-Identifier: Apache-2.0
/* What EVENT_MASK lets count. */
#ifndef CS_RESULTS_IMC_FILTER_H
#define CS_RESULTS_IMC_FILTER_H

#include <stdint.h>

/* docs/hw/imc.md, "Filter": a mask of the modes in which a slot counts. */
uint32_t cs_imc_filter_modes(uint64_t event_mask, unsigned slot);

#endif
