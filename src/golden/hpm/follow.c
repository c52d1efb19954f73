// SPDX-License-Identifier: Apache-2.0
/* The golden block at instructions: what retires is decoded, and told to the golden block with the events of the
 * cycle in which it was executed. */
#include <countersink/golden.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/hpm/golden_impl.h"
#include "golden/hpm/record.h"
#include "golden/settings.h"

#define CYCLES 128u /* of events that are kept; two lags fit */
#define COUNTERS 32u
#define SYSTEM 0x73u /* opcode */
#define LCOFI (UINT64_C(1) << 13)
#define MOST_INCREMENT 15u
#define MODE_M 3u

typedef struct access {
    bool there;
    uint64_t order, pc, operand, read;
    unsigned csr, op, mode;
    bool trap, reads;
} access;

struct cs_follow {
    cs_golden *golden;
    unsigned mode, xlen, lag, delay[CS_GOLDEN_EVENTS], behind[COUNTERS];
    uint64_t now; /* cycle */
    uint8_t events[CYCLES][CS_GOLDEN_EVENTS];
    uint8_t lines[CYCLES], modes[CYCLES];
    bool compares_lines, lines_differ, has_mode;
    access access; /* of this cycle */
    unsigned retired;
    uint64_t instructions, compared, differences, order,
        pc; /* order and pc of the last instruction */
    char text[320];
    bool bad; /* told what cannot be */
};

/* ---- its life ---- */

cs_follow *cs_follow_create(const char *settings, unsigned lag)
{
    cs_golden *golden = cs_golden_create(settings);
    cs_follow *f;

    if (golden == NULL)
        return NULL;
    f = lag <= CS_FOLLOW_LAG ? calloc(1, sizeof *f) : NULL;
    if (f == NULL) {
        snprintf(cs_golden_reason, sizeof cs_golden_reason,
                 lag <= CS_FOLLOW_LAG ? "no memory" : "lag: found %u, expected 0 to %u", lag,
                 CS_FOLLOW_LAG);
        cs_golden_destroy(golden);
        return NULL;
    }
    f->golden = golden;
    f->lag = lag;
    f->mode = MODE_M;
    /* mcycleh is there on RV32 only. */
    cs_golden_access(golden, 0xb80, CS_GOLDEN_READ, 0);
    f->xlen = cs_golden_exception(golden) == 0 ? 32 : 64;
    cs_golden_step(golden);
    cs_golden_destroy(golden);
    f->golden = cs_golden_create(settings);
    if (f->golden == NULL) {
        free(f);
        return NULL;
    }
    for (unsigned c = 0; c < CYCLES; c++)
        f->events[c][CS_GOLDEN_CYCLES] = 1;
    return f;
}

void cs_follow_destroy(cs_follow *f)
{
    if (f == NULL)
        return;
    cs_golden_destroy(f->golden);
    free(f);
}

static void cannot_be(cs_follow *f, const char *what, uint64_t value)
{
    if (!f->bad)
        snprintf(f->text, sizeof f->text, "cycle %" PRIu64 ": %s cannot be %" PRIu64, f->now, what,
                 value);
    f->bad = true;
}

/* A write of ours in M mode, in a cycle in which nothing happens. */
static void poke(cs_follow *f, unsigned csr, uint64_t value)
{
    cs_golden_mode(f->golden, MODE_M);
    cs_golden_access(f->golden, csr, CS_GOLDEN_WRITE, value);
    cs_golden_step(f->golden);
    cs_golden_mode(f->golden, f->mode);
}

static void set_mode(cs_follow *f, unsigned mode)
{
    f->mode = mode;
    cs_golden_mode(f->golden, mode);
}

void cs_follow_begin(cs_follow *f, unsigned csr, uint64_t value)
{
    if (csr > 0xfff || f->now != 0)
        cannot_be(f, f->now != 0 ? "a beginning after cycle 0 of CSR" : "a CSR", csr);
    else
        poke(f, csr, value);
}

void cs_follow_late(cs_follow *f, unsigned event, unsigned cycles)
{
    if (event >= CS_GOLDEN_EVENTS || cycles > CS_FOLLOW_LAG)
        cannot_be(f, "an event, or how late it is,", event);
    else
        f->delay[event] = cycles;
}

void cs_follow_behind(cs_follow *f, unsigned counter, unsigned cycles)
{
    if (counter >= COUNTERS || cycles > CS_FOLLOW_LAG)
        cannot_be(f, "a counter, or how far it is behind,", counter);
    else
        f->behind[counter] = cycles;
}

/* ---- what happens in a cycle ---- */

void cs_follow_event(cs_follow *f, unsigned event, unsigned increment)
{
    if (event >= CS_GOLDEN_EVENTS || event == CS_GOLDEN_INSTRET || increment > MOST_INCREMENT)
        cannot_be(f, "an event, or its increment,", event);
    else
        f->events[f->now % CYCLES][event] = (uint8_t)increment;
}

void cs_follow_irq(cs_follow *f, unsigned lines)
{
    f->compares_lines = true;
    f->lines[f->now % CYCLES] = (uint8_t)(lines & 7);
}

void cs_follow_mode(cs_follow *f, unsigned mode)
{
    f->has_mode = true;
    f->modes[f->now % CYCLES] = (uint8_t)mode;
}

/* CSRs that are the block's alone, and those of which bit 13 is. */
static bool is_whole(unsigned csr)
{
    const unsigned low = csr & 0x1f, page = csr & ~0x1fu;

    if (page == 0xb00 || page == 0xb80 || page == 0xc00 || page == 0xc80)
        return low != 1;
    if (page == 0x320 || page == 0x720)
        return true;
    return csr == 0x306 || csr == 0x106 || csr == 0x606 || csr == 0xda0;
}

static bool is_shared(unsigned csr)
{
    static const uint16_t shared[] = {0x304, 0x344, 0x303, 0x104, 0x144, 0x603, 0x204, 0x244};

    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        if (shared[i] == csr)
            return true;
    return false;
}

void cs_follow_retire(cs_follow *f, uint64_t order, uint32_t insn, uint64_t pc, unsigned mode,
                      unsigned trap, uint64_t rs1, uint64_t rd)
{
    const unsigned funct3 = insn >> 12 & 7, source = insn >> 15 & 31, csr = insn >> 20;

    f->instructions++;
    f->order = order;
    f->pc = pc;
    f->retired += trap == 0;
    if (!f->has_mode)
        set_mode(f, mode);
    if ((insn & 0x7f) != SYSTEM || (funct3 & 3) == 0 || (!is_whole(csr) && !is_shared(csr)))
        return;
    if (f->access.there) {
        cannot_be(f, "a second instruction of a counter in the same cycle: order", order);
        return;
    }
    f->access = (access){.there = true,
                         .order = order,
                         .pc = pc,
                         .csr = csr,
                         .mode = mode,
                         .trap = trap != 0,
                         .reads = (insn >> 7 & 31) != 0,
                         .read = rd,
                         .operand = (funct3 & 4) != 0 ? source : rs1,
                         .op = funct3 & 3};
    if (f->access.op != CS_GOLDEN_WRITE && source == 0)
        f->access.op = CS_GOLDEN_READ;
    if (f->xlen == 32) {
        f->access.operand &= UINT32_MAX;
        f->access.read &= UINT32_MAX;
    }
}

/* ---- what differs ---- */

static const char *verb(unsigned op)
{
    static const char *const verbs[] = {"read", "csrrw", "csrrs", "csrrc"};

    return verbs[op];
}

static void differ(cs_follow *f, const char *what, uint64_t core, uint64_t golden)
{
    f->differences++;
    snprintf(f->text, sizeof f->text,
             "instruction %" PRIu64 " at 0x%" PRIx64 ", %s of CSR 0x%03x: %s: core 0x%" PRIx64
             ", golden 0x%" PRIx64,
             f->access.order, f->access.pc, verb(f->access.op), f->access.csr, what, core, golden);
}

/* A counter's number; COUNTERS: it is none. */
static unsigned counter_of(unsigned csr)
{
    const unsigned page = csr & ~0x1fu;

    return page == 0xb00 || page == 0xb80 || page == 0xc00 || page == 0xc80 ? csr & 0x1f : COUNTERS;
}

/* What an event has done in the i-th cycle before; 0 for what is further back than all. */
static unsigned done_before(const cs_follow *f, unsigned event, unsigned i)
{
    const uint64_t age = (uint64_t)f->lag + f->delay[event] + i;

    return age <= f->now ? f->events[(f->now - age) % CYCLES][event] : 0;
}

/* What a counter's mhpmevent adds in that cycle: a number, or a set. */
static unsigned counted_before(const cs_follow *f, unsigned n, unsigned i)
{
    const unsigned sets = cs_golden_sets(f->golden);
    const uint64_t chosen = cs_golden_predict(f->golden, 0x320 + n) & 0xffff;
    unsigned sum = 0;

    if (n == 0 || n == 2)
        return done_before(f, n == 0 ? CS_GOLDEN_CYCLES : CS_GOLDEN_INSTRET, i);
    if (sets == CS_RECORD_NO_SETS)
        return chosen < CS_GOLDEN_EVENTS ? done_before(f, (unsigned)chosen, i) : 0;
    for (unsigned bit = 0; bit < 16; bit++)
        if (chosen >> bit & 1)
            sum += done_before(f, bit + 1, i);
    return sets == CS_RECORD_ANY ? sum != 0 : sum;
}

/* In the cycles that a counter's reads may be behind. */
static uint64_t not_seen(const cs_follow *f, unsigned n)
{
    uint64_t sum = 0;

    for (unsigned i = 1; i <= f->behind[n]; i++)
        sum += counted_before(f, n, i);
    return sum;
}

static bool is_good(const cs_follow *f, uint64_t golden)
{
    const access *a = &f->access;
    const unsigned n = counter_of(a->csr);
    const uint64_t mask = is_shared(a->csr) ? LCOFI : f->xlen == 32 ? UINT32_MAX : UINT64_MAX;
    const uint64_t less = (golden - a->read) & mask;

    return less == 0 || (n != COUNTERS && f->behind[n] != 0 && less <= not_seen(f, n));
}

/* What csrrs and csrrc make of what they have read. */
static uint64_t changed(const access *a)
{
    return a->op == CS_GOLDEN_SET ? a->read | a->operand : a->read & ~a->operand;
}

/* The difference of a counter's read stays, so that the next one is told only if it is another; and what csrrs and
 * csrrc have written is made of it. */
static void go_on(cs_follow *f, uint64_t golden)
{
    const access *a = &f->access;

    if (counter_of(a->csr) == COUNTERS || a->op == CS_GOLDEN_WRITE)
        return;
    poke(f, a->csr < 0xc00 ? a->csr : a->csr - 0x100,
         a->op == CS_GOLDEN_READ ? cs_golden_predict(f->golden, a->csr) + a->read - golden
                                 : changed(a));
}

/* What it writes is made of what it has read, which may be behind. */
static uint64_t tell_access(const cs_follow *f)
{
    const access *a = &f->access;
    const unsigned n = counter_of(a->csr);

    if (n == COUNTERS || f->behind[n] == 0 || !a->reads || a->op < CS_GOLDEN_SET)
        return cs_golden_access(f->golden, a->csr, a->op, a->operand);
    return cs_golden_access(f->golden, a->csr, CS_GOLDEN_WRITE, changed(a));
}

static bool look_at_access(cs_follow *f, uint64_t *golden)
{
    const access *a = &f->access;
    unsigned exception;

    *golden = tell_access(f);
    exception = cs_golden_exception(f->golden);
    f->compared++;
    if (a->trap != (exception != 0)) {
        differ(f, a->trap ? "it was refused" : "it was not refused", a->trap, exception);
        return false;
    }
    if (a->trap || !a->reads || is_good(f, *golden))
        return false;
    differ(f, "what it has read", a->read, *golden);
    return true;
}

static void look_at_lines(cs_follow *f)
{
    const unsigned golden = cs_golden_irq(f->golden);
    const unsigned core = f->lines[(f->now - f->lag) % CYCLES];
    const bool differ = core != golden;

    if (differ && !f->lines_differ) {
        f->differences++;
        snprintf(f->text, sizeof f->text,
                 "cycle %" PRIu64 ", after instruction %" PRIu64 " at 0x%" PRIx64
                 ": interrupt lines: core %u, golden %u",
                 f->now - f->lag, f->order, f->pc, core, golden);
    }
    f->lines_differ = differ;
}

static void tell_events(cs_follow *f)
{
    for (unsigned e = 1; e < CS_GOLDEN_EVENTS; e++) {
        const uint64_t age = (uint64_t)f->lag + f->delay[e];

        if (e == CS_GOLDEN_INSTRET || age > f->now)
            continue;
        const unsigned increment = f->events[(f->now - age) % CYCLES][e];

        if (increment != 0)
            cs_golden_event(f->golden, e, increment);
    }
    if (f->retired > MOST_INCREMENT)
        cannot_be(f, "instructions of a cycle", f->retired);
    else
        cs_golden_event(f->golden, CS_GOLDEN_INSTRET, f->retired);
    /* Kept under the cycle in which it counts, for what is behind. */
    if (f->now >= f->lag)
        f->events[(f->now - f->lag) % CYCLES][CS_GOLDEN_INSTRET] = (uint8_t)f->retired;
}

int cs_follow_step(cs_follow *f)
{
    const uint64_t differences = f->differences;
    uint64_t golden = 0;
    bool resumes = false;

    if (f->bad)
        return -1;
    if (f->now >= f->lag) {
        if (f->has_mode)
            set_mode(f, f->modes[(f->now - f->lag) % CYCLES]);
        tell_events(f);
        if (f->access.there)
            resumes = look_at_access(f, &golden);
        if (f->compares_lines)
            look_at_lines(f);
        if (cs_golden_step(f->golden) != 0) {
            f->bad = true;
            snprintf(f->text, sizeof f->text, "%s", cs_golden_failure(f->golden));
        } else if (resumes) {
            go_on(f, golden);
        }
    }
    f->access.there = false;
    f->retired = 0;
    f->now++;
    memset(f->events[f->now % CYCLES], 0, CS_GOLDEN_EVENTS);
    f->events[f->now % CYCLES][CS_GOLDEN_CYCLES] = 1;
    f->lines[f->now % CYCLES] = f->lines[(f->now - 1) % CYCLES];
    f->modes[f->now % CYCLES] = f->modes[(f->now - 1) % CYCLES];
    return f->bad ? -1 : f->differences != differences;
}

const char *cs_follow_text(const cs_follow *f)
{
    return f->text;
}

uint64_t cs_follow_instructions(const cs_follow *f)
{
    return f->instructions;
}

uint64_t cs_follow_compared(const cs_follow *f)
{
    return f->compared;
}

uint64_t cs_follow_differences(const cs_follow *f)
{
    return f->differences;
}
