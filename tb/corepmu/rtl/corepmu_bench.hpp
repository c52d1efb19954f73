// SPDX-License-Identifier: Apache-2.0
// A core PMU alone on its pins. One call of step() is one bus cycle.
#ifndef CS_TB_COREPMU_RTL_COREPMU_BENCH_HPP
#define CS_TB_COREPMU_RTL_COREPMU_BENCH_HPP

#include <array>
#include <cstdint>
#include <vector>

#include "Vcorepmu.h"
#include "verilated.h"

struct Straps {
    unsigned counters = 8;
    bool ext64 = false;
    unsigned hpmn = 8;
    bool hpme = false;
    bool offline = false;
    bool locked = false;
    bool hpmd = false;
    bool spme = false;
};

struct Answer {
    uint64_t data;
    bool error;

    bool operator==(const Answer &other) const
    {
        return data == other.data && error == other.error;
    }
};

// Offsets of docs/hw/corepmu.md, in words of their own so that the generated ones are tested.
namespace at
{
constexpr uint16_t counter(unsigned n)
{
    return 8 * n;
}
constexpr uint16_t cycles = 0xF8, pc = 0x200, pc_alias = 0x220, cid1 = 0x208, cid1_alias = 0x228,
                   vid = 0x20C, cid2 = 0x22C, enable_set = 0xC00, enable_clr = 0xC20,
                   interrupt_set = 0xC40, interrupt_clr = 0xC60, overflow_clr = 0xC80,
                   overflow_set = 0xCC0, config = 0xE00;
constexpr uint16_t typer(bool ext64, unsigned n)
{
    return 0x400 + (ext64 ? 8 : 4) * n;
}
constexpr uint16_t cycle_filter(bool ext64)
{
    return ext64 ? 0x4F8 : 0x47C;
}
constexpr uint16_t control(bool ext64)
{
    return ext64 ? 0xE10 : 0xE04;
}
} // namespace at

class CorePmu
{
  public:
    explicit CorePmu(const Straps &straps) : straps_(straps)
    {
        dut.nr_counter_i = straps.counters;
        dut.ext64_i = straps.ext64;
        dut.hpmn_i = straps.hpmn;
        dut.hpme_i = straps.hpme;
        dut.hpmd_i = straps.hpmd;
        dut.spme_i = straps.spme;
        dut.offline_i = straps.offline;
        dut.locked_i = straps.locked;
        dut.rst_ni = 0;
        step();
        dut.rst_ni = 1;
    }
    ~CorePmu()
    {
        dut.final();
    }

    // What the core says from now on.
    void increment(unsigned counter, unsigned by)
    {
        unsigned shift = 8 * (counter % 4);
        uint32_t &word = dut.inc_i[counter / 4];
        word = (word & ~(0xFFu << shift)) | (by << shift);
    }
    void increment_all(unsigned by)
    {
        for (unsigned n = 0; n < 31; n++)
            increment(n, by);
        dut.cycle_inc_i = by;
    }
    void silence()
    {
        increment_all(0);
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

    // Accesses whose effect cycle is the next one.
    Answer access(bool write, uint16_t offset, uint64_t data, bool wide)
    {
        dut.reg_en_i = 1;
        dut.reg_write_i = write;
        dut.reg_addr_i = offset;
        dut.reg_wide_i = wide;
        dut.reg_wdata_i = data;
        dut.clk_i = 0;
        dut.eval();
        captured = dut.capture_o;
        Answer answer{dut.reg_rdata_o, dut.reg_err_o != 0};
        dut.clk_i = 1;
        dut.eval();
        dut.reg_en_i = 0;
        return answer;
    }
    Answer read(uint16_t offset)
    {
        return access(false, offset, 0, false);
    }
    Answer read_wide(uint16_t offset)
    {
        return access(false, offset, 0, true);
    }
    Answer write(uint16_t offset, uint32_t data)
    {
        return access(true, offset, data, false);
    }
    Answer write_wide(uint16_t offset, uint64_t data)
    {
        return access(true, offset, data, true);
    }

    // A 64-bit counter, put and got with words. Nothing may be counting.
    void put(uint16_t offset, uint64_t value)
    {
        write(offset, static_cast<uint32_t>(value));
        write(offset + 4, static_cast<uint32_t>(value >> 32));
    }
    uint64_t get(uint16_t offset)
    {
        uint64_t low = read(offset).data;
        return read(offset + 4).data << 32 | low;
    }

    // All words of the frame but those whose read captures.
    std::vector<uint64_t> frame()
    {
        std::vector<uint64_t> words;
        for (unsigned offset = 0; offset < 0x1000; offset += 4) {
            bool captures = offset == at::pc || offset == at::pc_alias;
            words.push_back(captures ? 0 : read(offset).data);
        }
        return words;
    }

    void control(uint32_t value)
    {
        write(at::control(straps_.ext64), value);
    }
    uint16_t event(unsigned n) const
    {
        return dut.event_o[n / 2] >> (16 * (n % 2));
    }

    Vcorepmu dut;
    bool captured = false; // capture_o of the last access

  private:
    Straps straps_;
};

#endif
