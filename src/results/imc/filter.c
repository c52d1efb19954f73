// SPDX-License-Identifier: Apache-2.0
#include "results/imc/filter.h"

#include <stdbool.h>

#include "base/bus/msb0.h"
#include <countersink/base/stream/events.h>

#define QUADRANT 32u
#define SETS 3u
#define SET_BITS 10u

enum { ECH = 2, ECP = 3, ECS = 4, ECA = 5 };

static bool passes(uint64_t mask, unsigned set, unsigned mode)
{
    const bool hv = mode & 2, pr = mode & 1;
    /* The letter of this mode alone, and that of both with its PR. */
    const unsigned own = set * SET_BITS + (pr ? ECA : ECH),
                   both = set * SET_BITS + (pr ? ECS : ECP);

    return (hv && cs_msb0(mask, own, own) != 0) || cs_msb0(mask, both, both) != 0;
}

uint32_t cs_imc_filter_modes(uint64_t event_mask, unsigned slot)
{
    const unsigned quadrant = slot / QUADRANT;
    uint32_t modes = 0;

    for (unsigned set = 0; set < SETS; set++)
        for (unsigned mode = 0; mode < 4; mode++)
            if ((quadrant < 2 || set == quadrant - 1) && passes(event_mask, set, mode))
                modes |= CS_MODE_MASK(mode);
    return modes;
}
