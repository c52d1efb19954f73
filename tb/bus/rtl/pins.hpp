// SPDX-License-Identifier: Apache-2.0
// Slices of Verilator's ports, narrow or wide.
#pragma once

#include <cstdint>
#include <verilated.h>

template <typename Port> uint64_t get_pin(const Port &port, unsigned lsb, unsigned width)
{
    const uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
    return static_cast<uint64_t>(port) >> lsb & mask;
}

template <typename Port> void put_pin(Port &port, unsigned lsb, unsigned width, uint64_t value)
{
    const uint64_t mask = (width == 64 ? ~0ull : (1ull << width) - 1) << lsb;
    port = static_cast<Port>((port & ~mask) | (value << lsb & mask));
}

template <std::size_t Words>
uint64_t get_pin(const VlWide<Words> &port, unsigned lsb, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= static_cast<uint64_t>(port[(lsb + i) / 32] >> (lsb + i) % 32 & 1) << i;
    return value;
}

template <std::size_t Words>
void put_pin(VlWide<Words> &port, unsigned lsb, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        uint32_t &word = port[(lsb + i) / 32];
        const uint32_t bit = 1u << (lsb + i) % 32;
        word = value >> i & 1 ? word | bit : word & ~bit;
    }
}
