// SPDX-License-Identifier: Apache-2.0
/* Who called a function: where it returns to, and what a call path cannot be (docs/traces/call_chains.md). */
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "scenario/check.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/suggest.h"

#define LEAST_BYTES 8u /* of a caller: a call, and what follows it */

/* docs/traces/call_chains.md, "Return addresses". */
static uint64_t return_address(const cs_caller_spec *caller, uint64_t callee)
{
    const uint64_t places = caller->size / 4 - 1;

    return caller->base + 4 + 4 * (cs_hash_mix(callee - caller->base) % places);
}

/* The one function of that name in the segment, however often it is listed; *size 0: there is none. */
static cs_status find_listed(cs_check *check, const cs_segment_spec *segment, const char *name,
                             cs_suggest *suggest, cs_caller_spec *out)
{
    for (size_t i = 0; i < segment->nr_functions; i++) {
        const cs_function_spec *f = &segment->functions[i];

        cs_suggest_offer(suggest, f->name);
        if (strcmp(f->name, name) != 0)
            continue;
        if (out->size != 0 && (out->base != f->base || out->size != f->size))
            return cs_check_fail(check,
                                 "'%s' is more than one function: of 0x%" PRIx64
                                 " bytes at 0x%" PRIx64 " and of 0x%" PRIx64 " at 0x%" PRIx64,
                                 name, out->size, out->base, f->size, f->base);
        *out = (cs_caller_spec){.base = f->base, .size = f->size};
    }
    return CS_OK;
}

static cs_status find_caller(cs_check *check, const cs_segment_spec *segment, const char *name,
                             cs_caller_spec *out)
{
    cs_suggest suggest = cs_suggest_begin(name);
    const cs_caller_spec of_program = *out;

    *out = (cs_caller_spec){0};
    cs_status status = find_listed(check, segment, name, &suggest, out);
    if (status != CS_OK)
        return status;
    if (out->size == 0)
        *out = of_program;
    if (out->size == 0) {
        const char *near = cs_suggest_end(&suggest);

        return cs_check_fail(check, "there is no function '%s' in this segment%s%s%s", name,
                             near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                             near != NULL ? "'?" : "");
    }
    if (out->size < LEAST_BYTES)
        return cs_check_fail(check,
                             "'%s' has %" PRIu64
                             " bytes: a caller needs %u, for the call and where "
                             "it returns to",
                             name, out->size, LEAST_BYTES);
    return CS_OK;
}

static cs_status check_path(cs_check *check, const char *path, const cs_segment_spec *segment,
                            const cs_function_spec *f)
{
    uint64_t callee = f->base;

    if (f->nr_callers > CS_MAX_CALLERS) {
        cs_check_at(check, "%s.callers.%u", path, CS_MAX_CALLERS);
        return cs_check_fail(check,
                             "%zu callers; perf keeps %u addresses of a stack, so that at most "
                             "%u are allowed",
                             f->nr_callers, CS_MAX_CALLERS + 1, CS_MAX_CALLERS);
    }
    for (size_t k = 0; k < f->nr_callers; k++) {
        cs_caller_spec *caller = &f->caller_specs[k];

        cs_check_at(check, "%s.callers.%zu", path, k);
        cs_status status = find_caller(check, segment, f->callers[k], caller);
        if (status != CS_OK)
            return status;
        caller->ret = return_address(caller, callee);
        callee = caller->base;
    }
    return CS_OK;
}

static bool same_path(const cs_function_spec *a, const cs_function_spec *b)
{
    if (a->base != b->base || a->size != b->size || a->nr_callers != b->nr_callers ||
        strcmp(a->name, b->name) != 0)
        return false;
    for (size_t k = 0; k < a->nr_callers; k++)
        if (strcmp(a->callers[k], b->callers[k]) != 0)
            return false;
    return true;
}

cs_status cs_check_caller_room(cs_check *check, cs_function_spec *f)
{
    if (f->caller_specs == NULL && f->nr_callers > 0)
        f->caller_specs =
            cs_yaml_alloc(check->memory, f->nr_callers * sizeof *f->caller_specs, check->diag);
    return f->caller_specs != NULL || f->nr_callers == 0 ? CS_OK : CS_ERR_NO_MEMORY;
}

cs_status cs_check_calls(cs_check *check, const char *path, const cs_segment_spec *segment)
{
    for (size_t i = 0; i < segment->nr_functions; i++) {
        cs_function_spec *f = &segment->functions[i];
        char of_function[128];

        cs_check_at(check, "%s.functions.%zu", path, i);
        for (size_t k = 0; k < i; k++)
            if (same_path(f, &segment->functions[k]))
                return cs_check_fail(check,
                                     "'%s' is listed with the same callers already, as "
                                     "functions.%zu",
                                     f->name, k);
        memcpy(of_function, check->path, sizeof of_function - 1);
        of_function[sizeof of_function - 1] = '\0';
        cs_status status = cs_check_caller_room(check, f);
        if (status == CS_OK)
            status = check_path(check, of_function, segment, f);
        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}
