// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenario/cpus.h"
#include "scenario/section_list.h"

#define MAX_WARNINGS 32u

cs_yaml_node *cs_check_at(cs_check *check, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(check->path, sizeof check->path, format, args);
    va_end(args);
    return cs_yaml_find(check->root, check->path, NULL);
}

cs_status cs_check_fail(cs_check *check, const char *format, ...)
{
    cs_yaml_node *node;
    char text[400], written[sizeof check->path];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs_yaml_find(check->root, check->path, &node);
    cs_yaml_written(check->root, check->path, written, sizeof written);
    return cs_diag_set_at(check->diag, CS_ERR_SCENARIO, node->where, node->line, node->column,
                          "%s: %s", written, text);
}

cs_status cs_check_warn(cs_check *check, const char *format, ...)
{
    cs_scenario *s = check->scenario;
    char written[sizeof check->path];
    cs_yaml_node *node;
    va_list args;

    if (s->nr_warnings == MAX_WARNINGS)
        return CS_OK;
    if (s->warnings == NULL) {
        s->warnings =
            cs_yaml_alloc(check->memory, MAX_WARNINGS * sizeof s->warnings[0], check->diag);
        if (s->warnings == NULL)
            return CS_ERR_NO_MEMORY;
    }
    cs_scenario_warning *warning = &s->warnings[s->nr_warnings++];
    cs_yaml_find(check->root, check->path, &node);
    snprintf(warning->where, sizeof warning->where, "%s", node->where);
    warning->line = node->line;
    warning->column = node->column;
    cs_yaml_written(check->root, check->path, written, sizeof written);
    int n = snprintf(warning->text, sizeof warning->text, "%.100s: ", written);
    va_start(args, format);
    vsnprintf(warning->text + n, sizeof warning->text - (size_t)n, format, args);
    va_end(args);
    return CS_OK;
}

cs_status cs_check_one_name(cs_check *check, const char *a, const char *b)
{
    if (cs_check_at(check, "%s", a) == NULL || cs_check_at(check, "%s", b) == NULL)
        return CS_OK;
    const unsigned of_a = cs_yaml_turn(check->root, a), of_b = cs_yaml_turn(check->root, b);
    const char *kept = of_a > of_b ? a : b, *gone = of_a > of_b ? b : a;

    if (of_a == of_b)
        return cs_check_fail(check, "the same as %s, which is given, too", a);
    cs_check_at(check, "%s", kept);
    const cs_status status = cs_check_warn(check, "replaces %s, which is the same key", gone);

    cs_yaml_remove(check->root, gone);
    return status;
}

cs_status cs_check_names(cs_check *check)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < cs_nr_sections; i++)
        for (const cs_key_twin *twin = cs_sections[i].section->twins;
             twin != NULL && twin->general != NULL && status == CS_OK; twin++)
            status = cs_check_one_name(check, twin->unit, twin->general);
    return status;
}

bool cs_check_overlap(uint64_t a, uint64_t na, uint64_t b, uint64_t nb)
{
    return a <= b ? b - a < na : a - b < nb;
}

static cs_status check_cpus(cs_check *check)
{
    const unsigned cpus = cs_scenario_cpus(check->scenario);

    /* The first kind is there unless another is given. */
    cs_check_at(check, "%s", cs_cpu_classes[1]->key);
    if (cpus == 0)
        return cs_check_fail(check, "0 beside %s 0: the die has no CPU", cs_cpu_classes[0]->key);
    if (cpus > CS_MAX_CPUS)
        return cs_check_fail(check, "%u CPUs with those of %s; at most %u are allowed", cpus,
                             cs_cpu_classes[0]->words.cores, CS_MAX_CPUS);
    return CS_OK;
}

/* Of the sections whose software runs, one after the other. */
static cs_status call_all(cs_check *check, bool warnings)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++) {
        const cs_section *section = cs_sections[i].section;
        cs_status (*hook)(cs_check *) = warnings ? section->warn : section->check;

        if (hook != NULL && cs_section_runs(check->scenario, section))
            status = hook(check);
    }
    return status;
}

cs_status cs_check_scenario(cs_check *check)
{
    cs_status status = check_cpus(check);

    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++)
        if (cs_sections[i].section->compute != NULL)
            cs_sections[i].section->compute(check);
    if (status == CS_OK)
        status = call_all(check, false);
    if (status == CS_OK)
        status = cs_check_areas(check);
    return status == CS_OK ? call_all(check, true) : status;
}
