// SPDX-License-Identifier: Apache-2.0
/* The guest's kernel's memory, by the kernel's own addresses. */
#ifndef CS_GUEST_PLUGIN_KERNEL_H
#define CS_GUEST_PLUGIN_KERNEL_H

#include <stdint.h>

#include "guest/imc/bridge.h"

/* The kernel has at `address` the memory's bytes from `at` on. */
typedef struct kernel_window {
    uint64_t address, at, bytes;
} kernel_window;

#define KERNEL_WINDOWS 2u

/* Until then it is POWER's: all memory from 0xc000000000000000 on. */
void kernel_sees(const kernel_window windows[KERNEL_WINDOWS]);

/* NULL: that is no memory, or it is not known yet. */
const uint8_t *kernel_bytes(const bridge_memory *ram, uint64_t address, uint64_t size);

/* A number of up to 8 bytes, of a kernel that is little-endian; 0: as above. */
uint64_t kernel_word(const bridge_memory *ram, uint64_t address, unsigned size);

#endif
