// SPDX-License-Identifier: Apache-2.0
// The same calls to this computer's kernel and to our perf, with whatever arguments: the same errno.
// It is skipped where the kernel opens no events to us, or has another attr than the one that is known
// here.
#include "ring.hpp"

#include <cerrno>
#include <random>

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace perf_rig;

namespace
{

constexpr int kNobody = 99999999;

// An event of both.
struct Pair {
    int fd;
    cs_perf_event *event;
};

class PerfKernel : public Machine
{
  protected:
    void SetUp() override
    {
        machine_.nr_cpus = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
        machine_.core = nullptr; // software events alone: every kernel has those
        machine_.paranoid = 2;
        privileged_ = true;
        // Nothing can be compared where the machine is larger than the model, where the kernel's attr is of
        // another age, and where a sandbox refuses the call; test_perf_errors has the table for everybody.
        if (machine_.nr_cpus > CS_PERF_MOST_CPUS)
            GTEST_SKIP() << machine_.nr_cpus << " CPUs";
        Begin();
        cs_perf_attr_abi attr = {};
        attr.type = CS_PERF_TYPE_SOFTWARE;
        attr.config = CS_PERF_SW_DUMMY;
        attr.size = 4097;
        if (Kernel(&attr, 0, -1, -1, 0) != -E2BIG || attr.size != CS_PERF_ATTR_BYTES)
            GTEST_SKIP() << "the kernel's attr has " << attr.size << " bytes";
        attr.size = CS_PERF_ATTR_BYTES;
        const long fd = Kernel(&attr, -1, 0, -1, 0);
        if (fd < 0)
            GTEST_SKIP() << "perf_event_open: errno " << -fd;
        close(static_cast<int>(fd));
    }
    void TearDown() override
    {
        for (const Pair &p : open_)
            close(p.fd);
        Machine::TearDown();
    }
    static long Kernel(cs_perf_attr_abi *attr, int pid, int cpu, int group, uint64_t flags)
    {
        const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);

        return fd < 0 ? -errno : fd;
    }
    int Ours(const void *attr, uint32_t size, int pid, int cpu, cs_perf_event *group,
             uint64_t flags, cs_perf_event **out)
    {
        cs_perf_attr decoded;
        const int n = cs_perf_attr_bytes(size);
        int error;

        *out = nullptr;
        if ((flags & ~CS_PERF_FLAG_KNOWN) != 0)
            return -EINVAL; // before the attr is looked at
        error = n < 0 ? n : cs_perf_attr_decode(attr, static_cast<size_t>(n), &decoded);
        return error != 0 ? error : TryOpen(decoded, pid, cpu, group, out, flags);
    }
    uint64_t Below(uint64_t n)
    {
        return random_() % n;
    }
    uint64_t One(std::initializer_list<uint64_t> of)
    {
        return *(of.begin() + Below(of.size()));
    }

    std::mt19937_64 random_{1};
    std::vector<Pair> open_;
};

// ---- attrs ----

TEST_F(PerfKernel, AnyAttrOpensOrFailsAsThere)
{
    int opened = 0;

    for (int i = 0; i < 20000; i++) {
        alignas(8) unsigned char bytes[4200] = {}, copy[4200];
        cs_perf_attr_abi *a = reinterpret_cast<cs_perf_attr_abi *>(bytes);
        cs_perf_event *event;

        a->type = CS_PERF_TYPE_SOFTWARE;
        a->config = One({0, 1, 3, 4, 9});
        a->size = static_cast<uint32_t>(
            Below(4) ? 136 : One({0, 63, 64, 72, 80, 96, 112, 120, 128, 136, 200, 4096, 4097}));
        a->sample_period = One({0, 0, 1, 1000, 99999, 100001, 1ull << 62, 1ull << 63});
        a->sample_type = Below(2) << Below(26) | (Below(3) == 0) << Below(25);
        a->read_format = Below(2) * Below(Below(8) ? 32 : 64);
        for (uint64_t k = Below(4); k > 0; k--)
            a->flags |= 1ull << Below(40);
        a->flags &= ~CS_PERF_ATTR_SIGTRAP; // it would end this process
        a->branch_sample_type = (Below(8) == 0) * Below(1ull << Below(21));
        a->sample_regs_user = One({0, 0, 0, 1, 0xff});
        a->sample_regs_intr = One({0, 0, 0, 1, 0xff});
        a->sample_stack_user = static_cast<uint32_t>(One({0, 0, 8, 7, 65528, 65536}));
        a->clockid = static_cast<int32_t>(One({0, 1, 2, 3, 4, 7, 11, 50}));
        a->sample_max_stack = static_cast<uint16_t>(One({0, 0, 0, 1, 127, 128}));
        a->reserved_2 = Below(40) == 0;
        a->aux_sample_size = (Below(40) == 0) * 64;
        const uint32_t size = a->size;
        const int pid = static_cast<int>(One({0, 0, 0, UINT64_MAX, kNobody, UINT64_MAX - 4}));
        const int cpu = static_cast<int>(One({0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 9999}));
        const uint64_t flags = (Below(6) == 0) * Below(32);
        memcpy(copy, bytes, sizeof copy);
        const long fd = Kernel(a, pid, cpu, -1, flags);
        const int error = Ours(copy, size, pid, cpu == 0 ? 0 : cpu, nullptr, flags, &event);
        EXPECT_EQ(error, fd < 0 ? fd : 0)
            << i << ": config " << a->config << " size " << size << " period " << a->sample_period
            << std::hex << " type " << a->sample_type << " flags " << a->flags << " pid " << pid
            << " cpu " << cpu << " call " << flags;
        if (fd >= 0)
            close(static_cast<int>(fd));
        cs_perf_close(event);
        opened += error == 0;
    }
    EXPECT_GT(opened, 2000);
}

// ---- what follows ----

class PerfKernelCalls : public PerfKernel
{
  protected:
    void Open()
    {
        cs_perf_attr_abi a = {};
        cs_perf_event *event;

        a.type = CS_PERF_TYPE_SOFTWARE;
        a.size = CS_PERF_ATTR_BYTES;
        a.config = One({0, 1, 3, 4, 9});
        a.sample_period = One({0, 0, 1000000000, 2000000000});
        a.read_format = Below(32);
        a.flags = Below(2) | (Below(4) == 0) << 1 | (Below(8) == 0) << 2 | (Below(12) == 0) << 3;
        if (Below(6) == 0)
            a.flags |= CS_PERF_ATTR_USE_CLOCKID;
        a.clockid = static_cast<int32_t>(Below(2)) * (a.flags >> 25 & 1 ? 1 : 0);
        a.flags |= (Below(8) == 0) * CS_PERF_ATTR_WRITE_BACKWARD;
        const int pid = Below(3) ? 0 : -1, cpu = pid == 0 && Below(2) ? -1 : 0;
        const Pair *group = !open_.empty() && Below(2) ? &open_[Below(open_.size())] : nullptr;
        const uint64_t flags = Below(4) ? 0 : Below(4);
        const long fd = Kernel(&a, pid, cpu, group != nullptr ? group->fd : -1, flags);
        const int error =
            Ours(&a, a.size, pid, cpu, group != nullptr ? group->event : nullptr, flags, &event);
        EXPECT_EQ(error, fd < 0 ? fd : 0) << std::hex << "flags " << a.flags << " pid " << pid
                                          << " cpu " << cpu << " call " << flags;
        if (fd >= 0 && event != nullptr)
            open_.push_back({static_cast<int>(fd), event});
        opened_ += event != nullptr;
    }
    void Close()
    {
        const size_t i = Below(open_.size());

        close(open_[i].fd);
        cs_perf_close(open_[i].event);
        open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
    }
    void ReadBoth(const Pair &p)
    {
        uint64_t words[40];
        const size_t size = 8 * Below(14) + (Below(10) == 0) * 3;
        const long n = read(p.fd, words, size);

        EXPECT_EQ(cs_perf_read(p.event, words, size), n < 0 ? -errno : n);
    }
    void MapBoth(const Pair &p)
    {
        const size_t bytes = 4096 * One({1, 2, 3, 4, 5});
        const bool shared = Below(8) != 0, writable = Below(4) != 0;
        void *at = mmap(nullptr, bytes, PROT_READ | (writable ? PROT_WRITE : 0),
                        shared ? MAP_SHARED : MAP_PRIVATE, p.fd, 0);
        const int error = at == MAP_FAILED ? -errno : 0;
        Ring ring(bytes / 4096 - 1);
        cs_perf_mapped m = ring.Mapped(writable);

        m.shared = shared;
        m.privileged = true;
        EXPECT_EQ(cs_perf_mmap(p.event, &m), error) << bytes << " bytes";
        if (error != 0)
            return;
        for (uint64_t k = Below(4); k > 0; k--)
            CallBoth(open_[Below(open_.size())]);
        munmap(at, bytes);
        cs_perf_munmap(p.event);
    }
    void CallBoth(const Pair &p)
    {
        cs_perf_attr_abi a = {};
        cs_perf_attr attr = {};
        const Pair *to = Below(3) ? &open_[Below(open_.size())] : nullptr;
        cs_perf_ioctl call = {};
        uint64_t id = 0, arg = Below(3);

        a.type = attr.type = static_cast<uint32_t>(Below(2));
        a.size = CS_PERF_ATTR_BYTES;
        call.privileged = true;
        call.attr = &attr;
        call.period = One({0, 1000000000, 1ull << 63});
        call.output = to != nullptr ? to->event : nullptr;
        call.request = static_cast<uint32_t>(
            One({CS_PERF_IOC_ENABLE, CS_PERF_IOC_DISABLE, CS_PERF_IOC_REFRESH, CS_PERF_IOC_RESET,
                 CS_PERF_IOC_PERIOD, CS_PERF_IOC_SET_OUTPUT, CS_PERF_IOC_ID,
                 CS_PERF_IOC_PAUSE_OUTPUT, CS_PERF_IOC_MODIFY_ATTRIBUTES, 0x5401}));
        if (call.request == CS_PERF_IOC_PERIOD)
            arg = reinterpret_cast<uint64_t>(&call.period);
        if (call.request == CS_PERF_IOC_ID)
            arg = reinterpret_cast<uint64_t>(&id);
        if (call.request == CS_PERF_IOC_MODIFY_ATTRIBUTES)
            arg = reinterpret_cast<uint64_t>(&a);
        if (call.request == CS_PERF_IOC_SET_OUTPUT)
            arg = to != nullptr ? static_cast<uint64_t>(to->fd) : UINT64_MAX;
        call.arg = arg;
        const int n = ioctl(p.fd, call.request, arg);
        EXPECT_EQ(cs_perf_do_ioctl(p.event, &call), n < 0 ? -errno : 0) << std::hex << call.request;
    }

    int opened_ = 0;
};

TEST_F(PerfKernelCalls, AnyCallAnswersAsThere)
{
    for (int i = 0; i < 4000; i++) {
        const uint64_t what = Below(10);

        if (open_.empty() || (open_.size() < 6 && what < 4))
            Open();
        else if (what == 4)
            Close();
        else if (what == 5)
            MapBoth(open_[Below(open_.size())]);
        else if (what < 8)
            ReadBoth(open_[Below(open_.size())]);
        else
            CallBoth(open_[Below(open_.size())]);
    }
    EXPECT_GT(opened_, 200);
}

} // namespace
