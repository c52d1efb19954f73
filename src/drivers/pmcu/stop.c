// SPDX-License-Identifier: Apache-2.0
/* The stop of an event: FSM_BRK, then a look at the interrupt handler's answer every poll period. The
 * core spends all of this time in the driver; the handler interrupts the look. */
#include "drivers/pmcu/driver_impl.h"
#include <countersink/regs/pmcu_regs.h>

/* The handler runs on another CPU than the stop. */
static bool handler_elsewhere(const cs_pmcu_driver *d)
{
    return cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_AFFINITY_UNSET) && d->config.cpu != 0;
}

/* Interrupts are off where the handler would run. */
static bool interrupts_masked(const cs_pmcu_driver *d)
{
    return cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_STOP_MASKED) && !handler_elsewhere(d);
}

/* The handler's work. A run may have come to its end just before the break: its samples are kept, and
 * the answer to the break follows (docs/hw/pmcu.md, "BRK", in IDLE). True: this is the answer. */
static bool hear_causes(cs_pmcu_driver *d)
{
    const uint32_t found = cs_pmcu_read_register(d, CS_PMCU_INT_STAT) &
                           (CS_PMCU_INT_STAT_DONE_MASK | CS_PMCU_INT_STAT_BRK_MASK);
    const bool done = (found & CS_PMCU_INT_STAT_DONE_MASK) != 0;
    uint32_t status = 0;

    d->report.spurious_interrupts += found == 0;
    if (done && !cs_pmcu_has_quirk(d, CS_PMCU_QUIRK_STATUS_UNREAD))
        status = cs_pmcu_read_register(d, CS_PMCU_FSM_STATUS);
    if (d->running && found != 0)
        cs_pmcu_trigger_ended(d, done, status);
    if (found != 0)
        cs_pmcu_write_register(d, CS_PMCU_INT_CLR, found);
    return (found & CS_PMCU_INT_STAT_BRK_MASK) != 0;
}

/* The line is high. The looks go on until the handler comes; the last is in cycle `end`. */
static bool take_interrupt(cs_pmcu_driver *d, cs_cycle end)
{
    const cs_cycle now = d->routine.now;

    if (d->handler_at == CS_NEVER) {
        d->handler_at = now + d->config.irq_latency_cycles;
        if (d->running)
            d->trigger.done_cycle = now - 1;
    }
    if (d->handler_at > end) {
        cs_routine_delay(&d->routine, end - now);
        return false;
    }
    if (d->handler_at > now)
        cs_routine_delay(&d->routine, d->handler_at - now);
    d->handler_at = CS_NEVER;
    if (handler_elsewhere(d)) {
        cs_pmcu_in_handler(d, true);
        cs_pmcu_enter(d);
    }
    cs_routine_delay(&d->routine, d->config.irq_entry_cycles);
    const bool answered = hear_causes(d);
    cs_routine_delay(&d->routine, d->config.irq_exit_cycles);
    if (handler_elsewhere(d))
        cs_pmcu_leave(d);
    cs_pmcu_in_handler(d, false);
    return answered;
}

bool cs_pmcu_break(cs_pmcu_driver *d)
{
    const uint64_t period = d->config.poll_cycles;
    bool answered = false;

    cs_pmcu_in_handler(d, false);
    cs_pmcu_enter(d);
    cs_pmcu_write_register(d, CS_PMCU_FSM_BRK, CS_PMCU_FSM_BRK_BRK_MASK);
    const cs_cycle since = d->routine.now, end = since + d->config.give_up_cycles;
    for (;;) {
        const uint64_t since_look = (d->routine.now - since) % period;

        if (since_look == 0 && (answered || d->routine.now >= end))
            return answered;
        if (answered || interrupts_masked(d))
            cs_routine_delay(&d->routine, period - since_look);
        else if (cs_pmcu_wait_irq(d, period - since_look))
            answered = take_interrupt(d, end);
    }
}
