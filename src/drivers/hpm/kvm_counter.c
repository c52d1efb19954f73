// SPDX-License-Identifier: Apache-2.0
/* A virtual counter is an event of the host's perf: pinned, of the guest's modes alone, with the period
 * that ends where the guest's counter would overflow. */
#include <errno.h>

#include "drivers/hpm/kvm_impl.h"

#define CSR_HVIP 0x645u
#define LCOFI (1u << 13)
#define RAW_BITS (((uint64_t)1 << 48) - 1)
#define RAW_V2_BITS (((uint64_t)1 << 56) - 1)

static uint64_t mask_of(const kvm_counter *c)
{
    return ~(uint64_t)0 >> (63 - c->width);
}

/* ---- the host's counter behind it ---- */

static void kvm_tell(const kvm_counter *c, const cs_hart *hart, cs_riscv_virtual_what what,
                     unsigned counter, cs_cycle cycle)
{
    const cs_riscv_virtual one = {cs_hart_number(hart), c->number, what, counter, cycle};

    c->kvm->config.tell(c->kvm->config.ctx, &one);
}

static void kvm_placed(cs_hart_event *event, cs_hart *hart, bool on, cs_cycle since)
{
    kvm_counter *c = event->whose;
    const unsigned index = (unsigned)cs_riscv_perf_index(event->perf);

    if (on)
        c->host = cs_riscv_pmu_csr(c->kvm->config.host, index) & 0x1f;
    kvm_tell(c, hart, on ? CS_RISCV_VIRTUAL_ON : CS_RISCV_VIRTUAL_OFF, c->host, since);
}

/* What finds no counter stands still, and nobody is told: a pinned event in error. */
void cs_kvm_enable(kvm_counter *c, cs_hart *hart)
{
    cs_hart_perf *perf = c->kvm->config.perf;

    if (cs_hart_event_is_on(&c->event))
        return;
    cs_hart_perf_begin(perf, hart);
    cs_hart_event_enable(&c->event);
    cs_hart_perf_schedule(perf);
    c->kvm->figures.without += !cs_hart_event_is_on(&c->event);
}

/* Also one that is in error; who waits may have the counter. */
void cs_kvm_disable(kvm_counter *c, cs_hart *hart)
{
    cs_hart_perf *perf = c->kvm->config.perf;

    if (c->event.core->state == CS_PERF_STATE_OFF)
        return;
    cs_hart_perf_begin(perf, hart);
    cs_perf_disable(c->event.core);
    cs_perf_set_state(c->event.core, CS_PERF_STATE_OFF);
    cs_hart_perf_fill(perf);
}

/* ---- overflow ---- */

/* The host's handler has stopped the counter and read it. It goes on with as long a period as there
 * is: the guest will say what comes next. */
static void kvm_overflow(void *ctx, cs_hart *hart, cs_riscv_perf_event *event)
{
    kvm_counter *c = ctx;
    const cs_kvm_config *config = &c->kvm->config;

    kvm_tell(c, hart, CS_RISCV_VIRTUAL_OVERFLOW, c->host, cs_hart_now(hart));
    cs_riscv_perf_set_period(event, INT64_MAX);
    c->overflown = true;
    if (config->interrupts) {
        cs_hart_csr_set(hart, CSR_HVIP, LCOFI);
        c->kvm->figures.injections++;
    }
    cs_riscv_perf_reload(config->host, hart, event);
}

/* ---- the event ---- */

/* False: there is none such. */
static bool attr_of(uint32_t event_idx, uint64_t data, cs_riscv_attr *attr)
{
    const uint32_t code = CS_SBI_EVENT_CODE(event_idx);

    switch (CS_SBI_EVENT_TYPE(event_idx)) {
    case CS_SBI_TYPE_HW: /* event 0 counts cycles: the table is filled with zeros */
        attr->type = CS_RISCV_PERF_HARDWARE;
        attr->config = code == 0 ? 0 : code - 1;
        return code <= 10;
    case CS_SBI_TYPE_CACHE:
        attr->type = CS_RISCV_PERF_CACHE;
        attr->config = code >> 3 | (code >> 1 & 3) << 8 | (code & 1) << 16;
        return true;
    case CS_SBI_TYPE_RAW:
    case CS_SBI_TYPE_RAW_V2:
        attr->type = CS_RISCV_PERF_RAW;
        attr->config =
            data & (CS_SBI_EVENT_TYPE(event_idx) == CS_SBI_TYPE_RAW ? RAW_BITS : RAW_V2_BITS);
        return true;
    default:
        return false;
    }
}

bool cs_kvm_has_event(const cs_kvm *kvm, uint32_t event_idx, uint64_t data)
{
    cs_riscv_attr attr = {0};

    return attr_of(event_idx, data, &attr) && cs_riscv_perf_check(kvm->config.host, &attr) == 0;
}

/* A period of the whole range is one that perf cannot have: the longest there is stands for it. */
static uint64_t period_of(const kvm_counter *c)
{
    const uint64_t period = c->value == 0 ? mask_of(c) : (0 - c->value) & mask_of(c);

    return period > INT64_MAX ? INT64_MAX : period;
}

int cs_kvm_make_event(kvm_counter *c, cs_hart *hart, uint64_t flags, uint32_t event_idx,
                      uint64_t data)
{
    cs_riscv_attr attr = {
        .exclude_user = (flags & CS_SBI_CFG_SET_UINH) != 0,
        .exclude_kernel = (flags & CS_SBI_CFG_SET_SINH) != 0,
        .exclude_hv = true,
        .exclude_host = true,
        .guest_events = true,
        .overflow = kvm_overflow,
        .overflow_ctx = c,
    };

    cs_kvm_release_event(c, hart);
    if (!attr_of(event_idx, data, &attr))
        return -ENOENT;
    if (flags & CS_SBI_CFG_CLEAR_VALUE)
        c->value = 0;
    attr.sample_period = period_of(c);
    c->seen = 0;
    c->event = (cs_hart_event){.attr = attr, .pinned = true, .placed = kvm_placed, .whose = c};
    return cs_hart_perf_open(c->kvm->config.perf, hart, &c->event, NULL);
}

void cs_kvm_release_event(kvm_counter *c, cs_hart *hart)
{
    if (!kvm_is_open(c))
        return;
    cs_kvm_disable(c, hart);
    cs_hart_perf_close(c->kvm->config.perf, hart, &c->event);
    c->started = false;
}

uint64_t cs_kvm_look(kvm_counter *c, cs_hart *hart)
{
    uint64_t count;

    if (!kvm_is_open(c))
        return c->value;
    cs_hart_perf_begin(c->kvm->config.perf, hart);
    count = cs_hart_perf_read(c->kvm->config.perf, &c->event);
    c->value += count - (c->kvm->config.reads_add ? 0 : c->seen);
    c->seen = count;
    return c->value;
}

void cs_kvm_set_value(kvm_counter *c, uint64_t value)
{
    c->value = value;
    c->seen = c->event.core->count;
    cs_riscv_perf_set_period(c->event.perf, period_of(c));
}
