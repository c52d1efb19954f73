// SPDX-License-Identifier: Apache-2.0
/* The part of the AUX data that perf was too late to read: what was not sampled meanwhile. */
#include <inttypes.h>
#include <stdlib.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "results/part.h"
#include "results/summary.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"

typedef struct loss_part {
    cs_part_run *run;
    uint64_t cycles, samples; /* lost */
    uint64_t times;           /* from the end on */
} loss_part;

static const cs_truth_table loss_table = {
    "CREATE TABLE aux_loss(start INTEGER, stop INTEGER, samples INTEGER)",
    "INSERT INTO aux_loss VALUES(?,?,?)"};
static const cs_truth_table *const own_tables[] = {&loss_table, NULL};

static bool is_here(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_pmcu_driver) && s->pmcu_driver->reader_us != 0;
}

/* Of all dies. */
static uint64_t truncations(const loss_part *p)
{
    uint64_t sum = 0;

    for (unsigned die = 0; die < p->run->scenario->pmcu->dies; die++) {
        const cs_pmcu_driver *driver = cs_pmcu_driver_of(p->run->environment, die);

        sum += driver != NULL ? cs_pmcu_driver_get_report(driver)->truncations : 0;
    }
    return sum;
}

/* Cycles of a sample of the die, by its periods alone. */
static uint64_t sample_cycles(const loss_part *p, unsigned die)
{
    const cs_scenario *s = p->run->scenario;
    const cs_pmcu_layout *layout =
        cs_pmcu_driver_get_layout(cs_pmcu_driver_of(p->run->environment, die));

    return (uint64_t)layout->subsamples_per_sample *
           s->pmcu_driver->programs[die].sample_period_ticks * s->pmcu->tick_cycles;
}

static void lost(void *state, const cs_soft_record *record)
{
    loss_part *p = state;
    const cs_pmcu_aux_loss *loss = cs_told_pmcu_loss(record);
    const uint64_t cycles = loss->to - loss->from, each = sample_cycles(p, loss->die);
    const uint64_t samples = each != 0 ? cycles / each : 0;

    p->cycles += cycles;
    p->samples += samples;
    cs_truth_put_integers(cs_truth_rows_of(p->run->truth, &loss_table),
                          (uint64_t[]){loss->from, loss->to, samples}, 3);
}

static const cs_soft_hearing hearings[] = {{&cs_soft_pmcu_loss, lost}, {NULL, NULL}};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    loss_part *p;

    if (!is_here(run->scenario))
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the loss of AUX data");
    p->run = run;
    return CS_OK;
}

static cs_status finish(void *state, cs_diag *diag)
{
    loss_part *p = state;

    (void)diag;
    p->times = truncations(p);
    if (p->times != 0)
        cs_part_warn(p->run,
                     "all AUX buffers were full %" PRIu64 " times, for %.3f ms: perf was too late "
                     "to read them, and %" PRIu64 " samples were not taken (table `aux_loss`)",
                     p->times, 1e3 * cs_summary_seconds(p->run->scenario, p->cycles), p->samples);
    return CS_OK;
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const loss_part *p = state;

    (void)s;
    cs_figure_count(out, "aux_truncated", true, p->times);
    cs_figure_cycles(out, "aux_full_ns", true, p->cycles);
    cs_figure_count(out, "samples_lost", true, p->samples);
}

const cs_part cs_part_aux_loss = {
    .name = "aux_loss",
    .tables = own_tables,
    .wanted = is_here,
    .open = open_part,
    .hearings = hearings,
    .finish = finish,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 12},
    .figures = figures,
};
