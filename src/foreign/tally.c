// SPDX-License-Identifier: Apache-2.0
#include "foreign/tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "foreign/bench.h"

struct cs_foreign_tally {
    uint64_t counts[CS_FOREIGN_ADDRESSES][3]; /* by cs_foreign_did */
};

cs_status cs_foreign_tally_create(cs_foreign_tally **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CS_OK
                        : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a report");
}

void cs_foreign_tally_destroy(cs_foreign_tally *tally)
{
    free(tally);
}

void cs_foreign_tally_add(cs_foreign_tally *tally, unsigned address, cs_foreign_did did)
{
    tally->counts[address][did]++;
}

static bool touched(const cs_foreign_tally *tally, unsigned address)
{
    const uint64_t *counts = tally->counts[address];

    return counts[0] + counts[1] + counts[2] != 0;
}

static void take(const cs_foreign_tally *tally, unsigned address, cs_foreign_touched *t)
{
    t->reads += tally->counts[address][CS_FOREIGN_READ];
    t->writes += tally->counts[address][CS_FOREIGN_WRITTEN];
    t->refused += tally->counts[address][CS_FOREIGN_REFUSED];
}

/* Addresses at which the page has no register are one row, the last one. */
cs_status cs_foreign_tally_tell(const cs_foreign_tally *tally, const cs_foreign_bench *bench,
                                cs_foreign_report *report, cs_diag *diag)
{
    cs_foreign_touched others = {.name = "others"};
    size_t count = 1;

    for (unsigned a = 0; a < CS_FOREIGN_ADDRESSES; a++)
        count += touched(tally, a);
    report->touched = calloc(count, sizeof *report->touched);
    if (report->touched == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a report");
    for (unsigned a = 0; a < CS_FOREIGN_ADDRESSES; a++) {
        cs_foreign_touched *t = &report->touched[report->nr_touched];
        char name[CS_FOREIGN_NAME];

        if (!touched(tally, a))
            continue;
        cs_foreign_register_name(bench, NULL, a, name, sizeof name);
        if (name[0] == '\0') {
            take(tally, a, &others);
            continue;
        }
        snprintf(t->name, sizeof t->name, "0x%03x %s", a, name);
        take(tally, a, t);
        report->nr_touched++;
    }
    if (others.reads + others.writes + others.refused != 0)
        report->touched[report->nr_touched++] = others;
    return CS_OK;
}
