// SPDX-License-Identifier: Apache-2.0
/* The overflow handler, and what the timer's tick does to throttled events. */
#include "drivers/hpm/kernel/riscv_pmu_impl.h"
#include "formats/riscv/abi/ring.h"

#define STOPPED CS_RISCV_HES_STOPPED
#define UPTODATE CS_RISCV_HES_UPTODATE

/* ---- a sample ---- */

static uint16_t misc_of(const cs_riscv_pmu *pmu, unsigned mode)
{
    switch (mode) {
    case CS_HPM_MODE_U:
        return CS_PERF_MISC_USER;
    case CS_HPM_MODE_VU:
        return pmu->config.guest ? CS_PERF_MISC_USER : CS_PERF_MISC_GUEST_USER;
    case CS_HPM_MODE_VS:
        return pmu->config.guest ? CS_PERF_MISC_KERNEL : CS_PERF_MISC_GUEST_KERNEL;
    default:
        return CS_PERF_MISC_KERNEL;
    }
}

/* True: the event has had its share of this tick. */
static bool pmu_irq_throttle(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    const unsigned most = pmu->config.max_samples_per_tick;

    if (most == 0 || event->throttle.stopped)
        return event->throttle.stopped;
    if (!cs_perf_throttle_overflow(&event->throttle, cs_hart_now(hart) / pmu->config.tick_cycles,
                                   most))
        return false;
    pmu->figures.throttled++;
    cs_riscv_ring_throttle(pmu, hart, event, true);
    if (pmu->listener.throttle != NULL)
        pmu->listener.throttle(pmu->listener.ctx, event, cs_hart_now(hart), true);
    return true;
}

static void take_sample(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_perf_event *event,
                        cs_cycle trap, uint64_t period)
{
    uint64_t chain[CS_PERF_CHAIN_MOST];
    cs_context context;
    cs_riscv_sample sample;

    cs_hart_work(hart, pmu->config.sample_cycles);
    if (pmu->entry != NULL) {
        context = pmu->entry->interrupted;
        context.function = pmu->entry->in_software ? NULL : context.function;
    } else {
        cs_hart_context(hart, &context);
    }
    sample = (cs_riscv_sample){
        .event = event,
        .hart = cs_hart_number(hart),
        .cycle = trap,
        .ip = context.pc,
        .pid = context.cid1,
        .tid = context.cid1,
        .time = cs_hart_time(hart),
        .period = period,
        .counter = pmu->counters[event->index].csr - CSR_CYCLE,
        .misc = misc_of(pmu, context.mode),
        .in_software = pmu->entry != NULL && pmu->entry->in_software,
        .count = event->count,
    };
    if (event->attr.callchain) {
        sample.chain = chain;
        sample.nr_chain = cs_riscv_chain(pmu, hart, sample.misc, &context, chain);
    }
    sample.lost = !cs_riscv_ring_sample(pmu, hart, &sample);
    pmu->figures.samples++;
    if (pmu->listener.sample != NULL)
        pmu->listener.sample(pmu->listener.ctx, &sample);
}

/* Frequency mode: where the period has changed much, perf loads the counter at once. */
static void pmu_irq_adapt(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event, bool full)
{
    const uint64_t now = cs_riscv_ns(pmu, cs_hart_now(hart));

    if (event->attr.sample_freq != 0 &&
        cs_perf_frequency_overflow(&event->frequency, &event->period, now) && !full)
        cs_riscv_start(pmu, hart, event, CS_RISCV_EF_RELOAD);
}

/* The counter of the event has overflowed and stands still. True: it is to go on. */
static bool pmu_irq_overflow(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                             cs_cycle trap)
{
    const uint64_t period = event->period.last;
    bool full = false;

    event->state |= STOPPED;
    cs_riscv_update(pmu, hart, event);
    event->state |= UPTODATE;
    if (cs_riscv_set_period(pmu, event)) {
        full = pmu_irq_throttle(pmu, hart, event) && !has_bug(pmu, CS_RISCV_BUG_THROTTLE_IGNORED);
        pmu_irq_adapt(pmu, hart, event, full);
        if (event->attr.overflow != NULL)
            event->attr.overflow(event->attr.overflow_ctx, hart, event);
        else
            take_sample(pmu, hart, event, trap, period);
    }
    if (full)
        cs_riscv_let_users_read(pmu, hart, event, false);
    else
        event->state = 0;
    return !full;
}

/* ---- the handler ---- */

static bool pmu_irq_spurious(cs_riscv_pmu *pmu)
{
    pmu->figures.spurious++;
    return false;
}

/* Counters of hardware that the handler stops, looks at and starts. */
static uint64_t pmu_irq_handled(const cs_riscv_pmu *pmu)
{
    uint64_t in_use = 0;

    if (!has_bug(pmu, CS_RISCV_BUG_STARTS_STOPPED))
        return cs_riscv_running(pmu);
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if (pmu->events[i] != NULL && !pmu->counters[i].software)
            in_use |= bit(i);
    return in_use;
}

static uint64_t with_events(const cs_riscv_pmu *pmu)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        set |= pmu->events[i] != NULL ? bit(i) : 0;
    return set;
}

static void start_set(cs_riscv_pmu *pmu, cs_hart *hart, uint64_t same, uint64_t anew)
{
    if (cs_hart_xlen(hart) == 32 && has_bug(pmu, CS_RISCV_BUG_RV32_MASKS)) {
        const uint64_t folded = (anew | anew >> 32) & 0xffffffffu;

        same = (same | anew) & ~(folded | folded << 32);
        anew = folded & with_events(pmu);
    }
    pmu->ops->start_set(pmu, hart, same, anew);
}

/* Of LCOFI; with software events the firmware does it. */
static void clear_pending(const cs_riscv_pmu *pmu, cs_hart *hart)
{
    if (pmu->entry == NULL)
        cs_hart_csr_clear(hart, CSR_SIP, LCOFI);
}

static cs_cycle trap_of(const cs_riscv_pmu *pmu, const cs_hart *hart)
{
    const unsigned trap_cycles = cs_hart_get_costs(hart)->trap_cycles;
    const cs_cycle begin = cs_hart_now(hart);

    if (pmu->entry != NULL)
        return pmu->entry->trap;
    return begin > trap_cycles ? begin - trap_cycles : 0;
}

bool cs_riscv_pmu_irq(cs_riscv_pmu *pmu, cs_hart *hart)
{
    return cs_riscv_overflow(pmu, hart);
}

/* The steps of docs/drivers/riscv_driver.md. */
bool cs_riscv_overflow(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const cs_cycle trap = trap_of(pmu, hart);
    const uint64_t running = pmu_irq_handled(pmu);
    uint64_t marks, same = running, anew = 0;

    pmu->figures.interrupts++;
    cs_hart_work(hart, pmu->config.handler_cycles);   /* 1 */
    if (running == 0 || pmu->ops->stop_set == NULL) { /* 2 */
        clear_pending(pmu, hart);
        return pmu_irq_spurious(pmu);
    }
    marks = pmu->ops->stop_set(pmu, hart, running); /* 3, 4 */
    clear_pending(pmu, hart);                       /* 5 */
    if (marks == 0) {                               /* 6 */
        if (!has_bug(pmu, CS_RISCV_BUG_SPURIOUS_STOPS))
            pmu->ops->start_set(pmu, hart, running, 0);
        return pmu_irq_spurious(pmu);
    }
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++) { /* 7 */
        cs_riscv_perf_event *event = pmu->events[i];

        if ((running >> i & 1) == 0 || !is_sampling(event) || !pmu->ops->overflowed(pmu, marks, i))
            continue;
        same &= ~bit(i);
        if (pmu_irq_overflow(pmu, hart, event, trap))
            anew |= bit(i);
    }
    start_set(pmu, hart, same, anew); /* 8 */
    return true;
}

/* ---- the tick ---- */

static bool pmu_irq_waits(const cs_riscv_perf_event *event)
{
    return event != NULL && event->throttle.stopped && event->wanted && !event->asleep;
}

/* Its period is looked at at each tick. */
static bool pmu_irq_adapts(const cs_riscv_perf_event *event)
{
    return event != NULL && event->attr.sample_freq != 0 &&
           (event->state & CS_RISCV_HES_STOPPED) == 0;
}

static void adapt_at_tick(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    cs_riscv_stop(pmu, hart, event);
    cs_perf_frequency_tick(&event->frequency, &event->period, event->count);
    cs_riscv_start(pmu, hart, event, 0);
}

void cs_riscv_pmu_tick(cs_riscv_pmu *pmu, cs_hart *hart)
{
    cs_riscv_sse_hold(pmu, hart);
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++) {
        if (pmu_irq_waits(pmu->events[i]))
            cs_riscv_start(pmu, hart, pmu->events[i], 0);
        if (pmu_irq_adapts(pmu->events[i]))
            adapt_at_tick(pmu, hart, pmu->events[i]);
    }
    cs_riscv_sse_release(pmu, hart);
}

cs_cycle cs_riscv_pmu_next_tick(const cs_riscv_pmu *pmu, cs_cycle now)
{
    const uint64_t length = pmu->config.tick_cycles;

    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++)
        if (pmu_irq_waits(pmu->events[i]) || pmu_irq_adapts(pmu->events[i]))
            return now % length == 0 ? now : (now / length + 1) * length;
    return CS_NEVER;
}
