// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. JSON as it is written: commas and indentation. */
#ifndef CS_SCENARIO_SCHEMA_JSON_H
#define CS_SCENARIO_SCHEMA_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/schema/schema.h"

typedef struct cs_schema_json {
    cs_scenario_writer write;
    void *ctx;
    unsigned depth;
    bool first; /* nothing yet in the object or array at hand */
} cs_schema_json;

/* `key` is NULL in an array, and for the document itself. */
void cs_schema_json_begin(cs_schema_json *json, const char *key, char bracket);
void cs_schema_json_end(cs_schema_json *json, char bracket);
void cs_schema_json_string(cs_schema_json *json, const char *key, const char *text);
void cs_schema_json_number(cs_schema_json *json, const char *key, uint64_t value);
/* true, false, or a number as it is written */
void cs_schema_json_word(cs_schema_json *json, const char *key, const char *word);

#endif
