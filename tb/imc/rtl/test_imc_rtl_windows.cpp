// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md, "Windows" and "Filter".
#include "imc_bench.hpp"

using namespace imc;

namespace
{

// Only CPMC1 and CPMC2 of one slot's code count: a post tells whose it was.
struct Post {
    uint64_t addr;
    std::array<uint64_t, 4> values;
};

std::vector<Post> posts(const Core &core)
{
    std::vector<Post> list;
    for (const Burst &b : core.memory.bursts) {
        if (b.addr & add_bit)
            list.push_back({b.addr & ~add_bit, {b.words[0], b.words[1], b.words[2], b.words[3]}});
    }
    return list;
}

TEST(Windows, TheFirstBeginsAfterABoundaryAndIsWhole)
{
    Straps s;
    s.tap_log2 = 5; // 32 ticks
    Core core(s);
    core.count({1, 2, 3, 15});
    core.write(EVENT_MASK, count_all);
    core.run_to(9);
    core.write(HTM_MODE, mode_on);
    for (; core.cycle <= 32; core.step())
        EXPECT_EQ(core.state(), SYNC) << core.cycle;
    EXPECT_EQ(core.cycle, 33u);
    EXPECT_EQ(core.state(), RUN);
    core.run_to(64);
    EXPECT_TRUE(core.memory.bursts.empty());
    core.run_to(65); // 64 was the boundary
    core.step(1);
    EXPECT_TRUE(core.dut.awvalid_o);
    core.settle();
    ASSERT_EQ(posts(core).size(), 1u);
    EXPECT_EQ(posts(core)[0].addr, 0x18u);
    EXPECT_EQ(posts(core)[0].values, (std::array<uint64_t, 4>{32, 64, 96, 480}));
    EXPECT_EQ(core.memory.bursts[0].asked, 66u);
}

TEST(Windows, LengthByTap)
{
    const unsigned steps[] = {0, 1, 3, 5, 7, 9, 11, 13};
    for (unsigned log2 : {2u, 7u, 18u}) {
        for (unsigned n = 0; n < 8; n++) {
            Straps s;
            s.tap_log2 = log2;
            const uint64_t length = 1ull << (log2 + steps[n]);
            // One tick in each cycle that is looked at: below, at, and where fewer bits are zero.
            const uint64_t no[] = {length - 1,     length + 1,          length / 2,
                                   3 * length / 2, length + length / 2, 5 * length + length / 2,
                                   7 * length - 1};
            Core core(s);
            core.tb_runs = false;
            core.write(EVENT_MASK, tap(n));
            core.write(HTM_MODE, mode_on);
            core.in.tick = true;
            for (uint64_t tb : no) {
                core.in.tb = tb;
                core.step(2);
                EXPECT_EQ(core.state(), SYNC) << log2 << " " << n << " " << tb;
            }
            core.in.tick = false; // it has to tick, too
            core.in.tb = length;
            core.step(2);
            EXPECT_EQ(core.state(), SYNC);
            core.in.tick = true;
            core.in.tb = 3 * length;
            core.step();
            EXPECT_EQ(core.state(), RUN) << log2 << " " << n;
        }
    }
}

TEST(Windows, ThreadsCountUpFirstThenSlots)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        Straps s;
        s.threads = threads;
        s.tap_log2 = 4;
        Core core(s);
        core.tell = [](unsigned t, const unsigned *codes) {
            return Told{0, {codes[0] % 16, codes[1] / 16, t, 1}, 0, 0, 0};
        };
        core.write(EVENT_MASK, count_all);
        core.write(HTM_MODE, mode_on);
        const unsigned windows = 128 * threads + 2;
        core.run_to(16 * (windows + 1) + 1);
        core.settle();
        auto list = posts(core);
        ASSERT_EQ(list.size(), windows);
        for (unsigned i = 0; i < windows; i++) {
            unsigned slot = i / threads % 128, thread = i % threads;
            EXPECT_EQ(list[i].addr, 64u * slot + 0x18) << i;
            EXPECT_EQ(list[i].values, (std::array<uint64_t, 4>{16 * (slot % 16), 16 * (slot / 16),
                                                               16 * thread, 16}))
                << i;
        }
    }
}

TEST(Windows, DisableWrapEndsAfterARound)
{
    Straps s;
    s.threads = 2;
    s.tap_log2 = 4;
    Core core(s);
    core.count({1, 1, 1, 1});
    core.write(EVENT_MASK, count_all | disable_wrap);
    core.write(HTM_MODE, mode_on);
    core.run_to(16 * 257);
    EXPECT_EQ(core.state(), RUN);
    core.step();
    EXPECT_EQ(core.state(), DONE);
    core.step(64);
    EXPECT_EQ(core.status(5, 11), 3u);
    EXPECT_EQ(posts(core).size(), 256u);
    EXPECT_EQ(posts(core).back().addr, 64u * 127 + 0x18);
    EXPECT_EQ(posts(core).back().values[0], 16u);

    core.write(EVENT_MASK, count_all); // does not begin again by itself
    core.step(64);
    EXPECT_EQ(core.state(), DONE);
    EXPECT_EQ(core.dut.active_o, 0u);
    core.write(EVENT_MASK, count_all | freeze); // FROZEN, whatever is underneath
    EXPECT_EQ(core.state(), FROZEN);
    core.write(EVENT_MASK, count_all);
    EXPECT_EQ(core.state(), DONE);
    core.write(HTM_MODE, 0);
    core.write(HTM_MODE, mode_on);
    EXPECT_EQ(core.state(), SYNC);
    core.step(40);
    EXPECT_EQ(core.state(), RUN);
    EXPECT_EQ(posts(core).back().addr, 0x18u); // from the first slot
}

TEST(Windows, OneEventOnPower10)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        for (unsigned vtid = 0; vtid < 4; vtid++) {
            Straps s;
            s.power10 = true;
            s.threads = threads;
            s.tap_log2 = 4;
            Core core(s);
            core.tell = [](unsigned t, const unsigned *codes) {
                return Told{0, {codes[0] % 16, codes[1] / 16, t, 1}, 0, 0, 0};
            };
            core.write(EVENT_MASK, count_all | event(vtid, 29) | disable_wrap);
            core.write(HTM_MODE, mode_on);
            core.run_to(16 * 6);
            ASSERT_EQ(posts(core).size(), 4u);
            const unsigned times = 128 * threads;
            for (const Post &post : posts(core)) {
                EXPECT_EQ(post.addr, 64u * 29 + 0x18);
                EXPECT_EQ(post.values,
                          (std::array<uint64_t, 4>{16 * 13 * times, 16 * times,
                                                   16 * (vtid % threads) * times, 16 * times}));
            }
        }
    }
}

TEST(Windows, Power9HasNoOneEvent)
{
    Straps s;
    s.tap_log2 = 4;
    Core core(s);
    core.count({1, 1, 1, 1});
    core.write(EVENT_MASK, count_all | event(1, 29));
    core.write(HTM_MODE, mode_on);
    core.run_to(16 * 7);
    for (const Post &post : posts(core))
        EXPECT_LE(post.addr, 0x58u);
}

TEST(Windows, FrozenCoresNeitherCountNorMoveOn)
{
    Straps s;
    s.tap_log2 = 4;
    Core core(s);
    core.count({1, 1, 1, 1});
    core.write(EVENT_MASK, count_all);
    core.write(HTM_MODE, mode_on);
    core.run_to(20); // the window began at 17
    core.write(EVENT_MASK, count_all | freeze);
    EXPECT_EQ(core.dut.active_o, 0u);
    core.run_to(40);
    core.write(EVENT_MASK, count_all);
    core.run_to(60);
    ASSERT_EQ(posts(core).size(), 1u);
    EXPECT_EQ(posts(core)[0].values[0], 4u + 8u); // 17..20 and 41..48
}

TEST(Windows, OffForgetsTheWindow)
{
    Straps s;
    s.tap_log2 = 4;
    Core core(s);
    core.count({1, 1, 1, 1});
    core.write(EVENT_MASK, count_all);
    core.write(HTM_MODE, mode_on);
    core.run_to(16 * 6 + 5);
    core.settle();
    auto before = posts(core).size();
    EXPECT_EQ(posts(core).back().addr, 0x58u); // slot 1
    core.write(HTM_MODE, 0);
    core.write(HTM_MODE, mode_on);
    core.run_to(16 * 9 - 2);
    ASSERT_EQ(posts(core).size(), before + 1);
    EXPECT_EQ(posts(core).back().addr, 0x18u);
    EXPECT_EQ(posts(core).back().values[0], 16u);
}

TEST(Filter, LettersOfTheSetsOfTheQuadrant)
{
    // All ten bits of each set alone, in each mode, in each quadrant.
    const bool passes[10][4] = {{false, false, false, false}, {false, false, false, false},
                                {false, false, true, false},  {true, false, true, false},
                                {false, true, false, true},   {false, false, false, true},
                                {false, false, false, false}, {false, false, false, false},
                                {false, false, false, false}, {false, false, false, false}};
    for (unsigned which = 0; which < 30; which++) {
        for (unsigned mode = 0; mode < 4; mode++) {
            Straps s;
            s.threads = 1;
            s.tap_log2 = 4;
            Core core(s);
            core.count({1, 2, 3, 4}, mode);
            core.write(EVENT_MASK, bit(which));
            core.write(HTM_MODE, mode_on);
            core.run_to(16 * 130);
            ASSERT_EQ(posts(core).size(), 128u);
            for (unsigned slot = 0; slot < 128; slot += 31) {
                bool own = slot < 64 || slot / 32 - 1 == which / 10;
                uint64_t on = own && passes[which % 10][mode] ? 16 : 0;
                EXPECT_EQ(posts(core)[slot].values,
                          (std::array<uint64_t, 4>{on, 2 * on, 3 * on, 4 * on}))
                    << which << " " << mode << " " << slot;
            }
        }
    }
}

TEST(Filter, LooksAtTheModeOfEachCycle)
{
    Straps s;
    s.threads = 1;
    s.tap_log2 = 4;
    Core core(s);
    core.tell = [&](unsigned, const unsigned *) {
        return Told{core.cycle % 4 == 0 ? 2u : 1u, {1, 1, 1, 1}, 0, 0, 0};
    };
    core.write(EVENT_MASK, letter(0, ECH));
    core.write(HTM_MODE, mode_on);
    core.run_to(16 * 3);
    ASSERT_EQ(posts(core).size(), 1u);
    EXPECT_EQ(posts(core)[0].values[3], 4u); // the last of them in the boundary cycle itself
}

} // namespace
