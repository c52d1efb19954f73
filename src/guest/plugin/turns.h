// SPDX-License-Identifier: Apache-2.0
/* Several CPUs that take turns, and a plugin that is to know whose turn it is: what QEMU's interface for
 * plugins does not give. Debian's QEMU has modules, so it shows all of its functions. */
#ifndef CS_GUEST_PLUGIN_TURNS_H
#define CS_GUEST_PLUGIN_TURNS_H

#include <stdbool.h>
#include <stdint.h>

/* A turn in cycles, of a CPU that goes on. */
#define TURNS_LONG 50000u

/* Where the firmware's code is, in which CPUs wait for each other. */
void turns_firmware(uint64_t from, uint64_t to);

/* The CPU is there. False: this QEMU is another. */
bool turns_know(unsigned cpu);

/* A QEMU whose CPUs take turns makes a plugin's code as if there was one CPU, that which the code was
 * made on; not for CPUs of which it is told that they are parallel. From here.. */
void turns_make(void);
/* .. to here they are: code of the guest's own would be other code. */
void turns_made(void);

/* How long the CPU's turn is to be that begins at that address; of one that is in the firmware where it
 * was at its turn before it is short: it waits there, for another. */
uint64_t turns_length(unsigned cpu, uint64_t pc);

/* The CPU's turn ends with the block that it executes. */
void turns_end(unsigned cpu);

#endif
