// SPDX-License-Identifier: Apache-2.0
/* The harts' tables of the truth. */
#include "drivers/hpm/riscv.h"
#include "formats/perf/abi/text.h"
#include "results/hpm/part.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"

static const cs_truth_table hart_table = {
    "CREATE TABLE hart(hart INTEGER PRIMARY KEY, cpu INTEGER, workload INTEGER, kernel INTEGER, "
    "firmware INTEGER, guest INTEGER, interrupts INTEGER, spurious INTEGER, samples INTEGER, lost "
    "INTEGER, throttled INTEGER, sbi_calls INTEGER, sbi_errors INTEGER)",
    "INSERT INTO hart VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table hart_sample_table = {
    "CREATE TABLE hart_sample(command INTEGER, event INTEGER, cpu INTEGER, trap INTEGER, ip "
    "INTEGER, pid INTEGER, misc INTEGER, time INTEGER, period INTEGER, lost INTEGER, overflow "
    "INTEGER, true_ip INTEGER, true_mode INTEGER, skid INTEGER, true_period INTEGER, chain TEXT)",
    "INSERT INTO hart_sample VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table call_path_table = {
    "CREATE TABLE call_path(command INTEGER, workload TEXT, pid INTEGER, segment INTEGER, function "
    "TEXT, base INTEGER, size INTEGER, stack TEXT, returns TEXT, weight INTEGER, samples INTEGER, "
    "expected REAL)",
    "INSERT INTO call_path VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table call_share_table = {
    "CREATE TABLE call_share(command INTEGER, workload TEXT, function TEXT, base INTEGER, self "
    "INTEGER, self_expected REAL, inclusive INTEGER, inclusive_expected REAL)",
    "INSERT INTO call_share VALUES(?,?,?,?,?,?,?,?)"};
static const cs_truth_table hart_function_table = {
    "CREATE TABLE hart_function(command INTEGER, event INTEGER, event_name TEXT, pid INTEGER, "
    "workload TEXT, function TEXT, base INTEGER, size INTEGER, samples INTEGER, share REAL, "
    "expected REAL, overflows INTEGER)",
    "INSERT INTO hart_function VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"};
static const cs_truth_table hart_event_table = {
    "CREATE TABLE hart_event(command INTEGER, event INTEGER, pmu TEXT, name TEXT, period INTEGER, "
    "frequency INTEGER, PRIMARY KEY(command, event)) WITHOUT ROWID",
    "INSERT INTO hart_event VALUES(?,?,?,?,?,?)"};
static const cs_truth_table csr_table = {"CREATE TABLE csr(hart INTEGER, cycle INTEGER, direction "
                                         "TEXT, csr INTEGER, value INTEGER, exception TEXT)",
                                         "INSERT INTO csr VALUES(?,?,?,?,?,?)"};
const cs_truth_table *const cs_hpm_tables[] = {
    &hart_table,          &hart_sample_table, &call_path_table, &call_share_table,
    &hart_function_table, &hart_event_table,  &csr_table,       NULL};

/* docs/hw/hpm.md: resp is the exception. */
void cs_truth_csr(cs_truth *t, const cs_probe_record *r)
{
    static const char *const exceptions[] = {"none", "illegal instruction", "virtual instruction"};
    const bool known = r->resp < sizeof exceptions / sizeof exceptions[0];

    if (r->source < CS_UNIT_HART(0) || r->source >= CS_UNIT_HART(CS_MAX_HARTS))
        return;
    cs_truth_rows *rows = cs_truth_rows_of(t, &csr_table);
    cs_truth_integers(rows, 1, (uint64_t[]){r->source - CS_UNIT_HART(0), r->cycle}, 2);
    cs_truth_text(rows, 3, cs_truth_direction(r));
    cs_truth_integers(rows, 4, (uint64_t[]){r->addr, r->value}, 2);
    cs_truth_text(rows, 6, known ? exceptions[r->resp] : NULL);
    cs_truth_put(rows);
}

/* The chain of a sample's interrupted workload, by the timeline; NULL: it has none. */
static const char *chain_of(const cs_truth_hart_sample *s, char text[CS_PERF_CHAIN_TEXT])
{
    const cs_context *who = &s->truth.interrupted;
    uint64_t words[CS_PERF_CHAIN_MOST] = {who->pc};
    size_t nr = 1;

    if (s->sample->chain == NULL)
        return NULL;
    /* A guest's stack is not the host's to walk. */
    if (s->sample->misc != CS_PERF_MISC_KERNEL && s->sample->misc != CS_PERF_MISC_USER)
        nr = 0;
    for (size_t i = 0; nr > 0 && who->function != NULL && i < who->function->nr_returns; i++)
        words[nr++] = who->function->returns[i];
    return cs_perf_chain_text(words, nr, text);
}

void cs_truth_hart_events(cs_truth *t, const cs_scenario *scenario)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &hart_event_table);

    for (size_t i = 0; i < scenario->riscv->nr_perf; i++) {
        const cs_riscv_perf_spec *command = &scenario->riscv->perf[i];

        for (size_t k = 0; k < command->nr_events; k++) {
            cs_truth_integers(rows, 1, (uint64_t[]){i, k}, 2);
            cs_truth_text(rows, 3, command->guest ? CS_RISCV_PMU_GUEST : CS_RISCV_PMU_HART);
            cs_truth_text(rows, 4, command->events[k]);
            cs_truth_integers(rows, 5, (uint64_t[]){command->sample_period, command->freq}, 2);
            cs_truth_put(rows);
        }
    }
}

void cs_truth_hart(cs_truth *t, unsigned hart, unsigned cpu, const cs_riscv_report *r)
{
    const cs_riscv_figures *h = &r->host, *g = &r->guest;

    cs_truth_put_integers(cs_truth_rows_of(t, &hart_table),
                          (uint64_t[]){hart, cpu, r->cycles[CS_HART_WORKLOAD],
                                       r->cycles[CS_HART_KERNEL], r->cycles[CS_HART_FIRMWARE],
                                       r->cycles[CS_HART_GUEST], h->interrupts + g->interrupts,
                                       h->spurious + g->spurious, h->samples + g->samples,
                                       h->lost + g->lost, h->throttled + g->throttled,
                                       h->sbi_calls + g->sbi_calls, h->sbi_errors + g->sbi_errors},
                          13);
}

void cs_truth_hart_sample_put(cs_truth *t, const cs_truth_hart_sample *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &hart_sample_table);
    char chain[CS_PERF_CHAIN_TEXT];
    const cs_riscv_sample *p = s->sample;
    const bool overflowed = s->truth.overflow != CS_NEVER;

    cs_truth_integers(rows, 1,
                      (uint64_t[]){s->which.command, s->which.event, s->cpu, p->cycle, p->ip,
                                   p->pid, p->misc, p->time, p->period, p->lost},
                      10);
    if (overflowed)
        cs_truth_integers(rows, 11,
                          (uint64_t[]){s->truth.overflow, s->truth.at.pc, s->truth.at.mode,
                                       (uint64_t)s->truth.skid_cycles, s->truth.period},
                          5);
    for (int i = 11; i <= 15 && !overflowed; i++)
        cs_truth_null(rows, i);
    cs_truth_text(rows, 16, chain_of(s, chain));
    cs_truth_put(rows);
}

static void put_path(void *ctx, const cs_call_path *p)
{
    cs_truth_rows *rows = cs_truth_rows_of(ctx, &call_path_table);

    cs_truth_integers(rows, 1, (uint64_t[]){p->command}, 1);
    cs_truth_text(rows, 2, p->workload);
    cs_truth_integers(rows, 3, (uint64_t[]){p->pid, p->segment}, 2);
    cs_truth_text(rows, 5, p->function->name);
    cs_truth_integers(rows, 6, (uint64_t[]){p->function->base, p->function->size}, 2);
    cs_truth_text(rows, 8, p->stack);
    cs_truth_text(rows, 9, p->returns);
    cs_truth_integers(rows, 10, (uint64_t[]){p->function->weight, p->samples}, 2);
    cs_truth_real(rows, 12, p->expected);
    cs_truth_put(rows);
}

static void put_share(void *ctx, const cs_call_share *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(ctx, &call_share_table);

    cs_truth_integers(rows, 1, (uint64_t[]){s->command}, 1);
    cs_truth_text(rows, 2, s->workload);
    cs_truth_text(rows, 3, s->function);
    cs_truth_integers(rows, 4, (uint64_t[]){s->base, s->self}, 2);
    cs_truth_real(rows, 6, s->self_expected);
    cs_truth_integers(rows, 7, (uint64_t[]){s->inclusive}, 1);
    cs_truth_real(rows, 8, s->inclusive_expected);
    cs_truth_put(rows);
}

cs_status cs_truth_call_paths(cs_truth *t, cs_call_paths *paths, cs_diag *diag)
{
    return cs_call_paths_tell(paths, put_path, put_share, t, diag);
}

typedef struct share_ctx {
    cs_truth *truth;
    const cs_scenario *scenario;
} share_ctx;

static void put_function(void *ctx, const cs_hart_share *s)
{
    const share_ctx *to = ctx;
    cs_truth_rows *rows = cs_truth_rows_of(to->truth, &hart_function_table);

    cs_truth_integers(rows, 1, (uint64_t[]){s->command, s->event}, 2);
    cs_truth_text(rows, 3, to->scenario->riscv->perf[s->command].events[s->event]);
    cs_truth_integers(rows, 4, (uint64_t[]){s->pid}, 1);
    cs_truth_text(rows, 5, s->workload);
    cs_truth_text(rows, 6, s->function->name);
    cs_truth_integers(rows, 7, (uint64_t[]){s->function->base, s->function->size, s->samples}, 3);
    cs_truth_real(rows, 10, s->share);
    cs_truth_real(rows, 11, s->expected);
    cs_truth_integers(rows, 12, (uint64_t[]){s->overflows}, 1);
    cs_truth_put(rows);
}

void cs_truth_hart_shares(cs_truth *t, const cs_scenario *scenario, cs_hart_shares *shares)
{
    cs_hart_shares_tell(shares, put_function, &(share_ctx){t, scenario});
}
