// SPDX-License-Identifier: Apache-2.0
/* The one perf command that a file is of. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/families.h"

/* "<section>.perf.<number>" of a section that has a list of them, "<section>" of any other. */
static bool is_command_of(const cs_section *section, const char *text, int64_t *number)
{
    static const char between[] = ".perf.";
    const size_t length = strlen(section->name);
    char *end = NULL;

    *number = -1;
    if (strncmp(text, section->name, length) != 0)
        return false;
    text += length;
    if (section->commands->count == NULL)
        return *text == '\0';
    if (strncmp(text, between, sizeof between - 1) != 0)
        return false;
    text += sizeof between - 1;
    *number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && *number >= 0;
}

/* All sections whose perf commands are some family's; NULL at `nr` and beyond. */
static const cs_section *section_at(size_t nr, const cs_check_family **family)
{
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++) {
        const cs_section *const *sections = cs_check_families[i]->sections;

        *family = cs_check_families[i];
        for (size_t k = 0; sections != NULL && sections[k] != NULL; k++)
            if (nr-- == 0)
                return sections[k];
    }
    return NULL;
}

static cs_status unknown(cs_checking *check, const char *text)
{
    const cs_check_family *family;
    const cs_section *section;
    char names[512];
    size_t used = 0;

    for (size_t i = 0; (section = section_at(i, &family)) != NULL && used < sizeof names; i++) {
        const char *comma = section_at(i + 1, &family) != NULL ? ", " : " or ";

        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s%s", i > 0 ? comma : "",
                                 section->name, section->commands->count != NULL ? ".perf.N" : "");
    }
    return cs_diag_set(check->diag, CS_ERR_RANGE, NULL, "--command: found '%s', expected %s", text,
                       names);
}

cs_status cs_check_only_of(cs_checking *check, cs_check_only *out)
{
    const char *text = check->request->command;
    const cs_section *section;

    *out = (cs_check_only){.number = -1};
    if (text == NULL)
        return CS_OK;
    for (size_t i = 0; (section = section_at(i, &out->family)) != NULL; i++)
        if (is_command_of(section, text, &out->number))
            return CS_OK;
    return unknown(check, text);
}

bool cs_check_means(const cs_check_only *only, const cs_check_family *family, char *sql,
                    size_t bytes)
{
    if (only->number < 0)
        snprintf(sql, bytes, "1");
    else
        snprintf(sql, bytes, "command=%" PRId64, only->number);
    return only->family == NULL || only->family == family;
}
