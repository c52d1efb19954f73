// SPDX-License-Identifier: Apache-2.0
#include "results/pmcu/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "results/pmcu/truth.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/keep_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

/* ---- while it runs ---- */

static void probe(void *state, const cs_probe_record *record)
{
    cs_pmcu_part *p = state;

    for (unsigned i = 0; i < p->nr_dies; i++)
        cs_pmcu_collector_record(p->dies[i].collector, record);
}

static void subsample(void *state, const cs_soft_record *record)
{
    cs_pmcu_part *p = state;
    const cs_pmcu_subsample *s = cs_told_pmcu_subsample(record);
    cs_pmcu_die *d = &p->dies[s->die];

    if (s->of_trigger == 0) {
        if (!d->taken && d->subsamples > d->of_others && s->addr == d->first_address)
            cs_truth_overwritten(p->run, s->die, d->of_others, d->subsamples - d->of_others);
        d->of_others = d->subsamples;
        d->first_address = s->addr;
        d->taken = false;
    }
    d->subsamples++;
    d->last_address = s->addr;
    cs_truth_subsample(p->run->truth, s);
    if (p->nr_dies > 1)
        cs_truth_subsample_die(p->run->truth, s);
}

static cs_status write_aux(void *file, const uint8_t *data, size_t bytes)
{
    return fwrite(data, 1, bytes, file) == bytes ? CS_OK : CS_ERR_IO;
}

/* perf reads what the driver hands over before the hardware comes round again. */
static void aux(void *state, const cs_soft_record *record)
{
    cs_pmcu_part *p = state;
    const cs_pmcu_aux_stretch *stretch = cs_told_pmcu_aux(record);
    cs_pmcu_die *d = &p->dies[stretch->die];

    d->aux_bytes += stretch->bytes;
    p->aux_bytes += stretch->bytes;
    /* A trigger's samples are handed over together, or, where it has failed, not at all. */
    d->taken = d->last_address - stretch->address < stretch->bytes;
    d->handed_over = d->taken ? d->subsamples : d->of_others;
    cs_part_fail(p->run, cs_memory_save(p->run->environment->memory, stretch->address,
                                        stretch->bytes, write_aux, d->aux));
}

static const cs_soft_hearing hearings[] = {
    {&cs_soft_pmcu_subsample, subsample},
    {&cs_soft_pmcu_aux, aux},
    {NULL, NULL},
};

/* ---- open, finish, close ---- */

static cs_status open_die(cs_pmcu_part *p, unsigned number, cs_diag *diag)
{
    cs_part_run *run = p->run;
    cs_pmcu_die *d = &p->dies[number];
    cs_status status = CS_OK;

    const unsigned sccl = cs_scenario_sccl(run->scenario, number);
    snprintf(d->aux_file, sizeof d->aux_file, "samples.aux");
    if (p->nr_dies > 1) {
        snprintf(d->name, sizeof d->name, "sccl%u", sccl);
        snprintf(d->aux_file, sizeof d->aux_file, "samples_sccl%u.aux", sccl);
    }
    if (cs_scenario_drives_pmcu(run->scenario))
        status = cs_run_folder_open(run->folder, d->aux_file, &d->aux, diag);
    if (status == CS_OK)
        status = cs_pmcu_collector_create(
            run->scenario, number, run->environment->memory, run->environment->timelines,
            run->scenario->keep->samples_truth, &run->soft, &d->collector, diag);
    if (status == CS_OK && p->nr_dies > 1)
        cs_pmcu_collector_share(d->collector, &p->subsamples);
    return status;
}

/* It is there without a PMCU, too: every run has a span, and a list of events. */
static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_pmcu_part *p = calloc(1, sizeof *p);
    cs_status status = CS_OK;

    *state = p;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the PMCU's results");
    p->run = run;
    p->nr_dies = run->scenario->pmcu->dies;
    if (!cs_scenario_has_pmcu(run->scenario))
        run->probes = 0;
    for (unsigned i = 0; i < p->nr_dies && status == CS_OK; i++)
        status = open_die(p, i, diag);
    return status;
}

/* Where dies end in several ways, each with its own. */
static void say_ending(cs_pmcu_part *p)
{
    size_t used = 0;
    const char *first = NULL;
    bool same = true;

    for (unsigned i = 0; i < p->nr_dies; i++) {
        const cs_pmcu_die *d = &p->dies[i];

        if (d->ended == NULL)
            continue;
        same &= first == NULL || strcmp(first, d->ended) == 0;
        first = first != NULL ? first : d->ended;
        used += (size_t)snprintf(p->ending + used, sizeof p->ending - used, "%s%s: %s",
                                 used != 0 ? "; " : "", d->name, d->ended);
    }
    if (first != NULL && p->run->ending == NULL)
        p->run->ending = same ? first : p->ending;
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_pmcu_part *p = state;
    uint64_t handed_over = 0;
    bool driven = false;

    for (unsigned i = 0; i < p->nr_dies; i++) {
        const cs_pmcu_driver *driver = cs_pmcu_driver_of(p->run->environment, i);
        cs_pmcu_die *d = &p->dies[i];

        d->results = cs_pmcu_collector_finish(d->collector);
        handed_over += d->handed_over;
        if (driver == NULL)
            continue;
        driven = true;
        p->perf_cycles += cs_pmcu_driver_get_report(driver)->perf_cycles;
        p->moves += cs_pmcu_driver_get_report(driver)->moves;
        p->spurious += cs_pmcu_driver_get_report(driver)->spurious_interrupts;
        d->ended = cs_pmcu_end_text(cs_pmcu_driver_get_report(driver)->end);
    }
    p->results = p->dies[0].results;
    if (p->nr_dies > 1 && !cs_pmcu_sum(p))
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the PMCUs' results");
    cs_truth_pmcu(p->run->truth, p);
    if (driven)
        cs_truth_fact(p->run->truth, "handed_over", handed_over);
    if (cs_scenario_drives_pmcu(p->run->scenario))
        cs_pmcu_warn(p);
    say_ending(p);
    return CS_OK;
}

static cs_status close_part(void *state, cs_diag *diag)
{
    cs_pmcu_part *p = state;
    cs_status status = CS_OK;

    for (unsigned i = 0; i < p->nr_dies; i++) {
        FILE *file = p->dies[i].aux;

        p->dies[i].aux = NULL;
        if (file == NULL)
            continue;
        const cs_status closed =
            cs_run_folder_close(p->run->folder, p->dies[i].aux_file, file, diag);
        status = status == CS_OK ? closed : status;
    }
    return status;
}

static void destroy(void *state)
{
    cs_pmcu_part *p = state;

    for (unsigned i = 0; i < p->nr_dies; i++)
        cs_pmcu_collector_destroy(p->dies[i].collector);
    free((void *)p->sum.events);
    free(p);
}

/* docs/hw/pmcu.md, "States" */
static const char *const states[] = {"IDLE", "INIT", "FETCH", "PROGRAM", "START", "WAIT",
                                     "STOP", "READ", "STORE", "SWITCH",  "BREAK"};
const char *cs_pmcu_state_name(unsigned state)
{
    return state < sizeof states / sizeof states[0] ? states[state] : NULL;
}

static const cs_part_source sources[] = {
    {CS_UNIT_PMCU, CS_MAX_DIES, .states = states, .nr_states = sizeof states / sizeof states[0]},
    {0}};

const cs_part cs_part_pmcu = {
    .name = "pmcu",
    .tables = cs_pmcu_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_BUS) | CS_PART_HEARS(CS_PROBE_REG) |
              CS_PART_HEARS(CS_PROBE_STATE) | CS_PART_HEARS(CS_PROBE_IRQ) |
              CS_PART_HEARS(CS_PROBE_SAMPLE),
    .probe = probe,
    .hearings = hearings,
    .finish = finish,
    .close = close_part,
    .destroy = destroy,
    .place =
        {[CS_PART_FIGURES] = 10, [CS_PART_TEXT] = 10, [CS_PART_JSON] = 20, [CS_PART_WAYS] = 20},
    .figures = cs_pmcu_figures,
    .text = cs_pmcu_text,
    .json = cs_pmcu_json,
    .ways = cs_pmcu_ways,
    .sources = sources,
};

/* ---- tables of several dies, and of CPUs that go off, which the part above fills ---- */

static bool several_dies(const cs_scenario *s)
{
    return s->pmcu->dies > 1;
}

static cs_status open_nothing(cs_part_run *run, void **state, cs_diag *diag)
{
    (void)run, (void)state, (void)diag;
    return CS_OK;
}

static bool may_be_off(const cs_scenario *s)
{
    return s->corepmu->nr_outages != 0;
}

const cs_part cs_part_pmcu_dies = {
    .name = "pmcu_dies",
    .tables = cs_pmcu_die_tables,
    .wanted = several_dies,
    .open = open_nothing,
};

const cs_part cs_part_pmcu_outages = {
    .name = "pmcu_outages",
    .tables = cs_pmcu_outage_tables,
    .wanted = may_be_off,
    .open = open_nothing,
};
