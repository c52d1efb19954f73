// SPDX-License-Identifier: Apache-2.0
#include "results/bus/part.h"

#include <inttypes.h>
#include <stdlib.h>

#include "results/summary.h"
#include "results/way_figures.h"
#include "scenario/machine/software_spec.h"

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
    cs_bus_part *p = calloc(1, sizeof *p);

    *state = p;
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the bus' results");
    p->run = run;
    return CS_OK;
}

static cs_status finish(void *state, cs_diag *diag)
{
    cs_bus_part *p = state;
    const cs_environment *env = p->run->environment;

    (void)diag;
    if (!p->run->scenario->software->port_per_cpu)
        return CS_OK;
    p->nr_ports = env->nr_ports;
    for (unsigned i = 0; i < env->nr_ports; i++) {
        p->ports[i].cpu = env->ports[i].cpu;
        p->ports[i].software_cycles =
            cs_environment_cpu_software_cycles(env, env->ports[i].cpu, p->run->end);
    }
    return CS_OK;
}

static unsigned manager_of(unsigned port)
{
    return port == 0 ? CS_MANAGER_CPU : CS_MANAGER_CPU_PORT(port);
}

/* CPUs side by side: what the software of each took, and how it met the bus. */
static void text(const void *state, const cs_summary *s, size_t most, FILE *out)
{
    const cs_bus_part *p = state;
    const size_t rows = cs_summary_rows(p->nr_ports, most);

    (void)s;
    if (p->nr_ports == 0)
        return;
    fprintf(out, "\n  %-10s %4s %16s %12s %14s %14s\n", "CPU port", "cpu", "software, cycles",
            "transfers", "waited", "held");
    for (unsigned i = 0; i < rows; i++) {
        const cs_manager_result *m = &p->managers[manager_of(i)];

        fprintf(out, "  %-10u %4u %16s %12s %14s %14s\n", i, p->ports[i].cpu,
                cs_digits_of(p->ports[i].software_cycles).text, cs_digits_of(m->transactions).text,
                cs_digits_of(m->wait_cycles).text, cs_digits_of(m->held_cycles).text);
    }
    cs_summary_more(out, p->nr_ports, rows, "CPU ports");
}

static void ports_json(const cs_bus_part *p, FILE *out)
{
    fprintf(out, ",\n  \"cpu_ports\": [");
    for (unsigned i = 0; i < p->nr_ports; i++)
        fprintf(out, "%s\n    {\"port\": %u, \"cpu\": %u, \"software_cycles\": %" PRIu64 "}",
                cs_json_comma(i), i, p->ports[i].cpu, p->ports[i].software_cycles);
    fprintf(out, "\n  ]");
}

static void figures(const void *state, const cs_summary *s, cs_figures *out)
{
    const cs_bus_part *p = state;
    uint64_t held = 0;

    for (unsigned m = 0; m < CS_BUS_MANAGERS; m++)
        held += p->managers[m].held_cycles;
    cs_figure_count(out, "bus_transactions", true, p->transactions);
    cs_figure_fraction(out, "bus_busy", true,
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
    if (p->nr_ports != 0)
        ports_json(p, out);
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
    .finish = finish,
    .destroy = free,
    .place =
        {[CS_PART_FIGURES] = 80, [CS_PART_TEXT] = 200, [CS_PART_JSON] = 10, [CS_PART_WAYS] = 10},
    .figures = figures,
    .text = text,
    .json = json,
    .ways = ways,
};
