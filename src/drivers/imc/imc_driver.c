// SPDX-License-Identifier: Apache-2.0
#include "drivers/imc/imc_driver_impl.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/software_kinds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

CS_SOFT_PRINTED(imc_opened, cs_imc_opened, "imc opened")
{
    fprintf(out, "command %u, %s%s%s", what->command,
            what->error == CS_IMC_GOOD ? "open" : cs_imc_error_name(what->error),
            what->reason != NULL ? ": " : "", what->reason != NULL ? what->reason : "");
}

CS_SOFT_PRINTED(imc_trouble, cs_imc_trouble, "imc trouble")
{
    fprintf(out, "kind %u, command %u, cpu %u, late %" PRIu64, (unsigned)what->kind, what->command,
            what->cpu, what->late);
}

CS_SOFT_PRINTED(imc_count, cs_imc_count, "imc count")
{
    fprintf(out,
            "command %u, %s/%s/, from %" PRIu64 " to %" PRIu64 ", value %" PRIu64 ", ran %" PRIu64,
            what->command, what->event->of->pmu, what->event->name, what->from, what->to, what->raw,
            what->ran);
}

CS_SOFT_PRINTED(imc_stint, cs_imc_stint, "imc stint")
{
    fprintf(out, "command %u, %s/%s/, from %" PRIu64 " to %" PRIu64 ", value %" PRIu64,
            what->command, what->event->of->pmu, what->event->name, what->from, what->to,
            what->raw);
}

CS_SOFT_PRINTED(imc_sample, cs_imc_perf_sample, "imc sample")
{
    fprintf(out,
            "command %u, time %" PRIu64 ", ip 0x%" PRIx64 ", timebase %" PRIu64
            ", pid %u, misc %u, period %" PRIu64 "%s",
            what->command, what->time, what->ip, what->timebase, what->pid, what->misc,
            what->period, what->by_interrupt ? ", by interrupt" : "");
}

static void sleep_for(cs_imc_driver *d, uint64_t cycles)
{
    cs_imc_order(d, (cs_op){.kind = CS_OP_SLEEP, .cycles = cycles}, cs_imc_nobody);
}

static void hear(cs_imc_driver *d, const cs_op_result *result)
{
    const cs_op_note note = d->at->note;

    switch ((enum imc_note)note.what) {
    case NOTE_NONE:
        break;
    case NOTE_OPAL:
    case NOTE_LOOK:
        cs_imc_hear_call(d, &note, result);
        break;
    case NOTE_UNITS:
        cs_imc_hear_units(d, result);
        break;
    case NOTE_FIRST:
    case NOTE_COUNT:
        cs_imc_hear_value(d, &note, result);
        break;
    case NOTE_DUMP:
        cs_imc_hear_records(d, &note, result);
        break;
    case NOTE_TAKE:
    case NOTE_GIVE:
        cs_imc_hear_lock(d, &note);
        break;
    case NOTE_SWITCH:
        cs_imc_hear_switch(d, &note);
        break;
    case NOTE_SHARE:
        cs_imc_hear_share(d, &note);
        break;
    case NOTE_DUMPED:
        d->report.dump_cycles += d->now - d->at->dump_began;
        break;
    }
}

/* What comes next in time: a command's number; or beyond them, for a waking core and for a write
 * into debugfs. */
static cs_cycle next_due(const cs_imc_driver *d, size_t *which)
{
    cs_cycle due = cs_imc_wakes(d);

    *which = d->nr_commands;
    if (cs_imc_debugfs_due(d) < due) {
        due = cs_imc_debugfs_due(d);
        *which = d->nr_commands + 1;
    }
    for (size_t i = 0; i < d->nr_commands; i++) {
        const imc_command *c = &d->commands[i];

        if (!c->ended && c->due < due) {
            due = c->due;
            *which = i;
        }
    }
    return due;
}

/* A worker: the next job, or it waits for one. */
static bool work(cs_imc_driver *d)
{
    imc_lane *lane = d->at;
    cs_cycle next = cs_imc_wakes(d);

    if (cs_imc_switch(d))
        return true;
    if (lane->begun < lane->nr_jobs) {
        cs_imc_tell_late(d);
        cs_imc_do_job(d, &lane->jobs[lane->begun++]);
        return true;
    }
    if (d->over) {
        cs_imc_tell_late(d);
        return false;
    }
    if (cs_imc_switch_due(d) < next)
        next = cs_imc_switch_due(d);
    cs_imc_order(d,
                 (cs_op){.kind = CS_OP_WAIT_IRQ,
                         .lines = CS_LINE(CS_LINE_IPI(CS_SOFTWARE_imc_driver)),
                         .cycles = next != CS_NEVER ? next - d->now : 0},
                 cs_imc_nobody);
    return true;
}

/* Fills the queue; false when everything has been done. */
static bool decide(cs_imc_driver *d)
{
    if (d->at->worker)
        return work(d);
    size_t which;

    if (!d->booted) {
        if (!d->hosted && cs_imc_hostboot(d))
            return true;
        if (d->now < d->config.spec->boot_cycles)
            sleep_for(d, d->config.spec->boot_cycles - d->now);
        else
            cs_imc_boot(d);
        return true;
    }
    const cs_cycle due = next_due(d, &which);
    bool more = which != d->nr_commands || cs_imc_debugfs_due(d) != CS_NEVER;
    for (size_t i = 0; i < d->nr_commands; i++)
        more |= !d->commands[i].ended;
    if (!more) {
        cs_imc_tell_late(d);
        if (d->nr_workers != 0 && !d->over) {
            cs_imc_dismiss(d);
            return true;
        }
        return false; /* nobody needs a core that wakes later */
    }
    if (due > d->now) {
        sleep_for(d, due - d->now);
        return true;
    }
    if (which > d->nr_commands)
        cs_imc_write_debugfs(d);
    else
        cs_imc_serve_command(d, (unsigned)which); /* who wakes was served in next() */
    return true;
}

static void next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    imc_lane *lane = ctx;
    cs_imc_driver *d = lane->driver;
    cs_queued_op queued;

    d->at = lane;
    d->now = now;
    cs_op_queue_begin(&d->at->queue);
    if (last != NULL)
        hear(d, last);
    if (d->booted &&
        cs_imc_wakes(d) <= now) { /* the firmware of the core does not wait for the kernel */
        cs_op_queue_begin(&d->at->queue);
        cs_imc_wake(d);
    }
    while (!cs_op_queue_take(&d->at->queue, &queued))
        if (d->at->queue.failed || !decide(d)) {
            *op = (cs_op){.kind = CS_OP_END};
            return;
        }
    d->at->note = queued.note;
    *op = queued.op;
    if (op->kind == CS_OP_ENTER) {
        d->at->entered = now;
        cs_imc_entered(d, op->core - 1u);
    }
    if (queued.note.what == NOTE_DUMP && queued.note.c == 0) {
        d->at->previous_timebase = 0;
        d->at->dump_began = now;
    }
}

cs_software cs_imc_driver_software(cs_imc_driver *driver)
{
    return (cs_software){next, &driver->main};
}

bool cs_imc_driver_worker(cs_imc_driver *driver, unsigned nr, unsigned *cpu, cs_software *software)
{
    if (nr >= driver->nr_workers)
        return false;
    *cpu = driver->workers[nr].cpu;
    *software = (cs_software){next, &driver->workers[nr]};
    return true;
}

const cs_imc_driver_report *cs_imc_driver_get_report(const cs_imc_driver *driver)
{
    return &driver->report;
}

/* ---- create, destroy ---- */

static int by_end(const void *a, const void *b)
{
    const cs_deep_stop_spec *x = *(const cs_deep_stop_spec *const *)a;
    const cs_deep_stop_spec *y = *(const cs_deep_stop_spec *const *)b;

    return (x->at_us + x->for_us > y->at_us + y->for_us) -
           (x->at_us + x->for_us < y->at_us + y->for_us);
}

static void make_lane(cs_imc_driver *d, imc_lane *lane, unsigned cpu, bool worker)
{
    *lane = (imc_lane){.driver = d, .cpu = cpu, .worker = worker, .serving = CS_IMC_NO_COMMAND};
    cs_op_queue_init(&lane->queue);
}

static bool make_workers(cs_imc_driver *d)
{
    const cs_imc_driver_config *config = &d->config;

    d->workers = calloc(config->nr_cpus + 1, sizeof *d->workers);
    for (unsigned cpu = 0; d->workers != NULL && cpu < config->nr_cpus; cpu++)
        if (config->works != NULL && config->works[cpu])
            make_lane(d, &d->workers[d->nr_workers++], cpu, true);
    for (unsigned i = 0; i < d->nr_workers; i++)
        d->workers[i].switches = config->switches != NULL && config->switches[d->workers[i].cpu];
    return d->workers != NULL;
}

cs_status cs_imc_driver_create(const cs_imc_driver_config *config, cs_imc_driver **out,
                               cs_diag *diag)
{
    const cs_imc_driver_spec *spec = config->spec;
    const cs_imc_spec *imc = config->imc;
    cs_imc_driver *d = calloc(1, sizeof *d);

    *out = NULL;
    if (d == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the IMC driver");
    d->config = *config;
    memcpy(d->events, config->events, config->nr_cpus * sizeof *config->events);
    d->opal.config = (cs_opal_config){
        .power10 = imc->power10,
        .cores = imc->cores,
        .chips = cs_imc_chips(imc),
        .nest = config->nest,
        .event_mask = spec->event_mask,
        .trace_scom = spec->trace_scom,
    };
    memcpy(d->opal.config.nest_base, config->nest_base, sizeof config->nest_base);
    d->generation = cs_imc_catalog_generation(config->catalog);
    make_lane(d, &d->main, config->tool_cpu, false);
    d->at = &d->main;
    d->commands = calloc(spec->nr_perf + 1, sizeof *d->commands);
    d->by_end = calloc(imc->nr_deep_stops + 1, sizeof *d->by_end);
    bool good = d->commands != NULL && d->by_end != NULL && make_workers(d);
    d->config.works = d->config.switches = NULL;
    for (size_t i = 0; i < imc->nr_deep_stops && good; i++)
        d->by_end[i] = &imc->deep_stops[i];
    if (good)
        qsort(d->by_end, imc->nr_deep_stops, sizeof *d->by_end, by_end);
    for (size_t i = 0; i < spec->nr_perf && good; i++) {
        good = cs_imc_make_command(d, &d->commands[i], &spec->perf[i]);
        d->nr_commands++;
    }
    if (!good) {
        cs_imc_driver_destroy(d);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the IMC driver");
    }
    *out = d;
    return CS_OK;
}

void cs_imc_driver_destroy(cs_imc_driver *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->nr_commands; i++) {
        free(d->commands[i].counters);
        free(d->commands[i].totals);
    }
    free(d->commands);
    free(d->by_end);
    for (unsigned i = 0; i < d->nr_workers; i++) {
        cs_op_queue_free(&d->workers[i].queue);
        free(d->workers[i].jobs);
    }
    free(d->workers);
    cs_op_queue_free(&d->main.queue);
    free(d);
}
