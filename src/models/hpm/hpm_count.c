// SPDX-License-Identifier: Apache-2.0
/* What counts, and how much: docs/hw/hpm.md, "Counting" and "Overflow". */
#include "models/hpm/hpm_internal.h"

#define SET 16u /* events that can be added up */

static const struct {
    uint64_t inhibits;
    unsigned mode;
} filters[] = {
    {CS_HPM_MINH, CS_HPM_MODE_M},   {CS_HPM_SINH, CS_HPM_MODE_S},   {CS_HPM_UINH, CS_HPM_MODE_U},
    {CS_HPM_VSINH, CS_HPM_MODE_VS}, {CS_HPM_VUINH, CS_HPM_MODE_VU},
};

static uint32_t modes_of(uint64_t config)
{
    uint32_t modes = CS_MODE_ALL;

    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (config & filters[i].inhibits)
            modes &= ~CS_MODE_MASK(filters[i].mode);
    return modes;
}

static uint32_t event_of(const cs_hpm *hpm, unsigned n)
{
    if (n == CS_HPM_CYCLE)
        return CS_HPM_EVENT_CYCLES;
    if (n == CS_HPM_INSTRET)
        return CS_HPM_EVENT_INSTRET;
    const uint32_t event = (uint32_t)(hpm->counter[n].config & CS_HPM_EVENT);

    return event != 0 && hpm->config.event_sets ? CS_HPM_EVENT_SET | event : event;
}

static bool is_counting(const cs_hpm *hpm, unsigned n)
{
    return cs_hpm_is_there(hpm, n) && !(hpm->inhibit >> n & 1) && event_of(hpm, n) != 0;
}

/* Whether a carry would set OF depends on the counter's setting and mcountinhibit. */
static void rearm(cs_hpm *hpm, unsigned n)
{
    const bool armed = n >= CS_HPM_FIRST && hpm->config.sscofpmf &&
                       !(hpm->counter[n].config & CS_HPM_OF) && is_counting(hpm, n);

    hpm->armed = (hpm->armed & ~(UINT32_C(1) << n)) | (uint32_t)armed << n;
}

static void set_of(cs_hpm *hpm, unsigned n)
{
    hpm->counter[n].config |= CS_HPM_OF;
    rearm(hpm, n);
}

void cs_hpm_set_config(cs_hpm *hpm, unsigned n, uint64_t config)
{
    cs_hpm_settle(hpm, n, hpm->now);
    hpm->counter[n].config = config;
    rearm(hpm, n);
}

void cs_hpm_set_inhibit(cs_hpm *hpm, uint32_t inhibit)
{
    const uint32_t changed = hpm->inhibit ^ inhibit;

    for (uint32_t rest = changed; rest != 0; rest &= rest - 1)
        cs_hpm_settle(hpm, (unsigned)__builtin_ctz(rest), hpm->now);
    hpm->inhibit = inhibit;
    for (uint32_t rest = changed; rest != 0; rest &= rest - 1)
        rearm(hpm, (unsigned)__builtin_ctz(rest));
}

uint64_t cs_hpm_counter_mask(const cs_hpm *hpm, unsigned n)
{
    if (!cs_hpm_is_there(hpm, n))
        return 0;
    if (n < CS_HPM_FIRST)
        return UINT64_MAX;
    return UINT64_MAX >> (64 - hpm->config.width[n]);
}

/* The largest sum of increments that does not carry. */
static uint64_t room(const cs_hpm *hpm, unsigned n)
{
    return cs_hpm_counter_mask(hpm, n) - hpm->counter[n].value;
}

/* A carry takes at least this many cycles from `since` on, less one. */
static uint64_t safe_cycles(const cs_hpm *hpm, unsigned n)
{
    return room(hpm, n) / (CS_NARROW_INCREMENT * (hpm->config.event_sets ? SET : 1));
}

/* The first cycle after a carry, if room + 1 is a number. */
static cs_cycle first_after_carry(const cs_hpm *hpm, unsigned n)
{
    const cs_hpm_counter *counter = &hpm->counter[n];

    return hpm->events.reach(hpm->events.ctx, event_of(hpm, n), modes_of(counter->config),
                             counter->since, room(hpm, n) + 1);
}

cs_cycle cs_hpm_settle(cs_hpm *hpm, unsigned n, cs_cycle to)
{
    cs_hpm_counter *counter = &hpm->counter[n];
    cs_cycle overflow = CS_NEVER;

    if (to <= counter->since)
        return CS_NEVER;
    if (is_counting(hpm, n)) {
        uint64_t sum = hpm->events.sum(hpm->events.ctx, event_of(hpm, n), modes_of(counter->config),
                                       counter->since, to);
        if (hpm->armed >> n & 1 && sum > room(hpm, n)) {
            overflow = first_after_carry(hpm, n);
            set_of(hpm, n);
        }
        counter->value = (counter->value + sum) & cs_hpm_counter_mask(hpm, n);
    }
    counter->since = to;
    return overflow;
}

/* None sets OF on the way: cs_hpm_execute has done that. */
void cs_hpm_settle_all(cs_hpm *hpm)
{
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        cs_hpm_settle(hpm, n, hpm->now);
}

cs_cycle cs_hpm_next_overflow(const cs_hpm *hpm, cs_hpm_plan *plan)
{
    cs_cycle first = CS_NEVER;

    for (uint32_t rest = hpm->armed; rest != 0; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctz(rest);

        if (room(hpm, n) == UINT64_MAX || safe_cycles(hpm, n) >= first - hpm->counter[n].since)
            continue;
        cs_cycle overflow = first_after_carry(hpm, n);
        if (overflow < first)
            first = overflow;
        if (plan != NULL) {
            plan->overflow[n] = overflow;
            plan->known |= UINT32_C(1) << n;
        }
    }
    return first;
}

/* A request sets LCOFIP in cycle `at`; hpm->now is up to date. */
static void request(cs_hpm *hpm, cs_cycle at, cs_cycle *first)
{
    if (at > hpm->now)
        hpm->arriving |= UINT32_C(1) << (at - hpm->now - 1);
    else if (at < *first)
        *first = at;
}

/* The same as to settle it at `to`, but its value is left for later. */
static cs_cycle follow(cs_hpm *hpm, unsigned n, cs_cycle to, const cs_hpm_plan *plan)
{
    if (plan == NULL || !(plan->known >> n & 1))
        return cs_hpm_settle(hpm, n, to);
    if (plan->overflow[n] > to)
        return CS_NEVER;
    set_of(hpm, n);
    return plan->overflow[n];
}

cs_hpm_executed cs_hpm_execute(cs_hpm *hpm, cs_cycle to, const cs_hpm_plan *plan)
{
    cs_hpm_executed done = {0, CS_NEVER};
    const uint64_t cycles = to - hpm->now;

    /* 1. Requests on their way. */
    if (hpm->arriving != 0 && (unsigned)__builtin_ctz(hpm->arriving) < cycles)
        done.first_lcofi = hpm->now + 1 + (unsigned)__builtin_ctz(hpm->arriving);
    hpm->arriving = cycles < 32 ? hpm->arriving >> cycles : 0;
    hpm->now = to;

    /* 2. New ones. */
    for (uint32_t rest = hpm->armed; rest != 0; rest &= rest - 1) {
        unsigned n = (unsigned)__builtin_ctz(rest);

        if (to - hpm->counter[n].since <= safe_cycles(hpm, n))
            continue;
        cs_cycle overflow = follow(hpm, n, to, plan);
        if (overflow == CS_NEVER)
            continue;
        done.of_set |= UINT32_C(1) << n;
        request(hpm, overflow + hpm->config.lcofi_latency, &done.first_lcofi);
    }
    return done;
}
