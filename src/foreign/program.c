// SPDX-License-Identifier: Apache-2.0
#include "foreign/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/bench.h"

static void tell_settings(cs_foreign_bench *bench)
{
    char *text = bench->report->settings;
    const size_t size = sizeof bench->report->settings;
    size_t used = 0;

    for (unsigned i = 0; bench->unit->settings[i].name != NULL; i++) {
        const cs_foreign_setting *s = &bench->unit->settings[i];

        if ((s->pin != NULL || bench->setting[i] != bench->design->setting[i]) && used < size)
            used += (size_t)snprintf(text + used, size - used,
                                     s->most > UINT16_MAX ? "%s%s 0x%" PRIx64 : "%s%s %" PRIu64,
                                     used != 0 ? ", " : "", s->name, bench->setting[i]);
    }
    if (bench->reset_from != CS_NEVER && used < size)
        snprintf(text + used, size - used, "; reset in cycles %" PRIu64 " to %" PRIu64,
                 bench->reset_from, bench->reset_to - 1);
}

/* 1. The model's cycle, and the inputs. 2. What answers outputs. 3. The comparison. 4. The clock. */
static void cycle(cs_foreign_bench *bench)
{
    const cs_foreign_unit *unit = bench->unit;

    bench->current = NULL;
    const bool in_reset = cs_foreign_in_reset(bench);

    if (!in_reset)
        unit->drive(bench);
    cs_foreign_clock(bench, 0);
    if (unit->answer != NULL && !in_reset) {
        unit->answer(bench);
        cs_foreign_clock(bench, 0);
    }
    cs_foreign_keep_counted(bench);
    if (unit->settled != NULL && !in_reset)
        unit->settled(bench);
    if (!in_reset)
        cs_foreign_compare_outputs(bench);
    if (bench->waves != NULL)
        cs_foreign_waves_dump(bench->waves, bench->now, true);
    cs_foreign_clock(bench, 1);
    if (bench->waves != NULL)
        cs_foreign_waves_dump(bench->waves, bench->now + 1, false);
    bench->report->cycles++;
}

static cs_status program(cs_foreign_bench *bench, uint64_t seed, const cs_foreign_options *options,
                         cs_diag *diag)
{
    const cs_cycle ending = (bench->unit->ending != NULL ? bench->unit->ending(bench) : 0) *
                                (cs_cycle)bench->design->pace_cycles +
                            CS_FOREIGN_MAX_LATE;
    const cs_cycle all = options->cycles + ending;
    cs_status status;

    cs_foreign_bench_begin(bench, seed);
    status = bench->unit->begin(bench, all, ending, diag);
    if (status == CS_OK) {
        cs_foreign_plan_reset(bench, options->cycles);
        tell_settings(bench);
        cs_foreign_bench_restart(bench);
    }
    if (status == CS_OK && options->waves != NULL)
        status = cs_foreign_waves_begin(options->waves, bench->unit, bench->design, bench->dut,
                                        &bench->waves, diag);
    if (status == CS_OK) {
        for (; bench->now < all && !(bench->differs && bench->now >= bench->until); bench->now++) {
            bench->ending = bench->now >= options->cycles;
            cycle(bench);
        }
        bench->report->last_cycle = bench->now - 1;
        bench->report->programs++;
        status = cs_foreign_waves_end(bench->waves, diag);
        bench->waves = NULL;
    }
    bench->unit->end(bench);
    return status;
}

static const cs_page *page_of(const cs_foreign_unit *unit, const cs_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++)
        if (strcmp(pages->list[i]->page, unit->page) == 0)
            return pages->list[i];
    return NULL;
}

cs_status cs_foreign_run_programs(const cs_foreign_unit *unit, const cs_foreign_design *design,
                                  cs_foreign_dut *dut, const cs_foreign_options *options,
                                  cs_foreign_report *report, cs_diag *diag)
{
    cs_foreign_bench *bench = calloc(1, unit->bytes);
    cs_status status = bench != NULL ? cs_pages_create(&report->pages, diag)
                                     : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory");

    if (status == CS_OK) {
        bench->unit = unit;
        bench->design = design;
        bench->dut = dut;
        bench->report = report;
        report->has_registers = unit->address_bits != 0;
        bench->page = page_of(unit, &report->pages);
        status = cs_foreign_tally_create(&bench->tally, diag);
    }
    for (unsigned i = 0; status == CS_OK && i < options->programs && !bench->differs; i++)
        status = program(bench, options->seed + i, options, diag);
    if (status == CS_OK && bench->differs)
        cs_foreign_tell_difference(bench);
    if (status == CS_OK)
        status = cs_foreign_tally_tell(bench->tally, bench, report, diag);
    if (status == CS_OK)
        status = cs_foreign_tell_not_compared(bench, diag);
    if (bench != NULL)
        cs_foreign_tally_destroy(bench->tally);
    free(bench);
    return status;
}
