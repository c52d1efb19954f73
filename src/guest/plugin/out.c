// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/out.h"

#include <stdbool.h>
#include <string.h>

#include "guest/log.h"

#define NAME_BYTES 64
#define PATH_BYTES 5000
#define MOST_BYTES 65536u /* that are put out at once */

/* A file of that name begins. */
static void begin(out *o, const char *name)
{
    char path[PATH_BYTES];
    const int at = snprintf(path, sizeof path, "%s/%s%s", o->folder, CS_GUEST_OUT, name);
    const size_t length = strlen(name);

    out_end(o);
    for (size_t i = 0; i < length && at < PATH_BYTES; i++)
        if (path[(size_t)at - length + i] == '/')
            path[(size_t)at - length + i] = '_';
    if (at >= 0 && at < PATH_BYTES && length > 0) {
        fprintf(o->log, "N %s\n", path + (size_t)at - length);
        o->file = fopen(path, "wb");
    }
    if (o->file == NULL)
        fprintf(o->log, "X cannot make %s\n", path);
}

static void begin_named(out *o, uint64_t address)
{
    char name[NAME_BYTES];
    const uint8_t *byte = NULL;
    size_t i = 0;

    for (; i < NAME_BYTES - 1 && (byte = o->read(address + i, 1)) != NULL && *byte != '\0'; i++)
        name[i] = (char)*byte;
    name[i] = '\0';
    begin(o, name);
}

static bool put(const out *o, uint64_t address, size_t count)
{
    const uint8_t *bytes = o->read(address, count);

    fprintf(o->log, "U\n");
    return bytes != NULL && fwrite(bytes, 1, count, o->file) == count && fflush(o->file) == 0;
}

void out_call(out *o, uint64_t call, uint64_t first, uint64_t second)
{
    if (call == CS_GUEST_CALL_NAME)
        begin_named(o, first);
    else if (call == CS_GUEST_CALL_PUT && o->file != NULL && second <= MOST_BYTES &&
             !put(o, first, (size_t)second))
        fprintf(o->log, "X what the guest puts out cannot be written\n");
}

void out_end(out *o)
{
    if (o->file != NULL)
        fclose(o->file);
    o->file = NULL;
}
