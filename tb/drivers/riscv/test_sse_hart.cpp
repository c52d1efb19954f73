// SPDX-License-Identifier: Apache-2.0
// Software events on a hart (docs/drivers/sbi_sse.md, "On the hart").
#include <functional>

#include "firmware.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kPmu = CS_SSE_PMU_OVERFLOW, kSoftware = CS_SSE_LOCAL_SOFTWARE;

Options with_sse(uint64_t deviations = 0, unsigned xlen = 64)
{
    Options o = small(0x78, xlen, deviations);

    o.fw.sse = true;
    o.fw.hart = 0;
    o.fw.harts = 2;
    return o;
}

// A hart whose supervisor handles events: `on` is called for each, before COMPLETE.
class Handled : public Machine
{
  public:
    explicit Handled(const Options &options = with_sse()) : Machine(options)
    {
        cs_sbi_pmu_on_sse(fw(), handle, this);
    }
    ~Handled()
    {
        cs_hart_intercept(hart(), 0, nullptr, nullptr);
    }

    int64_t sse(uint64_t fid, std::array<uint64_t, 6> args = {})
    {
        const cs_sbi sbi = cs_sbi_pmu_interface(fw());

        return sbi.call(sbi.ctx, hart(), CS_SBI_EID_SSE, fid, args.data()).error;
    }
    void use(uint64_t id, uint64_t pc = 0x1000, uint64_t arg = 7)
    {
        EXPECT_EQ(sse(CS_SBI_SSE_REGISTER, {id, pc, arg}), kSuccess);
        EXPECT_EQ(sse(CS_SBI_SSE_ENABLE, {id}), kSuccess);
    }
    // Counter n overflows `cycles` cycles of counting later.
    void arm(unsigned n, uint64_t cycles)
    {
        EXPECT_EQ(config(n, 1, 0, kRaw, 0x40), kSuccess);
        EXPECT_EQ(start(n, 1, kInitValue, 0 - cycles), kSuccess);
    }
    // The workload runs until M mode is asked for something; false: it is not, in `cycles` cycles.
    bool serve(uint64_t cycles = 500)
    {
        cs_hart_return(hart(), CS_HART_WORKLOAD);
        const bool rose =
            cs_hart_wait(hart(), cs_hart_now(hart()) + cycles - 1, CS_HART_LCOFI_M) != 0;
        if (rose)
            cs_sbi_pmu_lcofi(fw(), hart());
        EXPECT_EQ(cs_hart_running(hart()), CS_HART_WORKLOAD);
        cs_hart_trap(hart(), CS_HART_KERNEL);
        return rose;
    }
    cs_sse_state state(uint32_t id)
    {
        return cs_sbi_sse_event(cs_sbi_pmu_sse(fw()), id)->state;
    }
    // What an event has saved of the supervisor whom it interrupted.
    uint64_t flags(uint64_t id)
    {
        EXPECT_EQ(sse(CS_SBI_SSE_READ_ATTRS, {id, CS_SSE_INTERRUPTED_FLAGS, 1, kMemory + 16}),
                  kSuccess);
        return load(kMemory + 16);
    }
    bool lcofip()
    {
        return (csr(0x344) & kLcofi) != 0;
    }

    std::vector<cs_sse_entry> entries;
    std::string order; // "+10000 -10000": begun, ended
    std::function<void(const cs_sse_entry &)> on;

  private:
    void tell(char what, uint32_t id)
    {
        char text[16];

        snprintf(text, sizeof text, "%s%c%x", order.empty() ? "" : " ", what, id);
        order += text;
    }
    static void handle(void *ctx, cs_hart *hart, const cs_sse_entry *entry)
    {
        auto *h = static_cast<Handled *>(ctx);

        EXPECT_EQ(cs_hart_running(hart), CS_HART_KERNEL);
        EXPECT_EQ(h->state(entry->event), CS_SSE_RUNNING);
        h->entries.push_back(*entry);
        h->tell('+', entry->event);
        if (h->on)
            h->on(*entry);
        h->tell('-', entry->event);
        EXPECT_EQ(h->sse(CS_SBI_SSE_COMPLETE), kSuccess);
    }
};

} // namespace

TEST(SseHart, WhoHasIt)
{
    Machine with(with_sse()), without(small(0x78));
    Options old = with_sse();
    cs_sbi_pmu *fw = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(with.ecall(CS_SBI_EID_BASE, 3, {CS_SBI_EID_SSE}).value, 1u);
    EXPECT_EQ(without.ecall(CS_SBI_EID_BASE, 3, {CS_SBI_EID_SSE}).value, 0u);
    EXPECT_EQ(without.ecall(CS_SBI_EID_SSE, CS_SBI_SSE_HART_UNMASK).error, kNotSupported);
    EXPECT_EQ(with.ecall(CS_SBI_EID_SSE, 10).error, kNotSupported);
    old.fw.version = CS_SBI_VERSION_2_0;
    EXPECT_EQ(cs_sbi_pmu_create(&old.fw, &fw, &diag), CS_ERR_RANGE);
    old = with_sse();
    old.fw.form = CS_SBI_PROPOSAL_V3;
    EXPECT_EQ(cs_sbi_pmu_create(&old.fw, &fw, &diag), CS_ERR_RANGE);
    EXPECT_EQ(fw, nullptr);
}

TEST(SseHart, TheOverflowEventNeedsOverflows)
{
    Machine m(without_of(with_sse()));

    EXPECT_EQ(m.ecall(CS_SBI_EID_SSE, CS_SBI_SSE_REGISTER, {kPmu, 2, 0}).error, kNotSupported);
    EXPECT_EQ(m.ecall(CS_SBI_EID_SSE, CS_SBI_SSE_REGISTER, {kSoftware, 2, 0}).error, kSuccess);
    EXPECT_EQ(m.log, "");
}

// LCOFI is M mode's from REGISTER to UNREGISTER, and asked for while the event is ENABLED.
TEST(SseHart, WhereLcofiGoes)
{
    Machine m(with_sse());
    const struct {
        uint64_t fid;
        int64_t error;
        const char *log;
    } rows[] = {
        {CS_SBI_SSE_REGISTER, kSuccess, "mideleg=0"},
        {CS_SBI_SSE_REGISTER, CS_SBI_ERR_INVALID_STATE, ""},
        {CS_SBI_SSE_ENABLE, kSuccess, "mie=2000"},
        {CS_SBI_SSE_DISABLE, kSuccess, "mie=0"},
        {CS_SBI_SSE_ENABLE, kSuccess, "mie=2000"},
        {CS_SBI_SSE_DISABLE, kSuccess, "mie=0"},
        {CS_SBI_SSE_UNREGISTER, kSuccess, "mideleg=2000"},
    };

    for (const auto &row : rows) {
        EXPECT_EQ(m.ecall(CS_SBI_EID_SSE, row.fid, {kPmu, 2, 0}).error, row.error);
        EXPECT_EQ(m.log, row.log);
        EXPECT_EQ(m.transfers, 0u);
    }
}

TEST(SseHart, AnOverflowIsHandedToTheSupervisor)
{
    for (unsigned xlen : {32u, 64u}) {
        Handled m(with_sse(0, xlen));

        m.use(kPmu, 0x1000, 7);
        EXPECT_EQ(m.sse(CS_SBI_SSE_HART_UNMASK), kSuccess);
        m.arm(3, 200);
        m.on = [&](const cs_sse_entry &) {
            EXPECT_EQ(m.csr(0x304) & kLcofi, 0u) << "it does not ask again in its handler";
            EXPECT_TRUE(m.lcofip());
            EXPECT_EQ(m.stop(3, 1), kSuccess);
            EXPECT_FALSE(m.lcofip()) << "STOP has cleared it";
        };
        EXPECT_TRUE(m.serve());
        ASSERT_EQ(m.entries.size(), 1u);
        EXPECT_EQ(m.entries[0].event, kPmu);
        EXPECT_EQ(m.entries[0].pc, 0x1000u);
        EXPECT_EQ(m.entries[0].arg, 7u);
        EXPECT_EQ(m.entries[0].interrupted.mode, CS_MODE_U);
        EXPECT_FALSE(m.entries[0].in_software);
        EXPECT_EQ(m.state(kPmu), CS_SSE_ENABLED);
        EXPECT_EQ(m.csr(0x304) & kLcofi, kLcofi);
        EXPECT_FALSE(m.serve()) << "nothing is left";
    }
}

// Software of the kernel's is interrupted in its work, and does the rest of it.
TEST(SseHart, SoftwareIsInterrupted)
{
    Handled m;

    m.use(kPmu);
    EXPECT_EQ(m.sse(CS_SBI_SSE_HART_UNMASK), kSuccess);
    cs_hart_intercept(
        m.hart(), CS_HART_LCOFI_M,
        [](void *fw, cs_hart *hart) { cs_sbi_pmu_lcofi(static_cast<cs_sbi_pmu *>(fw), hart); },
        m.fw());
    cs_cycle left = 0;
    m.on = [&](const cs_sse_entry &) {
        left = cs_hart_now(m.hart());
        EXPECT_EQ(m.stop(3, 1), kSuccess);
    };
    m.arm(3, 200);
    const cs_cycle begin = cs_hart_now(m.hart());
    m.work(100);
    EXPECT_TRUE(m.entries.empty());
    m.work(300);
    ASSERT_EQ(m.entries.size(), 1u);
    EXPECT_TRUE(m.entries[0].in_software);
    EXPECT_EQ(m.entries[0].interrupted.mode, CS_MODE_S);
    EXPECT_LT(m.entries[0].trap, begin + 400);
    EXPECT_GT(m.entries[0].trap, begin + 100);
    EXPECT_GT(left, m.entries[0].trap);
    EXPECT_EQ(cs_hart_running(m.hart()), CS_HART_KERNEL);
    EXPECT_GT(cs_hart_now(m.hart()), begin + 400 + (left - m.entries[0].trap))
        << "all its work, and the handler's beside it";
}

TEST(SseHart, WhatIsMaskedOrDisabledWaits)
{
    Handled m;

    m.use(kPmu);
    m.arm(3, 100);
    m.on = [&](const cs_sse_entry &) { m.stop(3, 1); };
    EXPECT_TRUE(m.serve()) << "M mode takes it";
    EXPECT_TRUE(m.entries.empty()) << "and keeps it: software events are masked";
    EXPECT_FALSE(m.serve());
    EXPECT_EQ(m.sse(CS_SBI_SSE_HART_UNMASK), kSuccess);
    EXPECT_EQ(m.entries.size(), 1u) << "before the call returns";
    EXPECT_EQ(m.sse(CS_SBI_SSE_DISABLE, {kPmu}), kSuccess);
    EXPECT_EQ(m.start(3, 1, kInitValue, 0 - UINT64_C(100)), kSuccess);
    EXPECT_FALSE(m.serve());
    EXPECT_TRUE(m.lcofip());
    EXPECT_EQ(m.sse(CS_SBI_SSE_ENABLE, {kPmu}), kSuccess);
    EXPECT_TRUE(m.serve());
    EXPECT_EQ(m.entries.size(), 2u);
}

// STOP of one counter leaves the overflow of another pending; with OpenSBI it is lost.
TEST(SseHart, AStopKeepsWhatIsOthers)
{
    for (uint64_t deviation : {UINT64_C(0), CS_SBI_DEV_SSE_STOP_CLEARS}) {
        Handled m(with_sse(deviation));

        m.use(kPmu);
        m.arm(3, 100000);
        m.arm(4, 10);
        m.work(100);
        EXPECT_TRUE(m.lcofip());
        EXPECT_EQ(m.stop(3, 1), kSuccess);
        EXPECT_EQ(m.lcofip(), deviation == 0);
        EXPECT_EQ(m.log.find("scountovf") != std::string::npos, false) << "of the last look";
        EXPECT_EQ(m.stop(4, 1), kSuccess);
        EXPECT_FALSE(m.lcofip());
    }
    Machine none(with_sse());
    EXPECT_EQ(none.config(3, 1, 0, kRaw, 0x40), kSuccess);
    EXPECT_EQ(none.start(3, 1), kSuccess);
    EXPECT_EQ(none.stop(3, 1), kSuccess);
    EXPECT_EQ(none.log, "I=7d") << "as long as nobody has registered";
}

TEST(SseHart, DisableOfARelease)
{
    for (uint64_t deviation : {UINT64_C(0), CS_SBI_DEV_SSE_DISABLE_CLEARS}) {
        Handled m(with_sse(deviation));

        m.use(kPmu);
        m.arm(3, 10);
        m.work(100);
        EXPECT_EQ(m.sse(CS_SBI_SSE_DISABLE, {kPmu}), kSuccess);
        EXPECT_EQ(m.lcofip(), deviation == 0);
    }
    EXPECT_NE(cs_sbi_group_mask(CS_SBI_OPENSBI_1_9) & CS_SBI_DEV_SSE_STOP_CLEARS, 0u);
    EXPECT_NE(cs_sbi_group_mask(CS_SBI_OPENSBI_1_9) & CS_SBI_DEV_SSE_DISABLE_CLEARS, 0u);
}

// Who says nothing of other harts has one: itself.
TEST(SseHart, AHartAlone)
{
    for (unsigned harts : {0u, 1u}) {
        Options o = with_sse();
        o.fw.harts = harts;
        Handled m(o);

        EXPECT_EQ(m.sse(CS_SBI_SSE_INJECT, {kSoftware, 0}), kSuccess);
        EXPECT_EQ(m.sse(CS_SBI_SSE_INJECT, {kSoftware, 1}), kInvalidParam);
    }
}

// An event that is injected from a handler preempts it, or comes when it is done.
TEST(SseHart, Priorities)
{
    const struct {
        uint64_t pmu, software; // priorities
        const char *order;
        uint64_t flags; // the workload was in U mode, with interrupts on
    } rows[] = {
        {0, 0, "+10000 -10000 +ffff0000 -ffff0000", 0},
        {0, 1, "+10000 -10000 +ffff0000 -ffff0000", 0},
        {1, 0, "+10000 +ffff0000 -ffff0000 -10000", CS_SSE_FLAG_SPIE},
    };

    for (const auto &row : rows) {
        Handled m;

        m.store(kMemory, row.pmu);
        m.store(kMemory + 8, row.software);
        EXPECT_EQ(m.sse(CS_SBI_SSE_WRITE_ATTRS, {kPmu, CS_SSE_PRIORITY, 1, kMemory}), kSuccess);
        EXPECT_EQ(m.sse(CS_SBI_SSE_WRITE_ATTRS, {kSoftware, CS_SSE_PRIORITY, 1, kMemory + 8}),
                  kSuccess);
        m.use(kPmu);
        m.use(kSoftware, 0x2000, 9);
        EXPECT_EQ(m.sse(CS_SBI_SSE_HART_UNMASK), kSuccess);
        m.arm(3, 100);
        m.on = [&](const cs_sse_entry &entry) {
            if (entry.event != kPmu) {
                if (m.entries.size() == 2) {
                    EXPECT_EQ(m.flags(kSoftware), row.flags);
                }
                return;
            }
            m.stop(3, 1);
            EXPECT_EQ(m.sse(CS_SBI_SSE_INJECT, {kSoftware, 0}), kSuccess);
        };
        EXPECT_TRUE(m.serve());
        EXPECT_EQ(m.order, row.order);
        ASSERT_EQ(m.entries.size(), 2u);
        EXPECT_EQ(m.entries[1].arg, 9u);
        EXPECT_EQ(m.sse(CS_SBI_SSE_INJECT, {kSoftware, 1}), kFailed) << "another hart's";
        EXPECT_EQ(m.sse(CS_SBI_SSE_INJECT, {kSoftware, 2}), kInvalidParam) << "no hart";
        EXPECT_EQ(m.sse(CS_SBI_SSE_INJECT, {kSoftware, 0}), kSuccess);
        EXPECT_EQ(m.entries.size(), 3u) << "before the call returns";
    }
}
