// SPDX-License-Identifier: Apache-2.0
/* The driver's CPU is taken away: the event is stopped, the interrupt gets another CPU, and the event
 * goes on there (docs/drivers/pmcu_driver.md, "CPUs that go off"). */
#include "drivers/pmcu/driver_impl.h"

CS_SOFT_PRINTED(pmcu_moved, cs_pmcu_moved, "pmcu moved")
{
    fprintf(out, "die %u from cpu %u to %u", what->die, what->from, what->to);
}

cs_cycle cs_pmcu_next_move(const cs_pmcu_driver *d)
{
    return d->moved < d->config.nr_moves ? d->config.moves[d->moved].at : CS_NEVER;
}

void cs_pmcu_move(cs_pmcu_driver *d)
{
    cs_pmcu_moved what = {.die = d->config.die, .from = d->cpu};

    while (cs_pmcu_next_move(d) <= d->routine.now) {
        d->cpu = d->config.moves[d->moved].cpu;
        d->moved++;
        d->report.moves++;
    }
    what.to = d->cpu;
    if (what.to != what.from)
        cs_tell_pmcu_moved(d->soft, d->routine.now, d->config.cpu, &what);
    d->home = (uint16_t)(d->cpu == d->config.cpu ? 0 : 1 + d->cpu);
    cs_pmcu_in_handler(d, false);
}
