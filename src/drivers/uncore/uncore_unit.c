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
    d->report.register_accesses++;
    d->report.bus_cycles += d->now - *rose + unit->far_cycles;
    d->report.failed_accesses += result->resp != CS_BUS_OKAY;
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
static cs_cycle read_count(cs_uncore_driver *d, uncore_event *e)
{
    const uncore_unit *unit = &d->units[e->unit];
    uint64_t value;
    cs_cycle rose;
    const bool good = access_register(d, unit, false, COUNT((unsigned)e->counter), &value, &rose);

    e->tried = rose;
    if (!good)
        return rose;
    d->report.overdue_reads += d->now - e->read > unit->wrap_cycles;
    e->raw += (value - e->last) & unit->mask;
    e->last = value;
    e->read = rose;
    return rose;
}

void cs_uncore_read_event(cs_uncore_driver *d, uncore_event *e)
{
    const cs_cycle rose = read_count(d, e);

    e->running += rose - e->since;
    e->since = rose;
}

/* ---- switching ---- */

static uncore_counters uncore_wanted(const uncore_cpu *cpu, unsigned unit)
{
    const int8_t *counters = cpu->rotation != NULL ? cs_rotation_counters(cpu->rotation) : NULL;
    uncore_counters to = {{NULL}};

    for (size_t i = 0; i < cpu->nr_list; i++)
        if (cpu->list[i]->unit == unit && counters[i] >= 0)
            to.on[counters[i]] = cpu->list[i];
    return to;
}

static void take_away(cs_uncore_driver *d, uncore_event *e, cs_cycle time)
{
    cs_uncore_work(d, d->config.spec->event_cycles);
    read_count(d, e);
    e->running += time - e->since;
    e->counter = NO_COUNTER;
}

/* The second and the third word of a raw event; what the counter has already is not written. */
static void choose_tags(cs_uncore_driver *d, uncore_unit *unit, const uncore_event *e,
                        unsigned counter)
{
    if (unit->match[counter] != e->spec->config1)
        write_register(d, unit, MATCH(counter), e->spec->config1);
    if (unit->mask_of_tags[counter] != e->spec->config2)
        write_register(d, unit, MASK(counter), e->spec->config2);
    unit->match[counter] = e->spec->config1;
    unit->mask_of_tags[counter] = e->spec->config2;
}

static void set_count(cs_uncore_driver *d, const uncore_unit *unit, uncore_event *e)
{
    e->read = write_register(d, unit, COUNT((unsigned)e->counter), unit->start);
    e->tried = e->read;
    e->last = unit->start;
}

static void uncore_bring(cs_uncore_driver *d, uncore_unit *unit, uncore_event *e, unsigned counter)
{
    const cs_uncore_placed placed = {e->unit, counter, e->event, (unsigned)(e - d->events)};

    cs_uncore_work(d, d->config.spec->event_cycles);
    cs_tell_uncore_placed(d->config.soft, d->now, unit->cpu->cpu, &placed);
    choose_tags(d, unit, e, counter);
    write_register(d, unit, SELECT(counter), SELECT_ON | e->event);
    e->counter = (int8_t)counter;
    set_count(d, unit, e);
}

/* By counter: its event leaves it, even if it comes back to it. */
static uint32_t uncore_leaving(const uncore_unit *unit, const uncore_counters *to, bool all)
{
    uint32_t mask = 0;

    for (unsigned c = 0; c < unit->spec->counters; c++) {
        const uncore_event *on = unit->now.on[c];

        if (on != to->on[c] || (on != NULL && all && !on->pinned))
            mask |= 1u << c;
    }
    return mask;
}

/* Counters without an event do not interrupt. */
static void enable_interrupts(cs_uncore_driver *d, uncore_unit *unit, const uncore_counters *to)
{
    uint64_t ie = 0;

    for (unsigned c = 0; c < unit->spec->counters && c < sizeof to->on / sizeof to->on[0]; c++)
        ie |= (uint64_t)(to->on[c] != NULL) << c;
    if (d->config.spec->by_interrupt && ie != unit->ie)
        write_register(d, unit, IE, ie);
    unit->ie = ie;
}

/* Steps 2 to 4. */
static void uncore_exchange(cs_uncore_driver *d, uncore_unit *unit, const uncore_counters *to,
                            uint32_t leaves, cs_cycle time)
{
    const uncore_counters was = unit->now;

    for (unsigned c = 0; c < unit->spec->counters; c++)
        if (was.on[c] != NULL && (leaves >> c & 1) != 0)
            take_away(d, was.on[c], time);
    for (unsigned c = 0; c < unit->spec->counters; c++)
        if (was.on[c] != NULL && to->on[c] == NULL)
            write_register(d, unit, SELECT(c), 0);
    enable_interrupts(d, unit, to);
    for (unsigned c = 0; c < unit->spec->counters; c++)
        if (to->on[c] != NULL && (leaves >> c & 1) != 0)
            uncore_bring(d, unit, to->on[c], c);
    unit->now = *to;
}

bool cs_uncore_switch(cs_uncore_driver *d, uncore_cpu *cpu, unsigned number, bool anew,
                      cs_cycle *time)
{
    uncore_unit *unit = &d->units[number];
    const uncore_counters to = uncore_wanted(cpu, number);
    const uint32_t leaves = uncore_leaving(unit, &to, anew && d->config.spec->take_out_all);
    const bool ran = unit->running;
    cs_cycle at = d->now;

    unit->running = false;
    for (unsigned c = 0; c < unit->spec->counters; c++)
        unit->running = unit->running || to.on[c] != NULL;
    if (leaves != 0) {
        if (ran)
            at = write_register(d, unit, CTL, 0);
        uncore_exchange(d, unit, &to, leaves, at);
        if (unit->running) {
            const cs_cycle start = write_register(d, unit, CTL, CTL_EN);

            at = ran ? at : start;
        }
        for (unsigned c = 0; c < unit->spec->counters; c++)
            if (to.on[c] != NULL && (leaves >> c & 1) != 0)
                to.on[c]->since = at;
    }
    *time = at;
    return leaves != 0;
}

cs_cycle cs_uncore_clear(cs_uncore_driver *d, unsigned number)
{
    static const uncore_counters none = {{NULL}};
    uncore_unit *unit = &d->units[number];
    cs_cycle at;

    if (!unit->running)
        return d->now;
    unit->running = false;
    at = write_register(d, unit, CTL, 0);
    uncore_exchange(d, unit, &none, uncore_leaving(unit, &none, false), at);
    return at;
}

void cs_uncore_take_overflows(cs_uncore_driver *d, uncore_unit *unit)
{
    uint64_t overflowed = 0;
    cs_cycle rose;

    if (!access_register(d, unit, false, OVF, &overflowed, &rose) || overflowed == 0)
        return;
    write_register(d, unit, OVF, overflowed);
    for (unsigned c = 0; c < unit->spec->counters; c++) {
        uncore_event *e = unit->now.on[c];

        if ((overflowed >> c & 1) == 0 || e == NULL)
            continue;
        cs_uncore_read_event(d, e);
        if (e->read == e->tried)
            set_count(d, unit, e);
    }
}

cs_cycle cs_uncore_poll_due(const uncore_unit *unit)
{
    cs_cycle due = CS_NEVER;

    for (unsigned c = 0; c < unit->spec->counters; c++) {
        const uncore_event *e = unit->now.on[c];

        if (e != NULL && unit->poll_cycles < CS_NEVER - e->tried &&
            e->tried + unit->poll_cycles < due)
            due = e->tried + unit->poll_cycles;
    }
    return due;
}
