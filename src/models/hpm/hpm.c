// SPDX-License-Identifier: Apache-2.0
/* The object, its time and its accesses: docs/hw/hpm.md. */
#include <countersink/models/hpm/hpm.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "models/hpm/hpm_internal.h"

#define PLACE "hpm"

cs_hpm_config cs_hpm_default_config(void)
{
    cs_hpm_config config = {.xlen = 64,
                            .modes = CS_HPM_MODES_H,
                            .counters = 0xfffffff8,
                            .sscofpmf = true,
                            .smcntrpmf = true,
                            .smcdeleg = true,
                            .unit = CS_UNIT_HART(0)};

    memset(config.width, 64, sizeof config.width);
    return config;
}

static cs_status check_widths(const cs_hpm_config *config, cs_diag *diag)
{
    for (unsigned n = CS_HPM_FIRST; n < CS_HPM_COUNTERS; n++)
        if (config->counters >> n & 1 && (config->width[n] < 1 || config->width[n] > 64))
            return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                               "width of counter %u is %u bits: must be 1..64", n,
                               config->width[n]);
    return CS_OK;
}

/* docs/hw/hpm.md, section 1. */
static cs_status check(const cs_hpm_config *config, cs_diag *diag)
{
    const bool has_s = config->modes >= CS_HPM_MODES_M_S_U;

    if (config->xlen != 32 && config->xlen != 64)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "xlen is %u: must be 32 or 64", config->xlen);
    if (config->modes > CS_HPM_MODES_H)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "modes is %u: must be 0..3", config->modes);
    if (config->counters & 7)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "counters is 0x%x: bits 2..0 must be 0 (the first is counter 3)",
                           (unsigned)config->counters);
    if (config->smcdeleg && !has_s)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "smcdeleg is on and modes is %u: it needs S (modes 2 or 3)",
                           config->modes);
    if (config->aia && !has_s)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "aia is on and modes is %u: it needs S (modes 2 or 3)", config->modes);
    if (config->aia && !config->sscofpmf)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "aia is on and sscofpmf is off: it needs sscofpmf");
    if (config->lcofi_latency > CS_HPM_MAX_LCOFI_LATENCY)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "lcofi_latency is %u cycles: must be 0..%u",
                           config->lcofi_latency, CS_HPM_MAX_LCOFI_LATENCY);
    return check_widths(config, diag);
}

static cs_status check_env(const cs_hpm_env *env, cs_diag *diag)
{
    if (env == NULL || env->events.sum == NULL || env->events.reach == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "env: events.sum and events.reach must be set");
    return CS_OK;
}

static unsigned what_it_has(const cs_hpm_config *config)
{
    const struct {
        bool has;
        unsigned what;
    } table[] = {
        {config->xlen == 32, CS_HPM_NEEDS_R32},
        {config->modes >= CS_HPM_MODES_M_U, CS_HPM_NEEDS_U},
        {config->modes >= CS_HPM_MODES_M_S_U, CS_HPM_NEEDS_S},
        {config->modes == CS_HPM_MODES_H, CS_HPM_NEEDS_H},
        {config->sscofpmf, CS_HPM_NEEDS_OF},
        {config->smcntrpmf, CS_HPM_NEEDS_CF},
        {config->smcdeleg, CS_HPM_NEEDS_DG},
        {config->aia, CS_HPM_NEEDS_AIA},
    };
    unsigned has = 0;

    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        has |= table[i].has ? table[i].what : 0;
    return has;
}

static uint64_t filter_of(unsigned has)
{
    return CS_HPM_MINH | (has & CS_HPM_NEEDS_S ? CS_HPM_SINH : 0) |
           (has & CS_HPM_NEEDS_U ? CS_HPM_UINH : 0) |
           (has & CS_HPM_NEEDS_H ? CS_HPM_VSINH | CS_HPM_VUINH : 0);
}

static void clear(cs_hpm *hpm, cs_cycle now)
{
    cs_hpm fresh = {.config = hpm->config,
                    .events = hpm->events,
                    .probe = hpm->probe,
                    .has = hpm->has,
                    .impl = hpm->impl,
                    .filter = hpm->filter,
                    .now = now,
                    .lcofi.aia = hpm->config.aia,
                    .lines = hpm->lines};

    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        fresh.counter[n].since = now;
    *hpm = fresh;
}

cs_status cs_hpm_create(const cs_hpm_config *config, const cs_hpm_env *env, cs_hpm **out,
                        cs_diag *diag)
{
    cs_status status = check(config, diag);

    *out = NULL;
    if (status == CS_OK)
        status = check_env(env, diag);
    if (status != CS_OK)
        return status;
    cs_hpm *hpm = calloc(1, sizeof *hpm);
    if (hpm == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, PLACE, "out of memory");
    hpm->config = *config;
    hpm->events = env->events;
    hpm->probe = env->probe;
    hpm->has = what_it_has(config);
    hpm->impl = config->counters | 5; /* mcycle, minstret */
    hpm->filter = filter_of(hpm->has);
    clear(hpm, 0);
    *out = hpm;
    return CS_OK;
}

void cs_hpm_destroy(cs_hpm *hpm)
{
    free(hpm);
}

void cs_hpm_reset(cs_hpm *hpm, cs_cycle now)
{
    CS_REQUIRE(now >= hpm->now,
               PLACE ": a reset in cycle %" PRIu64 ": must be in %" PRIu64 " or later", now,
               hpm->now);
    if (now > hpm->now)
        cs_hpm_advance(hpm, now - 1); /* what would have come in `now` does not */
    clear(hpm, now);
    cs_hpm_show_lines(hpm, now);
}

cs_cycle cs_hpm_now(const cs_hpm *hpm)
{
    return hpm->now;
}

static cs_cycle advance(cs_hpm *hpm, cs_cycle to, const cs_hpm_plan *plan)
{
    if (to <= hpm->now)
        return hpm->now;
    const cs_hpm_executed done = cs_hpm_execute(hpm, to, plan);
    if (done.first_lcofi != CS_NEVER) {
        hpm->lcofi.mip = true;
        cs_hpm_show_lines(hpm, done.first_lcofi);
    }
    return hpm->now;
}

cs_cycle cs_hpm_advance(cs_hpm *hpm, cs_cycle to)
{
    return advance(hpm, to, NULL);
}

unsigned cs_hpm_irq(const cs_hpm *hpm)
{
    return hpm->lines;
}

static cs_cycle next(const cs_hpm *hpm, cs_hpm_plan *plan)
{
    cs_hpm_lcofi with_request = hpm->lcofi;

    with_request.mip = true;
    if (cs_hpm_levels(with_request) == hpm->lines)
        return CS_NEVER;
    /* What is on its way comes before all that is not yet. */
    if (hpm->arriving != 0)
        return hpm->now + 1 + (unsigned)__builtin_ctz(hpm->arriving);
    const cs_cycle overflow = cs_hpm_next_overflow(hpm, plan);
    return overflow == CS_NEVER ? CS_NEVER : overflow + hpm->config.lcofi_latency;
}

cs_cycle cs_hpm_next(const cs_hpm *hpm)
{
    return next(hpm, NULL);
}

cs_cycle cs_hpm_wait(cs_hpm *hpm, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high)
{
    cs_hpm_plan plan;

    CS_REQUIRE(from >= hpm->now,
               PLACE ": a wait from cycle %" PRIu64 " on: must be from %" PRIu64 " on", from,
               hpm->now);
    plan.known = 0;
    for (cs_cycle at = from; at < to; at = next(hpm, &plan)) {
        advance(hpm, at, &plan);
        *high = hpm->lines & lines;
        if (*high != 0)
            return at;
    }
    *high = 0;
    advance(hpm, to, &plan);
    return to;
}

static void record(const cs_hpm *hpm, const cs_hpm_access *access, bool is_write, uint64_t value,
                   cs_hpm_exception exception)
{
    const cs_probe_record r = {.cycle = hpm->now,
                               .kind = CS_PROBE_REG,
                               .write = is_write,
                               .resp = (uint8_t)exception,
                               .source = hpm->config.unit,
                               .addr = access->csr,
                               .value = value,
                               .bytes = hpm->config.xlen / 8};

    cs_probe_emit(hpm->probe, &r);
}

static uint64_t combine(const cs_hpm *hpm, uint64_t old, const cs_hpm_access *access)
{
    const uint64_t mask = UINT64_MAX >> (64 - hpm->config.xlen);

    switch (access->op) {
    case CS_HPM_OP_SET:
        return old | (access->value & mask);
    case CS_HPM_OP_CLEAR:
        return old & ~access->value;
    default:
        return access->value & mask;
    }
}

cs_hpm_result cs_hpm_ask(cs_hpm *hpm, const cs_hpm_access *access)
{
    cs_hpm_target target;
    const cs_hpm_exception exception = cs_hpm_judge(hpm, access, &target);

    if (exception != CS_HPM_EXCEPTION_NONE)
        return (cs_hpm_result){exception, 0};
    return (cs_hpm_result){CS_HPM_EXCEPTION_NONE, cs_hpm_read(hpm, &target, access)};
}

cs_hpm_result cs_hpm_access_csr(cs_hpm *hpm, cs_cycle cycle, const cs_hpm_access *access)
{
    const bool writes = access->op != CS_HPM_OP_READ;
    cs_hpm_target target;

    CS_REQUIRE(cycle >= hpm->now && cycle >= hpm->free,
               PLACE ": a CSR access in cycle %" PRIu64 ": must be in %" PRIu64 " or later", cycle,
               hpm->now > hpm->free ? hpm->now : hpm->free);
    cs_hpm_advance(hpm, cycle);
    hpm->free = cycle + 1;
    const cs_hpm_exception exception = cs_hpm_judge(hpm, access, &target);
    if (exception != CS_HPM_EXCEPTION_NONE) {
        record(hpm, access, writes, 0, exception);
        return (cs_hpm_result){exception, 0};
    }
    const uint64_t old = cs_hpm_read(hpm, &target, access);
    record(hpm, access, false, old, CS_HPM_EXCEPTION_NONE);
    if (writes) {
        const uint64_t data = combine(hpm, old, access);

        record(hpm, access, true, data, CS_HPM_EXCEPTION_NONE);
        cs_hpm_write(hpm, &target, data);
    }
    return (cs_hpm_result){CS_HPM_EXCEPTION_NONE, old};
}
