// SPDX-License-Identifier: Apache-2.0
// What a hart's software reports, of a hart without a driver.
#include "drivers/hpm/riscv.h"
#include "kernel.hpp"

using namespace cs_test;

TEST(RiscvReport, TellsWhatHasFailed)
{
    cs_riscv_spec spec = {};
    cs_harts_spec harts = {};
    cs_riscv *software = nullptr;
    cs_diag diag = {};
    Kernel k;

    spec.firmware.version = cs_sbi_pmu_defaults().version;
    harts.count = 1;
    harts.xlen = 64;
    harts.modes = CS_HPM_MODES_M;
    const cs_riscv_config config = {&spec, &harts, 0, 0, 1, kMemory, kMemoryBytes, nullptr};
    ASSERT_EQ(cs_riscv_create(&config, &software, &diag), CS_OK) << diag.text;
    EXPECT_EQ(cs_riscv_get_report(software, 100).failed, nullptr) << "there is no hart yet";
    EXPECT_EQ(cs_riscv_get_report(software, 100).cycles[CS_HART_WORKLOAD], 0u);

    cs_riscv_run(software, k.hart());
    EXPECT_EQ(cs_riscv_get_report(software, k.now()).failed, nullptr);
    cs_hart_csr_read(k.hart(), 0x105);
    k.traps = true;
    EXPECT_STREQ(cs_riscv_get_report(software, k.now()).failed,
                 "an instruction for CSR 0x105 trapped");
    EXPECT_GT(cs_riscv_get_report(software, k.now() + 7).cycles[CS_HART_WORKLOAD], 6u);
    cs_riscv_destroy(software);
}
