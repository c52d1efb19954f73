// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/perf/read/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/common/little.h"

#define MOST_PARTS 4096u /* one a CPU */
#define FILE_HEADER_BYTES 104u

struct cs_perfread_parts {
    cs_input list[MOST_PARTS];
    char names[MOST_PARTS][512];
    unsigned nr;
};

/* data.0, data.1, .. */
static cs_status add_parts(const char *folder, cs_perfread_parts *p, cs_perfread *reader,
                           cs_diag *diag)
{
    cs_status status = CS_OK;

    while (status == CS_OK && p->nr < MOST_PARTS) {
        cs_input *in = &p->list[p->nr];
        char *name = p->names[p->nr];
        cs_seek_source seek;

        if ((size_t)snprintf(name, sizeof p->names[0], "%s/data.%u", folder, p->nr) >=
                sizeof p->names[0] ||
            access(name, F_OK) != 0)
            break;
        p->nr++;
        status = cs_input_open(in, name, 0, UINT64_MAX, diag);
        if (status == CS_OK && !cs_input_seek_source(in, &seek))
            status = cs_diag_set(diag, CS_ERR_IO, name, "is not a regular file");
        if (status == CS_OK)
            status = cs_perfread_add_part(reader, &seek, name, diag);
    }
    return status;
}

cs_status cs_perfread_open_input(cs_input *in, cs_perfread_parts **parts, cs_perfread **out,
                                 cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_seek_source seek;
    cs_status status = CS_OK;

    *out = NULL;
    *parts = calloc(1, sizeof **parts);
    if (*parts == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory to decode");
    /* A file's header says where the rest is; perf's own for pipes does not. */
    if (in->looked >= 16 && cs_little_get64(in->look + 8) == FILE_HEADER_BYTES)
        status = cs_input_spool(in, diag);
    if (status != CS_OK)
        return status;
    status = cs_input_seek_source(in, &seek) ? cs_perfread_open(&seek, in->name, out, diag)
                                             : cs_perfread_open_pipe(&source, in->name, out, diag);

    if (status == CS_OK && in->folder != NULL)
        status = add_parts(in->folder, *parts, *out, diag);
    if (status != CS_OK) {
        cs_perfread_close(*out);
        *out = NULL;
    }
    return status;
}

void cs_perfread_close_parts(cs_perfread_parts *parts)
{
    for (unsigned i = 0; parts != NULL && i < parts->nr; i++)
        cs_input_close(&parts->list[i]);
    free(parts);
}
