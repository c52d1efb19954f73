// SPDX-License-Identifier: Apache-2.0
// An uncore block alone on its pins (docs/hw/uncore.md). One call of step() or access() is one
// bus cycle; peek() takes none, because a read does not wait for the clock.
#ifndef CS_TB_UNCORE_RTL_UNCORE_BENCH_HPP
#define CS_TB_UNCORE_RTL_UNCORE_BENCH_HPP

#include <cstdint>
#include <ostream>
#include <type_traits>
#include <vector>

#include "verilated.h"

constexpr uint64_t ones = ~uint64_t{0};
constexpr uint64_t bit(unsigned n)
{
    return uint64_t{1} << n;
}
// The bits of a counter of this width, its largest value.
constexpr uint64_t all_of(unsigned width)
{
    return ones >> (64 - width);
}

struct Straps {
    unsigned counters = 4;
    unsigned width = 48;
    uint16_t id = 0;
    bool extended = false;
};

struct Answer {
    uint64_t data;
    bool error;

    bool operator==(const Answer &other) const
    {
        return data == other.data && error == other.error;
    }
};
inline std::ostream &operator<<(std::ostream &out, const Answer &a)
{
    return out << std::hex << "0x" << a.data << std::dec << (a.error ? " error" : "");
}

namespace at
{
constexpr uint16_t id = 0x000, ctl = 0x008, ovf = 0x010, ie = 0x018;
constexpr uint16_t select(unsigned n)
{
    return 0x100 + 8 * n;
}
constexpr uint16_t count(unsigned n)
{
    return 0x200 + 8 * n;
}
} // namespace at

constexpr uint64_t en = 1, freeze = 2, reset_counters = bit(8); // of CTL
constexpr uint64_t on = bit(16);                                // of SELECT

template <class Dut> class UncoreRtl
{
  public:
    explicit UncoreRtl(const Straps &straps = {}) : straps(straps)
    {
        dut.counters_i = straps.counters;
        dut.width_i = straps.width;
        dut.id_i = straps.id;
        dut.extended_i = straps.extended;
        reset();
    }
    ~UncoreRtl()
    {
        dut.final();
    }

    // A cycle in which the reset is held.
    void reset()
    {
        dut.rst_ni = 0;
        step();
        dut.rst_ni = 1;
        settle();
    }

    // What the unit says from now on.
    void increment(unsigned n, unsigned by)
    {
        using Word = std::remove_reference_t<decltype(dut.inc_i)>;
        const auto mask = static_cast<Word>(uint64_t{0xF} << 4 * n);
        dut.inc_i = static_cast<Word>((dut.inc_i & ~mask) | uint64_t{by} << 4 * n);
    }
    void increment_all(uint64_t by)
    {
        for (unsigned n = 0; n < built(); n++)
            increment(n, static_cast<unsigned>(by));
    }

    void step(unsigned cycles = 1)
    {
        for (unsigned i = 0; i < cycles; i++) {
            settle();
            edge();
        }
    }

    // An access whose effect cycle is the one that begins now.
    Answer access(bool write, uint16_t offset, uint64_t data, bool wide)
    {
        Answer answer = drive(write, offset, data, wide);
        edge();
        dut.reg_en_i = 0;
        return answer;
    }
    uint64_t read(uint16_t offset)
    {
        return access(false, offset, 0, true).data;
    }
    uint64_t read_half(uint16_t offset)
    {
        return access(false, offset, 0, false).data;
    }
    void write(uint16_t offset, uint64_t data)
    {
        access(true, offset, data, true);
    }
    void write_half(uint16_t offset, uint64_t data)
    {
        access(true, offset, data, false);
    }

    // A read without its cycle.
    uint64_t peek(uint16_t offset)
    {
        uint64_t data = drive(false, offset, 0, true).data;
        dut.reg_en_i = 0;
        settle();
        return data;
    }
    uint64_t value(unsigned n)
    {
        return peek(at::count(n));
    }
    // All registers, and some offsets behind them.
    std::vector<uint64_t> frame()
    {
        std::vector<uint64_t> words;
        for (unsigned offset = 0; offset < 0x400; offset += 8)
            words.push_back(peek(static_cast<uint16_t>(offset)));
        return words;
    }

    // A write without increments, for what a test is given.
    void put(uint16_t offset, uint64_t data)
    {
        auto inc = dut.inc_i;
        dut.inc_i = 0;
        write(offset, data);
        dut.inc_i = inc;
        settle();
    }
    // Counter n has this value and counts, as soon as EN is set.
    void arm(unsigned n, uint64_t value, uint16_t event = 0)
    {
        put(at::count(n), value);
        put(at::select(n), on | event);
    }

    unsigned event(unsigned n) const
    {
        if constexpr (std::is_integral_v<std::remove_reference_t<decltype(dut.event_o)>>)
            return dut.event_o >> 16 * n & 0xFFFF;
        else
            return dut.event_o[n / 2] >> 16 * (n % 2) & 0xFFFF;
    }
    uint64_t match(unsigned n) const
    {
        return word(dut.match_o, n);
    }
    uint64_t mask(unsigned n) const
    {
        return word(dut.mask_o, n);
    }
    unsigned counting() const
    {
        return dut.counting_o;
    }
    bool irq() const
    {
        return dut.irq_o;
    }
    void settle()
    {
        dut.clk_i = 0;
        dut.eval();
    }
    void edge()
    {
        dut.clk_i = 1;
        dut.eval();
    }
    Answer drive(bool write, uint16_t offset, uint64_t data, bool wide)
    {
        dut.reg_en_i = 1;
        dut.reg_write_i = write;
        dut.reg_wide_i = wide;
        dut.reg_addr_i = offset;
        dut.reg_wdata_i = data;
        settle();
        return {dut.reg_rdata_o, dut.reg_err_o != 0};
    }

    const Straps straps;
    Dut dut;

  private:
    // The n'th 64 bits.
    template <class Words> static uint64_t word(const Words &words, unsigned n)
    {
        if constexpr (std::is_integral_v<Words>)
            return words;
        else
            return words[2 * n] | uint64_t{words[2 * n + 1]} << 32;
    }
    unsigned built() const
    {
        return straps.counters; // others are not looked at
    }
};

#endif
