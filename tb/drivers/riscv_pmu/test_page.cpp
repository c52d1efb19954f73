// SPDX-License-Identifier: Apache-2.0
// The snapshot page as the driver uses it, and what can be broken.
#include "kernel.hpp"

using namespace cs_test;

namespace
{

// Counters 10.. of the hart are 32.. for the driver (docs of the call: sets are base and mask).
void move_up(Kernel &k)
{
    k.before = [](uint64_t fid, uint64_t args[6]) {
        const bool set = fid >= CS_SBI_PMU_COUNTER_GET_INFO && fid <= CS_SBI_PMU_COUNTER_STOP;

        if (set && args[0] >= 32)
            args[0] -= 22;
        else if (fid == CS_SBI_PMU_COUNTER_GET_INFO && args[0] >= 10)
            args[0] = 1; // none
    };
    k.after = [](uint64_t fid, cs_sbi_ret *ret) {
        if (fid == CS_SBI_PMU_NUM_COUNTERS)
            ret->value = 64;
        if (fid == CS_SBI_PMU_COUNTER_CONFIG_MATCHING && ret->value >= 10)
            ret->value += 22;
    };
}

// 3, 4 and 35, 36 (13, 14 of the hart), of RV32.
Machine in_two_words(Machine m = machine(CS_RISCV_SBI, 32))
{
    m.hpm.counters = 0x18 | 0x6000;
    m.fw.firmware_counters = 0;
    m.probes = false;
    return m;
}

struct TwoWords : Kernel {
    explicit TwoWords(const Machine &m) : Kernel(m)
    {
        move_up(*this);
        EXPECT_EQ(probe(), 0);
        EXPECT_EQ(cs_riscv_pmu_counters(pmu()), UINT64_C(0x180000001d));
        for (auto &event : events)
            event = start(raw(kOne, period[&event - events]));
        EXPECT_EQ(cs_riscv_perf_index(events[0]), 3);
        EXPECT_EQ(cs_riscv_perf_index(events[2]), 35);
        EXPECT_EQ(cs_riscv_perf_index(events[3]), 36);
        taken();
    }
    cs_riscv_perf_event *events[4];
    const uint64_t period[4] = {1000, 1001, 100, 1003};
};

} // namespace

TEST(RiscvPmuPage, AStopAlone)
{
    Kernel k(with_page(machine()));
    cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne, 1000));

    k.run(130);
    k.store(kPage + 8, 77);
    k.taken();
    k.stop(b);
    EXPECT_EQ(k.taken(), "STOP(4,1,2)") << "the value is in the page";
    EXPECT_EQ(cs_riscv_perf_count(b), 130u);
    EXPECT_EQ(k.slot(4), 0 - UINT64_C(870));
    EXPECT_EQ(k.slot(0), 0u);
    k.stop(a);
    EXPECT_EQ(k.slot(3), 30u);
    EXPECT_EQ(k.slot(4), 0 - UINT64_C(870)) << "others stay";
    EXPECT_EQ(k.load(kPage), 0u) << "the mark is taken out";
    k.start(a);
    EXPECT_EQ(k.taken(), "STOP(3,1,2) START(3,1,1,ffffffffffffffba)");
    k.read(a);
    EXPECT_EQ(k.taken(), "C3") << "it runs";
    k.store(kPage + 8, 77);
    k.del(a);
    EXPECT_EQ(k.taken(), "STOP(3,1,2) STOP(3,1,3)");
    EXPECT_EQ(k.slot(0), 0u);
    EXPECT_EQ(k.load(kPage), 0u);
    EXPECT_EQ(k.figures().sbi_errors, 0u);
}

TEST(RiscvPmuPage, CounterZeroHasSlotZero)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m = with_page(machine(CS_RISCV_SBI, xlen));
        m.driver.user_access = CS_RISCV_USER_LEGACY;
        Kernel k(m);
        cs_riscv_perf_event *event = k.start(hardware(0));

        EXPECT_EQ(cs_riscv_perf_index(event), 0);
        k.run(100);
        k.stop(event);
        EXPECT_EQ(cs_riscv_perf_count(event), 100u);
        EXPECT_EQ(k.slot(0), UINT64_C(0x8000000000000065)) << "it is where it belongs";
    }
}

TEST(RiscvPmuPage, TheHandlersBitmapIsClearedAndItsSlotsAreUsed)
{
    Kernel k(with_page(machine()));
    cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne, 1000));

    k.run(130);
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.load(kPage), 0u);
    EXPECT_EQ(k.slot(3), 0 - UINT64_C(70));
    EXPECT_EQ(k.slot(4), 0 - UINT64_C(870));
    k.run(40);
    EXPECT_EQ(k.read(a), 170u);
    EXPECT_EQ(k.read(b), 170u);
}

// Slots are relative to the base of the call.
TEST(RiscvPmuPage, TwoWords)
{
    for (bool page : {false, true}) {
        Machine m = in_two_words();
        m.driver.use_snapshot = page;
        TwoWords k(m);

        k.run(130);
        EXPECT_TRUE(k.irq());
        EXPECT_EQ(k.taken(), page ? "STOP(0,18,2) STOP(20,18,2) sip=0 START(0,18,2) START(20,18,2)"
                                  : "STOP(0,18) STOP(20,18) scountovf sip=0 Ch13 C13 Ch13"
                                    " START(0,18) START(20,10) START(23,1,1,ffffffba,ffffffff)");
        ASSERT_EQ(k.samples.size(), 1u);
        EXPECT_EQ(k.samples[0].event, k.events[2]);
        EXPECT_EQ(k.samples[0].counter, 13u) << "hardware's number";
        EXPECT_EQ(k.counter(3), 0 - UINT64_C(870));
        EXPECT_EQ(k.counter(13), 0 - UINT64_C(70));
        EXPECT_EQ(k.counter(14), 0 - UINT64_C(873));
        k.serve(2000);
        for (cs_riscv_perf_event *event : k.events)
            EXPECT_EQ(k.read(event), 2130u);
        EXPECT_EQ(k.figures().sbi_errors, 0u);
    }
}

// Firmware numbers its counters as it likes. Those of the second word come into the slots from 0 on:
// the handler puts back what counter 0 has left there.
TEST(RiscvPmuPage, TwoWordsFromCounterZero)
{
    Machine m = with_page(machine(CS_RISCV_SBI, 32));
    m.hpm.counters = 0x18 | 0x400;
    m.fw.firmware_counters = 0;
    m.probes = false;
    Kernel k(m);
    // 3 and 10 of the hart are 0 and 32.
    k.before = [](uint64_t fid, uint64_t args[6]) {
        const bool set = fid >= CS_SBI_PMU_COUNTER_GET_INFO && fid <= CS_SBI_PMU_COUNTER_STOP;

        if (set && args[0] >= 32)
            args[0] -= 22;
        else if (set)
            args[0] += fid == CS_SBI_PMU_COUNTER_GET_INFO && args[0] > 1 ? 30 : 3; // 33: none
    };
    k.after = [](uint64_t fid, cs_sbi_ret *ret) {
        if (fid == CS_SBI_PMU_NUM_COUNTERS)
            ret->value = 64;
        if (fid == CS_SBI_PMU_COUNTER_CONFIG_MATCHING)
            ret->value = ret->value >= 10 ? ret->value + 22 : ret->value - 3;
    };
    EXPECT_EQ(k.probe(), 0);
    EXPECT_EQ(cs_riscv_pmu_counters(k.pmu()), UINT64_C(0x100000003));
    cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne, 1000)),
                        *c = k.start(raw(kOne, 1003));
    EXPECT_EQ(cs_riscv_perf_index(a), 0);
    EXPECT_EQ(cs_riscv_perf_index(c), 32);

    k.run(130);
    k.taken();
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.taken(), "STOP(0,3,2) STOP(20,1,2) sip=0 START(0,3,2) START(20,1,2)");
    ASSERT_EQ(k.samples.size(), 1u);
    EXPECT_EQ(k.samples[0].event, a);
    EXPECT_EQ(k.samples[0].count, 130u);
    for (cs_riscv_perf_event *event : {a, b, c})
        EXPECT_EQ(k.read(event), 130u);
    EXPECT_EQ(k.figures().sbi_errors, 0u);
}

TEST(RiscvPmuPage, ACounterThatStoodIsNoError)
{
    Kernel k(with_page(machine()));
    cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne, 1000));

    k.run(130);
    k.csr(0x320, k.csr(0x320) | 0x10); // somebody stops b
    k.run(50);
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.samples.size(), 1u);
    EXPECT_TRUE(k.runs(3) && k.runs(4));
    EXPECT_EQ(k.read(a), 180u);
    EXPECT_EQ(k.read(b), 130u);
    k.run(10);
    EXPECT_EQ(k.read(b), 140u);
}

TEST(RiscvPmuPage, APageThatCannotBeStored)
{
    Kernel k(with_page(machine()));
    k.start(raw(kOne, 100));

    k.run(130);
    k.fault(kPage, 4096);
    EXPECT_FALSE(k.irq());
    EXPECT_EQ(k.figures().sbi_errors, 2u) << "STOP, START";
    EXPECT_EQ(k.figures().bus_errors, 1u) << "the slot";
    EXPECT_TRUE(k.samples.empty());
}

// ---- what can be broken ----

TEST(RiscvPmuBug, Rv32Shift)
{
    Kernel k(with(machine(CS_RISCV_SBI, 32), CS_RISCV_BUG_RV32_SHIFT));
    cs_riscv_perf_event *event = k.start(raw(kOne, 100000));

    k.run(100);
    EXPECT_EQ(k.read(event), (UINT64_C(1) << 63) + 100) << "half of the high half";
    Kernel wide(with(machine(), CS_RISCV_BUG_RV32_SHIFT));
    event = wide.start(raw(kOne, 100000));
    wide.run(100);
    EXPECT_EQ(wide.read(event), 100u);
}

TEST(RiscvPmuBug, TornRead)
{
    size_t torn = 0;

    for (uint64_t distance = 0; distance < 40; distance++) {
        Kernel k(with(machine(CS_RISCV_SBI, 32), CS_RISCV_BUG_TORN_READ));
        cs_riscv_perf_event *event = k.start(raw(kEverywhere, (UINT64_C(1) << 32) + distance));

        k.taken();
        torn += k.read(event) > 1000;
        EXPECT_EQ(k.taken(), "C3 Ch3");
    }
    EXPECT_EQ(torn, 1u) << "where the carry comes between the halves";
}

TEST(RiscvPmuBug, Rv32Masks)
{
    TwoWords k(with(in_two_words(), CS_RISCV_BUG_RV32_MASKS));

    k.run(130);
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.taken(), "STOP(0,18) STOP(20,18) scountovf sip=0 Ch13 C13 Ch13 START(0,10)"
                         " START(20,10) START(3,1,1,fffffc18,ffffffff)");
    EXPECT_FALSE(k.runs(13)) << "35 stays stopped";
    EXPECT_EQ(cs_riscv_perf_state(k.events[2]), 0u) << "and nobody knows";
    EXPECT_EQ(k.counter(3), 0 - UINT64_C(1000)) << "3 from an old value";
    EXPECT_EQ(k.counter(4), 0 - UINT64_C(871));
    EXPECT_TRUE(k.runs(3) && k.runs(4) && k.runs(14));
}

TEST(RiscvPmuBug, Rv32MasksWithoutACounterThere)
{
    Machine m = with(in_two_words(), CS_RISCV_BUG_RV32_MASKS);
    TwoWords k(m);

    k.del(k.events[0]);
    k.run(130);
    k.taken();
    EXPECT_TRUE(k.irq());
    EXPECT_EQ(k.taken(), "STOP(0,10) STOP(20,18) scountovf sip=0 Ch13 C13 Ch13 START(0,10)"
                         " START(20,10)");
}

TEST(RiscvPmuBug, Rv32MasksInTheLowWord)
{
    Kernel k(with(machine(CS_RISCV_SBI, 32), CS_RISCV_BUG_RV32_MASKS));
    Kernel wide(with(machine(), CS_RISCV_BUG_RV32_MASKS));

    for (Kernel *one : {&k, &wide}) {
        cs_riscv_perf_event *a = one->start(raw(kOne, 100)), *b = one->start(raw(kOne, 1000));

        one->serve(950);
        EXPECT_EQ(one->samples.size(), 9u) << "all is well";
        EXPECT_EQ(one->read(a), 950u);
        EXPECT_EQ(one->read(b), 950u);
    }
}

TEST(RiscvPmuBug, SnapshotBase)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(with(with_page(machine(CS_RISCV_SBI, xlen)), CS_RISCV_BUG_SNAPSHOT_BASE));
        cs_riscv_perf_event *a = k.start(raw(kOne, 100));

        k.run(130);
        k.taken();
        EXPECT_TRUE(k.irq());
        EXPECT_EQ(k.taken(), xlen == 64 ? "STOP(0,8,2) sip=0 START(1000,8,2)"
                                        : "STOP(0,8,2) STOP(20,0,2) sip=0 START(400,8,2)"
                                          " START(400,0,2)");
        EXPECT_FALSE(k.runs(3));
        EXPECT_EQ(cs_riscv_perf_state(a), 0u);
        EXPECT_EQ(k.figures().sbi_errors, 1u);
        k.serve(1000);
        EXPECT_EQ(k.samples.size(), 1u);
    }
    Kernel k(with(machine(), CS_RISCV_BUG_SNAPSHOT_BASE));
    k.start(raw(kOne, 100));
    k.serve(1000);
    EXPECT_EQ(k.samples.size(), 9u) << "without a page there is no such bug";
}

TEST(RiscvPmuBug, SpuriousStops)
{
    for (Machine m : {machine(), machine(CS_RISCV_DELEGATED), with_page(machine())}) {
        Kernel k(with(m, CS_RISCV_BUG_SPURIOUS_STOPS));
        cs_riscv_perf_event *a = k.start(raw(kOne, 100));

        k.run(50);
        EXPECT_FALSE(k.irq());
        EXPECT_FALSE(k.runs(3));
        EXPECT_EQ(cs_riscv_perf_state(a), 0u);
        k.serve(1000);
        EXPECT_EQ(k.read(a), 50u);
        EXPECT_TRUE(k.samples.empty());
    }
}

// It takes a firmware that adds to its bitmap, and reads the page when it starts counters.
TEST(RiscvPmuBug, StaleOverflow)
{
    for (bool broken : {false, true}) {
        Machine m = with_page(machine());
        m.driver.bugs = broken ? CS_RISCV_BUG_STALE_OVERFLOW : 0;
        m.fw.deviations = CS_SBI_DEV_BITMAP_STICKS | CS_SBI_DEV_PAGE_WHOLE;
        Kernel k(m);
        cs_riscv_perf_event *a = k.start(raw(kOne, 100)), *b = k.start(raw(kOne, 1000));

        k.run(110);
        EXPECT_TRUE(k.irq());
        EXPECT_EQ(k.load(kPage), broken ? 8u : 0u);
        EXPECT_EQ(k.samples.size(), 1u);
        EXPECT_EQ(k.irq(), broken) << "nothing has overflowed since";
        EXPECT_EQ(k.figures().spurious, broken ? 0u : 1u);
        EXPECT_EQ(k.samples.size(), 1u);
        k.run(10);
        EXPECT_EQ(k.read(a), 120u);
        EXPECT_EQ(k.read(b), 120u);
    }
}

TEST(RiscvPmuBug, StaleOverflowOfAStopAlone)
{
    for (bool broken : {false, true}) {
        Machine m = with_page(machine());
        m.driver.bugs = broken ? CS_RISCV_BUG_STALE_OVERFLOW : 0;
        Kernel k(m);
        cs_riscv_perf_event *a = k.start(raw(kOne, 100));

        k.run(110);
        k.stop(a);
        EXPECT_EQ(k.load(kPage), broken ? 1u : 0u);
    }
}

TEST(RiscvPmuBug, ThrottleIgnored)
{
    Machine m = with(machine(), CS_RISCV_BUG_THROTTLE_IGNORED);
    m.driver.max_samples_per_tick = 2;
    Kernel k(m);
    cs_riscv_perf_event *a = k.start(raw(kOne, 100));

    k.serve(1050);
    EXPECT_EQ(k.samples.size(), 10u);
    EXPECT_EQ(k.throttles.size(), 1u) << "told once";
    EXPECT_EQ(k.figures().throttled, 1u);
    EXPECT_EQ(cs_riscv_perf_state(a), 0u);
    EXPECT_TRUE(k.runs(3));
    EXPECT_EQ(k.read(a), 1050u);
    k.tick();
    EXPECT_EQ(k.throttles.size(), 2u);
}
