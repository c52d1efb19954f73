// SPDX-License-Identifier: Apache-2.0
/* KVM's virtual PMU: a guest's SBI calls are answered by the host, and each virtual counter is an
 * event of the host's perf (docs/drivers/riscv_software.md, "KVM's PMU"). One object a hart. */
#ifndef CS_DRIVERS_HPM_KVM_H
#define CS_DRIVERS_HPM_KVM_H

#include "drivers/hpm/hart_perf.h"
#include "drivers/hpm/riscv.h"
#include <countersink/base/diag.h>
#include <countersink/drivers/hpm/sbi/sbi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_kvm_config {
    cs_riscv_pmu *host;   /* borrowed, and probed before the boot */
    cs_hart_perf *perf;   /* the host's; borrowed */
    unsigned exit_cycles; /* out of the guest, and back into it */
    unsigned call_cycles; /* work of a call, or of an instruction that trapped */
    bool interrupts;      /* it can inject them (aia) */
    bool reads_add;       /* each look adds all that the event has counted (the published fault) */
    /* A virtual counter has got a counter of the hardware, has lost it, or that has overflowed. */
    void (*tell)(void *ctx, const cs_riscv_virtual *what);
    void *ctx;
} cs_kvm_config;

typedef struct cs_kvm cs_kvm;

/* Errors: CS_ERR_NO_MEMORY. */
cs_status cs_kvm_create(const cs_kvm_config *config, cs_kvm **out, cs_diag *diag);
void cs_kvm_destroy(cs_kvm *kvm); /* after the host's perf; NULL is allowed */

/* Before the guest begins; on the kernel's track. */
void cs_kvm_boot(cs_kvm *kvm, cs_hart *hart);
/* The guest's calls. */
cs_sbi cs_kvm_interface(cs_kvm *kvm);
/* The host was interrupted; on the kernel's track. */
void cs_kvm_interrupted(cs_kvm *kvm, cs_hart *hart);

/* The counter of the hardware that counts for the guest's counter `number`; -1: none does. */
int cs_kvm_host_counter(const cs_kvm *kvm, unsigned number);

const cs_kvm_figures *cs_kvm_get_figures(const cs_kvm *kvm);

#ifdef __cplusplus
}
#endif

#endif
