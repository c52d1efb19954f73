// SPDX-License-Identifier: Apache-2.0
/* Before a session: perf waits for its time to begin, and whoever else uses the cores' counters is
 * asked for them (docs/drivers/two_owners.md). No register has been written then. */
#include "drivers/pmcu/driver_impl.h"

static void stage_busy(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    (void)now;
    (void)last;
    cs_pmcu_op_push(driver, (cs_op){.kind = CS_OP_END});
}

static void stage_ask(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    const cs_pmcu_owner *owner = &driver->config.owner;
    const cs_pmcu_claim answer =
        owner->claim != NULL ? owner->claim(owner->ctx, now) : CS_PMCU_CLAIM_GRANTED;

    (void)last;
    if (answer == CS_PMCU_CLAIM_WAIT) {
        cs_pmcu_op_push(driver,
                        (cs_op){.kind = CS_OP_SLEEP, .cycles = driver->config.claim_cycles});
    } else if (answer == CS_PMCU_CLAIM_BUSY) {
        driver->report.end = CS_PMCU_END_BUSY;
        driver->stage = stage_busy;
    } else {
        driver->claimed = owner->claim != NULL;
        driver->stage = cs_pmcu_stage_init;
    }
}

void cs_pmcu_stage_claim(cs_pmcu_driver *driver, cs_cycle now, const cs_op_result *last)
{
    (void)last;
    if (driver->config.start_at_cycle > now)
        cs_pmcu_op_push(
            driver, (cs_op){.kind = CS_OP_SLEEP, .cycles = driver->config.start_at_cycle - now});
    driver->stage = stage_ask;
}

void cs_pmcu_release(cs_pmcu_driver *driver, cs_cycle now)
{
    if (driver->claimed)
        driver->config.owner.release(driver->config.owner.ctx, now);
    driver->claimed = false;
}
