// SPDX-License-Identifier: Apache-2.0
/* The counters: spec, "Counters and states", who counts in "Accumulation" and "Trace mode", and
 * "Filter". A counter is the value that it had in some cycle; what came since is one sum. */
#include "models/imc/imc_internal.h"

#define CONTENT_MEMORY_WRITE 3u
#define SLOTS_OF_QUADRANT 32u
#define SET_BITS 10u

#define HV_MODES (CS_MODE_MASK(CS_MODE_HOST_KERNEL) | CS_MODE_MASK(CS_MODE_HOST_USER))
#define KERNEL_MODES (CS_MODE_MASK(CS_MODE_GUEST_KERNEL) | CS_MODE_MASK(CS_MODE_HOST_KERNEL))
#define USER_MODES (CS_MODE_MASK(CS_MODE_GUEST_USER) | CS_MODE_MASK(CS_MODE_HOST_USER))

bool cs_imc_on(const cs_imc_core *core)
{
    const uint64_t mode = core->live.regs[CS_IMC_REG_HTM_MODE];

    return cs_msb0(mode, CS_IMC_HTM_ENABLE) &&
           cs_msb0(mode, CS_IMC_HTM_CONTENT_SEL) == CONTENT_MEMORY_WRITE &&
           cs_msb0(mode, CS_IMC_HTM_HPMC_IMA);
}

bool cs_imc_frozen(const cs_imc_core *core)
{
    return cs_msb0(core->live.regs[CS_IMC_REG_EVENT_MASK], CS_IMC_MASK_FREEZE) != 0;
}

/* ---- what counts ---- */

/* Events of the four counters, and the modes in which they count; no modes: not at all. */
typedef struct rule {
    uint32_t modes;
    uint32_t events[CS_IMC_CPMCS];
} rule;

static rule rule_of(uint32_t modes, uint32_t code1, uint32_t code2)
{
    return (rule){modes,
                  {CS_IMC_EVENT_CPMC1(code1), CS_IMC_EVENT_CPMC2(code2), CS_IMC_EVENT_CPMC3,
                   CS_IMC_EVENT_CPMC4}};
}

/* What a set lets pass. */
static uint32_t passes(const cs_imc_core *core, unsigned set)
{
    static const struct {
        unsigned bit; /* of the set */
        uint32_t modes;
    } letters[] = {
        {2 /* ECH */, HV_MODES & KERNEL_MODES},
        {3 /* ECP */, KERNEL_MODES},
        {4 /* ECS */, USER_MODES},
        {5 /* ECA */, HV_MODES & USER_MODES},
    };
    uint32_t modes = 0;

    for (unsigned i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        const unsigned bit = set * SET_BITS + letters[i].bit;

        if (cs_msb0(core->live.regs[CS_IMC_REG_EVENT_MASK], bit, bit))
            modes |= letters[i].modes;
    }
    return modes;
}

static uint32_t filter(const cs_imc_core *core, unsigned slot)
{
    const unsigned quadrant = slot / SLOTS_OF_QUADRANT;

    if (quadrant >= 2)
        return passes(core, quadrant - 1);
    return passes(core, 0) | passes(core, 1) | passes(core, 2);
}

static rule trace_rule(const cs_imc_core *core)
{
    const uint64_t trace = core->live.regs[CS_IMC_REG_TRACE];

    return rule_of(CS_MODE_ALL, (uint32_t)cs_msb0(trace, CS_IMC_TRACE_CPMC1SEL),
                   (uint32_t)cs_msb0(trace, CS_IMC_TRACE_CPMC2SEL));
}

static rule counting(const cs_imc_core *core, unsigned thread)
{
    const cs_imc_window *window = &core->live.window;

    if (cs_imc_tracing(core, thread)) {
        if (cs_imc_on(core) && !cs_imc_frozen(core))
            return trace_rule(core);
    } else if (cs_imc_window_state(core) == CS_IMC_RUN && window->thread == thread) {
        return rule_of(filter(core, window->slot), window->slot, window->slot);
    }
    return (rule){0};
}

/* ---- counting ---- */

static void count(cs_imc_core *core, unsigned thread, const rule *r, unsigned cpmc, cs_cycle to)
{
    const cs_event_source *events = &core->events[thread];
    cs_imc_thread *t = &core->live.threads[thread];

    t->cpmc[cpmc] += (uint32_t)events->sum(events->ctx, r->events[cpmc], r->modes, t->since, to);
}

void cs_imc_count_settle(cs_imc_core *core, unsigned thread, cs_cycle to)
{
    cs_imc_thread *t = &core->live.threads[thread];

    if (t->since >= to)
        return;
    const rule r = counting(core, thread);

    if (r.modes != 0)
        cs_events_prepare(&core->events[thread], r.events, CS_IMC_CPMCS, r.modes, t->since, to);
    for (unsigned i = 0; r.modes != 0 && i < CS_IMC_CPMCS; i++)
        count(core, thread, &r, i, to);
    t->since = to;
}

void cs_imc_count_settle_all(cs_imc_core *core, cs_cycle to)
{
    for (unsigned thread = 0; thread < core->config.threads; thread++)
        cs_imc_count_settle(core, thread, to);
}

/* What the sampling counter has come to is known. */
void cs_imc_count_overflow(cs_imc_core *core, unsigned thread)
{
    const rule r = trace_rule(core);
    const unsigned sampler = cs_imc_sampler(core);
    cs_imc_thread *t = &core->live.threads[thread];

    for (unsigned i = 0; i < CS_IMC_CPMCS; i++)
        if (i != sampler)
            count(core, thread, &r, i, core->now + 1);
    t->cpmc[sampler] = cs_imc_load(core);
    t->since = core->now + 1;
}

/* The addition of cycle t overflows when the sum over [since, t] is enough, and `reach` gives the
 * end of that. */
static cs_cycle next_overflow(const cs_imc_core *core, unsigned thread)
{
    const cs_event_source *events = &core->events[thread];
    const cs_imc_thread *t = &core->live.threads[thread];

    if (!cs_imc_tracing(core, thread))
        return CS_NEVER;
    const rule r = counting(core, thread);
    if (r.modes == 0)
        return CS_NEVER;
    const unsigned sampler = cs_imc_sampler(core);
    const uint64_t missing = (UINT64_C(1) << 32) - t->cpmc[sampler];
    const cs_cycle end = events->reach(events->ctx, r.events[sampler], r.modes, t->since, missing);

    return end != CS_NEVER ? end - 1 : CS_NEVER;
}

void cs_imc_count_plan(cs_imc_core *core, unsigned thread)
{
    cs_imc_live *live = &core->live;

    live->threads[thread].overflow = next_overflow(core, thread);
    live->overflow = CS_NEVER;
    for (unsigned i = 0; i < core->config.threads; i++)
        if (live->threads[i].overflow < live->overflow)
            live->overflow = live->threads[i].overflow;
}
