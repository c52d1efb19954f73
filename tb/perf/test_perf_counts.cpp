// SPDX-License-Identifier: Apache-2.0
// Counts and times of events, against the sums of the streams (docs/drivers/perf.md).
#include "perf_rig.hpp"

#include <cerrno>

using namespace perf_rig;

namespace
{

class PerfCounts : public Machine
{
};

TEST_F(PerfCounts, OfAThreadAreExactlyWhatItDid)
{
    cs_perf_event *cycles = Open(Hardware(kHwCycles)),
                  *instructions = Open(Hardware(kHwInstructions)),
                  *branches = Open(Hardware(kHwBranches));

    Run(1000, 34567);
    Run(40001, 2000003);
    const uint64_t ran = 33567 * 3 + (2000003 - 40001) * 3;
    EXPECT_EQ(Read(cycles).value, ran);
    EXPECT_EQ(Read(instructions).value, busy_.Sum(kInstructions, 0, ran));
    EXPECT_EQ(Read(branches).value, busy_.Sum(kBranches, 0, ran));
    EXPECT_GT(Read(branches).value, 0u);
}

TEST_F(PerfCounts, TimesAreThoseThatTheThreadRan)
{
    cs_perf_event *e = Open(Hardware(kHwInstructions));

    Run(1000, 5000);
    cs_perf_idle(perf_, 9000);
    Run(9000, 9500);
    EXPECT_EQ(Read(e).enabled, 4500u);
    EXPECT_EQ(Read(e).running, 4500u);
}

// The clock of 3 GHz is no whole number of cycles away from any time.
TEST_F(PerfCounts, AClockThatFitsNoNanosecondLosesNoCycle)
{
    machine_.clock_mhz = 2667;
    Begin();
    cs_perf_event *e = Open(Hardware(kHwCycles));
    for (uint64_t t = 0; t < 3000; t += 7)
        Run(t, t + 7);
    const uint64_t end = 2996 + 7;
    EXPECT_EQ(Read(e).value, end * 2667 / 1000);
    EXPECT_EQ(Read(e).running, end);
}

TEST_F(PerfCounts, StandStillWhileTheEventIsDisabled)
{
    cs_perf_event *e = Open(Hardware(kHwBranches, CS_PERF_ATTR_DISABLED));

    Run(0, 10000);
    EXPECT_EQ(Read(e).value, 0u);
    EXPECT_EQ(Read(e).enabled, 0u);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    Run(10000, 30000);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_DISABLE), 0);
    Run(30000, 90000);
    EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 30000, 90000));
    EXPECT_EQ(Read(e).enabled, 20000u);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_RESET), 0);
    EXPECT_EQ(Read(e).value, 0u);
    EXPECT_EQ(Read(e).enabled, 20000u);
    EXPECT_EQ(told_.back().truth, 0u);
}

struct Excluded {
    uint64_t flags;
    uint32_t modes;
};

TEST_F(PerfCounts, AreOfTheModesThatAreNotExcluded)
{
    const Excluded cases[] = {{0, kBoth},
                              {CS_PERF_ATTR_EXCLUDE_USER, kKernel},
                              {CS_PERF_ATTR_EXCLUDE_KERNEL, kUser},
                              {CS_PERF_ATTR_EXCLUDE_GUEST | CS_PERF_ATTR_EXCLUDE_HV, kBoth},
                              {CS_PERF_ATTR_EXCLUDE_HOST, 0},
                              {CS_PERF_ATTR_EXCLUDE_USER | CS_PERF_ATTR_EXCLUDE_KERNEL, 0}};
    std::vector<cs_perf_event *> branches;

    core_.counters = 6;
    Begin();
    for (const Excluded &c : cases) {
        branches.push_back(Open(Hardware(kHwBranches, c.flags)));
        told_.clear();
    }
    Run(0, 123456);
    for (size_t i = 0; i < branches.size(); i++) {
        const uint64_t sum = busy_.Sum(kBranches, 0, 123456 * 3, cases[i].modes);

        EXPECT_EQ(Read(branches[i]).value, sum) << i;
        EXPECT_EQ(told_.back().truth, sum) << i;
    }
}

TEST_F(PerfCounts, OfOneThreadHaveNothingOfAnother)
{
    const cs_perf_who who = {20, 21};
    ASSERT_EQ(cs_perf_task_add(perf_, &who, "other"), 0);
    cs_perf_event *own = Open(Hardware(kHwInstructions));
    cs_perf_event *theirs = Open(Hardware(kHwInstructions), nullptr, 21);

    for (uint64_t t = 0; t < 100000; t += 1000) {
        Run(t, t + 700);
        Run(t + 700, t + 1000, 21);
    }
    EXPECT_EQ(Read(own).value, busy_.Sum(kInstructions, 0, 70000 * 3));
    EXPECT_EQ(Read(theirs).value, other_.Sum(kInstructions, 0, 30000 * 3));
    EXPECT_EQ(Read(theirs).enabled, 30000u);
}

// Whoever runs there; the CPU's time goes on while it idles.
TEST_F(PerfCounts, OfACpuAreThoseOfAllThreadsThere)
{
    const cs_perf_who who = {20, 21};
    ASSERT_EQ(cs_perf_task_add(perf_, &who, "other"), 0);
    cs_perf_event *e = Open(Hardware(kHwInstructions), nullptr, -1, 1);

    Run(0, 5000, 10, 0);
    Run(1000, 4000, 21, 1);
    Run(6000, 8000, 10, 1);
    cs_perf_idle(perf_, 10000);
    EXPECT_EQ(Read(e).value,
              other_.Sum(kInstructions, 0, 9000) + busy_.Sum(kInstructions, 15000, 21000));
    EXPECT_EQ(Read(e).enabled, 10000u);
    EXPECT_EQ(Read(e).running, 10000u);
}

TEST_F(PerfCounts, OfAThreadOnOneCpuAreThoseThere)
{
    cs_perf_event *e = Open(Hardware(kHwBranches), nullptr, 0, 1);

    Run(0, 10000, 10, 0);
    Run(10000, 30000, 10, 1);
    Run(30000, 40000, 10, 0);
    EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 30000, 90000));
    EXPECT_EQ(Read(e).running, 20000u);
    EXPECT_EQ(Read(e).enabled, 40000u);
    EXPECT_EQ(told_.back().truth, Read(e).value);
}

// Where a thread goes on with other work, the first part was what it was.
TEST_F(PerfCounts, FollowWhatTheThreadExecutes)
{
    cs_perf_event *e = Open(Hardware(kHwInstructions));

    Run(0, 10000);
    ASSERT_EQ(cs_perf_task_exec(perf_, 10, "other"), 0);
    Run(10000, 20000);
    const uint64_t sum =
        busy_.Sum(kInstructions, 0, 30000) + other_.Sum(kInstructions, 30000, 60000);
    EXPECT_EQ(Read(e).value, sum);
    EXPECT_EQ(told_.back().truth, sum);
}

// Any number can be asked for, as of real hardware; what means nothing counts nothing.
TEST_F(PerfCounts, OfRawEventsAreByTheirNumbers)
{
    cs_perf_event *intel = Open(Attr(CS_PERF_TYPE_RAW, 0xc4)),
                  *amd = Open(Attr(CS_PERF_TYPE_RAW, 0xc2)),
                  *more = Open(Attr(CS_PERF_TYPE_RAW, 0x1000000c4)), // bit 32 is nothing
                      *none = Open(Attr(CS_PERF_TYPE_RAW, 0x77ab));

    Run(0, 10000);
    for (cs_perf_event *e : {intel, amd, more})
        EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 0, 30000));
    EXPECT_EQ(Read(none).value, 0u);
    EXPECT_EQ(Read(none).running, 10000u);
}

TEST_F(PerfCounts, OfTheKernelItself)
{
    const cs_perf_who who = {20, 21};
    ASSERT_EQ(cs_perf_task_add(perf_, &who, "other"), 0);
    cs_perf_event *clock = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_TASK_CLOCK)),
                  *switches = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_CONTEXT_SWITCHES)),
                  *moves = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_CPU_MIGRATIONS)),
                  *dummy = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY));

    Run(0, 1000);
    Run(1000, 2000, 21);
    Run(2000, 2500);
    Run(2500, 3500, 10, 1);
    Run(3500, 4000, 10, 0);
    EXPECT_EQ(Read(clock).value, 1000u + 500 + 1000 + 500);
    EXPECT_EQ(Read(switches).value, 3u);
    EXPECT_EQ(Read(moves).value, 2u);
    EXPECT_EQ(Read(dummy).value, 0u);
}

// ---- read formats ----

TEST_F(PerfCounts, ReadFormatsHaveTheirWordsInOrder)
{
    constexpr uint64_t E = CS_PERF_READ_ENABLED, R = CS_PERF_READ_RUNNING, I = CS_PERF_READ_ID,
                       L = CS_PERF_READ_LOST;
    for (uint64_t format = 0; format < 32; format++) {
        if (format & CS_PERF_READ_GROUP)
            continue;
        cs_perf_attr attr = Hardware(kHwCycles);
        attr.read_format = format;
        cs_perf_event *e = Open(attr);
        const uint64_t from = cs_perf_now(perf_);
        Run(from, from + 1000);
        std::vector<uint64_t> expected = {3000};
        if (format & E)
            expected.push_back(1000);
        if (format & R)
            expected.push_back(1000);
        if (format & I)
            expected.push_back(cs_perf_id(e));
        if (format & L)
            expected.push_back(0);
        EXPECT_EQ(Words(e), expected) << format;
        uint64_t small[8];
        EXPECT_EQ(cs_perf_read(e, small, expected.size() * 8 - 1), -ENOSPC) << format;
        cs_perf_close(e);
    }
}

TEST_F(PerfCounts, AGroupIsReadAsOne)
{
    cs_perf_attr attr = Hardware(kHwCycles);
    attr.read_format = CS_PERF_READ_GROUP | CS_PERF_READ_ENABLED | CS_PERF_READ_ID;
    cs_perf_event *leader = Open(attr), *member = Open(Hardware(kHwBranches), leader);

    Run(0, 1000);
    EXPECT_EQ(Words(leader),
              (std::vector<uint64_t>{2, 1000, 3000, cs_perf_id(leader),
                                     busy_.Sum(kBranches, 0, 3000), cs_perf_id(member)}));
    ASSERT_EQ(told_.size(), 2u);
    EXPECT_EQ(told_[1].truth, busy_.Sum(kBranches, 0, 3000));
}

} // namespace
