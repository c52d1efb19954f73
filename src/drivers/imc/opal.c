// SPDX-License-Identifier: Apache-2.0
#include "drivers/imc/opal.h"

#include "models/imc/imc_scom.h"
#include <countersink/base/numbers.h>
#include <countersink/models/imc/imc_core.h>

unsigned cs_opal_core_of(bool fused, uint32_t pir)
{
    if (!fused)
        return pir >> 2 & 0x3f;
    return (pir >> 4 & 7) << 2 | (pir >> 3 & 1) << 1 | (pir & 1);
}

/* Above the core's bits a PIR has the chip's: 7 on POWER9, 4 on POWER10. */
unsigned cs_opal_chip_of(bool power10, uint32_t pir)
{
    return pir >> 8 & (power10 ? 0xf : 0x7f);
}

static unsigned chips_of(const cs_opal *opal)
{
    return opal->config.chips != 0 ? opal->config.chips : 1;
}

static unsigned chip_cores(const cs_opal *opal)
{
    return opal->config.cores / chips_of(opal);
}

/* Bits that are none of a chip, a core and a thread make it nobody's. */
static bool is_known(const cs_opal *opal, uint32_t pir)
{
    const uint32_t core = opal->config.fused ? 0x7f : 0xff;
    const uint32_t bits = (opal->config.power10 ? 0xf00u : 0x7f00u) | core;

    return (pir & ~bits) == 0 && cs_opal_chip_of(opal->config.power10, pir) < chips_of(opal) &&
           cs_opal_core_of(opal->config.fused, pir) < chip_cores(opal);
}

static void add_write(cs_opal_answer *answer, uint64_t addr, uint64_t value, bool memory)
{
    answer->writes[answer->nr_writes++] = (cs_opal_write){addr, value, memory};
}

static void add_scom(const cs_opal *opal, cs_opal_answer *answer, unsigned core, unsigned reg,
                     uint64_t value)
{
    const unsigned chip = core / chip_cores(opal), own = core % chip_cores(opal);
    const uint64_t address = cs_imc_scom_address(opal->config.power10, own, reg);

    add_write(answer, CS_SCOM_BASE_OF(chip, opal->config.power10) + 8 * address, value, false);
}

static void init_core(cs_opal *opal, cs_opal_answer *answer, unsigned core, uint64_t addr)
{
    cs_opal_saved *saved = &opal->saved[core];

    saved->core_valid = true;
    saved->pdbar = addr & CS_IMC_ADDRESS_MASK;
    add_scom(opal, answer, core, CS_IMC_REG_PDBAR, saved->pdbar);
    add_scom(opal, answer, core, CS_IMC_REG_EVENT_MASK, opal->config.event_mask);
    add_scom(opal, answer, core, CS_IMC_REG_HTM_MODE, CS_HTM_DISABLE);
}

static void init_trace(cs_opal *opal, cs_opal_answer *answer, unsigned core)
{
    opal->saved[core].trace_valid = true;
    add_scom(opal, answer, core, CS_IMC_REG_HTM_MODE, CS_HTM_DISABLE);
    add_scom(opal, answer, core, CS_IMC_REG_TRACE, opal->config.trace_scom);
}

static void call_nest(const cs_opal *opal, cs_opal_answer *answer, cs_opal_token token,
                      unsigned chip)
{
    if (token == CS_OPAL_IMC_INIT)
        return;
    if (!opal->config.nest) {
        answer->status = CS_OPAL_HARDWARE;
        return;
    }
    answer->looks = true;
    answer->look_at = opal->config.nest_base[chip] + CS_NEST_STATUS_OFFSET;
    add_write(answer, opal->config.nest_base[chip] + CS_NEST_COMMAND_OFFSET,
              token == CS_OPAL_IMC_START ? CS_NEST_RESUME : CS_NEST_PAUSE, true);
}

cs_opal_answer cs_opal_call(cs_opal *opal, cs_opal_token token, unsigned type, uint64_t addr,
                            uint32_t pir)
{
    const unsigned chip = cs_opal_chip_of(opal->config.power10, pir);
    const unsigned core = chip_cores(opal) * chip + cs_opal_core_of(opal->config.fused, pir);
    const bool known = is_known(opal, pir), init = token == CS_OPAL_IMC_INIT;
    cs_opal_answer answer = {.status = CS_OPAL_SUCCESS};

    /* START and STOP look at the PIR first, INIT at the type. */
    if (!known && (!init || type == CS_OPAL_CORE || type == CS_OPAL_TRACE)) {
        answer.status = CS_OPAL_PARAMETER;
        return answer;
    }
    if (type == CS_OPAL_NEST) {
        call_nest(opal, &answer, token, chip);
        return answer;
    }
    if (type != CS_OPAL_CORE && type != CS_OPAL_TRACE)
        return answer; /* skiboot says success to what it does not know */
    if (!init) {
        add_scom(opal, &answer, core, CS_IMC_REG_HTM_MODE,
                 token == CS_OPAL_IMC_START ? CS_HTM_ENABLE : CS_HTM_DISABLE);
    } else if (type == CS_OPAL_TRACE) {
        init_trace(opal, &answer, core);
    } else {
        init_core(opal, &answer, core, addr);
        /* Of a fused core only here: TRACE, START and STOP leave the second one out. */
        if (opal->config.fused && (core ^ 1) < opal->config.cores)
            init_core(opal, &answer, core ^ 1, addr);
    }
    return answer;
}

cs_opal_answer cs_opal_wake(const cs_opal *opal, unsigned core)
{
    const cs_opal_saved *saved = &opal->saved[core];
    cs_opal_answer answer = {.status = CS_OPAL_SUCCESS};

    if (saved->core_valid) {
        add_scom(opal, &answer, core, CS_IMC_REG_PDBAR, saved->pdbar);
        add_scom(opal, &answer, core, CS_IMC_REG_EVENT_MASK, opal->config.event_mask);
    }
    if (saved->trace_valid)
        add_scom(opal, &answer, core, CS_IMC_REG_TRACE, opal->config.trace_scom);
    return answer;
}
