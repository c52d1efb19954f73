// SPDX-License-Identifier: Apache-2.0
/* The part of perf commands with processes: what each process did where, and when the events of a
 * command were on a CPU. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/files/spill.h"
#include "drivers/imc/imc_driver.h"
#include "results/imc/part.h"
#include "results/imc/perf_truth.h"
#include "results/imc/processes.h"
#include "results/summary.h"
#include "scenario/imc/imc_driver_spec.h"

static const cs_truth_table process_table = {
    "CREATE TABLE process(command INTEGER, pid INTEGER, cpu INTEGER, cycles INTEGER, event TEXT, "
    "truth INTEGER)",
    "INSERT INTO process VALUES(?,?,?,?,?,?)"};
static const cs_truth_table stint_table = {
    "CREATE TABLE stint(command INTEGER, cpu INTEGER, event TEXT, start INTEGER, stop INTEGER, raw "
    "INTEGER, truth INTEGER)",
    "INSERT INTO stint VALUES(?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&process_table, &stint_table, NULL};

/* A process of a command, as the summary tells it. */
typedef struct process_row {
    unsigned command;
    uint32_t pid;
    const cs_imc_event *event; /* NULL: the command counts none */
    unsigned cpus, moves;
    uint64_t cycles;
    uint64_t truth;
} process_row;

typedef struct processes_part {
    cs_part_run *run;
    cs_spill *events; /* of told_event: what counts were told of, by command */
    cs_spill *rows;   /* of process_row */
    cs_cycle *opened; /* by command; CS_NEVER: it never was */
    cs_cycle *until;  /* by command: it was read last */
    uint64_t switches, swaps, waits, waited_cycles;
} processes_part;

typedef struct told_event {
    unsigned command;
    const cs_imc_event *event;
} told_event;

/* ---- what is heard ---- */

static void opened(void *state, const cs_soft_record *record)
{
    processes_part *p = state;
    const cs_imc_opened *o = cs_told_imc_opened(record);

    if (o->error == CS_IMC_GOOD)
        p->opened[o->command] = record->cycle;
}

static void counted(void *state, const cs_soft_record *record)
{
    processes_part *p = state;
    const cs_count *c = cs_told_count(record);

    if (c->family != &cs_imc_family || c->cpu != CS_ANY_CPU)
        return;
    p->until[c->command] = c->to;
    for (size_t i = 0; i < p->events->count; i++) {
        const told_event *t = cs_spill_at(p->events, i);

        if (t->command == c->command && t->event == c->own)
            return;
    }
    told_event *new = cs_spill_add(p->events);
    if (new == NULL)
        cs_part_fail(p->run, CS_ERR_NO_MEMORY);
    else
        *new = (told_event){c->command, c->own};
}

static void stint(void *state, const cs_soft_record *record)
{
    const processes_part *p = state;
    const cs_imc_stint *s = cs_told_imc_stint(record);
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &stint_table);
    const uint64_t truth = cs_imc_thread_truth(
        p->run->scenario, p->run->environment->timelines[s->cpu], s->event, s->from, s->to);

    cs_truth_integers(rows, 1, (uint64_t[]){s->command, s->cpu}, 2);
    cs_truth_text(rows, 3, s->event->name);
    cs_truth_integers(rows, 4, (uint64_t[]){s->from, s->to, s->raw, truth}, 4);
    cs_truth_put(rows);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_imc_opened, opened},
                                           {&cs_soft_count, counted},
                                           {&cs_soft_imc_stint, stint},
                                           {NULL, NULL}};

static bool wanted(const cs_scenario *s)
{
    for (size_t i = 0; cs_scenario_runs(s, CS_SOFTWARE_imc_driver) && i < s->imc_driver->nr_perf;
         i++)
        if (s->imc_driver->perf[i].nr_processes != 0)
            return true;
    return false;
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    processes_part *p;

    if (!wanted(run->scenario))
        return CS_OK;
    const size_t nr = run->scenario->imc_driver->nr_perf;
    *state = p = calloc(1, sizeof *p);
    if (p != NULL) {
        p->run = run;
        p->events = cs_spill_create(sizeof(told_event));
        p->rows = cs_spill_create(sizeof(process_row));
        p->opened = malloc(nr * sizeof *p->opened);
        p->until = calloc(nr, sizeof *p->until);
    }
    if (p == NULL || p->events == NULL || p->rows == NULL || p->opened == NULL || p->until == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for processes");
    for (size_t i = 0; i < nr; i++)
        p->opened[i] = CS_NEVER;
    return CS_OK;
}

static void destroy(void *state)
{
    processes_part *p = state;

    free(p->opened);
    free(p->until);
    cs_spill_destroy(p->events);
    cs_spill_destroy(p->rows);
    free(p);
}

/* ---- the end ---- */

/* One process, gathered from its spells: by CPU, and those that begin a stay. */
typedef struct gathered {
    const processes_part *part;
    const cs_imc_event *event;
    uint32_t pid;
    uint64_t cycles[CS_MAX_CPUS], truth[CS_MAX_CPUS];
    cs_spill *spells; /* of cs_imc_spell: stays on a CPU */
} gathered;

static void gather(void *ctx, const cs_imc_spell *spell)
{
    gathered *g = ctx;
    const cs_part_run *run = g->part->run;

    if (spell->pid != g->pid)
        return;
    g->cycles[spell->cpu] += spell->to - spell->from;
    if (g->event != NULL)
        g->truth[spell->cpu] +=
            cs_imc_thread_truth(run->scenario, run->environment->timelines[spell->cpu], g->event,
                                spell->from, spell->to);
    cs_imc_spell *kept = cs_spill_add(g->spells);
    if (kept == NULL)
        cs_part_fail(run, CS_ERR_NO_MEMORY);
    else
        *kept = *spell;
}

static int by_time(const void *a, const void *b)
{
    const cs_imc_spell *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

static unsigned moves_of(cs_spill *spells)
{
    cs_imc_spell *list = calloc(spells->count + 1, sizeof *list);
    unsigned moves = 0;

    for (size_t i = 0; list != NULL && i < spells->count; i++)
        list[i] = *(const cs_imc_spell *)cs_spill_at(spells, i);
    if (list != NULL)
        qsort(list, spells->count, sizeof *list, by_time);
    for (size_t i = 1; list != NULL && i < spells->count; i++)
        moves += list[i].cpu != list[i - 1].cpu;
    free(list);
    return moves;
}

static void put_truth(const gathered *g, unsigned command, unsigned cpu)
{
    cs_truth_rows *rows = cs_truth_rows_of(g->part->run->truth, &process_table);

    cs_truth_integers(rows, 1, (uint64_t[]){command, g->pid, cpu, g->cycles[cpu]}, 4);
    if (g->event != NULL) {
        cs_truth_text(rows, 5, g->event->name);
        cs_truth_integers(rows, 6, &g->truth[cpu], 1);
    } else {
        cs_truth_null(rows, 5);
        cs_truth_null(rows, 6);
    }
    cs_truth_put(rows);
}

static cs_status tell(processes_part *p, unsigned command, uint32_t pid, const cs_imc_event *event,
                      cs_cycle until)
{
    const cs_part_run *run = p->run;
    gathered *g = calloc(1, sizeof *g);
    process_row *row = cs_spill_add(p->rows);
    cs_status status = CS_ERR_NO_MEMORY;

    if (g != NULL)
        g->spells = cs_spill_create(sizeof(cs_imc_spell));
    if (g != NULL && g->spells != NULL && row != NULL) {
        g->part = p;
        g->event = event;
        g->pid = pid;
        cs_imc_spells(run->scenario, run->environment->timelines, command, p->opened[command],
                      until, gather, g);
        *row = (process_row){.command = command, .pid = pid, .event = event};
        row->moves = moves_of(g->spells);
        for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++) {
            if (g->cycles[cpu] == 0)
                continue;
            row->cpus++;
            row->cycles += g->cycles[cpu];
            row->truth += g->truth[cpu];
            put_truth(g, command, cpu);
        }
        status = CS_OK;
    }
    if (g != NULL)
        cs_spill_destroy(g->spells);
    free(g);
    return status;
}

static cs_status tell_process(processes_part *p, unsigned command, uint32_t pid)
{
    const cs_scenario *s = p->run->scenario;
    const cs_cycle stop = cs_scenario_us(s, s->imc_driver->perf[command].stop_us);
    const cs_cycle end = stop < p->run->end ? stop : p->run->end;
    cs_status status = CS_OK;
    bool any = false;

    for (size_t i = 0; i < p->events->count && status == CS_OK; i++) {
        const told_event *t = cs_spill_at(p->events, i);

        if (t->command != command)
            continue;
        any = true;
        status = tell(p, command, pid, t->event, p->until[command]);
    }
    return any || status != CS_OK ? status : tell(p, command, pid, NULL, end);
}

static cs_status finish(void *state, cs_diag *diag)
{
    processes_part *p = state;
    const cs_imc_driver_spec *spec = p->run->scenario->imc_driver;
    const cs_imc_driver_report *report =
        cs_imc_driver_get_report(cs_imc_driver_of(p->run->environment));
    cs_status status = CS_OK;

    for (unsigned c = 0; c < spec->nr_perf; c++) {
        const cs_perf_spec *perf = &spec->perf[c];
        const size_t nr = perf->inherit || perf->nr_processes == 0 ? perf->nr_processes : 1;

        for (size_t i = 0; i < nr && p->opened[c] != CS_NEVER && status == CS_OK; i++)
            status = tell_process(p, c, perf->processes[i].pid);
    }
    p->switches = report->switches;
    p->swaps = report->swaps;
    p->waits = report->waits;
    p->waited_cycles = report->waited_cycles;
    return status == CS_OK ? CS_OK : cs_diag_set(diag, status, NULL, "no memory for processes");
}

/* ---- what is told ---- */

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const processes_part *p = state;

    (void)s;
    cs_figure_count(out, "imc_switches", true, p->switches);
    cs_figure_count(out, "imc_swaps", true, p->swaps);
    cs_figure_count(out, "imc_waits", true, p->waits);
    cs_figure_cycles(out, "imc_waited_ns", true, p->waited_cycles);
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const processes_part *p = state;
    const size_t rows = cs_summary_rows(p->rows->count, most);

    if (p->rows->count == 0)
        return;
    fprintf(out, "\n  %-10s %4s %7s %14s  %-32s %18s\n", "process", "cpus", "moves", "ran, us",
            "event", "truth");
    for (size_t i = 0; i < rows; i++) {
        const process_row *r = cs_spill_at(p->rows, i);

        fprintf(out, "  %-10" PRIu32 " %4u %7u %14.3f", r->pid, r->cpus, r->moves,
                1e6 * cs_summary_seconds(s->scenario, r->cycles));
        if (r->event != NULL)
            fprintf(out, "  %-32s %18s", r->event->name, cs_digits_of(r->truth).text);
        fputc('\n', out);
    }
    cs_summary_more(out, p->rows->count, rows, "processes");
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const processes_part *p = state;

    fprintf(out, ",\n  \"processes\": [");
    for (size_t i = 0; i < p->rows->count; i++) {
        const process_row *r = cs_spill_at(p->rows, i);

        fprintf(out,
                "%s\n    {\"command\": %u, \"pid\": %" PRIu32
                ", \"cpus\": %u, \"moves\": %u, \"ran_ns\": %" PRIu64,
                cs_json_comma(i), r->command, r->pid, r->cpus, r->moves,
                cs_summary_ns(s->scenario, r->cycles));
        if (r->event != NULL) {
            fprintf(out, ", \"event\": ");
            cs_json_string(out, r->event->name);
            fprintf(out, ", \"truth\": %" PRIu64, r->truth);
        }
        fputc('}', out);
    }
    fprintf(out, "\n  ]");
}

const cs_part cs_part_imc_processes = {
    .name = "imc_processes",
    .tables = own_tables,
    .wanted = wanted,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 52, [CS_PART_TEXT] = 22, [CS_PART_JSON] = 32},
    .figures = figures,
    .text = text,
    .json = json,
};
