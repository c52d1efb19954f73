// SPDX-License-Identifier: Apache-2.0
// core_imc, thread_imc and trace_imc: what POWER's engines write to memory (docs/drivers/perf.md, "PMUs
// of the system").
#include "perf_rig.hpp"

#include <cerrno>

#include "software/perf/imc/imc_pmu.h"

using namespace perf_rig;

namespace
{

constexpr uint32_t kCore = 64, kThread = 65, kTrace = 66;
constexpr uint64_t kSlot = 64, kCpmc1 = 0x18, kCpmc4 = 0x30;
// A window is 512 cycles, and each of 128 slots has one for each of four threads.
constexpr uint64_t kWindow = 512, kRound = 512 * kWindow, kScale = 512;
constexpr uint64_t kPeriod = 30000; // of a record, in non-idle cycles

class PerfImc : public Machine
{
  protected:
    PerfImc()
    {
        for (unsigned i = 0; i < 258; i++)
            event_of_[i] = static_cast<uint16_t>(i);
        config_.tap_log2 = 9;
        config_.timebase = {0, 1, 1};
        config_.event_mask = UINT64_C(0x0402010000000000);
        // SAMPSEL 3: CPMC4, which is loaded so that it overflows after a period.
        config_.trace_scom = UINT64_C(3) << 62 | ((UINT64_C(1) << 32) - kPeriod) << 30;
        config_.event_of = event_of_;
        config_.trace_bytes = 0x40000;
        imc_ = cs_perf_imc_create(&config_);
        unit_ = {imc_, 0x2000};
        const cs_perf_system_driver *drivers[] = {
            &cs_perf_imc_core_driver, &cs_perf_imc_thread_driver, &cs_perf_imc_trace_driver};
        for (unsigned i = 0; i < 3; i++) {
            systems_[i] = {};
            systems_[i].driver = drivers[i];
            systems_[i].name = "imc";
            systems_[i].type = kCore + i;
            systems_[i].config = &unit_;
        }
        machine_.systems = systems_;
        machine_.nr_systems = 3;
        privileged_ = true;
    }
    void TearDown() override
    {
        Machine::TearDown();
        cs_perf_imc_destroy(imc_);
    }
    cs_perf_event *OpenCore(uint64_t offset, int cpu = 0)
    {
        return Open(Attr(kCore, offset), nullptr, -1, cpu);
    }
    static cs_perf_attr Tracing(uint64_t flags = 0)
    {
        cs_perf_attr attr = Attr(kTrace, 0x10200000, flags);

        attr.sample_period = 1;
        return attr;
    }
    int Refused(const cs_perf_attr &attr, int pid = -1, int cpu = 0)
    {
        cs_perf_event *e = nullptr;

        return TryOpen(attr, pid, cpu, nullptr, &e);
    }
    std::vector<cs_perf_told> Samples() const
    {
        std::vector<cs_perf_told> samples;

        for (const cs_perf_told &t : told_)
            if (t.kind == CS_PERF_TOLD_SAMPLE)
                samples.push_back(t);
        return samples;
    }

    uint16_t event_of_[258];
    cs_perf_imc_config config_ = {};
    cs_perf_imc *imc_ = nullptr;
    cs_perf_imc_unit unit_ = {};
    cs_perf_system systems_[3];
};

// Each visit of a slot is a window in which the thread was busy in every cycle, but for those of the
// driver's accesses.
TEST_F(PerfImc, ACoreCountsWindowByWindow)
{
    cs_perf_event *cycles = OpenCore(9 * kSlot + kCpmc4);
    const uint64_t rounds = 100;

    Run(0, rounds * kRound / 3);
    const uint64_t value = Read(cycles).value;
    EXPECT_EQ(value % kWindow, 0u);
    EXPECT_NEAR(static_cast<double>(value / kWindow), static_cast<double>(rounds), 1.0);
}

TEST_F(PerfImc, CountsTimesTheScaleAreNearTheTruth)
{
    cs_perf_event *branches = OpenCore(5 * kSlot + kCpmc1);
    const uint64_t end = 200 * kMs;

    Run(0, end);
    const double truth = static_cast<double>(busy_.Sum(CS_EVENT_IMC(5), 0, end * 3));
    EXPECT_NEAR(static_cast<double>(Read(branches).value * kScale), truth, truth / 50);
    ASSERT_EQ(told_.size(), 1u);
    EXPECT_EQ(told_[0].truth, busy_.Sum(CS_EVENT_IMC(5), 0, end * 3));
}

// Windows go on while a CPU idles, and count nothing then.
TEST_F(PerfImc, AnIdleCpuCountsNothing)
{
    cs_perf_event *first = OpenCore(9 * kSlot + kCpmc4), *second = OpenCore(9 * kSlot + kCpmc4, 1);
    uint64_t t = 0;

    for (; t < 100 * kMs; t += kMs) {
        Run(t, t + kMs / 4);
        cs_perf_idle(perf_, t + kMs);
    }
    EXPECT_EQ(Read(second).value, 0u);
    const double share = static_cast<double>(Read(first).value * kScale) / (100.0 * kMs * 3);
    EXPECT_NEAR(share, 0.25, 0.02);
}

// A window is the thread's in whose time it ends.
TEST_F(PerfImc, AThreadCountsItsOwnWindows)
{
    const cs_perf_who other = {20, 20};
    ASSERT_EQ(cs_perf_task_add(perf_, &other, "other"), 0);
    cs_perf_event *e = Open(Attr(kThread, 9 * kSlot + kCpmc4), nullptr, 0, -1);

    for (uint64_t t = 0; t < 400 * kMs; t += 2 * kMs) {
        Run(t, t + kMs, 10, 0);
        Run(t + kMs, t + 2 * kMs, 20, 0);
    }
    const double cycles = static_cast<double>(Read(e).value * kScale);
    EXPECT_NEAR(cycles, 200.0 * kMs * 3, 200.0 * kMs * 3 / 20);
    EXPECT_EQ(Read(e).running, 200 * kMs);
    ASSERT_EQ(told_.size(), 2u);
    EXPECT_EQ(told_[0].truth, 200 * kMs * 3);
}

TEST_F(PerfImc, ATraceHasARecordForEachOverflow)
{
    cs_perf_event *e = Open(Tracing(), nullptr, -1, 0);

    Run(0, 10 * kMs + kUs);
    EXPECT_TRUE(Samples().empty()); // the driver looks when the event is stopped
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_DISABLE), 0);
    const std::vector<cs_perf_told> samples = Samples();
    EXPECT_EQ(samples.size(), 10 * kMs * 3 / kPeriod);
    unsigned user = 0;
    for (const cs_perf_told &s : samples) {
        EXPECT_EQ(s.who.tid, 10u);
        EXPECT_EQ(s.period, 1u);
        user += s.ip >= 0x400000 && s.ip < 0x401800;
        EXPECT_TRUE((s.ip >= 0x400000 && s.ip < 0x401800) ||
                    (s.ip >= 0xffff000000 && s.ip < 0xffff000400))
            << s.ip;
    }
    EXPECT_GT(user, samples.size() / 2);
}

// In frequency mode the timer's ticks dump, and the first dump clears the record at which the next
// one would begin.
TEST_F(PerfImc, ATraceByFrequencySeesLittle)
{
    cs_perf_attr attr = Tracing(CS_PERF_ATTR_FREQ);

    attr.sample_period = 4000;
    cs_perf_event *e = Open(attr, nullptr, -1, 0);
    Run(0, 39 * kMs);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_DISABLE), 0);
    EXPECT_EQ(Samples().size(), 4 * kMs * 3 / kPeriod - 1); // the last was not written yet
}

// The door says where a program really is; then so do the records.
TEST_F(PerfImc, ARecordSaysWhereTheProgramWas)
{
    cs_perf_calls calls = {};

    calls.work = Find;
    calls.told = Told;
    calls.where = [](void *, const cs_perf_who *, uint64_t time_ns, bool, cs_perf_where *out) {
        *out = {time_ns, false, nullptr, 0};
        return true;
    };
    calls.ctx = this;
    cs_perf_destroy(perf_);
    cs_perf_imc_destroy(imc_);
    imc_ = cs_perf_imc_create(&config_);
    unit_.imc = imc_;
    ASSERT_EQ(cs_perf_create(&machine_, &calls, &perf_, &diag_), CS_OK);
    const cs_perf_who who = {10, 10};
    ASSERT_EQ(cs_perf_task_add(perf_, &who, "busy"), 0);
    cs_perf_event *e = Open(Tracing(), nullptr, -1, 0);
    Run(5000 * kUs, 5101 * kUs);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_DISABLE), 0);
    ASSERT_EQ(Samples().size(), 10u);
    for (unsigned i = 0; i < 10; i++)
        EXPECT_NEAR(static_cast<double>(Samples()[i].ip), 5000.0 * kUs + (i + 1) * 10.0 * kUs,
                    10.0);
}

TEST_F(PerfImc, RefusesWhatTheDriverDoes)
{
    cs_perf_attr sampling = Attr(kCore, 0);

    sampling.sample_period = 1000;
    EXPECT_EQ(Refused(sampling), -EINVAL);
    sampling.type = kThread;
    EXPECT_EQ(Refused(sampling, 10, -1), -EINVAL);
    EXPECT_EQ(Refused(Attr(kCore, 0), 10, -1), -EINVAL);
    EXPECT_EQ(Refused(Attr(kCore, 0x2001)), -EINVAL);
    EXPECT_EQ(Refused(Attr(kThread, 0)), -EINVAL);
    EXPECT_EQ(Refused(Attr(kThread, 0x2001), 10, -1), -EINVAL);
    EXPECT_EQ(Refused(Attr(kTrace, 0)), -ENOENT);
    EXPECT_EQ(Refused(Attr(kCore, 0, CS_PERF_ATTR_EXCLUDE_USER)), -EINVAL);
    EXPECT_EQ(Refused(Attr(67, 0)), -ENOENT);
    privileged_ = false;
    EXPECT_EQ(Refused(Attr(kThread, 0), 10, -1), -EACCES);
    EXPECT_EQ(Refused(Tracing()), -EACCES);
}

// Core, thread and trace mode exclude each other in the whole system.
TEST_F(PerfImc, OneOfThreeModesAtATime)
{
    cs_perf_event *core = OpenCore(0, 1);

    EXPECT_EQ(Refused(Attr(kThread, 0), 10, -1), -EBUSY);
    EXPECT_EQ(Refused(Tracing()), -EBUSY);
    cs_perf_close(core);
    cs_perf_event *thread = Open(Attr(kThread, 0), nullptr, 0, -1);
    EXPECT_EQ(Refused(Attr(kCore, 0)), -EBUSY);
    cs_perf_close(thread);
    cs_perf_event *trace = Open(Tracing(), nullptr, -1, 1);
    EXPECT_EQ(Refused(Attr(kCore, 0)), -EBUSY);
    cs_perf_close(trace);
    cs_perf_close(OpenCore(0));
}

} // namespace
