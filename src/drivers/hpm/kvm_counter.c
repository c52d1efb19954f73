// SPDX-License-Identifier: Apache-2.0
/* A virtual counter is an event of the host's perf: pinned, of the guest's modes alone, with the period
 * that ends where the guest's counter would overflow. */
#include <errno.h>

#include "drivers/hpm/kvm_impl.h"

#define CSR_HVIP 0x645u
#define LCOFI (1u << 13)
#define RAW_BITS (((uint64_t)1 << 48) - 1)
#define RAW_V2_BITS (((uint64_t)1 << 56) - 1)
#define GROUPS 0x80000000u /* beyond those of perf commands */

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

static unsigned host_counter(const kvm_counter *c)
{
    const cs_kvm_config *config = &c->kvm->config;

    return cs_riscv_pmu_csr(config->host, (unsigned)cs_riscv_perf_index(c->event)) & 0x1f;
}

static void kvm_placed(void *ctx, cs_riscv_turn *turn, cs_cycle adding)
{
    kvm_counter *c = ctx;
    const cs_hart *hart = turn->hart;

    if (turn->on)
        c->turn.counter = host_counter(c);
    kvm_tell(c, hart, turn->on ? CS_RISCV_VIRTUAL_ON : CS_RISCV_VIRTUAL_OFF, c->turn.counter,
             adding);
}

static bool take_turn(kvm_counter *c, cs_hart *hart)
{
    cs_riscv_turn *turn = &c->turn;

    *turn = (cs_riscv_turn){.perf = c->event,
                            .group = GROUPS + c->number,
                            .pinned = true,
                            .whose = c,
                            .placed = kvm_placed};
    return cs_riscv_turns_open(c->kvm->config.turns, hart, &turn, 1) && turn->on;
}

/* What finds no counter stands still, and nobody is told: a pinned event in error. */
void cs_kvm_enable(kvm_counter *c, cs_hart *hart)
{
    const cs_cycle adding = cs_hart_now(hart);

    if (c->on)
        return;
    if (c->kvm->config.turns != NULL) {
        c->on = take_turn(c, hart);
    } else {
        c->on = cs_riscv_perf_add(c->kvm->config.host, hart, c->event, CS_RISCV_EF_START) == 0;
        if (c->on) {
            c->turn.counter = host_counter(c);
            kvm_tell(c, hart, CS_RISCV_VIRTUAL_ON, c->turn.counter, adding);
        }
    }
    c->kvm->figures.without += !c->on;
}

void cs_kvm_disable(kvm_counter *c, cs_hart *hart)
{
    cs_riscv_turn *turn = &c->turn;

    if (c->kvm->config.turns != NULL && turn->open) {
        cs_riscv_turns_close(c->kvm->config.turns, hart, &turn, 1);
    } else if (c->on) {
        cs_riscv_perf_del(c->kvm->config.host, hart, c->event);
        kvm_tell(c, hart, CS_RISCV_VIRTUAL_OFF, c->turn.counter, cs_hart_now(hart));
    }
    c->on = false;
}

/* ---- overflow ---- */

/* The host's handler has stopped the counter and read it. It goes on with as long a period as there
 * is: the guest will say what comes next. */
static void kvm_overflow(void *ctx, cs_hart *hart, cs_riscv_perf_event *event)
{
    kvm_counter *c = ctx;
    const cs_kvm_config *config = &c->kvm->config;

    kvm_tell(c, hart, CS_RISCV_VIRTUAL_OVERFLOW, host_counter(c), cs_hart_now(hart));
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
    return cs_riscv_perf_open(c->kvm->config.host, hart, &attr, &c->event);
}

void cs_kvm_release_event(kvm_counter *c, cs_hart *hart)
{
    if (c->event == NULL)
        return;
    cs_kvm_disable(c, hart);
    cs_riscv_perf_close(c->kvm->config.host, hart, c->event);
    c->event = NULL;
    c->started = false;
}

uint64_t cs_kvm_look(kvm_counter *c, cs_hart *hart)
{
    uint64_t count;

    if (c->event == NULL)
        return c->value;
    count = cs_riscv_perf_read(c->kvm->config.host, hart, c->event);
    c->value += count - (c->kvm->config.reads_add ? 0 : c->seen);
    c->seen = count;
    return c->value;
}

void cs_kvm_set_value(kvm_counter *c, uint64_t value)
{
    c->value = value;
    c->seen = cs_riscv_perf_count(c->event);
    cs_riscv_perf_set_period(c->event, period_of(c));
}
