// SPDX-License-Identifier: Apache-2.0
#include "imc_bench.hpp"

namespace
{

unsigned slice(uint64_t pins, unsigned width, unsigned n)
{
    return pins >> (width * n) & ((1u << width) - 1);
}

uint64_t wide(const VlWide<8> &pins, unsigned n)
{
    return pins[2 * n] | uint64_t{pins[2 * n + 1]} << 32;
}

} // namespace

Core::Core(const Straps &s) : oracle_(s)
{
    dut.power10_i = s.power10;
    dut.nr_thread_i = s.threads;
    dut.tap_log2_i = s.tap_log2;
    dut.rst_ni = 0;
    drive();
    dut.clk_i = 0;
    dut.eval();
    dut.clk_i = 1;
    dut.eval();
    dut.rst_ni = 1;
}

void Core::drive()
{
    dut.tb_i = in.tb;
    dut.tb_tick_i = in.tick;
    dut.power_i = in.power;
    dut.reg_en_i = in.reg;
    dut.reg_write_i = in.reg_write;
    dut.reg_sel_i = in.sel;
    dut.reg_wdata_i = in.reg_data;
    dut.ldbar_en_i = in.ldbar < 0 ? 0 : 1u << in.ldbar;
    dut.ldbar_write_i = in.ldbar_write;
    dut.ldbar_wdata_i = in.ldbar_data;
}

// Codes come from registers; the increments of their events go back in the same cycle.
void Core::drive_told()
{
    uint64_t inc[4] = {}, mode = 0;

    for (unsigned t = 0; t < nr_thread; t++) {
        unsigned codes[2] = {slice(dut.code1_o, 7, t), slice(dut.code2_o, 7, t)};
        Told told = in.told[t] = tell(t, codes);
        for (unsigned n = 0; n < 4; n++)
            inc[n] |= uint64_t{told.inc[n]} << (4 * t);
        mode |= uint64_t{told.mode} << (2 * t);
        dut.pc_i[2 * t] = static_cast<uint32_t>(told.pc);
        dut.pc_i[2 * t + 1] = static_cast<uint32_t>(told.pc >> 32);
        dut.pid_i[t] = told.pid;
        dut.lpid_i[t] = told.lpid;
    }
    dut.inc1_i = inc[0];
    dut.inc2_i = inc[1];
    dut.inc3_i = inc[2];
    dut.inc4_i = inc[3];
    dut.mode_i = mode;
}

Pins Core::pins() const
{
    Pins p;

    p.set("state", dut.state_o);
    for (unsigned t = 0; t < nr_thread; t++) {
        bool active = slice(dut.active_o, 1, t), gone = slice(dut.dropped_o, 1, t);
        p.set("active", t, active);
        p.set("code1", t, active ? slice(dut.code1_o, 7, t) : 0);
        p.set("code2", t, active ? slice(dut.code2_o, 7, t) : 0);
        p.set("capture", t, slice(dut.capture_o, 1, t));
        p.set("lost", t, slice(dut.lost_o, 1, t));
        p.set("dropped", t, gone);
        p.set("dropped_addr", t, gone ? wide(dut.dropped_addr_o, t) : 0);
        p.set("dropped_snap", t, gone ? wide(dut.dropped_snap_o, t) : 0);
    }
    p.set("reg_err", dut.reg_err_o);
    p.set("reg_rdata", dut.reg_rdata_o);
    p.set("ldbar_err", dut.ldbar_err_o);
    p.set("ldbar_rdata", dut.ldbar_rdata_o);
    p.set("awvalid", dut.awvalid_o);
    p.set("awaddr", dut.awvalid_o ? uint64_t{dut.awaddr_o} : 0);
    p.set("wvalid", dut.wvalid_o);
    p.set("wdata", dut.wvalid_o ? uint64_t{dut.wdata_o} : 0);
    bool sample = dut.sample_valid_o;
    p.set("sample_valid", sample);
    p.set("sample_thread", sample ? dut.sample_thread_o : 0);
    p.set("sample_addr", sample ? dut.sample_addr_o : 0);
    p.set("sample_resp", sample ? dut.sample_resp_o : 0);
    p.set("sample_snap", sample ? dut.sample_snap_o : 0);
    p.set("sample_number", sample ? dut.sample_number_o : 0);
    return p;
}

void Core::compare()
{
    Pins expected = oracle_.pins(in), found = pins();

    ASSERT_EQ(expected.values.size(), found.values.size());
    for (unsigned i = 0; i < found.values.size(); i++) {
        ASSERT_EQ(found.values[i].first, expected.values[i].first);
        ASSERT_EQ(found.values[i].second, expected.values[i].second)
            << found.values[i].first << " in cycle " << cycle;
    }
}

void Core::observe()
{
    answer = {dut.reg_rdata_o, dut.reg_err_o != 0};
    ldbar_answer = {dut.ldbar_rdata_o, dut.ldbar_err_o != 0};
    if (dut.sample_valid_o)
        samples.push_back({cycle, dut.sample_thread_o, dut.sample_addr_o, dut.sample_resp_o,
                           dut.sample_snap_o, dut.sample_number_o});
    for (unsigned t = 0; t < nr_thread; t++) {
        if (slice(dut.dropped_o, 1, t))
            dropped.push_back({cycle, t, wide(dut.dropped_addr_o, t), wide(dut.dropped_snap_o, t)});
        if (slice(dut.lost_o, 1, t))
            lost.emplace_back(cycle, t);
        if (slice(dut.capture_o, 1, t))
            snapshots.emplace_back(cycle, t);
    }
}

void Core::step()
{
    if (tb_runs) {
        in.tb = cycle;
        in.tick = cycle > 0;
    }
    drive();
    memory.drive(dut);
    dut.clk_i = 0;
    dut.eval();
    drive_told();
    dut.eval();
    in.awready = dut.awready_i;
    in.wready = dut.wready_i;
    in.bvalid = dut.bvalid_i;
    in.bresp = dut.bresp_i;
    memory.observe(dut, cycle);
    if (!::testing::Test::HasFatalFailure())
        compare();
    observe();
    oracle_.clock(in);
    dut.clk_i = 1;
    dut.eval();
    cycle++;
    in.reg = false;
    in.ldbar = -1;
}

Answer Core::access(bool write, unsigned sel, uint64_t data)
{
    in.reg = true;
    in.reg_write = write;
    in.sel = sel;
    in.reg_data = data;
    step();
    return answer;
}

Answer Core::access_ldbar(bool write, unsigned thread, uint64_t data)
{
    in.ldbar = static_cast<int>(thread);
    in.ldbar_write = write;
    in.ldbar_data = data;
    step();
    return ldbar_answer;
}

imc::State Core::state()
{
    return imc::State(dut.state_o);
}
