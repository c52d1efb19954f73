// SPDX-License-Identifier: Apache-2.0
#include "scenario/schema/json.h"

#include <stdio.h>
#include <string.h>

static void put(cs_schema_json *json, const char *text)
{
    json->write(json->ctx, text, strlen(text));
}

static void put_quoted(cs_schema_json *json, const char *text)
{
    put(json, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            put(json, "\\");
        json->write(json->ctx, text, 1);
    }
    put(json, "\"");
}

static void begin(cs_schema_json *json, const char *key)
{
    if (!json->first)
        put(json, ",");
    json->first = false;
    if (json->depth > 0)
        put(json, "\n");
    for (unsigned i = 0; i < json->depth; i++)
        put(json, "  ");
    if (key != NULL) {
        put_quoted(json, key);
        put(json, ": ");
    }
}

void cs_schema_json_begin(cs_schema_json *json, const char *key, char bracket)
{
    begin(json, key);
    json->write(json->ctx, &bracket, 1);
    json->depth++;
    json->first = true;
}

void cs_schema_json_end(cs_schema_json *json, char bracket)
{
    bool empty = json->first;

    json->depth--;
    json->first = false;
    if (!empty)
        put(json, "\n");
    for (unsigned i = 0; !empty && i < json->depth; i++)
        put(json, "  ");
    json->write(json->ctx, &bracket, 1);
}

void cs_schema_json_string(cs_schema_json *json, const char *key, const char *text)
{
    begin(json, key);
    put_quoted(json, text);
}

void cs_schema_json_number(cs_schema_json *json, const char *key, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cs_schema_json_word(json, key, text);
}

void cs_schema_json_word(cs_schema_json *json, const char *key, const char *word)
{
    begin(json, key);
    put(json, word);
}
