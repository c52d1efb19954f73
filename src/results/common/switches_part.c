// SPDX-License-Identifier: Apache-2.0
/* The part of the processes that CPUs go between, and of their threads. */
#include <stdlib.h>

#include "results/common/switches.h"
#include "scenario/cpus.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/work/process.h"

static const cs_truth_table switch_table = {
    "CREATE TABLE switch(cpu INTEGER, guest INTEGER, cycle INTEGER, from_pid INTEGER, to_pid "
    "INTEGER, PRIMARY KEY(cpu, guest, cycle)) WITHOUT ROWID",
    "INSERT INTO switch VALUES(?,?,?,?,?)"};
static const cs_truth_table thread_table = {
    "CREATE TABLE thread(pid INTEGER, tid INTEGER, name TEXT, cpu INTEGER, guest INTEGER, first "
    "INTEGER, last INTEGER, cycles INTEGER, stints INTEGER, PRIMARY KEY(pid, guest, cpu)) WITHOUT "
    "ROWID",
    "INSERT INTO thread VALUES(?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&switch_table, &thread_table, NULL};

const cs_soft_kind cs_soft_guest_ran = {"guest ran", NULL};

/* When a thread had its CPU. */
typedef struct stay {
    uint32_t pid;
    cs_cycle first, last; /* the last: the first cycle behind it */
    uint64_t cycles, stints;
} stay;

typedef struct switches_part {
    cs_part_run *run;
    cs_process_thread *threads[2]; /* of the host, of guests */
    size_t nr_threads[2];
    bool guests; /* threads of guests are known */
    stay *stays; /* of one CPU, by rising pid */
    size_t nr_stays;
} switches_part;

static stay *stay_of(switches_part *p, uint32_t pid)
{
    for (size_t i = 0; i < p->nr_stays; i++)
        if (p->stays[i].pid == pid)
            return &p->stays[i];
    return NULL;
}

static void add_stint(switches_part *p, uint32_t pid, cs_cycle from, cs_cycle to)
{
    stay *s = stay_of(p, pid);

    if (s == NULL || from >= to)
        return;
    if (s->stints++ == 0)
        s->first = from;
    s->last = to;
    s->cycles += to - from;
}

static void follow(switches_part *p, unsigned cpu, bool guest)
{
    const cs_part_run *run = p->run;
    const cs_cpu_state is = cs_scenario_cpu_state(run->scenario, cpu);
    cs_switches switches;
    cs_switch one;

    if (is == CS_CPU_ABSENT || is == CS_CPU_OFFLINE)
        return;
    cs_switches_begin(&switches, run->environment->timelines[cpu], guest);
    while (cs_switches_next(&switches, run->end, &one)) {
        cs_truth_put_integers(cs_truth_rows_of(run->truth, &switch_table),
                              (uint64_t[]){cpu, guest, one.cycle, one.from, one.to}, 5);
        add_stint(p, one.from, one.begun, one.cycle);
    }
    if (switches.known)
        add_stint(p, switches.pid, switches.begun, run->end);
}

static void put_threads(switches_part *p, unsigned cpu, bool guest)
{
    cs_truth_rows *rows = cs_truth_rows_of(p->run->truth, &thread_table);
    const bool known = p->run->scenario->keep->samples_truth;

    for (size_t i = 0; i < p->nr_threads[guest]; i++) {
        const cs_process_thread *t = &p->threads[guest][i];
        const stay *s;

        if (t->cpu != cpu)
            continue;
        s = stay_of(p, t->pid);
        cs_truth_integers(rows, 1, (uint64_t[]){t->pid, t->tid}, 2);
        cs_truth_text(rows, 3, cs_scenario_process(p->run->scenario, t->pid));
        cs_truth_integers(rows, 4,
                          (uint64_t[]){cpu, guest, s->first, s->last, s->cycles, s->stints}, 6);
        for (int column = 6; column <= 7 && s->stints == 0; column++)
            cs_truth_null(rows, column);
        for (int column = 8; column <= 9 && !known; column++)
            cs_truth_null(rows, column);
        cs_truth_put(rows);
    }
}

/* What ran on a CPU, or in its guest, and when, as far as the truth keeps what happened when. */
static void tell_cpu(switches_part *p, unsigned cpu, bool guest)
{
    p->nr_stays = 0;
    for (size_t i = 0; i < p->nr_threads[guest]; i++)
        if (p->threads[guest][i].cpu == cpu)
            p->stays[p->nr_stays++] = (stay){.pid = p->threads[guest][i].pid};
    if (p->run->scenario->keep->samples_truth)
        follow(p, cpu, guest);
    put_threads(p, cpu, guest);
}

static cs_status list_threads(switches_part *p, bool guest, cs_diag *diag)
{
    const cs_status status = cs_scenario_threads(p->run->scenario, guest, &p->threads[guest],
                                                 &p->nr_threads[guest], diag);
    stay *stays = status == CS_OK
                      ? realloc(p->stays, (p->nr_threads[0] + p->nr_threads[1] + 1) * sizeof *stays)
                      : NULL;

    if (status != CS_OK)
        return status;
    if (stays == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for threads");
    p->stays = stays;
    return CS_OK;
}

static void guest_ran(void *state, const cs_soft_record *record)
{
    switches_part *p = state;

    if (!p->guests && list_threads(p, true, NULL) != CS_OK) {
        cs_part_fail(p->run, CS_ERR_NO_MEMORY);
        return;
    }
    p->guests = true;
    tell_cpu(p, record->cpu, true);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_guest_ran, guest_ran}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    switches_part *p = calloc(1, sizeof *p);

    *state = p;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for threads");
    p->run = run;
    return list_threads(p, false, diag);
}

static cs_status finish(void *state, cs_diag *diag)
{
    switches_part *p = state;

    (void)diag;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(p->run->scenario); cpu++)
        tell_cpu(p, cpu, false);
    return CS_OK;
}

static void destroy(void *state)
{
    switches_part *p = state;

    free(p->threads[0]);
    free(p->threads[1]);
    free(p->stays);
    free(p);
}

const cs_part cs_part_switches = {
    .name = "switches",
    .tables = own_tables,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = destroy,
};
