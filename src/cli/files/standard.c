// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cli/files/standard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cs_status cs_standard_begin(cs_standard *s, const char *asked, cs_diag *diag)
{
    const char *folder = getenv("TMPDIR");
    char stem[4096];
    cs_status status;

    *s = (cs_standard){.name = asked};
    if (strcmp(asked, "-") != 0)
        return CS_OK;
    snprintf(stem, sizeof stem, "%s/countersink-%ld",
             folder != NULL && *folder != '\0' ? folder : "/tmp", (long)getpid());
    status = cs_output_begin(stem, CS_OUTPUT_FOLDER, &s->output, diag);
    if (status != CS_OK)
        return status;
    snprintf(s->path, sizeof s->path, "%s/output", cs_output_path(s->output, CS_OUTPUT_FIRST));
    s->name = s->path;
    return CS_OK;
}

static cs_status copy(const char *path, cs_diag *diag)
{
    FILE *file = fopen(path, "rb");
    char piece[65536];
    size_t got;
    cs_status status = CS_OK;

    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    while (status == CS_OK && (got = fread(piece, 1, sizeof piece, file)) > 0)
        if (fwrite(piece, 1, got, stdout) != got)
            status = CS_ERR_IO;
    if (fflush(stdout) != 0 || status != CS_OK)
        status =
            cs_diag_set(diag, CS_ERR_IO, "standard output", "cannot write: %s", strerror(errno));
    if (status == CS_OK && ferror(file))
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot read: %s", strerror(errno));
    fclose(file);
    return status;
}

cs_status cs_standard_end(cs_standard *s, cs_status status, cs_diag *diag)
{
    if (s->output == NULL)
        return status;
    if (status == CS_OK)
        status = copy(s->path, diag);
    cs_output_abandon(s->output);
    s->output = NULL;
    return status;
}
