// SPDX-License-Identifier: Apache-2.0
/* What the driver asks of the CPU port. The lanes share the driver: what runs is set anew when an
 * operation has ended. */
#include "drivers/imc/imc_driver_impl.h"

#include "base/bus/big.h"
#include "scenario/software_kinds.h"
#include <countersink/base/numbers.h>

void cs_imc_begin(imc_lane *lane)
{
    lane->driver->at = lane;
    lane->driver->now = lane->routine.now;
}

/* The firmware of the core does not wait for the kernel. */
static void look_for_wakes(cs_imc_driver *d)
{
    if (d->at->looked || !d->booted || cs_imc_wakes(d) > d->now)
        return;
    d->at->looked = true;
    cs_imc_wake(d);
}

const cs_op_result *cs_imc_perform(cs_imc_driver *d, cs_op op)
{
    imc_lane *lane = d->at;

    look_for_wakes(d);
    lane->began = d->now;
    const cs_op_result *result = cs_routine_perform(&lane->routine, op);
    lane->looked = false;
    cs_imc_begin(lane);
    return result;
}

void cs_imc_work(cs_imc_driver *d, uint64_t cycles)
{
    if (cycles != 0)
        cs_imc_perform(d, (cs_op){.kind = CS_OP_DELAY, .cycles = cycles});
}

/* Whose turn comes late sees another stretch of time than the others. */
static void note_late(cs_imc_driver *d, unsigned cpu)
{
    const cs_cycle late = d->now - d->at->action;

    if (d->at->serving == CS_IMC_NO_COMMAND)
        return;
    imc_command *c = &d->commands[d->at->serving];
    if (late > d->report.late_cycles)
        d->report.late_cycles = late;
    if (late > c->late) {
        c->late = late;
        c->latest = cpu;
    }
}

void cs_imc_enter(cs_imc_driver *d, unsigned cpu)
{
    cs_imc_perform(d, (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + cpu)});
    d->at->entered = d->now;
    note_late(d, cpu);
}

void cs_imc_leave(cs_imc_driver *d, unsigned cpu)
{
    cs_imc_perform(d, (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + cpu)});
}

uint64_t cs_imc_as_bus(uint64_t value)
{
    uint8_t bytes[8];
    uint64_t out = 0;

    cs_big_put64(bytes, value);
    for (unsigned i = 8; i-- > 0;)
        out = out << 8 | bytes[i];
    return out;
}

bool cs_imc_write_word(cs_imc_driver *d, uint64_t addr, uint64_t value)
{
    const cs_op op = {.kind = CS_OP_WRITE, .addr = addr, .value = value, .size = 8};

    return cs_imc_perform(d, op)->resp == CS_BUS_OKAY;
}

bool cs_imc_read_word(cs_imc_driver *d, uint64_t addr, uint64_t *value)
{
    const cs_op_result *result =
        cs_imc_perform(d, (cs_op){.kind = CS_OP_READ, .addr = addr, .size = 8});

    *value = cs_imc_as_bus(result->value);
    return result->resp == CS_BUS_OKAY;
}

void cs_imc_signal(cs_imc_driver *d, unsigned cpu)
{
    cs_imc_perform(d, (cs_op){.kind = CS_OP_SIGNAL,
                              .core = (uint16_t)(1 + cpu),
                              .lines = CS_LINE(CS_LINE_IPI(CS_SOFTWARE_imc_driver))});
}
