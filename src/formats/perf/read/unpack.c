// SPDX-License-Identifier: Apache-2.0
/* Compressed records (perf record -z): each has the next piece of one zstd stream, whose bytes are records
 * again, cut anywhere. They are unpacked as they are asked for: so memory is bounded by zstd's own window,
 * whatever the stream holds. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "formats/perf/read/impl.h"

struct cs_perfread_unpack {
    ZSTD_DStream *stream;
    ZSTD_inBuffer piece;  /* of the compressed record, in the window of the file */
    const char *name;     /* of the file */
    uint64_t offset;      /* of the compressed record */
    cs_perfread_input in; /* what has been unpacked */
};

/* Fits cs_byte_source.read: *got is less than `bytes` when the piece is used up. */
static cs_status unpack(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    cs_perfread_unpack *u = ctx;
    ZSTD_outBuffer to = {out, bytes, 0};

    *got = 0;
    while (to.pos < to.size) {
        const size_t before = to.pos;
        const size_t result = ZSTD_decompressStream(u->stream, &to, &u->piece);

        if (ZSTD_isError(result))
            return cs_diag_set(diag, CS_ERR_FORMAT, u->name,
                               "byte %" PRIu64 ": COMPRESSED: what zstd cannot unpack: %s",
                               u->offset, ZSTD_getErrorName(result));
        if (u->piece.pos == u->piece.size && to.pos == before)
            break;
    }
    *got = to.pos;
    return CS_OK;
}

cs_status cs_perfread_unpack_piece(cs_perfread *reader, const cs_perfread_blob *piece,
                                   uint64_t offset, cs_diag *diag)
{
    cs_perfread_unpack *u = reader->unpack;

    if (u == NULL) {
        u = reader->unpack = calloc(1, sizeof *u);
        if (u != NULL) {
            u->stream = ZSTD_createDStream();
            u->in.window = malloc(CS_PERFREAD_WINDOW_BYTES);
            u->in.end = UINT64_MAX;
            u->in.stream = (cs_byte_source){unpack, u};
            u->name = reader->name;
        }
        if (u == NULL || u->stream == NULL || u->in.window == NULL)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, reader->name, "no memory to unpack records");
    }
    u->piece = (ZSTD_inBuffer){piece->bytes, piece->count, 0};
    u->offset = offset;
    return CS_OK;
}

cs_perfread_input *cs_perfread_unpacked(cs_perfread_unpack *u, uint64_t *offset)
{
    *offset = u->offset;
    return &u->in;
}

void cs_perfread_unpack_free(cs_perfread_unpack *u)
{
    if (u == NULL)
        return;
    ZSTD_freeDStream(u->stream);
    free(u->in.window);
    free(u);
}
