// SPDX-License-Identifier: Apache-2.0
#include "drivers/imc/imc_rules.h"
#include "scenario/imc/imc_driver_spec.h"
#include <countersink/formats/perf/abi/perf.h>

#include <stddef.h>

#define TB2_MASK UINT64_C(0x3ffffffffff) /* the low 42 bits */
#define KERNEL_SPACE UINT64_C(0xc000000000000000)

#define NEST 1u << CS_PERF_NEST
#define CORE 1u << CS_PERF_CORE
#define THREAD 1u << CS_PERF_THREAD
#define TRACE 1u << CS_PERF_TRACE

static bool excludes_modes(const cs_imc_request *r)
{
    return r->exclude;
}

static bool is_unprivileged(const cs_imc_request *r)
{
    return !r->privileged;
}

static bool is_sampling(const cs_imc_request *r)
{
    return r->sample_period != 0;
}

static bool is_counting(const cs_imc_request *r)
{
    return r->sample_period == 0;
}

static bool without_cpu(const cs_imc_request *r)
{
    return r->task;
}

static bool without_task(const cs_imc_request *r)
{
    return !r->task;
}

/* The driver takes an offset equal to the size, too. */
static bool is_beyond_unit(const cs_imc_request *r)
{
    return (r->config & 0xffffffffu) > r->size;
}

static bool has_no_pmu(const cs_imc_request *r)
{
    return r->missing != NULL;
}

static bool is_another_active(const cs_imc_request *r)
{
    return r->active != 0 && r->active != r->pmu;
}

/* In the order in which the driver asks. What is not there cannot be asked. */
static const struct {
    unsigned pmus;
    bool (*refuses)(const cs_imc_request *);
    cs_imc_error error;
    const char *reason; /* NULL: the request has it */
} rules[] = {
    {NEST | CORE | THREAD | TRACE, has_no_pmu, CS_IMC_ENODEV, NULL},
    {THREAD | TRACE, is_unprivileged, CS_IMC_EACCES, "needs perfmon_capable"},
    {NEST | CORE | THREAD, is_sampling, CS_IMC_EINVAL, "counts only, cannot sample"},
    {TRACE, is_counting, CS_IMC_ENOENT, "samples only, cannot count"},
    {NEST | CORE, without_cpu, CS_IMC_EINVAL, "counts CPUs, not tasks"},
    {NEST | CORE | THREAD, is_beyond_unit, CS_IMC_EINVAL, "the offset is beyond the unit's memory"},
    {THREAD, without_task, CS_IMC_EINVAL, "counts tasks, not CPUs"},
    {CORE | THREAD | TRACE, is_another_active, CS_IMC_EBUSY,
     "another of core, thread and trace is in use"},
    /* perf's core asks this one, of an event that the driver has taken. */
    {NEST | CORE | THREAD | TRACE, excludes_modes, CS_IMC_EINVAL, "IMC cannot exclude modes"},
};

cs_imc_error cs_imc_event_init(const cs_imc_request *request, const char **reason)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if ((rules[i].pmus >> request->pmu & 1) == 0 || !rules[i].refuses(request))
            continue;
        if (reason != NULL)
            *reason = rules[i].reason != NULL ? rules[i].reason : request->missing;
        return rules[i].error;
    }
    return CS_IMC_GOOD;
}

const char *cs_imc_error_name(cs_imc_error error)
{
    switch (error) {
    case CS_IMC_GOOD:
        return "good";
    case CS_IMC_ENOENT:
        return "ENOENT";
    case CS_IMC_EACCES:
        return "EACCES";
    case CS_IMC_EBUSY:
        return "EBUSY";
    case CS_IMC_ENODEV:
        return "ENODEV";
    default:
        return "EINVAL";
    }
}

bool cs_imc_takes_record(uint64_t tb1, uint64_t tb2, uint64_t *before)
{
    if (tb1 <= *before || (tb1 & TB2_MASK) != tb2)
        return false;
    *before = tb1;
    return true;
}

uint16_t cs_imc_record_misc(bool power10, uint64_t ip, uint64_t val)
{
    static const uint16_t by_hvpr[] = {CS_PERF_MISC_GUEST_KERNEL, CS_PERF_MISC_GUEST_USER,
                                       CS_PERF_MISC_KERNEL, CS_PERF_MISC_USER};

    if (power10)
        return by_hvpr[val >> 62];
    return ip >= KERNEL_SPACE ? CS_PERF_MISC_KERNEL : CS_PERF_MISC_USER;
}
