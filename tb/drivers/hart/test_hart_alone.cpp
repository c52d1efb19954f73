// SPDX-License-Identifier: Apache-2.0
// A hart with the CSR block's model and memory around it: what an embedding program has.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <countersink/base/stream/stream.h>
#include <countersink/drivers/hpm/hart_alone.h>
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

namespace
{

constexpr uint16_t kSie = 0x104, kSip = 0x144, kMideleg = 0x303, kInhibit = 0x320, kEvent3 = 0x323,
                   kMcycle = 0xb00, kMinstret = 0xb02, kCounter3 = 0xb03, kScountovf = 0xda0;
constexpr uint64_t kLcofi = 1u << 13;

// Every track has a clock a cycle; instructions (event 2): workload 1, kernel 2, firmware 3,
// guest 4 in every cycle. The workload is in U for 100 cycles and in VU for 50, by turns.
class Alone
{
  public:
    explicit Alone(uint32_t first_event = 0)
    {
        static const unsigned modes[] = {CS_MODE_U, CS_MODE_S, CS_MODE_M, CS_MODE_VS, CS_MODE_VU};
        static const unsigned rates[] = {1, 2, 3, 4, 1};
        static const cs_function functions[] = {{"f", 0x1000, 16, 1, nullptr, 0, 0},
                                                {"g", 0x2000, 16, 1, nullptr, 0, 0}};

        EXPECT_EQ(cs_stream_pool_create(&pool_, nullptr), CS_OK);
        for (unsigned i = 0; i < 5; i++) {
            events_[i][0] = {first_event + CS_HPM_EVENT_CYCLES, rate(1)};
            events_[i][1] = {first_event + CS_HPM_EVENT_INSTRET, rate(rates[i])};
            segments_[i] = {i == 0   ? 100u
                            : i == 4 ? 50u
                                     : 1000u,
                            static_cast<cs_privilege>(modes[i]),
                            i,
                            0,
                            &functions[i == 0 || i == 4 ? 0 : 1],
                            1,
                            events_[i],
                            2,
                            false,
                            0};
        }
        const cs_segment workload[] = {segments_[0], segments_[4]};
        std::copy(workload, workload + 2, workload_);
        tracks_[0] = {"workload", workload_, 2};
        for (unsigned i = 1; i < CS_HART_TRACKS; i++)
            tracks_[i] = {"software", &segments_[i], 1};
        timeline = make_timeline(CS_HART_TRACKS);
        config = cs_hart_alone_defaults();
        config.hart.costs = {3, 70, 50, 400, 20};
        config.timeline = timeline;
        config.first_event = first_event;
        config.memory_cycles = 4;
    }
    Alone(const Alone &) = delete;
    Alone &operator=(const Alone &) = delete;
    ~Alone()
    {
        cs_hart_alone_destroy(alone);
        cs_timeline_destroy(timeline);
        cs_stream_pool_destroy(pool_);
    }

    cs_hart *make()
    {
        cs_diag diag{};

        EXPECT_EQ(cs_hart_alone_create(&config, &alone, &diag), CS_OK) << diag.text;
        return cs_hart_alone_hart(alone);
    }
    std::string refused()
    {
        cs_diag diag{};
        cs_hart_alone *out = reinterpret_cast<cs_hart_alone *>(this);

        EXPECT_EQ(cs_hart_alone_create(&config, &out, &diag), CS_ERR_RANGE);
        EXPECT_EQ(diag.status, CS_ERR_RANGE);
        EXPECT_EQ(out, nullptr);
        return diag.text;
    }
    cs_timeline *make_timeline(size_t tracks)
    {
        const cs_timeline_desc desc = {1, 0, 0, tracks_, tracks, nullptr, 0, CS_MODE_EL0};
        cs_timeline *made = nullptr;

        EXPECT_EQ(cs_timeline_create(&desc, &made, nullptr), CS_OK);
        return made;
    }

    cs_hart_alone_config config = {};
    cs_timeline *timeline = nullptr;
    cs_hart_alone *alone = nullptr;

  private:
    const cs_stream *rate(unsigned increment)
    {
        const cs_stream *stream = nullptr;

        EXPECT_EQ(cs_stream_rate(pool_, {increment, 1}, 0, &stream, nullptr), CS_OK);
        return stream;
    }

    cs_stream_pool *pool_ = nullptr;
    cs_segment_event events_[5][2] = {};
    cs_segment segments_[5] = {}, workload_[2] = {};
    cs_track tracks_[CS_HART_TRACKS] = {};
};

} // namespace

TEST(HartAlone, RefusesWhatCannotRun)
{
    const struct {
        const char *text;
        void (*breaks)(cs_hart_alone_config *config);
    } rows[] = {
        {"no timeline", [](cs_hart_alone_config *c) { c->timeline = nullptr; }},
        {"xlen is 32, that of the CSR block 64",
         [](cs_hart_alone_config *c) { c->hart.xlen = 32; }},
        {"csr_cycles is 0: must be 1 or more",
         [](cs_hart_alone_config *c) { c->hart.costs.csr_cycles = 0; }},
        {"time_mhz is 0, clock_mhz 1: must be 1 or more",
         [](cs_hart_alone_config *c) { c->hart.time_mhz = 0; }},
        {"time_mhz is 1, clock_mhz 0: must be 1 or more",
         [](cs_hart_alone_config *c) { c->hart.clock_mhz = 0; }},
        {"lcofi_latency is 32 cycles: must be 0..31",
         [](cs_hart_alone_config *c) { c->hpm.lcofi_latency = 32; }},
    };

    for (const auto &row : rows) {
        Alone a;
        row.breaks(&a.config);
        EXPECT_EQ(a.refused(), row.text);
    }
    cs_hart_alone_destroy(nullptr);
}

TEST(HartAlone, RefusesATimelineWithoutATrackForEachSoftware)
{
    Alone a;
    const std::unique_ptr<cs_timeline, decltype(&cs_timeline_destroy)> few(
        a.make_timeline(CS_HART_TRACKS - 1), cs_timeline_destroy);

    a.config.timeline = few.get();
    EXPECT_NE(a.refused().find("track"), std::string::npos);
    a.config.timeline = a.timeline;
    EXPECT_EQ(cs_timeline_enter(a.timeline, 5, 1, nullptr), CS_OK);
    a.refused();
}

TEST(HartAlone, StartsWithAnUntouchedTimeline)
{
    Alone a;

    a.make();
    EXPECT_FALSE(cs_timeline_inserted(a.timeline));
    EXPECT_EQ(cs_timeline_track(a.timeline, 0, nullptr), CS_TIMELINE_WORKLOAD);
    EXPECT_EQ(cs_timeline_sum(a.timeline, CS_HPM_EVENT_INSTRET, CS_MODE_ALL, 0, 1000), 1000u);
}

TEST(HartAlone, DefaultsAreThoseOfScenarios)
{
    const cs_hart_alone_config c = cs_hart_alone_defaults();
    const cs_hart_costs costs = {4, 40, 30, 4, 2};

    EXPECT_EQ(memcmp(&c.hart.costs, &costs, sizeof costs), 0);
    EXPECT_EQ(c.hart.xlen, 0u) << "that of the CSR block";
    EXPECT_EQ(c.hpm.xlen, 64u);
    EXPECT_EQ(c.hart.time_mhz, c.hart.clock_mhz);
    EXPECT_EQ(c.timeline, nullptr);
}

// mcycle counts from cycle 0 on: what is read is the cycle of the effect.
TEST(HartAlone, ACsrIsReadInTheCycleOfItsEffect)
{
    Alone a;
    cs_hart *h = a.make();

    cs_hart_run(h, CS_HART_FIRMWARE);
    EXPECT_EQ(cs_hart_csr_read(h, kMcycle), 3u); // 1..3
    EXPECT_EQ(cs_hart_csr_read(h, kMcycle), 6u);
    cs_hart_work(h, 100);
    EXPECT_EQ(cs_hart_csr_read(h, kMcycle), 109u);
    cs_hart_store64(h, 0x1000, 1); // 110..129, 130..134
    EXPECT_EQ(cs_hart_csr_read(h, kMcycle), 137u);
    cs_hart_wait(h, 200, 7);
    EXPECT_EQ(cs_hart_csr_read(h, kMcycle), 203u);
    EXPECT_EQ(cs_hart_failed(h), nullptr);
}

// Each track has its own increments, and is in its own mode.
TEST(HartAlone, CountsWhatTheTracksDo)
{
    Alone a(1000);
    cs_hart *h = a.make();

    cs_hart_work(h, 9);                  // workload 0..9
    cs_hart_trap(h, CS_HART_KERNEL);     // 10..79
    cs_hart_trap(h, CS_HART_FIRMWARE);   // 80..149
    cs_hart_return(h, CS_HART_KERNEL);   // 150..199
    cs_hart_return(h, CS_HART_WORKLOAD); // 200..249
    cs_hart_run(h, CS_HART_GUEST);
    cs_hart_work(h, 10); // 250..259
    cs_hart_run(h, CS_HART_WORKLOAD);
    cs_hart_work(h, 140); // 260..399
    cs_hart_run(h, CS_HART_FIRMWARE);
    EXPECT_EQ(cs_hart_csr_read(h, kMinstret),
              10u + 2 * 120 + 3 * 120 + 4 * 10 + 140 + 3 * 2); // of cycle 402
    cs_hart_run(h, CS_HART_WORKLOAD); // its local time is 150: in U for the second time
    EXPECT_EQ(cs_hart_csr(h, kMcycle, CS_HPM_OP_READ, 0).exception, CS_HPM_EXCEPTION_ILLEGAL);
}

TEST(HartAlone, TellsTheInterruptedAndTheHandlersMode)
{
    Alone a;
    cs_hart *h = a.make();
    cs_context c, of_workload;

    cs_hart_work(h, 119); // VU from local cycle 100 on
    cs_hart_context(h, &of_workload);
    EXPECT_EQ(of_workload.mode, CS_HPM_MODE_VU);
    EXPECT_EQ(of_workload.pc & ~UINT64_C(15), 0x1000u);
    cs_hart_trap(h, CS_HART_KERNEL);
    cs_hart_context(h, &c);
    EXPECT_EQ(c.mode, CS_HPM_MODE_VU);
    EXPECT_EQ(c.pc, of_workload.pc);
    EXPECT_EQ(c.cid1, 4u);
    EXPECT_EQ(cs_hart_csr(h, 0x100, CS_HPM_OP_READ, 0).exception,
              CS_HPM_EXCEPTION_ILLEGAL); // no such CSR
    EXPECT_EQ(cs_hart_csr(h, kSie, CS_HPM_OP_READ, 0).exception, CS_HPM_EXCEPTION_NONE);
}

// A counter of the workload's instructions, from -n on, to the line and the trap.
TEST(HartAlone, WaitsForTheOverflowOfACounter)
{
    for (unsigned latency : {0u, 5u, 31u}) {
        Alone a(100 * latency); // its first event
        a.config.hpm.lcofi_latency = latency;
        cs_hart *h = a.make();

        cs_hart_run(h, CS_HART_FIRMWARE);
        cs_hart_csr_write(h, kInhibit, ~UINT64_C(0));           // 1..3
        cs_hart_csr_write(h, kMideleg, kLcofi);                 // 4..6
        cs_hart_csr_write(h, kSie, kLcofi);                     // 7..9
        cs_hart_csr_write(h, kEvent3, (UINT64_C(3) << 61) + 2); // not M, not S
        cs_hart_csr_write(h, kCounter3, -UINT64_C(30));         // 13..15
        cs_hart_csr_clear(h, kInhibit, 8);                      // 16..18
        cs_hart_return(h, CS_HART_WORKLOAD);                    // 19..68
        EXPECT_EQ(cs_hart_wait(h, 10000, CS_HART_LCOFI_S), CS_HART_LCOFI_S);
        // the thirtieth increment in 98, OF in 99
        EXPECT_EQ(cs_hart_now(h), 99u + latency + 1);
        cs_hart_work(h, 400);
        cs_hart_trap(h, CS_HART_KERNEL);
        EXPECT_EQ(cs_hart_now(h), 99u + latency + 1 + 400 + 70);
        EXPECT_EQ(cs_hart_csr_read(h, 0xc03), 0u) << "mcounteren is closed";
        EXPECT_STREQ(cs_hart_failed(h), "an instruction for CSR 0xc03 trapped");
        cs_hart_run(h, CS_HART_FIRMWARE);
        EXPECT_EQ(cs_hart_csr_read(h, kCounter3), 1u + latency + 400);
        EXPECT_EQ(cs_hart_csr_read(h, kScountovf), 8u);
    }
}

TEST(HartAlone, HasMemory)
{
    Alone a;
    cs_hart *h = a.make();
    uint8_t byte = 0;
    uint64_t value = 0;

    EXPECT_EQ(cs_hart_store64(h, 0x80000001, 0x1122334455667788), CS_BUS_OKAY);
    cs_memory_read(cs_hart_alone_memory(a.alone), 0x80000002, 1, &byte);
    EXPECT_EQ(byte, 0x77);
    byte = 0xaa;
    EXPECT_EQ(cs_memory_write(cs_hart_alone_memory(a.alone), 0x80000001, 1, &byte, nullptr), CS_OK);
    EXPECT_EQ(cs_hart_load64(h, 0x80000001, &value), CS_BUS_OKAY);
    EXPECT_EQ(value, 0x11223344556677aau);
    // 4 transfers each: of 1, 2, 4 and 1 bytes
    EXPECT_EQ(cs_hart_now(h), 1 + 8 * (20 + 4 + 1u));
}

TEST(HartAlone, FaultsWhereItIsTold)
{
    const struct {
        uint64_t address, bytes; // of the fault
        uint64_t touched;        // 8 bytes of the access
        bool fails;
    } rows[] = {
        {0x1000, 8, 0x1000, true},
        {0x1000, 8, 0x0ff8, false},
        {0x1000, 8, 0x1008, false},
        {0x1007, 1, 0x1000, true},
        {0x1003, 2, 0x1000, true},
        {0x0f00, 0x101, 0x1000, true},
        {0x0f00, 0x100, 0x1000, false},
        {0x1000, 0, 0x1000, false},
        {0x1004, 0, 0x1000, false},
        {0, UINT64_MAX, 0x1000, true},
        {UINT64_MAX - 7, 8, UINT64_MAX - 7, true}, // at the top
        {UINT64_MAX, 1, UINT64_MAX - 7, true},
        {UINT64_MAX - 7, 8, 0, false},
        {0, 8, UINT64_MAX - 7, false},
    };

    for (const auto &row : rows) {
        Alone a;
        cs_hart *h = a.make();
        const cs_bus_resp expected = row.fails ? CS_BUS_DECERR : CS_BUS_OKAY;
        uint64_t value = 0;

        SCOPED_TRACE(std::to_string(row.address) + " " + std::to_string(row.touched));
        EXPECT_EQ(cs_hart_store64(h, row.touched, 5), CS_BUS_OKAY);
        cs_hart_alone_fault(a.alone, row.address, row.bytes, CS_BUS_DECERR);
        EXPECT_EQ(cs_hart_store64(h, row.touched, 6), expected);
        EXPECT_EQ(cs_hart_load64(h, row.touched, &value), expected);
        cs_hart_alone_fault(a.alone, 0, 0, CS_BUS_OKAY);
        EXPECT_EQ(cs_hart_load64(h, row.touched, &value), CS_BUS_OKAY);
        EXPECT_EQ(value, row.fails ? 5u : 6u) << "what fails moves nothing";
    }
}

// Software on its own stack, driven from outside.
TEST(HartAlone, RunsGivenSoftware)
{
    Alone a;
    uint64_t mcycle = 0;

    a.config.hart.software = [](void *ctx, cs_hart *h) {
        cs_hart_run(h, CS_HART_FIRMWARE);
        cs_hart_store64(h, 0x1000, 1); // 1..20, 21..25
        *static_cast<uint64_t *>(ctx) = cs_hart_csr_read(h, kMcycle);
    };
    a.config.hart.software_ctx = &mcycle;
    cs_hart *h = a.make();
    for (cs_cycle to = 1; !cs_hart_ended(h) && to < 100; to++)
        cs_hart_advance(h, to, to);
    EXPECT_EQ(mcycle, 28u);
    EXPECT_EQ(cs_hart_end_cycle(h), 29u);
    EXPECT_EQ(cs_hpm_now(cs_hart_alone_hpm(a.alone)), 28u); // a read does not execute its cycle
}

// Many overflows, with a handler that may forget what was: what it sees stays the same, and what the
// timeline remembers does not grow.
static std::vector<uint64_t> sampled(Alone &a, bool forgets)
{
    cs_hart *h = a.make();
    std::vector<uint64_t> seen;

    cs_hart_run(h, CS_HART_FIRMWARE);
    cs_hart_csr_write(h, kMideleg, kLcofi);
    cs_hart_csr_write(h, kSie, kLcofi);
    cs_hart_csr_write(h, kEvent3, (UINT64_C(3) << 61) + 2);
    for (int i = 0; i < 1000; i++) {
        cs_hart_csr_write(h, kCounter3, -UINT64_C(30) - i % 7);
        cs_hart_csr_write(h, kEvent3, (UINT64_C(3) << 61) + 2); // OF is 0 again
        cs_hart_csr_clear(h, kSip, kLcofi);
        cs_hart_return(h, CS_HART_WORKLOAD);
        EXPECT_EQ(cs_hart_wait(h, CS_NEVER - 1, CS_HART_LCOFI_S), CS_HART_LCOFI_S);
        cs_hart_trap(h, CS_HART_KERNEL);
        cs_hart_run(h, CS_HART_FIRMWARE);
        if (forgets) {
            cs_hart_alone_forget(a.alone);
            EXPECT_LE(cs_timeline_stays(a.timeline), 2u);
        }
        for (const uint16_t csr : {kMcycle, kMinstret, kCounter3})
            seen.push_back(cs_hart_csr_read(h, csr));
    }
    seen.push_back(cs_hart_now(h));
    EXPECT_EQ(cs_hart_failed(h), nullptr);
    return seen;
}

TEST(HartAlone, ForgetsWhatWasAndGoesOn)
{
    Alone remembers, forgets;

    EXPECT_EQ(sampled(forgets, true), sampled(remembers, false));
    EXPECT_GT(cs_timeline_stays(remembers.timeline), 2000u);
}

// A release by its name, with this library alone: no scenario is linked.
TEST(HartAlone, FirmwareOfARelease)
{
    Alone a;
    cs_hart_alone *alone = nullptr;
    cs_sbi_pmu *pmu = nullptr;
    cs_sbi_pmu_config config = cs_sbi_pmu_defaults();
    uint64_t mask = 0;

    ASSERT_TRUE(cs_sbi_deviation_named("opensbi_1_9", &mask));
    EXPECT_EQ(mask, cs_sbi_group_mask(CS_SBI_OPENSBI_1_9));
    config.deviations = mask;
    config.version = cs_sbi_group_version(CS_SBI_OPENSBI_1_9);
    ASSERT_EQ(cs_hart_alone_create(&a.config, &alone, nullptr), CS_OK);
    ASSERT_EQ(cs_sbi_pmu_create(&config, &pmu, nullptr), CS_OK);
    cs_sbi_pmu_boot(pmu, cs_hart_alone_hart(alone));
    cs_hart_run(cs_hart_alone_hart(alone), CS_HART_FIRMWARE);
    EXPECT_EQ(cs_hart_csr_read(cs_hart_alone_hart(alone), kInhibit), 0xfffffff8u)
        << "fixed_running: mcycle and minstret run";
    cs_sbi_pmu_destroy(pmu);
    cs_hart_alone_destroy(alone);
}
