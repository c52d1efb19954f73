// SPDX-License-Identifier: Apache-2.0
// Programs that do anything in any order: threads come and go, events are opened, grouped, inherited, mapped and
// closed while they run. Nothing may be wrong with memory (the sanitizers' build), and of every reading holds what
// holds always (docs/drivers/perf.md).
#include "ring.hpp"

#include <memory>
#include <random>

using namespace perf_rig;

namespace
{

struct Open1 {
    cs_perf_event *event;
    std::unique_ptr<Ring> ring;
};

class PerfAny : public Machine
{
  protected:
    void Begin(uint64_t seed)
    {
        random_.seed(seed);
        open_.clear();
        threads_ = {10};
        told_.clear();
        checked_ = equal_ = 0;
        machine_.nr_cpus = 3;
        machine_.sample_rate = 1000000000; // a throttled event does not count all the while it runs
        machine_.mux_us = 20;
        machine_.tick_us = 50;
        core_ = Below(3) == 0 ? cs_perf_core_rv64 : cs_perf_core_x86;
        core_.counters = core_.cycle_counter ? 4 : 3;
        Machine::Begin();
    }
    uint64_t Below(uint64_t n)
    {
        return random_() % n;
    }
    bool Once(uint64_t in)
    {
        return Below(in) == 0;
    }
    uint32_t Thread()
    {
        return threads_[Below(threads_.size())];
    }

    // ---- threads ----

    void RunOne()
    {
        const unsigned cpu = static_cast<unsigned>(Below(3));
        const uint64_t from = std::max(cs_perf_reached(perf_, cpu), cs_perf_now(perf_));

        EXPECT_EQ(cs_perf_run(perf_, Thread(), cpu, from, from + Below(Once(4) ? 90000 : 3000)), 0);
    }
    void ForkOne()
    {
        const uint32_t parent = Thread(), tid = ++last_tid_;
        const cs_perf_who child = {Once(2) ? parent : tid, tid};

        EXPECT_EQ(cs_perf_task_fork(perf_, parent, &child), 0);
        threads_.push_back(tid);
    }
    void EndOne()
    {
        const size_t i = Below(threads_.size());

        if (threads_.size() == 1)
            return;
        EXPECT_EQ(cs_perf_task_exit(perf_, threads_[i]), 0);
        threads_.erase(threads_.begin() + static_cast<ptrdiff_t>(i));
    }
    void Rename()
    {
        const char *name = Once(2) ? "busy" : "other";

        if (Once(2))
            EXPECT_EQ(cs_perf_task_exec(perf_, Thread(), name), 0);
        else
            EXPECT_EQ(cs_perf_task_comm(perf_, Thread(), name), 0);
    }

    // ---- events ----

    cs_perf_attr AnyAttr()
    {
        static const uint64_t flags[] = {
            CS_PERF_ATTR_DISABLED,       CS_PERF_ATTR_INHERIT,        CS_PERF_ATTR_INHERIT,
            CS_PERF_ATTR_EXCLUDE_KERNEL, CS_PERF_ATTR_EXCLUDE_USER,   CS_PERF_ATTR_COMM,
            CS_PERF_ATTR_MMAP,           CS_PERF_ATTR_TASK,           CS_PERF_ATTR_CONTEXT_SWITCH,
            CS_PERF_ATTR_INHERIT_STAT,   CS_PERF_ATTR_ENABLE_ON_EXEC, CS_PERF_ATTR_WRITE_BACKWARD,
            CS_PERF_ATTR_SAMPLE_ID_ALL};
        cs_perf_attr a = Hardware(Below(6), 0);

        if (Once(4)) {
            a.type = CS_PERF_TYPE_SOFTWARE;
            a.config = std::vector<uint64_t>{0, 1, 3, 4, 9}[Below(5)];
        }
        for (uint64_t k = Below(4); k > 0; k--)
            a.flags |= flags[Below(sizeof flags / sizeof flags[0])];
        a.flags |= Once(6) * CS_PERF_ATTR_PINNED | Once(12) * CS_PERF_ATTR_EXCLUSIVE;
        if (Once(2))
            a.sample_period = 500 + Below(20000);
        if (a.sample_period != 0 && Once(3))
            a.flags |= CS_PERF_ATTR_FREQ;
        a.sample_type = Below(1 << 9);
        a.read_format = Below(32);
        a.wakeup = static_cast<uint32_t>(Below(3));
        return a;
    }
    void OpenOne()
    {
        const cs_perf_attr attr = AnyAttr();
        cs_perf_event *group =
            !open_.empty() && Once(2) ? open_[Below(open_.size())].event : nullptr;
        cs_perf_event *e;
        const int pid = Once(4) ? -1 : static_cast<int>(Thread());
        const int cpu = pid == -1 || Once(4) ? static_cast<int>(Below(3)) : -1;

        if (TryOpen(attr, pid, cpu, group, &e, Below(4)) == 0)
            open_.push_back({e, nullptr});
    }
    void CloseOne()
    {
        const size_t i = Below(open_.size());

        cs_perf_close(open_[i].event);
        open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
    }
    void MapOne(Open1 &o)
    {
        if (o.ring != nullptr) {
            cs_perf_munmap(o.event);
            o.ring.reset();
            return;
        }
        auto ring = std::make_unique<Ring>(1);
        size_t bytes;
        cs_perf_mapped m = ring->Mapped(!Once(3));
        if (cs_perf_memory(o.event, &bytes) == nullptr && cs_perf_mmap(o.event, &m) == 0)
            o.ring = std::move(ring);
    }
    void CallOne(Open1 &o)
    {
        static const uint32_t requests[] = {CS_PERF_IOC_ENABLE,     CS_PERF_IOC_DISABLE,
                                            CS_PERF_IOC_REFRESH,    CS_PERF_IOC_RESET,
                                            CS_PERF_IOC_SET_OUTPUT, CS_PERF_IOC_PAUSE_OUTPUT,
                                            CS_PERF_IOC_PERIOD};
        cs_perf_ioctl call = {};

        call.request = requests[Below(sizeof requests / sizeof requests[0])];
        call.arg = Below(3);
        call.period = 100 + Below(5000);
        call.output = Once(3) ? nullptr : open_[Below(open_.size())].event;
        cs_perf_do_ioctl(o.event, &call);
    }
    void ReadOne(Open1 &o)
    {
        uint64_t words[400];

        cs_perf_read(o.event, words, sizeof words);
        cs_perf_poll(o.event);
        cs_perf_set_async(o.event, Once(2));
        if (o.ring != nullptr)
            o.ring->page()->data_tail = Once(8) ? Below(1u << 20) : o.ring->page()->data_head;
    }

    void OneThing()
    {
        const uint64_t what = Below(20);

        if (what < 8)
            RunOne();
        else if (what == 8)
            cs_perf_idle(perf_, cs_perf_now(perf_) + Below(30000));
        else if (what == 9)
            Once(2) ? ForkOne() : EndOne();
        else if (what == 10)
            Rename();
        else if (open_.size() < 12 && what < 14)
            OpenOne();
        else if (!open_.empty())
            OneOf(open_[Below(open_.size())], what);
    }
    void OneOf(Open1 &o, uint64_t what)
    {
        if (what == 14)
            CloseOne();
        else if (what == 15)
            MapOne(o);
        else if (what < 18)
            CallOne(o);
        else
            ReadOne(o);
    }

    // ---- what holds ----

    void Check(uint64_t seed)
    {
        for (const cs_perf_told &t : told_) {
            if (t.kind != CS_PERF_TOLD_READ && t.kind != CS_PERF_TOLD_CLOSE)
                continue;
            checked_++;
            ASSERT_LE(t.running_ns, t.enabled_ns) << seed;
            ASSERT_LE(t.value, t.truth) << seed;
            if (t.running_ns != t.enabled_ns)
                continue;
            ASSERT_EQ(t.value, t.truth) << seed;
            equal_ += t.value != 0;
        }
        told_.clear();
    }

    std::mt19937_64 random_;
    std::vector<Open1> open_;
    std::vector<uint32_t> threads_;
    uint32_t last_tid_ = 100;
    size_t checked_ = 0, equal_ = 0;
};

TEST_F(PerfAny, ProgramIsCountedRight)
{
    size_t checked = 0, equal = 0;

    for (uint64_t seed = 1; seed <= 60; seed++) {
        Begin(seed);
        for (int i = 0; i < 400; i++) {
            OneThing();
            Check(seed);
            if (HasFatalFailure())
                return;
        }
        checked += checked_;
        equal += equal_;
        cs_perf_destroy(perf_);
        perf_ = nullptr;
    }
    EXPECT_GT(checked, 2000u);
    EXPECT_GT(equal, 1000u);
}

} // namespace
