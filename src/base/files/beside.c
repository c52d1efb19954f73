// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "base/files/beside.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LEVELS 5 /* a test stands so deep in a build tree */

bool cs_beside_program(char *out, size_t size, const char *file, const char *const folders[])
{
    char program[PATH_MAX] = "", probe[2 * PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    for (int level = 0; length > 0 && level < LEVELS; level++) {
        char *slash = strrchr(program, '/');

        if (slash == NULL)
            break;
        *slash = '\0';
        for (size_t i = 0; folders[i] != NULL; i++) {
            const int bytes = snprintf(probe, sizeof probe, "%s/%s/%s", program, folders[i], file);

            if (bytes < 0 || (size_t)bytes >= sizeof probe || access(probe, R_OK) != 0)
                continue;
            if (snprintf(out, size, "%s/%s", program, folders[i]) < (int)size)
                return true;
        }
    }
    out[0] = '\0';
    return false;
}
