// SPDX-License-Identifier: Apache-2.0
// docs/hw/nest.md, "Ticks", "A tick": what happens when.
#include "oracle.hpp"

namespace
{

// The transfer after `before` whose state follows at once: complete in c, state in c + 1, request
// in c + 2; `states` more of one cycle each may lie between.
void expect_follows(const Transfer &before, const Transfer &after, unsigned states)
{
    EXPECT_EQ(after.asked, before.complete + 2 + states);
}

TEST(NestRtlTicks, TheFirstIsAfterPCycles)
{
    for (uint32_t p : {16u, 17u, 100u, 1000u}) {
        Nest nest(p);
        nest.run_to(p + 50);
        ASSERT_FALSE(nest.memory.transfers.empty());
        // comes in P, in the register in P + 1, LOOK in P + 2, request in P + 3
        EXPECT_EQ(nest.memory.transfers[0].asked, p + 3);
    }
}

TEST(NestRtlTicks, OneEveryPCycles)
{
    Nest nest(150);
    nest.put(block_speed, 12); // an error: no visits
    nest.run_to(150 * 6);      // the first cleans, which takes longer than a tick
    nest.fresh_transfers();
    nest.run_to(150 * 11 + 60);
    uint64_t expected = 150 * 6 + 3;
    for (const Transfer &t : nest.fresh_transfers()) {
        EXPECT_EQ(t.asked, expected);
        expected += 150;
    }
    EXPECT_EQ(expected, 150u * 12 + 3);
}

TEST(NestRtlTicks, TheFirstDoesAllOfIt)
{
    Nest nest(1000);
    nest.put(block_speed, 3);
    nest.ticks(1);
    std::vector<Transfer> all = nest.fresh_transfers();
    ASSERT_EQ(all.size(), 1u + 15 + 4);
    EXPECT_FALSE(all[0].write);
    EXPECT_EQ(all[0].addr, nest.base + 0x3FC00);
    EXPECT_EQ(all[0].beats, 6u);
    expect_follows(all[0], all[1], 1); // DECIDE
    for (unsigned i = 0; i < 15; i++) {
        EXPECT_EQ(all[1 + i].addr, nest.base + 128 * i);
        EXPECT_EQ(all[1 + i].words, std::vector<uint64_t>(i < 14 ? 16 : 14, 0));
        expect_follows(all[1 + i], all[2 + i], 0);
    }
    const Written rest[] = {{0x2FC00, {0x0100151120260000}},
                            {0x3FC18, {0xFFFF8073F007E000}},
                            {0x3FC28, {0}},
                            {0x3FC00, {0, 0}}};
    for (unsigned i = 0; i < 4; i++) {
        EXPECT_TRUE(all[16 + i].write);
        EXPECT_EQ((Written{all[16 + i].addr - nest.base, all[16 + i].words}), rest[i]);
        expect_follows(all[15 + i], all[16 + i], 0);
    }
    nest.expect_no_complaints();
}

TEST(NestRtlTicks, FourOfThemConfigure)
{
    Nest nest(1000);
    nest.put(block_speed, 11);
    nest.ticks(3);
    nest.fresh_transfers();
    EXPECT_TRUE(nest.changes.empty());
    nest.ticks(1);
    std::vector<Transfer> all = nest.fresh_transfers();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[1].addr, nest.base + block);
    EXPECT_EQ(all[1].words, (std::vector<uint64_t>{RUN, 0}));
    // DECIDE in c + 1, the registers say so in c + 2
    EXPECT_EQ(nest.changes, (std::vector<Change>{{RUN, all[0].complete + 2}}));
}

TEST(NestRtlTicks, NothingToDoIsOneRead)
{
    Nest nest(1000);
    nest.put(block_speed, 11);
    nest.ticks(1);
    for (int i = 0; i < 2; i++) { // phases
        nest.fresh_transfers();
        nest.ticks(1);
        EXPECT_EQ(nest.fresh_transfers().size(), 1u);
    }
    nest.ticks(1 + 8); // and the first visits
    nest.fresh_transfers();
    nest.ticks(1); // a visit without a posting
    EXPECT_EQ(nest.fresh_transfers().size(), 1u);
}

// A transfer that lasts: ticks are counted, but no more than 255.
TEST(NestRtlTicks, WaitWhileTheEngineIsAtWork)
{
    struct Case {
        unsigned come, lost; // while the engine is at work
    };
    for (Case c : {Case{3, 0}, Case{254, 0}, Case{255, 0}, Case{256, 1}, Case{300, 45}}) {
        SCOPED_TRACE(c.come);
        Nest nest(16);
        nest.memory.response = [](const Transfer &, unsigned) { return 2u; }; // ticks of a LOOK
        unsigned until = 16 * (1 + c.come);
        nest.memory.delay = [&nest, until] {
            return nest.cycle < 40 ? until - static_cast<unsigned>(nest.cycle) : 0u;
        };
        nest.run_to(until + 4);
        ASSERT_EQ(nest.memory.transfers.size(), 0u);
        nest.run_to(16 * 2000 + 15);
        EXPECT_TRUE(nest.memory.idle());
        EXPECT_EQ(nest.memory.transfers.size(), 2000 - c.lost);
        EXPECT_TRUE(Oracle(nest).replay());
    }
}

// A tick that comes in the cycle in which one is taken.
TEST(NestRtlTicks, ComeAndAreTakenAtOnce)
{
    bool met = false;
    for (unsigned delay = 0; delay < 40; delay++) {
        Nest nest(16);
        nest.memory.response = [](const Transfer &, unsigned) { return 2u; };
        nest.memory.delay = [&nest, delay] { return nest.cycle < 20 ? delay : 0u; };
        nest.run_to(16 * 200 + 15);
        EXPECT_EQ(nest.memory.transfers.size(), 200u);
        for (const Transfer &t : nest.memory.transfers)
            met = met || (t.asked - 2) % 16 == 0;
    }
    EXPECT_TRUE(met) << "the case did not occur";
}

TEST(NestRtlLook, AnErrorEndsTheTick)
{
    for (unsigned beat = 0; beat < 6; beat++)
        for (unsigned resp : {2u, 3u}) {
            SCOPED_TRACE(beat);
            Nest nest(1000);
            nest.memory.response = [&](const Transfer &t, unsigned at) {
                return !t.write && at == beat ? resp : 0u;
            };
            nest.ticks(3);
            EXPECT_EQ(nest.fresh_transfers().size(), 3u); // three LOOKs, nothing else
            nest.memory.response = [](const Transfer &, unsigned) { return 0u; };
            nest.ticks(1);
            EXPECT_EQ(nest.fresh_transfers().size(), 20u); // as if it were the first
        }
}

TEST(NestRtlLook, AnErrorIsForgottenWithTheNextTick)
{
    Nest nest(1000);
    nest.put(block_speed, 11);
    nest.ticks(5);
    nest.put(block_command, HALT);
    nest.memory.response = [](const Transfer &, unsigned) { return 2u; };
    nest.ticks(1);
    EXPECT_EQ(nest.dut.status_o, RUN);
    nest.memory.response = [](const Transfer &, unsigned) { return 0u; };
    nest.ticks(1);
    EXPECT_EQ(nest.dut.status_o, PAUSE);
}

TEST(NestRtlWrites, ErrorsAreNotLookedAt)
{
    std::vector<Transfer> runs[2];
    for (int fails = 0; fails < 2; fails++) {
        Nest nest(3000);
        nest.put(block_units, default_units); // a failed UNITS would be written again
        nest.memory.response = [&](const Transfer &t, unsigned) {
            return t.write && fails ? 2u : 0u;
        };
        nest.ticks(20);
        runs[fails] = nest.fresh_transfers();
        for (const Sample &sample : nest.samples)
            EXPECT_EQ(sample.resp, fails ? 2u : 0u);
        EXPECT_EQ(nest.samples.size(), 2u * 14); // twice around the ring
        nest.expect_no_complaints();
    }
    ASSERT_EQ(runs[0].size(), runs[1].size());
    for (size_t i = 0; i < runs[0].size(); i++) {
        EXPECT_EQ(runs[0][i].addr, runs[1][i].addr);
        EXPECT_EQ(runs[0][i].asked, runs[1][i].asked);
        if (runs[0][i].write) {
            EXPECT_EQ(runs[0][i].words, runs[1][i].words);
        }
    }
}

} // namespace
