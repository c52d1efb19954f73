// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Writer".
#include "imc_bench.hpp"

using namespace imc;

namespace
{

constexpr uint64_t memory_of[] = {0x100000, 0x200000, 0x300000, 0x400000};
constexpr uint64_t core_memory = 0x800000;

// Threads trace as told, nothing counts yet; the timebase stands.
void begin(Core &core, unsigned tracing)
{
    core.tb_runs = false;
    core.write(PDBAR, core_memory);
    core.write(TRACE, trace(0, 0xFFFFFFFF));
    core.write(EVENT_MASK, count_all);
    core.write(HTM_MODE, mode_on);
    for (unsigned t = 0; t < core.dut.nr_thread_i; t++)
        core.write_ldbar(t, memory_of[t] | (tracing >> t & 1 ? ldbar_trace : ldbar_enable));
}

// An overflow of these threads in one cycle.
void overflow(Core &core, unsigned threads)
{
    core.tell = [threads](unsigned t, const unsigned *) {
        return Told{0, {threads >> t & 1, 0, 0, 0}, 0, 0, 0};
    };
    core.step();
    core.count({0, 0, 0, 0});
}

// A boundary.
void tick(Core &core)
{
    core.in.tick = true;
    core.step();
    core.in.tick = false;
}

std::vector<uint64_t> addresses(const Core &core)
{
    std::vector<uint64_t> list;
    for (const Burst &b : core.memory.bursts)
        list.push_back(b.addr);
    return list;
}

TEST(Writer, CyclesOfARecord)
{
    Core core;
    begin(core, 1);
    const uint64_t t = core.cycle; // of the carry
    overflow(core, 1);
    core.settle();
    ASSERT_EQ(core.memory.bursts.size(), 1u);
    // u = t + 1, waits in t + 2, taken there, valid in t + 3.
    EXPECT_EQ(core.memory.bursts[0].asked, t + 3);
    // The bench is ready one cycle later, and takes a beat a cycle.
    EXPECT_EQ(core.memory.bursts[0].complete, t + 3 + 8 + 1);
    EXPECT_EQ(core.samples[0].cycle, t + 12);
    EXPECT_EQ(core.samples[0].snap, t + 1);
}

TEST(Writer, TheNextIsTakenInTheCycleAfterTheResponse)
{
    Core core;
    begin(core, 3);
    overflow(core, 3);
    core.settle();
    core.settle();
    ASSERT_EQ(core.memory.bursts.size(), 2u);
    EXPECT_EQ(core.memory.bursts[1].asked, core.memory.bursts[0].complete + 2);
}

TEST(Writer, CoreThenThreadThenRecords)
{
    Straps s;
    s.threads = 2;
    Core core(s);
    begin(core, 2);
    tick(core); // windows begin
    core.memory.stuck = true;
    overflow(core, 2);
    core.step(5); // one record is being written
    overflow(core, 2);
    core.step(2); // one waits
    EXPECT_EQ(core.status(12, 15), 2u);
    tick(core); // and then a post for thread 0, twice
    EXPECT_EQ(core.status(12, 15), 4u);
    core.memory.stuck = false;
    for (int i = 0; i < 4; i++)
        core.settle();
    EXPECT_EQ(addresses(core),
              (std::vector<uint64_t>{memory_of[1], add_bit | (core_memory + 0x18),
                                     add_bit | (memory_of[0] + 0x18), memory_of[1] + 64}));
    EXPECT_EQ(core.status(12, 15), 0u);
}

TEST(Writer, RecordsInTurn)
{
    // What waits while `last` was the thread taken last, and the order in which it is written.
    for (unsigned threads : {1u, 2u, 4u}) {
        for (unsigned last = 0; last < threads; last++) {
            for (unsigned waiting = 1; waiting < 1u << threads; waiting++) {
                Straps s;
                s.threads = threads;
                Core core(s);
                begin(core, 15);
                core.memory.stuck = true;
                overflow(core, 1u << last);
                core.step(4);
                overflow(core, waiting);
                core.step(3);
                core.memory.stuck = false;
                for (unsigned i = 0; i <= threads; i++)
                    core.settle();
                std::vector<unsigned> order{last}, found;
                for (unsigned i = 1; i <= threads; i++) {
                    unsigned t = (last + i) % threads;
                    if (waiting >> t & 1)
                        order.push_back(t);
                }
                for (const Sample &sample : core.samples)
                    found.push_back(sample.thread);
                EXPECT_EQ(found, order) << threads << " " << last << " " << waiting;
            }
        }
    }
}

TEST(Writer, AfterResetTheSearchBeginsAtThread0)
{
    Core core;
    begin(core, 15);
    overflow(core, 15);
    for (int i = 0; i < 5; i++)
        core.settle();
    ASSERT_EQ(core.samples.size(), 4u);
    for (unsigned t = 0; t < 4; t++)
        EXPECT_EQ(core.samples[t].thread, t);
}

TEST(Writer, CountOfWhatWaits)
{
    Core core;
    begin(core, 14);
    tick(core);
    core.memory.stuck = true;
    overflow(core, 14);
    core.step(4);
    EXPECT_EQ(core.status(12, 15), 3u);
    overflow(core, 14);
    core.step(2);
    tick(core);
    EXPECT_EQ(core.status(12, 15), 6u); // one is written, two posts and three records wait
    core.write(HTM_MODE, 0);            // what waits is written all the same
    core.memory.stuck = false;
    for (unsigned left = 6; left > 0; left--) {
        EXPECT_EQ(core.status(12, 15), left);
        while (core.memory.bursts.size() < 7 - left)
            core.step();
    }
    EXPECT_EQ(core.status(12, 15), 0u);
}

TEST(Writer, WhatAnErrorSets)
{
    const struct {
        Resp resp;
        uint64_t fir;
    } responses[] = {{DECERR, fir_address}, {SLVERR, fir_dead}};
    const struct {
        uint64_t addr; // of the transfer that fails
        uint64_t status;
    } transfers[] = {{add_bit | (core_memory + 0x18), status_error | status_pdbar},
                     {add_bit | (memory_of[0] + 0x18), status_error},
                     {memory_of[1], status_error}};
    for (const auto &r : responses) {
        for (const auto &x : transfers) {
            Straps s;
            s.threads = 2;
            Core core(s);
            core.memory.response = [&](const Burst &b) {
                return b.addr == x.addr ? unsigned{r.resp} : 0u;
            };
            begin(core, 2);
            tick(core);
            tick(core);
            overflow(core, 2);
            for (int i = 0; i < 4; i++)
                core.settle();
            ASSERT_EQ(core.memory.bursts.size(), 3u); // nothing stops
            const uint64_t now = core.read(STATUS);
            EXPECT_EQ(now & (status_error | status_pdbar), x.status) << std::hex << x.addr;
            EXPECT_EQ(core.read(FIR), r.fir);
            EXPECT_EQ(core.samples[0].resp, x.addr >> 56 ? 0u : unsigned{r.resp});
            core.write(FIR, 0);
            EXPECT_EQ(core.read(STATUS), now);
            core.write(HTM_MODE, mode_on);
            EXPECT_EQ(core.read(STATUS), now & ~x.status);
        }
    }
}

TEST(Writer, AnErrorIsSeenOneCycleAfterItsResponse)
{
    Core core;
    core.memory.response = [](const Burst &) { return unsigned{SLVERR}; };
    begin(core, 1);
    overflow(core, 1);
    uint64_t before = 0;
    while (core.samples.empty())
        before = core.read(FIR); // the last of them in the cycle of the response
    EXPECT_EQ(before, 0u);
    EXPECT_EQ(core.read(FIR), fir_dead);
}

TEST(Writer, SetWinsOverAWriteOfTheSameCycle)
{
    for (Reg reg : {HTM_MODE, FIR}) {
        Core core;
        core.memory.response = [](const Burst &) { return unsigned{DECERR}; };
        begin(core, 0);
        core.memory.stuck = true;
        tick(core);
        tick(core);
        core.step(20);
        core.memory.stuck = false; // the response is in the cycle to come
        core.write(reg, reg == HTM_MODE ? mode_on : 0);
        ASSERT_EQ(core.memory.bursts.size(), 1u);
        EXPECT_EQ(core.status(0, 2), 5u);
        core.settle();
        EXPECT_EQ(core.read(FIR), fir_address);
    }
    // IMA_FSM_TIMEOUT
    Core core;
    begin(core, 0);
    core.memory.stuck = true;
    tick(core);
    tick(core);
    core.in.tick = true;
    core.write(ERR_RPT, 0);
    core.in.tick = false;
    EXPECT_EQ(core.read(ERR_RPT), rpt_timeout);
    core.write(ERR_RPT, 0);
    EXPECT_EQ(core.read(ERR_RPT), 0u);
}

TEST(Writer, AWriteInTheCycleInWhichARecordIsTaken)
{
    // The page says both; here the writer has it.
    Core core;
    begin(core, 1);
    overflow(core, 1); // t
    core.step();       // u
    core.write_ldbar(0, 0);
    EXPECT_TRUE(core.dropped.empty());
    core.settle();
    EXPECT_EQ(core.samples.size(), 1u);
}

} // namespace
