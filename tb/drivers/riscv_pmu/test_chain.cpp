// SPDX-License-Identifier: Apache-2.0
// docs/drivers/riscv_driver.md, "Call chains": whose they are, what they cost, and what stands in the ring.
#include <algorithm>

#include "formats/riscv/ring_records.hpp"
#include "kernel.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kKernelMark = UINT64_MAX - 127, kUserMark = UINT64_MAX - 511;

cs_riscv_attr chained(cs_riscv_attr attr)
{
    attr.callchain = true;
    return attr;
}

Machine of_mode(unsigned mode, std::vector<uint64_t> returns, bool guest = false)
{
    Machine m = with_ring(machine(), 8192);

    m.workload = mode;
    m.returns = std::move(returns);
    m.driver.guest = guest;
    return m;
}

// How long the handler of one sample takes.
cs_cycle took(Machine m, unsigned frame_cycles, bool chain)
{
    m.driver.frame_cycles = frame_cycles;
    Kernel k(m);
    k.start(chain ? chained(raw(kOne, 100)) : raw(kOne, 100));
    k.run(100);
    const cs_cycle begin = k.now();
    k.irq();
    EXPECT_EQ(k.samples.size(), 1u);
    return k.now() - begin;
}

} // namespace

TEST(RiscvPmuChain, WhoWasInterruptedAndWhoCalledIt)
{
    const std::vector<uint64_t> returns = {0x20010, 0x30020, 0x30020};
    const auto with = [&](uint64_t mark) {
        return std::vector<uint64_t>{mark, 0x10000, 0x20010, 0x30020, 0x30020};
    };
    const struct {
        unsigned mode;
        bool guest;
        std::vector<uint64_t> words;
    } rows[] = {
        {CS_HPM_MODE_U, false, with(kUserMark)},
        {CS_HPM_MODE_S, false, with(kKernelMark)},
        {CS_HPM_MODE_M, false, with(kKernelMark)},
        // The host knows nothing of a guest's stack; the guest does.
        {CS_HPM_MODE_VU, false, {kKernelMark, kUserMark}},
        {CS_HPM_MODE_VS, false, {kKernelMark, kUserMark}},
        {CS_HPM_MODE_VU, true, with(kUserMark)},
        {CS_HPM_MODE_VS, true, with(kKernelMark)},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.mode);
        Kernel k(of_mode(row.mode, returns, row.guest));
        k.start(chained(raw(kOne, 100)));
        k.run(100);
        k.irq();
        ASSERT_EQ(k.samples.size(), 1u);
        EXPECT_EQ(k.samples[0].words, row.words);
        EXPECT_EQ(k.samples[0].ip, 0x10000u);
    }
}

TEST(RiscvPmuChain, WithoutCallersItIsTheAddressAlone)
{
    Kernel k(of_mode(CS_HPM_MODE_U, {}));

    k.start(chained(raw(kOne, 100)));
    k.run(100);
    k.irq();
    ASSERT_EQ(k.samples.size(), 1u);
    EXPECT_EQ(k.samples[0].words, (std::vector<uint64_t>{kUserMark, 0x10000}));
}

TEST(RiscvPmuChain, OnlyOfEventsThatAskForIt)
{
    Kernel k(of_mode(CS_HPM_MODE_U, {0x20010}));
    cs_riscv_perf_event *with = k.start(chained(raw(kOne, 100))),
                        *without = k.start(raw(kOne, 150));

    k.serve(1000);
    Octets expected;
    size_t chains = 0;
    for (const Sample &s : k.samples) {
        const Who who = {s.pid, s.tid, s.time, s.hart};

        EXPECT_EQ(s.has_chain, s.event == with);
        EXPECT_TRUE(s.event == with || s.event == without);
        chains += s.has_chain;
        expected =
            joined({expected, s.has_chain ? ring_chain(7, s.ip, s.misc, s.period, s.words, who)
                                          : ring_sample(7, s.ip, s.misc, s.period, who)});
    }
    EXPECT_GT(chains, 5u);
    EXPECT_LT(chains, k.samples.size());
    EXPECT_EQ(k.bytes(kRing, 4096 + 8192), ring_image(8192, 0, expected));
    EXPECT_EQ(k.figures().ring_bytes, 56 * k.samples.size() + (8 + 24) * chains);
    cs_riscv_pmu_drain(k.pmu(), k.hart());
    EXPECT_EQ(k.drained, expected);
}

// As many as the kernel keeps: the address and 126 of callers.
TEST(RiscvPmuChain, ADeepStackIsCutOff)
{
    for (size_t depth : {125u, 126u, 127u, 500u}) {
        std::vector<uint64_t> returns;
        for (size_t i = 0; i < depth; i++)
            returns.push_back(0x20000 + 8 * i);
        Kernel k(of_mode(CS_HPM_MODE_U, returns));

        k.start(chained(raw(kOne, 100)));
        k.run(100);
        k.irq();
        ASSERT_EQ(k.samples.size(), 1u);
        const std::vector<uint64_t> &words = k.samples[0].words;
        const size_t callers = std::min<size_t>(depth, 126);
        ASSERT_EQ(words.size(), 2 + callers);
        EXPECT_TRUE(std::equal(words.begin() + 2, words.end(), returns.begin()));
        EXPECT_EQ(k.figures().ring_bytes, 56 + 8 + 8 * words.size());
    }
}

// What does not fit is lost whole; the same sample without its chain would have fitted.
TEST(RiscvPmuChain, ALongRecordNeedsItsRoom)
{
    const std::vector<uint64_t> returns(20, 0x20010); // 64 + 22 x 8 = 240 bytes
    Machine m = with_ring(of_mode(CS_HPM_MODE_U, returns), 256);
    Kernel k(m);

    k.start(chained(raw(kOne, 100)));
    k.serve(250);
    ASSERT_EQ(k.samples.size(), 2u);
    EXPECT_FALSE(k.samples[0].lost);
    EXPECT_TRUE(k.samples[1].lost);
    EXPECT_EQ(k.samples[1].words.size(), 22u);
    EXPECT_EQ(k.figures().ring_bytes, 240u);
}

TEST(RiscvPmuChain, EachAddressCosts)
{
    const Machine none = of_mode(CS_HPM_MODE_U, {}), three = of_mode(CS_HPM_MODE_U, {4, 8, 12}),
                  guest = of_mode(CS_HPM_MODE_VU, {4, 8, 12});

    EXPECT_EQ(took(none, 100, true), took(none, 0, true) + 100);
    EXPECT_EQ(took(three, 100, true), took(three, 0, true) + 400);
    EXPECT_EQ(took(three, 100, false), took(three, 0, false)) << "nobody asked for it";
    EXPECT_EQ(took(guest, 100, true), took(guest, 0, true)) << "nothing to walk";
}

// The time is read before the walk.
TEST(RiscvPmuChain, TheTimeIsThatOfTheSample)
{
    const auto time = [](unsigned frame_cycles) {
        Machine m = of_mode(CS_HPM_MODE_U, {4, 8, 12});

        m.driver.frame_cycles = frame_cycles;
        Kernel k(m);
        k.start(chained(raw(kOne, 100)));
        k.run(100);
        k.irq();
        return k.samples.at(0).time;
    };

    EXPECT_EQ(time(1000), time(0));
}
