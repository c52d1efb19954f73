// SPDX-License-Identifier: Apache-2.0
// Reading, firmware's counters, users' access, sleep and time; docs/drivers/riscv_driver.md.
#include "counting.hpp"

using namespace riscv_counting;
using namespace cs_test;

// ---- reading with XLEN 32 ----

TEST(RiscvPmuRead, HighLowHigh)
{
    for (uint64_t distance = 0; distance < 40; distance++) {
        Kernel k(machine(CS_RISCV_SBI, 32));
        cs_riscv_perf_event *event = k.start(raw(kEverywhere, (UINT64_C(1) << 32) + distance));
        const uint64_t begin = k.now();

        const uint64_t count = k.read(event);
        EXPECT_LE(count, k.now() - begin + 10) << distance;
        EXPECT_GE(k.read(event), count);
        EXPECT_LE(cs_riscv_perf_count(event), k.now() - begin + 10) << distance;
    }
}

TEST(RiscvPmuRead, LooksAgainWhereTheHighHalvesDiffer)
{
    size_t again = 0;

    for (uint64_t distance = 0; distance < 40; distance++) {
        Kernel k(machine(CS_RISCV_SBI, 32));
        cs_riscv_perf_event *event = k.start(raw(kEverywhere, (UINT64_C(1) << 32) + distance));

        k.taken();
        k.read(event);
        const std::string log = k.taken();
        EXPECT_TRUE(log == "Ch3 C3 Ch3" || log == "Ch3 C3 Ch3 C3 Ch3") << log;
        again += log != "Ch3 C3 Ch3";
    }
    EXPECT_EQ(again, 2u);
}

// What was counted since the last look, cut to the kernel's unsigned long.
TEST(RiscvPmuRead, BugOfTheDelta)
{
    for (unsigned xlen : {32u, 64u})
        for (bool broken : {false, true}) {
            Machine m = machine(CS_RISCV_SBI, xlen);
            m.driver.bugs = broken ? CS_RISCV_BUG_RV32_DELTA : 0;
            Kernel k(m);
            cs_riscv_perf_event *event = k.start(raw(kOne, UINT64_C(1) << 40));
            const uint64_t more = UINT64_C(3) << 32;

            k.run(10);
            if (xlen == 32)
                k.csr(0xb83, k.csr(0xb83) + 3);
            else
                k.csr(0xb03, k.csr(0xb03) + more);
            EXPECT_EQ(k.read(event), broken && xlen == 32 ? 10 : more + 10) << xlen;
        }
}

// ---- firmware's counters ----

TEST(RiscvPmuFirmware, Counts)
{
    for (cs_riscv_kind kind : {CS_RISCV_SBI, CS_RISCV_DELEGATED})
        for (unsigned xlen : {32u, 64u})
            for (bool page : {false, true}) {
                SCOPED_TRACE(testing::Message() << kind << " " << xlen << " " << page);
                Machine m = machine(kind, xlen);
                m.driver.use_snapshot = page;
                Kernel k(m);
                cs_riscv_perf_event *event = k.start(firmware(5));

                EXPECT_EQ(cs_riscv_perf_index(event), 7);
                k.firmware_event(5, 10);
                k.firmware_event(4, 1000);
                k.taken();
                EXPECT_EQ(k.read(event), 10u);
                EXPECT_EQ(k.taken(), xlen == 32 ? "READ(7) READHI(7)" : "READ(7)");
                k.firmware_event(5, 7);
                k.stop(event);
                k.firmware_event(5, 100);
                EXPECT_EQ(k.read(event), 17u);
                k.start(event);
                k.firmware_event(5, 3);
                k.del(event);
                EXPECT_EQ(k.read(event), 20u);
                EXPECT_EQ(k.figures().sbi_errors, 0u);
            }
}

TEST(RiscvPmuFirmware, ThirtyTwoBitsWithoutAHighHalf)
{
    Kernel k(of_version(machine(CS_RISCV_SBI, 32), CS_SBI_VERSION_0_3));
    cs_riscv_perf_event *event = k.start(firmware(5));

    EXPECT_EQ(k.taken(), "CONFIG(0,1fd,0,f0005) START(7,1,1,80000001)");
    for (unsigned i = 0; i < 3; i++) {
        k.firmware_event(5, 0x7fffffff);
        k.taken();
        EXPECT_EQ(k.read(event), (i + 1) * UINT64_C(0x7fffffff));
        EXPECT_EQ(k.taken(), "READ(7)");
    }
}

TEST(RiscvPmuFirmware, ReadsThatFail)
{
    Kernel k(machine(CS_RISCV_SBI, 32));
    cs_riscv_perf_event *event = k.start(firmware(5));

    k.answers = [](uint64_t, uint64_t fid, const uint64_t *, cs_sbi_ret *ret) {
        *ret = {CS_SBI_ERR_FAILED, 77};
        return fid == CS_SBI_PMU_COUNTER_FW_READ || fid == CS_SBI_PMU_COUNTER_FW_READ_HI;
    };
    k.read(event);
    EXPECT_EQ(cs_riscv_perf_count(event), UINT64_C(0x7fffffffffffffff)) << "what was read is 0";
    EXPECT_EQ(k.figures().sbi_errors, 2u);
}

// Opened, but it never samples, and the handler does not touch it.
TEST(RiscvPmuFirmware, APeriodIsNoUse)
{
    Kernel k;
    cs_riscv_perf_event *event = k.start(firmware(5, 10));
    cs_riscv_perf_event *other = k.start(raw(kOne, 100));

    k.firmware_event(5, 25);
    k.serve(250);
    EXPECT_EQ(k.samples.size(), 2u);
    EXPECT_EQ(k.samples[0].event, other);
    EXPECT_EQ(k.read(event), 25u);
    EXPECT_EQ(k.log.find("STOP(0,188"), std::string::npos);
}

// ---- scounteren ----

TEST(RiscvPmuUsers, ReadAMappedEventWhileItRuns)
{
    for (cs_riscv_kind kind : kThatStop) {
        Kernel k(machine(kind));
        cs_riscv_attr attr = raw(kOne);

        attr.mmapped = true;
        cs_riscv_perf_event *event = k.open(attr);
        k.add(event, 0);
        EXPECT_EQ(k.csr(0x106), 2u);
        k.start(event);
        EXPECT_EQ(k.csr(0x106), 0xau);
        k.stop(event);
        EXPECT_EQ(k.csr(0x106), 2u);
        k.start(event);
        k.del(event);
        EXPECT_EQ(k.csr(0x106), 2u);
        k.start(raw(kOne));
        EXPECT_EQ(k.csr(0x106), 2u) << "not mapped";
        attr = firmware(5);
        attr.mmapped = true;
        k.start(attr);
        EXPECT_EQ(k.csr(0x106), 2u) << "no CSR";
    }
}

TEST(RiscvPmuUsers, LegacyAccess)
{
    Machine m = machine();
    m.driver.user_access = CS_RISCV_USER_LEGACY;
    Kernel k(m);
    cs_riscv_attr attr = raw(kOne);

    attr.mmapped = true;
    cs_riscv_perf_event *event = k.start(attr);
    EXPECT_EQ(k.csr(0x106), 7u);
    k.del(event);
    EXPECT_EQ(k.csr(0x106), 7u);
    k.taken();
    cs_riscv_perf_event *cycles = k.start(hardware(0));
    EXPECT_EQ(cs_riscv_perf_index(cycles), 0);
    EXPECT_EQ(k.taken().substr(0, 16), "CONFIG(0,1,1,1) ");
    cs_riscv_perf_event *instret = k.start(hardware(1));
    EXPECT_EQ(cs_riscv_perf_index(instret), 2);
    EXPECT_EQ(k.taken().substr(0, 16), "CONFIG(0,4,1,2) ");
    k.run(123);
    EXPECT_EQ(k.read(cycles), 123u);
    EXPECT_EQ(k.read(instret), 123u);
    EXPECT_EQ(k.add(k.open(hardware(0))), -ENOENT);
    EXPECT_EQ(cs_riscv_perf_index(k.start(hardware(5))), 3);
}

// ---- sleep ----

// perf may start an event that sleeps: then nothing is left for the end of the sleep.
TEST(RiscvPmuSleep, WhatPerfStartsMeanwhileRuns)
{
    Kernel k;
    cs_riscv_perf_event *event = k.start(raw(kOne, 1000));

    k.run(100);
    cs_riscv_pmu_pm_enter(k.pmu(), k.hart());
    k.start(event);
    k.run(50);
    k.taken();
    cs_riscv_pmu_pm_exit(k.pmu(), k.hart());
    EXPECT_EQ(k.taken(), "");
    EXPECT_EQ(k.figures().warnings, 0u);
    EXPECT_EQ(k.read(event), 150u);
}

TEST(RiscvPmuSleep, StopsAndStartsWhatRan)
{
    for (cs_riscv_kind kind : kThatStop) {
        SCOPED_TRACE(kind);
        Kernel k(machine(kind));
        cs_riscv_perf_event *a = k.start(raw(kOne, 1000)), *b = k.start(raw(kOne)),
                            *stopped = k.start(raw(kOne)), *soft = nullptr;

        k.stop(stopped);
        if (kind != CS_RISCV_V3)
            soft = k.start(firmware(5));
        k.run(100);
        cs_riscv_pmu_pm_enter(k.pmu(), k.hart());
        EXPECT_EQ(cs_riscv_perf_state(a), kStopped | kUpToDate);
        EXPECT_EQ(cs_riscv_perf_count(a), 100u);
        EXPECT_EQ(cs_riscv_perf_count(b), 100u);
        if (soft != nullptr) {
            EXPECT_EQ(cs_riscv_perf_state(soft), 0u) << "hardware only";
        }
        EXPECT_FALSE(k.runs(3) || k.runs(4) || k.runs(5));
        k.csr(0xb03, 0xdead); // the sleep loses them
        k.csr(0xb04, 0xdead);
        k.run(100);
        cs_riscv_pmu_pm_exit(k.pmu(), k.hart());
        EXPECT_TRUE(k.runs(3) && k.runs(4));
        EXPECT_FALSE(k.runs(5));
        EXPECT_EQ(cs_riscv_perf_state(a), 0u);
        EXPECT_EQ(k.counter(3), 0 - UINT64_C(900));
        k.serve(1000);
        EXPECT_EQ(k.samples.size(), 1u);
        EXPECT_EQ(k.read(b), 1100u);
        k.taken();
        cs_riscv_pmu_pm_exit(k.pmu(), k.hart());
        EXPECT_EQ(k.taken(), "") << "only what was stopped";
        EXPECT_EQ(k.figures().warnings, 0u);
    }
}

TEST(RiscvPmuSleep, WhatChangesInItIsNotUndone)
{
    Kernel k;
    cs_riscv_perf_event *a = k.start(raw(kOne)), *b = k.start(raw(kOne)), *c = k.start(raw(kOne));

    cs_riscv_pmu_pm_enter(k.pmu(), k.hart());
    k.stop(a);
    k.start(b);
    k.del(c);
    k.add(c, 0);
    k.taken();
    cs_riscv_pmu_pm_exit(k.pmu(), k.hart());
    EXPECT_EQ(k.taken(), "");
    EXPECT_FALSE(k.runs(3) || k.runs(5));
    EXPECT_TRUE(k.runs(4));
}

// ---- time ----

TEST(RiscvPmuTime, OfEachCall)
{
    Machine m = machine(CS_RISCV_LEGACY);

    m.driver.event_cycles = 1000;
    Kernel k(m);
    cs_cycle at = k.now();
    const auto took = [&] {
        const cs_cycle before = at;

        at = k.now();
        return at - before;
    };
    cs_riscv_perf_event *event = k.open(hardware(0));
    EXPECT_EQ(took(), 1000u);
    k.open(hardware(99));
    EXPECT_EQ(took(), 1000u) << "also where it fails";
    k.add(event, 0);
    EXPECT_EQ(took(), 1000u);
    k.start(event);
    EXPECT_EQ(took(), 1001u) << "with a read";
    k.read(event);
    EXPECT_EQ(took(), 1001u);
    k.stop(event);
    EXPECT_EQ(took(), 1001u);
    k.del(event);
    EXPECT_EQ(took(), 1000u);
    k.add(event);
    EXPECT_EQ(took(), 1001u);
}

// riscv_pmu_impl.h, of which no header for C++ is made.
extern "C" uint64_t cs_riscv_ns(const cs_riscv_pmu *pmu, cs_cycle cycles);

TEST(RiscvPmuTime, Nanoseconds)
{
    const struct {
        unsigned mhz;
        cs_cycle cycles;
        uint64_t ns;
    } rows[] = {{1000, 12345, 12345}, {3, 100001, 33333666}, {2600, 2601, 1000}, {0, 5, 0}};

    for (const auto &row : rows) {
        Machine m = machine();
        m.driver.clock_mhz = row.mhz;
        Kernel k(m);
        EXPECT_EQ(cs_riscv_ns(k.pmu(), row.cycles), row.ns) << row.mhz;
    }
}
