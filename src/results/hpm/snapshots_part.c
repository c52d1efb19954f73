// SPDX-License-Identifier: Apache-2.0
/* The part of the pages of SBI snapshots. */
#include <stdlib.h>

#include "results/hpm/part.h"
#include "results/hpm/snapshot_pages.h"
#include "results/parts.h"
#include "results/run.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"

static const cs_truth_table snapshot_table = {
    "CREATE TABLE snapshot(hart INTEGER, offset INTEGER, value INTEGER, PRIMARY KEY(hart, offset)) "
    "WITHOUT ROWID",
    "INSERT INTO snapshot VALUES(?,?,?)"};
static const cs_truth_table *const own_tables[] = {&snapshot_table, NULL};

typedef struct snapshots_part {
    cs_part_run *run;
    cs_snapshot_pages *pages;
} snapshots_part;

static void probe(void *state, const cs_probe_record *record)
{
    cs_snapshot_pages_record(((snapshots_part *)state)->pages, record);
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    const cs_hpm_part *hpm = run->result->summary.parts[CS_PART_hpm];
    snapshots_part *p;
    cs_image image;

    if (hpm == NULL)
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for snapshots");
    p->run = run;
    if (!cs_image_of(&cs_image_snapshot, run->scenario, 0, &image))
        run->probes = 0;
    return cs_snapshot_pages_create(run->scenario, hpm->collector, &p->pages, diag);
}

static void put(void *rows, const cs_snapshot_word *word)
{
    cs_truth_integers(rows, 1, (uint64_t[]){word->hart, word->offset, word->value}, 3);
    if (!word->known)
        cs_truth_null(rows, 3);
    cs_truth_put(rows);
}

static cs_status finish(void *state, cs_diag *diag)
{
    const snapshots_part *p = state;

    (void)diag;
    cs_snapshot_pages_each(p->pages, put, cs_truth_rows_of(p->run->truth, &snapshot_table));
    return CS_OK;
}

static void destroy(void *state)
{
    snapshots_part *p = state;

    cs_snapshot_pages_destroy(p->pages);
    free(p);
}

/* ---- where the pages are ---- */

static unsigned snapshots(const cs_scenario *s)
{
    return s->riscv->driver.snapshot && s->riscv->driver.kind == CS_RISCV_SBI ? s->harts->count : 0;
}

static bool snapshot_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    *out = (cs_image){i, s->riscv->driver.base + i * cs_scenario_riscv_bytes(&s->riscv->driver),
                      CS_RISCV_PAGE};
    return true;
}

const cs_image_source cs_image_snapshot = {"snapshot", "riscv.driver.snapshot with SBI firmware",
                                           snapshots, snapshot_place};
static const cs_image_source *const images[] = {&cs_image_snapshot, NULL};

const cs_part cs_part_snapshots = {
    .name = "snapshots",
    .tables = own_tables,
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_BUS) | CS_PART_HEARS(CS_PROBE_REG),
    .probe = probe,
    .finish = finish,
    .destroy = destroy,
    .images = images,
};
