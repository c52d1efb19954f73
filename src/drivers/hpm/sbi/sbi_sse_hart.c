// SPDX-License-Identifier: Apache-2.0
/* Software events on the hart: where they interrupt, and what LCOFI is while its event has a
 * handler (docs/drivers/sbi_sse.md, "On the hart"). */
#include "drivers/hpm/sbi/sbi_pmu_impl.h"

#define CSR_MIDELEG 0x303u
#define CSR_MIE 0x304u

void cs_sbi_pmu_on_sse(cs_sbi_pmu *fw, cs_sse_handler handler, void *ctx)
{
    fw->handler = handler;
    fw->handler_ctx = ctx;
}

const cs_sbi_sse *cs_sbi_pmu_sse(const cs_sbi_pmu *fw)
{
    return fw->sse;
}

void cs_sse_capture(cs_sbi_pmu *fw, cs_hart *hart, cs_sse_entry *from)
{
    cs_sse_supervisor *s = &fw->supervisor;

    if (fw->sse == NULL || fw->handler == NULL) /* nobody asks */
        return;
    from->in_software = cs_hart_running(hart) != CS_HART_WORKLOAD;
    from->trap = cs_hart_now(hart);
    cs_hart_here(hart, &from->interrupted);
    s->pc = from->interrupted.pc;
    s->privileged = (from->interrupted.mode & 1) != 0;
    s->virtualized = from->interrupted.mode >= CS_MODE_VU;
    s->sie = !from->in_software && !from->interrupted.irqs_off;
}

/* LCOFI is M mode's while its event has a handler, and asked for while the event waits for it. */
static void sbi_sse_hart_route(cs_sbi_pmu *fw, cs_hart *hart)
{
    const cs_sse_event *event = cs_sbi_sse_event(fw->sse, CS_SSE_PMU_OVERFLOW);
    const bool ours = event != NULL && event->state != CS_SSE_UNUSED;
    const bool on = event != NULL && event->state == CS_SSE_ENABLED && !event->pending;

    if (ours && !fw->lcofi_ours)
        cs_hart_csr_clear(hart, CSR_MIDELEG, CS_MIP_LCOFIP);
    if (on && !fw->lcofi_on)
        cs_hart_csr_set(hart, CSR_MIE, CS_MIP_LCOFIP);
    if (!on && fw->lcofi_on)
        cs_hart_csr_clear(hart, CSR_MIE, CS_MIP_LCOFIP);
    if (!ours && fw->lcofi_ours)
        cs_hart_csr_set(hart, CSR_MIDELEG, CS_MIP_LCOFIP);
    fw->lcofi_ours = ours;
    fw->lcofi_on = on;
}

cs_sbi_ret cs_sse_ecall(cs_sbi_pmu *fw, cs_hart *hart, uint64_t fid, const uint64_t args[6])
{
    const cs_sse_event *event = cs_sbi_sse_event(fw->sse, CS_SSE_PMU_OVERFLOW);
    const bool was_on = fw->lcofi_on;
    const bool completes = fid == CS_SBI_SSE_COMPLETE && fw->handlers != 0;
    const cs_sbi_ret ret = cs_sbi_sse_call(fw->sse, hart, fid, args, &fw->supervisor);

    fw->completed = completes;
    sbi_sse_hart_route(fw, hart);
    if (was_on && event != NULL && event->state == CS_SSE_REGISTERED &&
        cs_sbi_deviates(fw, CS_SBI_DEV_SSE_DISABLE_CLEARS))
        cs_hart_csr_clear(hart, CS_CSR_MIP, CS_MIP_LCOFIP);
    return ret;
}

/* All that is ready, then back to what was interrupted. */
static void sbi_sse_hart_deliver(cs_sbi_pmu *fw, cs_hart *hart, cs_hart_track track,
                                 cs_sse_entry *from)
{
    const cs_sse_event *event;

    while (fw->handler != NULL && (event = cs_sbi_sse_ready(fw->sse)) != NULL) {
        from->event = event->id;
        from->pc = event->attrs[CS_SSE_ENTRY_PC];
        from->arg = event->attrs[CS_SSE_ENTRY_ARG];
        cs_sbi_sse_inject(fw->sse, &fw->supervisor);
        sbi_sse_hart_route(fw, hart);
        cs_hart_return(hart, CS_HART_KERNEL);
        fw->handlers++;
        fw->handler(fw->handler_ctx, hart, from);
        fw->handlers--;
        fw->completed = false;
        from->trap = cs_hart_now(hart);
    }
    cs_hart_return(hart, track);
}

void cs_sse_leave(cs_sbi_pmu *fw, cs_hart *hart, cs_hart_track track, cs_sse_entry *from)
{
    if (fw->sse == NULL)
        cs_hart_return(hart, track);
    else if (!fw->completed)
        sbi_sse_hart_deliver(fw, hart, track, from);
}

void cs_sse_stopped(cs_sbi_pmu *fw, cs_hart *hart)
{
    uint32_t runs;

    if (!fw->lcofi_ours)
        return;
    runs = fw->there & ~(uint32_t)cs_hart_csr_read(hart, CS_CSR_MCOUNTINHIBIT) & ~CS_SBI_FIXED;
    cs_hart_csr_clear(hart, CS_CSR_MIP, CS_MIP_LCOFIP);
    if (runs == 0 || cs_sbi_deviates(fw, CS_SBI_DEV_SSE_STOP_CLEARS))
        return;
    if ((cs_hart_csr_read(hart, CS_CSR_SCOUNTOVF) & runs) != 0)
        cs_hart_csr_set(hart, CS_CSR_MIP, CS_MIP_LCOFIP);
}

void cs_sbi_pmu_lcofi(cs_sbi_pmu *fw, cs_hart *hart)
{
    cs_sse_entry from = {0};
    cs_hart_track track;

    cs_sse_capture(fw, hart, &from);
    track = cs_hart_trap(hart, CS_HART_FIRMWARE);
    cs_hart_work(hart, fw->config.call_cycles);
    cs_sbi_sse_signal(fw->sse, CS_SSE_PMU_OVERFLOW);
    sbi_sse_hart_route(fw, hart);
    sbi_sse_hart_deliver(fw, hart, track, &from);
}
