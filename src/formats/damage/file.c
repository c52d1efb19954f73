/* Damage from file to file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/damage/damage.h"

static cs_status load(const char *path, uint8_t **bytes, size_t *size, cs_diag *diag)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1u << 16, got;
    cs_status status = CS_OK;

    *bytes = NULL;
    *size = 0;
    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    do {
        uint8_t *more = realloc(*bytes, room *= 2);

        if (more == NULL) {
            status = cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "no memory to read %zu bytes", room);
            break;
        }
        *bytes = more;
        got = fread(more + *size, 1, room - *size, file);
        *size += got;
    } while (*size == room);
    if (status == CS_OK && ferror(file))
        status = cs_diag_set(diag, CS_ERR_IO, path, "cannot read: %s", strerror(errno));
    fclose(file);
    return status;
}

static cs_status store(const char *path, const uint8_t *bytes, size_t size, cs_diag *diag)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    const bool whole = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !whole)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    return CS_OK;
}

cs_status cs_damage_file(const char *in, const char *out, const char *as, cs_damage_kind kind,
                         uint64_t seed, cs_damage_report *report, cs_diag *diag)
{
    uint8_t *bytes = NULL, *damaged = NULL;
    size_t size, damaged_size;
    cs_damage_layout layout = {0};
    cs_status status = load(in, &bytes, &size, diag);

    if (status == CS_OK)
        status = cs_damage_layout_of(as, bytes, size, &layout, diag);
    if (status == CS_OK)
        status =
            cs_damage_make(&layout, kind, seed, bytes, size, &damaged, &damaged_size, report, diag);
    if (status == CS_OK)
        status = store(out, damaged, damaged_size, diag);
    cs_damage_layout_free(&layout);
    free(damaged);
    free(bytes);
    return status;
}
