// SPDX-License-Identifier: Apache-2.0
/* The guest's own clock where an instruction takes more than a nanosecond: QEMU's follows instructions
 * alone, and its interface for plugins has none for several costs. As turns.h, by functions that
 * Debian's QEMU shows. */
#ifndef CS_GUEST_IMC_PLUGIN_CLOCK_H
#define CS_GUEST_IMC_PLUGIN_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* From here on QEMU's virtual clock, of which timebase and timers are, is what `busy` says, and as ever
 * the time in which all CPUs stood still. An instruction must be as long for QEMU (-icount shift) as
 * the longest takes: else timers would come late. False: this QEMU is another. */
bool clock_take(uint64_t (*busy)(void));

#endif
