// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "The proposal's example": section 6 of the RFC of 2010 (docs/sources.md).
#include "unit_rig.hpp"

using namespace cs_test;

namespace
{

constexpr bool kGlobal = true, kEachItsOwn = false;

EventList example(bool global, unsigned counters)
{
    EventList setup;

    setup.global = global;
    setup.unit(counters).unit(counters).unit(counters);
    setup.plain(0, 3).plain(1, 4).plain(2, 5);
    return setup;
}

struct Step {
    const char *order, *on;
};

void follow(const EventList &setup, const std::vector<Step> &steps)
{
    Rotation rotation(setup);

    for (size_t i = 0; i < steps.size(); i++) {
        SCOPED_TRACE(i);
        if (i > 0)
            rotation.tick();
        EXPECT_EQ(rotation.order(), steps[i].order);
        EXPECT_EQ(rotation.on(), steps[i].on);
    }
}

// The kernel's way round: the first goes to the end.
TEST(RotationExample, TheFirstToTheEnd)
{
    EventList setup = example(kEachItsOwn, 2);

    setup.first_to_end = true;
    follow(setup, {{"A1 A2 A3", "A1:0 A2:1 B1:0 B2:1 C1:0 C2:1"},
                   {"A2 A3 A1", "A2:0 A3:1 B2:0 B3:1 C2:0 C3:1"},
                   {"A3 A1 A2", "A1:1 A3:0 B3:0 B4:1 C3:0 C4:1"}});
}

TEST(RotationExample, OneListOfAll)
{
    follow(example(kGlobal, 2), {{"A1 A2 A3 B1 B2 B3 B4 C1 C2 C3 C4 C5", "A1:0 A2:1"},
                                 {"C5 A1 A2 A3 B1 B2 B3 B4 C1 C2 C3 C4", "A1:0 A2:1 C5:0"},
                                 {"C4 C5 A1 A2 A3 B1 B2 B3 B4 C1 C2 C3", "A1:0 A2:1 C4:0 C5:1"},
                                 {"C3 C4 C5 A1 A2 A3 B1 B2 B3 B4 C1 C2", "C3:0 C4:1"},
                                 {"C2 C3 C4 C5 A1 A2 A3 B1 B2 B3 B4 C1", "C2:0 C3:1"},
                                 {"C1 C2 C3 C4 C5 A1 A2 A3 B1 B2 B3 B4", "C1:0 C2:1"},
                                 {"B4 C1 C2 C3 C4 C5 A1 A2 A3 B1 B2 B3", "B4:0 C1:0 C2:1"},
                                 {"B3 B4 C1 C2 C3 C4 C5 A1 A2 A3 B1 B2", "B3:0 B4:1 C1:0 C2:1"},
                                 {"B2 B3 B4 C1 C2 C3 C4 C5 A1 A2 A3 B1", "B2:0 B3:1"},
                                 {"B1 B2 B3 B4 C1 C2 C3 C4 C5 A1 A2 A3", "B1:0 B2:1"},
                                 {"A3 B1 B2 B3 B4 C1 C2 C3 C4 C5 A1 A2", "A3:0 B1:0 B2:1"},
                                 {"A2 A3 B1 B2 B3 B4 C1 C2 C3 C4 C5 A1", "A2:0 A3:1 B1:0 B2:1"},
                                 {"A1 A2 A3 B1 B2 B3 B4 C1 C2 C3 C4 C5", "A1:0 A2:1"}});
}

// With four counters only C has too many, and yet all three turn.
TEST(RotationExample, OneListFourCounters)
{
    follow(example(kGlobal, 4), {{"A1 A2 A3 B1 B2 B3 B4 C1 C2 C3 C4 C5",
                                  "A1:0 A2:1 A3:2 B1:0 B2:1 B3:2 B4:3 C1:0 C2:1 C3:2 C4:3"},
                                 {"C5 A1 A2 A3 B1 B2 B3 B4 C1 C2 C3 C4",
                                  "A1:0 A2:1 A3:2 B1:0 B2:1 B3:2 B4:3 C1:1 C2:2 C3:3 C5:0"},
                                 {"C4 C5 A1 A2 A3 B1 B2 B3 B4 C1 C2 C3",
                                  "A1:0 A2:1 A3:2 B1:0 B2:1 B3:2 B4:3 C1:2 C2:3 C4:0 C5:1"},
                                 {"C3 C4 C5 A1 A2 A3 B1 B2 B3 B4 C1 C2",
                                  "A1:0 A2:1 A3:2 B1:0 B2:1 B3:2 B4:3 C1:3 C3:0 C4:1 C5:2"}});
}

TEST(RotationExample, AAndBKeepTheirOrderForFiveTurns)
{
    Rotation rotation(example(kGlobal, 2));

    for (unsigned turns = 0; turns <= 6; turns++) {
        const bool kept = rotation.order().find("A1 A2 A3 B1 B2 B3 B4") != std::string::npos;

        EXPECT_EQ(kept, turns <= 5) << turns;
        rotation.tick();
    }
}

TEST(RotationExample, AListAUnit)
{
    Rotation rotation(example(kEachItsOwn, 2));
    const char *expected[][4] = {
        {"A1 A2 A3", "B1 B2 B3 B4", "C1 C2 C3 C4 C5", "A1:0 A2:1 B1:0 B2:1 C1:0 C2:1"},
        {"A3 A1 A2", "B4 B1 B2 B3", "C5 C1 C2 C3 C4", "A1:1 A3:0 B1:1 B4:0 C1:1 C5:0"},
        {"A2 A3 A1", "B3 B4 B1 B2", "C4 C5 C1 C2 C3", "A2:0 A3:1 B3:0 B4:1 C4:0 C5:1"},
        {"A1 A2 A3", "B2 B3 B4 B1", "C3 C4 C5 C1 C2", "A1:0 A2:1 B2:0 B3:1 C3:0 C4:1"}};

    for (const auto &row : expected) {
        for (unsigned unit = 0; unit < 3; unit++)
            EXPECT_EQ(rotation.order(unit), row[unit]);
        EXPECT_EQ(rotation.on(), row[3]);
        rotation.tick();
    }
}

// How often each event is on a counter in 60 ticks, a whole round of every list.
std::vector<unsigned> shares(bool global)
{
    Rotation rotation(example(global, 2));
    std::vector<unsigned> ticks(12);

    for (unsigned i = 0; i < 60; i++) {
        for (size_t event = 0; event < ticks.size(); event++)
            ticks[event] += rotation.counter(event) >= 0;
        rotation.tick();
    }
    return ticks;
}

TEST(RotationExample, OnlyListsOfTheirOwnAreFair)
{
    EXPECT_EQ(shares(kEachItsOwn),
              (std::vector<unsigned>{40, 40, 40, 30, 30, 30, 30, 24, 24, 24, 24, 24}));
    EXPECT_EQ(shares(kGlobal),
              (std::vector<unsigned>{15, 20, 10, 15, 20, 10, 10, 15, 20, 10, 10, 10}));
}

} // namespace
