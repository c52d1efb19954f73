/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What each hart has executed, as code that QEMU makes adds it up. Licensed as qemu-plugin.h, which it
 * includes. */
#ifndef CS_GUEST_HPM_PLUGIN_CELLS_H
#define CS_GUEST_HPM_PLUGIN_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/hpm/hart.h"
#include "guest/plugin/counts.h"
#include "guest/plugin/glib.h"
#include <qemu-plugin.h>

#define CELLS_PASSED (1u << 30) /* more than there can be left */

typedef struct cells {
    uint64_t past[HART_MODES]; /* below 0 until the next look */
    hart_executed executed;
    uint64_t waits;
    uint64_t at;   /* the place where its last block begins */
    uint64_t late; /* the place that is told before the next instruction, or CELLS_LEAVE; 0: none */
    uint64_t branches, traps; /* others than 0: a counter counts whether they are taken; or traps */
    bool leave;               /* the next instruction waits: an interrupt comes first */
} cells;
#define CELLS_LEAVE 1u

/* An instruction in a mode. Kept for as long as QEMU may have code of it: to the end. */
typedef struct place {
    uint64_t pc;
    size_t counted; /* COUNTS_NONE: it is not */
    uint8_t mode, kind;
    bool ours;  /* of a CSR instruction: it accesses one that machine.h takes */
    bool moves; /* it may change the mode, or whether interrupts are taken */
} place;

void cells_create(void);
cells *cells_of(unsigned cpu);
/* By places of counts.h. */
uint64_t *cells_counted(unsigned cpu);
/* The next instruction of the hart looks. */
void cells_look(unsigned cpu);

qemu_plugin_u64 cells_number(size_t offset);
/* The instruction adds 1 to the number at that offset. */
void cells_add(struct qemu_plugin_insn *insn, size_t offset);
void cells_add_counted(struct qemu_plugin_insn *insn, const place *p);

#endif
