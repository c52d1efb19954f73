/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/hpm/plugin/cached.h"

#include <stdlib.h>

#include "guest/hpm/caches.h"
#include "guest/hpm/plugin/outcomes.h"

#define FENCE_I 0x100fu
#define FENCE_MASK 0x707fu
#define SFENCE_VMA 0x12000073u
#define SINVAL_VMA 0x16000073u
#define FENCE_VMA_MASK 0xfe007fffu
#define SATP 0x180u
#define WRITES                                                                                     \
    0x1000u /* of CSR instructions: 1 exchanges, 2 and 3 change bits that a register has */
#define SOURCE 0xf8000u

/* A line that was looked for last: what is in it is there. */
typedef struct last {
    uint64_t line; /* virtual, in lines; NONE */
    unsigned mode;
} last;
#define NONE UINT64_MAX

/* Of a hart. */
typedef struct missing {
    caches *caches;
    last fetched, accessed;
} missing;

/* A fetch that is looked for: those after it in its line are hits. */
typedef struct fetch {
    const place *place;
    caches_byte at;
} fetch;

static struct {
    missing harts[OWNED_HARTS]; /* without caches: there are none */
    unsigned nr;
    uint32_t code, data; /* bytes of a line */
    const bridge_memory *memory;
    uint64_t memory_at;
} g;

/* Without the cache its TLB is looked into for each page. */
static uint32_t line_of(const cs_guest_cache *cache)
{
    return cache->sets != 0 ? cache->line : 4096;
}

static void forget(missing *m)
{
    m->fetched.line = m->accessed.line = NONE;
}

/* It need not be looked for again. */
static bool is_last(last *l, uint64_t line, unsigned mode)
{
    const bool same = l->line == line && l->mode == mode;

    *l = (last){line, mode};
    return same;
}

bool cached_create(const settings *s, const bridge_memory *memory, uint64_t at)
{
    g.code = line_of(&s->caches[CS_GUEST_L1I]);
    g.data = line_of(&s->caches[CS_GUEST_L1D]);
    g.memory = memory;
    g.memory_at = at;
    for (; s->has_caches && g.nr < s->nr_harts; g.nr++) {
        g.harts[g.nr].caches = caches_create(s->caches);
        if (g.harts[g.nr].caches == NULL)
            return false;
        forget(&g.harts[g.nr]);
    }
    return true;
}

static void on_fetch(unsigned cpu, void *data)
{
    const fetch *f = data;

    if (is_last(&g.harts[cpu].fetched, f->place->pc / g.code, f->place->mode))
        return;
    const uint32_t missed = caches_fetch(g.harts[cpu].caches, f->at);

    if (missed != 0)
        outcomes_note(cpu, f->place, missed, true);
}

static caches_byte byte_of(qemu_plugin_meminfo_t info, uint64_t address)
{
    const struct qemu_plugin_hwaddr *found = qemu_plugin_get_hwaddr(info, address);

    return found != NULL ? (caches_byte){address, qemu_plugin_hwaddr_phys_addr(found),
                                         qemu_plugin_hwaddr_is_io(found)}
                         : (caches_byte){address, 0, true};
}

static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    const uint64_t end = address + (UINT64_C(1) << qemu_plugin_mem_size_shift(info)) - 1;
    const uint64_t line = end / g.data;
    const place *p = data;

    if (is_last(&g.harts[cpu].accessed, line, p->mode) && address / g.data == line)
        return;
    const caches_byte first = byte_of(info, address);
    caches_byte last = {end, first.physical_at + (end - address), first.device};

    if ((address ^ end) >> 12 != 0)
        last = byte_of(info, end);
    const uint32_t missed =
        caches_access(g.harts[cpu].caches, first, last, qemu_plugin_mem_is_store(info));

    if (missed != 0)
        outcomes_note(cpu, p, missed, false);
}

static void on_new_tables(unsigned cpu, void *data)
{
    (void)data;
    forget(&g.harts[cpu]);
    caches_empty_tlbs(g.harts[cpu].caches);
}

static void on_new_code(unsigned cpu, void *data)
{
    (void)data;
    forget(&g.harts[cpu]);
    caches_empty_code(g.harts[cpu].caches);
}

static fetch *fetch_of(const struct qemu_plugin_insn *insn, const place *p)
{
    const uint64_t at = (uintptr_t)qemu_plugin_insn_haddr(insn) - (uintptr_t)g.memory->bytes;
    const bool device = g.memory->bytes == NULL || at >= g.memory->size;
    fetch *f = malloc(sizeof *f);

    if (f == NULL)
        abort(); /* in the midst of a guest nothing better can be done */
    *f = (fetch){p, {p->pc, device ? p->pc : g.memory_at + at, device}};
    return f;
}

static bool empties_tlbs(const place *p, uint32_t word)
{
    const uint32_t fence = word & FENCE_VMA_MASK;

    return fence == SFENCE_VMA || fence == SINVAL_VMA ||
           (p->kind == CS_RISCV_CSR && word >> 20 == SATP &&
            ((word & 0x3000u) == WRITES || (word & SOURCE) != 0));
}

void cached_watch(struct qemu_plugin_insn *insn, const place *p, uint32_t word, size_t nr)
{
    if (g.nr == 0)
        return;
    if (nr == 0 || p->pc % g.code < 4) /* the first that begins in its line */
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fetch, QEMU_PLUGIN_CB_NO_REGS,
                                               fetch_of(insn, p));
    if (empties_tlbs(p, word))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_new_tables, QEMU_PLUGIN_CB_NO_REGS, NULL);
    if ((word & FENCE_MASK) == FENCE_I)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_new_code, QEMU_PLUGIN_CB_NO_REGS, NULL);
    qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     (void *)p);
}
