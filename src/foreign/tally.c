// SPDX-License-Identifier: Apache-2.0
#include "foreign/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/bench.h"

#define MOST_WAYS 5u

typedef struct seen {
    uint64_t ones, zeros; /* bits that were read as 1, as 0 */
    const char *ways[MOST_WAYS];
} seen;

struct cs_foreign_tally {
    uint64_t counts[CS_FOREIGN_ADDRESSES][3]; /* by cs_foreign_did */
    seen seen[CS_FOREIGN_ADDRESSES];
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

void cs_foreign_tally_read(cs_foreign_tally *tally, unsigned address, const char *way,
                           uint64_t value, unsigned bits)
{
    const uint64_t all = UINT64_MAX >> (64 - bits);
    seen *s = &tally->seen[address];
    unsigned i = 0;

    s->ones |= value & all;
    s->zeros |= ~value & all;
    while (i < MOST_WAYS && s->ways[i] != NULL && s->ways[i] != way)
        i++;
    if (way != NULL && i < MOST_WAYS)
        s->ways[i] = way;
}

static bool touched(const cs_foreign_tally *tally, unsigned address)
{
    const uint64_t *counts = tally->counts[address];

    return counts[0] + counts[1] + counts[2] != 0;
}

static void take(const cs_foreign_tally *tally, unsigned address, cs_foreign_touched *t)
{
    const seen *s = &tally->seen[address];

    t->reads += tally->counts[address][CS_FOREIGN_READ];
    t->writes += tally->counts[address][CS_FOREIGN_WRITTEN];
    t->refused += tally->counts[address][CS_FOREIGN_REFUSED];
    t->bits |= s->ones & s->zeros;
    for (unsigned i = 0; i < MOST_WAYS && s->ways[i] != NULL; i++) {
        const size_t used = strlen(t->ways);

        snprintf(t->ways + used, sizeof t->ways - used, "%s%s", used != 0 ? ", " : "", s->ways[i]);
    }
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
            others.ways[0] = '\0';
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
