// SPDX-License-Identifier: Apache-2.0
/* The registers: docs/drivers/iommu_driver.md, "Accesses" and "A counter". */
#include "drivers/iommu_hpm/iommu_driver_impl.h"

#define IPSR 0x054u
#define IPSR_PMIP 4u
#define IOCOUNTOVF 0x058u
#define IOCOUNTINH 0x05cu
#define IOHPMCTR(n) (0x060u + 8u * (n))
#define IOHPMEVT(n) (0x158u + 8u * (n)) /* of counter n >= 1 */
#define OF ((uint64_t)1 << 63)

CS_SOFT_PRINTED(iommu_placed, cs_iommu_placed, "iommu event placed")
{
    fprintf(out, "unit %u, number %u of all on counter %u", what->unit, what->serial,
            what->counter);
}

/* ---- accesses, of 4 bytes each ---- */

/* The cycle in which the transfer rose. */
static cs_cycle access_register(cs_iommu_driver *d, const iommu_unit *unit, bool write,
                                uint32_t offset, uint32_t *value)
{
    const cs_op op = {.kind = write ? CS_OP_WRITE : CS_OP_READ,
                      .addr = unit->base + offset,
                      .value = write ? *value : 0,
                      .size = 4};

    cs_routine_delay(&d->routine, d->config.access_cycles);
    const cs_cycle rose = d->routine.now;
    const cs_op_result *result = cs_routine_perform(&d->routine, op);
    d->units.report.register_accesses++;
    d->units.report.bus_cycles += d->routine.now - rose;
    d->units.report.failed_accesses += result->resp != CS_BUS_OKAY;
    if (!write)
        *value = (uint32_t)result->value;
    return rose;
}

static uint32_t iommu_read4(cs_iommu_driver *d, const iommu_unit *unit, uint32_t offset)
{
    uint32_t value;

    access_register(d, unit, false, offset, &value);
    return value;
}

static cs_cycle iommu_write4(cs_iommu_driver *d, const iommu_unit *unit, uint32_t offset,
                             uint32_t value)
{
    return access_register(d, unit, true, offset, &value);
}

/* The upper half, then the lower one. */
static void iommu_write8(cs_iommu_driver *d, const iommu_unit *unit, uint32_t offset,
                         uint64_t value)
{
    iommu_write4(d, unit, offset + 4, (uint32_t)(value >> 32));
    iommu_write4(d, unit, offset, (uint32_t)value);
}

static uint64_t iommu_read8(cs_iommu_driver *d, const iommu_unit *unit, uint32_t offset)
{
    const uint64_t high = iommu_read4(d, unit, offset + 4);

    return high << 32 | iommu_read4(d, unit, offset);
}

/* ---- counters ---- */

static uint64_t mask_of(const iommu_unit *unit, unsigned n)
{
    return unit->masks[n != 0];
}

/* The halves of a counter that counts on: if the upper one has changed meanwhile, the lower one is read
 * again. *rose: when the transfer of the lower one rose. */
static uint64_t read_counter(cs_iommu_driver *d, const iommu_unit *unit, unsigned n, cs_cycle *rose)
{
    uint32_t low;
    const uint32_t high = iommu_read4(d, unit, IOHPMCTR(n) + 4);

    *rose = access_register(d, unit, false, IOHPMCTR(n), &low);
    const uint32_t again = iommu_read4(d, unit, IOHPMCTR(n) + 4);

    if (again != high)
        *rose = access_register(d, unit, false, IOHPMCTR(n), &low);
    return ((uint64_t)again << 32 | low) & mask_of(unit, n);
}

/* It begins in the middle: there is time for the interrupt. */
static void set_period(cs_iommu_driver *d, cs_unit_event *e, unsigned n)
{
    const iommu_unit *unit = &d->regs[e->unit];

    e->last = mask_of(unit, n) >> 1;
    iommu_write8(d, unit, IOHPMCTR(n), e->last);
}

cs_cycle cs_iommu_read(void *ctx, cs_unit_event *e)
{
    cs_iommu_driver *d = ctx;
    const iommu_unit *unit = &d->regs[e->unit];
    const unsigned n = (unsigned)e->counter;
    cs_cycle rose;

    cs_unit_counts(e, read_counter(d, unit, n, &rose), mask_of(unit, n));
    return rose;
}

/* Returns when it begins, or ends, to count. */
static cs_cycle iommu_inhibit(cs_iommu_driver *d, const iommu_unit *unit, unsigned n, bool inhibits)
{
    const uint32_t was = iommu_read4(d, unit, IOCOUNTINH);

    return iommu_write4(d, unit, IOCOUNTINH, inhibits ? was | 1u << n : was & ~(1u << n));
}

static void iommu_start(cs_iommu_driver *d, cs_unit *unit, cs_unit_event *e, unsigned n)
{
    const iommu_unit *regs = &d->regs[unit->number];
    const cs_iommu_placed placed = {e->unit, n, (unsigned)(e - d->units.events)};

    cs_routine_delay(&d->routine, d->config.spec->event_cycles);
    cs_tell_iommu_placed(d->config.soft, d->routine.now, d->config.cpu, &placed);
    set_period(d, e, n);
    if (n != 0)
        iommu_write8(d, regs, IOHPMEVT(n), e->config);
    cs_unit_comes(unit, e, n, iommu_inhibit(d, regs, n, false));
}

static void iommu_stop(cs_iommu_driver *d, cs_unit *unit, cs_unit_event *e)
{
    const unsigned n = (unsigned)e->counter;

    cs_routine_delay(&d->routine, d->config.spec->event_cycles);
    const cs_cycle at = iommu_inhibit(d, &d->regs[unit->number], n, true);
    cs_iommu_read(d, e);
    cs_unit_leaves(unit, e, at);
}

void cs_iommu_change(void *ctx, cs_unit *unit, cs_unit_event *const to[], uint32_t moves)
{
    for (unsigned n = 0; n < unit->counters; n++)
        if ((moves >> n & 1) != 0 && unit->on[n] != NULL)
            iommu_stop(ctx, unit, unit->on[n]);
    for (unsigned n = 0; n < unit->counters; n++)
        if ((moves >> n & 1) != 0 && to[n] != NULL)
            iommu_start(ctx, unit, to[n], n);
}

void cs_iommu_detect(cs_iommu_driver *d, unsigned number)
{
    iommu_unit *unit = &d->regs[number];

    iommu_write4(d, unit, IOCOUNTINH, UINT32_MAX);
    const uint32_t there = iommu_read4(d, unit, IOCOUNTINH);

    d->units.units[number].counters = (unsigned)__builtin_popcount(there);
    for (unsigned n = 0; n < 2; n++) {
        iommu_write8(d, unit, IOHPMCTR(n), n == 0 ? ~OF : UINT64_MAX);
        unit->masks[n] = iommu_read8(d, unit, IOHPMCTR(n));
    }
}

/* ---- overflows ---- */

static void clear_of(cs_iommu_driver *d, const iommu_unit *unit, unsigned n)
{
    const uint32_t offset = n == 0 ? IOHPMCTR(0) : IOHPMEVT(n);

    iommu_write8(d, unit, offset, iommu_read8(d, unit, offset) & ~OF);
}

/* All stand still meanwhile. */
void cs_iommu_take_overflows(cs_iommu_driver *d, const cs_unit *unit)
{
    const iommu_unit *regs = &d->regs[unit->number];

    if ((iommu_read4(d, regs, IPSR) & IPSR_PMIP) == 0)
        return;
    const uint32_t was = iommu_read4(d, regs, IOCOUNTINH);

    iommu_write4(d, regs, IOCOUNTINH, UINT32_MAX);
    const uint32_t overflowed = iommu_read4(d, regs, IOCOUNTOVF);

    for (unsigned n = 0; n < unit->counters; n++) {
        if ((overflowed >> n & 1) == 0)
            continue;
        if (unit->on[n] != NULL) {
            cs_iommu_read(d, unit->on[n]);
            set_period(d, unit->on[n], n);
        }
        clear_of(d, regs, n);
    }
    iommu_write4(d, regs, IPSR, IPSR_PMIP);
    iommu_write4(d, regs, IOCOUNTINH, was);
}
