// SPDX-License-Identifier: Apache-2.0
/* A unit's registers: docs/drivers/uncore_driver.md, "Accesses", "Switching a unit". */
#include "drivers/uncore/uncore_impl.h"

#define CTL 0x008u
#define CTL_EN 1u
#define OVF 0x010u
#define IE 0x018u
#define SELECT(n) (0x100u + 8u * (n))
#define SELECT_ON 0x10000u
#define COUNT(n) (0x200u + 8u * (n))
#define MATCH(n) (0x300u + 8u * (n))
#define MASK(n) (0x400u + 8u * (n))

CS_SOFT_PRINTED(uncore_placed, cs_uncore_placed, "uncore event placed")
{
    fprintf(out, "unit %u, event %u (number %u of all) on counter %u", what->unit, what->event,
            what->serial, what->counter);
}

/* False: it failed. *rose becomes the cycle in which the transfer rose. */
static bool access_register(cs_uncore_driver *d, const uncore_unit *unit, bool write,
                            uint32_t offset, uint64_t *value, cs_cycle *rose)
{
    const cs_op op = {
        .kind = write ? CS_OP_WRITE : CS_OP_READ,
        .addr = unit->base + offset,
        .value = write ? *value : 0,
        .size = 8,
    };

    cs_uncore_work(d, d->config.access_cycles);
    cs_uncore_work(d, unit->far_cycles);
    *rose = d->now;
    const cs_op_result *result = cs_uncore_perform(d, op);
    d->units.report.register_accesses++;
    d->units.report.bus_cycles += d->now - *rose + unit->far_cycles;
    d->units.report.failed_accesses += result->resp != CS_BUS_OKAY;
    if (!write)
        *value = result->value;
    return result->resp == CS_BUS_OKAY;
}

static cs_cycle write_register(cs_uncore_driver *d, const uncore_unit *unit, uint32_t offset,
                               uint64_t value)
{
    cs_cycle rose;

    access_register(d, unit, true, offset, &value, &rose);
    return rose;
}

/* What its counter has counted since it was read or set; `tried` tells a read that failed. */
cs_cycle cs_uncore_read_event(void *ctx, cs_unit_event *e)
{
    cs_uncore_driver *d = ctx;
    const uncore_unit *unit = &d->regs[e->unit];
    uint64_t value;
    cs_cycle rose;
    const bool good = access_register(d, unit, false, COUNT((unsigned)e->counter), &value, &rose);

    e->tried = rose;
    if (!good)
        return rose;
    d->units.report.overdue_reads += d->now - e->read > unit->wrap_cycles;
    cs_unit_counts(e, value, unit->mask);
    e->read = rose;
    return rose;
}

/* ---- switching ---- */

static void take_away(cs_uncore_driver *d, cs_unit *unit, cs_unit_event *e, cs_cycle time)
{
    cs_uncore_work(d, d->config.spec->event_cycles);
    cs_uncore_read_event(d, e);
    cs_unit_leaves(unit, e, time);
}

/* The second and the third word of a raw event; what the counter has already is not written. */
static void choose_tags(cs_uncore_driver *d, uncore_unit *unit, const cs_unit_event *e,
                        unsigned counter)
{
    if (unit->match[counter] != e->config1)
        write_register(d, unit, MATCH(counter), e->config1);
    if (unit->mask_of_tags[counter] != e->config2)
        write_register(d, unit, MASK(counter), e->config2);
    unit->match[counter] = e->config1;
    unit->mask_of_tags[counter] = e->config2;
}

static void set_count(cs_uncore_driver *d, const uncore_unit *unit, cs_unit_event *e,
                      unsigned counter)
{
    e->read = write_register(d, unit, COUNT(counter), unit->start);
    e->tried = e->read;
    e->last = unit->start;
}

static void uncore_bring(cs_uncore_driver *d, const cs_unit *unit, cs_unit_event *e,
                         unsigned counter)
{
    uncore_unit *regs = &d->regs[unit->number];
    const cs_uncore_placed placed = {e->unit, counter, e->number, (unsigned)(e - d->units.events)};

    cs_uncore_work(d, d->config.spec->event_cycles);
    cs_tell_uncore_placed(d->config.soft, d->now, unit->cpu->number, &placed);
    choose_tags(d, regs, e, counter);
    write_register(d, regs, SELECT(counter), SELECT_ON | e->number);
    set_count(d, regs, e, counter);
}

static uint32_t uncore_busy(const cs_unit *unit, cs_unit_event *const events[])
{
    uint32_t busy = 0;

    for (unsigned c = 0; c < unit->counters; c++)
        busy |= (uint32_t)(events[c] != NULL) << c;
    return busy;
}

/* Counters without an event do not interrupt. */
static void enable_interrupts(cs_uncore_driver *d, uncore_unit *unit, uint32_t busy)
{
    if (d->config.spec->by_interrupt && busy != unit->ie)
        write_register(d, unit, IE, busy);
    unit->ie = busy;
}

/* Steps 2 to 4. */
static void uncore_exchange(cs_uncore_driver *d, cs_unit *unit, cs_unit_event *const to[],
                            uint32_t moves, cs_cycle time)
{
    uncore_unit *regs = &d->regs[unit->number];
    const uint32_t was = uncore_busy(unit, unit->on), busy = uncore_busy(unit, to);

    for (unsigned c = 0; c < unit->counters; c++)
        if ((was & moves) >> c & 1)
            take_away(d, unit, unit->on[c], time);
    for (unsigned c = 0; c < unit->counters; c++)
        if ((was & ~busy) >> c & 1)
            write_register(d, regs, SELECT(c), 0);
    enable_interrupts(d, regs, busy);
    for (unsigned c = 0; c < unit->counters; c++)
        if ((busy & moves) >> c & 1)
            uncore_bring(d, unit, to[c], c);
}

void cs_uncore_change(void *ctx, cs_unit *unit, cs_unit_event *const to[], uint32_t moves)
{
    cs_uncore_driver *d = ctx;
    uncore_unit *regs = &d->regs[unit->number];
    const bool ran = regs->running;

    regs->running = uncore_busy(unit, to) != 0;
    if (ran)
        unit->time = write_register(d, regs, CTL, 0);
    uncore_exchange(d, unit, to, moves, unit->time);
    if (regs->running) {
        const cs_cycle start = write_register(d, regs, CTL, CTL_EN);

        unit->time = ran ? unit->time : start;
    }
    for (unsigned c = 0; c < unit->counters; c++)
        if ((moves >> c & 1) != 0 && to[c] != NULL)
            cs_unit_comes(unit, to[c], c, unit->time);
}

void cs_uncore_take_overflows(cs_uncore_driver *d, const cs_unit *unit)
{
    const uncore_unit *regs = &d->regs[unit->number];
    uint64_t overflowed = 0;
    cs_cycle rose;

    if (!access_register(d, regs, false, OVF, &overflowed, &rose) || overflowed == 0)
        return;
    write_register(d, regs, OVF, overflowed);
    for (unsigned c = 0; c < unit->counters; c++) {
        cs_unit_event *e = unit->on[c];

        if ((overflowed >> c & 1) == 0 || e == NULL)
            continue;
        cs_uncore_read_event(d, e);
        if (e->read == e->tried)
            set_count(d, regs, e, c);
    }
}

cs_cycle cs_uncore_poll_due(const cs_uncore_driver *d, const cs_unit *unit)
{
    const uint64_t cycles = d->regs[unit->number].poll_cycles;
    cs_cycle due = CS_NEVER;

    for (unsigned c = 0; c < unit->counters; c++) {
        const cs_unit_event *e = unit->on[c];

        if (e != NULL && cycles < CS_NEVER - e->tried && e->tried + cycles < due)
            due = e->tried + cycles;
    }
    return due;
}
