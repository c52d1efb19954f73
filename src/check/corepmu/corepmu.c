/* What `check` must know of the cores' own PMUs: events that perf gave counters in turns. */
#include "check/family.h"
#include "scenario/section_list.h"

static const cs_section *const sections[] = {&cs_section_multiplex, NULL};

static const cs_check_counted rotated = {
    .own = "pmu='cpu'",
    .name = "CASE WHEN name LIKE '0x%' THEN printf('r%x', event) ELSE name END"};

const cs_check_family cs_check_corepmu = {.sections = sections, .rotated = &rotated};
