// SPDX-License-Identifier: Apache-2.0
#include "foreign/ports/registers.h"

void cs_foreign_no_access(cs_foreign_bench *bench, const cs_foreign_registers *registers)
{
    cs_foreign_drive(bench, registers->first + CS_FOREIGN_REG_EN, 0, 1, 0);
}

/* Both halves, and aligned as a word at least. */
static bool left_out(const cs_foreign_bench *bench, const cs_foreign_access *a)
{
    return cs_foreign_left_out(bench->design, a->offset) ||
           (a->wide && cs_foreign_left_out(bench->design, a->offset + 4));
}

void cs_foreign_access_register(cs_foreign_bench *bench, const cs_foreign_registers *registers,
                                void *model, const cs_foreign_access *a, const char *variant)
{
    const unsigned first = registers->first;
    uint64_t data = 0;

    if (left_out(bench, a))
        return;
    cs_foreign_drive(bench, first + CS_FOREIGN_REG_EN, 0, 1, 1);
    cs_foreign_drive(bench, first + CS_FOREIGN_REG_WRITE, 0, 1, a->write);
    cs_foreign_drive(bench, first + CS_FOREIGN_REG_ADDR, 0, 16, a->offset);
    cs_foreign_drive(bench, first + CS_FOREIGN_REG_WIDE, 0, 1, a->wide);
    const uint64_t value = cs_foreign_give(bench, first + CS_FOREIGN_REG_WDATA, a->value);
    const bool refused =
        (a->write ? registers->write(model, bench->now, a->offset, a->wide, value)
                  : registers->read(model, bench->now, a->offset, a->wide, &data)) != CS_BUS_OKAY;
    cs_foreign_deed *deed =
        cs_foreign_accessed(bench, a->write ? registers->write_verb : registers->read_verb,
                            a->offset, a->write, refused);

    deed->variant = variant;
    deed->has_value = a->write;
    deed->value = a->wide ? value : value & UINT32_MAX;
    deed->bytes = a->wide ? 8 : 4;
    if (!a->write && !refused)
        cs_foreign_expect_answer(bench, first + CS_FOREIGN_REG_RDATA, data);
    cs_foreign_expect_answer(bench, first + CS_FOREIGN_REG_ERR, refused);
    bench->next = bench->now + bench->design->pace_cycles;
}

cs_foreign_access cs_foreign_toured(cs_foreign_bench *bench, uint32_t bytes)
{
    return (cs_foreign_access){.offset = 4 * bench->ended++ % bytes};
}
