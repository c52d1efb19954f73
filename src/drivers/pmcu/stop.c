// SPDX-License-Identifier: Apache-2.0
/* The user stops perf: FSM_BRK, then a look at the interrupt handler's answer every poll
 * period. The core spends all of this time in the driver; the handler interrupts the look. */
#include "drivers/pmcu/driver_impl.h"
#include <countersink/regs/pmcu_regs.h>

static void stage_broken(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_poll(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_polled(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_interrupt(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);
static void stage_status(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last);

void cs_pmcu_stage_stop(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    (void)now;
    (void)last;
    cs_pmcu_in_handler(driver, false);
    cs_pmcu_op_enter(driver);
    cs_pmcu_op_write(driver, CS_PMCU_FSM_BRK, CS_PMCU_FSM_BRK_BRK_MASK);
    driver->stage = stage_broken;
}

static void stage_broken(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    driver->stopping = (cs_pmcu_stopping){.since = now};
    stage_poll(driver, now, last);
}

/* The handler runs on another CPU than the stop. */
static bool elsewhere(const cs_pmcu_driver *driver)
{
    return cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_AFFINITY_UNSET) && driver->config.cpu != 0;
}

/* Interrupts are off where the handler would run. */
static bool masked(const cs_pmcu_driver *driver)
{
    return cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_STOP_MASKED) && !elsewhere(driver);
}

/* A look at the answer, then the time up to the next look. */
static void stage_poll(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    const cs_pmcu_driver_config *config = &driver->config;
    cs_cycle spent = now - driver->stopping.since;
    bool looks = spent % config->poll_cycles == 0;

    (void)last;
    if (looks && driver->moving &&
        (driver->stopping.acknowledged || spent >= config->give_up_cycles)) {
        cs_pmcu_leave_cpu(driver);
        return;
    }
    if (looks && driver->stopping.acknowledged) {
        cs_pmcu_finish(driver, now, CS_PMCU_END_STOPPED);
        return;
    }
    if (looks && spent >= config->give_up_cycles) {
        cs_pmcu_finish(driver, now, CS_PMCU_END_STOP_TIMEOUT);
        return;
    }
    cs_cycle to_next_look = config->poll_cycles - spent % config->poll_cycles;
    if (driver->stopping.acknowledged || masked(driver)) {
        cs_pmcu_op_delay(driver, to_next_look);
        driver->stage = stage_poll;
        return;
    }
    cs_pmcu_op_wait_irq(driver, to_next_look);
    driver->stage = stage_polled;
}

static void stage_polled(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    if (!last->irq) {
        stage_poll(driver, now, last);
        return;
    }
    const cs_cycle last_look = driver->stopping.since + driver->config.give_up_cycles;

    if (driver->handler_at == CS_NEVER) {
        driver->handler_at = now + driver->config.irq_latency_cycles;
        if (driver->running)
            driver->trigger.done_cycle = now - 1;
    }
    /* The looks go on until the handler comes. */
    if (driver->handler_at > last_look) {
        cs_pmcu_op_delay(driver, last_look - now);
        driver->stage = stage_poll;
        return;
    }
    if (driver->handler_at > now)
        cs_pmcu_op_delay(driver, driver->handler_at - now);
    driver->handler_at = CS_NEVER;
    if (elsewhere(driver)) {
        cs_pmcu_in_handler(driver, true);
        cs_pmcu_op_enter(driver);
    }
    cs_pmcu_op_delay(driver, driver->config.irq_entry_cycles);
    cs_pmcu_op_read(driver, CS_PMCU_INT_STAT);
    driver->stage = stage_interrupt;
}

/* The handler. A run may have come to its end just before the break: its samples are kept, and
 * the answer to the break follows (docs/hw/pmcu.md, "BRK", in IDLE). */
static void stage_interrupt(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    driver->stopping.interrupts =
        (uint32_t)last->value & (CS_PMCU_INT_STAT_DONE_MASK | CS_PMCU_INT_STAT_BRK_MASK);
    driver->report.spurious_interrupts += driver->stopping.interrupts == 0;
    if ((driver->stopping.interrupts & CS_PMCU_INT_STAT_DONE_MASK) != 0 &&
        !cs_pmcu_has_quirk(driver, CS_PMCU_QUIRK_STATUS_UNREAD))
        cs_pmcu_op_read(driver, CS_PMCU_FSM_STATUS);
    driver->stage = stage_status;
    if (driver->queued == 0)
        stage_status(driver, now, &(cs_op_result){0});
}

static void stage_status(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    cs_pmcu_stopping *stopping = &driver->stopping;
    bool done = (stopping->interrupts & CS_PMCU_INT_STAT_DONE_MASK) != 0;
    bool broken = (stopping->interrupts & CS_PMCU_INT_STAT_BRK_MASK) != 0;

    (void)now;
    if (driver->running && (done || broken))
        cs_pmcu_trigger_ended(driver, driver->trigger.done_cycle, done,
                              done ? (uint32_t)last->value : 0);
    stopping->acknowledged |= broken;
    if (stopping->interrupts != 0)
        cs_pmcu_op_write(driver, CS_PMCU_INT_CLR, stopping->interrupts);
    cs_pmcu_op_delay(driver, driver->config.irq_exit_cycles);
    if (elsewhere(driver))
        cs_pmcu_op_leave(driver);
    cs_pmcu_in_handler(driver, false);
    driver->stage = stage_poll;
}
