// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/output.h"
#include "formats/imc/catalog/device_tree.h"

static cs_status io_error(cs_diag *diag, const char *where, const char *what)
{
    return cs_diag_set(diag, CS_ERR_IO, where, "%s: %s", what, strerror(errno));
}

static cs_status store(const char *path, const void *blob, size_t bytes, cs_diag *diag)
{
    FILE *file = fopen(path, "wb");
    const bool whole = file != NULL && fwrite(blob, 1, bytes, file) == bytes;

    if ((file != NULL && fclose(file) != 0) || !whole)
        return io_error(diag, path, "cannot write");
    return CS_OK;
}

cs_status cs_imc_device_tree_write(const cs_imc_catalog *catalog,
                                   const cs_imc_device_tree_options *options, const char *path,
                                   cs_diag *diag)
{
    cs_output *output = NULL;
    void *blob = NULL;
    size_t bytes = 0;
    cs_status status = cs_imc_device_tree_make(catalog, options, &blob, &bytes, diag);

    if (status == CS_OK)
        status = cs_output_begin(path, CS_OUTPUT_REPLACE, &output, diag);
    if (status == CS_OK)
        status = store(cs_output_path(output, CS_OUTPUT_FIRST), blob, bytes, diag);
    free(blob);
    if (status == CS_OK)
        return cs_output_commit(output, diag);
    cs_output_abandon(output);
    return status;
}
