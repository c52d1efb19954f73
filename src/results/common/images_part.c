// SPDX-License-Identifier: Apache-2.0
/* The part of the memory that formats of `trace` have: where each image is. */
#include "results/common/memory_images.h"
#include "results/part.h"

static const cs_truth_table image_table = {
    "CREATE TABLE image(format TEXT, number INTEGER, place INTEGER, address INTEGER, bytes "
    "INTEGER, PRIMARY KEY(format, number)) WITHOUT ROWID",
    "INSERT INTO image VALUES(?,?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&image_table, NULL};

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    cs_truth_rows *rows = cs_truth_rows_of(run->truth, &image_table);

    (void)state;
    (void)diag;
    for (cs_image_kind kind = 0; cs_image_format(kind) != NULL; kind++) {
        uint64_t place = 0;
        cs_image one;

        for (unsigned i = 0; cs_image_get(run->scenario, kind, i, &one); place += one.bytes, i++) {
            cs_truth_text(rows, 1, cs_image_format(kind));
            cs_truth_integers(rows, 2, (uint64_t[]){one.number, place, one.address, one.bytes}, 4);
            cs_truth_put(rows);
        }
    }
    return CS_OK;
}

const cs_part cs_part_images = {.name = "images", .tables = own_tables, .open = open_part};
