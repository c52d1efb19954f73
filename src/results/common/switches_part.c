/* The part of the processes that CPUs go between. */
#include "results/common/switches.h"
#include "scenario/cpus.h"
#include "scenario/machine/keep_spec.h"

static const cs_truth_table switch_table = {
    "CREATE TABLE switch(cpu INTEGER, guest INTEGER, cycle INTEGER, from_pid INTEGER, to_pid "
    "INTEGER, PRIMARY KEY(cpu, guest, cycle)) WITHOUT ROWID",
    "INSERT INTO switch VALUES(?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&switch_table, NULL};

void cs_truth_switches(const cs_part_run *run, unsigned cpu, bool guest)
{
    const cs_scenario *s = run->scenario;
    cs_switches switches;
    cs_switch one;
    const cs_cpu_state is = cs_scenario_cpu_state(s, cpu);

    if (!s->keep->samples_truth || is == CS_CPU_ABSENT || is == CS_CPU_OFFLINE)
        return;
    cs_switches_begin(&switches, run->environment->timelines[cpu], guest);
    while (cs_switches_next(&switches, run->end, &one))
        cs_truth_put_integers(cs_truth_rows_of(run->truth, &switch_table),
                              (uint64_t[]){cpu, guest, one.cycle, one.from, one.to}, 5);
}

/* The state is the run. */
static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    (void)diag;
    *state = run;
    return CS_OK;
}

static cs_status finish(void *state, cs_diag *diag)
{
    const cs_part_run *run = state;

    (void)diag;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(run->scenario); cpu++)
        cs_truth_switches(run, cpu, false);
    return CS_OK;
}

const cs_part cs_part_switches = {
    .name = "switches",
    .tables = own_tables,
    .open = open_part,
    .finish = finish,
};
