#include "golden/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

char cs_golden_reason[CS_GOLDEN_ERROR_BYTES];

static bool assign(const cs_golden_setting *rows, size_t nr_rows, const char *name,
                   const char *value)
{
    for (size_t i = 0; i < nr_rows; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        if (cs_number_of(value, rows[i].most, rows[i].value))
            return true;
        snprintf(cs_golden_reason, sizeof cs_golden_reason,
                 "%s: found '%s', expected a number up to %llu", name, value,
                 (unsigned long long)rows[i].most);
        return false;
    }
    snprintf(cs_golden_reason, sizeof cs_golden_reason, "there is no setting '%s'", name);
    return false;
}

bool cs_golden_read_settings(const char *text, const cs_golden_setting *rows, size_t nr_rows)
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
        if (!assign(rows, nr_rows, word, equals + 1))
            return false;
    }
    return true;
}
