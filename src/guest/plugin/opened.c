// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/opened.h"

#include <stdbool.h>
#include <stdlib.h>

#include "guest/plugin/kernel.h"

#define WORDS 160u     /* of the kernel's structure that are looked at */
#define MOST_TYPE 5u   /* PERF_TYPE_BREAKPOINT */
#define LEAST_ATTR 64u /* bytes, of the first version */
#define MOST_ATTR 256u
#define ATTR_FLAGS 5u /* after type and size, config, period, sample and read format */
#define MOST 1024u    /* events that are known: the last ones */

struct opened {
    const bridge_memory *ram;
    uint64_t count_at;
    bool learnt;       /* at least once */
    bool other[WORDS]; /* the id is not there */
    bool none[WORDS];  /* no attr begins there */
    bool self
        [WORDS]; /* an event had its own address there: its group's leader, not what it is inherited from */
    struct {
        uint64_t event, id;
        bool own;
    } known[MOST];
    size_t nr; /* that were opened */
};

opened *opened_create(const bridge_memory *ram)
{
    opened *o = calloc(1, sizeof *o);

    if (o != NULL)
        o->ram = ram;
    return o;
}

void opened_count_at(opened *o, uint64_t address)
{
    o->count_at = address;
}

static uint64_t word(const opened *o, uint64_t event, unsigned i)
{
    return kernel_word(o->ram, event + 8 * i, 8);
}

/* Another CPU may have opened one since: then no place has the number, and nothing is learnt. */
static void learn(opened *o, uint64_t event)
{
    const uint64_t last = o->count_at != 0 ? kernel_word(o->ram, o->count_at, 8) : 0;
    bool any = false;

    for (unsigned i = 0; i < WORDS && last != 0; i++)
        any = any || (!o->other[i] && word(o, event, i) == last);
    o->learnt = o->learnt || any;
    for (unsigned i = 0; i < WORDS && any; i++)
        o->other[i] = o->other[i] || word(o, event, i) != last;
}

/* The last place that is left: the id is behind most of what else is small in the first events. 0: it
 * is not known. */
static unsigned place_of_id(const opened *o)
{
    for (unsigned i = WORDS; i-- > 0 && o->learnt;)
        if (!o->other[i])
            return i;
    return 0;
}

/* MOST: it is none of those that are known. */
static size_t place_of(const opened *o, uint64_t event)
{
    const size_t nr = o->nr < MOST ? o->nr : MOST;
    size_t i = 0;

    while (i < nr && o->known[i].event != event)
        i++;
    return i < nr && event != 0 ? i : MOST;
}

uint64_t opened_id(const opened *o, uint64_t event)
{
    const size_t at = place_of(o, event);

    return at < MOST ? o->known[at].id : 0;
}

bool opened_own(const opened *o, uint64_t event)
{
    const size_t at = place_of(o, event);

    return at < MOST && o->known[at].own;
}

/* ---- what was asked for ---- */

/* A type of perf's own, behind which its size comes. */
static bool begins_attr(uint64_t value)
{
    const uint32_t type = (uint32_t)value, size = (uint32_t)(value >> 32);

    return type <= MOST_TYPE && size >= LEAST_ATTR && size <= MOST_ATTR && size % 8 == 0;
}

static void learn_attr(opened *o, uint64_t event)
{
    for (unsigned i = 0; i < WORDS; i++)
        o->none[i] = o->none[i] || !begins_attr(word(o, event, i));
}

bool opened_attr_of(const opened *o, uint64_t event, opened_attr *out)
{
    for (unsigned i = 0; i + ATTR_FLAGS < WORDS && o->nr > 0; i++) {
        if (o->none[i])
            continue;
        *out = (opened_attr){.type = (uint32_t)word(o, event, i),
                             .config = word(o, event, i + 1),
                             .period = word(o, event, i + 2),
                             .flags = word(o, event, i + ATTR_FLAGS)};
        return true;
    }
    return false;
}

void opened_add(opened *o, uint64_t event)
{
    const size_t nr = o->nr < MOST ? o->nr : MOST;
    size_t at = o->nr % MOST;
    uint64_t id = 0;

    learn(o, event);
    learn_attr(o, event);
    /* The one that it is inherited from comes before the id; behind it another event may begin. */
    const unsigned place = place_of_id(o);
    for (unsigned i = 0; i < place && id == 0; i++) {
        o->self[i] = o->self[i] || word(o, event, i) == event;
        if (!o->self[i])
            id = opened_id(o, word(o, event, i));
    }
    const bool own = id == 0;
    if (own && place != 0)
        id = word(o, event, place);
    for (size_t i = 0; i < nr; i++)
        if (o->known[i].event == event) /* the kernel has freed that one */
            at = i;
    o->known[at].event = event;
    o->known[at].id = id;
    o->known[at].own = own;
    o->nr += at == o->nr % MOST;
}
