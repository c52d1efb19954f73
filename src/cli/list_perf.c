// SPDX-License-Identifier: Apache-2.0
/* list --perf: what section perf of a scenario may name, as `perf list` shows it. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/list.h"
#include "scenario/load.h"
#include "scenario/perf/perf_owner.h"
#include "scenario/section_list.h"

static const cs_table_column columns[] = {{"pmu", CS_CELL_NAME, 0, 0},
                                          {"event", CS_CELL_NAME, 0, 0},
                                          {"terms", CS_CELL_NAME, 0, 0},
                                          {"keys", CS_CELL_NAME, 0, 0}};

/* NULL: text. */
static void put_event(cs_table *table, const cs_perf_owner *owner, const char *pmu,
                      const char *event)
{
    if (table != NULL)
        cs_table_row(table, (const cs_table_cell[]){{.name = pmu},
                                                    {.name = event},
                                                    {.name = owner->terms},
                                                    {.name = owner->keys}});
    else if (event != NULL)
        printf("%s/%s/\n", pmu, event);
    else
        printf("%s/%s/\n", pmu, owner->terms);
}

/* A kind of cores has one PMU; its second name is for dies with several kinds, and not listed. */
static void put_pmus(cs_table *table, const cs_scenario *s, const cs_perf_owner *owner)
{
    const char *pmu, *event;

    if (table == NULL && owner->pmu(s, 0) != NULL)
        printf("# of %s; keys: start stop %s\n", owner->of, owner->keys);
    for (size_t i = 0; (pmu = owner->pmu(s, i)) != NULL && (i == 0 || !owner->core); i++) {
        for (size_t k = 0; owner->event != NULL && (event = owner->event(s, i, k)) != NULL; k++)
            put_event(table, owner, pmu, event);
        if (owner->terms != NULL && (table == NULL || owner->event == NULL))
            put_event(table, owner, pmu, NULL);
    }
}

static int run(const cs_list_request *request)
{
    const cs_text_sink sink = {cs_cli_write, NULL};
    const bool text = request->format == CS_TABLE_TEXT;
    cs_scenario *scenario;
    cs_table table;
    cs_diag diag = {0};

    if (cs_scenario_load(request->path, NULL, 0, &scenario, &diag) != CS_OK)
        return cs_cli_fail(&diag);
    if (!text) {
        cs_table_begin(&table, request->format, &sink);
        cs_table_columns(&table, columns, sizeof columns / sizeof columns[0]);
    }
    for (size_t i = 0; i < cs_nr_sections; i++)
        if (cs_sections[i].section->perf != NULL)
            put_pmus(text ? NULL : &table, scenario, cs_sections[i].section->perf);
    if (!text)
        cs_table_end(&table);
    cs_scenario_destroy(scenario);
    return EXIT_GOOD;
}

static const cs_list_option options[] = {{{0}, NULL}};

const cs_list_kind cs_list_perf = {
    .option = {.name = "perf",
               .value = "SCENARIO",
               .is = CS_VALUE_YAML,
               .text = "the PMUs and events that its section perf may name "
                       "(docs/drivers/perf_language.md)"},
    .options = options,
    .run = run,
};
