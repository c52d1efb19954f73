// SPDX-License-Identifier: Apache-2.0
#include "formats/common/gzip_read.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define CHUNK 65536u

typedef struct growing {
    uint8_t *bytes;
    size_t used, room;
} growing;

static cs_status grow(growing *g, size_t more, const char *name, cs_diag *diag)
{
    if (g->used <= CS_GZIP_MOST_BYTES && g->used + more <= g->room)
        return CS_OK;
    if (g->used > CS_GZIP_MOST_BYTES)
        return cs_diag_set(diag, CS_ERR_FORMAT, name, "found more than %llu bytes, unpacked",
                           (unsigned long long)CS_GZIP_MOST_BYTES);
    const size_t twice = 2 * (g->used + more), most = CS_GZIP_MOST_BYTES + 2 * more;
    const size_t room = twice < most ? twice : most;
    uint8_t *bytes = realloc(g->bytes, room);

    if (bytes == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for the file");
    g->bytes = bytes;
    g->room = room;
    return CS_OK;
}

static cs_status read_all(const cs_byte_source *source, growing *g, const char *name, cs_diag *diag)
{
    size_t got = 1;
    cs_status status = CS_OK;

    while (status == CS_OK && got != 0) {
        status = grow(g, CHUNK, name, diag);
        if (status == CS_OK)
            status = source->read(source->ctx, g->bytes + g->used, CHUNK, &got, diag);
        g->used += status == CS_OK ? got : 0;
    }
    return status;
}

/* One member, or several one behind the other. */
static cs_status unpack(const growing *packed, growing *out, const char *name, cs_diag *diag)
{
    enum { GZIP = 16 + MAX_WBITS };
    static const z_stream fresh;
    z_stream stream = fresh;
    size_t at = 0;
    int step = Z_OK;
    cs_status status = CS_OK;

    if (inflateInit2(&stream, GZIP) != Z_OK)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for the file");
    while (status == CS_OK) {
        status = grow(out, CHUNK, name, diag);
        if (status != CS_OK)
            break;
        const size_t some = packed->used - at < CHUNK ? packed->used - at : CHUNK;

        stream.next_in = packed->bytes + at;
        stream.avail_in = (uInt)some;
        stream.next_out = out->bytes + out->used;
        stream.avail_out = CHUNK;
        step = inflate(&stream, Z_NO_FLUSH);
        at += some - stream.avail_in;
        out->used += CHUNK - stream.avail_out;
        if (step == Z_STREAM_END) {
            if (at == packed->used)
                break;
            if (inflateReset(&stream) != Z_OK)
                step = Z_MEM_ERROR;
        }
        if (step != Z_OK && step != Z_STREAM_END)
            status = cs_diag_set(diag, step == Z_MEM_ERROR ? CS_ERR_NO_MEMORY : CS_ERR_FORMAT, name,
                                 "byte 0x%zx: %s, expected what gzip has packed", at,
                                 at == packed->used   ? "the file ends"
                                 : stream.msg != NULL ? stream.msg
                                                      : "damage");
    }
    inflateEnd(&stream);
    return status;
}

cs_status cs_gzip_read(const cs_byte_source *source, const char *name, uint8_t **out, size_t *bytes,
                       cs_diag *diag)
{
    growing packed = {0}, plain = {0};
    cs_status status = read_all(source, &packed, name, diag);

    *out = NULL;
    *bytes = 0;
    if (status == CS_OK && packed.used >= 2 && packed.bytes[0] == 0x1f && packed.bytes[1] == 0x8b) {
        status = unpack(&packed, &plain, name, diag);
        free(packed.bytes);
    } else {
        plain = packed;
    }
    if (status != CS_OK) {
        free(plain.bytes);
        return status;
    }
    *out = plain.bytes;
    *bytes = plain.used;
    return CS_OK;
}
