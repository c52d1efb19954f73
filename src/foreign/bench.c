// SPDX-License-Identifier: Apache-2.0
#include "foreign/bench.h"

#include <string.h>

#define RING (CS_FOREIGN_MAX_LATE + 1)
#define AFTER_CYCLES 200u /* are looked at behind a difference */
#define CYCLES_BEFORE_RESET 3u
#define CYCLES_OF_RESET 2u
enum { CLOCK, RESET };

void cs_foreign_bench_begin(cs_foreign_bench *bench, uint64_t seed)
{
    const cs_foreign_design *d = bench->design;

    bench->seed = seed;
    bench->random.state = cs_hash_mix(seed + CS_HASH_STEP);
    bench->report->seed = bench->differs ? bench->report->seed : seed;
    bench->now = bench->next = 0;
    bench->ended = bench->nr_recent = 0;
    bench->current = NULL;
    memset(bench->wanted, 0, sizeof bench->wanted);
    memset(bench->last, 0, sizeof bench->last);
    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++)
        bench->width[i] = bench->unit->pins[i].width < 64 ? bench->unit->pins[i].width : 64;
    memcpy(bench->setting, d->setting, sizeof bench->setting);
    for (unsigned i = 0; bench->unit->settings[i].name != NULL; i++)
        cs_foreign_draw_setting(bench, i, bench->unit->settings[i].least,
                                bench->unit->settings[i].most);
}

void cs_foreign_draw_setting(cs_foreign_bench *bench, unsigned setting, uint64_t least,
                             uint64_t most)
{
    const cs_foreign_design *d = bench->design;
    const char *pin = bench->unit->settings[setting].pin;

    if (!d->set[setting] && pin != NULL && d->linked[cs_foreign_pin_index(bench->unit, pin)])
        bench->setting[setting] = least + cs_foreign_draw(bench, most - least + 1);
}

static void strap(cs_foreign_bench *bench)
{
    for (unsigned i = 0; bench->unit->settings[i].name != NULL; i++) {
        const cs_foreign_setting *s = &bench->unit->settings[i];
        const int pin = s->pin != NULL ? cs_foreign_pin_index(bench->unit, s->pin) : -1;

        if (pin >= 0)
            cs_foreign_drive(bench, (unsigned)pin, 0,
                             bench->unit->pins[pin].width < 64 ? bench->unit->pins[pin].width : 64,
                             bench->setting[i]);
    }
    if (bench->unit->strap != NULL)
        bench->unit->strap(bench);
}

static void clocks(cs_foreign_bench *bench, unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++) {
        cs_foreign_clock(bench, 0);
        cs_foreign_clock(bench, 1);
    }
    cs_foreign_clock(bench, 0);
}

/* Also an input is anything before somebody drives it. */
static void hold(cs_foreign_bench *bench, unsigned pin)
{
    const cs_foreign_pin *p = &bench->unit->pins[pin];

    for (unsigned at = 0; at < p->width; at += 64)
        cs_foreign_drive(bench, pin, at, p->width - at < 64 ? p->width - at : 64,
                         at == 0 ? p->held : 0);
}

/* Registers hold anything and are clocked, so that only what is reset is known. Then reset falls between
 * two edges, is low over two, and rises before the next one, which is cycle 0's. */
void cs_foreign_bench_restart(cs_foreign_bench *bench)
{
    cs_foreign_dut_restart(bench->dut, bench->seed);
    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++) {
        bench->pins[i] = cs_foreign_dut_pin(bench->dut, bench->unit->pins[i].name);
        if (!bench->unit->pins[i].output)
            hold(bench, i);
    }
    strap(bench);
    cs_foreign_drive(bench, RESET, 0, 1, 1);
    clocks(bench, CYCLES_BEFORE_RESET);
    cs_foreign_drive(bench, RESET, 0, 1, 0);
    clocks(bench, CYCLES_OF_RESET);
    cs_foreign_drive(bench, RESET, 0, 1, 1);
}

/* Increments count later than they come: some are on their way. */
static bool lags(const cs_foreign_bench *bench)
{
    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++)
        if (bench->unit->pins[i].lags && bench->design->late[i] != 0)
            return true;
    return false;
}

/* Drawn apart from all else. One in four programs has one; in half of these it comes near the end, so that
 * what it has left behind is still there when all registers are read. */
void cs_foreign_plan_reset(cs_foreign_bench *bench, cs_cycle cycles)
{
    cs_foreign_random random = {cs_hash_mix(bench->seed ^ CS_HASH_STEP)};

    bench->reset_from = bench->reset_to = CS_NEVER;
    if (!cs_foreign_one_in(&random, 4) || cycles < 2 || lags(bench))
        return;
    bench->reset_from = 1 + cs_foreign_below(&random, cycles - 1);
    if (cs_foreign_one_in(&random, 2))
        bench->reset_from = cycles - 1 - cs_foreign_below(&random, cycles < 40 ? cycles - 1 : 40);
    bench->reset_to = bench->reset_from + CYCLES_OF_RESET + cs_foreign_below(&random, 4);
}

bool cs_foreign_in_reset(cs_foreign_bench *bench)
{
    if (bench->now == bench->reset_from) {
        memset(bench->wanted, 0, sizeof bench->wanted);
        cs_foreign_drive(bench, RESET, 0, 1, 0);
        cs_foreign_did_this(bench, "reset");
    }
    if (bench->now == bench->reset_to) {
        cs_foreign_drive(bench, RESET, 0, 1, 1);
        bench->unit->reset(bench);
        cs_foreign_did_this(bench, "reset is over");
    }
    return bench->now >= bench->reset_from && bench->now < bench->reset_to;
}

/* ---- inputs ---- */

void cs_foreign_clock(cs_foreign_bench *bench, unsigned level)
{
    cs_foreign_drive(bench, CLOCK, 0, 1, level);
    cs_foreign_dut_eval(bench->dut);
}

uint64_t cs_foreign_given(const cs_foreign_bench *bench, unsigned pin, uint64_t value)
{
    const cs_foreign_pin *p = &bench->unit->pins[pin];

    return cs_foreign_has(bench, pin) ? value & cs_foreign_largest(bench->design, pin, p->width)
                                      : p->held;
}

uint64_t cs_foreign_give(cs_foreign_bench *bench, unsigned pin, uint64_t value)
{
    value = cs_foreign_given(bench, pin, value);
    cs_foreign_drive(bench, pin, 0, bench->unit->pins[pin].width, value);
    return value;
}

/* ---- what was done ---- */

/* A place in the order of cycles; the oldest ones give way. Long after a difference nothing is kept. */
static cs_foreign_deed *deed_of(cs_foreign_bench *bench, cs_cycle cycle)
{
    cs_foreign_deed *list = bench->recent;
    unsigned at;

    if (bench->differs && bench->after++ >= CS_FOREIGN_RECENT / 2) {
        bench->spare = (cs_foreign_deed){.cycle = cycle};
        return &bench->spare;
    }
    if (bench->nr_recent == 2 * CS_FOREIGN_RECENT) {
        memcpy(&list[0], &list[CS_FOREIGN_RECENT], CS_FOREIGN_RECENT * sizeof list[0]);
        bench->nr_recent = CS_FOREIGN_RECENT;
    }
    at = bench->nr_recent++;
    for (; at > 0 && list[at - 1].cycle > cycle; at--)
        list[at] = list[at - 1];
    list[at] = (cs_foreign_deed){.cycle = cycle};
    return &list[at];
}

cs_foreign_deed *cs_foreign_did_this(cs_foreign_bench *bench, const char *verb)
{
    bench->current = deed_of(bench, bench->now);
    bench->current->verb = verb;
    return bench->current;
}

cs_foreign_deed *cs_foreign_accessed(cs_foreign_bench *bench, const char *verb, uint64_t addr,
                                     bool write, bool refused)
{
    cs_foreign_deed *deed = cs_foreign_did_this(bench, verb);

    deed->is_register = deed->has_addr = true;
    deed->addr = addr;
    bench->report->accesses++;
    bench->report->refused += refused;
    cs_foreign_tally_add(bench->tally, (unsigned)addr,
                         refused ? CS_FOREIGN_REFUSED
                         : write ? CS_FOREIGN_WRITTEN
                                 : CS_FOREIGN_READ);
    return deed;
}

/* ---- outputs ---- */

void cs_foreign_expect(cs_foreign_bench *bench, unsigned pin, uint64_t value)
{
    cs_foreign_expect_field(bench, pin, 0, value);
}

void cs_foreign_expect_field(cs_foreign_bench *bench, unsigned pin, unsigned field, uint64_t value)
{
    bench->wanted[pin][bench->now % RING].expected |= (uint8_t)(1u << field);
    bench->wanted[pin][bench->now % RING].value[field] = value;
}

void cs_foreign_expect_answer(cs_foreign_bench *bench, unsigned pin, uint64_t value)
{
    const cs_foreign_deed *deed = bench->current;
    cs_foreign_answer *answer = bench->current->answers;

    if (deed->is_register && bench->unit->pins[pin].width > 2)
        cs_foreign_tally_read(bench->tally, (unsigned)deed->addr, deed->behind, value,
                              bench->width[pin]);
    cs_foreign_expect(bench, pin, value);
    answer += answer->pin != NULL;
    *answer = (cs_foreign_answer){.pin = bench->unit->pins[pin].name,
                                  .value = bench->unit->pins[pin].width > 2,
                                  .model = value};
}

/* The answer of a cycle's deed to this pin; NULL: it is no answer. */
static cs_foreign_answer *answer_of(cs_foreign_bench *bench, const char *pin, cs_cycle from)
{
    for (unsigned i = bench->nr_recent; i-- > 0 && bench->recent[i].cycle >= from;)
        for (unsigned a = 0; a < 2 && bench->recent[i].cycle == from; a++)
            if (bench->recent[i].answers[a].pin == pin && !bench->recent[i].answers[a].compared)
                return &bench->recent[i].answers[a];
    return NULL;
}

static void look(cs_foreign_bench *bench, unsigned pin, uint64_t value)
{
    cs_foreign_looked *looked = &bench->report->looked[pin];

    if (looked->compared++ == 0)
        looked->first = value;
    looked->changed |= value != looked->first;
    bench->report->compared++;
}

static void differ(cs_foreign_bench *bench, unsigned pin, cs_cycle from, uint64_t model,
                   uint64_t rtl)
{
    cs_foreign_report *report = bench->report;

    bench->differs = true;
    bench->until = bench->now + AFTER_CYCLES;
    report->pin = bench->unit->pins[pin].name;
    report->cycle = from;
    report->model = model;
    report->rtl = rtl;
    cs_foreign_tell_counted(bench, from);
}

void cs_foreign_compare_value(cs_foreign_bench *bench, unsigned pin, unsigned field, cs_cycle from,
                              uint64_t model, uint64_t rtl)
{
    const cs_foreign_pin *p = &bench->unit->pins[pin];
    cs_foreign_answer *answer = answer_of(bench, p->name, from);
    const bool changed =
        bench->last[pin][field].model != model || bench->last[pin][field].rtl != rtl;
    const bool matters = p->about > CS_PROBE_REG || model != rtl;

    look(bench, pin, model);
    bench->last[pin][field].model = model;
    bench->last[pin][field].rtl = rtl;
    if (bench->waves != NULL)
        cs_foreign_waves_show(bench->waves, pin, field, model, rtl);
    if (answer == NULL && matters && (changed || (model != rtl && !bench->differs))) {
        cs_foreign_deed *deed = deed_of(bench, from);

        deed->verb = p->name;
        deed->each = p->each;
        deed->number = field;
        answer = &deed->answers[0];
        *answer = (cs_foreign_answer){.pin = p->name, .value = true};
    }
    if (answer != NULL) {
        answer->compared = true;
        answer->model = model;
        answer->rtl = rtl;
    }
    if (model != rtl && !bench->differs)
        differ(bench, pin, from, model, rtl);
}

/* What an output has to be, or fields of it: that of as many cycles ago as the MAP says. Of a port that
 * is narrower, the lowest bits. */
static void compare_output(cs_foreign_bench *bench, unsigned pin)
{
    const unsigned late = bench->design->late[pin];
    const unsigned bits = bench->design->bits[pin];
    const unsigned width = bits != 0 && bits < bench->width[pin] ? bits : bench->width[pin];
    const cs_cycle from = bench->now - late;

    const unsigned each = bench->unit->pins[pin].each != NULL ? bench->unit->pins[pin].field : 0;

    if (bench->now < late)
        return;
    for (unsigned f = 0; bench->wanted[pin][from % RING].expected != 0; f++) {
        const unsigned compared = each != 0 ? each : width;

        if ((bench->wanted[pin][from % RING].expected >> f & 1) == 0)
            continue;
        bench->wanted[pin][from % RING].expected &= (uint8_t) ~(1u << f);
        cs_foreign_compare_value(bench, pin, f, from,
                                 bench->wanted[pin][from % RING].value[f] &
                                     UINT64_MAX >> (64 - compared),
                                 cs_foreign_look(bench, pin, f * each, compared));
    }
}

void cs_foreign_compare_outputs(cs_foreign_bench *bench)
{
    const cs_foreign_pin *pins = bench->unit->pins;

    for (unsigned i = 0; pins[i].name != NULL; i++)
        if (pins[i].output && !pins[i].bus && !pins[i].followed && cs_foreign_has(bench, i))
            compare_output(bench, i);
}
