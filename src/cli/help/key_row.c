// SPDX-License-Identifier: Apache-2.0
#include "cli/help/key_row.h"

#include <stdio.h>

#define NAME(title)                                                                                \
    {                                                                                              \
        .name = title, .kind = CS_CELL_NAME                                                        \
    }

const cs_table_column cs_key_columns[CS_KEY_COLUMNS] = {NAME("key"), NAME("allowed"), NAME("unit"),
                                                        NAME("default"), NAME("text")};

const char *cs_key_default(const cs_key *key, const char *required)
{
    return key->fallback == NULL   ? required
           : *key->fallback == '=' ? key->fallback + 1
                                   : key->fallback;
}

void cs_key_row(cs_table *table, const char *path, const cs_key *key)
{
    char allowed[1024];
    const cs_table_cell cells[CS_KEY_COLUMNS] = {
        {.name = path},      {.name = cs_key_allowed(key, allowed, sizeof allowed)},
        {.name = key->unit}, {.name = cs_key_default(key, NULL)},
        {.name = key->text},
    };

    cs_table_row(table, cells);
}

void cs_key_word_row(cs_table *table, const char *path, const cs_key_choice *word)
{
    char name[512];

    snprintf(name, sizeof name, "%s=%s", path, word->name);
    const cs_table_cell cells[CS_KEY_COLUMNS] = {
        {.name = name}, {0}, {0}, {0}, {.name = word->text}};

    cs_table_row(table, cells);
}
