// SPDX-License-Identifier: Apache-2.0
#include "traces/perf/rounds.h"

#include <stdlib.h>

/* perf holds two rounds in memory, to bring them into order. */
#define ROUND_RECORDS 1024u

struct cs_perf_rounds {
    uint64_t newest;  /* of all records */
    uint64_t before;  /* the same at the last FINISHED_ROUND */
    uint64_t records; /* since then */
    size_t nr_rings;
    uint64_t last[]; /* by ring: the time of its last record */
};

cs_perf_rounds *cs_perf_rounds_create(size_t nr_rings)
{
    cs_perf_rounds *r = calloc(1, sizeof *r + nr_rings * sizeof r->last[0]);

    if (r != NULL)
        r->nr_rings = nr_rings;
    return r;
}

void cs_perf_rounds_destroy(cs_perf_rounds *r)
{
    free(r);
}

static bool all_beyond(const cs_perf_rounds *r)
{
    for (size_t i = 0; i < r->nr_rings; i++)
        if (r->last[i] < r->before)
            return false;
    return true;
}

bool cs_perf_rounds_put(cs_perf_rounds *r, size_t ring, uint64_t time_ns)
{
    r->last[ring] = time_ns;
    if (time_ns > r->newest)
        r->newest = time_ns;
    if (++r->records % ROUND_RECORDS != 0 || !all_beyond(r))
        return false;
    r->records = 0;
    r->before = r->newest;
    return true;
}
