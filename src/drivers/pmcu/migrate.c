// SPDX-License-Identifier: Apache-2.0
/* The driver's CPU is taken away: the event is stopped, the interrupt gets another CPU, and the event
 * goes on there (docs/drivers/pmcu_driver.md, "CPUs that go off"). */
#include "drivers/pmcu/driver_impl.h"

CS_SOFT_PRINTED(pmcu_moved, cs_pmcu_moved, "pmcu moved")
{
    fprintf(out, "die %u from cpu %u to %u", what->die, what->from, what->to);
}

cs_cycle cs_pmcu_next_move(const cs_pmcu_driver *driver)
{
    return driver->moved < driver->config.nr_moves ? driver->config.moves[driver->moved].at
                                                   : CS_NEVER;
}

void cs_pmcu_move(cs_pmcu_driver *driver, cs_cycle now)
{
    cs_pmcu_moved what = {.die = driver->config.die, .from = driver->cpu};

    while (cs_pmcu_next_move(driver) <= now) {
        driver->cpu = driver->config.moves[driver->moved].cpu;
        driver->moved++;
        driver->report.moves++;
    }
    what.to = driver->cpu;
    if (what.to != what.from)
        cs_tell_pmcu_moved(driver->soft, now, driver->config.cpu, &what);
    driver->home = (uint16_t)(driver->cpu == driver->config.cpu ? 0 : 1 + driver->cpu);
    cs_pmcu_in_handler(driver, false);
}

static void stage_arrived(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    (void)last;
    cs_pmcu_move(driver, now);
    cs_pmcu_op_enter(driver);
    driver->stage = cs_pmcu_stage_trigger;
}

void cs_pmcu_leave_cpu(cs_pmcu_driver *driver)
{
    driver->moving = false;
    driver->running = false; /* also where no answer came */
    driver->handler_at = CS_NEVER;
    cs_pmcu_op_leave(driver);
    driver->stage = stage_arrived;
}
