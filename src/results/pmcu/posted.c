// SPDX-License-Identifier: Apache-2.0
#include "results/pmcu/posted.h"

void cs_posted_asked(cs_posted *posted, const cs_probe_record *transfer, uint8_t state)
{
    posted->transfers[posted->after_transfer++ % CS_POSTED_MOST] =
        (cs_posted_transfer){*transfer, state};
}

void cs_posted_done(cs_posted *posted, const cs_probe_record *effect)
{
    posted->effects[posted->after_effect++ % CS_POSTED_MOST] = *effect;
}

bool cs_posted_next(cs_posted *posted, const cs_posted_transfer **asked,
                    const cs_probe_record **done)
{
    if (posted->first_transfer == posted->after_transfer ||
        posted->first_effect == posted->after_effect)
        return false;
    *asked = &posted->transfers[posted->first_transfer++ % CS_POSTED_MOST];
    *done = &posted->effects[posted->first_effect++ % CS_POSTED_MOST];
    return true;
}

void cs_posted_disown(cs_posted *posted)
{
    for (unsigned i = posted->first_transfer; i != posted->after_transfer; i++)
        posted->transfers[i % CS_POSTED_MOST].state = CS_POSTED_NOBODY;
}
