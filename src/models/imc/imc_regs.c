// SPDX-License-Identifier: Apache-2.0
/* The registers: spec, "Access". */
#include "models/imc/imc_internal.h"

/* The bits that a write reaches. */
static const uint64_t writable[CS_IMC_REG_LDBAR] = {
    [CS_IMC_REG_HTM_MODE] = UINT64_MAX,
    [CS_IMC_REG_PDBAR] = UINT64_MAX,
    [CS_IMC_REG_EVENT_MASK] = UINT64_MAX,
    [CS_IMC_REG_TRACE] = UINT64_MAX,
    [CS_IMC_REG_FIR] = UINT64_C(3) << (63 - 13), /* 12:13 */
    [CS_IMC_REG_ERR_RPT] = UINT64_C(1) << (63 - 24),
};

bool cs_imc_regs_readable(const cs_imc_core *core, unsigned reg)
{
    return reg <= CS_IMC_REG_ERR_RPT ||
           (reg >= CS_IMC_REG_LDBAR && reg < CS_IMC_REG_LDBAR + core->config.threads);
}

bool cs_imc_regs_writable(const cs_imc_core *core, unsigned reg)
{
    return cs_imc_regs_readable(core, reg) && reg != CS_IMC_REG_STATUS;
}

/* ---- read ---- */

static bool trace_active(const cs_imc_core *core)
{
    const unsigned records = core->live.waits | (core->writer.busy ? core->writer.what : 0);

    if (records & ~CS_IMC_POSTS)
        return true;
    for (unsigned thread = 0; thread < core->config.threads; thread++)
        if (cs_imc_tracing(core, thread))
            return true;
    return false;
}

static uint64_t status(const cs_imc_core *core)
{
    const unsigned transfers =
        (unsigned)__builtin_popcount(core->live.waits) + (core->writer.busy ? 1 : 0);
    uint64_t value = core->live.regs[CS_IMC_REG_STATUS];

    value = cs_msb0_put(value, CS_IMC_STATUS_TRACE_ACTIVE, trace_active(core));
    value = cs_msb0_put(value, CS_IMC_STATUS_STATE, cs_imc_window_state(core));
    return cs_msb0_put(value, CS_IMC_STATUS_COUNT, transfers);
}

uint64_t cs_imc_regs_read(const cs_imc_core *core, unsigned reg)
{
    return reg == CS_IMC_REG_STATUS ? status(core) : core->live.regs[reg];
}

/* ---- write ---- */

static void write_scom(cs_imc_core *core, unsigned reg, uint64_t value)
{
    uint64_t *regs = core->live.regs;

    cs_imc_count_settle_all(core, core->now + 1);
    regs[reg] = value & writable[reg];
    if (reg == CS_IMC_REG_HTM_MODE)
        regs[CS_IMC_REG_STATUS] = 0;
}

/* LDBARs first: they go by TRACE as it is in the cycle. */
static void take_writes(cs_imc_core *core)
{
    for (unsigned reg = CS_IMC_NR_REGS; reg-- > 0;) {
        if (!(core->writes >> reg & 1))
            continue;
        if (reg >= CS_IMC_REG_LDBAR)
            cs_imc_trace_write_ldbar(core, reg - CS_IMC_REG_LDBAR, core->write_values[reg]);
        else
            write_scom(core, reg, core->write_values[reg]);
    }
    core->plan |= CS_IMC_PLAN_ALL;
    core->written = CS_NEVER;
    core->writes = 0;
}

void cs_imc_regs_execute(cs_imc_core *core)
{
    static const unsigned settable[] = {CS_IMC_REG_STATUS, CS_IMC_REG_FIR, CS_IMC_REG_ERR_RPT};

    if (core->written == core->now)
        take_writes(core);
    for (unsigned i = 0; i < sizeof settable / sizeof settable[0]; i++) {
        core->live.regs[settable[i]] |= core->set[settable[i]];
        core->set[settable[i]] = 0;
    }
}
