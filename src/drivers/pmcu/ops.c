// SPDX-License-Identifier: Apache-2.0
#include "base/require.h"
#include "drivers/pmcu/driver_impl.h"
#include <countersink/base/numbers.h>

#define PAGE_BYTES 4096u /* no burst crosses it (docs/hw/bus.md) */
#define REGISTER_BYTES 4u

void cs_pmcu_op_push(cs_pmcu_driver *driver, cs_op op)
{
    CS_REQUIRE(driver->queued < MAX_QUEUED_OPS, "PMCU driver: more than %u operations at once",
               MAX_QUEUED_OPS);
    driver->queue[driver->queued++] = op;
}

void cs_pmcu_op_enter(cs_pmcu_driver *driver)
{
    cs_pmcu_op_push(driver, (cs_op){.kind = CS_OP_ENTER, .core = driver->handler_on});
}

void cs_pmcu_op_handler(cs_pmcu_driver *driver)
{
    cs_pmcu_op_enter(driver);
    cs_pmcu_op_delay(driver, driver->config.irq_entry_cycles);
    driver->in_handler = true;
}

void cs_pmcu_op_leave(cs_pmcu_driver *driver)
{
    if (driver->in_handler)
        cs_pmcu_op_delay(driver, driver->config.irq_exit_cycles);
    driver->in_handler = false;
    cs_pmcu_op_push(driver, (cs_op){.kind = CS_OP_LEAVE, .core = driver->handler_on});
}

void cs_pmcu_op_delay(cs_pmcu_driver *driver, uint64_t cycles)
{
    if (cycles > 0)
        cs_pmcu_op_push(driver, (cs_op){.kind = CS_OP_DELAY, .cycles = cycles});
}

void cs_pmcu_op_wait_irq(cs_pmcu_driver *driver, uint64_t limit)
{
    cs_pmcu_op_push(driver, (cs_op){.kind = CS_OP_WAIT_IRQ,
                                    .cycles = limit,
                                    .lines = CS_LINE(CS_LINE_PMCU(driver->config.die))});
}

static void access_register(cs_pmcu_driver *driver, cs_op_kind kind, uint32_t offset,
                            uint32_t value)
{
    cs_pmcu_op_delay(driver, driver->config.access_cycles);
    cs_pmcu_op_push(driver, (cs_op){.kind = kind,
                                    .addr = driver->config.registers + offset,
                                    .value = value,
                                    .size = REGISTER_BYTES});
}

void cs_pmcu_op_read(cs_pmcu_driver *driver, uint32_t offset)
{
    access_register(driver, CS_OP_READ, offset, 0);
}

void cs_pmcu_op_write(cs_pmcu_driver *driver, uint32_t offset, uint32_t value)
{
    access_register(driver, CS_OP_WRITE, offset, value);
}

void cs_pmcu_op_copy(cs_pmcu_driver *driver)
{
    cs_pmcu_copy *copy = &driver->copy;
    cs_op op = {.kind = CS_OP_WRITE, .addr = copy->addr, .size = 4};
    size_t bytes = 4;

    if (copy->addr % CS_BUS_BEAT_BYTES == 0 && copy->left >= CS_BUS_BEAT_BYTES) {
        size_t to_page = PAGE_BYTES - (size_t)(copy->addr % PAGE_BYTES);
        size_t beats = (copy->left < to_page ? copy->left : to_page) / CS_BUS_BEAT_BYTES;

        beats = beats < CS_BUS_MAX_BEATS ? beats : CS_BUS_MAX_BEATS;
        bytes = beats * CS_BUS_BEAT_BYTES;
        op.kind = CS_OP_WRITE_BURST;
        op.beats = (uint8_t)beats;
        op.data = copy->data;
    } else {
        for (unsigned i = 0; i < 4; i++)
            op.value |= (uint64_t)copy->data[i] << (8 * i);
    }
    cs_pmcu_op_push(driver, op);
    copy->data += bytes;
    copy->addr += bytes;
    copy->left -= bytes;
}
