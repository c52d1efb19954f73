// SPDX-License-Identifier: Apache-2.0
#include "scenario/imc/imc_registers.h"

#include <string.h>

#include "models/imc/imc_scom.h"
#include "scenario/yaml/number.h"
#include <countersink/base/numbers.h>
#include <countersink/models/imc/imc_core.h>

#define LDBAR_SPR 850u
#define SPR_BYTES_A_THREAD 0x2000u

static const struct {
    const char *name;
    unsigned reg;
} imc_regs[] = {
    {"HTM_MODE", CS_IMC_REG_HTM_MODE}, {"HTM_IMA_STATUS", CS_IMC_REG_STATUS},
    {"PDBAR", CS_IMC_REG_PDBAR},       {"EVENT_MASK", CS_IMC_REG_EVENT_MASK},
    {"TRACE", CS_IMC_REG_TRACE},       {"FIR", CS_IMC_REG_FIR},
    {"ERR_RPT", CS_IMC_REG_ERR_RPT},
};

uint64_t cs_imc_core_scom(const cs_imc_spec *imc, unsigned core, unsigned reg)
{
    const unsigned chip = cs_imc_chip_of(imc, core);
    const unsigned own = core - chip * cs_imc_chip_cores(imc);

    return CS_SCOM_BASE_OF(chip, imc->power10) +
           8 * (uint64_t)cs_imc_scom_address(imc->power10, own, reg);
}

/* "12.REST": the number, if it is below `end`, and in *rest what follows the point. */
static bool take_number(const char *text, unsigned end, unsigned *number, const char **rest)
{
    const char *point = strchr(text, '.');
    uint64_t value;

    if (point == NULL || cs_number_read(text, (size_t)(point - text), &value) != CS_NUMBER_OK ||
        value >= end)
        return false;
    *number = (unsigned)value;
    *rest = point + 1;
    return true;
}

bool cs_imc_register_address(const cs_imc_spec *imc, const char *name, uint64_t *addr,
                             cs_suggest *suggest)
{
    const char *rest;
    unsigned core, thread;

    if (!take_number(name, imc->cores, &core, &rest))
        return false;
    if (take_number(rest, imc->threads, &thread, &rest)) {
        *addr = CS_SPR_BASE + SPR_BYTES_A_THREAD * (uint64_t)(CS_IMC_MAX_THREADS * core + thread) +
                8 * LDBAR_SPR;
        return strcmp(rest, "LDBAR") == 0;
    }
    for (size_t i = 0; i < sizeof imc_regs / sizeof imc_regs[0]; i++) {
        if (strcmp(imc_regs[i].name, rest) == 0) {
            *addr = cs_imc_core_scom(imc, core, imc_regs[i].reg);
            return true;
        }
        if (suggest != NULL)
            cs_suggest_offer(suggest, imc_regs[i].name);
    }
    return false;
}
