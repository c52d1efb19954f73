// SPDX-License-Identifier: Apache-2.0
// The hypervisor of a guest, on a hart that stands alone: what it forwards, what it refuses, and what it opens.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "drivers/hpm/hypervisor.h"
#include <countersink/drivers/hpm/hart_alone.h>

namespace
{

constexpr uint64_t kLcofi = 1u << 13, kTime = 2;
constexpr uint64_t kConfig = CS_SBI_PMU_COUNTER_CONFIG_MATCHING, kStart = CS_SBI_PMU_COUNTER_START,
                   kStop = CS_SBI_PMU_COUNTER_STOP;
constexpr unsigned kCall = 23;
constexpr cs_hart_costs kCosts = {3, 7, 5, 0, 2};

struct Call {
    uint64_t eid, fid;
    std::vector<uint64_t> args;
    cs_hart_track track;
};

// The firmware is the test: it remembers calls and says what it is told to. The host has the counters that
// somebody has lent away from its driver.
struct Hypervisor : testing::Test {
    cs_timeline *timeline = nullptr;
    cs_hart_alone *alone = nullptr;
    cs_hart *hart = nullptr;
    cs_riscv_pmu *host = nullptr;
    cs_hypervisor *hypervisor = nullptr;
    std::vector<Call> calls;
    std::deque<cs_sbi_ret> answers; // then SUCCESS, 0

    void SetUp() override
    {
        make();
    }
    void TearDown() override
    {
        EXPECT_EQ(cs_hart_failed(hart), nullptr) << cs_hart_failed(hart);
        destroy();
    }
    void destroy()
    {
        cs_hypervisor_destroy(hypervisor);
        cs_riscv_pmu_destroy(host);
        cs_hart_alone_destroy(alone);
        cs_timeline_destroy(timeline);
    }
    void make(unsigned xlen = 64, bool sscofpmf = true, bool open_fixed = false)
    {
        destroy();
        make_hart(xlen, sscofpmf);
        cs_riscv_pmu_config pmu = {};
        pmu.sbi = {firmware, this};
        ASSERT_EQ(cs_riscv_pmu_create(&pmu, nullptr, &host, nullptr), CS_OK);
        cs_hypervisor_config config = {};
        config.firmware = {firmware, this};
        config.host = host;
        config.call_cycles = kCall;
        config.sscofpmf = sscofpmf;
        config.open_fixed = open_fixed;
        ASSERT_EQ(cs_hypervisor_create(&config, &hypervisor, nullptr), CS_OK);
        cs_hart_run(hart, CS_HART_FIRMWARE);
        cs_hart_csr_write(hart, 0x306, 0xffffffff);
        cs_hart_run(hart, CS_HART_KERNEL);
        cs_hart_csr_write(hart, 0x606, 0xffffffff);
        if (sscofpmf)
            cs_hart_csr_set(hart, 0x603, kLcofi);
        cs_hypervisor_boot(hypervisor, hart);
        cs_hart_run(hart, CS_HART_GUEST);
    }
    void make_hart(unsigned xlen, bool sscofpmf)
    {
        static const cs_segment segments[] = {{1000, static_cast<cs_privilege>(CS_HPM_MODE_VU), 0,
                                               0, nullptr, 0, nullptr, 0, false, 0},
                                              {1000, static_cast<cs_privilege>(CS_HPM_MODE_S), 0, 0,
                                               nullptr, 0, nullptr, 0, false, 0},
                                              {1000, static_cast<cs_privilege>(CS_HPM_MODE_M), 0, 0,
                                               nullptr, 0, nullptr, 0, false, 0},
                                              {1000, static_cast<cs_privilege>(CS_HPM_MODE_VS), 0,
                                               0, nullptr, 0, nullptr, 0, false, 0}};
        static const cs_track tracks[] = {{"workload", &segments[0], 1},
                                          {"kernel", &segments[1], 1},
                                          {"firmware", &segments[2], 1},
                                          {"guest", &segments[3], 1}};
        const cs_timeline_desc desc = {1, 0, 0, tracks, 4, nullptr, 0, CS_MODE_EL0};
        cs_hart_alone_config config = {};

        ASSERT_EQ(cs_timeline_create(&desc, &timeline, nullptr), CS_OK);
        config.hart.xlen = xlen;
        config.hart.costs = kCosts;
        config.hart.time_mhz = config.hart.clock_mhz = 1;
        config.hpm = cs_hpm_default_config();
        config.hpm.xlen = xlen;
        config.hpm.sscofpmf = sscofpmf;
        config.timeline = timeline;
        ASSERT_EQ(cs_hart_alone_create(&config, &alone, nullptr), CS_OK);
        hart = cs_hart_alone_hart(alone);
    }
    static cs_sbi_ret firmware(void *ctx, cs_hart *hart, uint64_t eid, uint64_t fid,
                               const uint64_t args[6])
    {
        auto *self = static_cast<Hypervisor *>(ctx);
        cs_sbi_ret ret = {CS_SBI_SUCCESS, 0};

        self->calls.push_back({eid, fid, {args, args + 6}, cs_hart_running(hart)});
        if (!self->answers.empty()) {
            ret = self->answers.front();
            self->answers.pop_front();
        }
        return ret;
    }

    cs_sbi_ret call(uint64_t fid, std::initializer_list<uint64_t> list,
                    uint64_t eid = CS_SBI_EID_PMU)
    {
        uint64_t args[6] = {};
        const cs_sbi sbi = cs_hypervisor_interface(hypervisor);

        std::copy(list.begin(), list.end(), args);
        const cs_sbi_ret ret = sbi.call(sbi.ctx, hart, eid, fid, args);
        EXPECT_EQ(cs_hart_running(hart), CS_HART_GUEST);
        return ret;
    }
    // The guest gets this counter.
    void get(unsigned counter, uint64_t flags = 0)
    {
        answers.push_back({CS_SBI_SUCCESS, counter});
        EXPECT_EQ(
            call(kConfig, {0, UINT64_MAX >> (cs_hart_xlen(hart) == 32 ? 32 : 0), flags, 1}).error,
            CS_SBI_SUCCESS);
    }
    uint64_t csr(uint16_t number)
    {
        const cs_hart_track track = cs_hart_run(hart, CS_HART_KERNEL);
        const uint64_t value = cs_hart_csr_read(hart, number);

        cs_hart_run(hart, track);
        return value;
    }
    uint64_t opened()
    {
        return csr(0x606) & ~kTime;
    }
    bool interrupts()
    {
        return (csr(0x603) & kLcofi) != 0;
    }
    void host_has(uint64_t set)
    {
        cs_riscv_pmu_lend(host, set);
    }
    uint64_t lent()
    {
        return cs_riscv_pmu_taken(host);
    }
};

} // namespace

TEST_F(Hypervisor, AtFirstTheGuestHasTheTimeOnly)
{
    EXPECT_EQ(csr(0x606), kTime);
    EXPECT_FALSE(interrupts()) << "cleared, whatever was there";
    EXPECT_EQ(lent(), 0u);
    EXPECT_TRUE(calls.empty());
    make(64, false);
    EXPECT_EQ(csr(0x606), kTime);
    make(64, true, true);
    EXPECT_EQ(csr(0x606), 7u);
    EXPECT_FALSE(interrupts());
}

// From the guest into the hypervisor, its work, the firmware's call from there, and back.
TEST_F(Hypervisor, ACallTakesTheWayThroughTheHypervisor)
{
    answers.push_back({-4, 99});
    const cs_cycle begin = cs_hart_now(hart);
    const cs_sbi_ret ret = call(CS_SBI_PMU_COUNTER_GET_INFO, {5, 4, 3, 2, 1, 6});

    EXPECT_EQ(cs_hart_now(hart) - begin, 7u + kCall + 5);
    EXPECT_EQ(ret.error, -4);
    EXPECT_EQ(ret.value, 99u);
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].eid, CS_SBI_EID_PMU);
    EXPECT_EQ(calls[0].fid, CS_SBI_PMU_COUNTER_GET_INFO);
    EXPECT_EQ(calls[0].args, (std::vector<uint64_t>{5, 4, 3, 2, 1, 6}));
    EXPECT_EQ(calls[0].track, CS_HART_KERNEL);
}

TEST_F(Hypervisor, OtherCallsAreTheFirmwares)
{
    const uint64_t functions[] = {CS_SBI_PMU_NUM_COUNTERS,
                                  CS_SBI_PMU_COUNTER_GET_INFO,
                                  CS_SBI_PMU_COUNTER_FW_READ,
                                  CS_SBI_PMU_COUNTER_FW_READ_HI,
                                  CS_SBI_PMU_SNAPSHOT_SET_SHMEM,
                                  CS_SBI_PMU_EVENT_GET_INFO,
                                  1000};

    host_has(~0ull);
    for (const uint64_t fid : functions)
        call(fid, {99, 7, 1});
    for (const uint64_t fid : {kConfig, kStart, kStop})
        call(fid, {99, 7, 1}, CS_SBI_EID_BASE);
    ASSERT_EQ(calls.size(), 10u);
    for (size_t i = 0; i < 7; i++)
        EXPECT_EQ(calls[i].fid, functions[i]);
    for (size_t i = 7; i < 10; i++)
        EXPECT_EQ(calls[i].eid, CS_SBI_EID_BASE);
    for (const Call &c : calls)
        EXPECT_EQ(c.args, (std::vector<uint64_t>{99, 7, 1, 0, 0, 0}));
    EXPECT_EQ(opened(), 0u);
}

// ---- CONFIG_MATCHING ----

TEST_F(Hypervisor, TheGuestMayHaveWhatTheHostHasNot)
{
    host_has(0x28); // 3 and 5
    answers.push_back({CS_SBI_SUCCESS, 4});
    const cs_sbi_ret ret = call(kConfig, {2, 0x3f, CS_SBI_CFG_CLEAR_VALUE, 0x40, 0x55, 0x66});

    EXPECT_EQ(ret.error, CS_SBI_SUCCESS);
    EXPECT_EQ(ret.value, 4u);
    EXPECT_EQ(calls[0].fid, kConfig);
    EXPECT_EQ(calls[0].args[0], 2u);
    EXPECT_EQ(calls[0].args[1], 0xd4u >> 2);
    EXPECT_EQ(calls[0].args[3], 0x40u);
    EXPECT_EQ(calls[0].args[4], 0x55u);
    EXPECT_EQ(calls[0].args[5], 0x66u);
    EXPECT_EQ(lent(), 0x38u) << "4 is the guest's now";
    EXPECT_EQ(opened(), 0u) << "not before it starts";
    EXPECT_FALSE(interrupts());

    calls.clear();
    answers.push_back({CS_SBI_ERR_NOT_SUPPORTED, 0});
    EXPECT_EQ(call(kConfig, {0, 0x38, 0, 0x40}).error, CS_SBI_ERR_NOT_SUPPORTED);
    EXPECT_EQ(calls[0].args[1], 0x10u) << "its own it may have again";
    EXPECT_EQ(lent(), 0x38u);
}

TEST_F(Hypervisor, NothingIsLeft)
{
    host_has(0x38);
    EXPECT_EQ(call(kConfig, {3, 7, 0, 0x40}).error, CS_SBI_ERR_NOT_SUPPORTED);
    EXPECT_TRUE(calls.empty()) << "the firmware is not asked";
    answers.push_back({CS_SBI_ERR_INVALID_PARAM, 0});
    EXPECT_EQ(call(kConfig, {3, 0, 0, 0x40}).error, CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(calls.size(), 1u) << "an empty set is the firmware's to refuse";
    EXPECT_EQ(lent(), 0x38u);
}

// M, HS and U never count for a guest; its own modes as it asks.
TEST_F(Hypervisor, FlagsOfAGuest)
{
    const uint64_t others = CS_SBI_CFG_SET_MINH | CS_SBI_CFG_SET_SINH | CS_SBI_CFG_SET_UINH;
    const struct {
        uint64_t asked, forwarded;
    } cases[] = {
        {0, others},
        {CS_SBI_CFG_SET_UINH, others | CS_SBI_CFG_SET_VUINH},
        {CS_SBI_CFG_SET_SINH, others | CS_SBI_CFG_SET_VSINH},
        {CS_SBI_CFG_SET_MINH, others},
        {CS_SBI_CFG_SET_VUINH | CS_SBI_CFG_SET_VSINH, others},
        {CS_SBI_CFG_SKIP_MATCH | CS_SBI_CFG_CLEAR_VALUE | 0x100,
         others | CS_SBI_CFG_SKIP_MATCH | CS_SBI_CFG_CLEAR_VALUE | 0x100},
    };

    for (const auto &c : cases) {
        calls.clear();
        get(3, c.asked);
        EXPECT_EQ(calls[0].args[2], c.forwarded) << c.asked;
    }
}

TEST_F(Hypervisor, AutoStartOpens)
{
    get(6, CS_SBI_CFG_AUTO_START);
    EXPECT_EQ(opened(), 0x40u);
    EXPECT_TRUE(interrupts());
}

TEST_F(Hypervisor, AutoStartThatFailsOpensNothing)
{
    answers.push_back({CS_SBI_ERR_NOT_SUPPORTED, 6});
    call(kConfig, {0, 0xff, CS_SBI_CFG_AUTO_START, 1});
    EXPECT_EQ(opened(), 0u);
    EXPECT_FALSE(interrupts());
    EXPECT_EQ(lent(), 0u);
    get(CS_RISCV_MAX_COUNTERS, CS_SBI_CFG_AUTO_START);
    EXPECT_EQ(lent(), 0u) << "a counter that cannot be";
    EXPECT_EQ(opened(), 0u);
}

// ---- START, STOP ----

TEST_F(Hypervisor, StartOpensWhatTheGuestHas)
{
    get(3);
    get(5);
    calls.clear();
    answers.push_back({CS_SBI_ERR_ALREADY_STARTED, 0});
    EXPECT_EQ(call(kStart, {3, 1, 1, 0x123}).error, CS_SBI_ERR_ALREADY_STARTED);
    EXPECT_EQ(calls[0].args, (std::vector<uint64_t>{3, 1, 1, 0x123, 0, 0}));
    EXPECT_EQ(opened(), 0x8u);
    EXPECT_TRUE(interrupts());
    call(kStart, {0, 0x28, 0, 0});
    EXPECT_EQ(opened(), 0x28u);
}

TEST_F(Hypervisor, StartOfWhatItHasNotIsRefused)
{
    host_has(0x10);
    get(3);
    calls.clear();
    for (const uint64_t set : {0x10, 0x18, 0x40})
        EXPECT_EQ(call(kStart, {0, set, 0}).error, CS_SBI_ERR_INVALID_PARAM) << set;
    EXPECT_TRUE(calls.empty());
    EXPECT_EQ(opened(), 0u);
    EXPECT_FALSE(interrupts());
}

TEST_F(Hypervisor, StartOfNothingOpensNothing)
{
    answers.push_back({CS_SBI_ERR_INVALID_PARAM, 0});
    EXPECT_EQ(call(kStart, {3, 0, 0}).error, CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(calls.size(), 1u);
    EXPECT_EQ(opened(), 0u);
    EXPECT_FALSE(interrupts()) << "the host's";
}

// Interrupts are given once: the first START has a CSR instruction more.
TEST_F(Hypervisor, StartTakesWhatItDoes)
{
    get(3);
    get(5);
    const cs_cycle begin = cs_hart_now(hart);
    call(kStart, {3, 1, 0});
    const cs_cycle middle = cs_hart_now(hart);
    call(kStart, {5, 1, 0});
    EXPECT_EQ(middle - begin, 7u + kCall + 3 + 3 + 5);
    EXPECT_EQ(cs_hart_now(hart) - middle, 7u + kCall + 3 + 5);
}

TEST_F(Hypervisor, StopOfNothingIsTheFirmwaresToRefuse)
{
    answers.push_back({CS_SBI_ERR_INVALID_PARAM, 0});
    EXPECT_EQ(call(kStop, {3, 0, CS_SBI_STOP_RESET}).error, CS_SBI_ERR_INVALID_PARAM);
    EXPECT_EQ(calls.size(), 1u);
}

TEST_F(Hypervisor, StopIsOfItsOwn)
{
    host_has(0x10);
    get(3);
    get(5);
    call(kStart, {3, 5, 0});
    calls.clear();
    EXPECT_EQ(call(kStop, {3, 5, 0}).error, CS_SBI_SUCCESS);
    EXPECT_EQ(calls.back().args, (std::vector<uint64_t>{3, 5, 0, 0, 0, 0}));
    EXPECT_EQ(call(kStop, {3, 7, 2}).error, CS_SBI_ERR_ALREADY_STOPPED) << "4 stands for it";
    EXPECT_EQ(calls.back().args, (std::vector<uint64_t>{3, 5, 2, 0, 0, 0}));
    answers.push_back({CS_SBI_ERR_FAILED, 0});
    EXPECT_EQ(call(kStop, {3, 7, 2}).error, CS_SBI_ERR_FAILED);
    calls.clear();
    EXPECT_EQ(call(kStop, {4, 1, 1}).error, CS_SBI_ERR_ALREADY_STOPPED);
    EXPECT_TRUE(calls.empty()) << "the host's goes on";
    EXPECT_EQ(opened(), 0x28u) << "a stopped counter can be read";
    EXPECT_TRUE(interrupts());
    EXPECT_EQ(lent(), 0x38u);
}

TEST_F(Hypervisor, ResetGivesBack)
{
    host_has(0x10);
    get(3);
    get(5);
    call(kStart, {3, 5, 0});
    call(kStop, {0, UINT64_MAX, CS_SBI_STOP_RESET});
    EXPECT_EQ(lent(), 0x10u) << "the host keeps its own";
    EXPECT_EQ(opened(), 0u);
    EXPECT_FALSE(interrupts());
    EXPECT_EQ(call(kStart, {3, 1, 0}).error, CS_SBI_ERR_INVALID_PARAM) << "no longer its own";
    EXPECT_EQ(csr(0x606), kTime);
}

TEST_F(Hypervisor, InterruptsAreTheGuestsUntilItsLastCounterIsGone)
{
    get(3);
    get(5);
    call(kStart, {0, 0x28, 0});
    answers.push_back({CS_SBI_ERR_ALREADY_STOPPED, 0});
    call(kStop, {3, 1, CS_SBI_STOP_RESET});
    EXPECT_EQ(lent(), 0x20u) << "it stood, and has been reset";
    EXPECT_EQ(opened(), 0x20u);
    EXPECT_TRUE(interrupts());
    call(kStop, {5, 1, CS_SBI_STOP_RESET});
    EXPECT_FALSE(interrupts());
    get(4);
    call(kStart, {4, 1, 0});
    EXPECT_TRUE(interrupts()) << "and again";
    EXPECT_EQ(opened(), 0x10u);
}

TEST_F(Hypervisor, AStopThatWasRefusedGivesNothingBack)
{
    get(3);
    call(kStart, {3, 1, 0});
    for (const int64_t error : {CS_SBI_ERR_INVALID_PARAM, CS_SBI_ERR_NO_SHMEM}) {
        answers.push_back({error, 0});
        EXPECT_EQ(call(kStop, {3, 1, CS_SBI_STOP_RESET | 2}).error, error);
        EXPECT_EQ(lent(), 8u);
        EXPECT_EQ(opened(), 8u);
        EXPECT_TRUE(interrupts());
    }
    answers.push_back({CS_SBI_ERR_FAILED, 0});
    EXPECT_EQ(call(kStop, {3, 1, CS_SBI_STOP_RESET | 2}).error, CS_SBI_ERR_FAILED);
    EXPECT_EQ(lent(), 0u) << "all but the page was done";
}

TEST_F(Hypervisor, FirmwareCountersAreLentToo)
{
    get(40);
    EXPECT_EQ(lent(), 1ull << 40);
    call(kStart, {40, 1, 0});
    EXPECT_EQ(opened(), 0u) << "there is no bit for them";
    EXPECT_TRUE(interrupts());
    call(kStop, {40, 1, CS_SBI_STOP_RESET});
    EXPECT_EQ(lent(), 0u);
    EXPECT_FALSE(interrupts());
}

TEST_F(Hypervisor, SetsBeyondTheLastCounter)
{
    for (const uint64_t fid : {kConfig, kStart, kStop}) {
        EXPECT_EQ(call(fid, {64, 1, 0}).error, CS_SBI_ERR_INVALID_PARAM);
        EXPECT_EQ(call(fid, {63, 2, 0}).error, CS_SBI_ERR_INVALID_PARAM);
        EXPECT_EQ(call(fid, {UINT64_MAX, 1, 0}).error, CS_SBI_ERR_INVALID_PARAM);
    }
    EXPECT_TRUE(calls.empty());
    call(kConfig, {63, 1, 0});
    EXPECT_EQ(calls.size(), 1u);
}

TEST_F(Hypervisor, SetsHave32BitsWithXlen32)
{
    make(32);
    answers.push_back({CS_SBI_SUCCESS, 33});
    call(kConfig, {32, 0x5555555500000002, 0, 1});
    EXPECT_EQ(calls[0].args[0], 32u);
    EXPECT_EQ(calls[0].args[1], 2u);
    EXPECT_EQ(lent(), 1ull << 33);
}

TEST_F(Hypervisor, WithoutSscofpmfThereAreNoInterrupts)
{
    make(64, false);
    get(3);
    call(kStart, {3, 1, 0});
    EXPECT_EQ(opened(), 8u);
    EXPECT_EQ(csr(0x603) & kLcofi, 0u);
    call(kStop, {3, 1, CS_SBI_STOP_RESET});
    EXPECT_EQ(opened(), 0u);
    EXPECT_EQ(lent(), 0u);
}

// ---- scountovf ----

TEST_F(Hypervisor, ScountovfIsEmulatedWhereItTraps)
{
    get(3);
    cs_hart_run(hart, CS_HART_FIRMWARE);
    cs_hart_csr_write(hart, 0x323, 1ull << 63);
    cs_hart_csr_write(hart, 0x324, 1ull << 63);
    cs_hart_csr_write(hart, 0x30a, 1ull << 60); // menvcfg.CDE
    cs_hart_run(hart, CS_HART_GUEST);
    const cs_cycle begin = cs_hart_now(hart);

    EXPECT_EQ(cs_hart_csr_read(hart, 0xda0), 8u) << "4 is not its own";
    EXPECT_GE(cs_hart_now(hart) - begin, 3u + 7 + kCall + 3 + 5);
    EXPECT_EQ(cs_hart_running(hart), CS_HART_GUEST);
    EXPECT_EQ(csr(0xda0), 0x18u);
}

TEST(HypervisorMade, NothingIsDestroyed)
{
    cs_hypervisor_destroy(nullptr);
}
