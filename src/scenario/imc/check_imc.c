/* POWER's side: cores, nest, and the software of both. */
#include <stdio.h>
#include <string.h>

#include "formats/imc/catalog/catalog.h"
#include "scenario/check.h"

#define HOMER_BYTES (4u << 20)
#define NEST_IN_HOMER 0x180000u
#define SMALL_BUFFER 8192u
#define TRACE_BUFFER 0x40000u /* where the catalog has no trace unit */
#define P9_TRACE_SCOM 0x7FFFFFC142020000u
#define P10_TRACE_SCOM 0x3FFFFFC142020000u

static bool is_power_cpu(const cs_scenario *s, unsigned cpu)
{
    return cs_scenario_cpu_kind(s, cpu) == CS_CPU_IMC;
}

void cs_check_compute_imc(cs_check *check)
{
    cs_scenario *s = check->scenario;
    uint64_t end = s->memory->base + s->memory->size;

    if (cs_check_at(check, "nest.base") == NULL)
        s->nest->base = end - 2 * (uint64_t)HOMER_BYTES + NEST_IN_HOMER;
    if (cs_check_at(check, "nest.tick_cycles") == NULL)
        s->nest->tick_cycles = cs_scenario_us(s, 500);
    if (cs_check_at(check, "imc_driver.buffers_base") == NULL)
        s->imc_driver->buffers_base = s->memory->base + (16u << 20);
    if (cs_check_at(check, "imc_driver.trace_scom") == NULL)
        s->imc_driver->trace_scom = s->imc->power10 ? P10_TRACE_SCOM : P9_TRACE_SCOM;
    if (cs_check_at(check, "pmi.ring_base") == NULL)
        s->pmi->ring_base = s->memory->base + (16u << 20);
}

cs_status cs_check_cpus(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    cs_check_at(check, "imc.cores");
    if (cs_scenario_cpus(s) == 0)
        return cs_check_fail(check, "0 beside pmcu.clusters 0: the die has no CPU");
    if (cs_scenario_cpus(s) > CS_MAX_CPUS)
        return cs_check_fail(check,
                             "%u CPUs with those of the PMCU's clusters; at most %u are "
                             "allowed",
                             cs_scenario_cpus(s), CS_MAX_CPUS);
    return CS_OK;
}

static cs_status check_die(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (s->imc->cores == 0 && !s->nest->present)
        return CS_OK;
    cs_check_at(check, "imc.timebase_mhz");
    if (s->imc->timebase_mhz > s->bus->clock_mhz)
        return cs_check_fail(check, "%u is more than bus.clock_mhz %u", s->imc->timebase_mhz,
                             s->bus->clock_mhz);
    cs_check_at(check, "memory.size");
    if ((s->memory->base + (s->memory->size - 1)) >> 56 != 0)
        return cs_check_fail(check, "RAM must end below 2^56 where units add to it");
    return CS_OK;
}

static cs_status check_nest(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    if (!s->nest->present) {
        if (cs_check_at(check, "nest.segments") != NULL)
            return cs_check_fail(check, "not allowed without nest.present");
        return CS_OK;
    }
    cs_check_at(check, "nest.present");
    if (s->imc->power10)
        return cs_check_fail(check, "the layout of POWER10's nest is not known; there is "
                                    "POWER9's only (imc.variant power9)");
    cs_check_at(check, "nest.base");
    return cs_check_in_ram(check, s->nest->base, CS_NEST_WINDOW_BYTES, "the nest's counters");
}

static cs_status check_deep_stops(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->imc->nr_deep_stops; i++) {
        const cs_deep_stop_spec *d = &s->imc->deep_stops[i];

        cs_check_at(check, "imc.deep_stops.%zu.core", i);
        if (d->core >= s->imc->cores)
            return cs_check_fail(check, "%u is outside the cores 0..%u", d->core,
                                 s->imc->cores - 1);
        cs_check_at(check, "imc.deep_stops.%zu.at_us", i);
        for (size_t k = 0; k < i; k++) {
            const cs_deep_stop_spec *o = &s->imc->deep_stops[k];

            if (o->core == d->core && d->at_us <= o->at_us + o->for_us)
                return cs_check_fail(check,
                                     "core %u is without power until %llu us "
                                     "(imc.deep_stops.%zu)",
                                     d->core, (unsigned long long)(o->at_us + o->for_us), k);
        }
    }
    return CS_OK;
}

/* Events of units that are no cores, by the space of their numbers. */
typedef enum space { CORES, NEST, UNCORE } space;

static space space_of(uint32_t event)
{
    const uint32_t number = event / CS_EVENT_SPACE;

    return number == CS_EVENT_NEST(0) / CS_EVENT_SPACE     ? NEST
           : number == CS_EVENT_UNCORE(0) / CS_EVENT_SPACE ? UNCORE
                                                           : CORES;
}

static cs_status check_segment_events(cs_check *check, const char *path,
                                      const cs_segment_spec *segment, space wanted)
{
    static const char *const others[] = {
        [CORES] = "an event of the cores",
        [NEST] = "a nest event; those go to nest.segments",
        [UNCORE] = "an event of uncore units; those go to uncore.units",
    };

    for (size_t i = 0; i < segment->nr_streams; i++) {
        const space found = space_of(segment->streams[i].first_event);

        cs_check_at(check, "%s.events.%zu.event", path, i);
        if (found != wanted)
            return cs_check_fail(check, "%s",
                                 wanted == NEST && found == CORES ? "no event of a nest counter"
                                                                  : others[found]);
    }
    return CS_OK;
}

/* The segments of a unit. */
static cs_status check_unit(cs_check *check, const char *unit, const cs_segment_spec *segments,
                            size_t nr_segments, space space)
{
    cs_status status = CS_OK;
    char path[96];

    for (size_t k = 0; k < nr_segments && status == CS_OK; k++) {
        snprintf(path, sizeof path, "%s.segments.%zu", unit, k);
        status = check_segment_events(check, path, &segments[k], space);
        if (status == CS_OK)
            status = cs_check_segment(check, path, &segments[k]);
        cs_check_at(check, "%s.cycles", path);
        if (status == CS_OK && segments[k].cycles == 0 && nr_segments > 1)
            status = cs_check_fail(check, "missing; only an only segment lasts for ever");
    }
    return status;
}

/* Nest and uncore events are those units', all others the cores'. */
static cs_status check_segments(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;
    char path[64];

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments && status == CS_OK; k++) {
            cs_check_at(check, "workloads.%zu.segments.%zu", i, k);
            memcpy(path, check->path, sizeof path);
            status = check_segment_events(check, path, &s->workloads[i].segments[k], CORES);
        }
    if (status == CS_OK)
        status = check_segment_events(check, "handler", &s->handler, CORES);
    if (status == CS_OK)
        status = check_unit(check, "nest", s->nest->segments, s->nest->nr_segments, NEST);
    for (size_t i = 0; i < s->uncore->nr_units && status == CS_OK; i++) {
        snprintf(path, sizeof path, "uncore.units.%zu", i);
        status = check_unit(check, path, s->uncore->units[i].segments,
                            s->uncore->units[i].nr_segments, UNCORE);
    }
    return status;
}

static cs_status check_perf_events(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[i];

    for (size_t k = 0; k < p->nr_events; k++) {
        const cs_imc_event *event;
        cs_diag inner = {0};
        char name[CS_IMC_MAX_NAME + 32];
        static const char *const pmus[] = {"", "", "core_imc/", "thread_imc/", "trace_imc/"};

        cs_check_at(check, "imc_driver.perf.%zu.events.%zu", i, k);
        bool whole = strchr(p->events[k], '/') != NULL;
        snprintf(name, sizeof name, "%s%s", whole ? "" : pmus[p->pmu], p->events[k]);
        if (cs_imc_catalog_find(s->catalog, name, &event, &inner) != CS_OK)
            return cs_check_fail(check, "%s", inner.text);
        if ((unsigned)event->of->domain != (unsigned)p->pmu)
            return cs_check_fail(check, "%s is an event of %s", p->events[k], event->of->pmu);
    }
    return CS_OK;
}

static cs_status check_perf(cs_check *check, size_t i)
{
    const cs_scenario *s = check->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[i];
    unsigned cpus = 0;

    cs_check_at(check, "imc_driver.perf.%zu.stop_us", i);
    if (p->stop_us <= p->start_us)
        return cs_check_fail(check, "%llu is not after start_us %llu",
                             (unsigned long long)p->stop_us, (unsigned long long)p->start_us);
    cs_check_at(check, "imc_driver.perf.%zu.cpus", i);
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        cpus += p->cpus[cpu];
        if (p->cpus[cpu] && !is_power_cpu(s, cpu))
            return cs_check_fail(check, "CPU %u is no thread of an IMC core", cpu);
    }
    if (cpus == 0)
        return cs_check_fail(check, "no CPU");
    return check_perf_events(check, i);
}

uint64_t cs_check_imc_bytes(const cs_scenario *s)
{
    const cs_imc_unit *unit = cs_imc_catalog_pmu(s->catalog, "trace_imc");
    const uint64_t cpus = (uint64_t)s->imc->cores * s->imc->threads;
    uint64_t trace = TRACE_BUFFER;

    if (unit != NULL)
        for (trace = SMALL_BUFFER; trace < unit->size;)
            trace *= 2;
    return (s->imc->cores + cpus) * SMALL_BUFFER + (cpus + 1) * trace;
}

static cs_status check_imc_driver(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    cs_status status = CS_OK;

    cs_check_at(check, "software.kind");
    if (s->imc->cores == 0)
        return cs_check_fail(check, "imc needs IMC cores (imc.cores)");
    if (s->catalog == NULL)
        return cs_check_fail(check, "imc needs a catalog (key catalog)");
    cs_check_at(check, "imc_driver.buffers_base");
    status = cs_check_in_ram(check, s->imc_driver->buffers_base, cs_check_imc_bytes(s),
                             "the kernel's IMC buffers");
    cs_check_at(check, "imc_driver.perf");
    if (status == CS_OK && s->imc_driver->nr_perf == 0)
        status = cs_check_fail(check, "empty; software.kind imc needs perf commands");
    for (size_t i = 0; i < s->imc_driver->nr_perf && status == CS_OK; i++)
        status = check_perf(check, i);
    return status;
}

static cs_status check_pmi(cs_check *check)
{
    const cs_scenario *s = check->scenario;
    uint64_t cpus = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        cs_check_at(check, "pmi.cpus");
        cpus += s->pmi->cpus[cpu];
        if (s->pmi->cpus[cpu] && !is_power_cpu(s, cpu))
            return cs_check_fail(check, "CPU %u is no thread of an IMC core", cpu);
    }
    cs_check_at(check, "pmi.cpus");
    if (cpus == 0)
        return cs_check_fail(check, "no CPU");
    cs_check_at(check, "pmi.ring_base");
    return cs_check_in_ram(check, s->pmi->ring_base,
                           cs_scenario_cpus(s) * (uint64_t)CS_PMI_RING_BYTES,
                           "the rings of samples");
}

cs_status cs_check_imc(cs_check *check)
{
    static cs_status (*const parts[])(cs_check *) = {check_die, check_nest, check_deep_stops,
                                                     check_segments};
    cs_status status = CS_OK;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CS_OK; i++)
        status = parts[i](check);
    if (status == CS_OK && cs_scenario_runs(check->scenario, CS_SOFTWARE_IMC))
        status = check_imc_driver(check);
    if (status == CS_OK && cs_scenario_runs(check->scenario, CS_SOFTWARE_PMI))
        status = check_pmi(check);
    return status;
}
