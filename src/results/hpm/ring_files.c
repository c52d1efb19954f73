// SPDX-License-Identifier: Apache-2.0
#include "results/hpm/ring_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/hpm/harts_spec.h"
#include "scenario/scenario.h"

struct cs_ring_files {
    cs_run_folder *folder;
    FILE *files[2][CS_MAX_HARTS]; /* [1]: of guests; NULL: nothing yet */
    cs_status status;
    cs_diag diag;
};

static const char *file_name(unsigned hart, bool guest, char name[32])
{
    snprintf(name, 32, "records/%s%u.ring", guest ? "guest" : "hart", hart);
    return name;
}

cs_status cs_ring_files_create(cs_run_folder *folder, cs_ring_files **out, cs_diag *diag)
{
    cs_ring_files *f = calloc(1, sizeof *f);

    *out = f;
    if (f == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the rings' files");
    f->folder = folder;
    return CS_OK;
}

static cs_status open_file(cs_ring_files *f, unsigned hart, bool guest)
{
    cs_status status;
    char name[32];

    if (f->files[guest][hart] != NULL)
        return CS_OK;
    status = cs_run_folder_subfolder(f->folder, "records", &f->diag);
    if (status == CS_OK)
        status = cs_run_folder_open(f->folder, file_name(hart, guest, name), &f->files[guest][hart],
                                    &f->diag);
    return status;
}

static cs_status write_error(cs_ring_files *f, unsigned hart, bool guest)
{
    char name[32];

    return cs_diag_set(&f->diag, CS_ERR_IO, file_name(hart, guest, name), "cannot write: %s",
                       strerror(errno));
}

bool cs_ring_files_put(cs_ring_files *f, unsigned hart, bool guest, const void *bytes,
                       size_t length)
{
    if (f->status == CS_OK)
        f->status = open_file(f, hart, guest);
    if (f->status == CS_OK && fwrite(bytes, 1, length, f->files[guest][hart]) != length)
        f->status = write_error(f, hart, guest);
    return f->status == CS_OK;
}

static void close_file(cs_ring_files *f, unsigned hart, bool guest)
{
    FILE *file = f->files[guest][hart];
    char name[32];

    if (file == NULL)
        return;
    if (f->status == CS_OK && fflush(file) != 0)
        f->status = write_error(f, hart, guest);
    cs_status closed = cs_run_folder_close(f->folder, file_name(hart, guest, name), file,
                                           f->status == CS_OK ? &f->diag : NULL);
    f->status = f->status != CS_OK ? f->status : closed;
}

cs_status cs_ring_files_close(cs_ring_files *f, cs_diag *diag)
{
    for (unsigned i = 0; i < 2 * CS_MAX_HARTS; i++)
        close_file(f, i % CS_MAX_HARTS, i / CS_MAX_HARTS);
    const cs_status status = f->status;

    if (status != CS_OK && diag != NULL)
        *diag = f->diag;
    free(f);
    return status;
}
