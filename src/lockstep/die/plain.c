// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "lockstep/die/plain.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Letters of other languages are bytes above 0x7f. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c != '\0' && strchr("/._+,@-", c) != NULL);
}

static bool all_plain(const char *text)
{
    while (is_plain(*text))
        text++;
    return *text == '\0';
}

cs_status cs_plain_folder(const char *scratch, char out[PATH_MAX], cs_output **elsewhere,
                          cs_diag *diag)
{
    const char *temp = getenv("TMPDIR");
    char name[PATH_MAX];
    cs_status status = CS_OK;

    *elsewhere = NULL;
    if (realpath(scratch, out) == NULL)
        return cs_diag_set(diag, CS_ERR_IO, scratch, "%s", strerror(errno));
    if (all_plain(out))
        return CS_OK;
    if (temp == NULL || temp[0] != '/' || !all_plain(temp))
        temp = "/tmp";
    snprintf(name, sizeof name, "%.4000s/countersink-%ld", temp, (long)getpid());
    status = cs_output_begin(name, CS_OUTPUT_REPLACE, elsewhere, diag);
    if (status == CS_OK && realpath(cs_output_scratch(*elsewhere), out) == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, temp, "%s", strerror(errno));
    if (status == CS_OK && !all_plain(out))
        status = cs_diag_set(diag, CS_ERR_IO, out,
                             "expected a folder whose name has letters, digits and /._+,@- only: "
                             "make cannot work elsewhere (set TMPDIR)");
    return status;
}

cs_status cs_plain_name(const char *folder, unsigned number, const char *path, char out[PATH_MAX],
                        cs_diag *diag)
{
    const char *slash = strrchr(path, '/');
    char target[PATH_MAX];
    size_t used;

    if (all_plain(path)) {
        snprintf(out, PATH_MAX, "%s", path);
        return CS_OK;
    }
    if (realpath(path, target) == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot be read: %s", strerror(errno));
    snprintf(out, PATH_MAX, "%.3800s/link%u", folder, number);
    if (mkdir(out, 0700) != 0 && errno != EEXIST)
        return cs_diag_set(diag, CS_ERR_IO, out, "cannot be made: %s", strerror(errno));
    used = strlen(out);
    snprintf(out + used, PATH_MAX - used, "/%.255s", slash != NULL ? slash + 1 : path);
    for (char *c = out + used; *c != '\0'; c++)
        if (!is_plain(*c))
            *c = '_';
    if (symlink(target, out) != 0 && errno != EEXIST)
        return cs_diag_set(diag, CS_ERR_IO, out, "cannot be made: %s", strerror(errno));
    return CS_OK;
}
