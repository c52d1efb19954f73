/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/hpm/plugin/cells.h"

static struct qemu_plugin_scoreboard *all, *counted;

void cells_create(void)
{
    all = qemu_plugin_scoreboard_new(sizeof(cells));
    counted = qemu_plugin_scoreboard_new(COUNTS_MOST * sizeof(uint64_t));
}

cells *cells_of(unsigned cpu)
{
    return qemu_plugin_scoreboard_find(all, cpu);
}

uint64_t *cells_counted(unsigned cpu)
{
    return qemu_plugin_scoreboard_find(counted, cpu);
}

void cells_look(unsigned cpu)
{
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        cells_of(cpu)->past[mode] = -UINT64_C(1);
}

qemu_plugin_u64 cells_number(size_t offset)
{
    return (qemu_plugin_u64){all, offset};
}

void cells_add(struct qemu_plugin_insn *insn, size_t offset)
{
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, QEMU_PLUGIN_INLINE_ADD_U64,
                                                        cells_number(offset), 1);
}

void cells_add_counted(struct qemu_plugin_insn *insn, const place *p)
{
    if (p->counted != COUNTS_NONE)
        qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
            insn, QEMU_PLUGIN_INLINE_ADD_U64,
            (qemu_plugin_u64){counted, p->counted * sizeof(uint64_t)}, 1);
}
