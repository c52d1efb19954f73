// SPDX-License-Identifier: Apache-2.0
// The base PMU of 2018 (docs/drivers/riscv_driver.md, "The base PMU").
#include "kernel.hpp"

using namespace cs_test;

namespace
{

// Somebody lets the counters run.
void free_running(Kernel &k)
{
    k.csr(0x320, 0);
    k.taken();
}

} // namespace

TEST(RiscvPmuBase, OpensWhatItCannotDo)
{
    const struct {
        uint32_t type;
        uint64_t config;
        int error;
    } rows[] = {
        {CS_RISCV_PERF_HARDWARE, 0, 0},           {CS_RISCV_PERF_HARDWARE, 1, 0},
        {CS_RISCV_PERF_HARDWARE, 2, -EOPNOTSUPP}, {CS_RISCV_PERF_HARDWARE, 6, -EOPNOTSUPP},
        {CS_RISCV_PERF_HARDWARE, 7, -EINVAL},     {CS_RISCV_PERF_CACHE, 0, -ENOENT},
        {CS_RISCV_PERF_RAW, 1, -EOPNOTSUPP},      {1, 0, -ENOENT},
    };
    Kernel k(machine(CS_RISCV_BASE));

    for (const auto &row : rows) {
        cs_riscv_attr attr = {};

        attr.type = row.type;
        attr.config = row.config;
        k.open(attr);
        EXPECT_EQ(k.error, row.error) << row.type << " " << row.config;
    }
    cs_riscv_attr asks = hardware(1, 1000);
    asks.exclude_user = asks.exclude_kernel = true;
    EXPECT_NE(k.open(asks), nullptr) << "neither filter nor interrupt is missed";
    k.open(hardware(0, UINT64_C(1) << 63));
    EXPECT_EQ(k.error, -EINVAL) << "perf's own check";
}

TEST(RiscvPmuBase, NothingIsWrittenAndNothingStops)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(machine(CS_RISCV_BASE, xlen));

        EXPECT_EQ(k.calls(), 0u);
        free_running(k);
        cs_riscv_perf_event *event = k.open(hardware(1));
        EXPECT_EQ(k.add(event, 0), 0);
        EXPECT_EQ(k.taken(), "") << "without EF_START";
        k.start(event, CS_RISCV_EF_RELOAD);
        EXPECT_EQ(k.taken(), "C2");
        k.run(100);
        k.stop(event);
        EXPECT_EQ(k.taken(), "C2") << "one read, with XLEN 32 too";
        EXPECT_EQ(cs_riscv_perf_state(event), kStopped | kUpToDate);
        k.run(50);
        k.start(event, 0);
        EXPECT_EQ(k.taken(), "C2") << "without RELOAD the same";
        k.run(10);
        EXPECT_EQ(k.read(event), 110u);
        k.del(event);
        EXPECT_EQ(cs_riscv_perf_count(event), 110u);
        EXPECT_EQ(k.figures().warnings, 0u);
        EXPECT_TRUE(k.runs(2)) << "it runs on";
    }
}

TEST(RiscvPmuBase, Flags)
{
    for (uint64_t config : {0, 1}) {
        SCOPED_TRACE(config);
        Kernel k(machine(CS_RISCV_BASE));

        free_running(k);
        cs_riscv_perf_event *event = k.start(hardware(config));
        k.run(100);
        cs_riscv_perf_stop(k.pmu(), k.hart(), event, 0);
        EXPECT_EQ(cs_riscv_perf_state(event), kStopped);
        EXPECT_EQ(cs_riscv_perf_count(event), 0u) << "without EF_UPDATE nobody looks";
        k.start(event, CS_RISCV_EF_RELOAD);
        EXPECT_EQ(k.figures().warnings, 1u) << "RELOAD of one that was not read";
        k.run(7);
        EXPECT_EQ(k.read(event), 7u) << "what was not looked at is lost";
        k.start(event);
        EXPECT_EQ(k.figures().warnings, 2u) << "it runs";
        k.stop(event);
        k.stop(event);
        EXPECT_EQ(k.figures().warnings, 3u) << "it stands";
        k.run(5);
        EXPECT_EQ(k.read(event), 12u) << "a read does not ask whether the event stands";
        cs_riscv_perf_stop(k.pmu(), k.hart(), event, 0);
        k.start(event, 0);
        EXPECT_EQ(k.figures().warnings, 4u) << "without RELOAD it may be unread";
    }
}

TEST(RiscvPmuBase, TwoEventsAtOnce)
{
    Kernel k(machine(CS_RISCV_BASE));

    free_running(k);
    cs_riscv_perf_event *a = k.start(hardware(0)), *b = k.start(hardware(0)),
                        *c = k.open(hardware(1));
    EXPECT_EQ(k.add(c), -ENOSPC);
    k.run(10);
    k.del(a);
    EXPECT_EQ(cs_riscv_perf_count(a), 10u);
    EXPECT_EQ(k.add(c), 0);
    k.run(10);
    EXPECT_EQ(k.read(b), 20u);
    EXPECT_EQ(k.read(c), 10u);
}

// counter_width is 63; a difference that wraps there is right as long as fewer are between two looks.
TEST(RiscvPmuBase, Widths)
{
    Kernel k(machine(CS_RISCV_BASE)), narrow(machine(CS_RISCV_BASE, 32));

    EXPECT_EQ(cs_riscv_pmu_width(k.pmu(), 0), 63u);
    free_running(k);
    k.csr(0xb02, (UINT64_C(1) << 63) - 40);
    cs_riscv_perf_event *event = k.start(hardware(1));
    k.run(100);
    EXPECT_EQ(k.read(event), 100u);

    free_running(narrow);
    narrow.csr(0xb82, 5);
    narrow.csr(0xb02, UINT32_MAX - 39);
    event = narrow.start(hardware(1));
    narrow.run(100);
    EXPECT_EQ(narrow.read(event), (UINT64_C(1) << 63) - (UINT64_C(1) << 32) + 100)
        << "the low half has wrapped";
}

TEST(RiscvPmuBase, NobodySamples)
{
    Machine m = with_ring(machine(CS_RISCV_BASE), 4096);
    m.driver.sscofpmf = true;
    Kernel k(m);

    free_running(k);
    cs_riscv_perf_event *event = k.start(hardware(1, 100));
    EXPECT_FALSE(k.serve(1000));
    EXPECT_EQ(k.read(event), 1000u);
    EXPECT_TRUE(k.samples.empty());
    cs_riscv_pmu_pm_enter(k.pmu(), k.hart());
    cs_riscv_pmu_pm_exit(k.pmu(), k.hart());
    cs_riscv_pmu_dying(k.pmu(), k.hart());
    EXPECT_EQ(k.taken(), "C2 C2");
}
