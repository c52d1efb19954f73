#include "results/bus/part.h"

#include <inttypes.h>
#include <stdlib.h>

#include "results/summary.h"
#include "results/way_figures.h"

void cs_bus_part_transfer(void *state, const cs_probe_record *r)
{
    cs_bus_part *p = state;
    cs_manager_result *manager;

    p->transactions++;
    if (r->source >= CS_BUS_MANAGERS)
        return;
    manager = &p->managers[r->source];
    manager->transactions++;
    manager->bytes += r->bytes;
    manager->errors += r->resp != CS_BUS_OKAY;
    manager->wait_cycles += r->grant - r->request;
    manager->held_cycles += r->cycle - r->grant + 1;
}

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    (void)run;
    *state = calloc(1, sizeof(cs_bus_part));
    return *state != NULL
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the bus' results");
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_bus_part *p = state;
    uint64_t held = 0;

    for (unsigned m = 0; m < CS_BUS_MANAGERS; m++)
        held += p->managers[m].held_cycles;
    cs_figure_count(out, "bus_transactions", "bus transactions", p->transactions);
    cs_figure_fraction(out, "bus_busy", "bus paths busy",
                       s->end_cycle != 0 ? (double)held / (double)s->end_cycle : 0);
}

static void json(const void *state, const cs_summary *s, FILE *out)
{
    const cs_bus_part *p = state;
    size_t rows = 0;
    char name[32];

    (void)s;
    fprintf(out, ",\n  \"managers\": [");
    for (unsigned m = 0; m < CS_BUS_MANAGERS; m++) {
        const cs_manager_result *manager = &p->managers[m];

        if (manager->transactions == 0)
            continue;
        fprintf(out,
                "%s\n    {\"manager\": \"%s\", \"transactions\": %" PRIu64 ", \"bytes\": %" PRIu64
                ", \"errors\": %" PRIu64 ", \"wait_cycles\": %" PRIu64 ", \"held_cycles\": %" PRIu64
                "}",
                cs_json_comma(rows++),
                cs_probe_source_name(CS_PROBE_BUS, (uint16_t)m, name, sizeof name),
                manager->transactions, manager->bytes, manager->errors, manager->wait_cycles,
                manager->held_cycles);
    }
    fprintf(out, "\n  ]");
}

static cs_status ways(const void *state, const cs_summary *s, double *f)
{
    const cs_bus_part *p = state;
    double bytes = 0, held = 0;

    for (unsigned m = 0; m < CS_BUS_MANAGERS; m++) {
        bytes += (double)p->managers[m].bytes;
        held += (double)p->managers[m].held_cycles;
    }
    f[CS_WAY_TRANSACTIONS] = (double)p->transactions;
    if (s->end_cycle == 0)
        return CS_OK;
    f[CS_WAY_TRAFFIC] = bytes / f[CS_WAY_SIMULATED];
    f[CS_WAY_BUS_BUSY] = held / (double)s->end_cycle;
    return CS_OK;
}

const cs_part cs_part_bus = {
    .name = "bus",
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_BUS),
    .probe = cs_bus_part_transfer,
    .destroy = free,
    .place = {[CS_PART_FIGURES] = 80, [CS_PART_JSON] = 10, [CS_PART_WAYS] = 10},
    .figures = figures,
    .json = json,
    .ways = ways,
};
