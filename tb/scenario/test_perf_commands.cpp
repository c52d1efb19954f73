// SPDX-License-Identifier: Apache-2.0
// The perf commands of all sections, by one description.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document.hpp"
#include "scenario/perf_commands.h"

namespace
{

// "name: period, interval" of all.
std::vector<std::string> commands(const Document &d)
{
    std::vector<std::string> result;
    cs_perf_command c;

    for (unsigned i = 0; cs_perf_command_at(d.scenario.get(), i, &c); i++)
        result.push_back(std::string(c.name) + ": " + std::to_string(c.period) + ", " +
                         std::to_string(c.interval_us));
    return result;
}

const std::string kHarts = "harts: {count: 2}\n"
                           "riscv: {perf: [{events: [cycles], interval_us: 50, stop_us: 900},\n"
                           "  {events: [cycles], sample_period: 10000, stop_us: 900}]}\n";

} // namespace

TEST(PerfCommands, AreThoseOfSectionAfterSection)
{
    const struct {
        const char *text;
        std::vector<std::string> commands;
    } cases[] = {
        {"software: {kind: none}\n", {}},
        {"pmcu: {clusters: 1}\nimc: {cores: 1}\nsoftware: {kind: none}\n", {}}, // nothing runs
        {"pmcu: {clusters: 1}\ncorepmu: {counters: 5}\nsoftware: {kind: arm_pmu}\n"
         "arm_pmu: {events: [CPU_CYCLES], interval_us: 5000}\n",
         {"arm_pmu.perf.0: 0, 5000"}},
        {"imc: {cores: 1}\nsoftware: {kind: pmi}\npmi: {period: 5000, cpus: 0, ring_base: "
         "0x82000000}\n",
         {"pmi: 5000, 0"}},
        {"pmcu: {clusters: 1}\nsoftware: {kind: pmcu_driver}\n"
         "pmcu_driver: {user_events: [INST_RETIRED], aux_base: 0x82000000}\n",
         {"pmcu_driver: 1, 0"}},
    };

    for (const auto &c : cases) {
        const Document alone = parse(c.text), both = parse(c.text + kHarts);
        std::vector<std::string> wanted = {"riscv.perf.0: 0, 50", "riscv.perf.1: 10000, 0"};

        ASSERT_TRUE(alone.ok()) << alone.error;
        EXPECT_EQ(commands(alone), c.commands) << c.text;
        ASSERT_TRUE(both.ok()) << both.error;
        wanted.insert(wanted.end(), c.commands.begin(), c.commands.end());
        EXPECT_EQ(commands(both), wanted) << c.text;
    }
}
