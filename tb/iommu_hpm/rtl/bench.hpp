// SPDX-License-Identifier: Apache-2.0
// An IOMMU's monitor alone on its pins (docs/hw/iommu_hpm.md). One call of step(), or of an access,
// is one bus cycle; peek() takes none, because a read does not wait for the clock.
#ifndef CS_TB_IOMMU_HPM_RTL_BENCH_HPP
#define CS_TB_IOMMU_HPM_RTL_BENCH_HPP

#include <array>
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

namespace at
{
constexpr uint16_t ipsr = 0x054, ovf = 0x058, inh = 0x05C, cycles = 0x060;
constexpr uint16_t counter(unsigned n)
{
    return static_cast<uint16_t>(0x060 + 8 * n);
}
constexpr uint16_t evt(unsigned n)
{
    return static_cast<uint16_t>(0x158 + 8 * n);
}
constexpr unsigned end = 0x300; // behind all registers
} // namespace at

// Fields of iohpmevt.
constexpr uint64_t dmask = bit(15), pv_pscv = bit(60), dv_gscv = bit(61), idt = bit(62),
                   of = bit(63);
constexpr uint64_t pid_pscid(uint64_t id)
{
    return id << 16;
}
constexpr uint64_t did_gscid(uint64_t id)
{
    return id << 36;
}
constexpr uint32_t pmip = 4;

struct Straps {
    unsigned counters = 7;
    unsigned width = 64;
};

// An ID, where there is one.
struct Id {
    bool valid = false;
    uint32_t id = 0;
};

struct Record {
    bool valid = true;
    std::array<uint8_t, 9> inc = {}; // by event
    uint32_t did = 0;
    Id pid, gscid, pscid;
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

struct Access {
    bool write;
    uint16_t offset;
    uint64_t data;
    bool wide;
};

template <class Dut, unsigned NrRecord = 1> class Iommu
{
  public:
    explicit Iommu(const Straps &straps = {}) : straps(straps)
    {
        dut.counters_i = straps.counters;
        dut.width_i = straps.width;
        dut.rst_ni = 0;
        step();
        dut.rst_ni = 1;
        settle();
    }
    ~Iommu()
    {
        dut.final();
    }

    // What the IOMMU reports from now on, as record r.
    void report(const Record &record, unsigned r = 0)
    {
        set(dut.valid_i, r, 1, record.valid);
        for (unsigned e = 1; e <= 8; e++)
            set(dut.inc_i, 32 * r + 4 * (e - 1), 4, record.inc[e]);
        set(dut.did_i, 24 * r, 24, record.did);
        set(dut.pv_i, r, 1, record.pid.valid);
        set(dut.pid_i, 20 * r, 20, record.pid.id);
        set(dut.gscv_i, r, 1, record.gscid.valid);
        set(dut.gscid_i, 16 * r, 16, record.gscid.id);
        set(dut.pscv_i, r, 1, record.pscid.valid);
        set(dut.pscid_i, 20 * r, 20, record.pscid.id);
    }
    void silence()
    {
        for (unsigned r = 0; r < NrRecord; r++)
            set(dut.valid_i, r, 1, 0);
    }

    void step(unsigned cycles = 1)
    {
        for (unsigned i = 0; i < cycles; i++) {
            settle();
            edge();
        }
    }

    // An access whose effect cycle is the one that begins now.
    Answer access(const Access &a)
    {
        const Answer answer = drive(a);
        edge();
        dut.reg_en_i = 0;
        return answer;
    }
    uint64_t read(uint16_t offset, bool wide = false)
    {
        return access({false, offset, 0, wide}).data;
    }
    void write(uint16_t offset, uint64_t data, bool wide = true)
    {
        access({true, offset, data, wide});
    }
    void write_half(uint16_t offset, uint64_t data)
    {
        write(offset, data, false);
    }

    // A read without its cycle.
    uint64_t peek(uint16_t offset, bool wide = false)
    {
        const uint64_t data = drive({false, offset, 0, wide}).data;
        dut.reg_en_i = 0;
        settle();
        return data;
    }
    uint64_t value(unsigned n)
    {
        return peek(at::counter(n), true);
    }
    // All registers, and some offsets behind them, by words of 4 bytes.
    std::vector<uint32_t> frame()
    {
        std::vector<uint32_t> words;
        for (unsigned offset = 0; offset < at::end; offset += 4)
            words.push_back(static_cast<uint32_t>(peek(static_cast<uint16_t>(offset))));
        return words;
    }
    bool irq() const
    {
        return dut.irq_o != 0;
    }

    Answer drive(const Access &a)
    {
        dut.reg_en_i = 1;
        dut.reg_write_i = a.write;
        dut.reg_wide_i = a.wide;
        dut.reg_addr_i = a.offset;
        dut.reg_wdata_i = a.data;
        settle();
        return {dut.reg_rdata_o, dut.reg_err_o != 0};
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

    const Straps straps;
    Dut dut;

  private:
    // Bits of a pin of any width.
    template <class Pin> static void set(Pin &pin, unsigned low, unsigned width, uint64_t value)
    {
        for (unsigned i = 0; i < width; i++) {
            const bool one = (value >> i & 1) != 0;
            if constexpr (std::is_integral_v<Pin>) {
                const auto mask = static_cast<Pin>(Pin{1} << (low + i));
                pin = static_cast<Pin>(one ? pin | mask : pin & ~mask);
            } else {
                const uint32_t mask = uint32_t{1} << (low + i) % 32;
                auto &word = pin[(low + i) / 32];
                word = one ? word | mask : word & ~mask;
            }
        }
    }
};

#endif
