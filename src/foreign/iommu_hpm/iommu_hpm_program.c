// SPDX-License-Identifier: Apache-2.0
/* Random accesses of an IOMMU's monitor, while a few devices and processes have transactions:
 * docs/hw/iommu_hpm.md. */
#include <stdlib.h>

#include "foreign/core.h"
#include "foreign/iommu_hpm/iommu_hpm_pins.h"
#include <countersink/models/iommu_hpm/iommu_hpm.h>

#define IPSR 0x054u
#define OVF 0x058u
#define INH 0x05cu
#define CYCLES 0x060u
#define COUNTER(n) (0x060u + 8u * (n))
#define EVT(n) (0x158u + 8u * (n))
#define END_OF_REGISTERS 0x258u
#define OF (UINT64_C(1) << 63)
#define EVT_FLAGS (UINT64_C(0xf) << 60 | UINT64_C(1) << 15)
#define NO_SETUP (2 * CS_IOMMU_HPM_MAX_COUNTERS + 2)
#define PARTIES 12u /* whose transactions they are */

typedef struct run {
    cs_foreign_bench bench;
    cs_iommu_hpm_config config;
    cs_iommu_hpm *iommu;
    unsigned records; /* that a cycle may have */
    cs_iommu_hpm_ids parties[PARTIES];
    uint8_t *who;   /* [cycle][record]: a party, or PARTIES: there is no record */
    uint8_t *inc;   /* [cycle][record][event - 1] */
    uint32_t *sums; /* [party][event - 1][cycle], of the cycles before */
    cs_cycle cycles;
    bool irq;
    unsigned step;
} run;

static uint64_t below(run *r, uint64_t n)
{
    return cs_foreign_draw(&r->bench, n);
}

static uint64_t bits(run *r)
{
    return cs_foreign_bits(&r->bench.random);
}

static cs_bus_resp read_register(void *iommu, cs_cycle cycle, uint32_t offset, bool wide,
                                 uint64_t *data)
{
    return cs_iommu_hpm_read(iommu, cycle, offset, wide, data);
}

static cs_bus_resp write_register(void *iommu, cs_cycle cycle, uint32_t offset, bool wide,
                                  uint64_t data)
{
    return cs_iommu_hpm_write(iommu, cycle, offset, wide, data);
}

static const cs_foreign_registers registers = {CS_IOMMU_HPM_PIN_REG_EN, read_register,
                                               write_register, "read", "write"};

/* ---- transactions ---- */

/* No more than the design's ports of all records can say. */
static uint32_t fitting(const run *r, unsigned pin, unsigned width, uint64_t value)
{
    if (!cs_foreign_has(&r->bench, pin))
        return 0;
    return (uint32_t)(value & cs_foreign_largest(r->bench.design, pin, width));
}

/* Few bits differ from one party to another, and many have trailing ones, which DMASK leaves out. */
static uint32_t any_id(run *r, unsigned pin, unsigned width)
{
    static const uint32_t ids[] = {0, 1, 3, 7, 0x5a5a5, 0xffff, 0xfffff, 0xffffff};
    uint32_t id = ids[below(r, sizeof ids / sizeof ids[0])];

    if (below(r, 3) == 0)
        id ^= 1u << below(r, 24);
    return fitting(r, pin, width, id & ((1u << width) - 1));
}

static void draw_parties(run *r)
{
    for (unsigned p = 0; p < PARTIES; p++) {
        cs_iommu_hpm_ids *ids = &r->parties[p];

        ids->did = any_id(r, CS_IOMMU_HPM_PIN_DID, 24);
        ids->pv = fitting(r, CS_IOMMU_HPM_PIN_PV, 1, below(r, 3) != 0);
        ids->pid = any_id(r, CS_IOMMU_HPM_PIN_PID, 20);
        ids->gscv = fitting(r, CS_IOMMU_HPM_PIN_GSCV, 1, below(r, 3) != 0);
        ids->gscid = any_id(r, CS_IOMMU_HPM_PIN_GSCID, 16);
        ids->pscv = fitting(r, CS_IOMMU_HPM_PIN_PSCV, 1, below(r, 3) != 0);
        ids->pscid = any_id(r, CS_IOMMU_HPM_PIN_PSCID, 20);
    }
}

static uint32_t *sums_of(const run *r, unsigned party, unsigned event)
{
    return r->sums + (party * CS_IOMMU_HPM_EVENTS + event - 1) * (r->cycles + 1);
}

static uint8_t *inc_of(const run *r, cs_cycle cycle, unsigned record)
{
    return r->inc + (cycle * CS_IOMMU_HPM_RECORDS + record) * CS_IOMMU_HPM_EVENTS;
}

/* The cycle's records. One that is not valid has increments all the same. */
static void draw_records(run *r, cs_cycle t)
{
    for (unsigned n = 0; n < r->records; n++) {
        const unsigned party = (unsigned)below(r, PARTIES + 4);
        uint8_t *inc = inc_of(r, t, n);

        r->who[t * CS_IOMMU_HPM_RECORDS + n] = (uint8_t)(party < PARTIES ? party : PARTIES);
        for (unsigned e = 1; e <= CS_IOMMU_HPM_EVENTS; e++) {
            if (!cs_foreign_has_field(r->bench.design, CS_IOMMU_HPM_PIN_INC,
                                      CS_IOMMU_HPM_EVENTS * n + e - 1))
                continue;
            inc[e - 1] = (uint8_t)fitting(r, CS_IOMMU_HPM_PIN_INC, 4,
                                          below(r, 3) == 0 ? below(r, 16) : below(r, 2));
            if (party < PARTIES)
                sums_of(r, party, e)[t + 1] += inc[e - 1];
        }
    }
    for (unsigned p = 0; p < PARTIES; p++)
        for (unsigned e = 1; e <= CS_IOMMU_HPM_EVENTS; e++)
            sums_of(r, p, e)[t + 1] += sums_of(r, p, e)[t];
}

static uint64_t sum(void *ctx, uint64_t evt, cs_cycle from, cs_cycle to)
{
    const run *r = ctx;
    const unsigned event = cs_iommu_hpm_event(evt);
    uint64_t total = 0;

    if (to > r->cycles)
        to = r->cycles;
    for (unsigned p = 0; p < PARTIES && event != 0 && from < to; p++)
        if (cs_iommu_hpm_fits(evt, &r->parties[p]))
            total += sums_of(r, p, event)[to] - sums_of(r, p, event)[from];
    return total;
}

/* A field of a pin that has one for each record, where the design has it. */
static void drive_field(run *r, unsigned pin, unsigned width, unsigned record, uint64_t value)
{
    cs_foreign_drive(&r->bench, pin, width * record, width, value);
}

static void drive_records(run *r)
{
    static const cs_iommu_hpm_ids nobody;
    const cs_cycle t = r->bench.now;

    for (unsigned n = 0; n < r->records; n++) {
        const unsigned party = r->who[t * CS_IOMMU_HPM_RECORDS + n];
        const cs_iommu_hpm_ids *ids = party < PARTIES ? &r->parties[party] : &nobody;

        drive_field(r, CS_IOMMU_HPM_PIN_VALID, 1, n, party < PARTIES);
        drive_field(r, CS_IOMMU_HPM_PIN_DID, 24, n, ids->did);
        drive_field(r, CS_IOMMU_HPM_PIN_PV, 1, n, ids->pv);
        drive_field(r, CS_IOMMU_HPM_PIN_PID, 20, n, ids->pid);
        drive_field(r, CS_IOMMU_HPM_PIN_GSCV, 1, n, ids->gscv);
        drive_field(r, CS_IOMMU_HPM_PIN_GSCID, 16, n, ids->gscid);
        drive_field(r, CS_IOMMU_HPM_PIN_PSCV, 1, n, ids->pscv);
        drive_field(r, CS_IOMMU_HPM_PIN_PSCID, 20, n, ids->pscid);
        for (unsigned e = 0; e < CS_IOMMU_HPM_EVENTS; e++)
            drive_field(r, CS_IOMMU_HPM_PIN_INC, 4, CS_IOMMU_HPM_EVENTS * n + e,
                        inc_of(r, t, n)[e]);
    }
}

/* ---- what is accessed ---- */

static uint32_t any_offset(run *r)
{
    const unsigned mine = 1 + (unsigned)below(r, r->config.counters);
    const unsigned any = (unsigned)below(r, CS_IOMMU_HPM_MAX_COUNTERS + 2); /* 0: what is before */

    switch (below(r, 20)) {
    case 0:
    case 1:
    case 2:
        return IPSR;
    case 3:
        return OVF;
    case 4:
    case 5:
        return INH;
    case 6:
    case 7:
        return CYCLES;
    case 8:
        return COUNTER(any);
    case 9:
        return EVT(any);
    case 10:
        return bits(r) & 0xfff8;
    case 11: /* one bit away from a register */
        return COUNTER(any) ^ 8u << below(r, 13);
    case 12:
    case 13:
    case 14:
    case 15:
        return EVT(mine);
    default:
        return COUNTER(mine);
    }
}

static uint64_t near_the_wrap(run *r)
{
    return cs_foreign_full(&r->bench.random, r->config.width) -
           below(r, below(r, 2) != 0 ? 16 : 200);
}

/* A filter for one of the parties, or nearly. */
static uint64_t any_event(run *r)
{
    const cs_iommu_hpm_ids *ids = &r->parties[below(r, PARTIES)];
    const uint64_t flags = bits(r) & bits(r) & EVT_FLAGS;
    const bool idt = (flags >> 62 & 1) != 0;
    uint64_t process = idt ? ids->pscid : ids->pid, device = idt ? ids->gscid : ids->did;

    if (below(r, 8) == 0)
        process ^= 1u << below(r, 20);
    if (below(r, 4) == 0)
        device ^= 1u << below(r, 24);
    return flags | device << 36 | process << 16 |
           (below(r, 10) == 0  ? bits(r) & 0x7fff
            : below(r, 3) == 0 ? 7u + below(r, 2)
                               : below(r, 9));
}

static uint64_t any_value(run *r, uint32_t offset)
{
    if (offset == INH)
        return below(r, 3) == 0 ? bits(r) : UINT64_C(1) << below(r, 32);
    if (offset == CYCLES)
        return near_the_wrap(r) & ~(below(r, 3) != 0 ? OF : 0);
    if (offset > CYCLES && offset < EVT(1))
        return below(r, 4) == 0 ? below(r, 1000) : near_the_wrap(r);
    if (offset >= EVT(1) && offset < END_OF_REGISTERS)
        return any_event(r);
    return bits(r);
}

/* What begins most programs: all counters near their end, and most of them with an event. */
static cs_foreign_access setup(run *r)
{
    const unsigned step = r->step++, n = step / 2;
    cs_foreign_access a = {.write = true};

    a.offset = step % 2 == 0 ? COUNTER(n) : n == 0 ? IPSR : EVT(n);
    a.value = any_value(r, a.offset);
    if (a.offset >= EVT(1))
        a.value &= ~OF;
    return a;
}

static cs_foreign_access any_access(run *r)
{
    const bool errors = cs_foreign_has(&r->bench, CS_IOMMU_HPM_PIN_REG_ERR);
    const bool wide = cs_foreign_may_be_wide(&r->bench, &registers);
    cs_foreign_access a = {0};

    if (r->bench.ending)
        return cs_foreign_toured(&r->bench, END_OF_REGISTERS);
    if (r->step < 2 * r->config.counters + 2) {
        a = setup(r);
        a.wide = wide && a.offset >= CYCLES;
        return a;
    }
    a.write = below(r, 3) != 0;
    a.offset = any_offset(r);
    a.value = any_value(r, a.offset);
    a.wide = wide && below(r, 2) != 0;
    if (a.wide && a.offset < CYCLES) /* registers of 4 bytes */
        a.wide = errors && a.offset % 8 == 0 && below(r, 8) == 0;
    if (!a.wide && a.offset % 8 == 0 && below(r, 3) == 0) {
        a.offset += 4;
        a.value = below(r, 2) != 0 ? a.value >> 32 : bits(r);
    }
    /* A design that tells no error is not asked for one. */
    if (errors && below(r, 12) == 0)
        a.offset = (a.offset & ~7u) + (uint32_t)below(r, 8);
    return a;
}

/* ---- a cycle ---- */

static void drive(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_iommu_hpm_advance(r->iommu, bench->now);
    const bool irq = cs_iommu_hpm_irq(r->iommu);
    cs_foreign_expect(bench, CS_IOMMU_HPM_PIN_IRQ, irq);
    bench->report->edges += irq != r->irq;
    r->irq = irq;
    drive_records(r);
    cs_foreign_no_access(bench, &registers);
    if (bench->now >= bench->next && (bench->ending || below(r, 2) == 0)) {
        const cs_foreign_access a = any_access(r);

        cs_foreign_access_register(bench, &registers, r->iommu, &a, NULL);
    }
}

/* ---- programs ---- */

/* Whether the design has all of record n that it has of any. */
static bool has_record(const cs_foreign_design *d, unsigned n)
{
    static const unsigned each[] = {CS_IOMMU_HPM_PIN_VALID, CS_IOMMU_HPM_PIN_DID,
                                    CS_IOMMU_HPM_PIN_PV,    CS_IOMMU_HPM_PIN_PID,
                                    CS_IOMMU_HPM_PIN_GSCV,  CS_IOMMU_HPM_PIN_GSCID,
                                    CS_IOMMU_HPM_PIN_PSCV,  CS_IOMMU_HPM_PIN_PSCID};

    for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++)
        if (d->linked[each[i]] && !cs_foreign_has_field(d, each[i], n))
            return false;
    return cs_foreign_has_field(d, CS_IOMMU_HPM_PIN_INC, CS_IOMMU_HPM_EVENTS * n);
}

static unsigned wired(const cs_foreign_design *d)
{
    unsigned n = 0;

    while (n < CS_IOMMU_HPM_RECORDS && has_record(d, n))
        n++;
    return n;
}

static void draw_config(run *r)
{
    cs_foreign_bench *b = &r->bench;

    cs_foreign_draw_setting(b, CS_IOMMU_HPM_SET_COUNTERS, 1, CS_IOMMU_HPM_MAX_COUNTERS);
    if (below(r, 2) == 0)
        cs_foreign_draw_setting(b, CS_IOMMU_HPM_SET_WIDTH, below(r, 2) == 0 ? 32 : 64, 64);
    r->config = (cs_iommu_hpm_config){.counters = (unsigned)b->setting[CS_IOMMU_HPM_SET_COUNTERS],
                                      .width = (unsigned)b->setting[CS_IOMMU_HPM_SET_WIDTH]};
    r->records = wired(b->design);
}

static cs_status begin(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending, cs_diag *diag)
{
    run *r = (run *)bench;
    const cs_iommu_hpm_env env = {.sum = sum, .ctx = r};
    const size_t nr = (size_t)CS_IOMMU_HPM_RECORDS * cycles;

    (void)ending;
    draw_config(r);
    r->cycles = cycles;
    r->irq = false;
    r->step = below(r, 3) == 0 ? NO_SETUP : 0; /* the state of the reset is looked at, too */
    r->who = calloc(nr, 1);
    r->inc = calloc(nr, CS_IOMMU_HPM_EVENTS);
    r->sums = calloc(PARTIES * CS_IOMMU_HPM_EVENTS * (cycles + 1), sizeof *r->sums);
    if (r->who == NULL || r->inc == NULL || r->sums == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a program");
    draw_parties(r);
    for (cs_cycle t = 0; t < cycles; t++)
        draw_records(r, t);
    return cs_iommu_hpm_create(&r->config, &env, &r->iommu, diag);
}

static void reset(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_iommu_hpm_reset(r->iommu, bench->now);
    r->irq = false;
    r->step = 0;
}

static void end(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_iommu_hpm_destroy(r->iommu);
    free(r->who);
    free(r->inc);
    free(r->sums);
    r->iommu = NULL;
    r->who = r->inc = NULL;
    r->sums = NULL;
}

static unsigned ending_of(const cs_foreign_bench *bench)
{
    (void)bench;
    return END_OF_REGISTERS / 4;
}

/* ---- the unit ---- */

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    if (wired(d) == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "a port of records has no field of record 0: 'first: 0'");
    return CS_OK;
}

static const cs_foreign_pin pins[] = {CS_IOMMU_HPM_PINS(CS_FOREIGN_ROW){NULL}};
static const cs_foreign_setting settings[] = {CS_IOMMU_HPM_SETTINGS(CS_FOREIGN_ROW){NULL}};

const cs_foreign_unit cs_foreign_iommu_hpm = {
    .name = "iommu_hpm",
    .page = "docs/hw/iommu_hpm.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 16,
    .check = check,
    .bytes = sizeof(run),
    .ending = ending_of,
    .begin = begin,
    .drive = drive,
    .reset = reset,
    .end = end,
};
