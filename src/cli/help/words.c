// SPDX-License-Identifier: Apache-2.0
/* Words that values can be. */
#include <stdlib.h>
#include <string.h>

#include "base/files/embedded.h"
#include "cli/cli.h"
#include "cli/help/help.h"
#include "foreign/foreign.h"
#include "formats/formats.h"
#include "scenario/keys.h"
#include "traces/format.h"
#include "zoo/bugs.h"

extern const cs_embedded cs_purposes[];    /* cmd_new.c */
extern const cs_embedded cs_completions[]; /* cmd_completion.c */

typedef struct asked {
    const char *begun;
    cs_word_sink *offer;
    void *ctx;
    bool settings; /* KEY=VALUE, not KEY */
} asked;

/* A list is written with the number of an element: those of the first are told. */
static void settable(const char *path, char *out, size_t size)
{
    size_t used = 0;

    for (; *path != '\0' && used + 4 < size; path++) {
        out[used++] = *path;
        if (path[0] == '[' && path[1] == ']')
            out[used++] = '0';
    }
    out[used] = '\0';
}

static bool offer_key(void *ctx, const char *path, const cs_key *key)
{
    const asked *a = ctx;
    char name[256], word[384];

    settable(path, name, sizeof name);
    if (!a->settings) {
        a->offer(a->ctx, path, key->text);
        return true;
    }
    if (key->type == CS_KEY_MAP || key->type == CS_KEY_LIST || key->type == CS_KEY_OVERLAY)
        return true;
    const size_t bytes = strlen(name);

    if (strncmp(a->begun, name, bytes) != 0 || a->begun[bytes] != '=') {
        snprintf(word, sizeof word, "%s=", name);
        a->offer(a->ctx, word, key->text);
        return true;
    }
    if (key->type == CS_KEY_FLAG)
        for (int i = 0; i < 2; i++) {
            snprintf(word, sizeof word, "%s=%s", name, i == 0 ? "true" : "false");
            a->offer(a->ctx, word, "");
        }
    for (const cs_key_choice *c = key->choices; c != NULL && c->name != NULL; c++) {
        snprintf(word, sizeof word, "%s=%s", name, c->name);
        a->offer(a->ctx, word, c->text != NULL ? c->text : "");
    }
    return true;
}

static void offer_unit(void *ctx, const cs_foreign_unit *unit)
{
    const asked *a = ctx;

    a->offer(a->ctx, unit->name, unit->page);
}

static void offer_bugs(const asked *a)
{
    cs_zoo zoo;

    if (cs_zoo_open(&zoo, NULL) != CS_OK)
        return;
    for (size_t k = 0; k < zoo.nr_kinds; k++)
        for (size_t i = 0; i < zoo.kinds[k]->nr_bugs; i++)
            a->offer(a->ctx, zoo.kinds[k]->bugs[i].name, zoo.kinds[k]->bugs[i].says);
    cs_zoo_close(&zoo);
}

void cs_words(cs_value is, const char *begun, cs_word_sink *offer, void *ctx)
{
    asked a = {begun, offer, ctx, is == CS_VALUE_SETTING};
    const cs_command *command;
    const cs_trace_row *row;
    const cs_format *format;

    switch (is) {
    case CS_VALUE_SETTING:
    case CS_VALUE_KEY:
        cs_scenario_keys(offer_key, &a);
        break;
    case CS_VALUE_FORMAT:
        for (size_t i = 0; (format = cs_format_at(i)) != NULL; i++)
            offer(ctx, format->name, format->about);
        break;
    case CS_VALUE_TRACE_FORMAT:
        for (size_t i = 0; (row = cs_trace_row_at(i)) != NULL; i++)
            offer(ctx, row->format->name,
                  row->made->summary != NULL ? row->made->summary : row->format->about);
        break;
    case CS_VALUE_COMMAND:
        for (size_t i = 0; (command = cs_command_at(i)) != NULL; i++)
            offer(ctx, command->name, command->summary);
        break;
    case CS_VALUE_UNIT:
        cs_foreign_each_unit(offer_unit, &a);
        break;
    case CS_VALUE_BUG:
        offer_bugs(&a);
        break;
    case CS_VALUE_PURPOSE:
        for (const cs_embedded *p = cs_purposes; p->name != NULL; p++)
            offer(ctx, p->name, p->text + 2);
        break;
    case CS_VALUE_SHELL:
        for (const cs_embedded *shell = cs_completions; shell->name != NULL; shell++)
            offer(ctx, shell->name, NULL);
        break;
    default:
        break;
    }
}
