// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/pins.h"

#include <inttypes.h>
#include <stdlib.h>

#define MHPMEVENT 0x320u
#define MCYCLE 0xb00u
#define MENVCFG 0x30au
#define SISELECT 0x150u

#define ACCESS 0x80u
#define LINES 0xc0u
#define END 0xffu

/* In the order in which they are written when a window is replayed. */
static const uint16_t registers[] = {0x306, 0x106, 0x303, 0x304, 0x344}; /* .. mip */

struct pins {
    pins_config config;
    unsigned lines;
    bool begun, ended;
};

pins *pins_create(const pins_config *config)
{
    pins *p = calloc(1, sizeof *p);

    if (p != NULL)
        p->config = *config;
    return p;
}

void pins_destroy(pins *p)
{
    free(p);
}

uint64_t pins_left(const pins *p, cs_cycle now)
{
    if (p->ended)
        return UINT64_MAX;
    return p->begun || now >= p->config.from ? 1 : p->config.from - now;
}

/* ---- the file ---- */

static void put(const pins *p, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        fputc((int)(value >> 8 * i & 0xff), p->config.out);
}

static void put_text(const pins *p, uint16_t csr, uint64_t value)
{
    fprintf(p->config.out, "csr %x %" PRIx64 "\n", csr, value);
}

static void put_bytes(const pins *p, uint16_t csr, uint64_t value)
{
    put(p, END, 1);
    put(p, csr, 2);
    put(p, value, 8);
}

static void put_csr(const pins *p, cs_hpm *hpm, uint16_t csr,
                    void (*to)(const pins *p, uint16_t csr, uint64_t value))
{
    const cs_hpm_access read = {
        .csr = csr, .mode = CS_HPM_MODE_M, .stateen_m = true, .stateen_h = true};

    to(p, csr, cs_hpm_ask(hpm, &read).value);
}

/* All that software can see. mcountinhibit is the last: it is how all else is written. */
static void put_state(const pins *p, cs_hpm *hpm,
                      void (*to)(const pins *p, uint16_t csr, uint64_t value))
{
    const cs_hpm_config *config = p->config.hpm;

    for (uint16_t n = 3; n < CS_HPM_COUNTERS; n++)
        if ((config->counters >> n & 1) != 0)
            put_csr(p, hpm, (uint16_t)(MHPMEVENT + n), to);
    for (uint16_t n = 0; n < CS_HPM_COUNTERS; n++)
        if (n != 1 && (n < 3 || (config->counters >> n & 1) != 0))
            put_csr(p, hpm, (uint16_t)(MCYCLE + n), to);
    for (uint16_t n = 1; n < 3 && config->smcntrpmf; n++)
        put_csr(p, hpm, (uint16_t)(MHPMEVENT + n), to);
    if (config->smcdeleg) {
        put_csr(p, hpm, MENVCFG, to);
        put_csr(p, hpm, SISELECT, to);
    }
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++)
        put_csr(p, hpm, registers[i], to);
    put_csr(p, hpm, MHPMEVENT, to);
}

static void put_head(const pins *p)
{
    const cs_hpm_config *config = p->config.hpm;
    unsigned width = 64;

    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++)
        if ((config->counters >> n & 1) != 0)
            width = config->width[n];
    fprintf(p->config.out, "hpm %" PRIx32 " %x %x %x %x %x\n", config->counters, width,
            config->lcofi_latency, config->smcntrpmf, config->smcdeleg, config->modes);
    for (unsigned i = 0; i < HART_EVENTS; i++)
        if (p->config.events[i].kinds != 0)
            fprintf(p->config.out, "event %x %" PRIx32 " %x\n", i, p->config.events[i].kinds,
                    p->config.events[i].cycles);
    for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
        fprintf(p->config.out, "cost %x %x\n", kind, p->config.cost[kind]);
}

/* ---- what happens ---- */

static void follow_lines(pins *p, const cs_hpm *hpm)
{
    const unsigned lines = cs_hpm_irq(hpm);

    if (lines != p->lines)
        put(p, LINES + lines, 1);
    p->lines = lines;
}

/* A request that is on its way to LCOFIP is no part of what software sees: the window begins after it. */
static bool can_begin(const pins *p, const cs_hpm *hpm)
{
    return p->config.hpm->lcofi_latency == 0 || cs_hpm_next(hpm) == CS_NEVER;
}

static void begin(pins *p, cs_hpm *hpm)
{
    put_head(p);
    put_state(p, hpm, put_text);
    fputc('\n', p->config.out);
    p->begun = true;
    p->lines = 0;
    follow_lines(p, hpm);
}

void pins_access(pins *p, const cs_hpm_access *access, const cs_hpm_result *result)
{
    if (!p->begun || p->ended)
        return;
    put(p, ACCESS, 1);
    put(p, access->op, 1);
    put(p, access->csr, 2);
    put(p, access->mode, 1);
    put(p, access->value, 8);
    put(p, result->value, 8);
    put(p, result->exception, 1);
}

void pins_instruction(pins *p, cs_cycle now, unsigned mode, unsigned kind, cs_hpm *hpm)
{
    if (p->ended)
        return;
    if (!p->begun) {
        if (now >= p->config.from && can_begin(p, hpm))
            begin(p, hpm);
        return;
    }
    put(p, mode << 4 | kind, 1);
    follow_lines(p, hpm);
    if (now - p->config.from < p->config.cycles)
        return;
    put_state(p, hpm, put_bytes);
    p->ended = true;
    fflush(p->config.out);
}
