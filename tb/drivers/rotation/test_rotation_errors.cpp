// SPDX-License-Identifier: Apache-2.0
// docs/drivers/rotation.md, "Errors".
#include "rotation_rig.hpp"

using namespace cs_test;

namespace
{

EventList good()
{
    EventList setup;

    setup.pmu(2, 3, true).pmu(4);
    setup.event(0, 1, 3).event(1, 2, 15).event(1, 2, 8).event(1, 3, 1, true);
    return setup;
}

void refused(const cs_rotation_config &config, const char *text)
{
    cs_rotation *rotation = reinterpret_cast<cs_rotation *>(&rotation);
    cs_diag diag = {};

    EXPECT_EQ(cs_rotation_create(&config, &rotation, &diag), CS_ERR_RANGE) << text;
    EXPECT_EQ(rotation, nullptr);
    EXPECT_STREQ(diag.text, text);
    EXPECT_STREQ(diag.where, "event rotation");
    EXPECT_EQ(cs_rotation_create(&config, &rotation, nullptr), CS_ERR_RANGE);
}

template <typename Change> void refused_with(Change change, const char *text)
{
    EventList setup = good();

    change(setup);
    refused(setup.config(), text);
}

template <typename Change> void taken_with(Change change)
{
    EventList setup = good();

    change(setup);
    Rotation rotation(setup);
    EXPECT_NE(rotation.get(), nullptr);
}

TEST(RotationErrors, Good)
{
    taken_with([](EventList &) {});
}

TEST(RotationErrors, Null)
{
    const char *text = "NULL, expected a config, PMUs and events";
    const EventList setup = good();
    cs_rotation_config config = setup.config();
    cs_rotation *rotation = reinterpret_cast<cs_rotation *>(&config);
    cs_diag diag = {};

    EXPECT_EQ(cs_rotation_create(nullptr, &rotation, &diag), CS_ERR_RANGE);
    EXPECT_EQ(rotation, nullptr);
    EXPECT_STREQ(diag.text, text);
    config.pmus = nullptr;
    refused(config, text);
    config.nr_pmus = 0;
    refused(config, "nr_pmus is 0, expected 1..64");
    config = setup.config();
    config.events = nullptr;
    refused(config, text);
}

TEST(RotationErrors, Sizes)
{
    refused_with([](EventList &s) { s.list = static_cast<cs_rotation_list>(2); },
                 "list is 2, expected 0..1");
    refused_with([](EventList &s) { s.pmus.clear(); }, "nr_pmus is 0, expected 1..64");
    refused_with(
        [](EventList &s) {
            s.pmus.resize(65, {1, 1, false});
        },
        "nr_pmus is 65, expected 1..64");
    taken_with([](EventList &s) { s.pmus.resize(64, {1, 1, false}); });
    refused_with([](EventList &s) { s.plain(0, 1021); }, "nr_events is 1025, expected 0..1024");
    taken_with([](EventList &s) { s.plain(0, 1020); });
    taken_with([](EventList &s) { s.events.clear(); });
}

TEST(RotationErrors, Pmus)
{
    refused_with([](EventList &s) { s.pmus[1].counters = 0; },
                 "PMU 1: counters is 0, expected 1..32");
    refused_with([](EventList &s) { s.pmus[1].counters = 33; },
                 "PMU 1: counters is 33, expected 1..32");
    taken_with([](EventList &s) { s.pmus[1].counters = 32; });
    refused_with([](EventList &s) { s.pmus[1].divider = 0; },
                 "PMU 1: divider is 0, expected at least 1");
    refused_with(
        [](EventList &s) {
            s.list = CS_ROTATION_GLOBAL;
            s.pmus[1].divider = 0;
        },
        "PMU 1: divider is 0, expected at least 1");
}

TEST(RotationErrors, Adaptive)
{
    refused_with([](EventList &s) { s.limit_percent = 0; }, "limit_percent is 0, expected 1..100");
    refused_with([](EventList &s) { s.limit_percent = 101; },
                 "limit_percent is 101, expected 1..100");
    taken_with([](EventList &s) { s.limit_percent = 100; });
    taken_with([](EventList &s) { s.limit_percent = 1; });
    refused_with([](EventList &s) { s.tick_cycles = 0; },
                 "tick_cycles is 0, expected 1..1844674407370955");
    refused_with([](EventList &s) { s.tick_cycles = UINT64_MAX / 10000 + 1; },
                 "tick_cycles is 1844674407370956, expected 1..1844674407370955");
    taken_with([](EventList &s) { s.tick_cycles = UINT64_MAX / 10000; });
    refused_with([](EventList &s) { s.most_divider = 2; },
                 "most_divider is 2, expected 3..4294967295");
    taken_with([](EventList &s) { s.most_divider = 3; });
    taken_with([](EventList &s) { s.pmus[1].divider = 99; }); // is not adaptive
    refused_with(
        [](EventList &s) {
            s.pmus[1] = {4, 99, true};
        },
        "most_divider is 16, expected 99..4294967295");
    taken_with([](EventList &s) {
        s.pmus[0].adaptive = false;
        s.limit_percent = 0;
        s.tick_cycles = 0;
        s.most_divider = 0;
    });
}

TEST(RotationErrors, Events)
{
    refused_with([](EventList &s) { s.events[0].pmu = 2; }, "event 0: pmu is 2, expected 0..1");
    refused_with([](EventList &s) { s.events[1].allowed = 0; },
                 "event 1: allowed is 0x0, expected some of the 4 counters of PMU 1");
    refused_with([](EventList &s) { s.events[0].allowed = 7; },
                 "event 0: allowed is 0x7, expected some of the 2 counters of PMU 0");
    refused_with([](EventList &s) { s.events[0].allowed = 4; },
                 "event 0: allowed is 0x4, expected some of the 2 counters of PMU 0");
}

TEST(RotationErrors, Groups)
{
    refused_with([](EventList &s) { s.events[1].group = 1; },
                 "event 1: its group is of another PMU, expected of one");
    refused_with([](EventList &s) { s.events[3].group = 2; },
                 "event 3: expected a group of pinned events, or of none");
    refused_with([](EventList &s) { s.events[0].error = true; },
                 "event 0: it is in error, expected a pinned one");
    refused_with(
        [](EventList &s) {
            s.events[1].pinned = s.events[2].pinned = true;
            s.events[2].error = true;
        },
        "event 2: expected a group in error, or one that is not");
    refused_with([](EventList &s) { s.events[1].pinned = true; },
                 "event 2: expected a group of pinned events, or of none");
    taken_with([](EventList &s) { s.events[1].pinned = s.events[2].pinned = true; });
}

} // namespace
