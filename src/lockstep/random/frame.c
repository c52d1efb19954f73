// SPDX-License-Identifier: Apache-2.0
/* The frame of a random scenario: the die, bus, memory and its faults, what drives whom, and the
 * script in which the units take turns. */
#include <stdio.h>
#include <string.h>

#include "lockstep/random/random.h"

#define MOST_UNITS 16u

typedef struct frame {
    cs_draw *d;
    const cs_random_unit *units[MOST_UNITS]; /* that take part */
    _Alignas(16) unsigned char states[MOST_UNITS][CS_RANDOM_STATE];
    size_t nr;
    const cs_random_unit *scripted[MOST_UNITS]; /* those that a script touches */
    void *scripted_states[MOST_UNITS];
    size_t nr_scripted, wanted; /* which of them has to take part; none: beyond the last */
    unsigned ports;             /* CPUs that have steps; 0: one, on the port that all share */
} frame;

/* ---- names ---- */

static bool answers(const cs_random_unit *unit, const char *name)
{
    if (strcmp(unit->name, name) == 0)
        return true;
    for (size_t i = 0; i < 4 && unit->alike[i] != NULL; i++)
        if (strcmp(unit->alike[i], name) == 0)
            return true;
    return false;
}

bool cs_random_knows(const char *unit, char *names, size_t size)
{
    bool known = unit == NULL;
    size_t used = 0;

    for (size_t i = 0; cs_random_units[i] != NULL; i++) {
        const cs_random_unit *row = cs_random_units[i];

        known = known || answers(row, unit);
        for (size_t k = 0; names != NULL && k < 5 && (k == 0 || row->alike[k - 1] != NULL); k++)
            used += (size_t)snprintf(names + (used < size ? used : size),
                                     used < size ? size - used : 0, "%s%s", used != 0 ? ", " : "",
                                     k == 0 ? row->name : row->alike[k - 1]);
    }
    return known;
}

bool cs_random_has(const cs_die_shape *die, const char *name)
{
    for (size_t i = 0; cs_random_units[i] != NULL; i++)
        if (answers(cs_random_units[i], name) && cs_die_shape_has(die, cs_random_units[i]->name))
            return true;
    return false;
}

/* ---- which units ---- */

/* Draws who is there; false: the one that is wanted is not. */
static bool draw_units(frame *f, const cs_die_shape *die, const char *wanted)
{
    bool there = wanted == NULL;

    f->nr = 0;
    for (size_t i = 0; cs_random_units[i] != NULL && f->nr < MOST_UNITS; i++) {
        const cs_random_unit *unit = cs_random_units[i];

        if (cs_draw_get(f->d, "alone") != 0)
            break;
        memset(f->states[f->nr], 0, CS_RANDOM_STATE);
        cs_draw_set(f->d, "wanted", wanted != NULL && answers(unit, wanted));
        if (!unit->shape(f->d, die, f->states[f->nr]))
            continue;
        there = there || answers(unit, wanted);
        f->units[f->nr++] = unit;
    }
    return there && f->nr != 0;
}

/* The die by whose sizes the units are drawn. */
static cs_status draw_die(frame *f, const cs_random_dies *dies, const char *wanted, cs_diag *diag)
{
    for (unsigned tries = 0; tries < 1000; tries++) {
        const unsigned at = cs_draw_pick(f->d, "die", (unsigned)dies->nr);

        f->d->nr_facts = 0;
        if (!draw_units(f, &dies->shapes[at], wanted))
            continue;
        cs_draw_set(f->d, "ports", 1 + cs_die_shape_get(&dies->shapes[at], "ports", "NrPort"));
        return CS_OK;
    }
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, NULL,
                       "none of the ready-made dies has the unit '%s'", wanted);
}

/* ---- sections ---- */

void cs_random_fault(cs_draw *d, uint64_t base, uint64_t bytes, unsigned most_nth)
{
    static const char *const accesses[] = {"any", "read", "write"};
    const unsigned access = cs_draw_pick(d, "fault.access", 3);

    cs_draw_put(d,
                "    - {base: 0x%" PRIx64 ", size: %" PRIu64 ", access: %s, nth: %u, count: %u, ",
                base, bytes, accesses[access], (unsigned)cs_draw_between(d, 1, most_nth),
                (unsigned)cs_draw_between(d, 1, 4));
    if (cs_draw_flag(d, "fault.stall", 45))
        cs_draw_line(d, "action: stall, stall_cycles: %u}", (unsigned)cs_draw_between(d, 1, 900));
    else
        cs_draw_line(d, "action: error}");
}

void cs_random_clock(cs_draw *d, unsigned mhz)
{
    if (cs_draw_get(d, "clock") != 0)
        return;
    cs_draw_set(d, "clock", mhz);
    cs_draw_line(d, "corepmu: {clock_mhz: %u}", mhz);
}

static void bus_and_memory(frame *f)
{
    cs_draw *d = f->d;
    bool begun = false;

    cs_draw_line(d,
                 "bus: {clock_mhz: %u, arbitration: %s, forward_cycles: %u, return_cycles: %u, "
                 "register_access_cycles: %u}",
                 cs_draw_get(d, "slow") ? 100 : 1000,
                 cs_draw_flag(d, "bus.per_target", 50) ? "per_target" : "shared",
                 (unsigned)cs_draw_below(d, 4), (unsigned)cs_draw_below(d, 4),
                 (unsigned)cs_draw_between(d, 1, cs_draw_chance(d, 20) ? 14 : 6));
    cs_draw_line(d, "memory:\n  read_cycles: %u\n  write_cycles: %u\n  gap_cycles: %u",
                 (unsigned)cs_draw_below(d, 20), (unsigned)cs_draw_below(d, 12),
                 (unsigned)cs_draw_below(d, 3));
    for (size_t i = 0; i < f->nr; i++) {
        if (f->units[i]->fault == NULL || !cs_draw_flag(d, "faults", 55))
            continue;
        if (!begun)
            cs_draw_line(d, "  faults:");
        begun = true;
        for (uint64_t n = cs_draw_between(d, 1, 4); n > 0; n--)
            f->units[i]->fault(d, f->states[i]);
    }
}

static void describe_units(frame *f)
{
    unsigned cpus = 0;

    for (size_t i = 0; i < f->nr; i++)
        if (f->units[i]->sections != NULL)
            f->units[i]->sections(f->d, f->states[i]);
    for (size_t i = 0; i < f->nr; i++) {
        const cs_random_unit *unit = f->units[i];

        if (unit->cpus == NULL)
            continue;
        if (cpus == 0)
            cs_draw_line(f->d, "workloads:");
        unit->workloads(f->d, f->states[i], cpus);
        cpus += unit->cpus(f->states[i]);
    }
}

/* ---- software ---- */

static void draw_software(frame *f, const char *wanted)
{
    cs_draw *d = f->d;
    const char *words[MOST_UNITS];
    size_t nr = 0;

    f->wanted = MOST_UNITS;
    for (size_t i = 0; i < f->nr; i++) {
        const cs_random_unit *unit = f->units[i];
        const char *word = unit->driver != NULL ? unit->driver(d, f->states[i]) : NULL;

        if (word != NULL)
            words[nr++] = word;
        if (unit->step == NULL || (unit->driven != NULL && unit->driven(f->states[i])))
            continue;
        if (wanted != NULL && answers(unit, wanted))
            f->wanted = f->nr_scripted;
        f->scripted[f->nr_scripted] = unit;
        f->scripted_states[f->nr_scripted++] = f->states[i];
    }
    if (f->nr_scripted != 0)
        words[nr++] = "script";
    if (nr == 0)
        return;
    /* Side by side where steps are all that CPUs do. */
    for (size_t i = 0; nr == 1 && f->nr_scripted != 0 && i < f->nr; i++)
        if (f->units[i]->scripts != NULL)
            f->ports = f->units[i]->scripts(f->states[i]);
    if (f->ports > cs_draw_get(d, "ports"))
        f->ports = (unsigned)cs_draw_get(d, "ports");
    if (f->ports < 2 || !cs_draw_flag(d, "ports", 50))
        f->ports = 0;
    cs_draw_put(d, "software: {kind: [");
    for (size_t i = 0; i < nr; i++)
        cs_draw_put(d, "%s%s", i != 0 ? ", " : "", words[i]);
    cs_draw_put(d, "], access_cycles: %u", (unsigned)cs_draw_below(d, 25));
    if (f->ports != 0 || (cs_draw_get(d, "several") != 0 && cs_draw_get(d, "one port") == 0 &&
                          cs_draw_get(d, "ports") > 1 &&
                          (cs_draw_get(d, "several") == 2 || cs_draw_flag(d, "per_cpu", 50))))
        cs_draw_put(d, ", ports: per_cpu, ipi_cycles: %u",
                    (unsigned)cs_draw_between(d, 1, cs_draw_chance(d, 50) ? 5 : 2000));
    cs_draw_line(d, "}");
}

/* Whose turn it is: that of the unit that is wanted more often. */
static void turn(frame *f)
{
    static const unsigned most[] = {30, 400, 1800};
    const size_t at = f->wanted < f->nr_scripted && cs_draw_chance(f->d, 60)
                          ? f->wanted
                          : cs_draw_below(f->d, f->nr_scripted);

    if (cs_draw_chance(f->d, 80))
        cs_draw_pause(f->d, 1, most[cs_draw_pick(f->d, "pause", 3)]);
    f->scripted[at]->step(f->d, f->scripted_states[at]);
}

/* What CPUs have to do with one another. */
static void meet(frame *f)
{
    cs_draw *d = f->d;
    unsigned lock;

    switch (cs_draw_pick(d, "meet", 4)) {
    case 0:
        lock = (unsigned)cs_draw_below(d, 2);
        cs_draw_line(d, "  - lock: %u", lock);
        for (uint64_t n = cs_draw_below(d, 4); n > 0; n--)
            turn(f);
        cs_draw_line(d, "  - unlock: %u", lock);
        break;
    case 1:
        cs_draw_line(d, "  - signal: %u", (unsigned)cs_draw_below(d, f->ports));
        break;
    case 2:
        cs_draw_line(d, "  - wait_signal: %u", (unsigned)cs_draw_between(d, 1, 2000));
        break;
    default:
        cs_draw_line(d, "  - wait_irq: %u", (unsigned)cs_draw_between(d, 1, 500));
        break;
    }
}

static void write_script(frame *f)
{
    cs_draw *d = f->d;

    if (f->nr_scripted == 0)
        return;
    cs_draw_line(d, "script:");
    for (unsigned cpu = 0; cpu < (f->ports != 0 ? f->ports : 1); cpu++) {
        if (f->ports != 0)
            cs_draw_line(d, "  - cpu: %u", cpu);
        for (size_t i = 0; cpu == 0 && i < f->nr_scripted; i++)
            f->scripted[i]->program(d, f->scripted_states[i]);
        if (cpu != 0)
            cs_draw_pause(d, 1, 600);
        for (uint64_t n = cs_draw_between(d, 8, 40 + 8 * f->nr_scripted); n > 0; n--)
            if (f->ports != 0 && cs_draw_chance(d, 30))
                meet(f);
            else
                turn(f);
        /* Reads back what those before have left; the last CPU has it all. */
        cs_draw_pause(d, 1, 1200);
        for (size_t i = 0; i < f->nr_scripted; i++)
            f->scripted[i]->last(d, f->scripted_states[i]);
    }
}

cs_status cs_random_scenario(cs_draw *d, const cs_random_dies *dies, const char *unit,
                             const char *name, cs_diag *diag)
{
    frame f = {.d = d};
    cs_status status = draw_die(&f, dies, unit, diag);

    if (status != CS_OK)
        return status;
    cs_draw_line(d, "name: %s", name);
    cs_draw_line(d, "seed: %u", (unsigned)cs_draw_bits(d));
    bus_and_memory(&f);
    describe_units(&f);
    draw_software(&f, unit);
    write_script(&f);
    if (cs_draw_failed(d))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a random scenario");
    return CS_OK;
}
