// SPDX-License-Identifier: Apache-2.0
// A PMCU alone: its pins, the world behind its bus ports, and what happened when.
#ifndef CS_TB_PMCU_RTL_PMCU_BENCH_HPP
#define CS_TB_PMCU_RTL_PMCU_BENCH_HPP

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "axi_world.hpp"
#include "verilated.h"

// Offsets of docs/hw/pmcu.md, in words of their own so that the generated ones are tested.
namespace reg
{
constexpr uint16_t status = 0x000, cfg = 0x004, event_h = 0x008, event_l = 0x00C, kill_h = 0x010,
                   kill_l = 0x014, store_h = 0x018, store_l = 0x01C, wait_cnt = 0x020,
                   trigger = 0x038, brk = 0x03C, comp = 0x044, int_en = 0x100, int_msk = 0x104,
                   int_stat = 0x108, int_clr = 0x10C, pmcr = 0x200, pmccfiltr = 0x204;
} // namespace reg

enum State { IDLE, INIT, FETCH, PROGRAM, START, WAIT, STOP, READ, STORE, SWITCH, BREAK };

// Bits of FSM_STATUS and INT_STAT.
constexpr uint32_t cfg_err = 1u << 8, fetch_err = 1u << 9, core_err = 1u << 10,
                   store_err = 1u << 11, killed = 1u << 12, trig_lost = 1u << 13;
constexpr uint32_t done = 1, broken = 2;

// "Orders".
enum Order { all_cores, by_core, by_counter, running };

struct Plan {
    unsigned clusters = 2, slots = 2, lanes = 1;
    bool broadcast = false, prefetch = false, ext64 = false, posted = false;
    unsigned tick_cycles = 1;
    unsigned order = all_cores;

    unsigned ev_len = 3, nr_loop = 1, nr_pmu = 2;
    bool comp = false;
    uint64_t event_base = 0x80000004, store_base = 0x90000000, kill_base = 0xA0000000;
    uint32_t wait_cnt = 5;
    uint32_t pmcr = 0xC1; // as after reset

    unsigned groups() const
    {
        return (ev_len + nr_pmu - 1) / nr_pmu;
    }
    unsigned nr_cpu() const
    {
        return clusters * slots;
    }
    unsigned sample_bytes() const
    {
        return (nr_pmu + (comp ? 1 : 2)) * 8 * nr_cpu();
    }
    unsigned first_counter() const
    {
        return comp ? 3 : 0;
    }
    uint32_t mask() const
    {
        return ((1u << nr_pmu) - 1) << first_counter() | (comp ? 0 : 0x80000000);
    }
    uint16_t event(unsigned n) const
    {
        return n < ev_len ? 0x1000 + n : 0xC000;
    }
};

struct Sample {
    uint64_t cycle, addr;
    uint32_t number, bytes;
};

class Pmcu
{
  public:
    explicit Pmcu(const Plan &s) : plan(s)
    {
        dut.nr_cluster_i = s.clusters;
        dut.nr_slot_i = s.slots;
        dut.nr_lane_i = s.lanes;
        dut.broadcast_i = s.broadcast;
        dut.prefetch_i = s.prefetch;
        dut.ext64_i = s.ext64;
        dut.order_i = s.order;
        dut.posted_i = s.posted;
        dut.tick_cycles_i = s.tick_cycles;
        world.nr_lane_used = s.lanes;
        world.store_base = s.store_base & ~7ull;
        world.kill_base = s.kill_base & ~7ull;
        for (unsigned i = 0; i < s.ev_len; i++)
            world.put((s.event_base & ~3ull) + 4 * i, 0xABCD0000 | s.event(i));
        dut.rst_ni = 0;
        step();
        dut.rst_ni = 1;
    }
    ~Pmcu()
    {
        dut.final();
    }

    void step()
    {
        dut.clk_i = 0;
        world.drive(dut);
        dut.eval();
        world.observe(dut, cycle);
        if (dut.sample_valid_o)
            samples.push_back({cycle, dut.sample_addr_o, dut.sample_number_o, dut.sample_bytes_o});
        dut.clk_i = 1;
        dut.eval();
        cycle++;
        if (states.back().first != state())
            states.push_back({state(), cycle});
    }
    void step(uint64_t cycles)
    {
        for (uint64_t i = 0; i < cycles; i++)
            step();
    }

    // A register access whose effect cycle is the current one.
    void write(uint16_t offset, uint32_t data)
    {
        dut.reg_en_i = 1;
        dut.reg_write_i = 1;
        dut.reg_addr_i = offset;
        dut.reg_wide_i = 0;
        dut.reg_wdata_i = data;
        step();
        dut.reg_en_i = dut.reg_write_i = 0;
    }
    uint32_t read(uint16_t offset)
    {
        dut.reg_en_i = 1;
        dut.reg_write_i = 0;
        dut.reg_addr_i = offset;
        dut.reg_wide_i = 0;
        dut.clk_i = 0;
        world.drive(dut);
        dut.eval();
        EXPECT_FALSE(dut.reg_err_o);
        EXPECT_EQ(dut.reg_rdata_o >> 32, 0u);
        uint32_t data = static_cast<uint32_t>(dut.reg_rdata_o);
        step();
        dut.reg_en_i = 0;
        return data;
    }

    void configure()
    {
        write(reg::cfg, plan.ev_len | plan.nr_loop << 8 | plan.nr_pmu << 16);
        write(reg::event_h, plan.event_base >> 32);
        write(reg::event_l, plan.event_base);
        write(reg::kill_h, plan.kill_base >> 32);
        write(reg::kill_l, plan.kill_base);
        write(reg::store_h, plan.store_base >> 32);
        write(reg::store_l, plan.store_base);
        write(reg::wait_cnt, plan.wait_cnt);
        write(reg::comp, plan.comp);
        write(reg::pmcr, plan.pmcr);
        write(reg::pmccfiltr, 0x58000000);
        write(reg::int_en, done | broken);
    }
    // `triggered` is the effect cycle of the trigger.
    void trigger()
    {
        triggered = cycle;
        write(reg::trigger, 1);
    }
    State state() const
    {
        return State(dut.state_o);
    }

    // Until IDLE; a run that does not get there fails the test.
    void finish(uint64_t limit = 100000)
    {
        uint64_t end = cycle + limit;
        while (state() != IDLE && cycle < end)
            step();
        EXPECT_EQ(state(), IDLE) << "hangs";
        EXPECT_TRUE(world.idle()) << "a transfer is out";
        for (const std::string &complaint : world.complaints)
            ADD_FAILURE() << complaint;
    }
    void run()
    {
        configure();
        trigger();
        finish();
    }
    bool reach(State wanted, uint64_t limit = 100000)
    {
        for (uint64_t i = 0; i < limit && state() != wanted; i++)
            step();
        return state() == wanted;
    }
    std::vector<State> order() const
    {
        std::vector<State> list;
        for (const auto &entry : states)
            list.push_back(entry.first);
        return list;
    }

    Plan plan;
    Vpmcu dut;
    AxiWorld world;
    uint64_t cycle = 0, triggered = 0;
    std::vector<std::pair<State, uint64_t>> states{{IDLE, 0}}; // and the first cycle of each
    std::vector<Sample> samples;
};

#endif
