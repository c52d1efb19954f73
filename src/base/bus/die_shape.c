// SPDX-License-Identifier: Apache-2.0
#include "base/bus/die_shape.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/require.h"

void cs_die_shape_add(cs_die_shape *shape, const char *unit, const char *name, unsigned value)
{
    cs_die_size *size = &shape->sizes[shape->nr_sizes++];

    CS_REQUIRE(shape->nr_sizes <= CS_DIE_SHAPE_ROWS, "die: more than %u sizes", CS_DIE_SHAPE_ROWS);
    *size = (cs_die_size){.value = value};
    snprintf(size->unit, sizeof size->unit, "%s", unit);
    snprintf(size->name, sizeof size->name, "%s", name != NULL ? name : "");
}

bool cs_die_shape_has(const cs_die_shape *shape, const char *unit)
{
    for (size_t i = 0; i < shape->nr_sizes; i++)
        if (strcmp(shape->sizes[i].unit, unit) == 0)
            return true;
    return false;
}

const cs_die_size *cs_die_shape_find(const cs_die_shape *shape, const char *unit, const char *name)
{
    for (size_t i = 0; i < shape->nr_sizes; i++)
        if (strcmp(shape->sizes[i].unit, unit) == 0 && strcmp(shape->sizes[i].name, name) == 0)
            return &shape->sizes[i];
    return NULL;
}

unsigned cs_die_shape_get(const cs_die_shape *shape, const char *unit, const char *name)
{
    const cs_die_size *size = cs_die_shape_find(shape, unit, name);

    return size != NULL ? size->value : 0;
}

bool cs_die_shape_holds(const cs_die_shape *shape, const cs_die_shape *wanted)
{
    for (size_t i = 0; i < wanted->nr_sizes; i++) {
        const cs_die_size *size = &wanted->sizes[i];

        if (!cs_die_shape_has(shape, size->unit) ||
            cs_die_shape_get(shape, size->unit, size->name) < size->value)
            return false;
    }
    return true;
}

/* A word of a shape: unit, or unit.name=value. */
static bool parse_size(const char *word, size_t length, cs_die_shape *out)
{
    char copy[3 * CS_DIE_SHAPE_NAME];
    char unit[CS_DIE_SHAPE_NAME];
    char name[CS_DIE_SHAPE_NAME];
    unsigned value;
    int end = 0;

    if (length >= sizeof copy || out->nr_sizes == CS_DIE_SHAPE_ROWS)
        return false;
    memcpy(copy, word, length);
    copy[length] = '\0';
    if (sscanf(copy, "%23[a-z0-9_].%23[A-Za-z0-9]=%9u%n", unit, name, &value, &end) == 3) {
        cs_die_shape_add(out, unit, name, value);
        return (size_t)end == length;
    }
    if (sscanf(copy, "%23[a-z0-9_]%n", unit, &end) != 1 || (size_t)end != length)
        return false;
    cs_die_shape_add(out, unit, NULL, 0);
    return true;
}

cs_status cs_die_shape_parse(const char *text, cs_die_shape *out, cs_diag *diag)
{
    *out = (cs_die_shape){0};
    while (*(text += strspn(text, " \t\r\n")) != '\0') {
        const size_t length = strcspn(text, " \t\r\n");

        if (!parse_size(text, length, out))
            return cs_diag_set(diag, CS_ERR_FORMAT, NULL,
                               "found '%.*s' in the shape of a die, expected UNIT or "
                               "UNIT.PARAMETER=NUMBER",
                               (int)length, text);
        text += length;
    }
    return CS_OK;
}

static void append(char *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(char *buffer, const char *format, ...)
{
    const size_t used = strlen(buffer);
    va_list args;

    va_start(args, format);
    vsnprintf(buffer + used, CS_DIE_SHAPE_TEXT - used, format, args);
    va_end(args);
}

const char *cs_die_shape_text(const cs_die_shape *shape, char buffer[CS_DIE_SHAPE_TEXT])
{
    buffer[0] = '\0';
    for (size_t i = 0; i < shape->nr_sizes; i++) {
        const cs_die_size *size = &shape->sizes[i];

        append(buffer, "%s%s", i != 0 ? " " : "", size->unit);
        if (size->name[0] != '\0')
            append(buffer, ".%s=%u", size->name, size->value);
    }
    return buffer;
}

/* NrCluster: clusters. */
static void append_name(char *buffer, const char *name)
{
    name += strncmp(name, "Nr", 2) == 0 ? 2 : 0;
    for (; *name != '\0'; name++)
        append(buffer, "%c", tolower((unsigned char)*name));
    append(buffer, "s");
}

const char *cs_die_shape_tell(const cs_die_shape *shape, char buffer[CS_DIE_SHAPE_TEXT])
{
    const char *last = "";

    buffer[0] = '\0';
    for (size_t i = 0; i < shape->nr_sizes; i++) {
        const cs_die_size *size = &shape->sizes[i];
        const bool more = strcmp(size->unit, last) == 0;

        if (more)
            append(buffer, ", ");
        else
            append(buffer, "%s%s%s", i != 0 ? "; " : "", size->unit,
                   size->name[0] != '\0' ? ": " : "");
        last = size->unit;
        if (size->name[0] == '\0')
            continue;
        append(buffer, "%u ", size->value);
        append_name(buffer, size->name);
    }
    return buffer;
}
