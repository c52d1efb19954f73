// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/common/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many as there are, and as the user wants to see. */
static size_t take(cs_input *in, uint8_t *out, size_t bytes)
{
    const size_t got = fread(out, 1, bytes < in->left ? bytes : (size_t)in->left, in->file);

    in->left -= got;
    return got;
}

static cs_status check_read(const cs_input *in, cs_diag *diag)
{
    if (ferror(in->file))
        return cs_diag_set(diag, CS_ERR_IO, in->name, "cannot read: %s", strerror(errno));
    return CS_OK;
}

/* A pipe cannot be sought in. */
static cs_status skip(cs_input *in, uint64_t bytes, cs_diag *diag)
{
    uint8_t piece[4096];

    for (uint64_t done = 0; done < bytes;) {
        const uint64_t rest = bytes - done;
        const size_t got =
            fread(piece, 1, rest < sizeof piece ? (size_t)rest : sizeof piece, in->file);

        if (got == 0)
            return ferror(in->file)
                       ? check_read(in, diag)
                       : cs_diag_set(diag, CS_ERR_FORMAT, in->name,
                                     "ends at byte 0x%llx, before --offset 0x%llx",
                                     (unsigned long long)done, (unsigned long long)bytes);
        done += got;
    }
    return CS_OK;
}

static cs_status read_file(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    cs_input *in = ctx;
    size_t ahead = in->looked - in->given;

    if (ahead > bytes)
        ahead = bytes;
    memcpy(out, in->look + in->given, ahead);
    in->given += ahead;
    *got = ahead + take(in, out + ahead, bytes - ahead);
    return check_read(in, diag);
}

cs_byte_source cs_input_source(cs_input *in)
{
    return (cs_byte_source){read_file, in};
}

static cs_status read_at(void *ctx, uint64_t offset, uint8_t *out, size_t bytes, size_t *got,
                         cs_diag *diag)
{
    cs_input *in = ctx;
    ssize_t read = 0;

    *got = 0;
    if (offset <= INT64_MAX - in->offset)
        do
            read = pread(fileno(in->file), out, bytes, (off_t)(in->offset + offset));
        while (read < 0 && errno == EINTR);
    if (read < 0)
        return cs_diag_set(diag, CS_ERR_IO, in->name, "cannot read: %s", strerror(errno));
    *got = (size_t)read;
    return CS_OK;
}

bool cs_input_seek_source(cs_input *in, cs_seek_source *source)
{
    struct stat status;

    if (fstat(fileno(in->file), &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    const uint64_t there =
        (uint64_t)status.st_size > in->offset ? (uint64_t)status.st_size - in->offset : 0;
    const uint64_t wanted = in->left + in->looked; /* --length, before it was looked ahead */
    *source = (cs_seek_source){read_at, in, there};
    if (wanted >= in->left && wanted < there)
        source->bytes = wanted;
    return true;
}

/* A folder with a file `data` is perf's, if anybody's. */
static bool is_folder(const char *path, char *data, size_t bytes)
{
    struct stat status;

    return (size_t)snprintf(data, bytes, "%s/data", path) < bytes && stat(path, &status) == 0 &&
           S_ISDIR(status.st_mode) && stat(data, &status) == 0;
}

cs_status cs_input_open(cs_input *in, const char *path, uint64_t offset, uint64_t length,
                        cs_diag *diag)
{
    char data[4096];
    const bool folder = is_folder(path, data, sizeof data);

    const bool standard_input = strcmp(path, "-") == 0;

    *in = (cs_input){.file = standard_input ? fopen("/dev/stdin", "rb")
                                            : fopen(folder ? data : path, "rb"),
                     .name = path,
                     .folder = folder ? path : NULL,
                     .offset = offset,
                     .left = length};
    if (in->file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    cs_status status = skip(in, offset, diag);
    if (status == CS_OK) {
        in->looked = take(in, in->look, sizeof in->look);
        status = check_read(in, diag);
    }
    return status;
}

void cs_input_close(cs_input *in)
{
    if (in->file != NULL)
        fclose(in->file);
}

static cs_status copy(const cs_input *in, FILE *out, cs_diag *diag)
{
    uint8_t piece[65536];
    size_t got;
    bool good = fwrite(in->look, 1, in->looked, out) == in->looked;

    while (good && (got = fread(piece, 1, sizeof piece, in->file)) > 0)
        good = fwrite(piece, 1, got, out) == got;
    if (ferror(in->file))
        return check_read(in, diag);
    /* the file as a whole, then behind what was looked at */
    if (!good || fflush(out) != 0 || fseeko(out, (off_t)in->looked, SEEK_SET) != 0)
        return cs_diag_set(diag, CS_ERR_IO, in->name, "cannot be kept in a temporary file: %s",
                           strerror(errno));
    return CS_OK;
}

cs_status cs_input_spool(cs_input *in, cs_diag *diag)
{
    cs_seek_source source;

    if (cs_input_seek_source(in, &source))
        return CS_OK;
    FILE *file = tmpfile();
    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, in->name, "no temporary file: %s", strerror(errno));
    const cs_status status = copy(in, file, diag);
    if (status != CS_OK) {
        fclose(file);
        return status;
    }
    if (strcmp(in->name, "-") == 0)
        dup2(fileno(file), STDIN_FILENO);
    fclose(in->file);
    in->file = file;
    in->offset = 0; /* it was passed over */
    return CS_OK;
}
