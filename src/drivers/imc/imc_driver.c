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

/* What is due while nothing else is done. */
static void wake_all(cs_imc_driver *d)
{
    while (d->booted && cs_imc_wakes(d) <= d->now) {
        d->at->looked = true;
        cs_imc_wake(d);
    }
}

/* For a job; or for a process or a core, in cycle `next`. */
static void wait_for_job(cs_imc_driver *d)
{
    const cs_cycle wakes = cs_imc_wakes(d), switches = cs_imc_switch_due(d);
    const cs_cycle next = switches < wakes ? switches : wakes;

    cs_imc_perform(d, (cs_op){.kind = CS_OP_WAIT_IRQ,
                              .lines = CS_LINE(CS_LINE_IPI(CS_SOFTWARE_imc_driver)),
                              .cycles = next != CS_NEVER && next > d->now ? next - d->now : 0});
}

/* The task of a worker. */
static void run_worker(void *ctx)
{
    imc_lane *lane = ctx;
    cs_imc_driver *d = lane->driver;

    cs_imc_begin(lane);
    for (;;) {
        wake_all(d);
        if (cs_imc_switch(d))
            continue;
        const bool idle = lane->begun == lane->nr_jobs;
        if (!idle || d->over)
            cs_imc_tell_late(d);
        if (!idle) {
            const imc_job job = lane->jobs[lane->begun++]; /* the list may move meanwhile */
            cs_imc_do_job(d, &job);
        } else if (d->over) {
            return;
        } else {
            wait_for_job(d);
        }
    }
}

static void sleep_until(cs_imc_driver *d, cs_cycle cycle)
{
    if (cycle > d->now)
        cs_imc_perform(d, (cs_op){.kind = CS_OP_SLEEP, .cycles = cycle - d->now});
}

static bool is_over(const cs_imc_driver *d)
{
    bool over = cs_imc_debugfs_due(d) == CS_NEVER;

    for (size_t i = 0; i < d->nr_commands; i++)
        over = over && d->commands[i].ended;
    return over || d->failed;
}

/* perf's own task. A core that wakes later than all else is of no use to anybody. */
static void run_main(void *ctx)
{
    imc_lane *lane = ctx;
    cs_imc_driver *d = lane->driver;
    size_t which;

    cs_imc_begin(lane);
    cs_imc_hostboot(d);
    sleep_until(d, d->config.spec->boot_cycles);
    cs_imc_boot(d);
    for (wake_all(d); !is_over(d); wake_all(d)) {
        const cs_cycle due = next_due(d, &which);

        if (due > d->now)
            sleep_until(d, due);
        else if (which > d->nr_commands)
            cs_imc_write_debugfs(d);
        else
            cs_imc_serve_command(d, (unsigned)which);
    }
    cs_imc_tell_late(d);
    cs_imc_dismiss(d);
}

cs_software cs_imc_driver_software(cs_imc_driver *driver)
{
    return cs_routine_software(&driver->main.routine);
}

bool cs_imc_driver_worker(cs_imc_driver *driver, unsigned nr, unsigned *cpu, cs_software *software)
{
    if (nr >= driver->nr_workers)
        return false;
    *cpu = driver->workers[nr].cpu;
    *software = cs_routine_software(&driver->workers[nr].routine);
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

static cs_status make_routines(cs_imc_driver *d, cs_diag *diag)
{
    cs_status status = cs_routine_create(&d->main.routine, run_main, &d->main, diag);

    for (unsigned i = 0; i < d->nr_workers && status == CS_OK; i++) {
        imc_lane *worker = &d->workers[i];

        status = cs_routine_create(&worker->routine, run_worker, worker, diag);
    }
    return status;
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
    const cs_status status =
        good ? make_routines(d, diag)
             : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the IMC driver");
    if (status == CS_OK)
        *out = d;
    else
        cs_imc_driver_destroy(d);
    return status;
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
        cs_routine_destroy(&d->workers[i].routine);
        free(d->workers[i].jobs);
    }
    free(d->workers);
    cs_routine_destroy(&d->main.routine);
    free(d);
}
