// SPDX-License-Identifier: Apache-2.0
#include "models/imc/imc_scom.h"

#include <countersink/models/imc/imc_core.h>

#define LOW_BITS 24u
#define CORES_OF_FOUR 4u
#define SPR_LDBAR 850u
#define SPR_BYTES 8u
#define SPRS_BYTES 0x2000u /* of a thread */
#define SPR_THREADS 4u

/* A register, by its number: in a chiplet of four cores, with a low part for each core or one for
 * all of them; or in a chiplet of one core. */
typedef struct row {
    unsigned chiplet; /* of core 0 */
    unsigned cores;   /* of a chiplet: 4 or 1 */
    bool shared;      /* by all cores of the chiplet */
    uint32_t low[CORES_OF_FOUR];
} row;

#define NR_ROWS (CS_IMC_REG_ERR_RPT + 1u)

/* clang-format off */
static const row power9[NR_ROWS] = {
    [CS_IMC_REG_HTM_MODE] =   {0x10, 4, false, {0x012200, 0x012300, 0x012600, 0x012700}},
    [CS_IMC_REG_STATUS] =     {0x10, 4, false, {0x01220A, 0x01230A, 0x01260A, 0x01270A}},
    [CS_IMC_REG_PDBAR] =      {0x10, 4, false, {0x01220B, 0x01230B, 0x01260B, 0x01270B}},
    [CS_IMC_REG_EVENT_MASK] = {0x20, 1, false, {0x010AA8}},
    [CS_IMC_REG_TRACE] =      {0x20, 1, false, {0x010AA9}},
    [CS_IMC_REG_FIR] =        {0x10, 4, true,  {0x011000}},
    [CS_IMC_REG_ERR_RPT] =    {0x10, 4, true,  {0x01100E}},
};

static const row power10_rows[NR_ROWS] = {
    [CS_IMC_REG_HTM_MODE] =   {0x20, 4, false, {0x018680, 0x014680, 0x012680, 0x011680}},
    [CS_IMC_REG_STATUS] =     {0x20, 4, false, {0x01868A, 0x01468A, 0x01268A, 0x01168A}},
    [CS_IMC_REG_PDBAR] =      {0x20, 4, false, {0x01868B, 0x01468B, 0x01268B, 0x01168B}},
    [CS_IMC_REG_EVENT_MASK] = {0x20, 4, false, {0x028400, 0x024400, 0x022400, 0x021400}},
    [CS_IMC_REG_TRACE] =      {0x20, 4, false, {0x028401, 0x024401, 0x022401, 0x021401}},
    [CS_IMC_REG_FIR] =        {0x20, 4, true,  {0x011000}},
    [CS_IMC_REG_ERR_RPT] =    {0x20, 4, true,  {0x01100E}},
};
/* clang-format on */

static const row *rows_of(bool power10)
{
    return power10 ? power10_rows : power9;
}

static uint32_t address(const row *r, unsigned core)
{
    const unsigned place = r->shared ? 0 : core % r->cores;

    return (r->chiplet + core / r->cores) << LOW_BITS | r->low[place];
}

cs_imc_scom_target cs_imc_scom_decode(bool power10, unsigned nr_cores, uint32_t scom)
{
    const row *rows = rows_of(power10);
    cs_imc_scom_target target = {0, 0};

    for (unsigned reg = 0; reg < NR_ROWS; reg++)
        for (unsigned core = 0; core < nr_cores; core++)
            if (address(&rows[reg], core) == scom) {
                target.cores |= (uint32_t)1 << core;
                target.reg = reg;
            }
    return target;
}

uint32_t cs_imc_scom_address(bool power10, unsigned core, unsigned reg)
{
    return reg < NR_ROWS ? address(&rows_of(power10)[reg], core) : UINT32_MAX;
}

bool cs_imc_spr_decode(uint32_t offset, unsigned *core, unsigned *thread)
{
    const uint32_t place = offset / SPRS_BYTES;

    if (offset % SPRS_BYTES != SPR_LDBAR * SPR_BYTES)
        return false;
    *core = place / SPR_THREADS;
    *thread = place % SPR_THREADS;
    return true;
}
