// SPDX-License-Identifier: Apache-2.0
#include "formats/folded/read/folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINE (1u << 20)
#define CHUNK 65536u

typedef struct folded {
    cs_byte_source source;
    const char *name;
    uint8_t chunk[CHUNK];
    size_t have, at; /* of the chunk */
    uint64_t offset; /* of the line */
    uint64_t number; /* of the line, from 1 */
    char *line;
    size_t bytes, room;
    cs_profileread_text stack;
    cs_profileread_row row;
} folded;

static cs_status open_folded(const cs_byte_source *source, const char *name, void **reader,
                             cs_diag *diag)
{
    folded *f = calloc(1, sizeof *f);

    *reader = f;
    if (f == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    f->source = *source;
    f->name = name;
    return CS_OK;
}

static void close_folded(void *reader)
{
    folded *f = reader;

    free(f->line);
    free(f->stack.text);
    free(f);
}

static cs_status no_memory(const folded *f, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, f->name, "no memory for a line");
}

/* The next line without its end. *any false: the file has ended. */
static cs_status read_line(folded *f, bool *any, cs_diag *diag)
{
    f->offset += f->bytes + (f->number != 0);
    f->bytes = 0;
    f->number++;
    *any = false;
    for (;;) {
        if (f->at == f->have) {
            const cs_status status =
                f->source.read(f->source.ctx, f->chunk, sizeof f->chunk, &f->have, diag);

            f->at = 0;
            if (status != CS_OK || f->have == 0)
                return status;
        }
        *any = true;
        const uint8_t *from = f->chunk + f->at;
        const uint8_t *end = memchr(from, '\n', f->have - f->at);
        const size_t more = end != NULL ? (size_t)(end - from) : f->have - f->at;

        if (f->bytes + more > MOST_LINE)
            return cs_diag_set(diag, CS_ERR_FORMAT, f->name,
                               "line %llu: it has more than %u bytes, expected a stack",
                               (unsigned long long)f->number, MOST_LINE);
        if (f->bytes + more + 1 > f->room) {
            char *line = realloc(f->line, 2 * (f->bytes + more + 1));

            if (line == NULL)
                return no_memory(f, diag);
            f->line = line;
            f->room = 2 * (f->bytes + more + 1);
        }
        memcpy(f->line + f->bytes, from, more);
        f->bytes += more;
        f->line[f->bytes] = '\0';
        f->at += more;
        if (end != NULL) {
            f->at++;
            return CS_OK;
        }
    }
}

static cs_status wrong(const folded *f, const char *found, cs_diag *diag)
{
    return cs_diag_set_at(diag, CS_ERR_FORMAT, f->name, (unsigned)f->number, 1,
                          "found %s, expected 'FRAME;FRAME NUMBER'", found);
}

static cs_status next(void *reader, const cs_profileread_row **row, cs_diag *diag)
{
    folded *f = reader;
    bool any;

    *row = NULL;
    for (;;) { /* empty lines, and comments, are none */
        const cs_status status = read_line(f, &any, diag);

        if (status != CS_OK || !any)
            return status;
        if (f->bytes != 0 && f->line[0] != '#')
            break;
    }
    if (memchr(f->line, '\0', f->bytes) != NULL)
        return wrong(f, "a byte 0", diag);
    char *space = strrchr(f->line, ' ');
    if (space == NULL || space == f->line)
        return wrong(f, "no number behind a space", diag);
    const char *weight = space + 1;
    if (strspn(weight, "0123456789.") != strlen(weight) || *weight < '0' || *weight > '9')
        return wrong(f, "no number behind the last space", diag);
    *space = '\0';
    if (!cs_profileread_clear(&f->stack))
        return no_memory(f, diag);
    for (const char *at = f->line;; at++) {
        const char *end = strchr(at, ';');
        const size_t bytes = end != NULL ? (size_t)(end - at) : strlen(at);

        if (!cs_profileread_push(&f->stack, at, bytes))
            return no_memory(f, diag);
        if (end == NULL)
            break;
        at = end;
    }
    char *end;
    errno = 0;
    f->row = (cs_profileread_row){.offset = f->offset, .weight = weight, .stack = f->stack.text};
    f->row.number = strtoll(weight, &end, 10);
    f->row.is_whole = errno == 0 && *end == '\0';
    *row = &f->row;
    return CS_OK;
}

const cs_profileread_class cs_foldedread = {open_folded, next, close_folded};

/* Text, with a ';' in its first line and a number at the end of it, as far as it can be seen. */
bool cs_foldedread_looks_so(const uint8_t *look, size_t bytes)
{
    size_t end = 0;
    bool frames = false;

    while (end < bytes && look[end] != '\n') {
        if (look[end] < ' ' || look[end] == ',' || look[end] == '"')
            return false;
        frames |= look[end] == ';';
        end++;
    }
    if (!frames || end == bytes)
        return false;
    size_t digits = end;
    while (digits > 0 && look[digits - 1] >= '0' && look[digits - 1] <= '9')
        digits--;
    return digits != end && digits > 1 && look[digits - 1] == ' ';
}
