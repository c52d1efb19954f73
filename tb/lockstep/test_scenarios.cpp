// SPDX-License-Identifier: Apache-2.0
// Every lockstep scenario agrees to the cycle and byte.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "forked.hpp"
#include "support/configs.hpp"

namespace fs = std::filesystem;

// Scenarios that once showed a difference, shrunk: `compare --shrink --keep tb/scenarios/regressions`.
static std::vector<fs::path> regressions()
{
    std::vector<fs::path> found;

    for (const auto &entry : fs::directory_iterator(CS_SOURCE_DIR "/tb/scenarios/regressions"))
        if (entry.path().extension() == ".yaml")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

TEST(LockstepRegressions, Agree)
{
    EXPECT_FALSE(regressions().empty());
    for (const fs::path &path : regressions()) {
        std::ifstream file(path);
        std::stringstream text;
        text << file.rdbuf();

        const Outcome outcome = compare_forked(text.str(), path.parent_path());

        EXPECT_EQ(outcome.status, CS_OK) << path << describe(outcome);
        EXPECT_FALSE(cs_compare_differs(outcome.report.what)) << path << describe(outcome);
    }
}

// Records of a kind that a scenario has at least; of most the first row.
struct Fewest {
    const char *name;
    unsigned bus, reg, state;
};
const Fewest kFewest[] = {
    {"", 31, 6, 3},
    // The nest's commands are words of memory; its chip's registers are for the cores.
    {"imc_lockstep_power10_nest", 31, 4, 3},
    {"imc_lockstep_nest_slow", 31, 0, 3},
    {"bus_lockstep_adds", 17, 0, 0},          // memory alone
    {"imc_lockstep_trace_writes", 20, 6, 2},  // a thread, for some hundred cycles
    {"pmcu_lockstep_arm_pmu_lock", 0, 72, 0}, // a core's own accesses alone
    {"pmcu_lockstep_arm_pmu_turns", 0, 72, 0},
    // They are about how software ends.
    {"corepmu_lockstep_end", 31, 6, 1},
    {"imc_lockstep_end", 31, 4, 3},
    {"pmcu_lockstep_end", 20, 6, 3},
};

Fewest fewest_of(const std::string &name)
{
    for (const Fewest &row : kFewest)
        if (name == row.name)
            return row;
    return kFewest[0];
}

class LockstepScenario : public testing::TestWithParam<fs::path>
{
};

TEST_P(LockstepScenario, AgreesToTheCycleAndByte)
{
    std::ifstream file(GetParam());
    std::stringstream text;
    text << file.rdbuf();

    Outcome outcome = compare_forked(text.str(), GetParam().parent_path());

    ASSERT_EQ(outcome.status, CS_OK) << describe(outcome);
    EXPECT_EQ(outcome.report.what, CS_COMPARE_EQUAL) << describe(outcome);
    const std::string name = GetParam().stem().string();
    const Fewest fewest = fewest_of(name);
    EXPECT_GE(outcome.report.of_kind[CS_PROBE_BUS], fewest.bus);
    EXPECT_GE(outcome.report.of_kind[CS_PROBE_REG], fewest.reg);
    // A script on core PMUs alone.
    if (name == "pmcu_lockstep_registers" || name == "corepmu_lockstep_set_flags") {
        EXPECT_GT(outcome.report.of_kind[CS_PROBE_REG], 150u);
        return;
    }
    if (name.rfind("riscv_", 0) != 0 && name.rfind("uncore_", 0) != 0 &&
        name.rfind("iommu_", 0) != 0) { // they have none
        EXPECT_GE(outcome.report.of_kind[CS_PROBE_STATE], fewest.state);
    }
    if ((name.rfind("uncore_", 0) != 0 || name == "uncore_lockstep_script") &&
        fewest.bus > 0) { // counts in registers
        EXPECT_GT(outcome.report.memory_bytes, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Configs, LockstepScenario, testing::ValuesIn(cs_test::lockstep_configs()),
                         [](const auto &info) { return info.param.stem().string(); });
