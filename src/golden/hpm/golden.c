#include "golden/hpm/golden.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/hpm/record.h"
#include "golden/settings.h"
#include "models/hpm/hpm.h"

struct cs_golden {
    cs_hpm *hpm;
    cs_record record;
    uint8_t increments[CS_RECORD_EVENTS]; /* of this cycle */
    uint8_t mode;
    uint64_t time;
    bool asked; /* an access in this cycle */
    cs_hpm_access access;
    cs_hpm_result result;
};

const char *cs_golden_error(void)
{
    return cs_golden_reason;
}

/* ---- settings ---- */

typedef struct settings {
    uint64_t xlen, modes, counters, width, sscofpmf, smcntrpmf, smcdeleg, aia, lcofi_latency;
} settings;

static bool read_settings(const char *text, settings *s)
{
    const cs_golden_setting rows[] = {
        {"xlen", &s->xlen, 64},
        {"modes", &s->modes, 3},
        {"counters", &s->counters, UINT32_MAX},
        {"width", &s->width, 64},
        {"sscofpmf", &s->sscofpmf, 1},
        {"smcntrpmf", &s->smcntrpmf, 1},
        {"smcdeleg", &s->smcdeleg, 1},
        {"aia", &s->aia, 1},
        {"lcofi_latency", &s->lcofi_latency, CS_HPM_MAX_LCOFI_LATENCY},
    };

    return cs_golden_read_settings(text, rows, sizeof rows / sizeof rows[0]);
}

/* ---- its life ---- */

cs_golden *cs_golden_create(const char *text)
{
    settings s = {.xlen = 64, .modes = 0, .counters = 0xfffffff8, .width = 64};
    cs_golden *golden;
    cs_hpm_config config = cs_hpm_default_config();
    cs_diag diag = {0};

    if (!read_settings(text, &s))
        return NULL;
    golden = calloc(1, sizeof *golden);
    if (golden == NULL) {
        snprintf(cs_golden_reason, sizeof cs_golden_reason, "no memory");
        return NULL;
    }
    config.xlen = (unsigned)s.xlen;
    config.modes = (unsigned)s.modes;
    config.counters = (uint32_t)s.counters;
    memset(config.width, (int)s.width, sizeof config.width);
    config.sscofpmf = s.sscofpmf;
    config.smcntrpmf = s.smcntrpmf;
    config.smcdeleg = s.smcdeleg;
    config.aia = s.aia;
    config.lcofi_latency = (unsigned)s.lcofi_latency;
    golden->mode = CS_HPM_MODE_M;
    const cs_hpm_env env = {.events = cs_record_source(&golden->record)};
    if (cs_hpm_create(&config, &env, &golden->hpm, &diag) != CS_OK) {
        cs_diag_print(&diag, cs_golden_reason, sizeof cs_golden_reason);
        free(golden);
        return NULL;
    }
    return golden;
}

void cs_golden_destroy(cs_golden *golden)
{
    if (golden == NULL)
        return;
    cs_hpm_destroy(golden->hpm);
    cs_record_clear(&golden->record);
    free(golden);
}

/* ---- a cycle ---- */

void cs_golden_mode(cs_golden *golden, unsigned mode)
{
    golden->mode = (uint8_t)(mode < CS_RECORD_MODES ? mode : CS_HPM_MODE_M);
}

void cs_golden_event(cs_golden *golden, unsigned event, unsigned increment)
{
    if (event < CS_RECORD_EVENTS)
        golden->increments[event] = (uint8_t)increment;
}

void cs_golden_time(cs_golden *golden, uint64_t time)
{
    golden->time = time;
}

uint64_t cs_golden_access(cs_golden *golden, unsigned csr, unsigned op, uint64_t operand)
{
    golden->asked = true;
    golden->access = (cs_hpm_access){.csr = (uint16_t)csr,
                                     .op = (uint8_t)op,
                                     .mode = golden->mode,
                                     .value = operand,
                                     .time = golden->time,
                                     .stateen_m = true,
                                     .stateen_h = true};
    golden->result = cs_hpm_ask(golden->hpm, &golden->access);
    return golden->result.value;
}

unsigned cs_golden_exception(const cs_golden *golden)
{
    return golden->asked ? golden->result.exception : CS_HPM_EXCEPTION_NONE;
}

uint64_t cs_golden_predict(cs_golden *golden, unsigned csr)
{
    const cs_hpm_access access = {.csr = (uint16_t)csr,
                                  .op = CS_HPM_OP_READ,
                                  .mode = CS_HPM_MODE_M,
                                  .time = golden->time,
                                  .stateen_m = true,
                                  .stateen_h = true};

    return cs_hpm_ask(golden->hpm, &access).value;
}

unsigned cs_golden_irq(cs_golden *golden)
{
    return cs_hpm_irq(golden->hpm);
}

void cs_golden_step(cs_golden *golden)
{
    cs_record_add(&golden->record, golden->increments, golden->mode);
    memset(golden->increments, 0, sizeof golden->increments);
    /* With what the core has done in the cycle, which a write takes into account. */
    if (golden->asked)
        cs_hpm_access_csr(golden->hpm, cs_hpm_now(golden->hpm), &golden->access);
    cs_hpm_advance(golden->hpm, golden->record.end);
    golden->asked = false;
}

uint64_t cs_golden_cycle(const cs_golden *golden)
{
    return golden->record.end;
}
