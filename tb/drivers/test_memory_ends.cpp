// SPDX-License-Identifier: Apache-2.0
// Memory that ends while software is made: it is told, and nothing is left half made.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "drivers/environment.h"
#include "drivers/imc/imc_driver.h"
#include "drivers/uncore/uncore_driver.h"
#include "support/configs.hpp"

extern "C" {
#include "scenario/load.h"

void *__libc_calloc(size_t number, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
}

namespace
{

unsigned long nth, fails_at; // of the allocations; 0: none fails

bool fails()
{
    return fails_at != 0 && ++nth == fails_at;
}

} // namespace

// In place of the C library's, in all of this program.
extern "C" void *calloc(size_t number, size_t bytes)
{
    return fails() ? nullptr : __libc_calloc(number, bytes);
}

extern "C" void *realloc(void *old, size_t bytes)
{
    return fails() ? nullptr : __libc_realloc(old, bytes);
}

class Made : public ::testing::TestWithParam<const char *>
{
};

TEST_P(Made, OrNot)
{
    const std::string path = cs_test::config_path(GetParam());
    std::ifstream file(path);
    std::stringstream text;
    cs_scenario *scenario = nullptr;
    cs_diag diag = {};
    bool all = false;

    text << file.rdbuf();
    ASSERT_EQ(cs_scenario_parse(text.str().data(), text.str().size(), path.c_str(),
                                path.substr(0, path.rfind('/')).c_str(), nullptr, 0, &scenario,
                                &diag),
              CS_OK)
        << diag.text;
    unsigned long at = 0;
    while (!all && !HasFailure()) {
        cs_environment *env = nullptr;

        nth = 0;
        fails_at = ++at;
        const cs_status status = cs_environment_create(scenario, nullptr, &env, &diag);
        all = nth < at;
        fails_at = 0;
        EXPECT_EQ(status, all ? CS_OK : CS_ERR_NO_MEMORY) << "allocation " << at;
        EXPECT_EQ(env != nullptr, all) << "allocation " << at;
        cs_environment_destroy(env);
    }
    EXPECT_GT(at, 10u);
    cs_scenario_destroy(scenario);
}

// Whatever the pointer was before.
TEST(MemoryEnds, LeavesNoDriver)
{
    const cs_imc_driver_config imc = {};
    const cs_uncore_driver_config uncore = {};
    auto *imc_driver = reinterpret_cast<cs_imc_driver *>(&nth);
    auto *uncore_driver = reinterpret_cast<cs_uncore_driver *>(&nth);
    cs_diag diag = {};

    nth = 0;
    fails_at = 1;
    EXPECT_EQ(cs_imc_driver_create(&imc, &imc_driver, &diag), CS_ERR_NO_MEMORY);
    nth = 0;
    EXPECT_EQ(cs_uncore_driver_create(&uncore, &uncore_driver, &diag), CS_ERR_NO_MEMORY);
    fails_at = 0;
    EXPECT_EQ(imc_driver, nullptr);
    EXPECT_EQ(uncore_driver, nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    MemoryEnds, Made,
    ::testing::Values("pmcu/pmcu_lockstep_basic.yaml", "pmcu/pmcu_lockstep_script.yaml",
                      "corepmu/pmcu_lockstep_arm_pmu.yaml", "corepmu/multiplex_demo.yaml",
                      "uncore/uncore_lockstep_managers.yaml", "imc/imc_lockstep_tasks.yaml",
                      "imc/imc_lockstep_core.yaml", "imc/imc_pair_pmi.yaml",
                      "riscv/riscv_lockstep_kvm_vpmu.yaml", "riscv/riscv_lockstep_guest.yaml",
                      "riscv/riscv_lockstep_multiplex.yaml", "sbi/riscv_lockstep_sse.yaml"));
