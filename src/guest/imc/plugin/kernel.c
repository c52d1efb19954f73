#include "guest/imc/plugin/kernel.h"

#define LINEAR 0xc000000000000000u

const uint8_t *kernel_bytes(const bridge_memory *ram, uint64_t address, uint64_t size)
{
    const uint64_t at = address - LINEAR;

    return ram->bytes != NULL && at < ram->size && size <= ram->size - at ? ram->bytes + at : NULL;
}

uint64_t kernel_word(const bridge_memory *ram, uint64_t address, unsigned size)
{
    const uint8_t *bytes = kernel_bytes(ram, address, size);
    uint64_t value = 0;

    for (unsigned i = size; bytes != NULL && i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}
