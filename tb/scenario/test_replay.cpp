// SPDX-License-Identifier: Apache-2.0
// Recordings of perf stat in a scenario.
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "document.hpp"

extern "C" {
#include "scenario/build.h"
}

namespace
{

class Replay : public ::testing::Test
{
  protected:
    std::filesystem::path folder;

    void SetUp() override
    {
        std::string name = (std::filesystem::temp_directory_path() / "replay-XXXXXX").string();

        folder = mkdtemp(name.data());
    }
    void TearDown() override
    {
        std::filesystem::remove_all(folder);
    }

    void write(const char *name, const std::string &text)
    {
        std::ofstream(folder / name, std::ios::binary) << text;
    }
    Document scenario(const std::string &event)
    {
        return parse("pmcu: {clusters: 1, slots: 2}\nworkloads:\n  - segments:\n      - events:\n"
                     "          - {event: 8, kind: replay, " +
                         event + "}\n",
                     {}, folder.string());
    }
    uint64_t sum(const Document &d, unsigned cpu, cs_cycle from, cs_cycle to)
    {
        cs_timelines *t = nullptr;

        if (!d.ok())
            throw std::runtime_error(d.error);
        EXPECT_EQ(cs_scenario_timelines(d.scenario.get(), &t, nullptr), CS_OK);
        const uint64_t result = cs_timeline_sum(cs_timelines_cpu(t, cpu), 8, CS_MODE_ALL, from, to);
        cs_timelines_destroy(t);
        return result;
    }
};

} // namespace

TEST_F(Replay, CountsOfEachIntervalOnEveryCpu)
{
    write("a.csv", "0.001,5000,,instructions,1,100.00\n0.002,700,,instructions,1,100.00\n");
    const Document once = scenario("file: a.csv, file_event: instructions, after: zero");
    const Document again = scenario("file: a.csv, file_event: instructions");

    for (unsigned cpu : {0u, 1u}) {
        EXPECT_EQ(sum(once, cpu, 0, 1000000), 5000u); // 1 ms at 1000 MHz
        EXPECT_EQ(sum(once, cpu, 1000000, 2000000), 700u);
        EXPECT_EQ(sum(once, cpu, 2000000, 9000000), 0u);
        EXPECT_EQ(sum(again, cpu, 2000000, 4000000), 5700u);
    }
}

TEST_F(Replay, EachCpuItsOwnCounts)
{
    write("a.csv", "0.001,CPU0,10,,cycles,1,100.00\n0.001,CPU1,20,,cycles,1,100.00\n");
    const Document d = scenario("file: a.csv, file_event: cycles");

    EXPECT_EQ(sum(d, 0, 0, 1000000), 10u);
    EXPECT_EQ(sum(d, 1, 0, 1000000), 20u);
}

TEST_F(Replay, ErrorsNameScenarioOrRecording)
{
    const std::string at = "t.yaml:5:13: workloads.0.segments.0.events.0: ";

    write("a.csv", "0.001,10,,cycles,1,100.00\n0.001,20,,faults,1,100.00\n");
    write("one.csv", "0.001,CPU0,10,,cycles,1,100.00\n");
    write("fast.csv", "0.001,999000000,,cycles,1,100.00\n");
    write("bad.csv", "0.001,10,,cycles,1,100.00\nnonsense\n");

    EXPECT_EQ(scenario("file: b.csv, file_event: cycles").error,
              at + (folder / "b.csv").string() + " cannot be opened: No such file or directory");
    EXPECT_EQ(scenario("file: a.csv, file_event: cycle").error,
              at + "a.csv has no event cycle for CPU 0; it has cycles, faults");
    EXPECT_EQ(scenario("file: one.csv, file_event: cycles").error,
              at + "one.csv has no event cycles for CPU 1; it has cycles (CPU0)");
    EXPECT_EQ(scenario("file: fast.csv, file_event: cycles").error.substr(0, at.size()), at);
    const Document bad = scenario("file: bad.csv, file_event: cycles");
    EXPECT_EQ(bad.status, CS_ERR_FORMAT);
    EXPECT_EQ(bad.error.rfind((folder / "bad.csv").string() + ":2:", 0), 0u) << bad.error;
}
