// SPDX-License-Identifier: Apache-2.0
/* The part of perf stat --per-socket: counts added up by chip, in the form in which perf prints them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/files/spill.h"
#include "drivers/imc/imc_driver.h"
#include "results/common/counts.h"
#include "results/imc/part.h"
#include "results/summary.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"

/* An event of a command on a socket, at one time. */
typedef struct socket_count {
    unsigned command;
    unsigned round; /* how many times the command printed before */
    unsigned order; /* of the event, among those of the command */
    unsigned socket, cpus;
    bool seen[CS_MAX_CPUS];
    const cs_imc_event *event;
    cs_cycle to;
    double value;
    uint64_t truth;
} socket_count;

typedef struct sockets_part {
    cs_part_run *run;
    cs_spill *list;       /* of socket_count */
    socket_count *sorted; /* from `finish` on: as perf prints them */
} sockets_part;

/* A CPU that comes again begins the next round. Counts of a round come CPU by CPU, so that sums that
 * are still open are the last of their kind. */
static void told(void *state, const cs_soft_record *record)
{
    sockets_part *p = state;
    const cs_counted *one = cs_told_counted(record);
    const cs_count *c = &one->count;

    if (c->family != &cs_imc_family)
        return;
    const cs_scenario *s = p->run->scenario;
    socket_count *open = NULL;
    unsigned round = 0, order = 0;

    if (!s->imc_driver->perf[c->command].per_socket)
        return;
    const unsigned socket = cs_scenario_imc_chip(s, c->cpu);
    for (size_t i = p->list->count; i-- > 0 && open == NULL;) {
        socket_count *k = cs_spill_at(p->list, i);

        if (k->command == c->command && k->event == c->own && k->socket == socket)
            open = k;
        else if (k->command == c->command && k->socket == socket && k->order >= order)
            order = k->order + 1;
    }
    if (open != NULL && open->seen[c->cpu]) {
        round = open->round + 1;
        order = open->order;
        open = NULL;
    }
    if (open == NULL) {
        open = cs_spill_add(p->list);
        if (open == NULL) {
            cs_part_fail(p->run, CS_ERR_NO_MEMORY);
            return;
        }
        *open = (socket_count){.command = c->command,
                               .round = round,
                               .order = order,
                               .socket = socket,
                               .event = c->own};
    }
    open->cpus++;
    open->seen[c->cpu] = true;
    open->to = c->to;
    open->value += one->value;
    open->truth += one->truth;
}

static const cs_soft_hearing hearings[] = {{&cs_soft_counted, told}, {NULL, NULL}};

static bool wanted(const cs_scenario *s)
{
    bool some = false;

    for (size_t i = 0; cs_scenario_runs(s, CS_SOFTWARE_imc_driver) && i < s->imc_driver->nr_perf;
         i++)
        some |= s->imc_driver->perf[i].per_socket;
    return some;
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    sockets_part *p;

    if (!wanted(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p != NULL)
        p->list = cs_spill_create(sizeof(socket_count));
    if (p == NULL || p->list == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for counts by socket");
    p->run = run;
    return CS_OK;
}

/* By socket, then by event. */
static int as_printed(const void *a, const void *b)
{
    const socket_count *x = a, *y = b;

    if (x->command != y->command)
        return x->command < y->command ? -1 : 1;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    if (x->socket != y->socket)
        return x->socket < y->socket ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static cs_status finish(void *state, cs_diag *diag)
{
    sockets_part *p = state;

    p->sorted = calloc(p->list->count + 1, sizeof *p->sorted);
    if (p->sorted == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for counts by socket");
    for (size_t i = 0; i < p->list->count; i++)
        p->sorted[i] = *(const socket_count *)cs_spill_at(p->list, i);
    qsort(p->sorted, p->list->count, sizeof *p->sorted, as_printed);
    return CS_OK;
}

static void destroy(void *state)
{
    sockets_part *p = state;

    free(p->sorted);
    cs_spill_destroy(p->list);
    free(p);
}

static double error_of(const socket_count *c)
{
    return c->truth != 0 ? c->value / (double)c->truth - 1.0 : 0;
}

/* With -I perf begins each line with the time since its start. */
static double time_of(const cs_scenario *s, const socket_count *c)
{
    const cs_perf_spec *p = &s->imc_driver->perf[c->command];

    return cs_summary_seconds(s, c->to) - 1e-6 * (double)p->start_us;
}

static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const sockets_part *p = state;
    const size_t rows = cs_summary_rows(p->list->count, most);

    if (p->list->count == 0)
        return;
    fprintf(out, "\n  %-11s %-6s %4s %18s  %-44s %18s %9s\n", "time, s", "socket", "cpus", "counts",
            "perf stat --per-socket", "truth", "error");
    for (size_t i = 0; i < rows; i++) {
        const socket_count *c = &p->sorted[i];
        char event[300];

        snprintf(event, sizeof event, "%s/%s/", c->event->of->pmu, c->event->name);
        fprintf(out, "  %11.6f S%-5u %4u %18s  %-44s %18s %8.3f%%\n", time_of(s->scenario, c),
                c->socket, c->cpus, cs_digits_real(c->value).text, event,
                cs_digits_of(c->truth).text, cs_percent(error_of(c)));
    }
    cs_summary_more(out, p->list->count, rows, "counts of sockets");
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const sockets_part *p = state;

    fprintf(out, ",\n  \"sockets\": [");
    for (size_t i = 0; i < p->list->count; i++) {
        const socket_count *c = &p->sorted[i];

        fprintf(out,
                "%s\n    {\"command\": %u, \"round\": %u, \"socket\": %u, \"cpus\": %u, \"pmu\": ",
                cs_json_comma(i), c->command, c->round, c->socket, c->cpus);
        cs_json_string(out, c->event->of->pmu);
        fprintf(out, ", \"event\": ");
        cs_json_string(out, c->event->name);
        fprintf(out,
                ", \"time_ns\": %" PRIu64 ", \"value\": %.17g, \"truth\": %" PRIu64
                ", \"error\": %.9g}",
                cs_summary_ns(s->scenario, c->to), c->value, c->truth, error_of(c));
    }
    fprintf(out, "\n  ]");
}

const cs_part cs_part_sockets = {
    .name = "sockets",
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
    .place = {[CS_PART_TEXT] = 21, [CS_PART_JSON] = 31},
    .text = text,
    .json = json,
};
