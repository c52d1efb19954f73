// SPDX-License-Identifier: Apache-2.0
// What a guest's nest does by itself: the plugin counts what the scenario's own timeline counts.
#include <memory>
#include <string>

#include "fixture.hpp"
#include "guest/imc/parts.h"
#include "guest/imc/segments.h"
#include "guest/log.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/nest/nest_spec.h"

namespace
{

const std::string kScenario = R"(
name: segments
catalog: ../imc/power9_small.dts
imc: {cores: 1, threads: 1}
corepmu: {clock_mhz: 3800}
software: {kind: none}
guest: {kind: power9, run: nest_stat.sh}
nest:
  segments:
    - cycles: 50000
      events:
        - {event: PM_PB_CYC, rate: 0.5}
        - {event: PM_MCS01_64B_RD_DISP_PORT01, kind: ratio, of: PM_MCS01_128B_RD_DISP_PORT01, rate: 0.25}
        - {event: PM_MCS01_128B_RD_DISP_PORT01, kind: random, rate: 0.04}
        - {event: PM_PHB0_DMA_RD_FROM_PCIE, kind: periodic, increment: 3, period_cycles: 700, offset_cycles: 9}
    - cycles: 30000
      events:
        - {event: PM_MBA0_READ_BYTES, kind: bursts, rate: 2, length_cycles: 100, period_cycles: 1000}
        - {event: PM_XLINK0_OUT_ODD_DATA_COUNT, kind: spread, rate: 0.01, rate_high: 0.5}
)";

constexpr uint32_t kCounters[] = {0x80, 0xc8, 0xd0, 0x340, 0x448, 0x148};

struct Segments : testing::Test {
    cs_scenario *scenario = nullptr;
    std::unique_ptr<segments, void (*)(segments *)> told{segments_create(), segments_destroy};

    void load(const std::string &yaml)
    {
        cs_diag diag = {};
        char *text = nullptr;
        size_t bytes = 0;

        ASSERT_EQ(cs_scenario_parse(yaml.data(), yaml.size(), "test", CS_SOURCE "/configs/linux",
                                    nullptr, 0, &scenario, &diag),
                  CS_OK)
            << diag.text;
        FILE *out = open_memstream(&text, &bytes);
        ASSERT_EQ(cs_power_put_segments(scenario, out, &diag), CS_OK) << diag.text;
        fclose(out);
        std::istringstream lines(std::string(text, bytes));
        free(text);
        for (std::string line; std::getline(lines, line);)
            EXPECT_TRUE(segments_take(told.get(), line.c_str())) << line;
        ASSERT_EQ(segments_end(told.get(), &diag), CS_OK) << diag.text;
    }

    ~Segments() override
    {
        cs_scenario_destroy(scenario);
    }
};

} // namespace

TEST_F(Segments, CountWhatTheScenarioSays)
{
    cs_timelines *timelines = nullptr;

    load(kScenario);
    ASSERT_EQ(cs_scenario_timelines(scenario, &timelines, nullptr), CS_OK);
    cs_timeline *nest = cs_timelines_cpu(timelines, CS_NEST_TIMELINE);
    for (const uint32_t at : kCounters) {
        uint64_t all = 0;

        ASSERT_TRUE(segments_have(told.get(), at / 8)) << at;
        for (cs_cycle from = 0; from < 1000000; from += 777) {
            const uint64_t count =
                cs_timeline_sum(nest, CS_EVENT_NEST(at / 8), CS_MODE_ALL, from, from + 777);

            EXPECT_EQ(segments_sum(told.get(), at / 8, from, from + 777), count) << at;
            all += count;
        }
        EXPECT_GT(all, 0u) << at;
    }
    cs_timelines_destroy(timelines);
}

// Rates are per core cycle, and the guest's core has the clock of its bus.
TEST_F(Segments, RatesAreOfTheGuestsOwnClock)
{
    const std::string clock = "corepmu: {clock_mhz: 3800}\n";
    std::string own = kScenario;

    own.erase(own.find(clock), clock.size());
    load(own);
    EXPECT_EQ(segments_sum(told.get(), 0x80 / 8, 0, 40000), 20000u);
}

TEST_F(Segments, OthersAreNobodys)
{
    load(kScenario);
    EXPECT_FALSE(segments_have(told.get(), 0xd8 / 8));
    EXPECT_FALSE(segments_have(told.get(), EVENTS_NEST));
    EXPECT_FALSE(segments_have(nullptr, 0x80 / 8));
    EXPECT_FALSE(segments_take(told.get(), "cpus 1 1"));
}

TEST_F(Segments, WhatIsNoneIsAnError)
{
    for (const char *line :
         {"stream 10 1 1 2 0 0 0 0 0 0 0", "segment 10\nstream 200 1 1 2 0 0 0 0 0 0 0",
          "segment 10\nstream 10 5 1 2 0 0 0 0 0 0 11"}) {
        std::unique_ptr<segments, void (*)(segments *)> s{segments_create(), segments_destroy};
        std::istringstream lines(line);
        cs_diag diag = {};

        for (std::string one; std::getline(lines, one);)
            EXPECT_TRUE(segments_take(s.get(), one.c_str()));
        EXPECT_EQ(segments_end(s.get(), &diag), CS_ERR_FORMAT);
    }
}

// A bridge whose nest does something by itself: what is posted is that, and others count as ever.
struct SegmentsPosted : Bridge {
    std::vector<uint8_t> homer = std::vector<uint8_t>(CS_GUEST_HOMER_BYTES);
    std::unique_ptr<segments, void (*)(segments *)> own{segments_create(), segments_destroy};

    SegmentsPosted() : Bridge({1, 1, 1, 18, CS_GUEST_NEST, 500000})
    {
        b->homer = {homer.data(), CS_GUEST_HOMER, homer.size()};
        b->events.nest[0x80 / 8] = EVENTS_CLOCK;
        b->events.nest[0xc8 / 8] = EVENTS_CLOCK;
        EXPECT_TRUE(segments_take(own.get(), "segment 0"));
        EXPECT_TRUE(segments_take(own.get(), "stream 10 1 1 4 0 0 0 0 0 0 0"));
        EXPECT_EQ(segments_end(own.get(), nullptr), CS_OK);
        b->segments = own.get();
    }

    uint64_t counter(uint64_t offset) const
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | homer[0x180000 + offset + i];
        return value;
    }
};

TEST_F(SegmentsPosted, AndTold)
{
    execute(20000000);
    // Every millisecond; scale 256.
    EXPECT_NEAR(static_cast<double>(counter(0x80)) * 256, 20000000 / 4, 500000);
    EXPECT_NEAR(static_cast<double>(counter(0xc8)) * 256, 20000000, 1500000);
    bridge_driver(b.get(), now, BRIDGE_READ, CS_GUEST_NEST + 0x80, false);
    ASSERT_EQ(lines('M').size(), 1u);
    EXPECT_EQ(lines('M')[0].f[3], (now + 1) / 4);
}
