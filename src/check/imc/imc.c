// SPDX-License-Identifier: Apache-2.0
/* What `check` must know of IMC. Interrupts' samples (pmi) are IMC's threads', too: the other way to have
 * what trace mode gives. */
#include "check/imc/imc.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/scenario.h"
#include "scenario/section_list.h"

static const cs_section *const sections[] = {&cs_section_imc_driver, &cs_section_pmi, NULL};

#define ROWS(PERIOD)                                                                               \
    "SELECT rowid AS seq, command, 0 AS event, cpu, time, ip, pid, misc, 0 AS guest, " PERIOD      \
    " AS period, NULL AS chain FROM truth.perf_sample"

/* In frequency mode each sample has a period of its own. */
static const char *rows_of(const cs_scenario *s)
{
    if (cs_scenario_runs(s, CS_SOFTWARE_pmi) && s->pmi->freq != 0)
        return ROWS("(SELECT period FROM truth.perf_period p WHERE p.sample=perf_sample.rowid)");
    return ROWS("NULL");
}

static const cs_check_sampled sampled = {.rows_of = rows_of};

/* A catalog may call its PMUs what it likes. */
static const cs_check_counted counted = {.name = "pmu||'/'||event||'/'"};

static const cs_timeline_kind kinds[] = {
    {"record", .ctf = "imc_record", 'i', NULL, "result", "snapshot", .track = "'records'"},
    {"state", .ctf = "imc_state"},
};

static const cs_timeline_comparison comparisons[] = {
    {50,
     "records",
     "time, result, snapshot, number, addr",
     {.kind = "record", .cpu = true},
     "SELECT " CS_NO_GROUP "$T(cycle) AS time, CASE response WHEN 'OKAY' THEN 'written' ELSE "
     "response END AS result, snapshot, number, address AS addr FROM truth.record",
     CS_TIMELINE_BOTH,
     CS_TIMELINE_ROWS},
};

static bool socket_of(const cs_scenario *s, unsigned cpu, unsigned *socket)
{
    if (!cs_scenario_is_imc(s, cpu))
        return false;
    *socket = cs_scenario_imc_chip(s, cpu);
    return true;
}

const cs_check_family cs_check_imc = {.sections = sections,
                                      .sampled = &sampled,
                                      .counted = &counted,
                                      .socket = socket_of,
                                      .shares = cs_check_imc_shares,
                                      .kinds = kinds,
                                      .nr_kinds = sizeof kinds / sizeof kinds[0],
                                      .comparisons = comparisons,
                                      .nr_comparisons = sizeof comparisons / sizeof comparisons[0]};
