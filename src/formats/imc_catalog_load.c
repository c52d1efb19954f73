#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imc_catalog_parts.h"

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

static cs_status too_large(const char *name, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, name, "expected a catalog of at most %u bytes",
                       CS_IMC_MAX_BYTES);
}

cs_status cs_imc_catalog_load_memory(const void *blob, size_t bytes, const char *name,
                                     cs_imc_catalog **out, cs_diag *diag)
{
    void *copy;

    *out = NULL;
    if (bytes > CS_IMC_MAX_BYTES)
        return too_large(name, diag);
    copy = malloc(bytes > 0 ? bytes : 1);
    if (copy == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for the catalog");
    if (bytes > 0)
        memcpy(copy, blob, bytes);
    return load_owned(copy, bytes, name, out, diag);
}

/* ---- files ---- */

/* All of a file in *bytes, which the caller frees. */
static cs_status read_open(FILE *file, const char *path, unsigned char **bytes, size_t *count,
                           cs_diag *diag)
{
    const size_t room = CS_IMC_MAX_BYTES + 1;
    unsigned char *buffer = malloc(room);
    unsigned char *fitting;

    if (buffer == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory to read a catalog");
    *count = fread(buffer, 1, room, file);
    if (ferror(file) || *count == room) {
        cs_status status =
            ferror(file) ? cs_diag_set(diag, CS_ERR_IO, path, "cannot read: %s", strerror(errno))
                         : too_large(path, diag);

        free(buffer);
        return status;
    }
    fitting = realloc(buffer, *count > 0 ? *count : 1);
    *bytes = fitting != NULL ? fitting : buffer;
    return CS_OK;
}

static cs_status read_file(const char *path, unsigned char **bytes, size_t *count, cs_diag *diag)
{
    FILE *file = fopen(path, "rb");
    cs_status status;

    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    status = read_open(file, path, bytes, count, diag);
    fclose(file);
    return status;
}

cs_status cs_imc_catalog_load(const char *path, cs_imc_catalog **out, cs_diag *diag)
{
    static const unsigned char magic[] = {0xd0, 0x0d, 0xfe, 0xed};
    unsigned char *bytes = NULL;
    size_t count = 0;
    void *blob = NULL;
    cs_status status = read_file(path, &bytes, &count, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    if (count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0)
        return load_owned(bytes, count, path, out, diag);
    /* Source is text: what has a 0 in it is a blob with a damaged head, or no catalog at all. */
    if (count == 0 || memchr(bytes, 0, count) != NULL)
        status = cs_diag_set(diag, CS_ERR_FORMAT, path,
                             "expected a device tree blob (first bytes d0 0d fe ed) or its source "
                             "(text), found %zu bytes of neither",
                             count);
    free(bytes);
    if (status == CS_OK)
        status = cs_imc_catalog_compile(path, &blob, &count, diag);
    return status == CS_OK ? load_owned(blob, count, path, out, diag) : status;
}
