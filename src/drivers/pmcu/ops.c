// SPDX-License-Identifier: Apache-2.0
#include "drivers/pmcu/driver_impl.h"
#include <countersink/base/numbers.h>

#define PAGE_BYTES 4096u /* no burst crosses it (docs/hw/bus.md) */
#define REGISTER_BYTES 4u

void cs_pmcu_enter(cs_pmcu_driver *d)
{
    cs_routine_enter(&d->routine, d->handler_on);
}

void cs_pmcu_leave(cs_pmcu_driver *d)
{
    if (d->in_handler)
        cs_routine_delay(&d->routine, d->config.irq_exit_cycles);
    d->in_handler = false;
    cs_routine_leave(&d->routine, d->handler_on);
}

bool cs_pmcu_wait_irq(cs_pmcu_driver *d, uint64_t limit)
{
    const cs_op op = {
        .kind = CS_OP_WAIT_IRQ, .cycles = limit, .lines = CS_LINE(CS_LINE_PMCU(d->config.die))};

    return cs_routine_perform(&d->routine, op)->irq;
}

/* An error response is an exception to the session, whatever it does. While it ends there is
 * nothing more to give up. */
static uint64_t pmcu_transfer(cs_pmcu_driver *d, cs_op op)
{
    const cs_op_result *result = cs_routine_perform(&d->routine, op);

    if (result->resp != CS_BUS_OKAY && d->report.end == CS_PMCU_END_NOT_YET) {
        d->report.error_address = op.addr;
        longjmp(d->refused, 1);
    }
    return result->value;
}

static uint64_t access_register(cs_pmcu_driver *d, cs_op_kind kind, uint32_t offset, uint32_t value)
{
    cs_routine_delay(&d->routine, d->config.access_cycles);
    return pmcu_transfer(d, (cs_op){.kind = kind,
                                    .addr = d->config.registers + offset,
                                    .value = value,
                                    .size = REGISTER_BYTES});
}

uint32_t cs_pmcu_read_register(cs_pmcu_driver *d, uint32_t offset)
{
    return (uint32_t)access_register(d, CS_OP_READ, offset, 0);
}

void cs_pmcu_write_register(cs_pmcu_driver *d, uint32_t offset, uint32_t value)
{
    access_register(d, CS_OP_WRITE, offset, value);
}

/* The first piece of a copy: the longest legal burst, or a word. Returns its bytes. */
static size_t copy_piece(cs_pmcu_driver *d, uint64_t addr, const uint8_t *data, size_t left)
{
    cs_op op = {.kind = CS_OP_WRITE, .addr = addr, .size = 4};
    size_t bytes = 4;

    if (addr % CS_BUS_BEAT_BYTES == 0 && left >= CS_BUS_BEAT_BYTES) {
        size_t to_page = PAGE_BYTES - (size_t)(addr % PAGE_BYTES);
        size_t beats = (left < to_page ? left : to_page) / CS_BUS_BEAT_BYTES;

        beats = beats < CS_BUS_MAX_BEATS ? beats : CS_BUS_MAX_BEATS;
        bytes = beats * CS_BUS_BEAT_BYTES;
        op.kind = CS_OP_WRITE_BURST;
        op.beats = (uint8_t)beats;
        op.data = data;
    } else {
        for (unsigned i = 0; i < 4; i++)
            op.value |= (uint64_t)data[i] << (8 * i);
    }
    pmcu_transfer(d, op);
    return bytes;
}

void cs_pmcu_copy(cs_pmcu_driver *d, uint64_t addr, const uint8_t *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;)
        done += copy_piece(d, addr + done, data + done, bytes - done);
}
