// SPDX-License-Identifier: Apache-2.0
#include "drivers/hpm/riscv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/hpm/riscv_impl.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"

#define SSE_OFFSET 2048u /* of its attributes, in the page for EVENT_GET_INFO */

static void riscv_which(const cs_riscv_which *w, FILE *out)
{
    fprintf(out, "hart %u, command %u, event %u", w->hart, w->command, w->event);
}

CS_SOFT_PRINTED(riscv_opened, cs_riscv_opened, "riscv opened")
{
    riscv_which(&what->which, out);
    fprintf(out, ", errno %d, counter %d%s, adding %" PRIu64, what->error, what->counter,
            what->turns ? ", in turns" : "", what->adding);
}

CS_SOFT_PRINTED(riscv_placed, cs_riscv_placed, "riscv placed")
{
    riscv_which(&what->which, out);
    fprintf(out, ", %s counter %d, adding %" PRIu64, what->on ? "on" : "off", what->counter,
            what->adding);
}

CS_SOFT_PRINTED(riscv_access, cs_riscv_accessed, "riscv access")
{
    static const char *const by[] = {"workload", "kernel", "firmware"};
    static const char *const ops[] = {"reads", "writes", "sets", "clears"};
    static const char *const how[] = {"", ", illegal instruction", ", virtual instruction"};
    fprintf(out, "hart %u, %s %s CSR 0x%03x, operand 0x%" PRIx64 ", found 0x%" PRIx64 "%s",
            what->hart, by[what->spec->by], ops[what->spec->op], what->spec->csr, what->spec->value,
            what->result.value, how[what->result.exception]);
}

CS_SOFT_PRINTED(riscv_virtual, cs_riscv_virtual, "riscv virtual counter")
{
    static const char *const names[] = {"on", "off", "overflow"};
    fprintf(out, "hart %u, %s: virtual counter %u, counter %u", what->hart, names[what->what],
            what->number, what->counter);
}

CS_SOFT_PRINTED(riscv_sample, cs_riscv_taken, "riscv sample")
{
    const cs_riscv_sample *s = what->sample;
    riscv_which(&what->which, out);
    fprintf(out,
            ", counter %u, pid %u, tid %u, ip 0x%" PRIx64 ", time %" PRIu64 ", period %" PRIu64
            ", count %" PRIu64 ", misc %u%s%s",
            s->counter, s->pid, s->tid, s->ip, s->time, s->period, s->count, s->misc,
            s->in_software ? ", in software" : "", s->lost ? ", lost" : "");
}

CS_SOFT_PRINTED(riscv_data, cs_riscv_data, "riscv ring data")
{
    fprintf(out, "hart %u, %zu bytes%s", what->hart, what->length,
            what->guest ? " of the guest" : "");
}

/* ---- the ring's reader ---- */

static void riscv_data(kernel *k, cs_riscv *r, bool guest, const void *bytes, size_t length)
{
    k->drained += length;
    cs_tell_riscv_data(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                       &(cs_riscv_data){r->config.hart, guest, bytes, length});
}

static void host_data(void *ctx, const void *bytes, size_t length)
{
    cs_riscv *r = ctx;

    riscv_data(&r->host, r, false, bytes, length);
}

static void guest_data(void *ctx, const void *bytes, size_t length)
{
    cs_riscv *r = ctx;

    riscv_data(&r->guest, r, true, bytes, length);
}

static bool wants_reader(const kernel *k)
{
    const uint64_t waiting = cs_riscv_pmu_figures(k->pmu)->ring_bytes - k->drained;

    return k->spec->wakeup_bytes != 0 && waiting >= k->spec->wakeup_bytes;
}

static void wake_reader(kernel *k, cs_hart *hart)
{
    if (wants_reader(k))
        cs_riscv_pmu_drain(k->pmu, hart);
}

/* ---- what else happens ---- */

static void riscv_turn(cs_riscv *r, kernel *k)
{
    cs_hart_trap(r->hart, k->track);
    cs_hart_perf_tick(k->perf, r->hart);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
}

/* Of the workload that was interrupted. */
static bool is_in_guest(const cs_riscv *r)
{
    cs_context context;

    cs_hart_context(r->hart, &context);
    return context.mode == CS_HPM_MODE_VS || context.mode == CS_HPM_MODE_VU;
}

static void riscv_interrupt(cs_riscv *r, kernel *k)
{
    cs_hart_work(r->hart, cs_hart_get_costs(r->hart)->irq_latency_cycles);
    cs_hart_trap(r->hart, k->track);
    if (r->kvm != NULL && k == &r->host && is_in_guest(r))
        cs_kvm_interrupted(r->kvm, r->hart);
    cs_riscv_pmu_irq(k->pmu, r->hart);
    wake_reader(k, r->hart);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
}

static void read_ring(cs_riscv *r)
{
    cs_hart_trap(r->hart, CS_HART_KERNEL);
    cs_riscv_pmu_drain(r->host.pmu, r->hart);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
}

/* ---- overflows by software events: M mode takes them, whatever runs ---- */

static void in_firmware(void *ctx, cs_hart *hart)
{
    const cs_riscv *r = ctx;

    cs_sbi_pmu_lcofi(r->firmware, hart);
}

static void riscv_handle(void *ctx, cs_hart *hart, const cs_sse_entry *entry)
{
    const cs_riscv *r = ctx;

    cs_riscv_pmu_sse(r->host.pmu, hart, entry);
}

static void begin_sse(cs_riscv *r)
{
    r->sse = r->host.pmu != NULL && cs_riscv_pmu_has_sse(r->host.pmu);
    if (r->sse)
        cs_hart_intercept(r->hart, CS_HART_LCOFI_M, in_firmware, r);
}

static void take_overflow(cs_riscv *r)
{
    cs_hart_work(r->hart, cs_hart_get_costs(r->hart)->irq_latency_cycles);
    in_firmware(r, r->hart);
}

/* The workload has come to where it takes interrupts; false: M mode has taken one before. */
static bool irqs_on(cs_riscv *r)
{
    const cs_cycle on = cs_hart_irqs_on(r->hart);

    if (on <= cs_hart_now(r->hart))
        return true;
    if (cs_hart_wait(r->hart, on - 1, r->sse ? CS_HART_LCOFI_M : 0) == 0)
        return true;
    take_overflow(r);
    return false;
}

static void take_interrupts(cs_riscv *r, unsigned lines)
{
    if (lines & CS_HART_LCOFI_M)
        take_overflow(r);
    else if (!irqs_on(r))
        return;
    else if (lines & CS_HART_LCOFI_S)
        riscv_interrupt(r, &r->host);
    else if ((lines & CS_HART_LCOFI_VS) && r->guest.pmu != NULL)
        riscv_interrupt(r, &r->guest);
}

/* The first of what is due. */
typedef struct work {
    cs_cycle due;
    command *command;
    chore chore;   /* where there is no command, */
    kernel *ticks; /* and no tick */
    kernel *turns; /* likewise, of the timer that turns events */
    bool reads;    /* nor what the reader of the ring was woken for */
} work;

static void consider_tick(const cs_riscv *r, kernel *k, work *w)
{
    const cs_cycle due = k->pmu != NULL ? cs_riscv_pmu_next_tick(k->pmu, r->seen) : CS_NEVER;

    const cs_cycle turn = k->perf != NULL ? cs_hart_perf_due(k->perf) : CS_NEVER;

    if (due < w->due)
        *w = (work){.due = due, .ticks = k};
    if (turn < w->due)
        *w = (work){.due = turn, .turns = k};
}

/* A handler that runs whatever it interrupts cannot wake the reader: that is done behind it. */
static void consider_reader(const cs_riscv *r, work *w)
{
    if (r->sse && wants_reader(&r->host))
        *w = (work){.due = r->seen, .reads = true};
}

/* CS_NEVER: the commands have ended. */
static work next_work(cs_riscv *r)
{
    work w = {.due = CS_NEVER};

    for (size_t i = 0; i < r->nr_commands; i++)
        if (r->commands[i].due < w.due)
            w = (work){.due = r->commands[i].due, .command = &r->commands[i]};
    if (w.due == CS_NEVER)
        return w;
    const chore other = cs_riscv_next_chore(r);
    if (other.due < w.due)
        w = (work){.due = other.due, .chore = other};
    consider_tick(r, &r->host, &w);
    consider_tick(r, &r->guest, &w);
    consider_reader(r, &w);
    return w;
}

/* Those that came meanwhile are merged with it. */
static void riscv_tick(cs_riscv *r, const work *w)
{
    cs_hart_trap(r->hart, w->ticks->track);
    cs_riscv_pmu_tick(w->ticks->pmu, r->hart);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
    r->seen = cs_hart_now(r->hart);
}

static void do_work(cs_riscv *r, const work *w)
{
    if (w->reads)
        read_ring(r);
    else if (w->command != NULL)
        cs_riscv_run_command(r, w->command);
    else if (w->ticks != NULL)
        riscv_tick(r, w);
    else if (w->turns != NULL)
        riscv_turn(r, w->turns);
    else
        cs_riscv_do_chore(r, &w->chore);
}

static bool needs_irqs(const cs_riscv *r, const work *w)
{
    return w->command != NULL || w->ticks != NULL || w->turns != NULL || w->reads ||
           cs_riscv_chore_needs_irqs(r, &w->chore);
}

static void run_commands(cs_riscv *r)
{
    const unsigned any = CS_HART_LCOFI_S | (r->guest.pmu != NULL ? CS_HART_LCOFI_VS : 0) |
                         (r->sse ? CS_HART_LCOFI_M : 0);

    for (work w = next_work(r); w.due != CS_NEVER; w = next_work(r)) {
        const cs_cycle now = cs_hart_now(r->hart);

        r->seen = now;
        if (w.due > now) {
            const unsigned lines = cs_hart_wait(r->hart, w.due - 1, any);

            if (lines != 0) {
                take_interrupts(r, lines);
                continue;
            }
        }
        if (!needs_irqs(r, &w) || irqs_on(r))
            do_work(r, &w);
    }
}

/* ---- up ---- */

static void riscv_probe(cs_riscv *r, kernel *k)
{
    cs_hart_run(r->hart, k->track);
    k->error = cs_riscv_pmu_probe(k->pmu, r->hart);
    if (k->error != 0)
        cs_soft_warn(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                     "hart %u: its driver finds no counters: %s", r->config.hart,
                     strerror(-k->error));
}

void cs_riscv_run(void *riscv, cs_hart *hart)
{
    cs_riscv *r = riscv;

    r->hart = hart;
    cs_hart_run(hart, CS_HART_FIRMWARE);
    cs_sbi_pmu_boot(r->firmware, hart);
    if (r->host.pmu != NULL)
        riscv_probe(r, &r->host);
    begin_sse(r);
    if (r->hypervisor != NULL)
        cs_hypervisor_boot(r->hypervisor, hart);
    if (r->kvm != NULL && r->host.error == 0)
        cs_kvm_boot(r->kvm, hart);
    if (r->guest.pmu != NULL && r->host.error == 0)
        riscv_probe(r, &r->guest);
    cs_hart_return(hart, CS_HART_WORKLOAD);
    if (r->host.error == 0 && r->guest.error == 0)
        run_commands(r);
}

/* ---- create, destroy ---- */

static cs_status make_firmware(cs_riscv *r, cs_diag *diag)
{
    const cs_riscv_config *c = &r->config;
    cs_sbi_pmu_config config = {
        .form = c->spec->firmware.proposal_v3 ? CS_SBI_PROPOSAL_V3 : CS_SBI_RATIFIED,
        .set_event = c->spec->firmware.set_event,
        .deviations = c->spec->firmware.deviations,
        .version = c->spec->firmware.version,
        .map = c->spec->map,
        .firmware_counters = c->spec->firmware.counters,
        .specific_events = c->spec->firmware.specific_events,
        .platform_events = c->spec->firmware.platform_events,
        .call_cycles = c->spec->firmware.call_cycles,
        .sscofpmf = c->harts->sscofpmf,
        .smcntrpmf = c->harts->smcntrpmf,
        .smcdeleg = c->harts->smcdeleg && cs_sbi_knows_smcdeleg(c->spec->firmware.deviations),
        .hypervisor = c->harts->modes == CS_HPM_MODES_H,
        .memory_base = c->memory_base,
        .memory_size = c->memory_size,
        .sse = c->spec->firmware.sse,
        .hart = c->hart,
        .harts = c->harts->count,
        .nr_units = (unsigned)c->spec->firmware.nr_units,
    };
    cs_status status;

    for (unsigned i = 0; i < config.nr_units; i++) {
        const cs_riscv_unit_spec *unit = &c->spec->firmware.units[i];

        config.units[i] = (cs_sbi_unit){unit->address, unit->counters, unit->width};
    }
    status = cs_sbi_pmu_create(&config, &r->firmware, diag);
    if (status == CS_OK)
        cs_sbi_pmu_on_sse(r->firmware, riscv_handle, r);
    return status;
}

static bool is_kvm(const cs_riscv *r)
{
    return r->config.spec->hypervisor == CS_RISCV_KVM;
}

static cs_status make_perf(cs_riscv *r, kernel *k, cs_diag *diag)
{
    const cs_hart_perf_config config = {
        .pmu = k->pmu,
        .turn_cycles = us(r, k->spec->mux_us),
        .rotation_cycles = k->spec->rotation_cycles,
    };

    return cs_hart_perf_create(&config, &k->perf, diag);
}

static cs_status make_kernel(cs_riscv *r, kernel *k, cs_sbi sbi, cs_diag *diag)
{
    const cs_riscv_config *c = &r->config;
    const cs_riscv_driver_spec *spec = k->spec;
    const uint64_t base = spec->base + r->config.hart * cs_scenario_riscv_bytes(spec);
    const bool guest = k == &r->guest;
    const cs_riscv_pmu_config config = {
        .kind = spec->kind,
        .find = spec->find,
        .bugs = spec->bugs,
        .guest = guest,
        /* KVM hides it where it could not inject an interrupt. */
        .sscofpmf = c->harts->sscofpmf && !(guest && is_kvm(r) && !c->harts->aia),
        .smcntrpmf = c->harts->smcntrpmf,
        .user_access = spec->legacy_user_access ? CS_RISCV_USER_LEGACY : CS_RISCV_USER_MAPPED,
        .sbi = sbi,
        .use_snapshot = spec->snapshot,
        .snapshot_address = base,
        .info_address = spec->event_info ? base + CS_RISCV_PAGE : 0,
        .use_sse = spec->sse,
        .sse_address = base + CS_RISCV_PAGE + SSE_OFFSET,
        .sse_cycles = spec->sse_cycles,
        .ring_base = base + 2 * (uint64_t)CS_RISCV_PAGE,
        .ring_bytes = spec->ring_bytes,
        .map = c->spec->map != NULL ? c->spec->map : &r->map,
        .handler_cycles = spec->handler_cycles,
        .event_cycles = spec->event_cycles,
        .sample_cycles = spec->sample_cycles,
        .frame_cycles = spec->frame_cycles,
        .max_samples_per_tick = spec->max_samples_per_tick,
        .tick_cycles = us(r, spec->tick_us),
        .clock_mhz = c->clock_mhz,
    };
    const cs_riscv_listener listener = {
        .sample = cs_riscv_sample_taken, .data = guest ? guest_data : host_data, .ctx = r};

    const cs_status status = cs_riscv_pmu_create(&config, &listener, &k->pmu, diag);

    return status == CS_OK ? make_perf(r, k, diag) : status;
}

static void tell_virtual(void *ctx, const cs_riscv_virtual *what)
{
    cs_riscv *r = ctx;

    cs_tell_riscv_virtual(r->config.soft, cs_hart_now(r->hart), r->config.cpu, what);
    if (what->what == CS_RISCV_VIRTUAL_ON && cs_hart_perf_takes_turns(r->host.perf))
        cs_riscv_virtual_placed(r, what->number);
}

static cs_status make_kvm(cs_riscv *r, cs_diag *diag)
{
    const cs_kvm_config config = {
        .host = r->host.pmu,
        .perf = r->host.perf,
        .exit_cycles = r->config.spec->exit_cycles,
        .call_cycles = r->config.spec->hypervisor_cycles,
        .interrupts = r->config.harts->aia,
        .reads_add = r->config.spec->kvm_reads_add,
        .tell = tell_virtual,
        .ctx = r,
    };
    cs_status status = cs_kvm_create(&config, &r->kvm, diag);

    if (status == CS_OK)
        status = make_kernel(r, &r->guest, cs_kvm_interface(r->kvm), diag);
    return status;
}

static cs_status make_guest(cs_riscv *r, cs_diag *diag)
{
    const cs_hypervisor_config config = {
        .firmware = cs_sbi_pmu_interface(r->firmware),
        .host = r->host.pmu,
        .call_cycles = r->config.spec->hypervisor_cycles,
        .sscofpmf = r->config.harts->sscofpmf,
        .open_fixed = r->config.spec->guest.kind == CS_RISCV_LEGACY ||
                      r->config.spec->guest.kind == CS_RISCV_BASE,
    };
    cs_status status = cs_hypervisor_create(&config, &r->hypervisor, diag);

    if (status == CS_OK)
        status = make_kernel(r, &r->guest, cs_hypervisor_interface(r->hypervisor), diag);
    return status;
}

static cs_status make_commands(cs_riscv *r, cs_diag *diag)
{
    const cs_riscv_spec *spec = r->config.spec;
    bool good;

    r->commands = calloc(spec->nr_perf + 1, sizeof *r->commands);
    good = r->commands != NULL;
    for (size_t i = 0; i < spec->nr_perf && good; i++) {
        const cs_riscv_perf_spec *p = &spec->perf[i];
        command *c = &r->commands[r->nr_commands];

        if (!cs_riscv_is_here(r, p->cpus))
            continue;
        r->nr_commands++;
        *c = (command){.riscv = r,
                       .spec = p,
                       .number = (unsigned)i,
                       .events = calloc(p->nr_events, sizeof *c->events),
                       .due = us(r, p->start_us)};
        good = c->events != NULL;
    }
    return good ? CS_OK
                : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a hart's software");
}

static cs_status riscv_make(cs_riscv *r, cs_diag *diag)
{
    const bool driver = r->config.harts->modes >= CS_HPM_MODES_M_S_U;
    cs_status status = make_firmware(r, diag);

    if (status == CS_OK && driver)
        status = make_kernel(r, &r->host, cs_sbi_pmu_interface(r->firmware), diag);
    if (status == CS_OK && driver && r->config.spec->has_guest)
        status = is_kvm(r) ? make_kvm(r, diag) : make_guest(r, diag);
    if (status == CS_OK)
        status = cs_riscv_create_chores(r, diag);
    return status == CS_OK ? make_commands(r, diag) : status;
}

cs_status cs_riscv_create(const cs_riscv_config *config, cs_riscv **out, cs_diag *diag)
{
    cs_riscv *r = calloc(1, sizeof *r);

    *out = NULL;
    if (r == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a hart's software");
    r->config = *config;
    r->host = (kernel){.spec = &config->spec->driver, .track = CS_HART_KERNEL};
    r->guest = (kernel){.spec = &config->spec->guest, .track = CS_HART_GUEST};
    cs_riscv_pmu_map_default(&r->map);
    cs_status status = riscv_make(r, diag);
    if (status != CS_OK) {
        cs_riscv_destroy(r);
        return status;
    }
    *out = r;
    return CS_OK;
}

void cs_riscv_destroy(cs_riscv *r)
{
    if (r == NULL)
        return;
    cs_hart_perf_destroy(r->guest.perf);
    cs_hart_perf_destroy(r->host.perf);
    for (size_t i = 0; i < r->nr_commands; i++)
        free(r->commands[i].events);
    free(r->commands);
    cs_riscv_destroy_chores(r);
    cs_riscv_pmu_destroy(r->guest.pmu);
    cs_hypervisor_destroy(r->hypervisor);
    cs_kvm_destroy(r->kvm);
    cs_riscv_pmu_destroy(r->host.pmu);
    cs_sbi_pmu_destroy(r->firmware);
    free(r);
}

cs_riscv_report cs_riscv_get_report(const cs_riscv *r, cs_cycle now)
{
    cs_riscv_report report = {
        .failed = r->hart != NULL ? cs_hart_failed(r->hart) : NULL,
    };

    if (r->host.pmu != NULL)
        report.host = *cs_riscv_pmu_figures(r->host.pmu);
    if (r->guest.pmu != NULL)
        report.guest = *cs_riscv_pmu_figures(r->guest.pmu);
    report.has_kvm = r->kvm != NULL;
    if (r->kvm != NULL)
        report.kvm = *cs_kvm_get_figures(r->kvm);
    for (unsigned i = 0; i < CS_HART_TRACKS && r->hart != NULL; i++)
        report.cycles[i] = cs_hart_cycles(r->hart, (cs_hart_track)i, now);
    return report;
}

bool cs_riscv_rotating(const cs_riscv *r, cs_rotating_report *all)
{
    const cs_hart_perf *const both[] = {r->host.perf, r->guest.perf};
    bool any = false;

    for (size_t i = 0; i < 2; i++) {
        const cs_rotating_report *one = both[i] != NULL ? cs_hart_perf_report(both[i]) : NULL;

        any |= one != NULL;
        if (one != NULL)
            cs_rotating_report_add(all, one);
    }
    return any;
}
