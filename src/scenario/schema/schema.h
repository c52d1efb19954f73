// SPDX-License-Identifier: Apache-2.0
/* The table of keys in other forms: JSON Schema for editors, Markdown for people. */
#ifndef CS_SCENARIO_SCHEMA_H
#define CS_SCENARIO_SCHEMA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the text piece by piece. */
typedef void (*cs_scenario_writer)(void *ctx, const char *text, size_t bytes);

/* JSON Schema (2020-12) of a scenario: configs/scenario.schema.json. It knows all
 * that the table of keys knows; what several sections say together (a window in
 * RAM, a CPU of the die) only the loader can check. */
void cs_scenario_schema(cs_scenario_writer write, void *ctx);

/* The keys as a Markdown table: part of docs/scenarios.md. */
void cs_scenario_key_table(cs_scenario_writer write, void *ctx);

#ifdef __cplusplus
}
#endif

#endif
