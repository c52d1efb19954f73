// SPDX-License-Identifier: Apache-2.0
// Model and RTL agree on random scenarios (lockstep/random/), in which each unit takes part in turn.
#include <gtest/gtest.h>

#include <cstring>

#include "lockstep/random/search.h"
#include "scenario/load.h"

struct Search {
    const char *unit;
    uint64_t seed, scenarios;
    size_t points; // different things that they show at least

    friend std::ostream &operator<<(std::ostream &out, const Search &s)
    {
        return out << s.unit << " seed " << s.seed;
    }
};

class RandomScenarios : public testing::TestWithParam<Search>
{
};

static cs_search_options options_of(const Search &s, unsigned jobs)
{
    cs_search_options options = {};

    options.unit = s.unit;
    options.seed = s.seed;
    options.scenarios = s.scenarios;
    options.jobs = jobs;
    return options;
}

static void expect_agreement(const cs_search_report &report, cs_status status, const cs_diag &diag)
{
    char text[512];

    EXPECT_EQ(status, CS_OK) << diag.text;
    if (report.text != nullptr)
        FAIL() << cs_trial_tell(&report.trial, text, sizeof text) << "\n" << report.text;
}

TEST_P(RandomScenarios, Agree)
{
    const cs_search_options options = options_of(GetParam(), 1);
    cs_search_report report;
    cs_diag diag = {};
    const cs_status status = cs_search(&options, &report, &diag);

    expect_agreement(report, status, diag);
    EXPECT_EQ(report.scenarios, GetParam().scenarios) << report.why.text;
    EXPECT_GT(report.declared, 20u) << "of " << report.nr_declared;
    // They are not all refused.
    EXPECT_GT(report.points, GetParam().points);
    EXPECT_GT(report.of_kind[CS_PROBE_BUS], 10 * report.scenarios);
    cs_search_clear(&report);
}

static std::vector<Search> searches()
{
    static const Search kinds[] = {{"pmcu", 6, 60, 1500},    {"imc", 4, 60, 800},
                                   {"nest", 3, 50, 800},     {"nest10", 2, 60, 400},
                                   {"hpm", 4, 20, 800},      {"uncore", 4, 40, 800},
                                   {"iommu_hpm", 2, 20, 800}};
    std::vector<Search> all;

    for (const Search &kind : kinds)
        for (uint64_t seed = 1; seed <= kind.seed; seed++)
            all.push_back({kind.unit, seed, kind.scenarios, kind.points});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Units, RandomScenarios, testing::ValuesIn(searches()),
                         [](const auto &info) {
                             return std::string(info.param.unit) + "_" +
                                    std::to_string(info.param.seed);
                         });

// However many run at a time, the scenarios are the same.
TEST(RandomSearch, DoesNotDependOnTheNumberOfJobs)
{
    const Search search = {"nest10", 7, 50, 0};
    cs_search_report reports[2];

    for (unsigned i = 0; i < 2; i++) {
        const cs_search_options options = options_of(search, 1 + 4 * i);
        cs_diag diag = {};

        expect_agreement(reports[i], cs_search(&options, &reports[i], &diag), diag);
    }
    EXPECT_EQ(reports[0].cycles, reports[1].cycles);
    EXPECT_EQ(reports[0].points, reports[1].points);
    for (unsigned kind = 0; kind < 5; kind++)
        EXPECT_EQ(reports[0].of_kind[kind], reports[1].of_kind[kind]);
}

TEST(RandomDraw, TheSeedAndTheNumberSayAll)
{
    const cs_search_options options = options_of({nullptr, 3, 1, 0}, 1);
    char *texts[3];

    ASSERT_EQ(cs_search_draw(&options, 5, &texts[0], nullptr), CS_OK);
    ASSERT_EQ(cs_search_draw(&options, 5, &texts[1], nullptr), CS_OK);
    ASSERT_EQ(cs_search_draw(&options, 6, &texts[2], nullptr), CS_OK);
    EXPECT_STREQ(texts[0], texts[1]);
    EXPECT_STRNE(texts[0], texts[2]);
    for (char *text : texts)
        free(text);
}

// What a machine can have or software can do, in some of 200 scenarios.
TEST(RandomDraw, BringsAllOfIt)
{
    const struct {
        const char *unit, *words;
    } rows[] = {
        {"pmcu", "vhe: true"},
        {"pmcu", "vhe: false"},
        {"pmcu", "pid: 0x10"},
        {"uncore", "extended: true"},
        {"uncore", "config1: 0x10"},
        {"uncore", "wrap: interrupt"},
        {"hpm", "modes: msu,"},
        {"hpm", "mmapped: true"},
        {"hpm", "user_access: legacy"},
        {"imc", "pmu: core"},
        {"imc", "pmu: nest"},
        {"imc", "imc_cmd_0"},
        {"imc", "imc_mode_0"},
        {"nest", "nest:0x748"},
        {"hpm", "by: workload, csr: 0xc"},
        {"hpm", "csr: 0x308"},
        {"hpm", "csr: 0x309"},
        {"hpm", "csr: 0x144"},
        {"hpm", "csr: 0x645"},
        {"hpm", "csr: 0x30a"},
        {"hpm", "csr: 0x31a"},
    };

    for (const auto &row : rows) {
        const cs_search_options options = options_of({row.unit, 1, 1, 0}, 1);
        unsigned seen = 0;

        for (uint64_t i = 0; i < 200; i++) {
            char *text;

            ASSERT_EQ(cs_search_draw(&options, i, &text, nullptr), CS_OK);
            seen += strstr(text, row.words) != nullptr;
            free(text);
        }
        EXPECT_GE(seen, 3u) << row.unit << ": " << row.words;
    }
}

// Also the bit that switches delegation on, on harts that have none.
TEST(RandomDraw, SetsCdeWhereThereIsNone)
{
    const cs_search_options options = options_of({"hpm", 1, 1, 0}, 1);
    unsigned seen = 0;

    for (uint64_t i = 0; i < 400; i++) {
        char *text;

        ASSERT_EQ(cs_search_draw(&options, i, &text, nullptr), CS_OK);
        seen += strstr(text, "smcdeleg: false") != nullptr &&
                (strstr(text, "csr: 0x30a, op: set") != nullptr ||
                 strstr(text, "csr: 0x31a, op: set") != nullptr);
        free(text);
    }
    EXPECT_GE(seen, 3u);
}

// Nothing is drawn that the loader refuses: a thousand of each, without steering.
TEST_P(RandomScenarios, AreScenarios)
{
    const cs_search_options options = options_of(GetParam(), 1);

    for (uint64_t i = 0; i < 1000; i++) {
        cs_scenario *scenario = nullptr;
        cs_diag diag = {};
        char *text;

        ASSERT_EQ(cs_search_draw(&options, i, &text, nullptr), CS_OK);
        EXPECT_EQ(cs_scenario_parse(text, strlen(text), "drawn", ".", nullptr, 0, &scenario, &diag),
                  CS_OK)
            << "scenario " << i << ": " << diag.text << "\n"
            << text;
        cs_scenario_destroy(scenario);
        free(text);
        if (HasFailure())
            break;
    }
}

// A choice that brings new things weighs more than one that does not, and none weighs nothing.
TEST(RandomSteer, LeansToWhatIsNew)
{
    const uint64_t good = 11, stale = 12;
    cs_steer *steer;

    ASSERT_EQ(cs_steer_create(&steer, nullptr), CS_OK);
    for (uint64_t run = 0; run < 30; run++) {
        const uint64_t points[] = {1, 100 + run, 200 + run};

        ASSERT_EQ(cs_steer_learn(steer, &good, 1, points, 3, nullptr), CS_OK);
        ASSERT_EQ(cs_steer_learn(steer, &stale, 1, points, 1, nullptr), CS_OK);
    }
    EXPECT_EQ(cs_steer_points(steer), 61u);
    EXPECT_GT(cs_steer_weight(steer, good), 4 * cs_steer_weight(steer, stale));
    EXPECT_GE(cs_steer_weight(steer, stale), CS_STEER_LEAST);
    EXPECT_GT(cs_steer_weight(steer, 13), cs_steer_weight(steer, stale)); // never made
    cs_steer_destroy(steer);
}
