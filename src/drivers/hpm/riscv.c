#include "drivers/hpm/riscv.h"
#include "formats/riscv/abi/ring.h"

#include <stdlib.h>
#include <string.h>

#include "drivers/hpm/hypervisor.h"
#include "drivers/hpm/sbi/sbi_pmu.h"
#include "drivers/told.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_spec.h"

/* A driver, and its reader of samples. */
typedef struct kernel {
    cs_riscv_pmu *pmu; /* NULL: there is none */
    const cs_riscv_driver_spec *spec;
    cs_hart_track track;
    uint64_t drained; /* bytes of the ring */
    int error;        /* of the probe */
} kernel;

typedef struct event {
    cs_riscv_perf_event *perf; /* NULL: perf refused it */
    int counter;
    cycle_t from;   /* of the next count */
    uint64_t value; /* at the last */
    uint64_t told;
} event;

typedef struct command {
    const cs_riscv_perf_spec *spec;
    unsigned number;
    event *events;
    cycle_t due; /* what it does next; CS_NEVER: it has ended */
    bool runs;
} command;

const cs_soft_kind cs_soft_riscv_opened = {"riscv opened"};
const cs_soft_kind cs_soft_riscv_count = {"riscv count"};
const cs_soft_kind cs_soft_riscv_sample = {"riscv sample"};
const cs_soft_kind cs_soft_riscv_data = {"riscv ring data"};

struct cs_riscv {
    cs_riscv_config config;
    cs_riscv_pmu_map map; /* the driver's, if the scenario has none */
    cs_sbi_pmu *firmware;
    kernel host, guest;
    cs_hypervisor *hypervisor;
    command *commands;
    size_t nr_commands;
    cycle_t *firmware_due; /* by firmware_events */
    uint64_t *told;        /* likewise: so often it has happened */
    cycle_t seen;          /* ticks before it have been looked at */
    cs_hart *hart;         /* NULL: not yet begun */
};

static cycle_t us(const cs_riscv *r, uint64_t count)
{
    return count * r->config.clock_mhz;
}

static bool is_here(const cs_riscv *r, const bool cpus[CS_MAX_CPUS])
{
    return cpus[r->config.cpu];
}

static kernel *kernel_of(cs_riscv *r, const command *c)
{
    return c->spec->guest ? &r->guest : &r->host;
}

/* ---- the ring's reader ---- */

static void data(kernel *k, cs_riscv *r, bool guest, const void *bytes, size_t length)
{
    k->drained += length;
    cs_soft_emit(r->config.soft, &cs_soft_riscv_data, cs_hart_now(r->hart), r->config.cpu,
                 &(cs_riscv_data){r->config.hart, guest, bytes, length});
}

static void host_data(void *ctx, const void *bytes, size_t length)
{
    cs_riscv *r = ctx;

    data(&r->host, r, false, bytes, length);
}

static void guest_data(void *ctx, const void *bytes, size_t length)
{
    cs_riscv *r = ctx;

    data(&r->guest, r, true, bytes, length);
}

static void wake_reader(kernel *k, cs_hart *hart)
{
    const uint64_t waiting = cs_riscv_pmu_figures(k->pmu)->ring_bytes - k->drained;

    if (k->spec->wakeup_bytes != 0 && waiting >= k->spec->wakeup_bytes)
        cs_riscv_pmu_drain(k->pmu, hart);
}

/* ---- events ---- */

static cs_riscv_which which_of(const cs_riscv *r, uint64_t id)
{
    return (cs_riscv_which){r->config.hart, cs_ring_command(id), cs_ring_event(id)};
}

static void sample(void *ctx, const cs_riscv_sample *s)
{
    const cs_riscv *r = ctx;
    const cs_riscv_taken taken = {which_of(r, cs_riscv_perf_attr(s->event)->id), s};

    cs_soft_emit(r->config.soft, &cs_soft_riscv_sample, s->cycle, r->config.cpu, &taken);
    cs_soft_emit(r->config.soft, &cs_soft_sampled, s->cycle, r->config.cpu, NULL);
}

static cs_riscv_attr attr_of(const command *c, unsigned i)
{
    const cs_riscv_perf_spec *p = c->spec;

    return (cs_riscv_attr){
        .type = p->configs[i].type,
        .config = p->configs[i].config,
        .sample_period = p->sample_period,
        .id = cs_ring_id(c->number, i),
        .exclude_user = p->exclude_user,
        .exclude_kernel = p->exclude_kernel,
        .exclude_hv = p->exclude_hv,
        .exclude_host = p->exclude_host,
        .exclude_guest = p->exclude_guest,
        .guest_events = p->guest_events,
        .mmapped = p->mmapped,
        .callchain = p->callchain,
    };
}

/* What the firmware had to do of what the event counts. */
static uint64_t told(const cs_riscv *r, const cs_riscv_perf_event *perf)
{
    uint64_t unused, sum = 0;
    const uint32_t idx = cs_riscv_perf_idx(perf, &unused);

    for (size_t i = 0; i < r->config.spec->nr_firmware_events; i++)
        if (r->config.spec->firmware_events[i].code == CS_SBI_EVENT_CODE(idx))
            sum += r->told[i];
    return sum;
}

static int counter_of(const kernel *k, const cs_riscv_perf_event *perf)
{
    const unsigned csr = cs_riscv_pmu_csr(k->pmu, (unsigned)cs_riscv_perf_index(perf));

    return csr != 0 ? (int)(csr & 0x1f) : CS_RISCV_FIRMWARE_COUNTER;
}

static void begin_event(cs_riscv *r, kernel *k, command *c, unsigned i)
{
    const cycle_t adding = cs_hart_now(r->hart);
    const cs_riscv_attr attr = attr_of(c, i);
    event *e = &c->events[i];
    int error = cs_riscv_perf_open(k->pmu, r->hart, &attr, &e->perf);

    if (error == 0)
        error = cs_riscv_perf_add(k->pmu, r->hart, e->perf, CS_RISCV_EF_START);
    if (error == 0) {
        e->counter = counter_of(k, e->perf);
        e->from = cs_hart_now(r->hart);
        e->told = told(r, e->perf);
        e->value = 0;
    } else if (e->perf != NULL) {
        cs_riscv_perf_close(k->pmu, r->hart, e->perf);
        e->perf = NULL;
    }
    cs_soft_emit(r->config.soft, &cs_soft_riscv_opened, cs_hart_now(r->hart), r->config.cpu,
                 &(cs_riscv_opened){{r->config.hart, c->number, i}, error, e->counter, adding});
    if (error != 0)
        cs_soft_warn(r->config.soft, cs_hart_now(r->hart), r->config.cpu,
                     "riscv.perf.%u: the kernel refuses %s on hart %u: %s", c->number,
                     c->spec->events[i], r->config.hart, strerror(-error));
}

/* The event has been read. */
static void print(cs_riscv *r, const command *c, unsigned i)
{
    event *e = &c->events[i];
    const uint64_t value = cs_riscv_perf_count(e->perf), all_told = told(r, e->perf);
    const cs_riscv_count count = {
        .which = {r->config.hart, c->number, i},
        .counter = e->counter,
        .from = e->from,
        .to = cs_hart_now(r->hart),
        .value = value - e->value,
        .told = all_told - e->told,
    };

    cs_soft_emit(r->config.soft, &cs_soft_riscv_count, count.to, r->config.cpu, &count);
    e->value = value;
    e->told = all_told;
    e->from = count.to;
}

/* ---- perf commands ---- */

static cycle_t next_due(const cs_riscv *r, const command *c, cycle_t after)
{
    const cycle_t stop = us(r, c->spec->stop_us);
    const cycle_t step = us(r, c->spec->interval_us);

    return step != 0 && after + step < stop ? after + step : stop;
}

static void start_command(cs_riscv *r, command *c)
{
    kernel *k = kernel_of(r, c);

    cs_hart_trap(r->hart, k->track);
    for (unsigned i = 0; i < c->spec->nr_events; i++)
        begin_event(r, k, c, i);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
    c->runs = true;
    c->due = next_due(r, c, c->due);
}

static void end_command(cs_riscv *r, command *c)
{
    kernel *k = kernel_of(r, c);

    for (unsigned i = 0; i < c->spec->nr_events; i++)
        if (c->events[i].perf != NULL) {
            cs_riscv_perf_del(k->pmu, r->hart, c->events[i].perf);
            print(r, c, i);
            cs_riscv_perf_close(k->pmu, r->hart, c->events[i].perf);
        }
    if (c->spec->sample_period != 0)
        cs_riscv_pmu_drain(k->pmu, r->hart);
    c->due = CS_NEVER;
}

static void read_command(cs_riscv *r, command *c)
{
    for (unsigned i = 0; i < c->spec->nr_events; i++)
        if (c->events[i].perf != NULL) {
            cs_riscv_perf_read(kernel_of(r, c)->pmu, r->hart, c->events[i].perf);
            print(r, c, i);
        }
    c->due = next_due(r, c, c->due);
}

static void run_command(cs_riscv *r, command *c)
{
    if (!c->runs) {
        start_command(r, c);
        return;
    }
    cs_hart_trap(r->hart, kernel_of(r, c)->track);
    if (c->due == us(r, c->spec->stop_us))
        end_command(r, c);
    else
        read_command(r, c);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
}

/* ---- what else happens ---- */

static void firmware_event(cs_riscv *r, size_t i)
{
    const cs_firmware_event_spec *f = &r->config.spec->firmware_events[i];

    cs_hart_trap(r->hart, CS_HART_FIRMWARE);
    cs_sbi_pmu_firmware_event(r->firmware, r->hart, f->code, f->count);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
    r->told[i] += f->count;
    r->firmware_due[i] += us(r, f->every_us);
}

static void tick(cs_riscv *r, kernel *k)
{
    cs_hart_trap(r->hart, k->track);
    cs_riscv_pmu_tick(k->pmu, r->hart);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
}

static void interrupt(cs_riscv *r, kernel *k)
{
    cs_hart_work(r->hart, cs_hart_get_costs(r->hart)->irq_latency_cycles);
    cs_hart_trap(r->hart, k->track);
    cs_riscv_pmu_irq(k->pmu, r->hart);
    wake_reader(k, r->hart);
    cs_hart_return(r->hart, CS_HART_WORKLOAD);
}

static void take_interrupts(cs_riscv *r, unsigned lines)
{
    if (lines & CS_HART_LCOFI_S)
        interrupt(r, &r->host);
    else if (lines & CS_HART_LCOFI_VS)
        interrupt(r, &r->guest);
}

/* The first of what is due. */
typedef struct work {
    cycle_t due;
    command *command;
    size_t firmware; /* where there is no command, */
    kernel *ticks;   /* and no tick */
} work;

static void consider_tick(const cs_riscv *r, kernel *k, work *w)
{
    const cycle_t due = k->pmu != NULL ? cs_riscv_pmu_next_tick(k->pmu, r->seen) : CS_NEVER;

    if (due < w->due)
        *w = (work){.due = due, .ticks = k};
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
    for (size_t i = 0; i < r->config.spec->nr_firmware_events; i++)
        if (r->firmware_due[i] < w.due)
            w = (work){.due = r->firmware_due[i], .firmware = i};
    consider_tick(r, &r->host, &w);
    consider_tick(r, &r->guest, &w);
    return w;
}

static void do_work(cs_riscv *r, const work *w)
{
    if (w->command != NULL)
        run_command(r, w->command);
    else if (w->ticks != NULL)
        tick(r, w->ticks);
    else
        firmware_event(r, w->firmware);
}

static void run_commands(cs_riscv *r)
{
    for (work w = next_work(r); w.due != CS_NEVER; w = next_work(r)) {
        const cycle_t now = cs_hart_now(r->hart);

        r->seen = now;
        if (w.due > now) {
            const unsigned lines =
                cs_hart_wait(r->hart, w.due - 1, CS_HART_LCOFI_S | CS_HART_LCOFI_VS);

            if (lines != 0) {
                take_interrupts(r, lines);
                continue;
            }
        }
        do_work(r, &w);
    }
}

/* ---- up ---- */

static void probe(cs_riscv *r, kernel *k)
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
        probe(r, &r->host);
    if (r->hypervisor != NULL)
        cs_hypervisor_boot(r->hypervisor, hart);
    if (r->guest.pmu != NULL && r->host.error == 0)
        probe(r, &r->guest);
    cs_hart_return(hart, CS_HART_WORKLOAD);
    if (r->host.error == 0 && r->guest.error == 0)
        run_commands(r);
}

/* ---- create, destroy ---- */

static cs_status make_firmware(cs_riscv *r, cs_diag *diag)
{
    const cs_riscv_config *c = &r->config;
    const cs_sbi_pmu_config config = {
        .form = c->spec->firmware.proposal_v3 ? CS_SBI_PROPOSAL_V3 : CS_SBI_RATIFIED,
        .deviations = c->spec->firmware.deviations,
        .version = c->spec->firmware.version,
        .map = c->spec->map,
        .firmware_counters = c->spec->firmware.counters,
        .specific_events = c->spec->firmware.specific_events,
        .platform_events = c->spec->firmware.platform_events,
        .call_cycles = c->spec->firmware.call_cycles,
        .sscofpmf = c->harts->sscofpmf,
        .smcntrpmf = c->harts->smcntrpmf,
        .smcdeleg = c->harts->smcdeleg,
        .hypervisor = c->harts->modes == CS_HPM_MODES_H,
        .memory_base = c->memory_base,
        .memory_size = c->memory_size,
    };

    return cs_sbi_pmu_create(&config, &r->firmware, diag);
}

static cs_status make_kernel(cs_riscv *r, kernel *k, cs_sbi sbi, cs_diag *diag)
{
    const cs_riscv_config *c = &r->config;
    const cs_riscv_driver_spec *spec = k->spec;
    const uint64_t base = spec->base + r->config.hart * cs_scenario_riscv_bytes(spec);
    const bool guest = k == &r->guest;
    const cs_riscv_pmu_config config = {
        .kind = spec->kind,
        .bugs = spec->bugs,
        .guest = guest,
        .sscofpmf = c->harts->sscofpmf,
        .user_access = spec->legacy_user_access ? CS_RISCV_USER_LEGACY : CS_RISCV_USER_MAPPED,
        .sbi = sbi,
        .use_snapshot = spec->snapshot,
        .snapshot_address = base,
        .info_address = spec->event_info ? base + CS_RISCV_PAGE : 0,
        .ring_base = base + 2 * (uint64_t)CS_RISCV_PAGE,
        .ring_bytes = spec->ring_bytes,
        .map = c->spec->map != NULL ? c->spec->map : &r->map,
        .handler_cycles = spec->handler_cycles,
        .event_cycles = spec->event_cycles,
        .sample_cycles = spec->sample_cycles,
        .frame_cycles = spec->frame_cycles,
        .max_samples_per_tick = spec->max_samples_per_tick,
        .tick_cycles = us(r, spec->tick_us),
    };
    const cs_riscv_listener listener = {
        .sample = sample, .data = guest ? guest_data : host_data, .ctx = r};

    return cs_riscv_pmu_create(&config, &listener, &k->pmu, diag);
}

static cs_status make_guest(cs_riscv *r, cs_diag *diag)
{
    const cs_hypervisor_config config = {
        .firmware = cs_sbi_pmu_interface(r->firmware),
        .host = r->host.pmu,
        .call_cycles = r->config.spec->hypervisor_cycles,
        .sscofpmf = r->config.harts->sscofpmf,
        .open_fixed = r->config.spec->guest.kind == CS_RISCV_LEGACY,
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
    r->firmware_due = calloc(spec->nr_firmware_events + 1, sizeof *r->firmware_due);
    r->told = calloc(spec->nr_firmware_events + 1, sizeof *r->told);
    good = r->commands != NULL && r->firmware_due != NULL && r->told != NULL;
    for (size_t i = 0; i < spec->nr_perf && good; i++) {
        const cs_riscv_perf_spec *p = &spec->perf[i];
        command *c = &r->commands[r->nr_commands];

        if (!is_here(r, p->cpus))
            continue;
        r->nr_commands++;
        *c = (command){.spec = p,
                       .number = (unsigned)i,
                       .events = calloc(p->nr_events, sizeof *c->events),
                       .due = us(r, p->start_us)};
        good = c->events != NULL;
    }
    for (size_t i = 0; i < spec->nr_firmware_events && good; i++) {
        const cs_firmware_event_spec *f = &spec->firmware_events[i];

        r->firmware_due[i] = is_here(r, f->cpus) ? us(r, f->every_us) : CS_NEVER;
    }
    return good ? CS_OK
                : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a hart's software");
}

static cs_status make(cs_riscv *r, cs_diag *diag)
{
    const bool driver = r->config.harts->modes >= CS_HPM_MODES_M_S_U;
    cs_status status = make_firmware(r, diag);

    if (status == CS_OK && driver)
        status = make_kernel(r, &r->host, cs_sbi_pmu_interface(r->firmware), diag);
    if (status == CS_OK && driver && r->config.spec->has_guest)
        status = make_guest(r, diag);
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
    cs_status status = make(r, diag);
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
    for (size_t i = 0; i < r->nr_commands; i++)
        free(r->commands[i].events);
    free(r->commands);
    free(r->firmware_due);
    free(r->told);
    cs_riscv_pmu_destroy(r->guest.pmu);
    cs_hypervisor_destroy(r->hypervisor);
    cs_riscv_pmu_destroy(r->host.pmu);
    cs_sbi_pmu_destroy(r->firmware);
    free(r);
}

cs_riscv_report cs_riscv_get_report(const cs_riscv *r, cycle_t now)
{
    cs_riscv_report report = {
        .failed = r->hart != NULL ? cs_hart_failed(r->hart) : NULL,
    };

    if (r->host.pmu != NULL)
        report.host = *cs_riscv_pmu_figures(r->host.pmu);
    if (r->guest.pmu != NULL)
        report.guest = *cs_riscv_pmu_figures(r->guest.pmu);
    for (unsigned i = 0; i < CS_HART_TRACKS && r->hart != NULL; i++)
        report.cycles[i] = cs_hart_cycles(r->hart, (cs_hart_track)i, now);
    return report;
}
