// SPDX-License-Identifier: Apache-2.0
// States, periods, reading; docs/drivers/riscv_driver.md, "States and period".
#include "counting.hpp"

using namespace riscv_counting;
using namespace cs_test;

TEST(RiscvPmuState, OfEachCall)
{
    for (cs_riscv_kind kind : kThatStop)
        for (unsigned xlen : {32u, 64u}) {
            SCOPED_TRACE(testing::Message() << kind << " " << xlen);
            Kernel k(machine(kind, xlen));
            cs_riscv_perf_event *event = k.open(raw(kOne));

            EXPECT_EQ(k.add(event, 0), 0);
            EXPECT_EQ(cs_riscv_perf_index(event), 3);
            EXPECT_EQ(cs_riscv_perf_state(event), kStopped | kUpToDate);
            EXPECT_FALSE(k.runs(3));
            k.run(50);
            EXPECT_EQ(k.read(event), 0u);
            k.start(event);
            EXPECT_EQ(cs_riscv_perf_state(event), 0u);
            EXPECT_TRUE(k.runs(3));
            k.run(70);
            EXPECT_EQ(k.read(event), 70u);
            EXPECT_EQ(cs_riscv_perf_state(event), 0u);
            k.run(30);
            EXPECT_EQ(cs_riscv_perf_count(event), 70u) << "nobody has looked";
            k.stop(event);
            EXPECT_EQ(cs_riscv_perf_state(event), kStopped | kUpToDate);
            EXPECT_EQ(cs_riscv_perf_count(event), 100u);
            EXPECT_FALSE(k.runs(3));
            k.run(1000);
            k.taken();
            k.stop(event);
            EXPECT_EQ(k.read(event), 100u);
            EXPECT_EQ(k.taken(), "") << "nothing when STOPPED";
            k.start(event);
            k.run(11);
            k.del(event);
            EXPECT_EQ(cs_riscv_perf_count(event), 111u);
            EXPECT_EQ(cs_riscv_perf_state(event), kStopped | kUpToDate);
            EXPECT_EQ(cs_riscv_perf_index(event), -1);
            EXPECT_EQ(k.read(event), 111u);
            k.taken();
            k.del(event);
            EXPECT_EQ(k.taken(), "") << "it has no counter";
            EXPECT_EQ(k.add(event), 0);
            EXPECT_EQ(cs_riscv_perf_state(event), 0u);
            k.run(9);
            EXPECT_EQ(k.read(event), 120u);
            EXPECT_EQ(k.figures().sbi_errors, 0u);
            EXPECT_EQ(k.figures().warnings, 0u);
        }
}

TEST(RiscvPmuState, Calls)
{
    Kernel k;
    cs_riscv_perf_event *event = k.open(raw(kOne, 100000));

    EXPECT_EQ(k.add(event, 0), 0);
    EXPECT_EQ(k.taken(), "CONFIG(0,1fd,0,30000,40)");
    k.start(event);
    EXPECT_EQ(k.taken(), "START(3,1,1,fffffffffffe7960)");
    k.read(event);
    EXPECT_EQ(k.taken(), "C3");
    k.stop(event);
    EXPECT_EQ(k.taken(), "STOP(3,1) C3");
    k.start(event);
    k.taken();
    k.del(event);
    EXPECT_EQ(k.taken(), "STOP(3,1) C3 STOP(3,1,1)");
    EXPECT_EQ(k.selector(3), 0u);
}

TEST(RiscvPmuState, CallsOfRv32)
{
    Kernel k(machine(CS_RISCV_SBI, 32));
    cs_riscv_perf_event *event = k.open(raw(UINT64_C(0x40) | UINT64_C(1) << 33, 100000));

    EXPECT_EQ(k.add(event), -EOPNOTSUPP) << "no counter has it";
    EXPECT_EQ(k.taken(), "CONFIG(0,1fd,0,30000,40,2)");
    event = k.open(raw(kOne, 100000));
    EXPECT_EQ(k.add(event), 0);
    EXPECT_EQ(k.taken(), "CONFIG(0,1fd,0,30000,40) START(3,1,1,fffe7960,ffffffff)");
    k.read(event);
    EXPECT_EQ(k.taken(), "Ch3 C3 Ch3");
}

// It stays as it is, and counts nothing twice.
TEST(RiscvPmuState, StartOfOneThatRunsIsWarnedOf)
{
    Machine m = machine();

    for (unsigned n = 3; n < 32; n++)
        m.hpm.width[n] = 40;
    Kernel narrow(m);
    cs_riscv_perf_event *twice = narrow.start(raw(kOne));
    narrow.run(50);
    narrow.start(twice, 0);
    narrow.run(50);
    EXPECT_EQ(narrow.read(twice), 100u);

    Kernel k;
    cs_riscv_perf_event *event = k.start(raw(kOne));
    EXPECT_EQ(k.figures().warnings, 0u);
    k.taken();
    k.start(event, 0);
    EXPECT_EQ(k.figures().warnings, 1u);
    k.start(event, CS_RISCV_EF_RELOAD);
    EXPECT_EQ(k.figures().warnings, 2u);
    EXPECT_EQ(k.taken(), "");
    k.run(10);
    EXPECT_EQ(k.read(event), 10u);
    EXPECT_EQ(k.figures().sbi_errors, 0u) << "ALREADY_STARTED is none";
}

TEST(RiscvPmuState, CountersAreTakenAndGivenBack)
{
    for (cs_riscv_kind kind : kThatStop) {
        SCOPED_TRACE(kind);
        Kernel k(machine(kind));
        std::vector<cs_riscv_perf_event *> events;

        for (int i = 3; i < 7; i++) {
            events.push_back(k.open(raw(kOne)));
            EXPECT_EQ(k.add(events.back(), i % 2 == 0 ? CS_RISCV_EF_START : 0), 0);
            EXPECT_EQ(cs_riscv_perf_index(events.back()), i) << "also where the others stand";
        }
        cs_riscv_perf_event *more = k.open(raw(kOne));
        EXPECT_EQ(k.add(more), kind == CS_RISCV_SBI ? -EOPNOTSUPP : -ENOENT);
        EXPECT_EQ(cs_riscv_perf_index(more), -1);
        EXPECT_EQ(k.add(events[0]), -EINVAL) << "it has one";
        k.del(events[1]);
        EXPECT_EQ(k.add(more), 0);
        EXPECT_EQ(cs_riscv_perf_index(more), 4);
        k.run(100);
        EXPECT_EQ(k.read(events[0]), 0u);
        EXPECT_EQ(k.read(more), 100u);
        EXPECT_EQ(k.read(events[3]), 100u);
    }
}

TEST(RiscvPmuState, NoCounterLeftToAskFor)
{
    Kernel k;

    for (uint64_t i = 0; i < 4; i++)
        k.start(raw(kOne));
    k.start(hardware(0));
    k.start(hardware(1));
    k.start(firmware(0));
    k.start(firmware(0));
    k.taken();
    EXPECT_EQ(k.add(k.open(raw(kOne))), -ENOENT);
    EXPECT_EQ(k.add(k.open(firmware(1))), -ENOENT);
    EXPECT_EQ(k.taken(), "");
}

TEST(RiscvPmuState, ErrorsOfTheFirmware)
{
    const struct {
        int64_t error;
        uint64_t value;
        int expected;
    } rows[] = {
        {CS_SBI_ERR_FAILED, 3, -EOPNOTSUPP},
        {CS_SBI_ERR_NOT_SUPPORTED, 3, -EOPNOTSUPP},
        {CS_SBI_ERR_INVALID_PARAM, 3, -EINVAL},
        {CS_SBI_ERR_DENIED, 3, -EPERM},
        {CS_SBI_ERR_INVALID_ADDRESS, 3, -EFAULT},
        {CS_SBI_ERR_ALREADY_AVAILABLE, 3, -EOPNOTSUPP},
        {CS_SBI_ERR_ALREADY_STARTED, 3, -EOPNOTSUPP},
        {CS_SBI_ERR_NO_SHMEM, 3, -ENOMEM},
        {-1000, 3, -EOPNOTSUPP},
        {0, 4, -ENOENT}, // taken
        {0, 1, -ENOENT}, // none
        {0, 64, -ENOENT},
        {0, kOnes, -ENOENT},
        {0, 5, 0},
    };

    for (const auto &row : rows) {
        Kernel k;
        const cs_sbi_ret ret = {row.error, row.value};

        k.start(raw(kOne));
        k.start(raw(kOne));
        k.answers = [&](uint64_t, uint64_t fid, const uint64_t *, cs_sbi_ret *out) {
            *out = ret;
            return fid == CS_SBI_PMU_COUNTER_CONFIG_MATCHING;
        };
        cs_riscv_perf_event *event = k.open(raw(kOne));
        EXPECT_EQ(k.add(event, 0), row.expected) << row.error << " " << row.value;
        EXPECT_EQ(cs_riscv_perf_index(event), row.expected == 0 ? 5 : -1);
        EXPECT_EQ(k.figures().sbi_errors, 0u);
    }
}

TEST(RiscvPmuState, ErrorsAreCounted)
{
    const struct {
        int64_t error;
        uint64_t counted;
    } rows[] = {{CS_SBI_ERR_FAILED, 2},
                {CS_SBI_ERR_ALREADY_STARTED, 0},
                {CS_SBI_ERR_ALREADY_STOPPED, 0},
                {CS_SBI_ERR_INVALID_PARAM, 2}};

    for (const auto &row : rows) {
        Kernel k;
        cs_riscv_perf_event *event = k.open(raw(kOne));

        k.add(event, 0);
        k.answers = [&](uint64_t, uint64_t, const uint64_t *, cs_sbi_ret *out) {
            *out = {row.error, 0};
            return true;
        };
        k.start(event);
        k.stop(event);
        EXPECT_EQ(k.figures().sbi_errors, row.counted);
    }
}

TEST(RiscvPmuPeriod, FirstValues)
{
    const struct {
        unsigned bits;
        uint64_t period;
        uint64_t value;
        int64_t left;
    } rows[] = {
        {64, 100000, 0xfffffffffffe7960, 100000},
        {64, 1, kOnes, 1},
        {64, INT64_MAX, UINT64_C(0x8000000000000001), INT64_MAX},
        {64, 0, UINT64_C(0x8000000000000001), INT64_MAX},
        {40, 0, UINT64_C(0x8000000001), INT64_MAX}, // counter 0 has 64
        {40, 100000, UINT64_C(0xfffffe7960), 100000},
        {16, 100000, 0x8001, 100000},
        {16, 0x7fff, 0x8001, 0x7fff},
        {16, 0x7ffe, 0x8002, 0x7ffe},
        {2, 100, 3, 100},
        {1, 100, 0, 100}, // mask >> 1 is 0
    };

    for (const auto &row : rows)
        for (cs_riscv_kind kind : kThatStop)
            for (unsigned xlen : {32u, 64u}) {
                SCOPED_TRACE(testing::Message() << row.bits << " " << row.period << " " << kind);
                Kernel k(of_width(row.bits, kind, xlen));
                cs_riscv_perf_event *event = k.start(raw(kOne, row.period));

                EXPECT_EQ(k.counter(3), row.value);
                EXPECT_EQ(cs_riscv_perf_left(event), row.left);
                k.run(1);
                EXPECT_EQ(k.read(event), 1u);
                EXPECT_EQ(cs_riscv_perf_left(event), row.left - 1);
            }
}

// What does not sample has counter 0's mask >> 1 until it has a counter.
TEST(RiscvPmuPeriod, WithoutACounter)
{
    Machine m = machine();
    m.driver.sscofpmf = true;
    Kernel k(m);
    EXPECT_EQ(cs_riscv_perf_left(k.open(raw(kOne))), INT64_MAX);

    m.probes = false;
    Kernel narrow(m);
    narrow.answers = [](uint64_t eid, uint64_t fid, const uint64_t *args, cs_sbi_ret *ret) {
        *ret = {0, UINT64_C(0xc00) | UINT64_C(39) << 12};
        return eid == CS_SBI_EID_PMU && fid == CS_SBI_PMU_COUNTER_GET_INFO && args[0] == 0;
    };
    EXPECT_EQ(narrow.probe(), 0);
    EXPECT_EQ(cs_riscv_perf_left(narrow.open(raw(kOne))), (INT64_C(1) << 39) - 1);
}

// left after an overflow, by how late the handler is.
TEST(RiscvPmuPeriod, NextPeriods)
{
    const struct {
        uint64_t events;
        int64_t left;
        bool sample;
    } rows[] = {
        {99, 1, false}, {100, 100, true}, {101, 99, true},  {130, 70, true},
        {199, 1, true}, {200, 100, true}, {201, 100, true}, {350, 100, true},
    };

    for (const auto &row : rows)
        for (cs_riscv_kind kind : kThatStop) {
            SCOPED_TRACE(testing::Message() << row.events << " " << kind);
            Kernel k(machine(kind));
            cs_riscv_perf_event *event = k.start(raw(kOne, 100));

            k.run(row.events);
            EXPECT_EQ(k.irq(), row.sample);
            ASSERT_EQ(k.samples.size(), row.sample ? 1u : 0u);
            if (row.sample) {
                EXPECT_EQ(k.samples[0].period, 100u);
                EXPECT_EQ(k.samples[0].count, row.events);
                EXPECT_EQ(cs_riscv_perf_left(event), row.left);
                EXPECT_EQ(k.counter(3), 0 - static_cast<uint64_t>(row.left));
            }
            EXPECT_EQ(cs_riscv_perf_state(event), 0u);
            k.run(7);
            EXPECT_EQ(k.read(event), row.events + 7) << "nothing is lost in between";
        }
}

// A period longer than half the counter: several interrupts a sample.
TEST(RiscvPmuPeriod, LongerThanTheCounter)
{
    Kernel k(of_width(16));
    cs_riscv_perf_event *event = k.start(raw(kOne, 100000));

    k.serve(100000);
    EXPECT_EQ(k.samples.size(), 0u);
    EXPECT_EQ(k.figures().interrupts, 3u); // 32767 each, and one until the trap
    k.serve(1);
    EXPECT_EQ(k.samples.size(), 1u);
    EXPECT_EQ(k.figures().interrupts, 4u);
    EXPECT_EQ(cs_riscv_perf_count(event), 100001u);
    EXPECT_EQ(cs_riscv_perf_left(event), 99999);
    EXPECT_EQ(k.figures().spurious, 0u);
}

// The handler passes over what does not sample: somebody must look once a lap.
TEST(RiscvPmuPeriod, ANarrowCounterThatOnlyCounts)
{
    for (cs_riscv_kind kind : kThatStop) {
        Kernel k(of_width(16, kind));
        cs_riscv_perf_event *event = k.start(raw(kFifteen));

        for (unsigned i = 1; i <= 30; i++) {
            k.serve(4000);
            EXPECT_EQ(k.read(event), UINT64_C(60000) * i);
        }
        EXPECT_EQ(k.samples.size(), 0u);
        EXPECT_GE(k.figures().interrupts, 1u);
        k.serve(8000);
        EXPECT_EQ(k.read(event), UINT64_C(1800000) + 120000 % 65536);
    }
}

TEST(RiscvPmuPeriod, AStartAfterAStopGoesOn)
{
    Kernel k;
    cs_riscv_perf_event *event = k.start(raw(kOne, 100));

    k.run(60);
    k.stop(event);
    EXPECT_EQ(cs_riscv_perf_left(event), 40);
    k.start(event);
    EXPECT_EQ(k.counter(3), 0 - UINT64_C(40));
    k.run(60); // 20 too many, and nobody serves
    k.stop(event);
    EXPECT_EQ(cs_riscv_perf_left(event), -20);
    k.start(event);
    EXPECT_EQ(cs_riscv_perf_left(event), 80);
    EXPECT_EQ(k.counter(3), 0 - UINT64_C(80));
}
