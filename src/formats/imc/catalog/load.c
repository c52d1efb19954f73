#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/device_tree_file.h"
#include "formats/imc/catalog/parts.h"

/* Takes `blob` over, also when it fails. */
static cs_status load_owned(void *blob, size_t bytes, const char *name, cs_imc_catalog **out,
                            cs_diag *diag)
{
    cs_imc_catalog *catalog = calloc(1, sizeof *catalog);
    cs_status status;

    if (catalog == NULL) {
        free(blob);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for the catalog");
    }
    snprintf(catalog->name, sizeof catalog->name, "%s", name != NULL ? name : "");
    catalog->blob = blob;
    catalog->bytes = bytes;
    status = cs_imc_catalog_parse(catalog, diag);
    if (status != CS_OK) {
        cs_imc_catalog_destroy(catalog);
        return status;
    }
    *out = catalog;
    return CS_OK;
}

static const cs_device_tree_limits limits = {"a catalog", CS_IMC_MAX_BYTES};

cs_status cs_imc_catalog_load_memory(const void *blob, size_t bytes, const char *name,
                                     cs_imc_catalog **out, cs_diag *diag)
{
    void *copy;

    *out = NULL;
    if (bytes > CS_IMC_MAX_BYTES)
        return cs_device_tree_too_large(name, &limits, diag);
    copy = malloc(bytes > 0 ? bytes : 1);
    if (copy == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for the catalog");
    if (bytes > 0)
        memcpy(copy, blob, bytes);
    return load_owned(copy, bytes, name, out, diag);
}

cs_status cs_imc_catalog_load(const char *path, cs_imc_catalog **out, cs_diag *diag)
{
    void *blob;
    size_t bytes;
    cs_status status = cs_device_tree_read(path, &limits, &blob, &bytes, diag);

    *out = NULL;
    return status == CS_OK ? load_owned(blob, bytes, path, out, diag) : status;
}
