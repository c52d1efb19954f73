// SPDX-License-Identifier: Apache-2.0
/* Units that went from one CPU to another (docs/drivers/uncore_driver.md, "A unit moves"). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/room.h"
#include "drivers/uncore/uncore_driver.h"
#include "results/part.h"
#include "results/summary.h"
#include "results/uncore/part.h"
#include "scenario/uncore/uncore_spec.h"

typedef struct move {
    cs_cycle taken;
    cs_uncore_moved what;
} move;

typedef struct moves_part {
    const cs_part_run *run;
    move *list;
    size_t nr, room;
    bool failed;                           /* no memory */
    uint64_t stopped_cycles;               /* units stood still meanwhile, all together */
    char cpumask[CS_UNCORE_CPUMASK_BYTES]; /* of those that manage at the end */
} moves_part;

static const cs_truth_table move_table = {
    "CREATE TABLE unit_move(unit INTEGER, stopped INTEGER, taken INTEGER, cpu INTEGER, new_cpu "
    "INTEGER, why TEXT)",
    "INSERT INTO unit_move VALUES(?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&move_table, NULL};

static bool wanted(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_uncore_driver) && cs_uncore_moves(s->uncore_driver);
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    moves_part *p;

    if (!wanted(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for units that move");
    p->run = run;
    return CS_OK;
}

static void moved(void *state, const cs_soft_record *record)
{
    moves_part *p = state;
    const cs_uncore_moved *m = cs_told_uncore_moved(record);
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &move_table);
    move *list = cs_room(p->list, &p->room, p->nr, sizeof *list);

    p->failed |= list == NULL;
    if (list == NULL)
        return;
    p->list = list;
    list[p->nr++] = (move){record->cycle, *m};
    p->stopped_cycles += record->cycle - m->left;
    cs_truth_integers(rows, 1, (uint64_t[]){m->unit, m->left, record->cycle, m->from, m->to}, 5);
    cs_truth_text(rows, 6, m->why);
    cs_truth_put(rows);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_uncore_moved, moved}, {NULL, NULL}};

const char *cs_uncore_cpumask(const bool cpus[CS_MAX_CPUS], char buffer[CS_UNCORE_CPUMASK_BYTES])
{
    size_t n = 0;

    buffer[0] = '\0';
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++) {
        const unsigned first = cpu;

        if (!cpus[cpu])
            continue;
        while (cpu + 1 < CS_MAX_CPUS && cpus[cpu + 1])
            cpu++;
        n += (size_t)snprintf(buffer + n, CS_UNCORE_CPUMASK_BYTES - n,
                              first == cpu ? "%s%u" : "%s%u-%u", n != 0 ? "," : "", first, cpu);
    }
    return buffer;
}

/* Of the CPUs that manage units at the end. */
static void write_cpumask(moves_part *p)
{
    const cs_scenario *s = p->run->scenario;
    cs_uncore_manager managers[CS_MAX_UNCORE];
    bool has[CS_MAX_CPUS] = {false};

    cs_uncore_managers(s, managers);
    for (size_t i = 0; i < p->nr; i++)
        managers[p->list[i].what.unit].cpu = p->list[i].what.to;
    for (size_t i = 0; i < s->uncore->nr_units; i++)
        if (managers[i].managed)
            has[managers[i].cpu] = true;
    cs_uncore_cpumask(has, p->cpumask);
}

static cs_status finish(void *state, cs_diag *diag)
{
    moves_part *p = state;

    write_cpumask(p);
    return p->failed ? cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for units that move")
                     : CS_OK;
}

static void destroy(void *state)
{
    moves_part *p = state;

    if (p != NULL)
        free(p->list);
    free(p);
}

/* ---- what it came to ---- */

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const moves_part *p = state;

    (void)s;
    cs_figure_count(out, "unit_moves", true, p->nr);
    cs_figure_cycles(out, "unit_moves_ns", true, p->stopped_cycles);
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const moves_part *p = state;
    const size_t rows = cs_summary_rows(p->nr, most);

    fprintf(out, "\n  %-12s %16s %16s %4s %4s  %s\n", "unit moved", "left, cycle", "taken, cycle",
            "from", "to", "why");
    for (size_t i = 0; i < rows; i++) {
        const cs_uncore_moved *m = &p->list[i].what;

        fprintf(out, "  %-12s %16" PRIu64 " %16" PRIu64 " %4u %4u  %s\n",
                s->scenario->uncore->units[m->unit].name, m->left, p->list[i].taken, m->from, m->to,
                m->why);
    }
    cs_summary_more(out, p->nr, rows, "moves");
    fprintf(out, "  cpumask at the end: %s\n", p->cpumask);
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const moves_part *p = state;

    (void)s;
    fprintf(out, ",\n  \"cpumask\": \"%s\",\n  \"unit_moves\": [", p->cpumask);
    for (size_t i = 0; i < p->nr; i++) {
        const cs_uncore_moved *m = &p->list[i].what;

        fprintf(out,
                "%s\n    {\"unit\": %u, \"left\": %" PRIu64 ", \"taken\": %" PRIu64
                ", \"cpu\": %u, \"new_cpu\": %u, \"why\": \"%s\"}",
                cs_json_comma(i), m->unit, m->left, p->list[i].taken, m->from, m->to, m->why);
    }
    fprintf(out, "\n  ]");
}

const cs_part cs_part_uncore_moves = {
    .name = "uncore_moves",
    .tables = own_tables,
    .wanted = wanted,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_FIGURES] = 71, [CS_PART_TEXT] = 41, [CS_PART_JSON] = 61},
    .figures = figures,
    .text = text,
    .json = json,
};
