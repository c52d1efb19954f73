// SPDX-License-Identifier: Apache-2.0
#include "formats/script/read/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/script/abi/script.h"

static bool parse(cs_script *s)
{
    uint64_t seconds, ns;
    int point = 0, colon = 0, end = 0;

    sscanf(s->text, "%10u [%4u] %9" SCNu64 ".%n%9" SCNu64 "%n: %18" SCNu64 " %s %16" SCNx64 "%n",
           &s->pid, &s->cpu, &seconds, &point, &ns, &colon, &s->period, s->event, &s->ip, &end);
    if (end == 0 || strcmp(s->text + end, "\n") != 0 || colon - point != 9)
        return false;
    s->time_ns = seconds * UINT64_C(1000000000) + ns;
    char *last = s->event + strlen(s->event) - 1;
    const bool named = *last == ':';
    *last = '\0';
    return named;
}

/* The next line with its end, as much of it as there is room for; "" at the end of the file. */
static cs_status read_line(cs_script *s, cs_diag *diag)
{
    cs_status status = CS_OK;
    size_t bytes = 0, got = 1;

    while (status == CS_OK && got == 1 && bytes < sizeof s->text - 1 &&
           (bytes == 0 || s->text[bytes - 1] != '\n')) {
        status = s->source.read(s->source.ctx, (uint8_t *)s->text + bytes, 1, &got, diag);
        bytes += got;
    }
    s->text[bytes] = '\0';
    s->line++;
    return status;
}

cs_status cs_script_next(cs_script *s, bool *any, cs_diag *diag)
{
    cs_status status = read_line(s, diag);

    *any = false;
    if (status == CS_OK && s->line == 1) {
        if (strcmp(s->text, CS_SCRIPT_TITLE) != 0)
            return cs_diag_set_at(diag, CS_ERR_FORMAT, s->name, 1, 1, "expected '%.*s'",
                                  (int)strlen(CS_SCRIPT_TITLE) - 1, CS_SCRIPT_TITLE);
        status = read_line(s, diag);
    }
    *any = status == CS_OK && s->text[0] != '\0';
    if (*any && !parse(s))
        return cs_diag_set_at(diag, CS_ERR_FORMAT, s->name, s->line, 1,
                              "expected 'PID [CPU] SECONDS.NANOSECONDS: PERIOD EVENT: ADDRESS'");
    return status;
}
