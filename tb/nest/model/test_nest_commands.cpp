// SPDX-License-Identifier: Apache-2.0
// The control block: what the host writes and what the engine makes of it.
#include "steady.hpp"

namespace
{

constexpr uint32_t status_at = block, units_at = block + 0x18, mode_state_at = block + 0x28;

using Places = std::vector<uint64_t>;

Places clean_and(const Places &others)
{
    Places result;
    for (unsigned burst = 0; burst < 15; burst++)
        result.push_back(128 * burst);
    result.insert(result.end(), others.begin(), others.end());
    return result;
}

// RUN has been reached, and the first visit is over.
struct Running : Steady {
    Running()
    {
        ticks(first_visit);
        EXPECT_EQ(RUN, status());
        EXPECT_EQ(default_units, world.control(units_word));
    }
};

constexpr unsigned next_tick = first_visit + 1;

TEST(NestCommands, PauseAndResume)
{
    Running b;

    b.before(next_tick, command_word, 2);
    b.ticks(next_tick + 1);
    EXPECT_EQ((std::vector<Transfer>{
                  Steady::write(Steady::decide(next_tick) + 2, b.world.base + block, {PAUSE, 0})}),
              b.work(next_tick));
    EXPECT_TRUE(b.work(next_tick + 1).empty());
    EXPECT_EQ(0u, b.world.control(command_word));
    EXPECT_EQ(state(Steady::decide(next_tick) + 1, PAUSE), b.records.back());

    // The ring has gone on, and the tick that resumes visits.
    b.before(next_tick + 2, command_word, 1);
    b.ticks(next_tick + 3);
    EXPECT_EQ(Steady::write(Steady::decide(next_tick + 2) + 2, b.world.base + block, {RUN, 0}),
              b.work(next_tick + 2).front());
    EXPECT_EQ((std::vector<unsigned>{3, 7}), b.groups(next_tick + 2));
    EXPECT_EQ((std::vector<unsigned>{1, 2}), b.groups(next_tick + 3));
}

TEST(NestCommands, Clear)
{
    Running b;

    b.before(next_tick, command_word, 3);
    b.ticks(next_tick + 4);
    // INIT at once, RUN by the fourth phase, of which this tick was the first.
    EXPECT_EQ(clean_and({status_at}), b.places(next_tick));
    EXPECT_EQ(INIT, b.work(next_tick).back().data[0]);
    EXPECT_EQ(0u, b.world.control(command_word));
    EXPECT_TRUE(b.work(next_tick + 1).empty());
    EXPECT_TRUE(b.work(next_tick + 2).empty());
    EXPECT_EQ(Places{status_at}, b.places(next_tick + 3));
    EXPECT_EQ((std::vector<unsigned>{1, 2}), b.groups(next_tick + 4)); // ring 5 again

    std::vector<cs_probe_record> states = b.records_of(CS_PROBE_STATE);
    states.erase(states.begin());
    EXPECT_EQ((std::vector<cs_probe_record>{state(Steady::decide(next_tick) + 1, INIT),
                                            state(Steady::decide(next_tick + 3) + 1, RUN)}),
              states);
}

TEST(NestCommands, ClearEndsAPause)
{
    Running b;

    b.before(next_tick, command_word, 2);
    b.before(next_tick + 1, command_word, 3);
    b.ticks(next_tick + 4);
    EXPECT_EQ(INIT, b.work(next_tick + 1).back().data[0]);
    EXPECT_EQ(RUN, b.status());
}

// They do nothing, and are answered: a visit in the same tick comes after the answer.
TEST(NestCommands, Others)
{
    for (uint64_t command : {uint64_t{1}, uint64_t{4}, uint64_t{1} << 32, (uint64_t{1} << 32) + 2,
                             uint64_t{3} << 56, ~uint64_t{0}}) {
        Running b;
        b.before(next_tick, command_word, command);
        b.ticks(next_tick);
        const std::vector<Transfer> work = b.work(next_tick);
        ASSERT_GT(work.size(), 2u);
        EXPECT_EQ(Steady::write(Steady::decide(next_tick) + 2, b.world.base + block, {RUN, 0}),
                  work[0]);
        // STATUS ends in c, SCAN is c + 1: 17 rows of groups 1 and 2, the header of group 3,
        // its COLLECT, POST, and the request.
        EXPECT_EQ(work[0].complete + 1 + 17 + 1 + 1 + 1, work[1].request);
        EXPECT_EQ((std::vector<unsigned>{3, 6}), b.groups(next_tick));
        EXPECT_EQ(0u, b.world.control(command_word));
    }
}

// A pause during the configuration: the phases stand still, and go on in their states of the ring.
TEST(NestCommands, PauseInInit)
{
    Steady b;

    b.before(2, command_word, 2); // phase 1 is over
    b.before(6, command_word, 1);
    b.ticks(13);
    std::vector<cs_probe_record> expected = {state(Steady::decide(2) + 1, PAUSE),
                                             state(Steady::decide(6) + 1, INIT),
                                             state(Steady::decide(8 + 4) + 1, RUN)};
    EXPECT_EQ(expected, b.records_of(CS_PROBE_STATE));
    EXPECT_EQ(std::vector<unsigned>{1}, b.groups(13));
}

// PAUSE that is there in the first tick.
TEST(NestCommands, PauseFirst)
{
    Steady b;

    b.world.control(command_word) = 2;
    b.ticks(3);
    EXPECT_EQ((std::vector<uint64_t>{PAUSE, 0}), b.work(1).back().data);
    EXPECT_TRUE(b.work(2).empty());
    EXPECT_EQ(PAUSE, b.status());
}

struct IllegalCase {
    Word word;
    uint64_t value;
    StatusValue status;
};

// An illegal word stops it until it is legal again; then it begins anew.
TEST(NestCommands, IllegalWords)
{
    const IllegalCase cases[] = {{speed_word, 12, ERR1},
                                 {speed_word, ~uint64_t{0}, ERR1},
                                 {speed_word, uint64_t{1} << 32, ERR1},
                                 {mode_word, 2, ERR2},
                                 {mode_word, uint64_t{1} << 63, ERR2}};
    for (const IllegalCase &c : cases) {
        const bool is_speed = c.word == speed_word;
        Running b;

        b.before(next_tick, c.word, c.value);
        b.ticks(next_tick + 2);
        EXPECT_EQ(c.status, b.status());
        EXPECT_EQ(is_speed ? clean_and({status_at}) : (Places{mode_state_at, status_at}),
                  b.places(next_tick));
        EXPECT_EQ((std::vector<uint64_t>{c.status, 0}), b.work(next_tick).back().data);
        if (!is_speed) {
            EXPECT_EQ(c.value, b.world.control(mode_state_word));
        }
        EXPECT_TRUE(b.work(next_tick + 1).empty());

        b.before(next_tick + 3, c.word, 0);
        b.ticks(next_tick + 7);
        EXPECT_EQ(INIT, b.work(next_tick + 3).back().data[0]);
        EXPECT_EQ(RUN, b.work(next_tick + 6).back().data[0]);
        EXPECT_EQ((std::vector<unsigned>{1, 2}), b.groups(next_tick + 7)); // the alinks went before
    }
}

// Which status holds when several could.
TEST(NestCommands, Precedence)
{
    Running b;

    b.before(next_tick, command_word, 2);
    b.before(next_tick + 1, mode_word, 5);
    b.before(next_tick + 2, speed_word, 99);
    b.before(next_tick + 3, mode_word, 0);
    b.before(next_tick + 4, speed_word, 11);
    b.ticks(next_tick + 5);
    const uint64_t expected[] = {RUN, PAUSE, ERR2, ERR1, PAUSE};
    const std::vector<cs_probe_record> states = b.records_of(CS_PROBE_STATE);
    ASSERT_EQ(std::size(expected), states.size());
    for (size_t i = 0; i < states.size(); i++)
        EXPECT_EQ(expected[i], states[i].value) << i;
}

// Legal limits.
TEST(NestCommands, LegalLimits)
{
    Steady b;

    b.world.control(speed_word) = 11;
    b.world.control(mode_word) = 1;
    b.ticks(4);
    EXPECT_EQ(RUN, b.status());
}

TEST(NestCommands, SpeedChanges)
{
    Running b;

    b.before(next_tick, speed_word, 1);
    b.ticks(next_tick);
    EXPECT_EQ(clean_and({status_at}), b.places(next_tick));
    EXPECT_EQ(INIT, b.status());
}

TEST(NestCommands, ModeChanges)
{
    Running b;

    b.before(next_tick, mode_word, 1);
    b.ticks(next_tick);
    EXPECT_EQ((Places{mode_state_at, status_at}), b.places(next_tick));
    EXPECT_EQ(1u, b.world.control(mode_state_word));
    EXPECT_EQ(INIT, b.status());
}

// A vector that changes begins anew, without zeros; 0 is the default and no change if it was that.
TEST(NestCommands, VectorChanges)
{
    Running b;

    b.before(next_tick, units_word, 0x8000000000000000);
    b.ticks(next_tick);
    EXPECT_EQ(Places{status_at}, b.places(next_tick));
    EXPECT_EQ(INIT, b.status());

    Running c;
    c.before(next_tick, units_word, 0);
    c.ticks(next_tick);
    EXPECT_EQ(RUN, c.status());
    EXPECT_EQ(units_at, c.places(next_tick)[0]);
    EXPECT_EQ(default_units, c.world.control(units_word));
    EXPECT_EQ((std::vector<unsigned>{3, 6}), c.groups(next_tick)); // and it visits

    Running d;
    d.before(next_tick, units_word, 1);
    d.before(next_tick + 1, units_word, 0);
    d.ticks(next_tick + 1);
    EXPECT_EQ((Places{units_at}), d.places(next_tick + 1)); // INIT as before
}

// All at once, in the order of the states.
TEST(NestCommands, Everything)
{
    Running b;

    b.before(next_tick, command_word, 3);
    b.before(next_tick, speed_word, 4);
    b.before(next_tick, units_word, 0);
    b.before(next_tick, mode_word, 1);
    b.ticks(next_tick);
    EXPECT_EQ(clean_and({units_at, mode_state_at, status_at}), b.places(next_tick));
}

// What the host writes after LOOK waits for the next tick, but for a command, which is lost.
TEST(NestCommands, AfterTheLook)
{
    Running b;

    b.before(next_tick, command_word, 4);
    b.host(Steady::decide(next_tick), command_word, 2);
    b.host(Steady::decide(next_tick), speed_word, 5);
    b.ticks(next_tick);
    EXPECT_EQ(0u, b.world.control(command_word));
    EXPECT_EQ(RUN, b.status());
    b.ticks(next_tick + 1);
    EXPECT_EQ(INIT, b.status());
}

// An error on any write changes nothing of what follows.
TEST(NestCommands, ErrorsOnWrites)
{
    Steady good, bad;

    bad.world.error = [](unsigned n) -> uint8_t {
        return n > 0 && n < 21 ? CS_BUS_DECERR : CS_BUS_OKAY;
    };
    // The vector stays zero in memory, so that it is written again by the next tick.
    good.ticks(1);
    bad.ticks(1);
    ASSERT_EQ(good.world.log.size(), bad.world.log.size());
    for (size_t i = 0; i < good.world.log.size(); i++) {
        EXPECT_EQ(good.world.log[i].request, bad.world.log[i].request);
        EXPECT_EQ(good.world.log[i].addr, bad.world.log[i].addr);
    }
    EXPECT_EQ(0u, bad.world.control(units_word));
    bad.world.error = nullptr;
    bad.ticks(first_visit);
    EXPECT_EQ(Places{units_at}, bad.places(2));
    EXPECT_EQ(0u, bad.world.word(version_offset)); // not again
    EXPECT_EQ(std::vector<unsigned>{1}, bad.groups(first_visit));
}

// The status that was written last is known by what was sent, not by what arrived.
TEST(NestCommands, LostStatusIsNotRepeated)
{
    Steady b;

    b.ticks(3);
    const size_t before = b.world.log.size();
    b.world.error = [before](unsigned n) -> uint8_t {
        return n == before + 1 ? CS_BUS_SLVERR : CS_BUS_OKAY;
    };
    b.ticks(first_visit);
    EXPECT_EQ(Places{status_at}, b.places(4));
    EXPECT_EQ(INIT, b.world.control(status_word));
    EXPECT_EQ(0u, b.places(first_visit)[0]); // the header of group 1
}

} // namespace
