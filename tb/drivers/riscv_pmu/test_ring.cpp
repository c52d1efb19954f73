// SPDX-License-Identifier: Apache-2.0
// docs/drivers/riscv_driver.md, "The ring": what is in memory, byte by byte.
#include <algorithm>

#include "formats/riscv/ring_records.hpp"
#include "kernel.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kHead = kRing + 0x400, kTail = kRing + 0x408;

// The sample as a record; who was interrupted is the hart's affair.
Octets record_of(const Sample &s)
{
    return ring_sample(cs_riscv_perf_attr(s.event)->id, s.ip, s.misc, s.period,
                       {s.pid, s.tid, s.time, s.hart});
}

Octets records_of(const Kernel &k)
{
    Octets all;

    for (const Sample &s : k.samples)
        if (!s.lost) {
            const Octets one = record_of(s);
            all.insert(all.end(), one.begin(), one.end());
        }
    return all;
}

uint64_t drain(Kernel &k)
{
    return cs_riscv_pmu_drain(k.pmu(), k.hart());
}

} // namespace

TEST(RiscvPmuRing, TheHeaderPage)
{
    for (unsigned xlen : {32u, 64u}) {
        Kernel k(with_ring(machine(CS_RISCV_SBI, xlen), 8192));

        EXPECT_EQ(k.bytes(kRing, 4096 + 8192), ring_image(8192, 0, {}));
    }
    Kernel none;
    EXPECT_EQ(none.bytes(kRing, 4096), Octets(4096));
}

TEST(RiscvPmuRing, Samples)
{
    Kernel k(with_ring(machine(), 8192));

    k.start(raw(kOne, 100));
    k.start(raw(kFifteen, 2000));
    k.serve(1000);
    ASSERT_GT(k.samples.size(), 10u);
    EXPECT_EQ(k.bytes(kRing, 4096 + 8192), ring_image(8192, 0, records_of(k)));
    EXPECT_EQ(k.figures().ring_bytes, 56 * k.samples.size());
    EXPECT_EQ(k.figures().bus_errors, 0u);
    EXPECT_EQ(drain(k), 56 * k.samples.size());
    EXPECT_EQ(k.drained, records_of(k));
    EXPECT_EQ(k.load(kTail), 56 * k.samples.size());
    EXPECT_EQ(drain(k), 0u);
}

TEST(RiscvPmuRing, NoneIsNoLoss)
{
    Kernel k;

    k.start(raw(kOne, 100));
    k.serve(1000);
    ASSERT_EQ(k.samples.size(), 9u);
    EXPECT_FALSE(k.samples[8].lost);
    EXPECT_EQ(k.figures().lost, 0u);
    EXPECT_EQ(k.figures().ring_bytes, 0u);
    const cs_cycle before = k.now();
    EXPECT_EQ(drain(k), 0u);
    EXPECT_EQ(k.now(), before) << "there is no header to look at";
}

TEST(RiscvPmuRing, GoesRoundAndRound)
{
    for (uint64_t bytes : {128u, 256u, 8192u}) {
        Kernel k(with_ring(machine(), bytes));

        k.start(raw(kOne, 100));
        for (unsigned i = 0; i < 300; i++) {
            k.serve(101);
            drain(k);
        }
        EXPECT_EQ(k.drained, records_of(k)) << bytes;
        EXPECT_EQ(k.drained.size(), 56 * k.samples.size());
        EXPECT_EQ(k.load(kHead), k.drained.size());
        EXPECT_EQ(k.load(kTail), k.drained.size());
        EXPECT_EQ(k.figures().lost, 0u);
    }
}

// A record fits when it leaves a byte free.
TEST(RiscvPmuRing, WhatDoesNotFitIsLost)
{
    Kernel k(with_ring(machine(), 256)); // four samples
    const auto samples = [&](unsigned n) { k.serve(n * 100); };

    k.start(raw(kOne, 100));
    k.serve(10);
    samples(4);
    EXPECT_EQ(k.samples.size(), 4u);
    EXPECT_FALSE(k.samples[3].lost);
    samples(3);
    EXPECT_EQ(k.samples.size(), 7u);
    EXPECT_TRUE(k.samples[4].lost && k.samples[5].lost && k.samples[6].lost);
    EXPECT_EQ(k.figures().lost, 3u);
    EXPECT_EQ(k.figures().samples, 7u);
    EXPECT_EQ(k.load(kHead), 224u);

    // Room for one record only: the LOST record would not fit beside it.
    k.store(kTail, 56);
    samples(1);
    EXPECT_TRUE(k.samples[7].lost);
    k.store(kTail, 0);
    EXPECT_EQ(drain(k), 224u);
    samples(1);
    EXPECT_FALSE(k.samples[8].lost);
    EXPECT_EQ(k.losses, std::vector<uint64_t>{4});
    EXPECT_EQ(k.load(kHead), 224 + 112u);
    k.drained.clear();
    drain(k);
    Octets expected = ring_lost(7, 4, {k.samples[8].pid, k.samples[8].tid, 0, 3});
    std::copy(k.drained.begin() + 32, k.drained.begin() + 40, expected.begin() + 32);
    EXPECT_GE(k.drained[32] | k.drained[33] << 8 | k.drained[34] << 16, 5000000);
    EXPECT_EQ(k.drained, joined({expected, record_of(k.samples[8])}));
    samples(1);
    EXPECT_EQ(k.load(kHead), 224 + 168u) << "told once";
    EXPECT_EQ(k.figures().lost, 4u);
    EXPECT_EQ(k.figures().ring_bytes, 224 + 168u);
}

TEST(RiscvPmuRing, ExactlyFullIsTooFull)
{
    Machine m = with_ring(machine(), 64);
    m.driver.max_samples_per_tick = 1;
    Kernel k(m);

    k.start(raw(kOne, 100));
    k.serve(110);
    EXPECT_EQ(drain(k), 56u);
    k.serve(100); // THROTTLE has 64 bytes: never room; then its sample, with LOST
    EXPECT_EQ(k.figures().lost, 2u);
    EXPECT_TRUE(k.samples[1].lost);
}

TEST(RiscvPmuRing, ThrottleAndUnthrottle)
{
    Machine m = with_ring(machine(), 8192);
    m.driver.max_samples_per_tick = 1;
    Kernel k(m);

    k.start(raw(kOne, 100));
    k.serve(1000);
    k.tick();
    ASSERT_EQ(k.samples.size(), 2u);
    drain(k);
    ASSERT_EQ(k.drained.size(), 2 * 56u + 2 * 64u);
    const auto part = [&](size_t at, size_t n) {
        const auto begin = k.drained.begin() + static_cast<long>(at);
        return Octets(begin, begin + static_cast<long>(n));
    };
    const auto time_at = [&](size_t at) {
        uint64_t time = 0;
        for (size_t i = 8; i-- > 0;)
            time = time << 8 | k.drained[at + i];
        return time;
    };
    const Sample &s = k.samples[1];
    EXPECT_EQ(part(0, 56), record_of(k.samples[0]));
    EXPECT_EQ(part(56, 64), ring_throttle(5, 7, {s.pid, s.tid, time_at(64), 3}));
    EXPECT_EQ(part(120, 56), record_of(s)) << "after THROTTLE";
    EXPECT_EQ(part(176, 64), ring_throttle(6, 7, {s.pid, s.tid, time_at(184), 3}));
    EXPECT_LE(time_at(64), s.time);
    EXPECT_GT(time_at(184), s.time);
}

TEST(RiscvPmuRing, PiecesOfALargeOne)
{
    Kernel k(with_ring(machine(), 65536));

    k.start(raw(kOne, 100));
    for (unsigned i = 0; i < 5; i++) {
        k.serve(25000);
        drain(k);
    }
    EXPECT_GT(k.drained.size(), 65536u);
    EXPECT_EQ(k.drained, records_of(k));
}

TEST(RiscvPmuRing, MemoryThatFails)
{
    Kernel k(with_ring(machine(), 8192));

    k.start(raw(kOne, 100));
    k.serve(250);
    k.fault(kHead);
    EXPECT_EQ(drain(k), 0u) << "what cannot be loaded is not believed";
    EXPECT_EQ(k.figures().bus_errors, 1u);
    k.fault(kMemory, 0);
    EXPECT_EQ(drain(k), 112u);
    k.fault(kTail);
    k.serve(100);
    EXPECT_EQ(k.figures().bus_errors, 2u);
    EXPECT_FALSE(k.samples.back().lost) << "it reads 0, and that is room enough";
    k.fault(kMemory, 0);
    EXPECT_EQ(drain(k), 56u);
    k.serve(100);
    k.drained.clear();
    k.fault(kRing + 4096, 4096);
    EXPECT_EQ(drain(k), 56u);
    EXPECT_EQ(k.drained, Octets(56)) << "what cannot be loaded reads as 0";
    k.fault(kMemory, 0);
    k.store(kHead, kOnes);
    EXPECT_EQ(drain(k), 0u) << "nor what cannot be";
}
