// SPDX-License-Identifier: Apache-2.0
// HiSilicon's PMCU: samples that the hardware writes into an AUX area (docs/drivers/perf.md, "PMUs of the
// system").
#include "perf_rig.hpp"
#include "ring.hpp"

#include <cerrno>

#include "formats/pmcu/abi/aux_header.h"
#include "software/perf/pmcu/pmcu_pmu.h"

using namespace perf_rig;

namespace
{

constexpr uint32_t kPmcu = 64;
constexpr size_t kPage = CS_PERF_PAGE_BYTES, kHeader = 48, kSlots = 8;
constexpr size_t kEvents = 3; // cycles, instructions, branches
constexpr size_t kSample = (kEvents + 2) * 8 * kSlots;

class PerfPmcu : public Machine
{
  protected:
    PerfPmcu() : ring_(4)
    {
        config_.lanes = 1;
        config_.user_events = UserEvents;
        config_.ctx = this;
        system_.driver = &cs_perf_pmcu_driver;
        system_.name = "hisi_pmcu_sccl0";
        system_.type = kPmcu;
        system_.config = &config_;
        machine_.systems = &system_;
        machine_.nr_systems = 1;
    }
    static size_t UserEvents(void *ctx, uint16_t events[])
    {
        const PerfPmcu *t = static_cast<PerfPmcu *>(ctx);

        std::copy(t->wanted_.begin(), t->wanted_.end(), events);
        return t->wanted_.size();
    }
    static cs_perf_attr Asked(uint32_t samples, uint32_t ms, uint64_t flags = CS_PERF_ATTR_DISABLED)
    {
        cs_perf_attr attr = Attr(kPmcu, samples | static_cast<uint64_t>(ms) << 32, flags);

        attr.sample_period = 1;
        return attr;
    }
    // An event with its ring and an area of so many pages.
    cs_perf_event *OpenMapped(const cs_perf_attr &attr, size_t pages)
    {
        cs_perf_event *e = Open(attr, nullptr, -1, 0);
        const cs_perf_mapped m = ring_.Mapped();

        EXPECT_EQ(cs_perf_mmap(e, &m), 0);
        EXPECT_EQ(MapAux(e, pages), 0);
        return e;
    }
    int MapAux(cs_perf_event *e, size_t pages, bool writable = true)
    {
        aux_.assign(pages * kPage, 0);
        ring_.page()->aux_offset = ring_.size() + kPage;
        ring_.page()->aux_size = aux_.size();
        cs_perf_mapped m = ring_.Mapped(writable);
        m.memory = aux_.data();
        m.bytes = aux_.size();
        m.offset = ring_.page()->aux_offset;
        return cs_perf_mmap(e, &m);
    }
    uint64_t Word(size_t at, size_t bytes = 8) const
    {
        uint64_t value = 0;

        memcpy(&value, aux_.data() + at, bytes);
        return value;
    }
    // Of a subsample: field 0 has the context IDs, then the events, then the cycles.
    uint64_t Field(size_t sample, size_t field, size_t slot) const
    {
        return Word(kHeader + sample * kSample + field * 8 * kSlots + 8 * slot);
    }
    std::vector<Record> AuxRecords()
    {
        std::vector<Record> records;

        for (const Record &r : ring_.Take())
            if (r.type == CS_PERF_REC_AUX)
                records.push_back(r);
        return records;
    }
    int Refused(const cs_perf_attr &attr, int pid = -1, int cpu = 0)
    {
        cs_perf_event *e = nullptr;

        return TryOpen(attr, pid, cpu, nullptr, &e);
    }
    // Thread 10 is on CPU 0 all the time.
    void Busy(uint64_t from, uint64_t to)
    {
        Run(from, to);
        cs_perf_idle(perf_, to);
    }

    std::vector<uint16_t> wanted_ = {kCycles, kInstructions, kBranches};
    Ring ring_;
    std::vector<unsigned char> aux_;
    cs_perf_pmcu config_ = {};
    cs_perf_system system_ = {};
};

TEST_F(PerfPmcu, WritesItsSamplesIntoTheArea)
{
    cs_perf_event *e = OpenMapped(Asked(4, 1), 4);

    Busy(0, kMs);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    Busy(kMs, 10 * kMs);
    EXPECT_EQ(ring_.page()->aux_head, kHeader + 4 * kSample);
    cs_pmcu_aux_header header;
    ASSERT_EQ(cs_pmcu_aux_header_decode(aux_.data(), nullptr, &header, &diag_), CS_OK)
        << diag_.text;
    EXPECT_EQ(header.nr_pmu, kEvents);
    EXPECT_EQ(header.nr_cpu, kSlots);
    EXPECT_EQ(header.buffer_size, 2 * kPage);
    EXPECT_EQ(Word(28, 4), kCycles);
    const std::vector<Record> records = AuxRecords();
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].words[0], 0u);
    EXPECT_EQ(records[0].words[1], kHeader + 4 * kSample);
    EXPECT_EQ(records[0].words[2], 0u);
}

// A millisecond and a walk of counting; 3 instructions in 2 cycles.
TEST_F(PerfPmcu, SamplesAreWhatThreadsDid)
{
    cs_perf_event *e = OpenMapped(Asked(4, 1), 4);
    uint64_t cycles = 0, branches = 0;

    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    Busy(0, 10 * kMs);
    for (size_t i = 0; i < 4; i++) {
        const uint64_t c = Field(i, 1, 0);
        EXPECT_GE(c, kMs * 3);
        EXPECT_LT(c, kMs * 3 + 1000);
        EXPECT_EQ(Field(i, 4, 0), c); // the cycle counter
        EXPECT_NEAR(static_cast<double>(Field(i, 2, 0)), static_cast<double>(c) * 1.5, 2.0);
        EXPECT_EQ(Word(kHeader + i * kSample, 4), 10u); // CONTEXTIDR
        for (size_t field = 1; field < 5; field++)
            for (size_t slot = 1; slot < kSlots; slot++)
                EXPECT_EQ(Field(i, field, slot), 0u) << field << " " << slot;
        cycles += c;
        branches += Field(i, 3, 0);
    }
    const double share = static_cast<double>(busy_.Sum(kBranches, 0, 5 * kMs * 3)) / (5 * kMs * 3);
    EXPECT_NEAR(static_cast<double>(branches), share * static_cast<double>(cycles),
                static_cast<double>(cycles) / 1000);
}

// The thread goes from CPU to CPU within a sample: its cycles are on both, and none is lost.
TEST_F(PerfPmcu, AThreadThatMovesCountsOnBothCpus)
{
    cs_perf_event *e = OpenMapped(Asked(1, 4), 4);

    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    for (uint64_t t = 0; t < 6 * kMs; t += kMs) {
        Run(t, t + 400 * kUs, 10, 0);
        Run(t + 400 * kUs, t + kMs, 10, 1);
        cs_perf_idle(perf_, t + kMs);
    }
    ASSERT_EQ(ring_.page()->aux_head, kHeader + kSample);
    EXPECT_NEAR(static_cast<double>(Field(0, 1, 0)), 4 * 0.4 * kMs * 3, 1000.0);
    EXPECT_NEAR(static_cast<double>(Field(0, 1, 1)), 4 * 0.6 * kMs * 3, 1000.0);
    EXPECT_NEAR(static_cast<double>(Field(0, 2, 0) + Field(0, 2, 1)),
                static_cast<double>(Field(0, 1, 0) + Field(0, 1, 1)) * 1.5, 20.0);
}

TEST_F(PerfPmcu, DoesNothingWithoutAnArea)
{
    cs_perf_event *e = Open(Asked(4, 1), nullptr, -1, 0);
    const cs_perf_mapped m = ring_.Mapped();

    EXPECT_EQ(cs_perf_mmap(e, &m), 0);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    Busy(0, 10 * kMs);
    EXPECT_EQ(Read(e).running, 0u);
    EXPECT_EQ(Read(e).enabled, 10 * kMs);
    EXPECT_TRUE(ring_.Take().empty());
    // It goes on once there is one: at the next turn.
    EXPECT_EQ(MapAux(e, 4), 0);
    Busy(10 * kMs, 30 * kMs);
    EXPECT_EQ(ring_.page()->aux_head, kHeader + 4 * kSample);
}

// What a run that is broken off has written is dropped; the samples before it are handed over.
TEST_F(PerfPmcu, AStopKeepsWholeRuns)
{
    cs_perf_event *e = OpenMapped(Asked(1000, 1), 2);

    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    // 12 samples fill a piece of 4 KiB behind the header.
    Busy(0, 15 * kMs);
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_DISABLE), 0);
    EXPECT_EQ(ring_.page()->aux_head, kPage);
    ASSERT_EQ(AuxRecords().size(), 1u);
    EXPECT_EQ(Field(11, 0, 0) & UINT32_MAX, 10u);
    Busy(15 * kMs, 100 * kMs);
    EXPECT_EQ(ring_.page()->aux_head, kPage);
}

// A program that does not read: the flag TRUNCATED, and the event is off until it is enabled again.
TEST_F(PerfPmcu, AFullAreaStopsTheEvent)
{
    cs_perf_event *e = OpenMapped(Asked(100, 1), 2);

    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    for (uint64_t t = 0; t < 60 * kMs; t += kMs)
        Busy(t, t + kMs);
    EXPECT_EQ(ring_.page()->aux_head, 2 * kPage);
    std::vector<Record> records = AuxRecords();
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].words[2], 0u);
    EXPECT_EQ(records[1].words[2], CS_PERF_AUX_TRUNCATED);
    EXPECT_LT(Read(e).enabled, 30 * kMs);
    // It reads a piece, and the hardware goes on there; only the first one ever had a header.
    ring_.page()->aux_tail = kPage;
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    Busy(60 * kMs, 80 * kMs);
    EXPECT_EQ(ring_.page()->aux_head, 3 * kPage);
    EXPECT_EQ(Word(0, 4), 10u);
}

TEST_F(PerfPmcu, AnyTailIsHarmless)
{
    cs_perf_event *e = OpenMapped(Asked(1000, 1), 2);

    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    for (uint64_t t = 0; t < 200 * kMs; t += 10 * kMs) {
        ring_.page()->aux_tail = t * UINT64_C(0x9e3779b97f4a7c15);
        ring_.page()->aux_head = ~t;
        ring_.page()->aux_size = t;
        Busy(t, t + 10 * kMs);
        Ioctl(e, CS_PERF_IOC_ENABLE);
    }
    EXPECT_LE(Read(e).running, 200 * kMs);
}

// The ring, and the area with it, is unmapped under the hardware's hands.
TEST_F(PerfPmcu, AnAreaThatGoesEndsTheRun)
{
    cs_perf_event *e = OpenMapped(Asked(4, 1), 4);

    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    Busy(0, 2 * kMs);
    const std::vector<unsigned char> before = aux_;
    cs_perf_munmap(e);
    Busy(2 * kMs, 20 * kMs);
    EXPECT_EQ(aux_, before);
    cs_perf_close(e);
}

TEST_F(PerfPmcu, AnAreaIsWhereThePageSays)
{
    cs_perf_event *e = Open(Asked(4, 1), nullptr, -1, 0);
    cs_perf_event *other = Open(Hardware(kHwCycles), nullptr, -1, 0);
    cs_perf_mapped m = ring_.Mapped();

    m.offset = ring_.size() + kPage;
    EXPECT_EQ(cs_perf_mmap(e, &m), -EINVAL); // no ring yet
    m.offset = 0;
    EXPECT_EQ(cs_perf_mmap(e, &m), 0);
    m.offset = ring_.size() + kPage;
    EXPECT_EQ(cs_perf_mmap(e, &m), -EINVAL); // the page says nothing
    EXPECT_EQ(MapAux(e, 3), -EINVAL);
    EXPECT_EQ(MapAux(e, 4, false), -ENOMEM);
    EXPECT_EQ(MapAux(e, 4), 0);
    EXPECT_EQ(MapAux(e, 8), -EINVAL); // another size
    Ring second(4);
    m = second.Mapped();
    EXPECT_EQ(cs_perf_mmap(other, &m), 0);
    second.page()->aux_offset = m.offset = second.size() + kPage;
    second.page()->aux_size = m.bytes = 4 * kPage;
    EXPECT_EQ(cs_perf_mmap(other, &m), -EOPNOTSUPP);
}

TEST_F(PerfPmcu, RefusesWhatTheDriverDoes)
{
    EXPECT_EQ(Refused(Asked(4, 85900)), -EINVAL);
    EXPECT_EQ(Refused(Asked(4, 1), 10, -1), -EINVAL);
    EXPECT_EQ(Refused(Attr(65, 0)), -ENOENT);
    cs_perf_event *e = OpenMapped(Asked(4, 1), 4);
    EXPECT_EQ(Refused(Asked(4, 1)), -EBUSY); // of one PMU, on one CPU
    EXPECT_EQ(Ioctl(e, CS_PERF_IOC_ENABLE), 0);
    Busy(0, kMs);
    EXPECT_EQ(Refused(Asked(4, 1), -1, 1), -EBUSY); // it samples
    cs_perf_close(e);
    EXPECT_EQ(Refused(Asked(4, 1), -1, 1), 0);
}

} // namespace
