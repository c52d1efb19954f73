#include "golden/hpm/golden.h"

#include <stdbool.h>
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

/* ---- its life ---- */

enum {
    XLEN,
    MODES,
    COUNTERS,
    WIDTH,
    SSCOFPMF,
    SMCNTRPMF,
    SMCDELEG,
    AIA,
    LATENCY,
    EVENT_MASK,
    LEGAL_EVENTS,
    ILLEGAL_EVENT,
    EVENT_SET,
    NR_SETTINGS
};

static const cs_golden_setting settings[NR_SETTINGS] = {
    [XLEN] = {"xlen", 64, 64},
    [MODES] = {"modes", 0, 3},
    [COUNTERS] = {"counters", 0xfffffff8, UINT32_MAX},
    [WIDTH] = {"width", 64, 64},
    [SSCOFPMF] = {"sscofpmf", 0, 1},
    [SMCNTRPMF] = {"smcntrpmf", 0, 1},
    [SMCDELEG] = {"smcdeleg", 0, 1},
    [AIA] = {"aia", 0, 1},
    [LATENCY] = {"lcofi_latency", 0, CS_HPM_MAX_LCOFI_LATENCY},
    [EVENT_MASK] = {"event_mask", 0xffff, 0xffff},
    [LEGAL_EVENTS] = {"legal_events", 0, UINT64_MAX},
    [ILLEGAL_EVENT] = {"illegal_event", 0, 1},
    [EVENT_SET] = {"event_set", CS_RECORD_NO_SETS, CS_RECORD_ANY},
};

static cs_status create(void *out, const uint64_t *values, cs_diag *diag)
{
    cs_golden *golden = out;
    cs_hpm_config config = cs_hpm_default_config();
    const cs_hpm_env env = {.events = cs_record_source(&golden->record)};

    config.xlen = (unsigned)values[XLEN];
    config.modes = (unsigned)values[MODES];
    config.counters = (uint32_t)values[COUNTERS];
    memset(config.width, (int)values[WIDTH], sizeof config.width);
    config.sscofpmf = values[SSCOFPMF] != 0;
    config.smcntrpmf = values[SMCNTRPMF] != 0;
    config.smcdeleg = values[SMCDELEG] != 0;
    config.aia = values[AIA] != 0;
    config.lcofi_latency = (unsigned)values[LATENCY];
    config.event_holes = (uint16_t)~values[EVENT_MASK];
    config.legal_events = values[LEGAL_EVENTS];
    config.illegal_stays = values[ILLEGAL_EVENT] != 0;
    config.event_sets = values[EVENT_SET] != CS_RECORD_NO_SETS;
    golden->record.sets = (unsigned)values[EVENT_SET];
    golden->mode = CS_HPM_MODE_M;
    return cs_hpm_create(&config, &env, &golden->hpm, diag);
}

cs_golden *cs_golden_create(const char *text)
{
    static const cs_golden_kind kind = {settings, NR_SETTINGS, sizeof(cs_golden), create};

    return cs_golden_make(&kind, text);
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

/* Sets of events that counters have now. */
static void watch(cs_golden *golden)
{
    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++)
        cs_record_watch(&golden->record, cs_golden_predict(golden, 0x320 + n) & 0xffff);
}

void cs_golden_step(cs_golden *golden)
{
    cs_record_add(&golden->record, golden->increments, golden->mode);
    memset(golden->increments, 0, sizeof golden->increments);
    /* With what the core has done in the cycle, which a write takes into account. */
    if (golden->asked)
        cs_hpm_access_csr(golden->hpm, cs_hpm_now(golden->hpm), &golden->access);
    if (golden->asked && golden->access.op != CS_HPM_OP_READ &&
        golden->record.sets == CS_RECORD_ANY)
        watch(golden);
    cs_hpm_advance(golden->hpm, golden->record.end);
    golden->asked = false;
}

uint64_t cs_golden_cycle(const cs_golden *golden)
{
    return golden->record.end;
}
