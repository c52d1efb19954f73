// SPDX-License-Identifier: Apache-2.0
// An hpm block alone on its pins. One call of step() or access() is one cycle; peek() takes none,
// because what a CSR reads does not wait for the clock.
#ifndef CS_TB_HPM_RTL_HPM_BENCH_HPP
#define CS_TB_HPM_RTL_HPM_BENCH_HPP

#include <array>
#include <cstdint>
#include <ostream>

#include "Vhpm.h"
#include "verilated.h"

constexpr uint64_t ones = ~uint64_t{0};
constexpr uint64_t bit(unsigned n)
{
    return uint64_t{1} << n;
}

// 4 v + mode (docs/hw/hpm.md, 2).
enum Mode : unsigned { U = 0, S = 1, M = 3, VU = 4, VS = 5 };
enum Op : unsigned { Read = 0, Write = 1, Set = 2, Clear = 3 };
enum Exc : unsigned { None = 0, Illegal = 1, Virtual = 2 };

struct Straps {
    bool wide = true; // XLEN 64
    unsigned modes = 3;
    uint32_t counters = 0xFFFFFFF8;
    std::array<unsigned, 32> width = filled(64);
    bool sscofpmf = true, smcntrpmf = true, smcdeleg = true, aia = false;
    unsigned latency = 0;

    static std::array<unsigned, 32> filled(unsigned width)
    {
        std::array<unsigned, 32> all;
        all.fill(width);
        return all;
    }
    bool has(unsigned mode) const
    {
        return mode == M || (mode == U && modes >= 1) || (mode == S && modes >= 2) || modes == 3;
    }
    uint32_t impl() const
    {
        return counters | 5;
    }
};

inline Straps narrow()
{
    Straps s;
    s.wide = false;
    return s;
}
inline Straps with_aia()
{
    Straps s;
    s.aia = true;
    return s;
}

struct Answer {
    uint64_t data;
    unsigned exc;

    bool operator==(const Answer &other) const
    {
        return data == other.data && exc == other.exc;
    }
};
inline std::ostream &operator<<(std::ostream &out, const Answer &a)
{
    return out << std::hex << "0x" << a.data << std::dec << " exc " << a.exc;
}
constexpr Answer illegal{0, Illegal}, virtual_instruction{0, Virtual};

namespace csr
{
constexpr uint16_t mcycle = 0xB00, minstret = 0xB02, cycle = 0xC00, time = 0xC01, timeh = 0xC81,
                   instret = 0xC02, mcountinhibit = 0x320, mcyclecfg = 0x321, minstretcfg = 0x322,
                   mcounteren = 0x306, scounteren = 0x106, hcounteren = 0x606, menvcfg = 0x30A,
                   menvcfgh = 0x31A, scountinhibit = 0x120, scountovf = 0xDA0, siselect = 0x150,
                   sireg = 0x151, sireg2 = 0x152, sireg3 = 0x153, sireg4 = 0x155, sireg5 = 0x156,
                   sireg6 = 0x157, vsiselect = 0x250, vsireg = 0x251, htimedelta = 0x605,
                   htimedeltah = 0x615, mie = 0x304, mip = 0x344, mideleg = 0x303, sie = 0x104,
                   sip = 0x144, hideleg = 0x603, vsie = 0x204, vsip = 0x244, mvien = 0x308,
                   mvip = 0x309, hvien = 0x608, hvip = 0x645;
constexpr uint16_t counter(unsigned n)
{
    return 0xB00 + n;
}
constexpr uint16_t counterh(unsigned n)
{
    return 0xB80 + n;
}
constexpr uint16_t event(unsigned n)
{
    return 0x320 + n;
}
constexpr uint16_t eventh(unsigned n)
{
    return 0x720 + n;
}
} // namespace csr

// mhpmevent, whole.
constexpr uint64_t of = bit(63), minh = bit(62), sinh_bit = bit(61), uinh = bit(60),
                   vsinh = bit(59), vuinh = bit(58),
                   inh_bits = minh | sinh_bit | uinh | vsinh | vuinh;
constexpr uint64_t lcofi = bit(13);

class Hpm
{
  public:
    explicit Hpm(const Straps &straps = {}) : straps(straps)
    {
        dut.xlen64_i = straps.wide;
        dut.modes_i = straps.modes;
        dut.counters_i = straps.counters;
        for (unsigned n = 0; n < 32; n++)
            for (unsigned b = 0; b < 7; b++)
                dut.width_i[(7 * n + b) / 32] |= (straps.width[n] >> b & 1) << (7 * n + b) % 32;
        dut.sscofpmf_i = straps.sscofpmf;
        dut.smcntrpmf_i = straps.smcntrpmf;
        dut.smcdeleg_i = straps.smcdeleg;
        dut.aia_i = straps.aia;
        dut.lcofi_latency_i = straps.latency;
        dut.stateen_m_i = dut.stateen_h_i = 1;
        mode(M);
        dut.rst_ni = 0;
        step();
        dut.rst_ni = 1;
        settle();
    }
    ~Hpm()
    {
        dut.final();
    }

    // What the hart says from now on.
    void mode(unsigned code)
    {
        dut.mode_i = code & 3;
        dut.v_i = code >> 2;
    }
    unsigned mode() const
    {
        return 4 * dut.v_i + dut.mode_i;
    }
    // Counter 0 is mcycle, 2 minstret.
    void increment(unsigned n, unsigned by)
    {
        if (n == 0)
            dut.cycle_inc_i = by;
        if (n == 2)
            dut.instret_inc_i = by;
        unsigned shift = 4 * (n % 8);
        uint32_t &word = dut.inc_i[n / 8];
        word = (word & ~(0xFu << shift)) | by << shift;
    }
    void increment_all(unsigned by)
    {
        for (unsigned n = 0; n < 32; n++)
            increment(n, by);
    }

    void step(unsigned cycles = 1)
    {
        for (unsigned i = 0; i < cycles; i++) {
            dut.clk_i = 0;
            dut.eval();
            dut.clk_i = 1;
            dut.eval();
        }
    }

    // An access whose effect cycle is the one that begins now, as the hart's mode.
    Answer access(uint16_t number, unsigned op = Read, uint64_t operand = 0)
    {
        Answer answer = drive(number, op, operand);
        dut.clk_i = 1;
        dut.eval();
        dut.csr_valid_i = 0;
        return answer;
    }
    Answer access_as(unsigned code, uint16_t number, unsigned op = Read, uint64_t operand = 0)
    {
        unsigned before = mode();
        mode(code);
        Answer answer = access(number, op, operand);
        mode(before);
        return answer;
    }
    // The same without its cycle: what it would answer.
    Answer try_as(unsigned code, uint16_t number, unsigned op = Read, uint64_t operand = 0)
    {
        unsigned before = mode();
        mode(code);
        Answer answer = drive(number, op, operand);
        dut.csr_valid_i = 0;
        mode(before);
        settle();
        return answer;
    }
    uint64_t peek(uint16_t number)
    {
        return try_as(M, number).data;
    }
    // From M, with no increments: for what a test is given.
    void put(uint16_t number, uint64_t value)
    {
        auto inc = dut.inc_i;
        unsigned cycles = dut.cycle_inc_i, instret = dut.instret_inc_i;
        increment_all(0);
        access_as(M, number, Write, value);
        dut.inc_i = inc;
        dut.cycle_inc_i = cycles;
        dut.instret_inc_i = instret;
        settle();
    }

    // Whole registers, with either XLEN.
    uint64_t value(unsigned n)
    {
        return whole(csr::counter(n), csr::counterh(n));
    }
    uint64_t event(unsigned n)
    {
        return whole(csr::event(n), csr::eventh(n));
    }
    void put_value(unsigned n, uint64_t to)
    {
        put_whole(csr::counter(n), csr::counterh(n), to);
    }
    void put_event(unsigned n, uint64_t to)
    {
        put_whole(csr::event(n), csr::eventh(n), to);
    }
    void put_cde(bool to)
    {
        if (straps.wide)
            put(csr::menvcfg, to ? bit(60) : 0);
        else
            put(csr::menvcfgh, to ? bit(28) : 0);
    }
    // All enables, CDE with them.
    void open()
    {
        for (uint16_t enable : {csr::mcounteren, csr::scounteren, csr::hcounteren})
            put(enable, ones);
        put_cde(true);
    }
    // Counter n one short of a carry, with event 1 and these filters; it then gets one a cycle.
    void arm(unsigned n, uint64_t filters = 0)
    {
        put_event(n, 1 | filters);
        put_value(n, straps.width[n] == 64 ? ones : bit(straps.width[n]) - 1);
    }
    bool lcofip()
    {
        return peek(csr::mip) & lcofi;
    }
    unsigned event_pins(unsigned n) const
    {
        return dut.event_o[n / 2] >> 16 * (n % 2) & 0xFFFF;
    }

    const Straps straps;
    Vhpm dut;

  private:
    void settle()
    {
        dut.clk_i = 0;
        dut.eval();
    }
    Answer drive(uint16_t number, unsigned op, uint64_t operand)
    {
        dut.csr_valid_i = 1;
        dut.csr_addr_i = number;
        dut.csr_op_i = op;
        dut.csr_wdata_i = operand;
        settle();
        return {dut.csr_rdata_o, dut.csr_exc_o};
    }
    uint64_t whole(uint16_t low, uint16_t high)
    {
        return straps.wide ? peek(low) : peek(low) | peek(high) << 32;
    }
    void put_whole(uint16_t low, uint16_t high, uint64_t to)
    {
        put(low, straps.wide ? to : to & 0xFFFFFFFF);
        if (!straps.wide)
            put(high, to >> 32);
    }
};

#endif
