// SPDX-License-Identifier: Apache-2.0
// Threads that fork, execute, and end; and what a ring says of that (docs/drivers/perf.md,
// "Threads").
#include "ring.hpp"

#include <cerrno>

using namespace perf_rig;

namespace
{

class PerfTasks : public Machine
{
  protected:
    void Fork(uint32_t parent, uint32_t pid, uint32_t tid)
    {
        const cs_perf_who who = {pid, tid};

        ASSERT_EQ(cs_perf_task_fork(perf_, parent, &who), 0);
    }
};

TEST_F(PerfTasks, AChildsCountsAreItsParents)
{
    cs_perf_event *e = Open(Hardware(kHwBranches, CS_PERF_ATTR_INHERIT));

    Run(0, 10000);
    Fork(10, 11, 11);
    Run(10000, 20000, 10, 0);
    Run(10000, 30000, 11, 1);
    EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 0, 60000) * 2);
    EXPECT_EQ(told_.back().truth, Read(e).value);
    EXPECT_EQ(Read(e).enabled, 40000u);
    Fork(11, 12, 12);
    Run(30000, 31000, 12, 1);
    EXPECT_EQ(cs_perf_task_exit(perf_, 11), 0);
    EXPECT_EQ(cs_perf_task_exit(perf_, 12), 0);
    EXPECT_EQ(Read(e).value, busy_.Sum(kBranches, 0, 60000) * 2 + busy_.Sum(kBranches, 0, 3000));
    EXPECT_EQ(told_.back().truth, Read(e).value);
    EXPECT_EQ(cs_perf_nr_events(perf_), 1u);
}

TEST_F(PerfTasks, WithoutInheritAChildIsNotCounted)
{
    cs_perf_event *e = Open(Hardware(kHwBranches));

    Fork(10, 11, 11);
    Run(0, 10000, 11);
    EXPECT_EQ(Read(e).value, 0u);
    EXPECT_FALSE(cs_perf_cares(perf_, 11));
    EXPECT_TRUE(cs_perf_cares(perf_, 10));
}

TEST_F(PerfTasks, InheritThreadIsForThreadsAlone)
{
    cs_perf_event *e =
        Open(Hardware(kHwCycles, CS_PERF_ATTR_INHERIT | CS_PERF_ATTR_INHERIT_THREAD));

    Fork(10, 11, 11);
    Fork(10, 10, 12);
    Run(0, 1000, 11);
    EXPECT_EQ(Read(e).value, 0u);
    Run(1000, 2000, 12);
    EXPECT_EQ(Read(e).value, 3000u);
}

TEST_F(PerfTasks, GroupsAreInheritedWhole)
{
    cs_perf_event *leader = Open(Hardware(kHwCycles, CS_PERF_ATTR_INHERIT)),
                  *member = Open(Hardware(kHwBranches, CS_PERF_ATTR_INHERIT), leader);

    Ioctl(leader, CS_PERF_IOC_DISABLE);
    Fork(10, 11, 11);
    Run(0, 1000, 11);
    EXPECT_EQ(Read(member).value, 0u);
    Ioctl(leader, CS_PERF_IOC_ENABLE);
    Run(1000, 2000, 11);
    EXPECT_EQ(Read(member).value, busy_.Sum(kBranches, 3000, 6000));
    EXPECT_EQ(Read(member).enabled, 1000u);
}

TEST_F(PerfTasks, ResetForgetsWhatLivesNotWhatHasEnded)
{
    cs_perf_event *e = Open(Hardware(kHwCycles, CS_PERF_ATTR_INHERIT));

    Fork(10, 11, 11);
    Fork(10, 12, 12);
    Run(0, 1000, 11);
    Run(1000, 3000, 12);
    cs_perf_task_exit(perf_, 11);
    Ioctl(e, CS_PERF_IOC_RESET);
    EXPECT_EQ(Read(e).value, 3000u);
}

TEST_F(PerfTasks, EnableOnExecWaitsForIt)
{
    cs_perf_event *e =
        Open(Hardware(kHwCycles, CS_PERF_ATTR_DISABLED | CS_PERF_ATTR_ENABLE_ON_EXEC));

    Run(0, 1000);
    EXPECT_EQ(cs_perf_task_exec(perf_, 10, "busy"), 0);
    Run(1000, 3000);
    EXPECT_EQ(Read(e).value, 6000u);
    Ioctl(e, CS_PERF_IOC_DISABLE);
    EXPECT_EQ(cs_perf_task_exec(perf_, 10, "busy"), 0);
    Run(3000, 4000);
    EXPECT_EQ(Read(e).value, 6000u) << "the first exec was the one";
}

TEST_F(PerfTasks, RemoveOnExecLeavesTheThread)
{
    cs_perf_event *e = Open(Hardware(kHwCycles, CS_PERF_ATTR_REMOVE_ON_EXEC));

    Run(0, 1000);
    EXPECT_EQ(cs_perf_task_exec(perf_, 10, "busy"), 0);
    Run(1000, 3000);
    EXPECT_EQ(Read(e).value, 3000u);
}

TEST_F(PerfTasks, AThreadsEndLeavesItsCountsAndHangsUp)
{
    cs_perf_event *e = Open(Hardware(kHwCycles));

    Run(0, 1000);
    EXPECT_EQ(cs_perf_poll(e), 0u);
    EXPECT_EQ(cs_perf_task_exit(perf_, 10), 0);
    ASSERT_EQ(woken_.size(), 1u);
    EXPECT_EQ(woken_[0].second, CS_PERF_WAKE_HANGUP);
    EXPECT_EQ(cs_perf_poll(e), CS_PERF_POLL_HUP);
    EXPECT_EQ(Read(e).value, 3000u);
    EXPECT_EQ(Read(e).enabled, 1000u);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    cs_perf_idle(perf_, 5000);
    EXPECT_EQ(Read(e).enabled, 1000u);
    cs_perf_close(e);
}

// As `perf stat` reads its group when the command has ended.
TEST_F(PerfTasks, AGroupCanBeReadAfterTheEnd)
{
    cs_perf_attr attr = Hardware(kHwCycles, CS_PERF_ATTR_INHERIT);
    attr.read_format = CS_PERF_READ_GROUP | CS_PERF_READ_RUNNING;
    cs_perf_event *leader = Open(attr),
                  *member = Open(Hardware(kHwBranches, CS_PERF_ATTR_INHERIT), leader);

    Run(0, 1000);
    cs_perf_task_exit(perf_, 10);
    EXPECT_EQ(Words(leader), (std::vector<uint64_t>{2, 1000, 3000, busy_.Sum(kBranches, 0, 3000)}));
    EXPECT_EQ(Read(member).enabled, 1000u);
    cs_perf_close(leader);
    EXPECT_EQ(Read(member).enabled, 1000u);
}

TEST_F(PerfTasks, ChildrenOfAClosedEventAreGone)
{
    cs_perf_event *e = Open(Hardware(kHwCycles, CS_PERF_ATTR_INHERIT));

    Fork(10, 11, 11);
    Run(0, 1000, 11);
    cs_perf_close(e);
    EXPECT_FALSE(cs_perf_cares(perf_, 11));
    Run(1000, 2000, 11);
    EXPECT_EQ(told_.back().kind, CS_PERF_TOLD_CLOSE);
    EXPECT_EQ(told_.back().truth, 3000u);
}

// ---- records ----

std::string Text(const Record &r, size_t from)
{
    return reinterpret_cast<const char *>(&r.words[from]);
}

TEST_F(PerfTasks, ARingSaysWhatHappens)
{
    Ring ring(4);
    cs_perf_attr attr =
        Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY,
             CS_PERF_ATTR_TASK | CS_PERF_ATTR_COMM | CS_PERF_ATTR_COMM_EXEC | CS_PERF_ATTR_MMAP |
                 CS_PERF_ATTR_MMAP2 | CS_PERF_ATTR_SAMPLE_ID_ALL);
    attr.sample_type =
        CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_TIME | CS_PERF_SAMPLE_CPU | CS_PERF_SAMPLE_IDENTIFIER;
    cs_perf_event *e = Open(attr, nullptr, -1, 0);
    const cs_perf_mapped mapped = ring.Mapped();
    ASSERT_EQ(cs_perf_mmap(e, &mapped), 0);
    Run(0, 1000);
    Fork(10, 11, 12);
    Run(1000, 2000, 12);
    cs_perf_task_exec(perf_, 12, "a_rather_long_name");
    const cs_perf_mapping m = {0x1000, 0x2000, 0x3000, 5, 2, 8, 1, 77, 3, "/bin/x"};
    cs_perf_task_mmap(perf_, 12, &m);
    cs_perf_mapping data = m;
    data.prot = 1;
    cs_perf_task_mmap(perf_, 12, &data);
    cs_perf_task_exit(perf_, 12);
    const auto r = ring.Take();
    ASSERT_EQ(r.size(), 4u);
    const uint64_t id = cs_perf_id(e), parent = UINT64_C(10) << 32 | 10,
                   child = UINT64_C(12) << 32 | 11, t = 2000;

    EXPECT_EQ(r[0].type, CS_PERF_REC_FORK);
    EXPECT_EQ(r[0].words, (std::vector<uint64_t>{UINT64_C(10) << 32 | 11, UINT64_C(10) << 32 | 12,
                                                 1000, parent, 1000, 0, id}));
    EXPECT_EQ(r[1].type, CS_PERF_REC_COMM);
    EXPECT_EQ(r[1].misc, CS_PERF_MISC_COMM_EXEC);
    EXPECT_EQ(r[1].words[0], child);
    EXPECT_EQ(Text(r[1], 1), "a_rather_long_n");
    EXPECT_EQ(std::vector<uint64_t>(r[1].words.begin() + 3, r[1].words.end()),
              (std::vector<uint64_t>{child, t, 0, id}));
    EXPECT_EQ(r[2].type, CS_PERF_REC_MMAP2);
    EXPECT_EQ(r[2].misc, CS_PERF_MISC_USER);
    EXPECT_EQ(std::vector<uint64_t>(r[2].words.begin(), r[2].words.begin() + 8),
              (std::vector<uint64_t>{child, 0x1000, 0x2000, 0x3000, UINT64_C(1) << 32 | 8, 77, 3,
                                     UINT64_C(2) << 32 | 5}));
    EXPECT_EQ(Text(r[2], 8), "/bin/x");
    EXPECT_EQ(r[3].type, CS_PERF_REC_EXIT);
    EXPECT_EQ(r[3].words[0], UINT64_C(10) << 32 | 11);
    EXPECT_EQ(r[3].words[1], UINT64_C(10) << 32 | 12);
}

TEST_F(PerfTasks, AThreadThatWasAddedMayHaveAParent)
{
    Ring ring(1);
    cs_perf_event *e = Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY, CS_PERF_ATTR_TASK));
    const cs_perf_mapped mapped = ring.Mapped();
    const cs_perf_who parent = {7, 8};

    ASSERT_EQ(cs_perf_mmap(e, &mapped), 0);
    EXPECT_EQ(cs_perf_task_set_parent(perf_, 10, &parent), 0);
    EXPECT_EQ(cs_perf_task_set_parent(perf_, 99, &parent), -ESRCH);
    cs_perf_task_exit(perf_, 10);
    const auto records = ring.Take();
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].words[0], UINT64_C(7) << 32 | 10);
    EXPECT_EQ(records[0].words[1], UINT64_C(8) << 32 | 10);
}

TEST_F(PerfTasks, ADisabledEventsRingSaysNothing)
{
    Ring ring(1);
    cs_perf_attr attr =
        Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY, CS_PERF_ATTR_COMM | CS_PERF_ATTR_DISABLED);
    cs_perf_event *e = Open(attr);
    const cs_perf_mapped mapped = ring.Mapped();

    ASSERT_EQ(cs_perf_mmap(e, &mapped), 0);
    cs_perf_task_comm(perf_, 10, "x");
    EXPECT_TRUE(ring.Take().empty());
    Ioctl(e, CS_PERF_IOC_ENABLE);
    cs_perf_task_comm(perf_, 10, "y");
    EXPECT_EQ(ring.Take().size(), 1u);
}

TEST_F(PerfTasks, SwitchesAreSaidToThreadsAndCpus)
{
    Ring own(1), wide(1);
    cs_perf_attr attr = Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY,
                             CS_PERF_ATTR_CONTEXT_SWITCH | CS_PERF_ATTR_SAMPLE_ID_ALL);
    attr.sample_type = CS_PERF_SAMPLE_TIME;
    cs_perf_mapped mapped = own.Mapped();
    ASSERT_EQ(cs_perf_mmap(Open(attr), &mapped), 0);
    mapped = wide.Mapped();
    ASSERT_EQ(cs_perf_mmap(Open(attr, nullptr, -1, 0), &mapped), 0);
    Run(1000, 2000);
    cs_perf_idle(perf_, 3000);

    const auto mine = own.Take(), all = wide.Take();
    ASSERT_EQ(mine.size(), 2u);
    EXPECT_EQ(mine[0].type, CS_PERF_REC_SWITCH);
    EXPECT_EQ(mine[0].misc, 0);
    EXPECT_EQ(mine[0].words, (std::vector<uint64_t>{1000}));
    EXPECT_EQ(mine[1].misc, CS_PERF_MISC_SWITCH_OUT);
    EXPECT_EQ(mine[1].words, (std::vector<uint64_t>{2000}));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[1].type, CS_PERF_REC_SWITCH_CPU_WIDE);
    EXPECT_EQ(all[1].words, (std::vector<uint64_t>{0, 2000}));
}

TEST_F(PerfTasks, InheritStatSaysWhatEachChildCameTo)
{
    Ring ring(1);
    cs_perf_attr attr = Hardware(kHwCycles, CS_PERF_ATTR_INHERIT | CS_PERF_ATTR_INHERIT_STAT);
    attr.read_format = CS_PERF_READ_RUNNING;
    cs_perf_event *e = Open(attr, nullptr, 0, 0);
    const cs_perf_mapped mapped = ring.Mapped();

    ASSERT_EQ(cs_perf_mmap(e, &mapped), 0);
    Fork(10, 11, 11);
    Run(0, 1000, 11);
    cs_perf_task_exit(perf_, 11);
    const auto records = ring.Take();
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].type, CS_PERF_REC_READ);
    EXPECT_EQ(records[0].words, (std::vector<uint64_t>{UINT64_C(11) << 32 | 11, 3000, 1000}));
}

// Samples of a child are in its parent's ring, with the parent's number and the child's own stream.
TEST_F(PerfTasks, AChildsSamplesAreInItsParentsRing)
{
    Ring ring(1);
    cs_perf_attr attr = Sampling(kHwCycles, 3000,
                                 CS_PERF_SAMPLE_TID | CS_PERF_SAMPLE_ID | CS_PERF_SAMPLE_STREAM_ID);
    attr.flags = CS_PERF_ATTR_INHERIT;
    cs_perf_event *e = Open(attr, nullptr, 0, 0);
    const cs_perf_mapped mapped = ring.Mapped();

    ASSERT_EQ(cs_perf_mmap(e, &mapped), 0);
    Fork(10, 11, 11);
    Run(0, 1500, 11);
    const auto samples = ring.Take();
    ASSERT_EQ(samples.size(), 1u);
    EXPECT_EQ(samples[0].words[0], UINT64_C(11) << 32 | 11);
    EXPECT_EQ(samples[0].words[1], cs_perf_id(e));
    EXPECT_NE(samples[0].words[2], cs_perf_id(e));
}

} // namespace
