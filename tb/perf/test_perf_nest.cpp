// SPDX-License-Identifier: Apache-2.0
// POWER's nest: counters that the hardware carries into memory (docs/drivers/perf.md, "PMUs of the
// system").
#include "perf_rig.hpp"
#include "unit_work.hpp"

#include <cerrno>

#include "software/perf/nest/nest_pmu.h"

using namespace perf_rig;

namespace
{

constexpr uint32_t kPowerbus = 64, kMcs = 65;
// Three counters of one row, of which each count is 256 events.
constexpr uint64_t kClock = 0x80, kQuarter = 0x88, kReads = 0x90, kPrescale = 256;
constexpr uint64_t kTick = 500 * kUs * 3, kBoot = kTick * 9 / 2;

constexpr uint32_t Number(uint64_t offset)
{
    return CS_EVENT_NEST(static_cast<uint32_t>(offset / 8));
}

class PerfNest : public Machine
{
  protected:
    PerfNest()
    {
        work_.Rate(Number(kClock), 1, 1);
        work_.Rate(Number(kQuarter), 1, 4);
        work_.Random(Number(kReads), 1, 3, 2, 4711);
        config_.tick_cycles = kTick;
        config_.boot_cycles = kBoot;
        config_.work = work_.Begin();
        MakeChip();
        systems_[0] = {};
        systems_[0].driver = &cs_perf_nest_driver;
        systems_[0].name = "nest_powerbus0_imc";
        systems_[0].type = kPowerbus;
        systems_[0].config = &nest_;
        systems_[1] = systems_[0];
        systems_[1].name = "nest_mcs01_imc";
        systems_[1].type = kMcs;
        machine_.systems = systems_;
        machine_.nr_systems = 2;
    }
    void TearDown() override
    {
        Machine::TearDown();
        cs_perf_nest_chip_destroy(nest_.chip);
    }
    void MakeChip()
    {
        cs_perf_nest_chip *chip = nullptr;

        ASSERT_EQ(cs_perf_nest_chip_create(&config_, &chip, &diag_), CS_OK) << diag_.text;
        nest_ = {chip, 0x40000};
    }
    cs_perf_event *OpenNest(uint32_t type, uint64_t offset, int cpu = 0)
    {
        return Open(Attr(type, offset), nullptr, -1, cpu);
    }
    int Refused(const cs_perf_attr &attr, int pid = -1, int cpu = 0)
    {
        cs_perf_event *e = nullptr;

        return TryOpen(attr, pid, cpu, nullptr, &e);
    }

    UnitWork work_;
    cs_perf_nest_config config_ = {};
    cs_perf_nest nest_ = {};
    cs_perf_system systems_[2];
};

// All of a row is posted at once, so what happens in each cycle and what happens in every fourth stay
// within the prescaler of each other.
TEST_F(PerfNest, CountsWhatTheHardwareHasPosted)
{
    cs_perf_event *clock = OpenNest(kPowerbus, kClock), *quarter = OpenNest(kPowerbus, kQuarter);

    cs_perf_idle(perf_, 5 * kMs);
    const uint64_t c = Read(clock).value, q = Read(quarter).value;
    cs_perf_idle(perf_, 1005 * kMs);
    const uint64_t cycles = (Read(clock).value - c) * kPrescale;
    const uint64_t quarters = (Read(quarter).value - q) * kPrescale;
    EXPECT_NEAR(static_cast<double>(cycles), 1000.0 * kMs * 3, 1.0 * kMs * 3);
    EXPECT_NEAR(static_cast<double>(quarters * 4), static_cast<double>(cycles), 8 * kPrescale);
}

// Group 1 is posted every millisecond: memory stands still in between.
TEST_F(PerfNest, MovesOncePerPosting)
{
    cs_perf_event *clock = OpenNest(kPowerbus, kClock);
    unsigned moves = 0;
    uint64_t before;

    cs_perf_idle(perf_, 5 * kMs);
    before = Read(clock).value;
    for (uint64_t t = 5 * kMs; t < 15 * kMs; t += 10 * kUs) {
        cs_perf_idle(perf_, t);
        const uint64_t now = Read(clock).value;
        if (now != before) {
            EXPECT_NEAR(static_cast<double>((now - before) * kPrescale), 1.0 * kMs * 3,
                        4.0 * kPrescale);
        }
        moves += now != before;
        before = now;
    }
    EXPECT_EQ(moves, 10u);
}

// The first count has what the counters came to in the pause before, modulo 2^16.
TEST_F(PerfNest, TheTruthIsWhatHappened)
{
    cs_perf_event *reads = OpenNest(kMcs, kReads);
    const uint64_t begun = kBoot + 4 * kTick;

    cs_perf_idle(perf_, 5 * kMs);
    const uint64_t first = Read(reads).value;
    cs_perf_idle(perf_, 100 * kMs);
    const uint64_t value = (Read(reads).value - first) * kPrescale;
    ASSERT_EQ(told_.size(), 2u);
    EXPECT_EQ(told_[0].truth, work_.Sum(Number(kReads), begun, begun + 15 * kMs));
    EXPECT_EQ(told_[1].truth, work_.Sum(Number(kReads), begun, begun + 300 * kMs));
    EXPECT_NEAR(static_cast<double>(value), static_cast<double>(told_[1].truth - told_[0].truth),
                1.0 * kMs * 3 / 3);
}

TEST_F(PerfNest, PmusOfAChipShareItsTime)
{
    cs_perf_event *a = OpenNest(kPowerbus, kClock), *b = OpenNest(kMcs, kClock, 1);

    cs_perf_idle(perf_, 50 * kMs);
    EXPECT_EQ(Read(a).value, Read(b).value);
    EXPECT_LT(Read(a).value * kPrescale, 51 * kMs * 3 + 65536 * kPrescale);
}

// The last event's end pauses the engine, the next one's beginning resumes it.
TEST_F(PerfNest, RunsOnlyWhileThereAreEvents)
{
    cs_perf_event *clock = OpenNest(kPowerbus, kClock), *other = OpenNest(kMcs, kReads);

    cs_perf_idle(perf_, 20 * kMs);
    cs_perf_close(clock);
    cs_perf_idle(perf_, 40 * kMs);
    EXPECT_GT(Read(other).value, 0u);
    cs_perf_close(other);
    cs_perf_idle(perf_, 400 * kMs);
    clock = OpenNest(kPowerbus, kClock);
    cs_perf_idle(perf_, 402 * kMs);
    // The rest modulo 2^16 of the pause, and what two milliseconds posted.
    EXPECT_LT(Read(clock).value, 65536 + 2 * kMs * 3 / kPrescale);
    EXPECT_GT(Read(clock).value, 0u);
}

TEST_F(PerfNest, RefusesWhatTheDriverDoes)
{
    cs_perf_attr sampling = Attr(kMcs, kReads);

    sampling.sample_period = 1000;
    EXPECT_EQ(Refused(sampling), -EINVAL);
    EXPECT_EQ(Refused(Attr(kMcs, kReads), 10, -1), -EINVAL);
    EXPECT_EQ(Refused(Attr(kMcs, kReads), 10, 0), -EINVAL);
    EXPECT_EQ(Refused(Attr(kMcs, 0x40001)), -EINVAL);
    EXPECT_EQ(Refused(Attr(kMcs, 0x40000)), 0);
    EXPECT_EQ(Refused(Attr(kMcs, kReads, CS_PERF_ATTR_EXCLUDE_USER)), -EINVAL);
    EXPECT_EQ(Refused(Attr(99, kReads)), -ENOENT);
}

// It came up with a speed that there is not: the engine says so, and counts nothing.
TEST_F(PerfNest, CountsNothingWithAWrongSpeed)
{
    cs_perf_destroy(perf_);
    perf_ = nullptr;
    cs_perf_nest_chip_destroy(nest_.chip);
    config_.speed = 12;
    MakeChip();
    Begin();
    cs_perf_event *clock = OpenNest(kPowerbus, kClock);
    cs_perf_idle(perf_, 50 * kMs);
    EXPECT_EQ(Read(clock).value, 0u);
}

} // namespace
