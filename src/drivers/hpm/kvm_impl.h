// SPDX-License-Identifier: Apache-2.0
/* Internal: KVM's virtual PMU among its files. */
#ifndef CS_DRIVERS_HPM_KVM_IMPL_H
#define CS_DRIVERS_HPM_KVM_IMPL_H

#include "drivers/hpm/kvm.h"

#define KVM_COUNTERS 64u
#define KVM_FIRMWARE_EVENTS 22u
#define KVM_VERSION 0x03000000u

/* A virtual counter. */
typedef struct kvm_counter {
    struct cs_kvm *kvm;
    unsigned number;
    bool firmware;
    uint8_t width;      /* bits - 1 */
    uint64_t value;     /* when it was started, or looked at the last time */
    uint64_t seen;      /* what the event had counted then */
    uint32_t event_idx; /* of a firmware counter */
    bool used, started, overflown;
    cs_hart_event event; /* of the host's perf; not open: there is none */
    unsigned host;       /* counter that the event has, or had last */
} kvm_counter;

static inline bool kvm_is_open(const kvm_counter *c)
{
    return c->event.core != NULL;
}

struct cs_kvm {
    cs_kvm_config config;
    unsigned nr_hardware, nr; /* counters; index 1 is none */
    kvm_counter counters[KVM_COUNTERS];
    bool firmware_started[KVM_FIRMWARE_EVENTS];
    uint64_t snapshot; /* the guest's page; NO_PAGE */
    uint8_t page[CS_SBI_SNAPSHOT_BYTES];
    cs_kvm_figures figures;
};

#define NO_PAGE UINT64_MAX

/* ---- kvm_counter.c: what stands behind a virtual counter ---- */

/* 0, or why the host's perf refuses it; the old one is gone in either case. */
int cs_kvm_make_event(kvm_counter *counter, cs_hart *hart, uint64_t flags, uint32_t event_idx,
                      uint64_t data);
void cs_kvm_release_event(kvm_counter *counter, cs_hart *hart);
void cs_kvm_enable(kvm_counter *counter, cs_hart *hart);
void cs_kvm_disable(kvm_counter *counter, cs_hart *hart);
/* What the guest finds in it. */
uint64_t cs_kvm_look(kvm_counter *counter, cs_hart *hart);
/* From its value on: the period that overflows where it would. */
void cs_kvm_set_value(kvm_counter *counter, uint64_t value);
/* There is such an event for the host's perf. */
bool cs_kvm_has_event(const cs_kvm *kvm, uint32_t event_idx, uint64_t data);

/* ---- kvm_snapshot.c: the guest's memory ---- */

cs_sbi_ret cs_kvm_set_page(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6]);
bool cs_kvm_load_page(cs_kvm *kvm, cs_hart *hart);
bool cs_kvm_store_page(cs_kvm *kvm, cs_hart *hart);
uint64_t cs_kvm_slot(const cs_kvm *kvm, unsigned i);
void cs_kvm_put_slot(cs_kvm *kvm, unsigned i, uint64_t value);
void cs_kvm_mark(cs_kvm *kvm, unsigned i, bool on);
cs_sbi_ret cs_kvm_event_info(cs_kvm *kvm, cs_hart *hart, const uint64_t args[6]);

#endif
