// SPDX-License-Identifier: Apache-2.0
#include "results/imc/collector.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_spec.h"

CS_SOFT_PRINTED(imc_record, cs_imc_sample, "imc record")
{
    fprintf(out,
            "record %" PRIu64 " of the snapshot in cycle %" PRIu64 ", at 0x%" PRIx64
            ", resp %u, pc 0x%" PRIx64,
            what->number, what->snapshot, what->addr, what->resp, what->pc);
}

struct cs_imc_collector {
    const cs_scenario *scenario;
    cs_memory *memory;
    cs_timeline *timelines[CS_MAX_CPUS];
    const cs_soft_sink *soft;
    cs_imc_results results;
};

/* ---- records ---- */

static void written(cs_imc_collector *c, cs_imc_sample *s, uint8_t bytes[CS_IMC_TRACE_RECORD_BYTES])
{
    cs_imc_cpu_result *cpu = &c->results.cpus[s->cpu];

    cs_memory_read(c->memory, s->addr, CS_IMC_TRACE_RECORD_BYTES, bytes);
    s->bytes = bytes;
    cpu->records++;
    s->pc = cs_big_get64(bytes + CS_IMC_RECORD_IP);
    cpu->wrong += s->pc != s->truth.pc;
}

static void core_sample(cs_imc_collector *c, const cs_probe_record *r)
{
    const unsigned core = r->source - CS_UNIT_IMC(0);
    uint8_t bytes[CS_IMC_TRACE_RECORD_BYTES];
    cs_imc_sample s = {
        .cpu = cs_scenario_imc_cpu(c->scenario, core, r->index),
        .number = r->value,
        .snapshot = r->request,
        .cycle = r->cycle,
        .addr = r->addr,
        .resp = r->resp,
    };

    cs_timeline_context(c->timelines[s.cpu], s.snapshot, &s.truth);
    if (r->resp == CS_BUS_OKAY)
        written(c, &s, bytes);
    else if (r->resp == CS_SAMPLE_LOST)
        c->results.cpus[s.cpu].lost++;
    else
        c->results.cpus[s.cpu].failed++;
    cs_tell_imc_record(c->soft, s.cycle, s.cpu, &s);
}

void cs_imc_collector_record(cs_imc_collector *c, const cs_probe_record *r)
{
    if (r->kind == CS_PROBE_SAMPLE && r->source >= CS_UNIT_IMC(0) &&
        r->source < CS_UNIT_IMC(CS_IMC_MAX_CORES))
        core_sample(c, r);
}

/* ---- create, destroy ---- */

cs_status cs_imc_collector_create(const cs_scenario *scenario, cs_memory *memory,
                                  cs_timeline *const timelines[], const cs_soft_sink *soft,
                                  cs_imc_collector **out, cs_diag *diag)
{
    cs_imc_collector *c = calloc(1, sizeof *c);

    *out = NULL;
    if (c == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    c->scenario = scenario;
    c->memory = memory;
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(scenario); cpu++)
        c->timelines[cpu] = timelines[cpu];
    c->soft = soft;
    *out = c;
    return CS_OK;
}

void cs_imc_collector_destroy(cs_imc_collector *c)
{
    free(c);
}

const cs_imc_results *cs_imc_collector_finish(cs_imc_collector *c)
{
    cs_imc_results *r = &c->results;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(c->scenario); cpu++) {
        r->all.records += r->cpus[cpu].records;
        r->all.failed += r->cpus[cpu].failed;
        r->all.lost += r->cpus[cpu].lost;
        r->all.wrong += r->cpus[cpu].wrong;
    }
    return r;
}
