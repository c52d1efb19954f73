// SPDX-License-Identifier: Apache-2.0
// Units off the cores: a memory controller and an L3 cache (docs/drivers/perf.md, "PMUs of the
// system").
#include "perf_rig.hpp"
#include "unit_work.hpp"

#include <cerrno>

#include "software/perf/uncore/uncore_pmu.h"

using namespace perf_rig;

namespace
{

constexpr uint32_t kDdrc = 64, kL3c = 65;

class PerfUncore : public Machine
{
  protected:
    PerfUncore()
    {
        work_.Rate(CS_EVENT_UNCORE(0), 1, 1);
        work_.Rate(CS_EVENT_UNCORE(1), 1, 7);
        work_.Random(CS_EVENT_UNCORE(2), 1, 3, 2, 4711);
        work_.Random(CS_EVENT_UNCORE(0x100), 1, 5, 2, 815);
        work_.Rate(CS_EVENT_UNCORE(0x20), 1, 9);
        const cs_event_source source = work_.Begin();
        ddrc_ = cs_perf_uncore_kind_of("hisi_sccl1_ddrc0")->unit;
        ddrc_.counters = 8;
        ddrc_.width = 32;
        ddrc_.work = source;
        l3c_ = cs_perf_uncore_kind_of("hisi_sccl1_l3c10")->unit;
        l3c_.counters = 2;
        l3c_.width = 48;
        l3c_.work = source;
        systems_[0] = {};
        systems_[0].driver = &cs_perf_uncore_driver;
        systems_[0].name = "hisi_sccl1_ddrc0";
        systems_[0].type = kDdrc;
        systems_[0].config = &ddrc_;
        systems_[1] = systems_[0];
        systems_[1].name = "hisi_sccl1_l3c10";
        systems_[1].type = kL3c;
        systems_[1].config = &l3c_;
        machine_.systems = systems_;
        machine_.nr_systems = 2;
    }
    cs_perf_event *OpenUnit(uint32_t type, uint64_t config, cs_perf_event *group = nullptr,
                            int cpu = 0, uint64_t flags = 0)
    {
        return Open(Attr(type, config, flags), group, -1, cpu);
    }
    int Refused(const cs_perf_attr &attr, int pid = -1, int cpu = 0, cs_perf_event *group = nullptr)
    {
        cs_perf_event *e = nullptr;

        return TryOpen(attr, pid, cpu, group, &e);
    }

    UnitWork work_;
    cs_perf_uncore ddrc_, l3c_;
    cs_perf_system systems_[2];
};

TEST_F(PerfUncore, CountsWhatTheUnitDoesWhoeverRuns)
{
    cs_perf_event *writes = OpenUnit(kDdrc, 0), *reads = OpenUnit(kDdrc, 1);

    cs_perf_idle(perf_, 40000);
    Run(41000, 90000);
    cs_perf_idle(perf_, 123457);
    const uint64_t cycles = 123457 * 3;
    EXPECT_EQ(Read(writes).value, work_.Sum(CS_EVENT_UNCORE(1), 0, cycles));
    EXPECT_EQ(Read(reads).value, work_.Sum(CS_EVENT_UNCORE(2), 0, cycles));
    EXPECT_EQ(Read(reads).enabled, 123457u);
    EXPECT_EQ(Read(reads).running, 123457u);
}

// A unit begins with its first event, so that a run does not depend on how long the machine is up.
TEST_F(PerfUncore, BeginsWithItsFirstEvent)
{
    cs_perf_idle(perf_, 777777);
    cs_perf_event *writes = OpenUnit(kDdrc, 0);
    cs_perf_idle(perf_, 800000);
    const uint64_t cycles = 800000 * 3 - 777777 * 3;
    EXPECT_EQ(Read(writes).value, work_.Sum(CS_EVENT_UNCORE(1), 0, cycles));
}

TEST_F(PerfUncore, StandsStillWhileDisabled)
{
    cs_perf_event *reads = OpenUnit(kDdrc, 1, nullptr, 0, CS_PERF_ATTR_DISABLED);

    cs_perf_idle(perf_, 10000);
    EXPECT_EQ(Read(reads).value, 0u);
    EXPECT_EQ(Ioctl(reads, CS_PERF_IOC_ENABLE), 0);
    cs_perf_idle(perf_, 30000);
    EXPECT_EQ(Ioctl(reads, CS_PERF_IOC_DISABLE), 0);
    cs_perf_idle(perf_, 90000);
    EXPECT_EQ(Read(reads).value, work_.Sum(CS_EVENT_UNCORE(2), 30000, 90000));
}

// 32 bits are full after 30 s of reads: the overflow interrupts an idle CPU.
TEST_F(PerfUncore, NarrowCountersLoseNothingOnAnIdleCpu)
{
    cs_perf_event *reads = OpenUnit(kDdrc, 1);
    const uint64_t second = 1000 * kMs, end = 60 * second;

    cs_perf_idle(perf_, end);
    EXPECT_GT(work_.Sum(CS_EVENT_UNCORE(2), 0, end * 3), UINT64_C(10) << 32);
    EXPECT_EQ(Read(reads).value, work_.Sum(CS_EVENT_UNCORE(2), 0, end * 3));
}

// Event n of a DDRC has counter n: two of the same take turns, and what comes behind one that found no
// counter waits with it. The truth knows all.
TEST_F(PerfUncore, EventsOfOneCounterTakeTurns)
{
    cs_perf_event *a = OpenUnit(kDdrc, 1), *b = OpenUnit(kDdrc, 1), *c = OpenUnit(kDdrc, 0);

    cs_perf_idle(perf_, 100 * kMs);
    const Reading first = Read(a), second = Read(b), other = Read(c);
    EXPECT_EQ(first.enabled, 100 * kMs);
    EXPECT_EQ(first.running + second.running, 100 * kMs);
    EXPECT_EQ(first.running, 68 * kMs); // a; b c; c a; ... by 4 ms
    EXPECT_EQ(other.running, 64 * kMs);
    EXPECT_EQ(first.value + second.value, work_.Sum(CS_EVENT_UNCORE(2), 0, 300 * kMs));
    for (const cs_perf_told &t : told_) {
        EXPECT_EQ(t.truth, work_.Sum(CS_EVENT_UNCORE(t.event == c ? 1 : 2), 0, 300 * kMs));
    }
    EXPECT_EQ(told_.size(), 3u);
}

TEST_F(PerfUncore, AllEventsAreOfTheCpuThatHandlesTheUnit)
{
    cs_perf_event *e = OpenUnit(kDdrc, 1, nullptr, 1);

    EXPECT_EQ(cs_perf_cpu_of(e), 0);
    cs_perf_event *sibling = OpenUnit(kDdrc, 0, e, 0);
    cs_perf_idle(perf_, 5000);
    EXPECT_EQ(Read(sibling).value, work_.Sum(CS_EVENT_UNCORE(1), 0, 15000));
}

TEST_F(PerfUncore, ConfigZeroOfAnL3IsNoClock)
{
    cs_perf_event *zero = OpenUnit(kL3c, 0), *other = OpenUnit(kL3c, 0x20);

    cs_perf_idle(perf_, 5000);
    EXPECT_EQ(Read(zero).value, work_.Sum(CS_EVENT_UNCORE(0x100), 0, 15000));
    EXPECT_EQ(Read(other).value, work_.Sum(CS_EVENT_UNCORE(0x20), 0, 15000));
}

TEST_F(PerfUncore, RefusesWhatTheDriverDoes)
{
    cs_perf_attr sampling = Attr(kDdrc, 1);

    sampling.sample_period = 1000;
    EXPECT_EQ(Refused(sampling), -EOPNOTSUPP);
    EXPECT_EQ(Refused(Attr(kDdrc, 1), 10, -1), -EOPNOTSUPP);
    EXPECT_EQ(Refused(Attr(kDdrc, 1), 10, 0), -EOPNOTSUPP);
    EXPECT_EQ(Refused(Attr(kDdrc, 8)), -EINVAL);
    EXPECT_EQ(Refused(Attr(kDdrc, 1, CS_PERF_ATTR_EXCLUDE_KERNEL)), -EINVAL);
    EXPECT_EQ(Refused(Attr(kL3c, 0x5a)), -EINVAL);
    EXPECT_EQ(Refused(Attr(66, 1)), -ENOENT);
    machine_.paranoid = 2;
    Begin();
    EXPECT_EQ(Refused(Attr(kDdrc, 1)), -EACCES);
}

TEST_F(PerfUncore, GroupsAreOfOneUnitAndNoLongerThanItsCounters)
{
    cs_perf_event *a = OpenUnit(kL3c, 1), *clock = nullptr;

    EXPECT_EQ(Refused(Attr(kDdrc, 1), -1, 0, a), -EINVAL);
    OpenUnit(kL3c, 2, a);
    EXPECT_EQ(Refused(Attr(kL3c, 3), -1, 0, a), -EINVAL);
    EXPECT_EQ(TryOpen(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_CPU_CLOCK), -1, 0, a, &clock), 0);
}

TEST(PerfUncoreKinds, AreFoundByTheWholeName)
{
    EXPECT_EQ(cs_perf_uncore_kind_of("hisi_sccl3_ddrc12")->unit.most, 7u);
    EXPECT_EQ(cs_perf_uncore_kind_of("hisi_sccl3_hha1")->unit.most, 0x65u);
    for (const char *name : {"hisi_sccl_ddrc0", "hisi_sccl1_ddrc", "hisi_sccl1_ddrc0x", "mc0", ""})
        EXPECT_EQ(cs_perf_uncore_kind_of(name)->unit.most, 0xffffu) << name;
}

} // namespace
