// SPDX-License-Identifier: Apache-2.0
/* What can be fuzzed. */
#include <stdio.h>
#include <string.h>

#include "formats/formats.h"
#include "target.h"

static const cs_fuzz_target targets[] = {
    {"ctf", cs_fuzz_ctf, NULL},
    {"damage", cs_fuzz_damage, NULL},
    {"catalog", cs_fuzz_catalog, NULL},
    {"catalog-source", cs_fuzz_catalog_source, NULL},
    {"pmu-map", cs_fuzz_pmu_map, NULL},
    {"address", cs_fuzz_address, NULL},
    {"scenario", cs_fuzz_scenario, NULL},
    {"set", cs_fuzz_set, NULL},
    {"check", cs_fuzz_check, NULL},
    {"perf-write", cs_fuzz_perf_write, NULL},
    {"ctf-write", cs_fuzz_ctf_write, NULL},
    {"perfetto-write", cs_fuzz_perfetto_write, NULL},
};
#define NR_TARGETS (sizeof targets / sizeof targets[0])

void cs_fuzz_list(void)
{
    const cs_format *format;

    for (size_t i = 0; i < NR_TARGETS; i++)
        puts(targets[i].name);
    for (size_t i = 0; (format = cs_format_at(i)) != NULL; i++)
        if (!format->folder)
            puts(format->name);
}

/* Each format that is a file is a target of its name. */
cs_fuzz_target cs_fuzz_choose(const char *name)
{
    const cs_format *format = cs_format_named(name);

    for (size_t i = 0; i < NR_TARGETS; i++)
        if (strcmp(targets[i].name, name) == 0)
            return targets[i];
    return format != NULL && !format->folder
               ? (cs_fuzz_target){format->name, cs_fuzz_format, format}
               : (cs_fuzz_target){0};
}
