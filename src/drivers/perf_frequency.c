// SPDX-License-Identifier: Apache-2.0
#include "drivers/perf_frequency.h"

#include <stddef.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define WORD_BITS 64u

/* ---- periods ---- */

cs_perf_period cs_perf_period_begin(uint64_t frequency, uint64_t period)
{
    const uint64_t first = frequency != 0 ? 1 : period;

    return (cs_perf_period){.sample = first, .last = first, .left = (int64_t)first};
}

uint64_t cs_perf_period_load(cs_perf_period *p, uint64_t most, bool *ended)
{
    const int64_t period = (int64_t)p->sample;
    const bool over = p->left <= 0;

    if (over) {
        p->left = p->left <= -period ? period : p->left + period;
        p->last = p->sample;
    }
    if (ended != NULL)
        *ended = over;
    return (uint64_t)p->left < most ? (uint64_t)p->left : most;
}

/* ---- the wanted period: count x 10^9 / (nsec x frequency), in 64 bits ---- */

/* A factor and the bits that it needs. */
typedef struct factor {
    uint64_t value;
    unsigned bits;
} factor;

static factor factor_of(uint64_t value)
{
    factor f = {.value = value};

    for (; value != 0; value >>= 1)
        f.bits++;
    return f;
}

static bool frequency_fits(const factor *a, const factor *b)
{
    return a->bits + b->bits <= WORD_BITS;
}

/* The larger of two factors loses its lowest bit; of two that are alike the second one. */
static void frequency_shorten(factor *a, factor *b)
{
    factor *larger = a->bits > b->bits ? a : b;

    larger->value >>= 1;
    larger->bits--;
}

uint64_t cs_perf_frequency_period(uint64_t frequency, uint64_t nsec, uint64_t count)
{
    factor events = factor_of(count), second = factor_of(NS_PER_SECOND);
    factor time = factor_of(nsec), rate = factor_of(frequency);
    unsigned above = 0, below = 0; /* bits that the other side of the fraction lost alone */

    while (!frequency_fits(&events, &second) && !frequency_fits(&time, &rate)) {
        frequency_shorten(&time, &rate);
        frequency_shorten(&second, &events);
    }
    for (; !frequency_fits(&events, &second); above++)
        frequency_shorten(&events, &second);
    for (; !frequency_fits(&time, &rate); below++)
        frequency_shorten(&time, &rate);

    const uint64_t dividend = events.value * second.value >> below;
    const uint64_t divisor = time.value * rate.value >> above;

    return divisor != 0 ? dividend / divisor : dividend;
}

/* ---- adaptation ---- */

/* An eighth of the way, rounded away from 0. True: more than eight periods are left. */
static bool frequency_adjust(const cs_perf_frequency *f, cs_perf_period *p, uint64_t nsec,
                             uint64_t count)
{
    const uint64_t wanted = cs_perf_frequency_period(f->frequency, nsec, count);
    const int64_t way = (int64_t)(wanted - p->sample);
    const int64_t step = way / 8 + (way % 8 > 0) - (way % 8 < 0);

    p->sample += (uint64_t)step;
    if (p->sample == 0)
        p->sample = 1;
    if (p->left <= 0 || (uint64_t)(p->left - 1) / 8 < p->sample)
        return false;
    p->left = 0;
    return true;
}

bool cs_perf_frequency_overflow(cs_perf_frequency *f, cs_perf_period *p, uint64_t now)
{
    const int64_t passed = f->overflowed ? (int64_t)(now - f->time_stamp) : 0;

    f->overflowed = true;
    f->time_stamp = now;
    if (passed <= 0 || passed >= 2 * (int64_t)f->tick_ns)
        return false;
    return frequency_adjust(f, p, (uint64_t)passed, p->last);
}

bool cs_perf_frequency_tick(cs_perf_frequency *f, cs_perf_period *p, uint64_t count)
{
    const int64_t counted = (int64_t)(count - f->count_stamp);

    f->count_stamp = count;
    if (counted <= 0)
        return false;
    frequency_adjust(f, p, f->tick_ns, (uint64_t)counted);
    return true;
}

/* ---- throttling ---- */

bool cs_perf_throttle_overflow(cs_perf_throttle *t, uint64_t tick, unsigned most)
{
    if (t->tick != tick)
        t->samples = 0;
    t->tick = tick;
    t->samples++;
    t->stopped = most != 0 && t->samples > most;
    return t->stopped;
}

bool cs_perf_throttle_tick(cs_perf_throttle *t)
{
    const bool stopped = t->stopped;

    t->stopped = false;
    return stopped;
}
