// SPDX-License-Identifier: Apache-2.0
// Overflows by software events (docs/drivers/riscv_driver.md, "By software events").
#include "kernel.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kSse = kMemory + 0x3800;

Machine with_sse(unsigned xlen = 64)
{
    Machine m = machine(CS_RISCV_SBI, xlen);

    m.fw.sse = true;
    m.fw.hart = 3;
    m.fw.harts = 4;
    m.driver.use_sse = true;
    m.driver.sse_address = kSse;
    return m;
}

cs_sse_state state(Kernel &k)
{
    return cs_sbi_sse_event(cs_sbi_pmu_sse(k.fw()), CS_SSE_PMU_OVERFLOW)->state;
}

} // namespace

TEST(RiscvPmuSse, Probe)
{
    Machine m = with_sse();
    m.probes = false;
    Kernel k(m);

    EXPECT_EQ(k.probe(), 0);
    EXPECT_TRUE(cs_riscv_pmu_has_sse(k.pmu()));
    const std::string log = k.taken();
    EXPECT_NE(log.find(" BASE3(535345) WRATTR(10000,1,1,80003800) REGISTER(10000,80200000,80003800)"
                       " ENABLE(10000) UNMASK(10000) "),
              std::string::npos)
        << log;
    EXPECT_EQ(log.find("sie"), std::string::npos) << "S mode asks for nothing itself";
    EXPECT_EQ(state(k), CS_SSE_ENABLED);
    cs_riscv_pmu_dying(k.pmu(), k.hart());
    EXPECT_EQ(k.taken(), "MASK(10000) DISABLE(10000) UNREGISTER(10000) scounteren=0");
    EXPECT_EQ(state(k), CS_SSE_UNUSED);
}

TEST(RiscvPmuSse, WithoutThemItIsLcofi)
{
    Machine none = with_sse();
    none.fw.sse = false;
    none.probes = false;
    Kernel k(none);

    EXPECT_EQ(k.probe(), 0);
    EXPECT_FALSE(cs_riscv_pmu_has_sse(k.pmu()));
    const std::string log = k.taken();
    EXPECT_NE(log.find(" BASE3(535345) sip=0 sie=2000"), std::string::npos) << log;
    k.start(raw(kOne, 100));
    EXPECT_TRUE(k.serve(150));
    EXPECT_EQ(k.samples.size(), 1u);

    Machine refuses = with_sse();
    refuses.probes = false;
    Kernel other(refuses);
    other.answers = [](uint64_t eid, uint64_t fid, const uint64_t *, cs_sbi_ret *ret) {
        *ret = {CS_SBI_ERR_FAILED, 0};
        return eid == CS_SBI_EID_SSE && fid == CS_SBI_SSE_ENABLE;
    };
    EXPECT_EQ(other.probe(), 0);
    EXPECT_FALSE(cs_riscv_pmu_has_sse(other.pmu()));
    EXPECT_EQ(state(other), CS_SSE_UNUSED) << "it is unregistered again";
}

TEST(RiscvPmuSse, HeldOffWhileCountersAreTouched)
{
    Kernel k(with_sse());
    cs_riscv_perf_event *event = k.open(raw(kOne));

    EXPECT_EQ(k.taken(), "");
    k.add(event);
    EXPECT_EQ(k.taken(), "DISABLE(10000) CONFIG(0,1fd,0,30000,40) START(3,1,1,8000000000000001)"
                         " ENABLE(10000)");
    k.stop(event);
    EXPECT_EQ(k.taken(), "DISABLE(10000) STOP(3,1) C3 ENABLE(10000)");
    k.start(event);
    EXPECT_EQ(k.taken(), "DISABLE(10000) START(3,1,1,8000000000000001) ENABLE(10000)");
    k.read(event);
    EXPECT_EQ(k.taken(), "C3");
    k.del(event);
    EXPECT_EQ(k.taken(), "DISABLE(10000) STOP(3,1) C3 STOP(3,1,1) ENABLE(10000)");
    k.tick();
    EXPECT_EQ(k.taken(), "DISABLE(10000) ENABLE(10000)");
    EXPECT_EQ(k.figures().sbi_errors, 0u);
}

TEST(RiscvPmuSse, Samples)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(with_ring(with_sse(xlen), 4096));
        cs_riscv_perf_event *event = k.start(raw(kOne, 100));

        k.taken();
        k.serve_sse(130);
        ASSERT_EQ(k.samples.size(), 1u);
        EXPECT_FALSE(k.samples[0].in_software);
        EXPECT_EQ(k.samples[0].ip, 0x10000u);
        EXPECT_EQ(k.samples[0].period, 100u);
        EXPECT_EQ(k.samples[0].pid, 0x101u);
        const std::string log = k.taken();
        EXPECT_EQ(log.find("RDATTR(10000,8,2,80003800) STOP(0,8) "), 0u) << log;
        EXPECT_EQ(log.find("sip"), std::string::npos) << "S mode has nothing to clear";
        EXPECT_EQ(log.substr(log.size() - 10), "COMPLETE()");
        k.serve_sse(1000);
        EXPECT_GE(k.samples.size(), 8u);
        EXPECT_EQ(k.figures().sse, k.samples.size());
        EXPECT_EQ(k.figures().interrupts, k.samples.size());
        EXPECT_EQ(k.figures().spurious, 0u);
        EXPECT_EQ(k.figures().sbi_errors, 0u);
        EXPECT_EQ(state(k), CS_SSE_ENABLED);
        k.del(event);
    }
}

// An overflow while another event is touched comes behind it; with what OpenSBI does it never does.
TEST(RiscvPmuSse, AnOverflowInBetween)
{
    for (uint64_t deviations :
         {UINT64_C(0), CS_SBI_DEV_SSE_STOP_CLEARS, CS_SBI_DEV_SSE_DISABLE_CLEARS}) {
        Machine m = with_sse();
        m.fw.deviations = deviations;
        Kernel k(m);
        cs_riscv_perf_event *counted = k.start(raw(kEverywhere));

        k.start(raw(kEverywhere, 100));
        cs_hart_work(k.hart(), 150); // the kernel is at work, and its overflow waits
        if (deviations == CS_SBI_DEV_SSE_DISABLE_CLEARS)
            k.tick();
        else
            k.stop(counted);
        k.serve_sse(50);
        EXPECT_EQ(k.samples.empty(), deviations != 0) << deviations;
        k.serve_sse(2000);
        EXPECT_EQ(k.samples.empty(), deviations != 0) << "and so it stays";
    }
}

TEST(RiscvPmuSse, WhatIsNotAllowed)
{
    const struct {
        const char *name;
        std::function<void(cs_riscv_pmu_config &)> spoil;
    } rows[] = {
        {"a guest", [](cs_riscv_pmu_config &c) { c.guest = true; }},
        {"another kind", [](cs_riscv_pmu_config &c) { c.kind = CS_RISCV_LEGACY; }},
        {"an odd address", [](cs_riscv_pmu_config &c) { c.sse_address += 4; }},
    };

    for (const auto &row : rows) {
        cs_riscv_pmu_config config = with_sse().driver;
        cs_riscv_pmu *pmu = nullptr;
        cs_diag diag = {};

        config.sbi.call = [](void *, cs_hart *, uint64_t, uint64_t, const uint64_t *) {
            return cs_sbi_ret{};
        };
        row.spoil(config);
        EXPECT_EQ(cs_riscv_pmu_create(&config, nullptr, &pmu, &diag), CS_ERR_RANGE) << row.name;
    }
}
