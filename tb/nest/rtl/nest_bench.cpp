// SPDX-License-Identifier: Apache-2.0
#include "nest_bench.hpp"

#include <ostream>

#include "nest_inside.hpp"

void PrintTo(const Sample &sample, std::ostream *out)
{
    *out << std::hex << "group " << sample.group << " at 0x" << sample.addr << std::dec << " no. "
         << sample.number << ", " << sample.bytes << " bytes, resp " << sample.resp << ", cycles "
         << sample.start << ".." << sample.cycle;
}

void PrintTo(const Change &change, std::ostream *out)
{
    *out << "status " << change.status << " in cycle " << change.cycle;
}

void PrintTo(const Written &written, std::ostream *out)
{
    *out << std::hex << "0x" << written.offset << ":";
    for (uint64_t word : written.words)
        *out << " " << word;
    *out << std::dec;
}

void Increments::drive(NestTop &dut, uint64_t cycle) const
{
    const uint8_t *row = table_[cycle % period];
    for (unsigned w = 0; 8 * w < nr_counter; w++) {
        uint32_t word = 0;
        for (unsigned i = 0; i < 8 && 8 * w + i < nr_counter; i++)
            word |= uint32_t{row[8 * w + i]} << (4 * i);
        dut.inc_i[w] = word;
    }
}

Nest::Nest(uint32_t tick_cycles_, uint64_t base_) : base(base_), tick_cycles(tick_cycles_)
{
    dut.base_i = base;
    dut.tick_cycles_i = tick_cycles;
    dut.rst_ni = 0;
    for (int edge = 0; edge < 4; edge++) {
        dut.clk_i = edge & 1;
        memory.drive(dut);
        dut.eval();
    }
    dut.rst_ni = 1;
}

Nest::~Nest()
{
    dut.final();
}

void Nest::preset(unsigned counter, uint64_t value)
{
    ASSERT_EQ(cycle, 0u);
    ASSERT_TRUE(nest_inside_preset(dut, counter, value));
    presets[counter] = value;
}

void Nest::step()
{
    dut.clk_i = 0;
    increments.drive(dut, cycle);
    memory.drive(dut);
    dut.eval();
    unsigned before = changes.empty() ? static_cast<unsigned>(INIT) : changes.back().status;
    if (dut.status_o != before)
        changes.push_back({dut.status_o, cycle});
    if (dut.sample_valid_o)
        samples.push_back({cycle, dut.sample_group_o, dut.sample_addr_o, dut.sample_number_o,
                           dut.sample_bytes_o, dut.sample_resp_o, dut.sample_start_o});
    memory.observe(dut, cycle);
    dut.clk_i = 1;
    dut.eval();
    cycle++;
}

void Nest::ticks(unsigned count)
{
    ticks_done_ += count;
    run_to((ticks_done_ + 1) * tick_cycles);
    EXPECT_TRUE(memory.idle()) << "a tick takes longer than the test thought";
}

std::vector<Transfer> Nest::fresh_transfers()
{
    std::vector<Transfer> list(memory.transfers.begin() + static_cast<std::ptrdiff_t>(taken_),
                               memory.transfers.end());
    taken_ = memory.transfers.size();
    return list;
}

std::vector<Written> Nest::written(bool adds)
{
    std::vector<Written> list;
    for (const Transfer &t : fresh_transfers())
        if (t.write && ((t.addr & add_bit) != 0) == adds)
            list.push_back({(t.addr & ~add_bit) - base, t.words});
    return list;
}

std::vector<Written> Nest::fresh_writes()
{
    return written(false);
}

std::vector<Written> Nest::fresh_posts()
{
    return written(true);
}

void Nest::expect_no_complaints() const
{
    for (const std::string &complaint : memory.complaints)
        ADD_FAILURE() << complaint;
}
