// SPDX-License-Identifier: Apache-2.0
/* What QEMU's interface for plugins does not give: the functions behind CSRs, and interrupts. Debian's QEMU
 * has modules, so it shows all of its functions. */
#ifndef CS_GUEST_HPM_PLUGIN_MACHINE_H
#define CS_GUEST_HPM_PLUGIN_MACHINE_H

#include <stdbool.h>
#include <stdio.h>

#include <countersink/models/hpm/hpm.h>

/* An access by the CPU of one of the counters' CSRs, or of one that has bit 13. `mode` and what follows is
 * not filled in. */
typedef cs_hpm_result machine_access(unsigned cpu, const cs_hpm_access *access);

/* All CSRs of the counters are `access` from here on; those of Smcdeleg and of the hypervisor extension where the
 * counters have these. False: this QEMU is another; the log says so. */
bool machine_take_csrs(machine_access *access, const cs_hpm_config *config, FILE *log);

/* Whether that CSR is one of them. */
bool machine_takes(unsigned csr);

/* Bit 13 of mip and mie. */
void machine_set_lcofi(unsigned cpu, bool pending, bool enabled);

/* The CPU does that work, `data` being its number, when it executes no code: soon after the instruction. An
 * interrupt must not rise within one. */
void machine_soon(unsigned cpu, void (*work)(void *cpu, void *data));

/* The instruction whose code has called is not executed: the CPU looks for interrupts first. Does not
 * return. */
_Noreturn void machine_leave(unsigned cpu, void *caller);

#endif
