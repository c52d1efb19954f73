// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. Pieces of the JSON Schema that are not rows of the table. */
#ifndef CS_SCENARIO_SCHEMA_PARTS_H
#define CS_SCENARIO_SCHEMA_PARTS_H

#include "scenario/schema/json.h"

/* "$ref": "#/$defs/NAME", as a member, and as an element of its own. */
void cs_schema_reference(cs_schema_json *json, const char *key, const char *name);
void cs_schema_refer(cs_schema_json *json, const char *name);

/* Type, minimum and maximum as members; a whole number, a text as elements. */
void cs_schema_range(cs_schema_json *json, const char *type, uint64_t min, uint64_t max,
                     uint64_t step);
void cs_schema_integer(cs_schema_json *json, uint64_t min, uint64_t max, uint64_t step);
void cs_schema_pattern(cs_schema_json *json, const char *text);

/* Events, CPUs, addresses: what rows of the table refer to. */
void cs_schema_definitions(cs_schema_json *json);

/* Each kind of software has its own section (driver, script). */
void cs_schema_software(cs_schema_json *json);

#endif
