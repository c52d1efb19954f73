// SPDX-License-Identifier: Apache-2.0
// Rings: room, losses, wake-ups, and a program that writes what it likes into them
// (docs/drivers/perf.md, "Rings").
#include "ring.hpp"

#include <cerrno>

using namespace perf_rig;

namespace
{

class PerfRing : public Machine
{
  protected:
    // A sample each microsecond, of 16 bytes.
    cs_perf_event *EachMicrosecond(uint64_t flags = 0, uint32_t wakeup = 0)
    {
        cs_perf_attr attr = Sampling(kHwCycles, 3000, CS_PERF_SAMPLE_TIME);

        attr.flags = flags;
        attr.wakeup = wakeup;
        return Open(attr);
    }
    void Map(cs_perf_event *e, const Ring &ring, bool writable = true)
    {
        const cs_perf_mapped mapped = ring.Mapped(writable);

        ASSERT_EQ(cs_perf_mmap(e, &mapped), 0);
    }
};

TEST_F(PerfRing, ItsPageSaysWhatIsThere)
{
    Ring ring(4);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring);
    Run(0, 5 * kUs);
    ring.page()->index = 7;
    cs_perf_update_page(e);
    const cs_perf_page_abi *page = ring.page();
    EXPECT_EQ(page->data_offset, 4096u);
    EXPECT_EQ(page->data_size, 4u * 4096);
    EXPECT_EQ(page->data_head, 5u * 16);
    EXPECT_EQ(page->size, 96u);
    EXPECT_EQ(page->capabilities, 2u) << "nothing can be read by rdpmc";
    EXPECT_EQ(page->index, 0u);
    EXPECT_EQ(page->lock % 2, 0u);
    EXPECT_EQ(page->offset, 15000);
    EXPECT_EQ(page->time_enabled, 5 * kUs);
    EXPECT_EQ(page->time_running, 5 * kUs);
}

// One byte stays free, as in the kernel: 255 samples in a page, not 256.
TEST_F(PerfRing, WhatDoesNotFitIsLostAndSaid)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring);
    Run(0, 300 * kUs);
    EXPECT_EQ(ring.Take().size(), 255u);
    Run(300 * kUs, 302 * kUs);
    const auto records = ring.Take();
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[0].type, CS_PERF_REC_LOST);
    EXPECT_EQ(records[0].words, (std::vector<uint64_t>{cs_perf_id(e), 45}));
    EXPECT_EQ(records[1].words, (std::vector<uint64_t>{301 * kUs}));
    size_t told = 0;
    for (const cs_perf_told &t : told_)
        told += t.kind == CS_PERF_TOLD_LOST ? t.lost : 0;
    EXPECT_EQ(told, 45u);
}

TEST_F(PerfRing, LostRecordsAreReadToo)
{
    Ring ring(1);
    cs_perf_attr attr = Sampling(kHwCycles, 3000, CS_PERF_SAMPLE_TIME);
    attr.read_format = CS_PERF_READ_LOST;
    cs_perf_event *e = Open(attr);

    Map(e, ring);
    Run(0, 300 * kUs);
    EXPECT_EQ(Words(e), (std::vector<uint64_t>{900000, 45}));
}

// A program that does not map it for writing has the latest, not the first.
TEST_F(PerfRing, WithoutWriteAccessItOverwrites)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring, false);
    Run(0, 300 * kUs);
    const uint64_t head = ring.page()->data_head;
    EXPECT_EQ(head, 300u * 16);
    const auto records = ring.Look(head - 4096, head);
    ASSERT_EQ(records.size(), 256u);
    EXPECT_EQ(records[0].words[0], 45 * kUs);
    EXPECT_EQ(records[255].words[0], 300 * kUs);
}

TEST_F(PerfRing, BackwardItsLatestIsAtTheHead)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond(CS_PERF_ATTR_WRITE_BACKWARD);

    Map(e, ring, false);
    Run(0, 300 * kUs);
    const uint64_t head = ring.page()->data_head;
    EXPECT_EQ(head, UINT64_C(0) - 300 * 16);
    const auto records = ring.Look(head, head + 4096);
    ASSERT_EQ(records.size(), 256u);
    EXPECT_EQ(records[0].words[0], 300 * kUs);
    EXPECT_EQ(records[255].words[0], 45 * kUs);
}

struct Wakeups {
    const char *what;
    uint64_t flags;
    uint32_t wakeup;
    size_t of_300; // in three hundred samples of 16 bytes, which are taken at once
};

TEST_F(PerfRing, WakesAtItsWatermark)
{
    const Wakeups cases[] = {
        {"half of a page: every 129th, then every 128th", 0, 0, 2},
        {"each sample", 0, 1, 300},
        {"every tenth, and half of a page", 0, 10, 32},
        {"160 bytes: more than that", CS_PERF_ATTR_WATERMARK, 160, 29},
        {"more than there is: a page", CS_PERF_ATTR_WATERMARK, 100000, 1},
    };
    for (const Wakeups &c : cases) {
        Begin();
        Ring ring(1);
        cs_perf_event *e = EachMicrosecond(c.flags, c.wakeup);
        Map(e, ring);
        woken_.clear();
        for (uint64_t t = 0; t < 300; t++) {
            Run(t * kUs, (t + 1) * kUs);
            ring.Take();
        }
        EXPECT_EQ(woken_.size(), c.of_300) << c.what;
        EXPECT_EQ(cs_perf_poll(e), CS_PERF_POLL_IN) << c.what;
        EXPECT_EQ(cs_perf_poll(e), 0u) << c.what;
    }
}

TEST_F(PerfRing, BackwardItWakesToo)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond(CS_PERF_ATTR_WRITE_BACKWARD);

    Map(e, ring, false);
    Run(0, 128 * kUs);
    EXPECT_EQ(cs_perf_poll(e), 0u);
    Run(128 * kUs, 129 * kUs);
    EXPECT_EQ(cs_perf_poll(e), CS_PERF_POLL_IN);
}

// Half of the page is reached twice meanwhile.
TEST_F(PerfRing, HeldItShowsAllAtOnceAndWakesOnce)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring);
    Run(0, kUs);
    woken_.clear();
    cs_perf_hold(perf_);
    cs_perf_hold(perf_);
    Run(kUs, 200 * kUs);
    cs_perf_show(perf_);
    EXPECT_EQ(ring.page()->data_head, 16u);
    EXPECT_TRUE(woken_.empty());
    cs_perf_show(perf_);
    EXPECT_EQ(ring.page()->data_head, 200u * 16);
    EXPECT_EQ(woken_.size(), 1u);
    Run(200 * kUs, 201 * kUs);
    EXPECT_EQ(ring.page()->data_head, 201u * 16);
}

TEST_F(PerfRing, WhileItIsReadItShowsNothing)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond(0, 1);

    Map(e, ring);
    cs_perf_hold(perf_);
    Run(0, 3 * kUs);
    reads_ = true;
    EXPECT_TRUE(cs_perf_show(perf_));
    Run(3 * kUs, 4 * kUs);
    EXPECT_EQ(ring.page()->data_head, 0u);
    EXPECT_FALSE(cs_perf_unread(e));
    EXPECT_TRUE(woken_.empty());
    reads_ = false;
    cs_perf_hold(perf_);
    EXPECT_FALSE(cs_perf_show(perf_));
    EXPECT_EQ(ring.page()->data_head, 4u * 16);
    EXPECT_EQ(woken_.size(), 1u);
}

// Whoever hears of it another way finds what there is.
TEST_F(PerfRing, HeldItShowsWhatThereIsBeforeASignalAndTheEnd)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring);
    cs_perf_hold(perf_);
    Run(0, 3 * kUs);
    cs_perf_set_async(e, true);
    Run(3 * kUs, 5 * kUs);
    EXPECT_EQ(ring.page()->data_head, 5u * 16);
    cs_perf_set_async(e, false);
    Run(5 * kUs, 7 * kUs);
    EXPECT_EQ(ring.page()->data_head, 5u * 16);
    EXPECT_EQ(cs_perf_task_exit(perf_, 10), 0);
    EXPECT_EQ(ring.page()->data_head, 7u * 16);
    cs_perf_show(perf_);
}

TEST_F(PerfRing, UnmappedWhileHeldItIsLeftAlone)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring);
    cs_perf_hold(perf_);
    Run(0, 3 * kUs);
    cs_perf_munmap(e);
    cs_perf_show(perf_);
    EXPECT_EQ(ring.page()->data_head, 0u);
}

TEST_F(PerfRing, SeveralEventsShareOne)
{
    Ring ring(4);
    cs_perf_event *e = EachMicrosecond(), *other = EachMicrosecond();
    cs_perf_ioctl call = {};

    call.request = CS_PERF_IOC_SET_OUTPUT;
    call.output = e;
    EXPECT_EQ(cs_perf_do_ioctl(other, &call), -EINVAL) << "there is no ring yet";
    Map(e, ring);
    EXPECT_EQ(cs_perf_do_ioctl(other, &call), 0);
    Run(0, 5 * kUs);
    EXPECT_EQ(ring.Take().size(), 10u);
    call.output = nullptr;
    EXPECT_EQ(cs_perf_do_ioctl(other, &call), 0);
    Run(5 * kUs, 10 * kUs);
    EXPECT_EQ(ring.Take().size(), 5u);
    call.output = e;
    EXPECT_EQ(cs_perf_do_ioctl(e, &call), -EINVAL) << "itself";
    cs_perf_event *cpu = Open(Sampling(kHwCycles, 3000, CS_PERF_SAMPLE_TIME), nullptr, -1, 0);
    EXPECT_EQ(cs_perf_do_ioctl(cpu, &call), -EINVAL) << "another CPU";
}

TEST_F(PerfRing, PausedItLosesEverything)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_PAUSE_OUTPUT, 1), 0);
    Run(0, 5 * kUs);
    EXPECT_TRUE(ring.Take().empty());
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_PAUSE_OUTPUT, 0), 0);
    Run(5 * kUs, 6 * kUs);
    const auto records = ring.Take();
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].words[1], 5u);
}

// After munmap nobody writes any more, whoever did so before.
TEST_F(PerfRing, UnmappedItIsLeftAlone)
{
    Ring ring(1);
    cs_perf_event *e = EachMicrosecond(), *other = EachMicrosecond();
    cs_perf_ioctl call = {};

    Map(e, ring);
    Map(e, ring);
    call.request = CS_PERF_IOC_SET_OUTPUT;
    call.output = e;
    EXPECT_EQ(cs_perf_do_ioctl(other, &call), 0);
    cs_perf_munmap(e);
    Run(0, 5 * kUs);
    EXPECT_EQ(ring.page()->data_head, 10u * 16);
    cs_perf_munmap(e);
    Run(5 * kUs, 10 * kUs);
    EXPECT_EQ(ring.page()->data_head, 10u * 16);
    size_t bytes;
    EXPECT_EQ(cs_perf_memory(other, &bytes), nullptr);
}

// Whatever it writes there, nothing outside of the ring is touched and nothing stops.
TEST_F(PerfRing, AProgramMayWriteAnythingIntoIt)
{
    machine_.sample_rate = 10000000;
    Begin();
    Ring ring(2);
    cs_perf_event *e = EachMicrosecond();
    uint64_t seed = 1;

    Map(e, ring);
    for (uint64_t t = 0; t < 2000; t++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        memset(ring.page(), static_cast<int>(seed >> 56), 4096);
        ring.page()->data_tail = t % 3 == 0 ? seed : seed >> 50;
        Run(t * kUs, (t + 1) * kUs);
        cs_perf_update_page(e);
        cs_perf_unread(e);
    }
    EXPECT_EQ(Read(e).value, 2000u * 3000);
}

// ---- mmap ----

struct MmapCase {
    const char *what;
    size_t pages;
    bool shared;
    uint64_t offset;
    int error;
};

TEST_F(PerfRing, MmapRefusesWhatTheKernelRefuses)
{
    const MmapCase cases[] = {
        {"a page alone", 1, true, 0, 0},
        {"1 + 1", 2, true, 0, 0},
        {"1 + 2", 3, true, 0, 0},
        {"1 + 3", 4, true, 0, -EINVAL},
        {"nothing", 0, true, 0, -EINVAL},
        {"private", 2, false, 0, -EINVAL},
        {"AUX before data", 1, true, 4096, -EINVAL},
    };
    for (const MmapCase &c : cases) {
        cs_perf_event *e = EachMicrosecond();
        cs_perf_mapped m = {};
        m.bytes = c.pages * 4096;
        m.shared = c.shared;
        m.offset = c.offset;
        EXPECT_EQ(cs_perf_mmap(e, &m), c.error) << c.what;
        cs_perf_close(e);
    }
    cs_perf_event *inherits = EachMicrosecond(CS_PERF_ATTR_INHERIT);
    cs_perf_mapped m = Ring(1).Mapped();
    EXPECT_EQ(cs_perf_mmap(inherits, &m), -EINVAL) << "inherited, on all CPUs";
}

TEST_F(PerfRing, MmapOfAnotherSizeIsRefused)
{
    Ring ring(2), smaller(1);
    cs_perf_event *e = EachMicrosecond();

    Map(e, ring);
    cs_perf_mapped m = smaller.Mapped();
    EXPECT_EQ(cs_perf_mmap(e, &m), -EINVAL);
    m.offset = ring.Mapped().bytes;
    EXPECT_EQ(cs_perf_mmap(e, &m), -EINVAL) << "not where the page says";
    m.bytes = 4096;
    ring.page()->aux_offset = m.offset;
    ring.page()->aux_size = m.bytes;
    EXPECT_EQ(cs_perf_mmap(e, &m), -EOPNOTSUPP) << "no PMU fills it";
}

// perf_event_mlock_kb for each CPU, then what the user may lock.
TEST_F(PerfRing, MmapHasTheKernelsLimits)
{
    machine_.paranoid = 0;
    machine_.mlock_kb = 8;
    Begin();
    cs_perf_event *e = EachMicrosecond();
    cs_perf_mapped m = {};
    m.shared = true;
    m.bytes = 5 * 4096;
    m.limit = 4096;
    EXPECT_EQ(cs_perf_mmap(e, &m), 0);
    m.limit = 4095;
    EXPECT_EQ(cs_perf_mmap(e, &m), -EPERM);
    m.privileged = true;
    EXPECT_EQ(cs_perf_mmap(e, &m), 0);
}

} // namespace
