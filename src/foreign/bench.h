/* What the programs of all units share: a design on its pins, what its outputs have to be, and the
 * first difference. */
#ifndef CS_FOREIGN_BENCH_H
#define CS_FOREIGN_BENCH_H

#include "foreign/random.h"
#include "foreign/tally.h"
#include "foreign/unit.h"

typedef struct cs_foreign_bench {
    const cs_foreign_unit *unit;
    const cs_foreign_design *design;
    cs_foreign_dut *dut;
    cs_foreign_report *report;
    cs_foreign_tally *tally;
    cs_foreign_random random;
    void *pins[CS_FOREIGN_MAX_PINS]; /* by the unit's table; the first two are clock and reset */
    struct {
        bool expected;
        uint64_t value;
    } late[CS_FOREIGN_MAX_PINS][CS_FOREIGN_MAX_LATE + 1]; /* what outputs have to be, by cycle */
    struct {
        cycle_t cycle;
        char text[128];
    } recent[CS_FOREIGN_RECENT];
    unsigned nr_recent;
} cs_foreign_bench;

/* A fresh design after reset, in cycle 0, its inputs 0; `strap` sets what it holds in reset, too.
 * Draws of the program follow `seed`. */
void cs_foreign_bench_begin(cs_foreign_bench *bench, uint64_t seed);
void cs_foreign_bench_restart(cs_foreign_bench *bench, void (*strap)(void *ctx), void *ctx);

static inline bool cs_foreign_has(const cs_foreign_bench *bench, unsigned pin)
{
    return bench->design->linked[pin];
}

static inline void cs_foreign_drive(cs_foreign_bench *bench, unsigned pin, unsigned lsb,
                                    unsigned width, uint64_t value)
{
    cs_foreign_set(bench->pins[pin], lsb, width, value);
}

static inline uint64_t cs_foreign_look(const cs_foreign_bench *bench, unsigned pin, unsigned lsb,
                                       unsigned width)
{
    return cs_foreign_get(bench->pins[pin], lsb, width);
}

void cs_foreign_clock(cs_foreign_bench *bench, unsigned level);

/* The page's value of an output in a cycle; once for each cycle in which it matters. */
void cs_foreign_expect(cs_foreign_bench *bench, unsigned pin, cycle_t cycle, uint64_t value);

/* The lowest `width` bits of an output in cycle `now`, against what it has to be: that of as many
 * cycles ago as the MAP says. Once for each cycle. False: a difference, which is in the report. */
bool cs_foreign_same(cs_foreign_bench *bench, unsigned pin, cycle_t now, unsigned width);

/* A difference of a pin into the report; `more` than what the pin is, or NULL. */
void cs_foreign_differ(cs_foreign_bench *bench, unsigned pin, cycle_t from, uint64_t model,
                       uint64_t rtl, const char *more);

/* A setting of the program: what the MAP says; drawn where it says nothing and the strap has a
 * port; else its default. */
uint64_t cs_foreign_setting_of(cs_foreign_bench *bench, unsigned setting, unsigned pin,
                               uint64_t least, uint64_t most);

/* What was done in a cycle, for the report. */
void cs_foreign_did_this(cs_foreign_bench *bench, cycle_t cycle, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
