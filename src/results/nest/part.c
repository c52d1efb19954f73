#include "results/nest/part.h"

#include <stdlib.h>

#include "results/imc/images.h"
#include "results/imc/part.h"
#include "results/summary.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/nest/nest_spec.h"

#define WINDOW_BYTES 0x40000u

static void probe(void *state, const cs_probe_record *r)
{
    ((cs_nest_part *)state)->postings += r->source == CS_UNIT_NEST;
}

/* A die of POWER without a nest has the figure, too. */
static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    if (!cs_is_power(run->scenario))
        return CS_OK;
    *state = calloc(1, sizeof(cs_nest_part));
    return *state != NULL
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the nest's results");
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    cs_figure_count(out, "nest_postings", s->scenario->nest->present ? "nest postings" : NULL,
                    ((const cs_nest_part *)state)->postings);
}

/* ---- its window ---- */

static unsigned nests(const cs_scenario *s)
{
    return s->nest->present && cs_imc_has_command(s, CS_PERF_NEST, CS_MAX_CPUS);
}

static bool nest_place(const cs_scenario *s, unsigned i, cs_image *out)
{
    *out = (cs_image){i, s->nest->base, WINDOW_BYTES};
    return true;
}

const cs_image_source cs_image_nest = {"nest-imc", "a command of imc_driver.perf with pmu: nest",
                                       nests, nest_place};
static const cs_image_source *const images[] = {&cs_image_nest, NULL};

const cs_part cs_part_nest = {
    .name = "nest",
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_SAMPLE),
    .probe = probe,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 30},
    .figures = figures,
    .images = images,
};
