// SPDX-License-Identifier: Apache-2.0
#include <countersink/golden.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden/hpm/golden_impl.h"
#include "golden/hpm/record.h"
#include "golden/settings.h"
#include <countersink/models/hpm/hpm.h>

struct cs_golden {
    cs_hpm *hpm;
    cs_record record;
    uint8_t increments[CS_RECORD_EVENTS]; /* of this cycle */
    uint8_t mode;
    uint64_t time;
    bool asked; /* an access in this cycle */
    cs_hpm_access access;
    cs_hpm_result result;
    unsigned modes;    /* bit m: the block has mode m */
    char failure[128]; /* the first; "": none */
};

/* The counters look back no further: what the core did before is forgotten so often, in cycles. */
#define KEPT_CYCLES 65536u
#define MOST_INCREMENT 15u

const char *cs_golden_error(void)
{
    return cs_golden_reason;
}

/* ---- what went wrong ---- */

static void fail(cs_golden *golden, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(cs_golden *golden, const char *format, ...)
{
    char text[96];
    va_list args;

    if (golden->failure[0] != '\0')
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(golden->failure, sizeof golden->failure, "cycle %llu: %s",
             (unsigned long long)golden->record.end, text);
}

const char *cs_golden_failure(const cs_golden *golden)
{
    return golden->failure;
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

static const unsigned modes_of[] = {
    [CS_HPM_MODES_M] = 1u << CS_HPM_MODE_M,
    [CS_HPM_MODES_M_U] = 1u << CS_HPM_MODE_M | 1u << CS_HPM_MODE_U,
    [CS_HPM_MODES_M_S_U] = 1u << CS_HPM_MODE_M | 1u << CS_HPM_MODE_S | 1u << CS_HPM_MODE_U,
    [CS_HPM_MODES_H] = 1u << CS_HPM_MODE_M | 1u << CS_HPM_MODE_S | 1u << CS_HPM_MODE_U |
                       1u << CS_HPM_MODE_VS | 1u << CS_HPM_MODE_VU,
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
    golden->modes = modes_of[config.modes];
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

unsigned cs_golden_sets(const cs_golden *golden)
{
    return golden->record.sets;
}

/* ---- a cycle ---- */

void cs_golden_mode(cs_golden *golden, unsigned mode)
{
    if (mode < CS_RECORD_MODES && golden->modes >> mode & 1)
        golden->mode = (uint8_t)mode;
    else
        fail(golden, "mode %u: expected one that the setting `modes` has", mode);
}

void cs_golden_event(cs_golden *golden, unsigned event, unsigned increment)
{
    if (event < CS_RECORD_EVENTS && increment <= MOST_INCREMENT)
        golden->increments[event] = (uint8_t)increment;
    else
        fail(golden, "event %u, increment %u: expected an event of 0 to 255, and 0 to %u", event,
             increment, MOST_INCREMENT);
}

void cs_golden_time(cs_golden *golden, uint64_t time)
{
    golden->time = time;
}

uint64_t cs_golden_access(cs_golden *golden, unsigned csr, unsigned op, uint64_t operand)
{
    if (golden->asked || csr > 0xfff || op > CS_GOLDEN_CLEAR) {
        fail(golden, "access to CSR 0x%x, operation %u: expected %s", csr, op,
             golden->asked ? "one access per cycle"
                           : "a CSR of 0 to 0xfff, and an operation of 0 to 3");
        return 0;
    }
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

    return csr <= 0xfff ? cs_hpm_ask(golden->hpm, &access).value : 0;
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

static void forget(cs_golden *golden)
{
    cs_hpm_settle_all(golden->hpm);
    cs_record_forget(&golden->record);
    if (golden->record.sets == CS_RECORD_ANY)
        watch(golden);
}

int cs_golden_step(cs_golden *golden)
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
    if (golden->record.end % KEPT_CYCLES == 0)
        forget(golden);
    if (golden->record.full)
        fail(golden, "no memory for what the core does: counts are too small");
    return golden->failure[0] != '\0';
}

uint64_t cs_golden_cycle(const cs_golden *golden)
{
    return golden->record.end;
}
