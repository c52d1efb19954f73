// SPDX-License-Identifier: Apache-2.0
#include <countersink/drivers/hpm/hart_alone.h>

#include <stdlib.h>

#define PLACE "hart"

struct cs_hart_alone {
    cs_hart *hart;
    cs_hpm *hpm;
    cs_memory *memory;
    cs_timeline *timeline;
    uint32_t first_event;
    unsigned memory_cycles;
    uint64_t fault_address, fault_bytes;
    uint8_t fault;
};

/* ---- events by the block's numbers ---- */

static uint64_t alone_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_hart_alone *a = ctx;

    return cs_timeline_sum(a->timeline, a->first_event + event, modes, from, to);
}

static cs_cycle alone_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const cs_hart_alone *a = ctx;

    return cs_timeline_reach(a->timeline, a->first_event + event, modes, from, n);
}

static void alone_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    const cs_hart_alone *a = ctx;

    cs_timeline_context(a->timeline, cycle, out);
}

/* ---- the hart's environment ---- */

static cs_hpm_result alone_csr(void *ctx, cs_cycle e, const cs_hpm_access *access)
{
    const cs_hart_alone *a = ctx;

    return cs_hpm_access_csr(a->hpm, e, access);
}

static cs_cycle alone_line(void *ctx, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high)
{
    const cs_hart_alone *a = ctx;

    return cs_hpm_wait(a->hpm, from, to, lines, high);
}

static void alone_run(void *ctx, cs_cycle cycle, cs_hart_track track)
{
    const cs_hart_alone *a = ctx;

    if (cs_timeline_inserted(a->timeline))
        cs_timeline_leave(a->timeline, cycle, NULL);
    if (track != CS_HART_WORKLOAD)
        cs_timeline_enter(a->timeline, cycle, track, NULL);
}

static cs_cycle irqs_on(void *ctx, cs_cycle cycle)
{
    const cs_hart_alone *a = ctx;

    return cs_timeline_irqs_on(a->timeline, cycle);
}

static bool alone_touches(const cs_hart_alone *a, uint64_t address, unsigned bytes)
{
    return address - a->fault_address < a->fault_bytes || a->fault_address - address < bytes;
}

static cs_bus_submit alone_submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    cs_hart_alone *a = ctx;
    const unsigned bytes = cs_bus_txn_bytes(txn);

    (void)port;
    txn->grant = txn->request;
    txn->complete = txn->request + a->memory_cycles;
    txn->resp = CS_BUS_OKAY;
    if (a->fault_bytes > 0 && alone_touches(a, txn->addr, bytes))
        txn->resp = a->fault;
    else if (!txn->write)
        cs_memory_read(a->memory, txn->addr, bytes, txn->data);
    else if (cs_memory_write(a->memory, txn->addr, bytes, txn->data, NULL) != CS_OK)
        txn->resp = CS_BUS_SLVERR;
    return CS_BUS_DONE;
}

/* ---- create, destroy ---- */

cs_hart_alone_config cs_hart_alone_defaults(void)
{
    return (cs_hart_alone_config){
        .hart = {.costs = {4, 40, 30, 4, 2}, .time_mhz = 1, .clock_mhz = 1},
        .hpm = cs_hpm_default_config(),
        .memory_cycles = 1,
    };
}

/* Software is inserted before the first cycle, and taken out again: that leaves no trace. */
static cs_status check_timeline(cs_timeline *timeline, cs_diag *diag)
{
    if (timeline == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "no timeline");
    const cs_status status = cs_timeline_enter(timeline, 0, CS_HART_TRACKS - 1, diag);
    return status == CS_OK ? cs_timeline_leave(timeline, 0, diag) : status;
}

static cs_status alone_check(const cs_hart_alone_config *config, cs_diag *diag)
{
    const cs_hart_config *hart = &config->hart;

    if (hart->xlen != 0 && hart->xlen != config->hpm.xlen)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "xlen is %u, that of the CSR block %u",
                           hart->xlen, config->hpm.xlen);
    if (hart->costs.csr_cycles == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE, "csr_cycles is 0: must be 1 or more");
    if (hart->time_mhz == 0 || hart->clock_mhz == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, PLACE,
                           "time_mhz is %u, clock_mhz %u: must be 1 or more", hart->time_mhz,
                           hart->clock_mhz);
    return check_timeline(config->timeline, diag);
}

cs_status cs_hart_alone_create(const cs_hart_alone_config *config, cs_hart_alone **out,
                               cs_diag *diag)
{
    *out = NULL;
    cs_status status = alone_check(config, diag);
    if (status != CS_OK)
        return status;

    cs_hart_alone *a = calloc(1, sizeof *a);
    cs_hart_config hart = config->hart;
    const cs_event_source events = {alone_sum, alone_reach, alone_context, a, NULL};
    const cs_hart_env env = {alone_csr,         alone_line, alone_run, alone_context,
                             {alone_submit, a}, a,          irqs_on};

    if (a == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, PLACE, "no memory for a hart");
    hart.xlen = config->hpm.xlen;
    a->timeline = config->timeline;
    a->first_event = config->first_event;
    a->memory_cycles = config->memory_cycles;
    status = cs_hpm_create(&config->hpm, &(cs_hpm_env){events, config->probe}, &a->hpm, diag);
    if (status == CS_OK)
        status = cs_memory_create(&a->memory, diag);
    if (status == CS_OK)
        status = cs_hart_create(&hart, &env, &a->hart, diag);
    if (status != CS_OK) {
        cs_hart_alone_destroy(a);
        return status;
    }
    *out = a;
    return CS_OK;
}

void cs_hart_alone_destroy(cs_hart_alone *a)
{
    if (a == NULL)
        return;
    cs_hart_destroy(a->hart);
    cs_memory_destroy(a->memory);
    cs_hpm_destroy(a->hpm);
    free(a);
}

cs_hart *cs_hart_alone_hart(cs_hart_alone *a)
{
    return a->hart;
}

cs_hpm *cs_hart_alone_hpm(cs_hart_alone *a)
{
    return a->hpm;
}

cs_memory *cs_hart_alone_memory(cs_hart_alone *a)
{
    return a->memory;
}

/* The counters are behind: they still have to ask about cycles that the hart has left. */
void cs_hart_alone_forget(cs_hart_alone *a)
{
    const cs_cycle now = cs_hart_now(a->hart);

    cs_hpm_advance(a->hpm, now);
    cs_hpm_settle_all(a->hpm);
    cs_timeline_forget(a->timeline, now);
}

void cs_hart_alone_fault(cs_hart_alone *a, uint64_t address, uint64_t bytes, cs_bus_resp resp)
{
    a->fault_address = address;
    a->fault_bytes = bytes;
    a->fault = (uint8_t)resp;
}
