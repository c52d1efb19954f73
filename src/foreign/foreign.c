// SPDX-License-Identifier: Apache-2.0
#include "foreign/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/output.h"
#include "foreign/program.h"
#include "foreign/waves.h"

/* Around the first difference. */
#define CYCLES_BEFORE 1000u
#define CYCLES_AFTER 200u

static cs_status run(cs_foreign_map *map, const cs_foreign_rtl *rtl,
                     const cs_foreign_options *options, cs_foreign_report *report, cs_diag *diag)
{
    char path[CS_FOREIGN_PATH];
    cs_foreign_dut *dut = NULL;
    cs_status status = cs_foreign_build(map, rtl, path, diag);

    *report = (cs_foreign_report){0};
    if (status == CS_OK)
        status = cs_foreign_dut_open(path, &dut, diag);
    if (status == CS_OK)
        status = cs_foreign_run_programs(map->unit, &map->design, dut, options, report, diag);
    cs_foreign_dut_close(dut);
    return status;
}

/* ---- waves ---- */

typedef struct files {
    cs_output *waves, *save;
} files;

static cs_status claim(const char *path, files *f, cs_diag *diag)
{
    char name[CS_FOREIGN_PATH];
    cs_status status = cs_output_begin(path, CS_OUTPUT_REPLACE, &f->waves, diag);

    snprintf(name, sizeof name, "%.4000s.gtkw", path);
    return status == CS_OK ? cs_output_begin(name, CS_OUTPUT_REPLACE, &f->save, diag) : status;
}

/* The program with the difference once more, or the first one. */
static cs_status write_waves(cs_foreign_map *map, const cs_foreign_rtl *rtl,
                             const cs_foreign_options *options, const files *f,
                             cs_foreign_report *report, cs_diag *diag)
{
    const bool differs = report->pin != NULL;
    const char *name = cs_output_name(f->waves, CS_OUTPUT_FIRST);
    const char *slash = strrchr(name, '/');
    const cs_foreign_waves_plan plan = {
        .path = cs_output_path(f->waves, CS_OUTPUT_FIRST),
        .save = cs_output_path(f->save, CS_OUTPUT_FIRST),
        .name = slash != NULL ? slash + 1 : name,
        .pin = report->pin,
        .cycle = report->cycle,
        .from = differs && report->cycle > CYCLES_BEFORE ? report->cycle - CYCLES_BEFORE : 0,
        .to = differs ? report->cycle + CYCLES_AFTER : CS_NEVER};
    cs_foreign_options once = *options;
    cs_foreign_rtl traced = *rtl;
    cs_foreign_report *second = calloc(1, sizeof *second);
    cs_status status;

    if (second == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for waves");
    traced.waves = true;
    once.seed = differs ? report->seed : options->seed;
    once.programs = 1;
    once.waves = &plan;
    status = run(map, &traced, &once, second, diag);
    report->waves_from = plan.from;
    report->waves_until = second->last_cycle < plan.to ? second->last_cycle + 1 : plan.to;
    cs_foreign_report_clear(second);
    free(second);
    return status;
}

static cs_status commit(cs_output **output, cs_diag *diag)
{
    cs_output *made = *output;

    *output = NULL;
    return cs_output_commit(made, diag);
}

/* ---- both ---- */

cs_status cs_foreign_compare(const cs_foreign_unit *unit, const char *map_path,
                             const cs_foreign_rtl *rtl, const cs_foreign_options *options,
                             const char *waves, cs_foreign_report *report, cs_diag *diag)
{
    cs_foreign_map *map = NULL;
    files f = {0};
    cs_foreign_options asked = *options;
    cs_status status = waves != NULL ? claim(waves, &f, diag) : CS_OK;

    *report = (cs_foreign_report){0};
    if (asked.cycles == 0)
        asked.cycles = unit->cycles != 0 ? unit->cycles : CS_FOREIGN_CYCLES;
    if (status == CS_OK)
        status = cs_foreign_map_load(map_path, unit, &map, diag);
    if (status == CS_OK)
        status = run(map, rtl, &asked, report, diag);
    if (status == CS_OK && waves != NULL)
        status = write_waves(map, rtl, &asked, &f, report, diag);
    if (status == CS_OK && waves != NULL)
        status = commit(&f.waves, diag);
    if (status == CS_OK && waves != NULL)
        status = commit(&f.save, diag);
    cs_output_abandon(f.waves);
    cs_output_abandon(f.save);
    cs_foreign_map_destroy(map);
    if (status != CS_OK)
        cs_foreign_report_clear(report);
    return status;
}

void cs_foreign_report_clear(cs_foreign_report *report)
{
    free(report->touched);
    free(report->not_compared);
    cs_pages_destroy(&report->pages);
    report->touched = NULL;
    report->not_compared = NULL;
}
