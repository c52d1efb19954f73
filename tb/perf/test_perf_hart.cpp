// SPDX-License-Identifier: Apache-2.0
// A machine of RISC-V harts: what is not as on Arm (docs/drivers/perf.md, "Events").
#include "ring.hpp"

#include <cerrno>

using namespace perf_rig;

namespace
{

class PerfHart : public Machine
{
  protected:
    void SetUp() override
    {
        core_ = cs_perf_core_rv64;
        Begin();
    }
};

TEST_F(PerfHart, CountsAreExactlyWhatTheThreadDid)
{
    const uint64_t configs[] = {kHwCycles, kHwInstructions, kHwBranches, kHwBranchMisses};
    const uint32_t events[] = {kCycles, kInstructions, kBranches, kMisses};
    std::vector<cs_perf_event *> open, user;

    for (uint64_t config : configs) {
        open.push_back(Open(Hardware(config)));
        user.push_back(Open(Hardware(config, CS_PERF_ATTR_EXCLUDE_KERNEL)));
    }
    Run(1000, 34567);
    Run(40001, 1000003);
    const uint64_t ran = (33567 + 1000003 - 40001) * 3;
    for (size_t i = 0; i < 4; i++) {
        EXPECT_EQ(Read(open[i]).value, busy_.Sum(events[i], 0, ran)) << i;
        EXPECT_EQ(told_.back().truth, busy_.Sum(events[i], 0, ran)) << i;
        EXPECT_EQ(Read(user[i]).value, busy_.Sum(events[i], 0, ran, kUser)) << i;
        EXPECT_EQ(told_.back().truth, busy_.Sum(events[i], 0, ran, kUser)) << i;
    }
}

TEST_F(PerfHart, SamplesComeInTheCycleOfTheirPeriod)
{
    constexpr uint64_t kPeriod = 4001;
    Ring ring(64);
    cs_perf_event *e = Open(Sampling(kHwBranches, kPeriod, CS_PERF_SAMPLE_TIME));
    const cs_perf_mapped mapped = ring.Mapped();
    cs_perf_event *cycles = Open(Sampling(kHwCycles, 100000, CS_PERF_SAMPLE_TIME));

    ASSERT_EQ(cs_perf_mmap(e, &mapped), 0);
    for (uint64_t t = 0; t < 100; t++)
        Run(2 * t * 10000, 2 * t * 10000 + 10000);
    const uint64_t all = busy_.Sum(kBranches, 0, 3 * kMs);
    const auto samples = ring.Take();
    ASSERT_EQ(samples.size(), all / kPeriod);
    EXPECT_EQ(Read(e).value, all);
    EXPECT_EQ(Read(cycles).value, 3 * kMs);
    for (size_t i = 0; i < samples.size(); i++) {
        const uint64_t cycle =
            cs_timeline_reach(busy_.timeline(), kBranches, kBoth, 0, (i + 1) * kPeriod);
        EXPECT_EQ(samples[i].words[0], cycle / 30000 * 20000 + cycle % 30000 / 3) << i;
    }
}

// Two programmable counters, cycle and instret.
TEST_F(PerfHart, FixedCountersTakeWhatNeedsNoFilterAndNoInterrupt)
{
    core_.counters = 2;
    Begin();
    cs_perf_event *cycles = Open(Hardware(kHwCycles)),
                  *instructions = Open(Hardware(kHwInstructions));
    cs_perf_event *branches = Open(Hardware(kHwBranches)),
                  *misses = Open(Hardware(kHwBranchMisses));

    Run(0, 8 * kMs);
    for (cs_perf_event *e : {cycles, instructions, branches, misses})
        EXPECT_EQ(Read(e).running, 8 * kMs);
    cs_perf_event *user = Open(Hardware(kHwCycles, CS_PERF_ATTR_EXCLUDE_KERNEL));
    // In two of the six turns cycles come after an event that has just been turned away.
    Run(8 * kMs, 32 * kMs);
    EXPECT_EQ(Read(cycles).running, 24 * kMs);
    EXPECT_EQ(Read(cycles).value, 72 * kMs);
    EXPECT_EQ(Read(user).running, 8 * kMs);
}

TEST_F(PerfHart, ByFrequencyTheyAdapt)
{
    Ring ring(1024);
    cs_perf_attr attr = Sampling(kHwInstructions, 10000, CS_PERF_SAMPLE_TIME);
    attr.flags = CS_PERF_ATTR_FREQ;
    const cs_perf_mapped mapped = ring.Mapped();
    ASSERT_EQ(cs_perf_mmap(Open(attr), &mapped), 0);

    Run(0, 200 * kMs);
    size_t late = 0;
    for (const Record &r : Of(ring.Take(), CS_PERF_REC_SAMPLE))
        late += r.words[0] >= 100 * kMs;
    EXPECT_NEAR(static_cast<double>(late), 1000, 20);
}

// Without Sscofpmf nothing tells of an overflow, and nothing counts by mode.
TEST_F(PerfHart, WithoutSscofpmfItOnlyCounts)
{
    core_ = cs_perf_core_rv64_plain;
    Begin();
    cs_perf_event *e;
    EXPECT_EQ(TryOpen(Hardware(kHwCycles, CS_PERF_ATTR_EXCLUDE_KERNEL), 0, -1, nullptr, &e),
              -EINVAL);
    EXPECT_EQ(TryOpen(Sampling(kHwCycles, 1000, 0), 0, -1, nullptr, &e), -EOPNOTSUPP);
    e = Open(Hardware(kHwBranches));
    Run(0, kMs);
    EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 0, 3 * kMs));
}

TEST_F(PerfHart, RawEventsAreMhpmevents)
{
    cs_perf_event *e = Open(Attr(CS_PERF_TYPE_RAW, 5));

    Run(0, kMs);
    EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 0, 3 * kMs));
    EXPECT_EQ(TryOpen(Attr(CS_PERF_TYPE_RAW, 0x10000), 0, -1, nullptr, &e), -EINVAL);
}

} // namespace
