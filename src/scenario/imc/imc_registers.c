#include "scenario/imc/imc_registers.h"

#include <string.h>

#include "base/numbers.h"
#include "models/imc/imc_core.h"
#include "models/imc/imc_scom.h"
#include "scenario/yaml/number.h"

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

bool cs_imc_register_address(bool power10, unsigned cores, unsigned threads, const char *name,
                             uint64_t *addr, cs_suggest *suggest)
{
    const char *rest;
    unsigned core, thread;

    if (!take_number(name, cores, &core, &rest))
        return false;
    if (take_number(rest, threads, &thread, &rest)) {
        *addr = CS_SPR_BASE + SPR_BYTES_A_THREAD * (uint64_t)(CS_IMC_MAX_THREADS * core + thread) +
                8 * LDBAR_SPR;
        return strcmp(rest, "LDBAR") == 0;
    }
    for (size_t i = 0; i < sizeof imc_regs / sizeof imc_regs[0]; i++) {
        if (strcmp(imc_regs[i].name, rest) == 0) {
            *addr =
                CS_SCOM_BASE + 8 * (uint64_t)cs_imc_scom_address(power10, core, imc_regs[i].reg);
            return true;
        }
        if (suggest != NULL)
            cs_suggest_offer(suggest, imc_regs[i].name);
    }
    return false;
}
