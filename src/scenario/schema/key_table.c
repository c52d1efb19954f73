// SPDX-License-Identifier: Apache-2.0
/* The table of keys as Markdown. */
#include <stdio.h>
#include <string.h>

#include "scenario/keys.h"
#include "scenario/schema/schema.h"

typedef struct table {
    cs_scenario_writer write;
    void *ctx;
} table;

static void put(const table *t, const char *text)
{
    t->write(t->ctx, text, strlen(text));
}

/* A bar would end the cell. */
static void put_cell(const table *t, const char *text)
{
    for (; *text != '\0'; text++)
        t->write(t->ctx, *text == '|' ? "/" : text, 1);
}

/* "a b c" as "a, b, c" */
static void put_words(const table *t, const char *words)
{
    for (; *words != '\0'; words++)
        put(t, *words == ' ' ? ", " : (const char[]){*words, '\0'});
}

static void put_default(const table *t, const cs_key *key)
{
    if (key->fallback == NULL)
        put(t, "required");
    else if (key->type == CS_KEY_MAP)
        put(t, "");
    else if (key->fallback[0] != '=')
        put_cell(t, key->fallback);
    else
        put_cell(t, key->fallback + 1);
}

/* The words of a choice with what they mean. */
static void put_choices(const table *t, const cs_key *key)
{
    bool explained = key->choices[0].text[0] != '\0';

    for (const cs_key_choice *c = key->choices; c->name != NULL && explained; c++) {
        put(t, c == key->choices ? ". " : "; ");
        put(t, "`");
        put(t, c->name);
        put(t, "`: ");
        put_cell(t, c->text);
        if (c->needs != NULL) {
            put(t, " (needs ");
            put_words(t, c->needs);
            if (c->may != NULL) {
                put(t, "; takes ");
                put_words(t, c->may);
            }
            put(t, ")");
        }
    }
}

static bool put_row(void *ctx, const char *path, const cs_key *key)
{
    const table *t = ctx;
    char allowed[160];

    put(t, "| `");
    put(t, path);
    put(t, "` | ");
    put_cell(t, cs_key_allowed(key, allowed, sizeof allowed));
    put(t, " | ");
    put_default(t, key);
    put(t, " | ");
    put_cell(t, key->text);
    if (key->choices != NULL)
        put_choices(t, key);
    if (key->without != NULL) {
        put(t, ": the keys of a ");
        put(t, key->shape->name);
        put(t, " without ");
        put(t, key->without);
    }
    put(t, " |\n");
    return true;
}

void cs_scenario_key_table(cs_scenario_writer write, void *ctx)
{
    table t = {.write = write, .ctx = ctx};

    put(&t, "| key | allowed | default | meaning |\n|---|---|---|---|\n");
    cs_scenario_keys(put_row, &t);
}
