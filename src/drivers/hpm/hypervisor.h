// SPDX-License-Identifier: Apache-2.0
/* A hypervisor's share in a guest's counters: it answers the guest's SBI calls, lends it counters
 * of the hardware, and opens them to it (docs/drivers/riscv_software.md, "Guest"). One object a hart. */
#ifndef CS_DRIVERS_HPM_HYPERVISOR_H
#define CS_DRIVERS_HPM_HYPERVISOR_H

#include <countersink/base/diag.h>
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>
#include <countersink/drivers/hpm/sbi/sbi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_hypervisor_config {
    cs_sbi firmware;
    cs_riscv_pmu *host;   /* whose counters they are; borrowed */
    unsigned call_cycles; /* work of a call, beside what the firmware takes */
    bool sscofpmf;
    bool open_fixed; /* cycle and instret from the beginning, for a guest that makes no calls */
} cs_hypervisor_config;

typedef struct cs_hypervisor cs_hypervisor;

/* Errors: CS_ERR_NO_MEMORY. */
cs_status cs_hypervisor_create(const cs_hypervisor_config *config, cs_hypervisor **out,
                               cs_diag *diag);
void cs_hypervisor_destroy(cs_hypervisor *hypervisor); /* NULL is allowed */

/* Before the guest begins; on the kernel's track. */
void cs_hypervisor_boot(cs_hypervisor *hypervisor, cs_hart *hart);

/* The guest's calls. */
cs_sbi cs_hypervisor_interface(cs_hypervisor *hypervisor);

#ifdef __cplusplus
}
#endif

#endif
