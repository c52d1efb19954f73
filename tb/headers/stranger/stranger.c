// SPDX-License-Identifier: Apache-2.0
/* A program of somebody who has headers and names of his own that our tree has, too. */
#include "base/diag.h"
#include "capstone.h"
#include <countersink/drivers/hpm/hart_alone.h>
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>
#include <countersink/models/corepmu/corepmu.h>
#include <countersink/models/imc/imc_core.h>
#include <countersink/models/nest/nest.h>
#include <countersink/models/pmcu/pmcu.h>
#include <countersink/models/uncore/uncore.h>
#include <countersink/version.h>
#include <string.h>

unsigned int cs_version(int *major, int *minor)
{
    *major = CS_VERSION_MAJOR;
    *minor = CS_VERSION_MINOR;
    return 4 << 8;
}

typedef int cycle_t;

int main(void)
{
    const cycle_t answer = diagnose();
    const cs_mode mode = CS_MODE_RISCV64;
    const cs_hpm_env none = {0};
    const cs_hpm_config config = cs_hpm_default_config();
    int major, minor;
    cs_hpm *hpm;

    return answer == 42 && mode == 2 && cs_version(&major, &minor) == 0x400 &&
                   cs_hpm_create(&config, &none, &hpm, NULL) == CS_ERR_RANGE &&
                   strcmp(countersink_version(), COUNTERSINK_VERSION_TEXT) == 0
               ? 0
               : 1;
}
