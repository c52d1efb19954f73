// SPDX-License-Identifier: Apache-2.0
// The verilated hpm block on its pins, one cycle a call, and what a probe on them would record.
#pragma once

#include <vector>

#include "../model/random_program.hpp"
#include "verilated.h"

// The outputs of one cycle.
struct Outputs {
    int exception;
    uint64_t value;
    unsigned lines;
    uint32_t counting;
    uint16_t event[32];
};

template <class Dut> class RtlSide
{
  public:
    std::vector<cs_probe_record> records;

    RtlSide(const cs_hpm_config &config, const TableHart &hart, uint64_t seed)
        : config_(config), hart_(hart), random_{mix(seed, 0x52)}
    {
        straps();
        garbage();
        dut_.rst_ni = 0;
        clock(0);
        clock(1);
        dut_.rst_ni = 1;
    }
    ~RtlSide()
    {
        dut_.final();
    }

    // Cycle p.t. With `resets`, reset falls and rises again before the cycle that follows.
    Outputs cycle(const Pins &p, bool resets)
    {
        garbage();
        drive(p);
        clock(0);
        const Outputs seen = look();
        note(p, seen);
        increments(p.t);
        if (resets)
            dut_.rst_ni = 0;
        clock(1);
        dut_.rst_ni = 1;
        return seen;
    }

  private:
    cs_hpm_config config_;
    const TableHart &hart_;
    Random random_;
    VerilatedContext context_;
    Dut dut_{&context_};
    unsigned lines_ = 0;

    void clock(unsigned level)
    {
        dut_.clk_i = level;
        dut_.eval();
    }

    // The width of a counter that is not there does not matter.
    void straps()
    {
        dut_.xlen64_i = config_.xlen == 64;
        dut_.modes_i = config_.modes;
        dut_.counters_i = config_.counters;
        dut_.sscofpmf_i = config_.sscofpmf;
        dut_.smcntrpmf_i = config_.smcntrpmf;
        dut_.smcdeleg_i = config_.smcdeleg;
        dut_.aia_i = config_.aia;
        dut_.lcofi_latency_i = config_.lcofi_latency;
        for (unsigned n = 0; n < 32; n++) {
            const bool there = config_.counters >> n & 1;
            const uint32_t width = there ? config_.width[n] : static_cast<uint32_t>(random_(128));
            for (unsigned b = 0; b < 7; b++)
                if (width >> b & 1)
                    dut_.width_i[(7 * n + b) / 32] |= 1u << (7 * n + b) % 32;
        }
    }

    // On all pins that an output must not hang on, or not without an access.
    void garbage()
    {
        for (unsigned i = 0; i < 4; i++)
            dut_.inc_i[i] = static_cast<uint32_t>(random_.bits());
        dut_.cycle_inc_i = random_(16);
        dut_.instret_inc_i = random_(16);
        dut_.csr_addr_i = random_(0x1000);
        dut_.csr_op_i = random_(4);
        dut_.csr_wdata_i = random_.bits();
        dut_.time_i = random_.bits();
        dut_.stateen_m_i = random_(2);
        dut_.stateen_h_i = random_(2);
    }

    void drive(const Pins &p)
    {
        dut_.mode_i = p.mode & 3;
        dut_.v_i = p.mode >> 2;
        dut_.csr_valid_i = p.op >= 0;
        if (p.op < 0)
            return;
        const uint64_t beyond = config_.xlen == 32 ? random_.bits() << 32 : 0;
        dut_.csr_addr_i = p.csr;
        dut_.csr_op_i = static_cast<unsigned>(p.op);
        dut_.csr_wdata_i = p.operand ^ beyond;
        dut_.time_i = p.time;
        dut_.stateen_m_i = p.stateen_m;
        dut_.stateen_h_i = p.stateen_h;
    }

    // As the hart answers event_o; counters that do not count keep their garbage.
    void increments(cs_cycle t)
    {
        dut_.cycle_inc_i = hart_.increment(CS_HPM_EVENT_CYCLES, t);
        dut_.instret_inc_i = hart_.increment(CS_HPM_EVENT_INSTRET, t);
        for (unsigned n = 3; n < 32; n++) {
            if (!(dut_.counting_o >> n & 1))
                continue;
            uint32_t &word = dut_.inc_i[n / 8];
            const unsigned at = 4 * (n % 8);
            word = (word & ~(15u << at)) | hart_.increment(event(n), t) << at;
        }
    }

    unsigned event(unsigned n) const
    {
        return dut_.event_o[n / 2] >> 16 * (n % 2) & 0xFFFF;
    }

    Outputs look() const
    {
        Outputs seen = {};
        seen.exception = dut_.csr_exc_o;
        seen.value = dut_.csr_rdata_o;
        seen.lines = dut_.lcofi_o;
        seen.counting = dut_.counting_o;
        for (unsigned n = 0; n < 32; n++)
            seen.event[n] = static_cast<uint16_t>(event(n));
        return seen;
    }

    // Section 11, of the pins alone.
    void note(const Pins &p, const Outputs &seen)
    {
        cs_probe_record record = {};
        record.cycle = p.t;
        record.source = config_.unit;
        record.kind = CS_PROBE_IRQ;
        for (unsigned line = 0; line < 3; line++) {
            if (!((seen.lines ^ lines_) >> line & 1))
                continue;
            record.index = static_cast<uint16_t>(line);
            record.value = seen.lines >> line & 1;
            records.push_back(record);
        }
        lines_ = seen.lines;
        if (p.op < 0)
            return;
        record.kind = CS_PROBE_REG;
        record.index = 0;
        record.addr = p.csr;
        record.bytes = config_.xlen / 8;
        record.value = seen.value;
        record.resp = static_cast<uint8_t>(seen.exception);
        record.write = seen.exception != 0 && p.op != CS_HPM_OP_READ;
        records.push_back(record);
        if (p.op == CS_HPM_OP_READ || seen.exception != 0)
            return;
        const uint64_t word = config_.xlen == 32 ? p.operand & 0xFFFFFFFF : p.operand;
        record.write = 1;
        record.value = p.op == CS_HPM_OP_WRITE ? word
                       : p.op == CS_HPM_OP_SET ? seen.value | word
                                               : seen.value & ~word;
        records.push_back(record);
    }
};
