/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A hart's registers, as QEMU shows them to plugins. Licensed as qemu-plugin.h, which its source includes. */
#ifndef CS_GUEST_HPM_PLUGIN_REGISTERS_H
#define CS_GUEST_HPM_PLUGIN_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Below are x0 to x31. */
enum {
    REGISTERS_PRIV = 32,
    REGISTERS_SSTATUS,
    REGISTERS_STVEC,
    REGISTERS_SEPC,
    REGISTERS_SCAUSE,
    REGISTERS_MSTATUS,
    REGISTERS_MTVEC,
    REGISTERS_MEPC,
    REGISTERS_MCAUSE,
    REGISTERS_HSTATUS, /* with the hypervisor extension */
    REGISTERS
};
#define REGISTERS_A0 10u

/* When a hart begins. False: one of them is not shown. */
bool registers_find(void);
bool registers_found(void);
/* Of the hart whose callback it is in; 0 before they were found. */
uint64_t registers_read(unsigned number);

#endif
