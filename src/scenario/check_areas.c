// SPDX-License-Identifier: Apache-2.0
/* What software and hardware write must lie in RAM, and not in one place. */
#include "scenario/check.h"
#include "scenario/machine/memory_spec.h"
#include "scenario/section_list.h"

#define MAX_AREAS 32u

cs_status cs_check_in_ram(cs_check *check, uint64_t base, uint64_t bytes, const char *what)
{
    const cs_scenario *s = check->scenario;

    if (base >= s->memory->base && bytes <= s->memory->size &&
        base - s->memory->base <= s->memory->size - bytes)
        return CS_OK;
    return cs_check_fail(check, "%s, 0x%llx bytes at 0x%llx, do not lie in RAM 0x%llx..0x%llx",
                         what, (unsigned long long)bytes, (unsigned long long)base,
                         (unsigned long long)s->memory->base,
                         (unsigned long long)(s->memory->base + (s->memory->size - 1)));
}

static size_t find_areas(const cs_scenario *s, cs_area out[MAX_AREAS])
{
    size_t n = 0;

    for (size_t i = 0; i < cs_nr_sections && n + CS_MAX_SECTION_AREAS <= MAX_AREAS; i++)
        if (cs_sections[i].section->areas != NULL && cs_section_runs(s, cs_sections[i].section))
            n += cs_sections[i].section->areas(s, out + n);
    return n;
}

cs_status cs_check_areas(cs_check *check)
{
    cs_area areas[MAX_AREAS];
    const size_t count = find_areas(check->scenario, areas);

    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            if (!cs_check_overlap(areas[i].base, areas[i].bytes, areas[k].base, areas[k].bytes))
                continue;
            cs_check_at(check, "%s", areas[i].key);
            return cs_check_fail(check, "%s at 0x%llx overlap %s at 0x%llx", areas[i].what,
                                 (unsigned long long)areas[i].base, areas[k].what,
                                 (unsigned long long)areas[k].base);
        }
    return CS_OK;
}
