// SPDX-License-Identifier: Apache-2.0
#include "results/hpm/snapshot_pages.h"

#include <stdlib.h>

#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>

#define WORDS 65u /* the bitmap, then the slots */
#define SLOT_WORD 1u
#define WORD_BYTES 8u
#define COUNTERS 32u

/* CSRs. */
enum { MCOUNTINHIBIT = 0x320, MHPMCOUNTER = 0xb00, MHPMCOUNTERH = 0xb80 };

typedef struct word {
    bool written, known;
    uint64_t value;
} word;

typedef struct page {
    bool there;
    bool whole; /* firmware stores the page whole, most of it from a copy of its own */
    uint64_t address;
    word words[WORDS];
    /* STOP: counters that firmware has read, and has not stored yet. */
    cs_hart_counter read[COUNTERS];
    unsigned nr_read, nr_stored;
    uint64_t marks;
    /* The driver: it takes slot 0 elsewhere, and clears it. */
    bool loaded_first, moved;
    /* START: slots that the driver has filled; those that firmware has loaded, too. */
    uint64_t filled, loaded;
    uint32_t low[COUNTERS]; /* RV32: what was written into the low half */
} page;

struct cs_snapshot_pages {
    const cs_scenario *scenario;
    cs_hart_collector *harts;
    page pages[CS_MAX_HARTS];
};

static void put(page *p, unsigned n, bool known, uint64_t value)
{
    p->words[n] = (word){true, known && !p->whole, value};
}

static bool deviates(const cs_scenario *s, uint64_t deviation)
{
    return (s->riscv->firmware.deviations & deviation) != 0;
}

/* ---- CSRs ---- */

static void start_value(page *p, unsigned n, uint64_t value)
{
    if (p->loaded >> n & 1)
        put(p, SLOT_WORD + n, true, value);
    p->loaded &= ~((uint64_t)1 << n);
}

static void csr(cs_snapshot_pages *c, unsigned hart, page *p, const cs_probe_record *r)
{
    const unsigned n = (unsigned)r->addr % COUNTERS;
    const bool low = r->addr - MHPMCOUNTER < COUNTERS, high = r->addr - MHPMCOUNTERH < COUNTERS;
    const bool rv32 = c->scenario->harts->xlen == 32;

    p->loaded_first = p->moved = false;
    if (r->write && r->addr == MCOUNTINHIBIT) {
        p->nr_read = p->nr_stored = 0;
        p->filled = p->loaded = p->marks = 0;
    } else if (!r->write && low && p->nr_read < COUNTERS) {
        p->read[p->nr_read++] = cs_hart_collector_counter(c->harts, hart, n, r->cycle);
    } else if (r->write && low && rv32) {
        p->low[n] = (uint32_t)r->value;
    } else if (r->write && low) {
        start_value(p, n, r->value);
    } else if (r->write && high) {
        start_value(p, n, r->value << 32 | p->low[n]);
    }
}

/* ---- the page ---- */

static void store_slot(page *p, unsigned slot)
{
    if (p->nr_read != 0) { /* firmware; its own counters come behind those of the hardware */
        const bool known = p->nr_stored < p->nr_read;

        put(p, SLOT_WORD + slot, known, known ? p->read[p->nr_stored].value : 0);
        p->marks |= known ? (uint64_t)p->read[p->nr_stored].overflowed << slot : 0;
        p->nr_stored++;
    } else if (slot != 0 && p->loaded_first) {
        p->words[SLOT_WORD + slot] = p->words[SLOT_WORD];
        p->words[SLOT_WORD + slot].written = true;
    } else if (slot == 0 && p->moved) {
        put(p, SLOT_WORD, true, 0);
    } else {
        put(p, SLOT_WORD + slot, false, 0);
        p->filled |= (uint64_t)1 << slot;
    }
}

/* Firmware's, or the driver's that has taken the marks. */
static void store_bitmap(const cs_snapshot_pages *c, page *p)
{
    const bool sticks = deviates(c->scenario, CS_SBI_DEV_BITMAP_STICKS);

    put(p, 0, p->nr_read != 0 ? !sticks : c->scenario->riscv->driver.bugs == 0, p->marks);
    p->nr_read = p->nr_stored = 0;
    p->marks = 0;
}

static void store(const cs_snapshot_pages *c, page *p, uint64_t offset, uint32_t bytes)
{
    const unsigned first = (unsigned)(offset / WORD_BYTES), count = bytes / WORD_BYTES;
    const bool moved = p->loaded_first && count == 1 && first > SLOT_WORD;

    if (first == 0)
        store_bitmap(c, p);
    else
        for (unsigned n = first; n < first + count && n < WORDS; n++)
            store_slot(p, n - SLOT_WORD);
    p->loaded_first = false;
    p->moved = moved;
}

static void load(page *p, uint64_t offset, uint32_t bytes)
{
    for (unsigned n = 0; n < bytes / WORD_BYTES; n++) {
        const uint64_t slot = offset / WORD_BYTES + n - SLOT_WORD;

        if (slot < WORDS - SLOT_WORD)
            p->loaded |= p->filled & (uint64_t)1 << slot;
    }
    p->loaded_first = offset == SLOT_WORD * WORD_BYTES && bytes == WORD_BYTES;
    p->moved = false;
}

static void forget(page *p)
{
    for (unsigned n = 0; n < WORDS; n++)
        put(p, n, false, 0);
}

static void transfer(const cs_snapshot_pages *c, page *p, const cs_probe_record *r)
{
    const uint64_t offset = r->addr - p->address;

    if (offset >= CS_RISCV_PAGE) {
        p->loaded_first = p->moved = false;
        return;
    }
    if (!r->write)
        load(p, offset, r->bytes);
    else if (p->whole || r->resp != CS_BUS_OKAY || offset % WORD_BYTES != 0 ||
             r->bytes % WORD_BYTES != 0)
        forget(p);
    else
        store(c, p, offset, r->bytes);
}

void cs_snapshot_pages_record(cs_snapshot_pages *c, const cs_probe_record *r)
{
    const bool bus = r->kind == CS_PROBE_BUS;
    const unsigned hart = r->source - (bus ? CS_MANAGER_HART(0) : CS_UNIT_HART(0));

    if ((!bus && r->kind != CS_PROBE_REG) || hart >= c->scenario->harts->count ||
        !c->pages[hart].there)
        return;
    if (bus)
        transfer(c, &c->pages[hart], r);
    else if (r->resp == 0)
        csr(c, hart, &c->pages[hart], r);
}

/* ---- create, destroy ---- */

cs_status cs_snapshot_pages_create(const cs_scenario *s, cs_hart_collector *harts,
                                   cs_snapshot_pages **out, cs_diag *diag)
{
    cs_snapshot_pages *c = calloc(1, sizeof *c);
    cs_image image;

    *out = c;
    if (c == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    c->scenario = s;
    c->harts = harts;
    for (unsigned i = 0; cs_image_of(&cs_image_snapshot, s, i, &image); i++) {
        c->pages[image.number].there = true;
        c->pages[image.number].whole = deviates(s, CS_SBI_DEV_PAGE_WHOLE);
        c->pages[image.number].address = image.address;
    }
    return CS_OK;
}

void cs_snapshot_pages_destroy(cs_snapshot_pages *c)
{
    free(c);
}

void cs_snapshot_pages_each(const cs_snapshot_pages *c,
                            void (*each)(void *ctx, const cs_snapshot_word *word), void *ctx)
{
    for (unsigned hart = 0; hart < c->scenario->harts->count; hart++)
        for (unsigned n = 0; n < WORDS; n++) {
            const word *w = &c->pages[hart].words[n];
            const cs_snapshot_word told = {hart, WORD_BYTES * n, w->known, w->value};

            if (w->written)
                each(ctx, &told);
        }
}
