// SPDX-License-Identifier: Apache-2.0
/* The sections of a scenario as a table. */
#ifndef CS_SCENARIO_SECTION_LIST_H
#define CS_SCENARIO_SECTION_LIST_H

#include "scenario/scenario.h"
#include "scenario/section.h"
#include "scenario/yaml/yaml.h"
#include <countersink/base/diag.h>

typedef struct cs_section_row {
    const cs_section *section;
    size_t through; /* as cs_key.through */
} cs_section_row;

#define CS_DECLARE_SECTION(name) extern const cs_section cs_section_##name;
CS_SECTIONS(CS_DECLARE_SECTION, CS_DECLARE_SECTION)
#undef CS_DECLARE_SECTION

extern const cs_section_row cs_sections[];
extern const size_t cs_nr_sections;

/* The text of a key, and behind it what sections note of it. */
void cs_key_noted(const char *key, const char *text, char *out, size_t size);

/* The word of a kind of software in software.kind. */
const char *cs_software_name(unsigned kind);

/* Its software runs, or it is of none. */
bool cs_section_runs(const cs_scenario *scenario, const cs_section *section);

#define CS_MAX_EVENT 0xffffu /* given as a number */

/* An event by name: that of the first section that knows it; else false, and the first reason why it
 * is none of a section's, or nothing. */
bool cs_section_event(const cs_scenario *scenario, const char *name, uint32_t *number,
                      char why[CS_WHY_BYTES]);

/* Room for each section's structure; CS_ERR_NO_MEMORY. */
cs_status cs_sections_room(cs_scenario *scenario, cs_yaml *memory, cs_diag *diag);

#endif
