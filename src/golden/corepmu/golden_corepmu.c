// SPDX-License-Identifier: Apache-2.0
#include "golden/corepmu/golden_corepmu.h"

#include <stdlib.h>

#include "golden/settings.h"
#include <countersink/models/corepmu/corepmu.h>

typedef struct rate {
    uint32_t event;
    uint64_t times, cycles;
} rate;

struct cs_golden_corepmu {
    cs_corepmu *pmu;
    rate rates[CS_GOLDEN_COREPMU_EVENTS];
    unsigned nr_rates;
    cs_context context;
};

/* ---- the core ---- */

static const rate *rate_of(const cs_golden_corepmu *g, uint32_t event, uint32_t mode_mask)
{
    if ((mode_mask & CS_MODE_MASK(g->context.mode)) == 0)
        return NULL;
    for (unsigned i = 0; i < g->nr_rates; i++)
        if (g->rates[i].event == event)
            return &g->rates[i];
    return NULL;
}

/* How often below the cycle. */
static uint64_t below(const rate *r, cs_cycle cycle)
{
    return cycle / r->cycles * r->times + cycle % r->cycles * r->times / r->cycles;
}

static uint64_t sum(void *ctx, uint32_t event, uint32_t mode_mask, cs_cycle from, cs_cycle to)
{
    const rate *r = rate_of(ctx, event, mode_mask);

    return r != NULL && to > from ? below(r, to) - below(r, from) : 0;
}

static cs_cycle reach(void *ctx, uint32_t event, uint32_t mode_mask, cs_cycle from, uint64_t n)
{
    const rate *r = rate_of(ctx, event, mode_mask);

    if (n == 0)
        return from;
    if (r == NULL || r->times == 0)
        return CS_NEVER;
    const uint64_t wanted = below(r, from) + n;
    if (wanted / r->times > CS_NEVER / r->cycles - 2)
        return CS_NEVER;
    return wanted / r->times * r->cycles +
           (wanted % r->times * r->cycles + r->times - 1) / r->times;
}

static void context(void *ctx, cs_cycle cycle, cs_context *out)
{
    const cs_golden_corepmu *g = ctx;

    (void)cycle;
    *out = g->context;
}

/* ---- its life ---- */

enum { COUNTERS, EXT64, HPMN, HPME, HPMD, SPME, OFFLINE, LOCKED, NR_SETTINGS };

static const cs_golden_setting settings[NR_SETTINGS] = {
    [COUNTERS] = {"counters", 8, CS_COREPMU_MAX_COUNTERS},
    [EXT64] = {"ext64", 0, 1},
    [HPMN] = {"hpmn", 31, 31},
    [HPME] = {"hpme", 0, 1},
    [HPMD] = {"hpmd", 0, 1},
    [SPME] = {"spme", 0, 1},
    [OFFLINE] = {"offline", 0, 1},
    [LOCKED] = {"locked", 0, 1},
};

static cs_status create(void *out, const uint64_t *values, cs_diag *diag)
{
    cs_golden_corepmu *g = out;
    const uint64_t counters = values[COUNTERS], hpmn = values[HPMN];
    const cs_corepmu_config config = {
        .counters = (unsigned)counters,
        .ext64 = values[EXT64] != 0,
        .hpmn = (unsigned)(hpmn < counters ? hpmn : counters),
        .hpme = values[HPME] != 0,
        .offline = values[OFFLINE] != 0,
        .locked = values[LOCKED] != 0,
        .hpmd = values[HPMD] != 0,
        .spme = values[SPME] != 0,
    };
    const cs_corepmu_env env = {.events = {sum, reach, context, g}};

    return cs_corepmu_create(&config, &env, &g->pmu, diag);
}

cs_golden_corepmu *cs_golden_corepmu_create(const char *text)
{
    static const cs_golden_kind kind = {settings, NR_SETTINGS, sizeof(cs_golden_corepmu), create};

    return cs_golden_make(&kind, text);
}

void cs_golden_corepmu_destroy(cs_golden_corepmu *g)
{
    if (g == NULL)
        return;
    cs_corepmu_destroy(g->pmu);
    free(g);
}

unsigned cs_golden_corepmu_rate(cs_golden_corepmu *g, unsigned event, uint64_t times,
                                uint64_t cycles)
{
    unsigned i = 0;

    while (i < g->nr_rates && g->rates[i].event != event)
        i++;
    if (i == CS_GOLDEN_COREPMU_EVENTS || cycles == 0 || times > UINT32_MAX || cycles > UINT32_MAX)
        return 0;
    g->rates[i] = (rate){event, times, cycles};
    g->nr_rates += i == g->nr_rates;
    return 1;
}

void cs_golden_corepmu_context(cs_golden_corepmu *g, unsigned cid1, unsigned cid2, unsigned el)
{
    g->context = (cs_context){.cid1 = cid1, .cid2 = cid2, .mode = (uint8_t)(el & 3)};
}

unsigned cs_golden_corepmu_access(cs_golden_corepmu *g, uint64_t cycle, unsigned offset,
                                  unsigned bytes, unsigned write, uint64_t *data)
{
    return write != 0 ? cs_corepmu_write(g->pmu, cycle, offset, bytes == 8, *data)
                      : cs_corepmu_read(g->pmu, cycle, offset, bytes == 8, data);
}
