// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "formats/common/device_tree_file.h"
#include "formats/imc/catalog/packed.h"
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
    snprintf(catalog->name, sizeof catalog->name, "%.*s", (int)sizeof catalog->name - 1,
             name != NULL ? name : ""); /* for messages: what is too long is cut */
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

static cs_status load_packed(const uint8_t *bytes, size_t count, uint32_t id, const char *name,
                             cs_imc_catalog **out, cs_diag *diag)
{
    void *blob;
    size_t blob_bytes;
    const cs_status status = cs_imc_unpack(bytes, count, id, name, &blob, &blob_bytes, diag);

    return status == CS_OK ? load_owned(blob, blob_bytes, name, out, diag) : status;
}

/* ---- files ---- */

static bool looks_packed(const char *path)
{
    uint8_t head[CS_IMC_PACKED_MAGIC];
    FILE *file = cs_device_tree_is_pipe(path) ? NULL : fopen(path, "rb");
    const size_t count = file != NULL ? fread(head, 1, sizeof head, file) : 0;

    if (file != NULL)
        fclose(file);
    return cs_imc_is_packed(head, count);
}

static cs_status load_packed_file(const char *path, uint32_t id, cs_imc_catalog **out,
                                  cs_diag *diag)
{
    static const cs_device_tree_limits image = {"an image", CS_IMC_PACKED_MOST};
    void *bytes;
    size_t count;
    cs_status status = cs_device_tree_read_bytes(path, &image, &bytes, &count, diag);

    if (status != CS_OK)
        return status;
    status = load_packed(bytes, count, id, path, out, diag);
    free(bytes);
    return status;
}

/* "FILE@ID": the file, and its number; false where there is no number, or such a file is there. */
static bool take_id(const char *path, char *file, size_t room, uint32_t *id)
{
    const char *at = strrchr(path, '@');
    uint64_t number;

    if (access(path, F_OK) == 0 || at == NULL || (size_t)(at - path) >= room ||
        !cs_number_of(at + 1, UINT32_MAX, &number) || number == CS_IMC_ANY_CATALOG)
        return false;
    snprintf(file, room, "%.*s", (int)(at - path), path);
    *id = (uint32_t)number;
    return looks_packed(file);
}

static const cs_device_tree_limits limits = {"a catalog", CS_IMC_MAX_BYTES};

cs_status cs_imc_catalog_load_memory(const void *blob, size_t bytes, const char *name,
                                     cs_imc_catalog **out, cs_diag *diag)
{
    void *copy;

    *out = NULL;
    if (cs_imc_is_packed(blob, bytes))
        return load_packed(blob, bytes, CS_IMC_ANY_CATALOG, name, out, diag);
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
    char file[4096];
    void *blob;
    size_t bytes;
    uint32_t id;
    cs_status status;

    *out = NULL;
    if (looks_packed(path))
        return load_packed_file(path, CS_IMC_ANY_CATALOG, out, diag);
    if (take_id(path, file, sizeof file, &id))
        return load_packed_file(file, id, out, diag);
    status = cs_device_tree_read(path, &limits, &blob, &bytes, diag);
    return status == CS_OK ? load_owned(blob, bytes, path, out, diag) : status;
}
