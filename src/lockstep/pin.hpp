// SPDX-License-Identifier: Apache-2.0
// A port of the verilated die: a little-endian vector of bits (src/rtl/top/die_abi.h).
#ifndef CS_LOCKSTEP_PIN_HPP
#define CS_LOCKSTEP_PIN_HPP

#include <cstdint>
#include <cstring>

namespace cs
{

class Pin
{
  public:
    Pin() = default;
    // `changed`: becomes true when the port gets another value; nullptr: nobody asks.
    explicit Pin(void *bits, bool *changed = nullptr)
        : bits_(static_cast<unsigned char *>(bits)), changed_(changed)
    {
    }

    // Bits [lsb, lsb + width), width 1 to 64.
    uint64_t get(unsigned lsb, unsigned width) const
    {
        const unsigned shift = lsb % 8;
        uint64_t value = load(lsb / 8) >> shift;

        if (shift + width > 64)
            value |= static_cast<uint64_t>(bits_[lsb / 8 + 8]) << (64 - shift);
        return value & mask(width);
    }

    void set(unsigned lsb, unsigned width, uint64_t value)
    {
        const unsigned shift = lsb % 8;
        const uint64_t old = load(lsb / 8);
        const uint64_t made = (old & ~(mask(width) << shift)) | (value & mask(width)) << shift;
        bool changed = made != old;

        if (changed)
            store(lsb / 8, made);
        if (shift + width > 64) {
            const unsigned over = shift + width - 64;
            unsigned char &last = bits_[lsb / 8 + 8];
            const auto end = static_cast<unsigned char>((last & ~mask(over)) |
                                                        (value >> (width - over) & mask(over)));

            changed |= last != end;
            last = end;
        }
        if (changed && changed_ != nullptr)
            *changed_ = true;
    }

    // Field `n` of a port that has one for each of several.
    uint64_t field(unsigned n, unsigned width) const
    {
        return get(n * width, width);
    }

    void set_field(unsigned n, unsigned width, uint64_t value)
    {
        set(n * width, width, value);
    }

    // One bit of several.
    bool bit(unsigned n) const
    {
        return (bits_[n / 8] >> n % 8 & 1) != 0;
    }

  private:
    static uint64_t mask(unsigned width)
    {
        return ~0ull >> (64 - width);
    }

    uint64_t load(unsigned byte) const
    {
        uint64_t value;

        std::memcpy(&value, bits_ + byte, sizeof value);
        return value;
    }

    void store(unsigned byte, uint64_t value)
    {
        std::memcpy(bits_ + byte, &value, sizeof value);
    }

    unsigned char *bits_ = nullptr;
    bool *changed_ = nullptr;
};

} // namespace cs

#endif
