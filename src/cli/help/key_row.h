// SPDX-License-Identifier: Apache-2.0
/* A key of a scenario as a row of a table, as `list --scenario` and `explain` print it. */
#ifndef CS_CLI_HELP_KEY_ROW_H
#define CS_CLI_HELP_KEY_ROW_H

#include "formats/common/table.h"
#include "scenario/keys.h"

#define CS_KEY_COLUMNS 5u

extern const cs_table_column cs_key_columns[CS_KEY_COLUMNS];

void cs_key_row(cs_table *table, const char *path, const cs_key *key);
/* A word that the key may be: "bus.arbitration=shared", as --set takes it. */
void cs_key_word_row(cs_table *table, const char *path, const cs_key_choice *word);

/* What it is where it is not given, perhaps in words; `required` where it has to be given. */
const char *cs_key_default(const cs_key *key, const char *required);

#endif
