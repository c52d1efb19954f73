// SPDX-License-Identifier: Apache-2.0
// What is in a sample, and when there is one, against the streams (docs/drivers/perf.md,
// "Samples").
#include "ring.hpp"

using namespace perf_rig;

namespace
{

class PerfSamples : public Machine
{
  protected:
    cs_perf_event *OpenMapped(const cs_perf_attr &attr, Ring &ring, int pid = 0, int cpu = -1)
    {
        cs_perf_event *e = Open(attr, nullptr, pid, cpu);
        const cs_perf_mapped mapped = ring.Mapped();

        EXPECT_EQ(cs_perf_mmap(e, &mapped), 0);
        return e;
    }
    // The cycle of the thread at which the n-th branch has been counted.
    uint64_t BranchCycle(uint64_t n) const
    {
        return cs_timeline_reach(busy_.timeline(), kBranches, kBoth, 0, n);
    }
};

TEST_F(PerfSamples, ComeInTheVeryCycleOfTheirPeriod)
{
    constexpr uint64_t kPeriod = 10007;
    Ring ring(64);
    cs_perf_event *e =
        OpenMapped(Sampling(kHwBranches, kPeriod,
                            CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_PERIOD),
                   ring);

    Run(0, kMs);
    const auto samples = ring.Take();
    const uint64_t all = busy_.Sum(kBranches, 0, 3 * kMs);
    ASSERT_EQ(samples.size(), all / kPeriod);
    EXPECT_EQ(Read(e).value, all);
    for (size_t i = 0; i < samples.size(); i++) {
        const uint64_t cycle = BranchCycle((i + 1) * kPeriod);
        cs_context context;
        cs_timeline_context(busy_.timeline(), cycle, &context);
        EXPECT_EQ(samples[i].type, CS_PERF_REC_SAMPLE);
        EXPECT_EQ(samples[i].misc,
                  context.mode == CS_MODE_EL0 ? CS_PERF_MISC_USER : CS_PERF_MISC_KERNEL);
        EXPECT_EQ(samples[i].words, (std::vector<uint64_t>{context.pc, cycle / 3, kPeriod})) << i;
    }
}

// The counter goes on from where it was when the thread comes back.
TEST_F(PerfSamples, DoNotMindThatTheThreadSlept)
{
    constexpr uint64_t kPeriod = 2003;
    Ring ring(64);
    OpenMapped(Sampling(kHwBranches, kPeriod, CS_PERF_SAMPLE_IP), ring);

    for (uint64_t t = 0; t < kMs; t += 1000)
        Run(2 * t, 2 * t + 1000);
    EXPECT_EQ(ring.Take().size(), busy_.Sum(kBranches, 0, 3 * kMs) / kPeriod);
}

TEST_F(PerfSamples, HaveTheirWordsInTheOrderOfTheAbi)
{
    Ring ring(8);
    cs_perf_attr attr = Sampling(
        kHwCycles, 20000,
        CS_PERF_SAMPLE_IDENTIFIER | CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_TIME |
            CS_PERF_SAMPLE_ADDR | CS_PERF_SAMPLE_ID | CS_PERF_SAMPLE_STREAM_ID |
            CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_PERIOD | CS_PERF_SAMPLE_READ |
            CS_PERF_SAMPLE_CALLCHAIN | CS_PERF_SAMPLE_RAW | CS_PERF_SAMPLE_REGS_USER |
            CS_PERF_SAMPLE_STACK_USER | CS_PERF_SAMPLE_WEIGHT | CS_PERF_SAMPLE_DATA_SRC |
            CS_PERF_SAMPLE_TRANSACTION | CS_PERF_SAMPLE_REGS_INTR | CS_PERF_SAMPLE_PHYS_ADDR |
            CS_PERF_SAMPLE_CGROUP | CS_PERF_SAMPLE_DATA_PAGE_SIZE | CS_PERF_SAMPLE_CODE_PAGE_SIZE);
    attr.sample_regs_user = attr.sample_regs_intr = 1;
    attr.read_format = CS_PERF_READ_ID;
    cs_perf_event *e = OpenMapped(attr, ring);
    const uint64_t id = cs_perf_id(e), who = UINT64_C(10) << 32 | 10;

    Run(0, 10000, 10, 1);
    const auto samples = ring.Take();
    cs_context c;
    cs_timeline_context(busy_.timeline(), 20000, &c);
    ASSERT_EQ(samples.size(), 1u);
    std::vector<uint64_t> expected = {id, c.pc, who, 20000 / 3, 0, id, id, 1, 20000, 20000, id};
    const uint32_t nr_returns = c.function->nr_returns;
    expected.push_back(2 + nr_returns);
    expected.push_back(CS_PERF_CONTEXT_USER);
    expected.push_back(c.pc);
    if (nr_returns != 0)
        expected.push_back(0x400020);
    for (uint64_t word : {4ull, 0ull, 0ull, 0ull, 0x5080021ull, 0ull, 0ull, 0ull, 0ull, 0ull, 0ull})
        expected.push_back(word);
    EXPECT_EQ(samples[0].words, expected);
}

TEST_F(PerfSamples, ChainsStopWhereTheyAreToldTo)
{
    Ring ring(64), cut(64), none(64);
    cs_perf_attr attr =
        Sampling(kHwInstructions, 5000, CS_PERF_SAMPLE_IP | CS_PERF_SAMPLE_CALLCHAIN);
    OpenMapped(attr, ring);
    attr.sample_max_stack = 1;
    OpenMapped(attr, cut);
    attr.flags = UINT64_C(1) << 22; // exclude_callchain_user
    OpenMapped(attr, none);
    Run(0, 50 * kUs);
    const auto all = ring.Take(), shorter = cut.Take(), without = none.Take();
    size_t deep = 0;
    ASSERT_EQ(all.size(), shorter.size());
    for (size_t i = 0; i < all.size(); i++) {
        const bool user = all[i].misc == CS_PERF_MISC_USER;
        deep += all[i].words[1] == 3;
        EXPECT_EQ(shorter[i].words[1], 2u);
        EXPECT_EQ(shorter[i].words[3], all[i].words[0]);
        EXPECT_EQ(without[i].words[1], user ? 0u : 2u);
    }
    EXPECT_GT(deep, 0u);
    EXPECT_LT(deep, all.size());
}

TEST_F(PerfSamples, OfSeveralEventsAreEachAtTheirCycle)
{
    Ring ring(64);
    OpenMapped(Sampling(kHwInstructions, 700, CS_PERF_SAMPLE_ID | CS_PERF_SAMPLE_TIME), ring);
    cs_perf_event *branches =
        Open(Sampling(kHwBranches, 501, CS_PERF_SAMPLE_ID | CS_PERF_SAMPLE_TIME));
    cs_perf_ioctl call = {};
    call.request = CS_PERF_IOC_SET_OUTPUT;
    call.output = *&branches;
    EXPECT_EQ(cs_perf_do_ioctl(branches, &call), -EINVAL);
    Ring own(64);
    const cs_perf_mapped mapped = own.Mapped();
    EXPECT_EQ(cs_perf_mmap(branches, &mapped), 0);
    Run(0, 20 * kUs);
    const auto samples = own.Take();
    ASSERT_EQ(samples.size(), busy_.Sum(kBranches, 0, 60 * kUs) / 501);
    for (size_t i = 0; i < samples.size(); i++)
        EXPECT_EQ(samples[i].words[0], BranchCycle((i + 1) * 501) / 3) << i;
    EXPECT_EQ(ring.Take().size(), busy_.Sum(kInstructions, 0, 60 * kUs) / 700);
}

// What is told is what was written, and what is so.
TEST_F(PerfSamples, AreToldWithTheTruth)
{
    Ring ring(64);
    OpenMapped(Sampling(kHwBranches, 3001, CS_PERF_SAMPLE_IP), ring);

    Run(0, 30 * kUs);
    const auto samples = ring.Take();
    ASSERT_EQ(told_.size(), samples.size());
    for (size_t i = 0; i < told_.size(); i++) {
        EXPECT_EQ(told_[i].kind, CS_PERF_TOLD_SAMPLE);
        EXPECT_EQ(told_[i].ip, samples[i].words[0]);
        const uint64_t so_far = busy_.Sum(kBranches, 0, BranchCycle((i + 1) * 3001));
        EXPECT_EQ(told_[i].value, so_far);
        EXPECT_EQ(told_[i].truth, so_far);
        EXPECT_STRNE(told_[i].function, nullptr);
    }
}

// ---- frequency ----

// Four thousand a second: the first ones are early, while the period is found.
TEST_F(PerfSamples, ByFrequencySettleAtTheRate)
{
    Ring ring(1024);
    cs_perf_attr attr = Sampling(kHwCycles, 4000, CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_PERIOD);
    attr.flags = CS_PERF_ATTR_FREQ;
    OpenMapped(attr, ring);

    Run(0, 1000 * kMs);
    const auto samples = Of(ring.Take(), CS_PERF_REC_SAMPLE);
    size_t late = 0;
    for (const Record &r : samples)
        late += r.words[0] >= 500 * kMs;
    EXPECT_NEAR(static_cast<double>(late), 2000, 20);
    EXPECT_EQ(samples[0].words[1], 1u);
    EXPECT_NEAR(static_cast<double>(samples.back().words[1]), 750000, 7500);
}

// ---- throttling ----

// 100,000 a second are 400 in a tick of 4 ms; the next one stops the event.
TEST_F(PerfSamples, TooManyAreThrottledUntilTheTick)
{
    Ring ring(1024);
    OpenMapped(Sampling(kHwCycles, 3000, CS_PERF_SAMPLE_TIME), ring);

    Run(0, 8 * kMs);
    const auto records = ring.Take();
    const auto samples = Of(records, CS_PERF_REC_SAMPLE), stops = Of(records, CS_PERF_REC_THROTTLE),
               goes = Of(records, CS_PERF_REC_UNTHROTTLE);
    EXPECT_EQ(samples.size(), 802u);
    ASSERT_EQ(stops.size(), 2u);
    EXPECT_EQ(stops[0].words[0], 401 * kUs);
    ASSERT_EQ(goes.size(), 2u);
    EXPECT_EQ(goes[0].words[0], 4 * kMs);
    EXPECT_EQ(goes[1].words[0], 8 * kMs);
}

// ---- clocks ----

// Every 20 us that the thread runs, wherever it is; what is left goes on with it.
TEST_F(PerfSamples, OfAClockComeByTime)
{
    Ring ring(16), user(16);
    cs_perf_attr attr = Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_CPU_CLOCK);
    attr.sample_period = 20 * kUs;
    attr.sample_type = CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_PERIOD;
    OpenMapped(attr, ring);
    attr.flags = CS_PERF_ATTR_EXCLUDE_KERNEL | CS_PERF_ATTR_FREQ;
    attr.sample_period = 20000;
    OpenMapped(attr, user);

    Run(0, 50 * kUs);
    Run(100 * kUs, 150 * kUs);
    const auto samples = ring.Take();
    ASSERT_EQ(samples.size(), 5u);
    EXPECT_EQ(samples[1].words, (std::vector<uint64_t>{40 * kUs, 20 * kUs}));
    EXPECT_EQ(samples[2].words[0], 110 * kUs);
    EXPECT_EQ(user.Take().size(), 2u) << "at 50 us and at 150 us";
}

// One for each switch, or for every second one.
TEST_F(PerfSamples, OfSwitchesComeWithThem)
{
    Ring each(16), second(16);
    cs_perf_attr attr = Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_CONTEXT_SWITCHES);
    attr.sample_period = 1;
    attr.sample_type = CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_PERIOD;
    OpenMapped(attr, each);
    attr.sample_period = 2;
    OpenMapped(attr, second);

    for (uint64_t t = 0; t < 5; t++)
        Run(2 * t * kUs, (2 * t + 1) * kUs);
    const auto samples = each.Take(), halves = second.Take();
    ASSERT_EQ(samples.size(), 4u);
    EXPECT_EQ(samples[3].words, (std::vector<uint64_t>{7 * kUs, 1}));
    ASSERT_EQ(halves.size(), 2u);
    EXPECT_EQ(halves[1].words, (std::vector<uint64_t>{7 * kUs, 2}));
}

// ---- REFRESH, PERIOD ----

TEST_F(PerfSamples, RefreshLetsSoManyThrough)
{
    Ring ring(16);
    cs_perf_attr attr = Sampling(kHwCycles, 3000, CS_PERF_SAMPLE_TIME);
    attr.flags = CS_PERF_ATTR_DISABLED;
    cs_perf_event *e = OpenMapped(attr, ring);

    cs_perf_set_async(e, true);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_REFRESH, 3), 0);
    Run(0, 10 * kUs);
    EXPECT_EQ(ring.Take().size(), 3u);
    ASSERT_EQ(woken_.size(), 3u);
    EXPECT_EQ(woken_[1].second, CS_PERF_WAKE_SIGNAL);
    EXPECT_EQ(woken_[2].second, CS_PERF_WAKE_LAST);
    EXPECT_EQ(Read(e).value, 9000u);
    EXPECT_EQ(Read(e).enabled, 3 * kUs);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_REFRESH, 1), 0);
    Run(10 * kUs, 20 * kUs);
    EXPECT_EQ(ring.Take().size(), 1u);
}

TEST_F(PerfSamples, ANewPeriodHoldsAtOnce)
{
    Ring ring(16);
    cs_perf_event *e = OpenMapped(Sampling(kHwCycles, 3000000, CS_PERF_SAMPLE_TIME), ring);

    Run(0, 10 * kUs);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_PERIOD, 6000), 0);
    Run(10 * kUs, 20 * kUs);
    const auto samples = ring.Take();
    ASSERT_EQ(samples.size(), 5u);
    EXPECT_EQ(samples[0].words[0], 12 * kUs);
}

} // namespace
