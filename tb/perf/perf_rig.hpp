// SPDX-License-Identifier: Apache-2.0
// A machine of two CPUs at 3 GHz whose threads do what two timelines say, and a program that opens
// events there. A thread "busy" is mostly user code, with a system call in between; all others are
// "other".
#ifndef CS_TB_PERF_RIG_HPP
#define CS_TB_PERF_RIG_HPP

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "software/perf/abi.h"
#include "software/perf/perf.h"
#include <countersink/base/numbers.h>
#include <countersink/base/stream/timeline.h>

namespace perf_rig
{

constexpr uint32_t kCycles = 0x11, kInstructions = 0x08, kBranches = 0x21, kMisses = 0x22;
constexpr uint64_t kMhz = 3000;
constexpr uint32_t kUser = CS_MODE_MASK(CS_MODE_EL0), kKernel = CS_MODE_MASK(CS_MODE_EL1);
constexpr uint32_t kBoth = kUser | kKernel;
constexpr uint64_t kUs = 1000, kMs = 1000000;

// A workload: 9,000 cycles of a program, 1,000 of the kernel, for ever. Events have Arm's numbers, those
// of a hart, and those of POWER's counters in memory.
class Work
{
  public:
    Work(uint32_t core, uint64_t ipc_num, uint64_t ipc_den)
    {
        EXPECT_EQ(cs_stream_pool_create(&pool_, nullptr), CS_OK);
        const cs_stream *cycles, *instructions, *branches, *misses;
        Make(cs_stream_rate(pool_, {1, 1}, 0, &cycles, nullptr));
        Make(cs_stream_rate(pool_, {ipc_num, ipc_den}, 0, &instructions, nullptr));
        Make(cs_stream_random(pool_, {1, 5}, 3, 77 + core, &branches, nullptr));
        Make(cs_stream_random(pool_, {1, 100}, 1, 99 + core, &misses, nullptr));
        events_ = {{kCycles, cycles},
                   {kInstructions, instructions},
                   {kBranches, branches},
                   {kMisses, misses},
                   {CS_EVENT_HART(1), cycles},
                   {CS_EVENT_HART(2), instructions},
                   {CS_EVENT_HART(5), branches},
                   {CS_EVENT_HART(6), misses},
                   {CS_EVENT_IMC(5), branches},
                   {CS_EVENT_IMC(256), instructions},
                   {CS_EVENT_IMC(257), cycles}};
        functions_[0] = {"outer", 0x400000, 0x1000, 1, nullptr, 0, 0};
        functions_[1] = {"inner", 0x401000, 0x800, 3, returns_, 1, 1};
        kernel_ = {"syscall", 0xffff000000, 0x400, 1, nullptr, 0, 2};
        Segments();
        const cs_track track = {"work", segments_, 2};
        const cs_timeline_desc desc = {5, core, 0, &track, 1, nullptr, 0, CS_MODE_EL0};
        track_ = track;
        cs_timeline_desc copy = desc;
        copy.tracks = &track_;
        Make(cs_timeline_create(&copy, &timeline_, nullptr));
    }
    ~Work()
    {
        cs_timeline_destroy(timeline_);
        cs_stream_pool_destroy(pool_);
    }
    Work(const Work &) = delete;

    cs_timeline *timeline() const
    {
        return timeline_;
    }
    uint64_t Sum(uint32_t event, uint64_t from, uint64_t to, uint32_t modes = kBoth) const
    {
        return cs_timeline_sum(timeline_, event, modes, from, to);
    }

  private:
    static void Make(cs_status status)
    {
        ASSERT_EQ(status, CS_OK);
    }
    void Segments()
    {
        segments_[0] = {};
        segments_[0].length_cycles = 9000;
        segments_[0].mode = CS_MODE_EL0;
        segments_[0].functions = functions_;
        segments_[0].nr_functions = 2;
        segments_[1] = segments_[0];
        segments_[1].length_cycles = 1000;
        segments_[1].mode = CS_MODE_EL1;
        segments_[1].functions = &kernel_;
        segments_[1].nr_functions = 1;
        for (cs_segment &s : segments_) {
            s.events = events_.data();
            s.nr_events = events_.size();
        }
    }

    cs_stream_pool *pool_ = nullptr;
    std::vector<cs_segment_event> events_;
    const uint64_t returns_[1] = {0x400020};
    cs_function functions_[2], kernel_;
    cs_segment segments_[2];
    cs_track track_;
    cs_timeline *timeline_ = nullptr;
};

// An attr with what nearly every event has.
inline cs_perf_attr Attr(uint32_t type, uint64_t config, uint64_t flags = 0)
{
    cs_perf_attr a = {};

    a.type = type;
    a.size = CS_PERF_ATTR_BYTES;
    a.config = config;
    a.flags = flags;
    a.read_format = CS_PERF_READ_ENABLED | CS_PERF_READ_RUNNING;
    return a;
}

inline cs_perf_attr Hardware(uint64_t config, uint64_t flags = 0)
{
    return Attr(CS_PERF_TYPE_HARDWARE, config, flags);
}

constexpr uint64_t kHwCycles = 0, kHwInstructions = 1, kHwCacheMisses = 3, kHwBranches = 4,
                   kHwBranchMisses = 5;

struct Reading {
    uint64_t value, enabled, running;
};

class Machine : public ::testing::Test
{
  protected:
    Machine() : busy_(0, 3, 2), other_(1, 1, 2)
    {
        machine_.nr_cpus = 2;
        machine_.clock_mhz = kMhz;
        machine_.core = &core_;
        machine_.paranoid = -1;
    }
    void SetUp() override
    {
        Begin();
    }
    void TearDown() override
    {
        cs_perf_destroy(perf_);
    }

    // A machine as machine_ is now, with thread 10 of process 10, called busy.
    void Begin()
    {
        cs_perf_calls calls = {};

        calls.work = Find;
        calls.woken = Woken;
        calls.told = Told;
        calls.reads = Reads;
        calls.ctx = this;
        cs_perf_destroy(perf_);
        perf_ = nullptr;
        ASSERT_EQ(cs_perf_create(&machine_, &calls, &perf_, &diag_), CS_OK) << diag_.text;
        const cs_perf_who who = {10, 10};
        ASSERT_EQ(cs_perf_task_add(perf_, &who, "busy"), 0);
    }

    int TryOpen(const cs_perf_attr &attr, int pid, int cpu, cs_perf_event *group,
                cs_perf_event **out, uint64_t flags = 0)
    {
        cs_perf_asked asked = {};

        asked.attr = &attr;
        asked.by = 10;
        asked.pid = pid;
        asked.cpu = cpu;
        asked.group = group;
        asked.flags = flags;
        asked.privileged = privileged_;
        return cs_perf_open(perf_, &asked, out);
    }
    // Of the thread itself, on all CPUs.
    cs_perf_event *Open(const cs_perf_attr &attr, cs_perf_event *group = nullptr, int pid = 0,
                        int cpu = -1)
    {
        cs_perf_event *e = nullptr;

        EXPECT_EQ(TryOpen(attr, pid, cpu, group, &e), 0);
        return e;
    }
    int Ioctl(cs_perf_event *e, uint32_t request, uint64_t arg = 0)
    {
        cs_perf_ioctl call = {};

        call.request = request;
        call.arg = arg;
        call.period = arg;
        return cs_perf_do_ioctl(e, &call);
    }
    void Run(uint64_t from_ns, uint64_t to_ns, uint32_t tid = 10, unsigned cpu = 0)
    {
        EXPECT_EQ(cs_perf_run(perf_, tid, cpu, from_ns, to_ns), 0);
    }
    Reading Read(cs_perf_event *e)
    {
        uint64_t words[3] = {};

        EXPECT_EQ(cs_perf_read(e, words, sizeof words), 24);
        return {words[0], words[1], words[2]};
    }
    std::vector<uint64_t> Words(cs_perf_event *e)
    {
        std::vector<uint64_t> words(256);
        const long n = cs_perf_read(e, words.data(), words.size() * 8);

        EXPECT_GE(n, 0);
        words.resize(n < 0 ? 0 : static_cast<size_t>(n) / 8);
        return words;
    }

    static cs_event_source Find(void *ctx, const cs_perf_who *, const char *comm)
    {
        Machine *m = static_cast<Machine *>(ctx);
        const Work &work = strcmp(comm, "busy") == 0 ? m->busy_ : m->other_;

        return cs_timeline_event_source(work.timeline());
    }
    static void Woken(void *ctx, cs_perf_event *event, cs_perf_wake wake)
    {
        static_cast<Machine *>(ctx)->woken_.emplace_back(event, wake);
    }
    static void Told(void *ctx, const cs_perf_told *told)
    {
        static_cast<Machine *>(ctx)->told_.push_back(*told);
    }

    static bool Reads(void *ctx, const cs_perf_event *)
    {
        return static_cast<Machine *>(ctx)->reads_;
    }

    Work busy_, other_;
    cs_perf_core core_ = cs_perf_core_x86;
    cs_perf_machine machine_ = {};
    cs_perf *perf_ = nullptr;
    cs_diag diag_ = {};
    bool privileged_ = false;
    bool reads_ = false; // somebody looks into rings just now
    std::vector<cs_perf_told> told_;
    std::vector<std::pair<cs_perf_event *, cs_perf_wake>> woken_;
};

} // namespace perf_rig

#endif
