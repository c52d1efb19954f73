// SPDX-License-Identifier: Apache-2.0
// A hart for the tests by hand: its mode and its increments are told from the cycle that comes
// next on, and accesses follow one another.
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <vector>

#include <countersink/models/hpm/hpm.h>

constexpr unsigned U = CS_HPM_MODE_U, S = CS_HPM_MODE_S, M = CS_HPM_MODE_M, VU = CS_HPM_MODE_VU,
                   VS = CS_HPM_MODE_VS;
constexpr int NONE = CS_HPM_EXCEPTION_NONE, ILL = CS_HPM_EXCEPTION_ILLEGAL,
              VIRT = CS_HPM_EXCEPTION_VIRTUAL;
constexpr uint64_t OF = 1ull << 63, MINH = 1ull << 62, SINH = 1ull << 61, UINH = 1ull << 60,
                   VSINH = 1ull << 59, VUINH = 1ull << 58;
constexpr uint64_t LCOFI = 1u << 13, CDE = 1ull << 60;

constexpr unsigned MCYCLE = 0xB00, MINSTRET = 0xB02, MHPM = 0xB00, MHPMH = 0xB80, EVENT = 0x320,
                   EVENTH = 0x720, INHIBIT = 0x320, MCOUNTEREN = 0x306, SCOUNTEREN = 0x106,
                   HCOUNTEREN = 0x606, MENVCFG = 0x30A, MENVCFGH = 0x31A, SCOUNTINHIBIT = 0x120,
                   SCOUNTOVF = 0xDA0, SISELECT = 0x150, SIREG = 0x151, SIREG2 = 0x152,
                   SIREG3 = 0x153, SIREG4 = 0x155, SIREG5 = 0x156, SIREG6 = 0x157,
                   VSISELECT = 0x250, MIE = 0x304, MIP = 0x344, MIDELEG = 0x303, SIE = 0x104,
                   SIP = 0x144, HIDELEG = 0x603, VSIE = 0x204, VSIP = 0x244, MVIEN = 0x308,
                   MVIP = 0x309, HVIEN = 0x608, HVIP = 0x645, HTIMEDELTA = 0x605,
                   HTIMEDELTAH = 0x615;

inline cs_hpm_config straps(unsigned xlen = 64, unsigned modes = CS_HPM_MODES_H)
{
    cs_hpm_config c = cs_hpm_default_config();
    c.xlen = xlen;
    c.modes = modes;
    if (modes < CS_HPM_MODES_M_S_U)
        c.smcdeleg = false;
    return c;
}

inline cs_hpm_config widths(cs_hpm_config c, unsigned width)
{
    for (uint8_t &w : c.width)
        w = static_cast<uint8_t>(width);
    return c;
}

class Hart
{
  public:
    cs_cycle t = 0; // the cycle that comes next
    uint64_t time = 0;
    bool stateen_m = true, stateen_h = true;
    std::vector<cs_probe_record> records;

    explicit Hart(const cs_hpm_config &config = straps()) : config_(config)
    {
        const cs_event_source source = {
            [](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) {
                return static_cast<Hart *>(ctx)->sum(event, modes, from, to);
            },
            [](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n) {
                return static_cast<Hart *>(ctx)->reach(event, modes, from, n);
            },
            nullptr, this, nullptr};
        sink_.record = [](void *ctx, const cs_probe_record *record) {
            static_cast<Hart *>(ctx)->records.push_back(*record);
        };
        sink_.ctx = this;
        const cs_hpm_env env = {source, &sink_};
        EXPECT_EQ(CS_OK, cs_hpm_create(&config, &env, &hpm_, nullptr));
    }
    Hart(const Hart &) = delete;
    Hart &operator=(const Hart &) = delete;
    ~Hart()
    {
        cs_hpm_destroy(hpm_);
    }

    cs_hpm *hpm()
    {
        return hpm_;
    }
    bool is32() const
    {
        return config_.xlen == 32;
    }

    // From the next cycle on.
    void mode(unsigned mode)
    {
        modes_[t] = mode;
    }
    void inc(uint32_t event, unsigned increment)
    {
        increments_[event][t] = increment;
    }
    // In cycle `at` alone.
    void pulse(uint32_t event, cs_cycle at, unsigned increment)
    {
        std::map<cs_cycle, unsigned> &steps = increments_[event];
        const unsigned after = value(steps, at + 1, 0);
        steps[at] = increment;
        steps[at + 1] = after;
    }
    void run(cs_cycle cycles)
    {
        t += cycles;
        cs_hpm_advance(hpm_, t);
    }

    // One access in the next cycle, in the mode of that cycle.
    cs_hpm_result access(unsigned csr, int op, uint64_t operand = 0)
    {
        const cs_hpm_access a = {static_cast<uint16_t>(csr),
                                 static_cast<uint8_t>(op),
                                 static_cast<uint8_t>(value(modes_, t, M)),
                                 operand,
                                 time,
                                 stateen_m,
                                 stateen_h};
        return cs_hpm_access_csr(hpm_, t++, &a);
    }
    // The same in another mode, for that cycle alone.
    cs_hpm_result access_in(unsigned mode, unsigned csr, int op, uint64_t operand = 0)
    {
        const unsigned after = value(modes_, t, M);
        modes_[t] = mode;
        modes_[t + 1] = after;
        return access(csr, op, operand);
    }

    uint64_t read(unsigned csr)
    {
        return allowed(access(csr, CS_HPM_OP_READ), csr);
    }
    uint64_t write(unsigned csr, uint64_t value)
    {
        return allowed(access(csr, CS_HPM_OP_WRITE, value), csr);
    }
    uint64_t set(unsigned csr, uint64_t bits)
    {
        return allowed(access(csr, CS_HPM_OP_SET, bits), csr);
    }
    uint64_t clear(unsigned csr, uint64_t bits)
    {
        return allowed(access(csr, CS_HPM_OP_CLEAR, bits), csr);
    }
    uint64_t read_in(unsigned mode, unsigned csr)
    {
        return allowed(access_in(mode, csr, CS_HPM_OP_READ), csr);
    }
    int exception(unsigned mode, unsigned csr, int op = CS_HPM_OP_READ, uint64_t operand = 0)
    {
        return access_in(mode, csr, op, operand).exception;
    }

    // A 64-bit machine register in as many accesses as XLEN asks for: the high half first, so
    // that the low one is what the last cycle wrote.
    void write64(unsigned csr, unsigned high, uint64_t value)
    {
        if (is32())
            write(high, value >> 32);
        write(csr, value);
    }
    uint64_t read64(unsigned csr, unsigned high)
    {
        const uint64_t low = read(csr);
        return is32() ? low | read(high) << 32 : low;
    }
    void counter(unsigned n, uint64_t value)
    {
        write64(MHPM + n, MHPMH + n, value);
    }
    uint64_t counter(unsigned n)
    {
        return read64(MHPM + n, MHPMH + n);
    }
    // mhpmevent n; the cfg registers for 0 and 2.
    void event(unsigned n, uint64_t value)
    {
        const unsigned k = n == 0 ? 1 : n;
        if (is32() && (n < 3 || config_.sscofpmf))
            write(EVENTH + k, value >> 32);
        write(EVENT + k, value);
    }
    uint64_t event(unsigned n)
    {
        const unsigned k = n == 0 ? 1 : n;
        const uint64_t low = read(EVENT + k);
        return is32() && (n < 3 || config_.sscofpmf) ? low | read(EVENTH + k) << 32 : low;
    }
    bool of(unsigned n)
    {
        return event(n) >> 63;
    }
    void cde(bool on)
    {
        write(is32() ? MENVCFGH : MENVCFG, on ? is32() ? 1u << 28 : CDE : 0);
    }

    unsigned lines()
    {
        cs_hpm_advance(hpm_, t);
        return cs_hpm_irq(hpm_);
    }
    // The edges that the probe was told, of line `line`.
    std::vector<cs_cycle> edges(unsigned line, unsigned level) const
    {
        std::vector<cs_cycle> list;
        for (const cs_probe_record &r : records)
            if (r.kind == CS_PROBE_IRQ && r.index == line && r.value == level)
                list.push_back(r.cycle);
        return list;
    }

  private:
    static constexpr cs_cycle FAR = 100000; // nothing is looked for beyond

    static unsigned value(const std::map<cs_cycle, unsigned> &steps, cs_cycle at, unsigned before)
    {
        const auto it = steps.upper_bound(at);
        return it == steps.begin() ? before : std::prev(it)->second;
    }
    unsigned increment(uint32_t event, uint32_t modes, cs_cycle at) const
    {
        const auto it = increments_.find(event);
        if (it == increments_.end() || !(modes >> value(modes_, at, M) & 1))
            return 0;
        return value(it->second, at, 0);
    }
    uint64_t sum(uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) const
    {
        uint64_t total = 0;
        for (cs_cycle at = from; at < to; at++)
            total += increment(event, modes, at);
        return total;
    }
    cs_cycle reach(uint32_t event, uint32_t modes, cs_cycle from, uint64_t n) const
    {
        uint64_t total = 0;
        for (cs_cycle at = from; at < from + FAR; at++) {
            if (total >= n)
                return at;
            total += increment(event, modes, at);
        }
        return CS_NEVER;
    }
    static uint64_t allowed(const cs_hpm_result &result, unsigned csr)
    {
        EXPECT_EQ(NONE, static_cast<int>(result.exception)) << std::hex << csr;
        return result.value;
    }

    cs_hpm_config config_;
    cs_hpm *hpm_ = nullptr;
    cs_probe_sink sink_ = {};
    std::map<cs_cycle, unsigned> modes_ = {{0, M}};
    std::map<uint32_t, std::map<cs_cycle, unsigned>> increments_;
};
