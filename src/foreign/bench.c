#include "foreign/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RING (CS_FOREIGN_MAX_LATE + 1)
enum { CLOCK, RESET };

void cs_foreign_bench_begin(cs_foreign_bench *bench, uint64_t seed)
{
    bench->random.state = cs_hash_mix(seed + CS_HASH_STEP);
    bench->report->seed = seed;
    bench->nr_recent = 0;
    memset(bench->late, 0, sizeof bench->late);
}

/* Reset is low over two edges, and rises before the third one, which is cycle 0's. */
void cs_foreign_bench_restart(cs_foreign_bench *bench, void (*strap)(void *ctx), void *ctx)
{
    cs_foreign_dut_restart(bench->dut);
    for (unsigned i = 0; bench->unit->pins[i].name != NULL; i++)
        bench->pins[i] = cs_foreign_dut_pin(bench->dut, bench->unit->pins[i].name);
    strap(ctx);
    for (unsigned i = 0; i < 2; i++) {
        cs_foreign_clock(bench, 0);
        cs_foreign_clock(bench, 1);
    }
    cs_foreign_clock(bench, 0);
    cs_foreign_drive(bench, RESET, 0, 1, 1);
}

void cs_foreign_clock(cs_foreign_bench *bench, unsigned level)
{
    cs_foreign_drive(bench, CLOCK, 0, 1, level);
    cs_foreign_dut_eval(bench->dut);
}

void cs_foreign_expect(cs_foreign_bench *bench, unsigned pin, cycle_t cycle, uint64_t value)
{
    bench->late[pin][cycle % RING].expected = true;
    bench->late[pin][cycle % RING].value = value;
}

uint64_t cs_foreign_setting_of(cs_foreign_bench *bench, unsigned setting, unsigned pin,
                               uint64_t least, uint64_t most)
{
    const cs_foreign_design *d = bench->design;

    return d->set[setting] || !cs_foreign_has(bench, pin)
               ? d->setting[setting]
               : least + cs_foreign_below(&bench->random, most - least + 1);
}

void cs_foreign_differ(cs_foreign_bench *bench, unsigned pin, cycle_t from, uint64_t model,
                       uint64_t rtl, const char *more)
{
    cs_foreign_report *report = bench->report;

    report->pin = bench->unit->pins[pin].name;
    report->cycle = from;
    report->model = model;
    report->rtl = rtl;
    snprintf(report->what, sizeof report->what, "%s%s%s", bench->unit->pins[pin].tells,
             more != NULL ? ", " : "", more != NULL ? more : "");
    report->nr_recent = bench->nr_recent;
    for (unsigned i = 0; i < bench->nr_recent; i++)
        snprintf(report->recent[i], sizeof report->recent[i], "%s", bench->recent[i].text);
}

bool cs_foreign_same(cs_foreign_bench *bench, unsigned pin, cycle_t now, unsigned width)
{
    const unsigned late = bench->design->late[pin];
    const cycle_t from = now - late;
    uint64_t found;

    if (now < late || !bench->late[pin][from % RING].expected)
        return true;
    bench->late[pin][from % RING].expected = false;
    found = cs_foreign_look(bench, pin, 0, width);
    if (!cs_foreign_has(bench, pin) || found == bench->late[pin][from % RING].value)
        return true;
    cs_foreign_differ(bench, pin, from, bench->late[pin][from % RING].value, found, NULL);
    return false;
}

void cs_foreign_did_this(cs_foreign_bench *bench, cycle_t cycle, const char *format, ...)
{
    int used;
    va_list args;

    if (bench->nr_recent == CS_FOREIGN_RECENT) {
        memmove(&bench->recent[0], &bench->recent[1],
                (CS_FOREIGN_RECENT - 1) * sizeof bench->recent[0]);
        bench->nr_recent--;
    }
    bench->recent[bench->nr_recent].cycle = cycle;
    char *text = bench->recent[bench->nr_recent++].text;
    used = snprintf(text, sizeof bench->recent[0].text, "cycle %llu: ", (unsigned long long)cycle);
    va_start(args, format);
    vsnprintf(text + used, sizeof bench->recent[0].text - (size_t)used, format, args);
    va_end(args);
}
