// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/plugin/counting.h"

#include <string.h>

static unsigned place_of(const counting *c, uint64_t id)
{
    unsigned i = 0;

    while (i < c->nr && c->ids[i] != id)
        i++;
    return i;
}

bool counting_has(const counting *c, uint64_t id)
{
    return place_of(c, id) < c->nr;
}

void counting_begin(counting *c, uint64_t id)
{
    counting_end(c, id);
    if (c->nr < COUNTING_MOST)
        c->ids[c->nr++] = id;
}

void counting_end(counting *c, uint64_t id)
{
    const unsigned i = place_of(c, id);

    if (i == c->nr)
        return;
    memmove(c->ids + i, c->ids + i + 1, (c->nr - i - 1) * sizeof *c->ids);
    c->nr--;
}

uint64_t counting_last(const counting *c)
{
    return c->nr > 0 ? c->ids[c->nr - 1] : 0;
}
