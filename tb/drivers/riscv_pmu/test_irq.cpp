// SPDX-License-Identifier: Apache-2.0
// docs/drivers/riscv_driver.md, "The overflow handler".
#include "kernel.hpp"

using namespace cs_test;

namespace
{

Machine throttled(Machine m, unsigned most = 2)
{
    m.driver.max_samples_per_tick = most;
    m.driver.tick_cycles = 100000;
    return m;
}

} // namespace

TEST(RiscvPmuIrq, NothingRuns)
{
    for (cs_riscv_kind kind : {CS_RISCV_SBI, CS_RISCV_DELEGATED, CS_RISCV_V3}) {
        Kernel k(machine(kind));
        cs_riscv_perf_event *event = k.start(raw(kOne, 100));

        k.run(100);
        k.stop(event);
        k.start(firmware(5));
        k.taken();
        EXPECT_NE(k.csr(0x344), 0u);
        EXPECT_FALSE(k.irq());
        EXPECT_EQ(k.taken(), "sip=0");
        EXPECT_EQ(k.csr(0x344), 0u);
        EXPECT_EQ(k.figures().interrupts, 1u);
        EXPECT_EQ(k.figures().spurious, 1u);
    }
}

// One samples and has overflowed, one does not sample and has, too, one has not.
TEST(RiscvPmuIrq, StepsInTheirOrder)
{
    const struct {
        const char *name;
        Machine machine;
        const char *log;
    } rows[] = {
        {"sbi", machine(),
         "STOP(0,38) scountovf sip=0 C3 START(0,30) START(3,1,1,ffffffffffffffba)"},
        {"sbi 32", machine(CS_RISCV_SBI, 32),
         "STOP(0,38) STOP(20) scountovf sip=0 Ch3 C3 Ch3 START(0,30) START(20)"
         " START(3,1,1,ffffffba,ffffffff)"},
        {"delegated", machine(CS_RISCV_DELEGATED),
         "scountinhibit=3fd scountovf sip=0 C3 scountinhibit=3cd select=43 sireg=ffffffffffffffba"
         " sireg2=40 scountinhibit=3c5"},
        {"delegated 32", machine(CS_RISCV_DELEGATED, 32),
         "scountinhibit=3fd scountovf sip=0 Ch3 C3 Ch3 scountinhibit=3cd select=43 sireg=ffffffba"
         " sireg4=ffffffff sireg5=0 scountinhibit=3c5"},
        {"v3", machine(CS_RISCV_V3),
         "STOP(3) STOP(4) STOP(5) scountovf sip=0 C3 START(3,ffffffffffffffba) C4 START(4,82) C5"
         " START(5,ffffffffffffff7e)"},
        {"page", with_page(machine()), "STOP(0,38,2) sip=0 START(0,38,2)"},
        {"page 32", with_page(machine(CS_RISCV_SBI, 32)),
         "STOP(0,38,2) STOP(20,0,2) sip=0 START(0,38,2) START(20,0,2)"},
    };

    for (Machine m : {machine(), machine(CS_RISCV_SBI, 32)})
        ASSERT_TRUE(m.driver.sscofpmf);
    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        Machine m = row.machine;

        m.hpm.counters |= 0x380; // the set of firmware's begins at 10
        Kernel k(m);
        cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne)),
                            *c = k.start(raw(kOne, 260));
        k.csr(0xb04, 0); // b wraps
        if (m.hpm.xlen == 32)
            k.csr(0xb84, 0);
        k.run(130);
        k.csr(0x324, kOne | (m.hpm.xlen == 64 ? kOf : 0));
        if (m.hpm.xlen == 32)
            k.csr(0x724, 0x80000000);
        k.taken();
        EXPECT_TRUE(k.irq());
        EXPECT_EQ(k.taken(), row.log);
        EXPECT_EQ(k.counter(3), 0 - UINT64_C(70));
        EXPECT_EQ(k.counter(4), 130u) << "goes on where it was";
        EXPECT_EQ(k.counter(5), 0 - UINT64_C(130));
        EXPECT_TRUE(k.runs(3) && k.runs(4) && k.runs(5));
        EXPECT_EQ(cs_riscv_perf_state(a) | cs_riscv_perf_state(b) | cs_riscv_perf_state(c), 0u);
        EXPECT_EQ(k.samples.size(), 1u);
        EXPECT_EQ(k.figures().spurious, 0u);
        EXPECT_EQ(k.figures().sbi_errors, 0u) << "empty sets are none";
        EXPECT_EQ(k.selector(3) >> 63, 0u) << "armed again";
        k.run(70);
        EXPECT_EQ(k.read(a), 200u);
        EXPECT_EQ(k.read(c), 200u);
    }
}

TEST(RiscvPmuIrq, NoOverflowAtAll)
{
    for (Machine m : {machine(), machine(CS_RISCV_SBI, 32), machine(CS_RISCV_DELEGATED),
                      machine(CS_RISCV_V3), with_page(machine())}) {
        SCOPED_TRACE(m.driver.kind);
        Kernel k(m);
        cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne));

        k.run(60);
        EXPECT_FALSE(k.irq());
        EXPECT_EQ(k.figures().spurious, 1u);
        EXPECT_TRUE(k.runs(3) && k.runs(4)) << "all go on";
        EXPECT_EQ(k.counter(3), 0 - UINT64_C(40));
        k.run(30);
        EXPECT_EQ(k.read(a), 90u);
        EXPECT_EQ(k.read(b), 90u);
        EXPECT_TRUE(k.samples.empty());
    }
}

TEST(RiscvPmuIrq, AStoppedEventIsLeftAlone)
{
    Kernel k;
    cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne, 100));

    k.run(150);
    k.stop(a);
    EXPECT_TRUE(k.irq());
    EXPECT_FALSE(k.runs(3));
    EXPECT_EQ(k.samples.size(), 1u);
    EXPECT_EQ(k.samples[0].event, b);
    EXPECT_EQ(cs_riscv_perf_state(a), kStopped | kUpToDate);
    EXPECT_EQ(cs_riscv_perf_left(a), -50);
}

TEST(RiscvPmuIrq, SeveralAtOnceInRisingOrder)
{
    for (Machine m : {machine(), machine(CS_RISCV_DELEGATED), with_page(machine())}) {
        Kernel k(m);
        cs_riscv_perf_event *events[4];

        for (unsigned i = 0; i < 4; i++)
            events[i] = k.start(raw(kOne, 100 + i));
        k.run(102);
        EXPECT_TRUE(k.irq());
        ASSERT_EQ(k.samples.size(), 3u);
        for (unsigned i = 0; i < 3; i++) {
            EXPECT_EQ(k.samples[i].event, events[i]);
            EXPECT_EQ(k.samples[i].period, 100 + i);
            EXPECT_EQ(k.samples[i].counter, 3 + i);
        }
        EXPECT_EQ(k.figures().samples, 3u);
    }
}

TEST(RiscvPmuIrq, EachPeriodOneSample)
{
    for (Machine m :
         {machine(), machine(CS_RISCV_SBI, 32), machine(CS_RISCV_DELEGATED),
          machine(CS_RISCV_DELEGATED, 32), machine(CS_RISCV_V3), machine(CS_RISCV_V3, 32),
          with_page(machine()), with_page(machine(CS_RISCV_SBI, 32))}) {
        Kernel k(m);
        cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kFifteen, 777));

        k.serve(10060);
        EXPECT_EQ(k.read(a), 10060u);
        EXPECT_EQ(k.read(b), 15 * 10060u);
        size_t of_a = 0;
        for (const Sample &s : k.samples) {
            of_a += s.event == a;
            EXPECT_EQ(s.period, s.event == a ? 100u : 777u);
        }
        EXPECT_EQ(of_a, 100u);
        EXPECT_EQ(k.samples.size() - of_a, 15 * 10060u / 777);
    }
}

TEST(RiscvPmuIrq, WhatASampleHas)
{
    Machine m = machine();

    m.costs.trap_cycles = 7;
    Kernel k(m);
    cs_riscv_perf_event *event = k.start(raw(kOne, 100));
    k.run(103);
    const cs_cycle begin = k.now();
    k.irq();
    ASSERT_EQ(k.samples.size(), 1u);
    const Sample &s = k.samples[0];
    EXPECT_EQ(s.event, event);
    EXPECT_EQ(s.hart, 3u);
    EXPECT_EQ(s.cycle, begin - 7);
    EXPECT_EQ(s.period, 100u);
    EXPECT_EQ(s.counter, 3u);
    EXPECT_EQ(s.count, 103u);
    EXPECT_FALSE(s.lost);
    EXPECT_GE(s.time, 5000000 + begin);
    EXPECT_LE(s.time, 5000000 + k.now());
}

// Who was interrupted, by the mode of the workload.
TEST(RiscvPmuIrq, WhoWasInterrupted)
{
    const struct {
        unsigned mode;
        unsigned misc;
    } rows[] = {
        {CS_HPM_MODE_U, CS_PERF_MISC_USER},          {CS_HPM_MODE_S, CS_PERF_MISC_KERNEL},
        {CS_HPM_MODE_M, CS_PERF_MISC_KERNEL},        {CS_HPM_MODE_VU, CS_PERF_MISC_GUEST_USER},
        {CS_HPM_MODE_VS, CS_PERF_MISC_GUEST_KERNEL},
    };

    for (const auto &row : rows) {
        Machine m = machine();
        cs_context context = {};

        m.workload = row.mode;
        Kernel k(m);
        k.start(raw(kOne, 100));
        k.run(100);
        cs_hart_context(k.hart(), &context);
        ASSERT_EQ(context.cid1, 0x101u);
        k.irq();
        ASSERT_EQ(k.samples.size(), 1u);
        EXPECT_EQ(k.samples[0].misc, row.misc);
        EXPECT_EQ(k.samples[0].ip, 0x10000u);
        EXPECT_EQ(k.samples[0].pid, 0x101u);
        EXPECT_EQ(k.samples[0].tid, 0x101u);
    }
}

TEST(RiscvPmuIrq, Costs)
{
    const auto took = [](unsigned handler, unsigned sample, uint64_t events) {
        Machine m = machine();

        m.driver.handler_cycles = handler;
        m.driver.sample_cycles = sample;
        Kernel k(m);
        k.start(raw(kOne, 100));
        k.start(raw(kOne, 100));
        k.run(events);
        const cs_cycle begin = k.now();
        k.irq();
        return k.now() - begin;
    };

    EXPECT_EQ(took(1000, 0, 100), took(0, 0, 100) + 1000);
    EXPECT_EQ(took(0, 300, 100), took(0, 0, 100) + 600) << "two samples";
    EXPECT_EQ(took(1000, 300, 50), took(0, 0, 50) + 1000) << "none";
}

// ---- throttling ----

TEST(RiscvPmuThrottle, TheSampleAfterTheMostStops)
{
    for (Machine m :
         {machine(), machine(CS_RISCV_DELEGATED), machine(CS_RISCV_V3), with_page(machine())}) {
        SCOPED_TRACE(m.driver.kind);
        Kernel k(throttled(m));
        cs_riscv_perf_event *event = k.start(raw(kOne, 100)), *other = k.start(raw(kOne, 1000000));

        k.serve(210);
        EXPECT_EQ(k.samples.size(), 2u);
        EXPECT_TRUE(k.throttles.empty());
        EXPECT_EQ(cs_riscv_pmu_next_tick(k.pmu(), 0), CS_NEVER);
        k.serve(5000);
        EXPECT_EQ(k.samples.size(), 3u);
        ASSERT_EQ(k.throttles.size(), 1u);
        EXPECT_EQ(k.throttles[0], std::make_pair((const cs_riscv_perf_event *)event, true));
        EXPECT_EQ(cs_riscv_perf_state(event), kStopped | kUpToDate);
        EXPECT_FALSE(k.runs(3));
        EXPECT_TRUE(k.runs(4));
        EXPECT_EQ(k.read(event), 301u);
        EXPECT_EQ(cs_riscv_perf_left(event), 99) << "the next period is there";
        EXPECT_EQ(k.figures().throttled, 1u);

        EXPECT_EQ(cs_riscv_pmu_next_tick(k.pmu(), k.now()), 100000u);
        EXPECT_EQ(cs_riscv_pmu_next_tick(k.pmu(), 100000), 100000u);
        EXPECT_EQ(cs_riscv_pmu_next_tick(k.pmu(), 100001), 200000u);
        k.serve(4000);
        cs_hart_work(k.hart(), 100000 - k.now());
        k.tick();
        EXPECT_EQ(k.throttles.back(), std::make_pair((const cs_riscv_perf_event *)event, false));
        EXPECT_EQ(k.figures().unthrottled, 1u);
        EXPECT_TRUE(k.runs(3));
        EXPECT_EQ(k.counter(3), 0 - UINT64_C(99));
        EXPECT_EQ(cs_riscv_pmu_next_tick(k.pmu(), k.now()), CS_NEVER);
        k.serve(1000);
        EXPECT_EQ(k.samples.size(), 6u) << "as many again in a new tick";
        EXPECT_EQ(k.figures().throttled, 2u);
        EXPECT_EQ(k.figures().warnings, 0u);
        EXPECT_EQ(cs_riscv_perf_state(other), 0u);
    }
}

TEST(RiscvPmuThrottle, CountsByTick)
{
    Kernel k(throttled(machine(), 2));
    cs_riscv_perf_event *event = k.start(raw(kOne, 100));

    for (unsigned tick = 1; tick < 6; tick++) {
        k.serve(205);
        cs_hart_work(k.hart(), tick * 100000 - k.now());
        k.tick();
    }
    EXPECT_EQ(k.samples.size(), 10u);
    EXPECT_EQ(k.figures().throttled, 0u);
    EXPECT_EQ(k.read(event), 5 * 205u);
}

TEST(RiscvPmuThrottle, ZeroIsNever)
{
    Kernel k(throttled(machine(), 0));

    k.start(raw(kOne, 10));
    k.serve(2000);
    EXPECT_EQ(k.samples.size(), 199u);
    EXPECT_EQ(k.figures().throttled, 0u);
}

TEST(RiscvPmuThrottle, StoppedAndStartedByHand)
{
    Kernel k(throttled(machine()));
    cs_riscv_perf_event *event = k.start(raw(kOne, 100));

    k.serve(1000);
    EXPECT_EQ(k.figures().throttled, 1u);
    cs_riscv_pmu_pm_enter(k.pmu(), k.hart());
    cs_riscv_pmu_pm_exit(k.pmu(), k.hart());
    EXPECT_FALSE(k.runs(3)) << "throttled it stays";
    k.stop(event);
    EXPECT_EQ(cs_riscv_pmu_next_tick(k.pmu(), k.now()), CS_NEVER) << "nobody wants it";
    k.tick();
    EXPECT_FALSE(k.runs(3));
    k.start(event);
    EXPECT_TRUE(k.runs(3));
    EXPECT_EQ(k.figures().unthrottled, 1u);
    k.serve(1000);
    EXPECT_EQ(k.samples.size(), 6u) << "counted anew";
    k.del(event);
    EXPECT_EQ(cs_riscv_pmu_next_tick(k.pmu(), k.now()), CS_NEVER);
    k.tick();
    EXPECT_EQ(k.add(event), 0);
    EXPECT_TRUE(k.runs(3));
}

TEST(RiscvPmuThrottle, UsersDoNotReadWhatStands)
{
    Kernel k(throttled(machine()));
    cs_riscv_attr attr = raw(kOne, 100);

    attr.mmapped = true;
    k.start(attr);
    k.serve(250);
    EXPECT_EQ(k.csr(0x106), 0xau);
    k.serve(250);
    EXPECT_EQ(k.csr(0x106), 2u);
    k.tick();
    EXPECT_EQ(k.csr(0x106), 0xau);
}
