#include "foreign/bench.h"

#include <string.h>

#define RING (CS_FOREIGN_MAX_LATE + 1)
#define AFTER_CYCLES 200u /* are looked at behind a difference */
enum { CLOCK, RESET };

void cs_foreign_bench_begin(cs_foreign_bench *bench, uint64_t seed)
{
    const cs_foreign_design *d = bench->design;

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

/* Reset is low over two edges, and rises before the third one, which is cycle 0's. */
void cs_foreign_bench_restart(cs_foreign_bench *bench)
{
    cs_foreign_dut_restart(bench->dut);
    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++) {
        bench->pins[i] = cs_foreign_dut_pin(bench->dut, bench->unit->pins[i].name);
        if (bench->unit->pins[i].held != 0)
            cs_foreign_drive(bench, i, 0, bench->unit->pins[i].width, bench->unit->pins[i].held);
    }
    strap(bench);
    for (unsigned i = 0; i < 2; i++) {
        cs_foreign_clock(bench, 0);
        cs_foreign_clock(bench, 1);
    }
    cs_foreign_clock(bench, 0);
    cs_foreign_drive(bench, RESET, 0, 1, 1);
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
static cs_foreign_deed *deed_of(cs_foreign_bench *bench, cycle_t cycle)
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
    bench->wanted[pin][bench->now % RING].expected = true;
    bench->wanted[pin][bench->now % RING].value = value;
}

void cs_foreign_expect_answer(cs_foreign_bench *bench, unsigned pin, uint64_t value)
{
    cs_foreign_answer *answer = bench->current->answers;

    cs_foreign_expect(bench, pin, value);
    answer += answer->pin != NULL;
    *answer = (cs_foreign_answer){.pin = bench->unit->pins[pin].name,
                                  .value = bench->unit->pins[pin].width > 2,
                                  .model = value};
}

/* The answer of a cycle's deed to this pin; NULL: it is no answer. */
static cs_foreign_answer *answer_of(cs_foreign_bench *bench, const char *pin, cycle_t from)
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

static void differ(cs_foreign_bench *bench, unsigned pin, cycle_t from, uint64_t model,
                   uint64_t rtl)
{
    cs_foreign_report *report = bench->report;

    bench->differs = true;
    bench->until = bench->now + AFTER_CYCLES;
    report->pin = bench->unit->pins[pin].name;
    report->cycle = from;
    report->model = model;
    report->rtl = rtl;
}

void cs_foreign_compare_value(cs_foreign_bench *bench, unsigned pin, unsigned port, cycle_t from,
                              uint64_t model, uint64_t rtl)
{
    static const char *const ports[] = {"port 0", "port 1", "port 2", "port 3"};
    const cs_foreign_pin *p = &bench->unit->pins[pin];
    cs_foreign_answer *answer = answer_of(bench, p->name, from);
    const bool changed = bench->last[pin][port].model != model || bench->last[pin][port].rtl != rtl;
    const bool matters = p->about > CS_PROBE_REG || model != rtl;

    look(bench, pin, model);
    bench->last[pin][port].model = model;
    bench->last[pin][port].rtl = rtl;
    if (bench->waves != NULL)
        cs_foreign_waves_show(bench->waves, pin, port, model, rtl);
    if (answer == NULL && matters && (changed || (model != rtl && !bench->differs))) {
        cs_foreign_deed *deed = deed_of(bench, from);

        deed->verb = p->name;
        deed->behind = p->ports ? ports[port] : NULL;
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

/* The lowest bits of an output, against what it has to be: that of as many cycles ago as the MAP says. */
static void compare_output(cs_foreign_bench *bench, unsigned pin)
{
    const unsigned late = bench->design->late[pin];
    const unsigned bits = bench->design->bits[pin];
    const unsigned width = bits != 0 && bits < bench->width[pin] ? bits : bench->width[pin];
    const cycle_t from = bench->now - late;

    if (bench->now < late || !bench->wanted[pin][from % RING].expected)
        return;
    bench->wanted[pin][from % RING].expected = false;
    cs_foreign_compare_value(bench, pin, 0, from,
                             bench->wanted[pin][from % RING].value & UINT64_MAX >> (64 - width),
                             cs_foreign_look(bench, pin, 0, width));
}

void cs_foreign_compare_outputs(cs_foreign_bench *bench)
{
    const cs_foreign_pin *pins = bench->unit->pins;

    for (unsigned i = 0; pins[i].name != NULL; i++)
        if (pins[i].output && !pins[i].ports && !pins[i].followed && cs_foreign_has(bench, i))
            compare_output(bench, i);
}
