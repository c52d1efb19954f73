// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/out.h"

#include <string.h>

#include "guest/log.h"

#define PATH_BYTES 5000

void out_begin(FILE **out, const char *folder, const char *name, FILE *log)
{
    char path[PATH_BYTES];
    const int at = snprintf(path, sizeof path, "%s/%s%s", folder, CS_GUEST_OUT, name);
    const size_t length = strlen(name);

    if (*out != NULL)
        fclose(*out);
    *out = NULL;
    for (size_t i = 0; i < length && at < PATH_BYTES; i++)
        if (path[(size_t)at - length + i] == '/')
            path[(size_t)at - length + i] = '_';
    if (at >= 0 && at < PATH_BYTES && length > 0) {
        fprintf(log, "N %s\n", path + (size_t)at - length);
        *out = fopen(path, "wb");
    }
    if (*out == NULL)
        fprintf(log, "X cannot make %s\n", path);
}

bool out_put(FILE *out, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, out) == count && fflush(out) == 0;
}
