// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/kernel.h"

static kernel_window windows[KERNEL_WINDOWS] = {{UINT64_C(0xc000000000000000), 0, UINT64_MAX}};

void kernel_sees(const kernel_window all[KERNEL_WINDOWS])
{
    for (unsigned i = 0; i < KERNEL_WINDOWS; i++)
        windows[i] = all[i];
}

const uint8_t *kernel_bytes(const bridge_memory *ram, uint64_t address, uint64_t size)
{
    for (unsigned i = 0; i < KERNEL_WINDOWS && ram->bytes != NULL; i++) {
        const uint64_t at = address - windows[i].address;

        if (at < windows[i].bytes && at + windows[i].at < ram->size &&
            size <= ram->size - at - windows[i].at)
            return ram->bytes + windows[i].at + at;
    }
    return NULL;
}

uint64_t kernel_word(const bridge_memory *ram, uint64_t address, unsigned size)
{
    const uint8_t *bytes = kernel_bytes(ram, address, size);
    uint64_t value = 0;

    for (unsigned i = size; bytes != NULL && i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}
