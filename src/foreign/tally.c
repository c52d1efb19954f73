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

cs_status cs_foreign_tally_tell(const cs_foreign_tally *tally, const cs_page *page,
                                cs_foreign_report *report, cs_diag *diag)
{
    size_t count = 0;

    for (unsigned a = 0; a < CS_FOREIGN_ADDRESSES; a++)
        count += touched(tally, a);
    report->touched = calloc(count + 1, sizeof *report->touched);
    if (report->touched == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a report");
    for (unsigned a = 0; a < CS_FOREIGN_ADDRESSES; a++) {
        cs_foreign_touched *t = &report->touched[report->nr_touched];

        if (!touched(tally, a))
            continue;
        char name[CS_FOREIGN_NAME];

        snprintf(t->name, sizeof t->name, "0x%03x %s", a,
                 cs_foreign_register_name(page, NULL, a, name, sizeof name));
        t->reads = tally->counts[a][CS_FOREIGN_READ];
        t->writes = tally->counts[a][CS_FOREIGN_WRITTEN];
        t->refused = tally->counts[a][CS_FOREIGN_REFUSED];
        report->nr_touched++;
    }
    return CS_OK;
}
