// SPDX-License-Identifier: Apache-2.0
#include <countersink/base/diag.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/shown.h"

static const char *const status_names[] = {
    "CS_OK",
    "CS_ERR_USAGE",
    "CS_ERR_SCENARIO",
    "CS_ERR_FORMAT",
    "CS_ERR_IO",
    "CS_ERR_NO_MEMORY",
    "CS_ERR_RANGE",
    "CS_ERR_UNSUPPORTED",
    "CS_ERR_DIFFERENCE",
    "CS_ERR_UNDECIDED",
};

const char *cs_status_name(cs_status status)
{
    unsigned index = (unsigned)status;

    return index < sizeof status_names / sizeof status_names[0] ? status_names[index] : "CS_ERR_?";
}

/* Of what is too long the end, which names the file. */
static void put_where(cs_diag *diag, const char *where)
{
    const size_t length = strlen(where), most = sizeof diag->where - 1;

    if (length <= most)
        memmove(diag->where, where, length + 1); /* it may be the diagnostic's own */
    else
        snprintf(diag->where, sizeof diag->where, "...%s", where + length - (most - 3));
}

static cs_status set(cs_diag *diag, cs_status status, const char *where, unsigned line,
                     unsigned column, const char *format, va_list args)
{
    if (diag == NULL)
        return status;
    diag->status = status;
    diag->line = line;
    diag->column = column;
    put_where(diag, where != NULL ? where : "");
    vsnprintf(diag->text, sizeof diag->text, format, args);
    return status;
}

cs_status cs_diag_set(cs_diag *diag, cs_status status, const char *where, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set(diag, status, where, 0, 0, format, args);
    va_end(args);
    return status;
}

cs_status cs_diag_set_at(cs_diag *diag, cs_status status, const char *where, unsigned line,
                         unsigned column, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    set(diag, status, where, line, column, format, args);
    va_end(args);
    return status;
}

const char *cs_diag_print(const cs_diag *diag, char *buffer, unsigned long size)
{
    char text[sizeof diag->where + sizeof diag->text + 64];

    if (diag->where[0] == '\0')
        snprintf(text, sizeof text, "%s", diag->text);
    else if (diag->line == 0)
        snprintf(text, sizeof text, "%s: %s", diag->where, diag->text);
    else
        snprintf(text, sizeof text, "%s:%u:%u: %s", diag->where, diag->line, diag->column,
                 diag->text);
    return cs_shown(text, buffer, size);
}
