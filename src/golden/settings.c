// SPDX-License-Identifier: Apache-2.0
#include "golden/settings.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

_Thread_local char cs_golden_reason[CS_GOLDEN_ERROR_BYTES];

static bool assign(const cs_golden_kind *kind, uint64_t *values, const char *name,
                   const char *value)
{
    for (size_t i = 0; i < kind->nr_settings; i++) {
        if (strcmp(kind->settings[i].name, name) != 0)
            continue;
        if (cs_number_of(value, kind->settings[i].most, &values[i]))
            return true;
        snprintf(cs_golden_reason, sizeof cs_golden_reason,
                 "%s: found '%s', expected a number up to %llu", name, value,
                 (unsigned long long)kind->settings[i].most);
        return false;
    }
    snprintf(cs_golden_reason, sizeof cs_golden_reason, "there is no setting '%s'", name);
    return false;
}

static bool read_settings(const cs_golden_kind *kind, const char *text, uint64_t *values)
{
    char word[64];

    while (*(text += strspn(text, " ,\n")) != '\0') {
        const size_t length = strcspn(text, " ,\n");
        char *equals;

        snprintf(word, sizeof word, "%.*s", (int)length, text);
        text += length;
        equals = strchr(word, '=');
        if (equals == NULL) {
            snprintf(cs_golden_reason, sizeof cs_golden_reason, "found '%s', expected NAME=NUMBER",
                     word);
            return false;
        }
        *equals = '\0';
        if (!assign(kind, values, word, equals + 1))
            return false;
    }
    return true;
}

void *cs_golden_make(const cs_golden_kind *kind, const char *text)
{
    uint64_t values[CS_GOLDEN_SETTINGS];
    cs_diag diag = {0};
    void *golden;

    for (size_t i = 0; i < kind->nr_settings; i++)
        values[i] = kind->settings[i].value;
    if (text == NULL) {
        snprintf(cs_golden_reason, sizeof cs_golden_reason, "found no settings, expected a text");
        return NULL;
    }
    if (!read_settings(kind, text, values))
        return NULL;
    golden = calloc(1, kind->bytes);
    if (golden == NULL) {
        snprintf(cs_golden_reason, sizeof cs_golden_reason, "no memory");
    } else if (kind->create(golden, values, &diag) != CS_OK) {
        cs_diag_print(&diag, cs_golden_reason, sizeof cs_golden_reason);
        free(golden);
        golden = NULL;
    }
    return golden;
}
