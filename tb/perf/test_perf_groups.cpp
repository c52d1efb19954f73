// SPDX-License-Identifier: Apache-2.0
// Groups: all of one or nothing, pinned and exclusive ones (docs/drivers/perf.md, "Who counts").
#include "perf_rig.hpp"

using namespace perf_rig;

namespace
{

class PerfGroups : public Machine
{
  protected:
    // A group of so many branches' events.
    std::vector<cs_perf_event *> Group(unsigned size, uint64_t flags = 0)
    {
        std::vector<cs_perf_event *> events = {Open(Hardware(kHwBranches, flags))};

        while (events.size() < size)
            events.push_back(Open(Hardware(kHwBranches), events[0]));
        return events;
    }
};

TEST_F(PerfGroups, CountTogetherOrNotAtAll)
{
    const auto three = Group(3), two = Group(2);

    Run(0, 50 * kMs);
    for (const auto *group : {&three, &two})
        for (cs_perf_event *e : *group) {
            EXPECT_EQ(Read(e).value, Read(group->at(0)).value);
            EXPECT_EQ(Read(e).running, Read(group->at(0)).running);
            EXPECT_EQ(Read(e).enabled, 50 * kMs);
        }
    EXPECT_EQ(Read(three[0]).running + Read(two[0]).running, 50 * kMs);
    EXPECT_GT(Read(two[0]).running, 20 * kMs);
}

TEST_F(PerfGroups, AreOffWithTheirLeader)
{
    const auto group = Group(2, CS_PERF_ATTR_DISABLED);

    Run(0, 1000);
    EXPECT_EQ(Read(group[1]).enabled, 0u);
    EXPECT_EQ(Read(group[1]).value, 0u);
    Ioctl(group[0], CS_PERF_IOC_ENABLE);
    Run(1000, 3000);
    EXPECT_EQ(Read(group[1]).enabled, 2000u);
    EXPECT_EQ(Read(group[1]).value, busy_.Sum(kBranches, 3000, 9000));
    EXPECT_EQ(told_.back().truth, Read(group[1]).value);
    Ioctl(group[1], CS_PERF_IOC_DISABLE);
    Run(3000, 4000);
    EXPECT_EQ(Read(group[1]).enabled, 2000u);
    EXPECT_EQ(Read(group[0]).enabled, 3000u);
}

// Nobody looks at the member in between.
TEST_F(PerfGroups, TimesOfAMemberFollowTheLeader)
{
    const auto group = Group(2);

    Run(0, 1000);
    Ioctl(group[0], CS_PERF_IOC_DISABLE);
    Run(1000, 3000);
    Ioctl(group[0], CS_PERF_IOC_ENABLE);
    Run(3000, 7000);
    EXPECT_EQ(Read(group[1]).enabled, 5000u);
    EXPECT_EQ(Read(group[1]).running, 5000u);
}

TEST_F(PerfGroups, GoOnAndOffAsOneByTheFlag)
{
    const auto group = Group(3);

    Ioctl(group[1], CS_PERF_IOC_DISABLE, CS_PERF_IOC_FLAG_GROUP);
    Run(0, 1000);
    for (cs_perf_event *e : group)
        EXPECT_EQ(Read(e).enabled, 0u);
    Ioctl(group[2], CS_PERF_IOC_ENABLE, CS_PERF_IOC_FLAG_GROUP);
    Run(1000, 2000);
    for (cs_perf_event *e : group)
        EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 3000, 6000));
}

TEST_F(PerfGroups, FallApartWhenTheLeaderIsClosed)
{
    const auto group = Group(3);

    Run(0, 1000);
    cs_perf_close(group[0]);
    Run(1000, 2000);
    for (size_t i = 1; i < 3; i++) {
        EXPECT_EQ(Read(group[i]).value, busy_.Sum(kBranches, 0, 6000));
        EXPECT_EQ(Read(group[i]).running, 2000u);
    }
}

TEST_F(PerfGroups, PinnedOnesComeFirstAndStay)
{
    const auto flexible = Group(3);
    const auto pinned = Group(3, CS_PERF_ATTR_PINNED);

    Run(0, 20 * kMs);
    EXPECT_EQ(Read(pinned[2]).running, 20 * kMs);
    EXPECT_EQ(Read(flexible[0]).running, 0u);
    EXPECT_EQ(Read(flexible[0]).enabled, 20 * kMs);
}

TEST_F(PerfGroups, PinnedOnesOfTheCpuComeBeforeThoseOfAThread)
{
    const auto own = Group(3, CS_PERF_ATTR_PINNED);
    cs_perf_event *cpu[2];

    for (cs_perf_event *&e : cpu)
        e = Open(Hardware(kHwBranches, CS_PERF_ATTR_PINNED), nullptr, -1, 0);
    uint64_t words[8];
    Run(0, 1000);
    EXPECT_EQ(Read(cpu[0]).value, busy_.Sum(kBranches, 0, 3000));
    EXPECT_EQ(Read(cpu[1]).running, 1000u);
    EXPECT_EQ(cs_perf_read(own[0], words, sizeof words), 0);
}

// The one that stays is moved to another counter, where the next turn puts somebody else.
TEST_F(PerfGroups, APinnedOneMayBeMoved)
{
    const auto first = Group(1, CS_PERF_ATTR_PINNED), stays = Group(1, CS_PERF_ATTR_PINNED);
    std::vector<cs_perf_event *> others;

    for (int i = 0; i < 5; i++)
        others.push_back(Open(Hardware(kHwInstructions)));
    Run(0, 10 * kMs);
    Ioctl(first[0], CS_PERF_IOC_DISABLE);
    Run(10 * kMs, 40 * kMs);
    EXPECT_EQ(Read(stays[0]).value, busy_.Sum(kBranches, 0, 120 * kMs));
    EXPECT_EQ(Read(stays[0]).running, 40 * kMs);
}

// A read of one that found no counter is empty, until it is enabled anew.
TEST_F(PerfGroups, PinnedOnesWithoutACounterAreInError)
{
    const auto first = Group(3, CS_PERF_ATTR_PINNED), second = Group(2, CS_PERF_ATTR_PINNED);
    uint64_t words[8];

    Run(0, 1000);
    EXPECT_EQ(cs_perf_read(second[0], words, sizeof words), 0);
    EXPECT_EQ(cs_perf_read(first[0], words, sizeof words), 24);
    cs_perf_close(first[0]);
    cs_perf_close(first[1]);
    Run(1000, 2000);
    EXPECT_EQ(cs_perf_read(second[0], words, sizeof words), 0);
    Ioctl(second[0], CS_PERF_IOC_ENABLE);
    Run(2000, 3000);
    EXPECT_EQ(Read(second[0]).running, 1000u);
}

TEST_F(PerfGroups, ExclusiveOnesShareWithNobody)
{
    const auto shared = Group(1), alone = Group(1, CS_PERF_ATTR_EXCLUSIVE);

    Run(0, 80 * kMs);
    EXPECT_EQ(Read(shared[0]).running + Read(alone[0]).running, 80 * kMs);
    EXPECT_EQ(Read(alone[0]).running, 40 * kMs);
}

// What the clock leads takes the hardware's turns.
TEST_F(PerfGroups, ASoftwareLeaderTurnsWithItsHardware)
{
    cs_perf_event *clock = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_TASK_CLOCK));
    for (int i = 0; i < 3; i++)
        Open(Hardware(kHwBranches), clock);
    const auto other = Group(3);

    Run(0, 40 * kMs);
    EXPECT_EQ(Read(clock).running + Read(other[0]).running, 40 * kMs);
    EXPECT_EQ(Read(clock).value, Read(clock).running);
}

// It stays in the list of its group's PMU, behind events that wait for a counter.
TEST_F(PerfGroups, SoftwareThatItsLeaderLeavesTakesNoTurns)
{
    cs_perf_event *leader = Open(Hardware(kHwInstructions));
    cs_perf_event *clock = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_TASK_CLOCK), leader);

    for (unsigned i = 0; i < 9; i++)
        Open(Hardware(kHwBranches));
    Run(0, kMs);
    cs_perf_close(leader);
    const Reading before = Read(clock);
    Run(kMs, 21 * kMs);
    EXPECT_EQ(Read(clock).running - before.running, 20 * kMs);
    EXPECT_EQ(Read(clock).value - before.value, 20 * kMs);
}

TEST_F(PerfGroups, SoftwareAloneTakesNoTurns)
{
    cs_perf_event *clock = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_TASK_CLOCK));

    Group(3);
    Group(3);
    Run(0, 20 * kMs);
    EXPECT_EQ(Read(clock).running, 20 * kMs);
}

} // namespace
