#include "scenario/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TICKS_PER_MS 50000u
#define MAX_WARNINGS 32u
#define MIB ((uint64_t)1 << 20)

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
    char text[400];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs_yaml_find(check->root, check->path, &node);
    return cs_diag_set_at(check->diag, CS_ERR_SCENARIO, node->where, node->line, node->column,
                          "%s: %s", check->path, text);
}

cs_status cs_check_warn(cs_check *check, const char *format, ...)
{
    cs_scenario *s = check->scenario;
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
    warning->line = node->line;
    warning->column = node->column;
    int n = snprintf(warning->text, sizeof warning->text, "%.100s: ", check->path);
    va_start(args, format);
    vsnprintf(warning->text + n, sizeof warning->text - (size_t)n, format, args);
    va_end(args);
    return CS_OK;
}

bool cs_check_overlap(uint64_t a, uint64_t na, uint64_t b, uint64_t nb)
{
    return a <= b ? b - a < na : a - b < nb;
}

/* configs/pmcu/pmcu_demo.yaml -> pmcu_demo */
static void name_after_file(cs_scenario *s)
{
    const char *slash = strrchr(s->source, '/');
    const char *base = slash != NULL ? slash + 1 : s->source;
    const char *dot = strrchr(base, '.');
    size_t bytes = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    size_t n = 0;

    for (size_t i = 0; i < bytes && n < sizeof s->name - 1; i++) {
        char c = base[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '-' || (c == '.' && n > 0);

        s->name[n++] = good ? c : '_';
    }
    if (n == 0)
        memcpy(s->name, "scenario", sizeof "scenario");
}

/* The defaults that the table of keys marks with "=". */
static void compute(cs_check *check)
{
    cs_scenario *s = check->scenario;

    if (s->name[0] == '\0')
        name_after_file(s);
    if (cs_check_at(check, "core.hpmn") == NULL)
        s->core.hpmn = s->core.counters;
    if (cs_check_at(check, "pmcu.tick_cycles") == NULL)
        s->pmcu.tick_cycles = s->bus.clock_mhz / 50;
    if (cs_check_at(check, "driver.sample_period_ticks") == NULL)
        s->driver.sample_period_ticks = s->driver.sample_period_ms * TICKS_PER_MS;
    else
        s->driver.sample_period_ms = 0;
    if (cs_check_at(check, "driver.aux_base") == NULL)
        s->driver.aux_base = s->memory.base + 16 * MIB;
    if (cs_check_at(check, "driver.data_base") == NULL)
        s->driver.data_base = s->memory.base + 4096;
    cs_check_compute_imc(check);
    cs_check_compute_harts(check);
    cs_check_compute_riscv(check);
    cs_check_compute_uncore(check);
    cs_check_compute_multiplex(check);
    cs_check_compute_modes(check);
}

/* Each has a folder of its name. */
static cs_status check_ways(cs_check *check)
{
    const cs_scenario *s = check->scenario;

    for (size_t i = 0; i < s->nr_ways; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(s->ways[i].name, s->ways[k].name) == 0) {
                cs_check_at(check, "ways.%zu.name", i);
                return cs_check_fail(check, "%s is the name of way %zu, too", s->ways[i].name, k);
            }
    cs_check_at(check, "way");
    return s->way[0] != '\0' && s->nr_ways == 0 ? cs_check_fail(check, "there are no ways") : CS_OK;
}

cs_status cs_check_scenario(cs_check *check)
{
    static cs_status (*const parts[])(cs_check *) = {
        check_ways,
        cs_check_machine,
        cs_check_memory,
        cs_check_programs,
        cs_check_workloads,
        cs_check_software,
        cs_check_driver,
        cs_check_multiplex,
        cs_check_imc,
        cs_check_harts,
        cs_check_riscv,
        cs_check_uncore,
        cs_check_uncore_driver,
        cs_check_pmus,
        cs_check_modes,
        cs_check_areas,
        cs_check_warnings,
    };
    cs_status status = cs_check_cpus(check);

    if (status != CS_OK)
        return status;
    compute(check);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CS_OK; i++)
        status = parts[i](check);
    return status;
}
