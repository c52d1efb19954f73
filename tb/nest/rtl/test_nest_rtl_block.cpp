// SPDX-License-Identifier: Apache-2.0
// docs/hw/nest.md, "DECIDE": what the control block's words do.
#include "nest_bench.hpp"

namespace
{

// In RUN; at speed 11 the visits after those of the whole ring post nothing.
class NestRtlBlock : public testing::Test
{
  protected:
    Nest nest{1000};

    void SetUp() override
    {
        nest.put(block_speed, 11);
        nest.ticks(4 + 8);
        ASSERT_EQ(nest.dut.status_o, RUN);
        nest.samples.clear();
        nest.fresh_transfers();
    }
    void TearDown() override
    {
        nest.expect_no_complaints();
    }
    std::vector<Written> tick()
    {
        nest.ticks(1);
        return nest.fresh_writes();
    }
    // The command or the status aside.
    static bool cleaned(std::vector<Written> &list)
    {
        if (list.empty() || list[0].offset != 0)
            return false;
        EXPECT_GE(list.size(), 15u);
        list.erase(list.begin(), list.begin() + 15);
        return true;
    }
};

Written status_is(uint64_t status)
{
    return {block, {status, 0}};
}

Written mode_is(uint64_t mode)
{
    return {block_mode_state, {mode}};
}

struct Case {
    const char *name;
    uint64_t offset, word;
    bool clean;
    std::vector<Written> expected;
    unsigned status;
};

TEST_F(NestRtlBlock, OneWordChanges)
{
    const Case cases[] = {
        {"nothing", block_command, NOP, false, {}, RUN},
        {"resume", block_command, RESUME, false, {status_is(RUN)}, RUN},
        {"pause", block_command, HALT, false, {status_is(PAUSE)}, PAUSE},
        {"clear", block_command, CLEAR, true, {status_is(INIT)}, INIT},
        {"no command", block_command, 4, false, {status_is(RUN)}, RUN},
        {"a high bit", block_command, uint64_t{1} << 32 | HALT, false, {status_is(RUN)}, RUN},
        {"the highest bit", block_command, uint64_t{1} << 63, false, {status_is(RUN)}, RUN},
        {"speed", block_speed, 5, true, {status_is(INIT)}, INIT},
        {"speed 0", block_speed, 0, true, {status_is(INIT)}, INIT},
        {"speed too high", block_speed, 12, true, {status_is(ERR1)}, ERR1},
        {"a high bit of speed", block_speed, uint64_t{1} << 40, true, {status_is(ERR1)}, ERR1},
        {"units 0", block_units, 0, false, {{block_units, {default_units}}}, RUN},
        {"units", block_units, 1, false, {status_is(INIT)}, INIT},
        {"debug", block_mode, 1, false, {mode_is(1), status_is(INIT)}, INIT},
        {"no mode", block_mode, 2, false, {mode_is(2), status_is(ERR2)}, ERR2},
        {"a high bit of mode",
         block_mode,
         uint64_t{1} << 63 | 1,
         false,
         {mode_is(uint64_t{1} << 63 | 1), status_is(ERR2)},
         ERR2},
    };
    for (const Case &c : cases) {
        SCOPED_TRACE(c.name);
        Nest again(1000);
        again.put(block_speed, 11);
        again.ticks(4 + 8);
        again.fresh_transfers();
        again.put(c.offset, c.word);
        again.ticks(1);
        std::vector<Written> list = again.fresh_writes();
        EXPECT_EQ(cleaned(list), c.clean);
        EXPECT_EQ(list, c.expected);
        EXPECT_EQ(again.dut.status_o, c.status);
        EXPECT_EQ(again.word(block_command), 0u);
        again.ticks(1); // it is done with
        EXPECT_EQ(again.fresh_writes(), std::vector<Written>{});
    }
}

TEST_F(NestRtlBlock, SpeedComesBeforeModeComesBeforePause)
{
    nest.put(block_speed, 12);
    nest.put(block_mode, 2);
    nest.put(block_command, HALT);
    tick();
    EXPECT_EQ(nest.dut.status_o, ERR1);
    nest.put(block_speed, 11);
    tick();
    EXPECT_EQ(nest.dut.status_o, ERR2);
    nest.put(block_mode, 0);
    EXPECT_EQ(tick(), (std::vector<Written>{mode_is(0), status_is(PAUSE)}));
    nest.put(block_command, RESUME);
    EXPECT_EQ(tick(), (std::vector<Written>{status_is(INIT)}));
}

TEST_F(NestRtlBlock, AnErrorStaysWhileTheWordDoes)
{
    nest.put(block_speed, 12);
    tick();
    for (uint64_t command : {RESUME, HALT}) {
        nest.put(block_command, command);
        EXPECT_EQ(tick(), (std::vector<Written>{status_is(ERR1)}));
    }
    EXPECT_EQ(tick(), (std::vector<Written>{}));
    nest.put(block_command, CLEAR); // takes the pause of before away, too
    std::vector<Written> list = tick();
    EXPECT_TRUE(cleaned(list));
    EXPECT_EQ(list, (std::vector<Written>{status_is(ERR1)}));
    nest.put(block_speed, 1);
    list = tick();
    EXPECT_TRUE(cleaned(list));
    EXPECT_EQ(list, (std::vector<Written>{status_is(INIT)}));
}

// From a change on: INIT for three more ticks, then RUN, and a visit in the next.
TEST_F(NestRtlBlock, AChangeConfiguresAnew)
{
    nest.put(block_speed, 0);
    for (int i = 0; i < 3; i++) {
        tick();
        EXPECT_EQ(nest.dut.status_o, INIT);
        EXPECT_TRUE(nest.samples.empty());
    }
    EXPECT_EQ(tick(), (std::vector<Written>{status_is(RUN)}));
    EXPECT_TRUE(nest.samples.empty());
    tick();
    EXPECT_TRUE(nest.samples.empty()); // ring 5: the delays are those of speed 11
}

// What is left of it waits for its states of the ring.
TEST_F(NestRtlBlock, NoPhasePassesInAPause)
{
    nest.put(block_command, CLEAR);
    tick(); // ring 1, phase 1
    nest.put(block_command, HALT);
    for (int i = 0; i < 5; i++) { // ring 2 to 6
        tick();
        EXPECT_EQ(nest.dut.status_o, PAUSE);
    }
    nest.put(block_command, RESUME);
    for (int ring = 7; ring < 8 + 4; ring++) {
        tick();
        EXPECT_EQ(nest.dut.status_o, INIT) << ring;
    }
    tick(); // ring 4, phase 4
    EXPECT_EQ(nest.dut.status_o, RUN);
}

TEST_F(NestRtlBlock, APauseInRunGoesOnWhereItWas)
{
    nest.put(block_command, HALT);
    tick();
    nest.put(block_command, RESUME);
    EXPECT_EQ(tick(), (std::vector<Written>{status_is(RUN)}));
}

TEST_F(NestRtlBlock, AChangeInAPauseIsSeenThere)
{
    nest.put(block_command, HALT);
    tick();
    nest.put(block_speed, 2);
    std::vector<Written> list = tick();
    EXPECT_TRUE(cleaned(list));
    EXPECT_EQ(list, std::vector<Written>{}); // the status is the one that was written
    nest.put(block_command, RESUME);
    EXPECT_EQ(tick(), (std::vector<Written>{status_is(INIT)}));
}

// The visit of a tick needs RUN after its command, and the ring goes on in a pause.
TEST(NestRtlCommands, VisitInTheTickOfAResume)
{
    Nest nest(1000);
    nest.ticks(5);
    ASSERT_EQ(nest.samples.size(), 1u); // ring 5
    nest.put(block_command, HALT);
    nest.ticks(2); // ring 6, 7
    EXPECT_EQ(nest.samples.size(), 1u);
    nest.put(block_command, RESUME);
    nest.ticks(1); // ring 8
    ASSERT_EQ(nest.samples.size(), 3u);
    EXPECT_EQ(nest.samples[1].group, 3u);
    EXPECT_EQ(nest.samples[2].group, 7u);
}

TEST_F(NestRtlBlock, UnitsThatAreTheDefaultAreNoChange)
{
    nest.put(block_units, 0);
    EXPECT_EQ(tick(), (std::vector<Written>{{block_units, {default_units}}}));
    EXPECT_EQ(nest.word(block_units), default_units);
    EXPECT_EQ(nest.dut.status_o, RUN);
    nest.put(block_units, 7);
    EXPECT_EQ(tick(), (std::vector<Written>{status_is(INIT)}));
    nest.put(block_units, 0); // the default is a change now, though the status stays
    EXPECT_EQ(tick(), (std::vector<Written>{{block_units, {default_units}}}));
    nest.ticks(2);
    EXPECT_EQ(nest.dut.status_o, INIT);
    nest.ticks(1);
    EXPECT_EQ(nest.dut.status_o, RUN);
}

TEST(NestRtlFirstTick, TakesWhatTheBlockHas)
{
    struct {
        uint64_t command, speed, units, mode;
        unsigned status;
    } cases[] = {
        {NOP, 0, default_units, 0, INIT},
        {HALT, 0, default_units, 0, PAUSE},
        {NOP, 12, 5, 1, ERR1},
        {NOP, 11, 5, 7, ERR2},
        {CLEAR, 3, 5, 1, INIT},
        {9, 3, 5, 0, INIT},
    };
    for (const auto &c : cases) {
        Nest nest(1000);
        nest.put(block_command, c.command);
        nest.put(block_speed, c.speed);
        nest.put(block_units, c.units);
        nest.put(block_mode, c.mode);
        nest.ticks(1);
        std::vector<Written> list = nest.fresh_writes();
        ASSERT_EQ(list.size(), 15u + 3);
        list.erase(list.begin(), list.begin() + 15);
        EXPECT_EQ(list,
                  (std::vector<Written>{
                      {version_place, {version_word}}, mode_is(c.mode), status_is(c.status)}));
        EXPECT_EQ(nest.dut.status_o, c.status);
    }
}

} // namespace
