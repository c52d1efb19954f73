// SPDX-License-Identifier: Apache-2.0
// What is refused, and with which errno (docs/drivers/perf.md, "Errors").
#include "perf_rig.hpp"

#include <cerrno>
#include <functional>

using namespace perf_rig;

namespace
{

class PerfErrors : public Machine
{
};

// ---- attr ----

struct Bytes {
    const char *what;
    size_t at;
    uint64_t value;
    size_t bytes;
    int error;
};

TEST(PerfAttr, SizesAreTheKernels)
{
    EXPECT_EQ(cs_perf_attr_bytes(0), 64);
    EXPECT_EQ(cs_perf_attr_bytes(63), -E2BIG);
    EXPECT_EQ(cs_perf_attr_bytes(64), 64);
    EXPECT_EQ(cs_perf_attr_bytes(136), 136);
    EXPECT_EQ(cs_perf_attr_bytes(4096), 4096);
    EXPECT_EQ(cs_perf_attr_bytes(4097), -E2BIG);
}

TEST(PerfAttr, BitsThatAreNotKnownAreRefused)
{
    const Bytes cases[] = {
        {"nothing", 0, 0, 4, 0},
        {"beyond", 140, 1, 1, -E2BIG},
        {"last byte", 4095, 1, 1, -E2BIG},
        {"a flag", 40, UINT64_C(1) << 38, 8, -EINVAL},
        {"sample_type", 24, UINT64_C(1) << 25, 8, -EINVAL},
        {"read_format", 32, UINT64_C(1) << 5, 8, -EINVAL},
        {"reserved_2", 110, 1, 2, -EINVAL},
        {"reserved_3", 116, 1, 4, -EINVAL},
        {"no kind of branch", 24, CS_PERF_SAMPLE_BRANCH_STACK, 8, -EINVAL},
        {"no registers", 24, CS_PERF_SAMPLE_REGS_USER, 8, -EINVAL},
        {"both weights", 24, CS_PERF_SAMPLE_WEIGHT | CS_PERF_SAMPLE_WEIGHT_STRUCT, 8, -EINVAL},
        {"inherit_thread alone", 40, CS_PERF_ATTR_INHERIT_THREAD, 8, -EINVAL},
        {"sigtrap alone", 40, CS_PERF_ATTR_SIGTRAP, 8, -EINVAL},
        {"remove and enable on exec", 40, CS_PERF_ATTR_REMOVE_ON_EXEC | CS_PERF_ATTR_ENABLE_ON_EXEC,
         8, -EINVAL},
    };
    for (const Bytes &c : cases) {
        std::vector<unsigned char> bytes(4096);
        cs_perf_attr attr;
        memcpy(&bytes[c.at], &c.value, c.bytes);
        EXPECT_EQ(cs_perf_attr_decode(bytes.data(), bytes.size(), &attr), c.error) << c.what;
    }
}

// An older program's attr ends earlier; what it does not have is 0.
TEST(PerfAttr, WhatIsNotThereIsZero)
{
    std::vector<unsigned char> bytes(64, 0);
    cs_perf_attr attr;

    bytes[8] = 7;
    memset(&attr, 0xff, sizeof attr);
    EXPECT_EQ(cs_perf_attr_decode(bytes.data(), 64, &attr), 0);
    EXPECT_EQ(attr.config, 7u);
    EXPECT_EQ(attr.config2, 0u);
    EXPECT_EQ(attr.sig_data, 0u);
}

// ---- perf_event_open ----

struct Case {
    const char *what;
    int error;
    std::function<void(cs_perf_attr &, cs_perf_asked &)> change;
};

TEST_F(PerfErrors, OfOpenAreTheKernels)
{
    const Case cases[] = {
        {"nothing", 0, [](auto &, auto &) {}},
        {"unknown flag", -EINVAL, [](auto &, auto &q) { q.flags = 16; }},
        {"no such type", -ENOENT, [](auto &a, auto &) { a.type = 77; }},
        {"no such generic event", -EINVAL, [](auto &a, auto &) { a.config = 10; }},
        {"an event that it has not", -ENOENT, [](auto &a, auto &) { a.config = 7; }},
        {"another PMU's", -ENOENT, [](auto &a, auto &) { a.config |= UINT64_C(9) << 32; }},
        {"its own PMU's", 0, [](auto &a, auto &) { a.config |= UINT64_C(4) << 32; }},
        {"no such cache", -EINVAL,
         [](auto &a, auto &) { a.type = CS_PERF_TYPE_CACHE, a.config = 7; }},
        {"no such operation", -EINVAL,
         [](auto &a, auto &) { a.type = CS_PERF_TYPE_CACHE, a.config = 0x300; }},
        {"a cache event that it has not", -ENOENT,
         [](auto &a, auto &) { a.type = CS_PERF_TYPE_CACHE, a.config = 6; }},
        {"page faults", -ENOENT,
         [](auto &a, auto &) { a.type = CS_PERF_TYPE_SOFTWARE, a.config = 2; }},
        {"nobody on any CPU", -EINVAL, [](auto &, auto &q) { q.pid = -1; }},
        {"no such CPU", -EINVAL, [](auto &, auto &q) { q.cpu = 2; }},
        {"CPU -2", -EINVAL, [](auto &, auto &q) { q.cpu = -2; }},
        {"no such thread", -ESRCH, [](auto &, auto &q) { q.pid = 99; }},
        {"thread -5", -ESRCH, [](auto &, auto &q) { q.pid = -5; }},
        {"a cgroup", -EINVAL, [](auto &, auto &q) { q.flags = CS_PERF_FLAG_CGROUP; }},
        {"too high a frequency", -EINVAL,
         [](auto &a, auto &) { a.flags = CS_PERF_ATTR_FREQ, a.sample_period = 100001; }},
        {"a negative period", -EINVAL,
         [](auto &a, auto &) { a.sample_period = UINT64_C(1) << 63; }},
        {"precise", -EOPNOTSUPP, [](auto &a, auto &) { a.flags = UINT64_C(1) << 15; }},
        {"branches", -EOPNOTSUPP,
         [](auto &a, auto &) {
             a.sample_type = CS_PERF_SAMPLE_BRANCH_STACK, a.branch_sample_type = 8;
         }},
        {"aux_output", -EOPNOTSUPP, [](auto &a, auto &) { a.flags = CS_PERF_ATTR_AUX_OUTPUT; }},
        {"AUX data in samples", -EINVAL,
         [](auto &a, auto &) { a.sample_type = CS_PERF_SAMPLE_AUX, a.aux_sample_size = 64; }},
        {"a reading in inherited samples", -EINVAL,
         [](auto &a, auto &) {
             a.flags = CS_PERF_ATTR_INHERIT, a.sample_type = CS_PERF_SAMPLE_READ;
         }},
        {"too deep a stack", -EOVERFLOW,
         [](auto &a, auto &) {
             a.sample_type = CS_PERF_SAMPLE_CALLCHAIN, a.sample_max_stack = 128;
         }},
        {"no such clock", -EINVAL,
         [](auto &a, auto &) { a.flags = CS_PERF_ATTR_USE_CLOCKID, a.clockid = 3; }},
        {"namespaces", -EACCES, [](auto &a, auto &) { a.flags = CS_PERF_ATTR_NAMESPACES; }},
    };
    for (const Case &c : cases) {
        cs_perf_attr attr = Hardware(kHwCycles);
        cs_perf_asked asked = {};
        cs_perf_event *e = nullptr;

        asked.by = 10;
        asked.cpu = -1;
        c.change(attr, asked);
        asked.attr = &attr;
        EXPECT_EQ(cs_perf_open(perf_, &asked, &e), c.error) << c.what;
        EXPECT_EQ(e != nullptr, c.error == 0) << c.what;
        cs_perf_close(e);
    }
    EXPECT_EQ(cs_perf_nr_events(perf_), 0u);
}

struct Paranoid {
    int level;
    bool privileged;
    int user, kernel, cpu; // the errno of an event without the kernel, with it, of a CPU
};

TEST_F(PerfErrors, ParanoidForbidsWhatItDoesInTheKernel)
{
    const Paranoid cases[] = {{-1, false, 0, 0, 0},
                              {0, false, 0, 0, 0},
                              {1, false, 0, 0, -EACCES},
                              {2, false, 0, -EACCES, -EACCES},
                              {3, false, -EACCES, -EACCES, -EACCES},
                              {3, true, 0, 0, 0}};
    for (const Paranoid &c : cases) {
        machine_.paranoid = c.level;
        privileged_ = c.privileged;
        Begin();
        cs_perf_event *e;
        const cs_perf_attr user = Hardware(kHwCycles, CS_PERF_ATTR_EXCLUDE_KERNEL);
        EXPECT_EQ(TryOpen(user, 0, -1, nullptr, &e), c.user) << c.level;
        EXPECT_EQ(TryOpen(Hardware(kHwCycles), 0, -1, nullptr, &e), c.kernel) << c.level;
        EXPECT_EQ(TryOpen(user, -1, 0, nullptr, &e), c.cpu) << c.level;
    }
}

TEST_F(PerfErrors, AMachineWithoutAPmuHasNoHardwareEvents)
{
    machine_.core = nullptr;
    Begin();
    cs_perf_event *e;
    EXPECT_EQ(TryOpen(Hardware(kHwCycles), 0, -1, nullptr, &e), -ENOENT);
    EXPECT_EQ(TryOpen(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_TASK_CLOCK), 0, -1, nullptr, &e), 0);
}

TEST_F(PerfErrors, APmuWithoutInterruptCountsButDoesNotSample)
{
    core_.no_interrupt = true;
    Begin();
    cs_perf_attr attr = Hardware(kHwCycles);
    cs_perf_event *e;
    EXPECT_EQ(TryOpen(attr, 0, -1, nullptr, &e), 0);
    attr.sample_period = 1000;
    EXPECT_EQ(TryOpen(attr, 0, -1, nullptr, &e), -EOPNOTSUPP);
}

TEST_F(PerfErrors, OfGroupsAreTheKernels)
{
    const cs_perf_who who = {20, 21};
    ASSERT_EQ(cs_perf_task_add(perf_, &who, "other"), 0);
    cs_perf_event *leader = Open(Hardware(kHwCycles)),
                  *member = Open(Hardware(kHwBranches), leader);
    cs_perf_event *e;

    EXPECT_EQ(TryOpen(Hardware(kHwCycles), 0, -1, member, &e), -EINVAL) << "no leader";
    EXPECT_EQ(TryOpen(Hardware(kHwCycles), 0, 1, leader, &e), -EINVAL) << "another CPU";
    EXPECT_EQ(TryOpen(Hardware(kHwCycles), 21, -1, leader, &e), -EINVAL) << "another thread";
    EXPECT_EQ(TryOpen(Hardware(kHwCycles, CS_PERF_ATTR_PINNED), 0, -1, leader, &e), -EINVAL);
    EXPECT_EQ(TryOpen(Hardware(kHwCycles, CS_PERF_ATTR_INHERIT), 0, -1, leader, &e), -EINVAL);
    EXPECT_EQ(
        TryOpen(Hardware(kHwCycles, CS_PERF_ATTR_PINNED), 0, -1, leader, &e, CS_PERF_FLAG_NO_GROUP),
        0);
}

// Four counters and one for cycles.
TEST_F(PerfErrors, AGroupThatCanNeverCountIsRefused)
{
    cs_perf_event *leader = Open(Hardware(kHwInstructions)), *e;

    for (int i = 0; i < 3; i++)
        Open(Hardware(kHwBranches), leader);
    EXPECT_EQ(TryOpen(Hardware(kHwBranchMisses), 0, -1, leader, &e), -EINVAL);
    Open(Hardware(kHwCycles), leader);
    EXPECT_EQ(TryOpen(Hardware(kHwCycles), 0, -1, leader, &e), -EINVAL);
    Open(Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY), leader);
}

// Of three words each, beside their number: 682 of them are 16,376 bytes.
TEST_F(PerfErrors, AGroupWhoseReadingIsTooLongIsRefused)
{
    cs_perf_attr attr = Attr(CS_PERF_TYPE_SOFTWARE, CS_PERF_SW_DUMMY);
    attr.read_format = CS_PERF_READ_GROUP | CS_PERF_READ_ID | CS_PERF_READ_LOST;
    cs_perf_event *leader = Open(attr), *e;

    attr.read_format = 0;
    for (int i = 1; i < 682; i++)
        Open(attr, leader);
    std::vector<uint64_t> words(1 + 3 * 682);
    EXPECT_EQ(cs_perf_read(leader, words.data(), words.size() * 8 - 1), -ENOSPC);
    EXPECT_EQ(cs_perf_read(leader, words.data(), words.size() * 8), 16376);
    EXPECT_EQ(TryOpen(attr, 0, -1, leader, &e), -E2BIG);
}

// ---- ioctl ----

TEST_F(PerfErrors, OfIoctlAreTheKernels)
{
    cs_perf_event *counts = Open(Hardware(kHwCycles));
    cs_perf_attr attr = Hardware(kHwCycles);
    attr.sample_period = 1000;
    cs_perf_event *samples = Open(attr);

    EXPECT_EQ(Ioctl(counts, CS_PERF_IOC_REFRESH, 1), -EINVAL);
    EXPECT_EQ(Ioctl(counts, CS_PERF_IOC_PERIOD, 1), -EINVAL);
    EXPECT_EQ(Ioctl(samples, CS_PERF_IOC_PERIOD, 0), -EINVAL);
    EXPECT_EQ(Ioctl(samples, CS_PERF_IOC_PERIOD, UINT64_C(1) << 63), -EINVAL);
    EXPECT_EQ(Ioctl(samples, CS_PERF_IOC_PERIOD, 2000), 0);
    EXPECT_EQ(Ioctl(counts, CS_PERF_IOC_SET_FILTER), -EINVAL);
    EXPECT_EQ(Ioctl(counts, CS_PERF_IOC_SET_BPF), -EINVAL);
    EXPECT_EQ(Ioctl(counts, CS_PERF_IOC_QUERY_BPF), -EPERM);
    EXPECT_EQ(Ioctl(counts, CS_PERF_IOC_PAUSE_OUTPUT, 1), -EINVAL);
    EXPECT_EQ(Ioctl(counts, 0x5401), -ENOTTY);
    cs_perf_ioctl modify = {};
    modify.request = CS_PERF_IOC_MODIFY_ATTRIBUTES;
    modify.attr = &attr;
    EXPECT_EQ(cs_perf_do_ioctl(counts, &modify), -EOPNOTSUPP);
    attr.type = CS_PERF_TYPE_RAW;
    EXPECT_EQ(cs_perf_do_ioctl(counts, &modify), -EINVAL);
}

// ---- time and threads ----

TEST_F(PerfErrors, TimeDoesNotGoBack)
{
    Run(100, 200);
    EXPECT_EQ(cs_perf_run(perf_, 10, 0, 199, 300), -EINVAL);
    EXPECT_EQ(cs_perf_run(perf_, 10, 0, 300, 299), -EINVAL);
    EXPECT_EQ(cs_perf_run(perf_, 10, 2, 300, 400), -EINVAL);
    EXPECT_EQ(cs_perf_run(perf_, 11, 0, 300, 400), -ESRCH);
    EXPECT_EQ(cs_perf_reached(perf_, 0), 200u);
}

TEST_F(PerfErrors, ThreadsAreThereOnce)
{
    const cs_perf_who same = {10, 10}, child = {11, 11};

    EXPECT_EQ(cs_perf_task_add(perf_, &same, "x"), -EEXIST);
    EXPECT_EQ(cs_perf_task_fork(perf_, 10, &same), -EEXIST);
    EXPECT_EQ(cs_perf_task_fork(perf_, 99, &child), -ESRCH);
    EXPECT_EQ(cs_perf_task_exit(perf_, 99), -ESRCH);
    EXPECT_EQ(cs_perf_task_exec(perf_, 99, "x"), -ESRCH);
    EXPECT_EQ(cs_perf_task_comm(perf_, 99, "x"), -ESRCH);
}

// ---- the machine ----

TEST_F(PerfErrors, AMachineThatCannotBeIsRefusedWithItsMember)
{
    cs_perf_calls calls = {};
    cs_perf *perf;
    calls.work = Find;
    calls.ctx = this;

    cs_perf_machine m = machine_;
    m.nr_cpus = 0;
    EXPECT_EQ(cs_perf_create(&m, &calls, &perf, &diag_), CS_ERR_RANGE);
    EXPECT_STREQ(diag_.text, "nr_cpus: 0 is not in 1..256");
    m = machine_;
    m.clock_mhz = 100001;
    EXPECT_EQ(cs_perf_create(&m, &calls, &perf, &diag_), CS_ERR_RANGE);
    EXPECT_STREQ(diag_.text, "clock_mhz: 100001 is not in 1..100000");
    m = machine_;
    cs_perf_core core = core_;
    core.counters = 32;
    m.core = &core;
    EXPECT_EQ(cs_perf_create(&m, &calls, &perf, &diag_), CS_ERR_RANGE);
    EXPECT_EQ(perf, nullptr);
}

} // namespace
