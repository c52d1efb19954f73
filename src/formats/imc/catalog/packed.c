// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/catalog/packed.h"

#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imc/catalog/packed_abi.h"

#define XZ_MEMORY (128u << 20) /* a decoder may take: 65 MiB for what `xz -9` makes */
#define MOST_ENTRIES 1024u
#define SIGNED_HEADER 4096u
#define ECC_FLAG 0x8000u
#define ECC_DATA 8u /* bytes, and one after them */

static const uint8_t xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
static const uint8_t signed_magic[] = {0x17, 0x08, 0x20, 0x11};

/* A piece of the file. */
typedef struct piece {
    const uint8_t *bytes;
    size_t count;
    size_t place; /* of its first byte in the file */
    const char *name;
} piece;

static bool begins(const piece *p, const void *magic, size_t bytes)
{
    return p->count >= bytes && memcmp(p->bytes, magic, bytes) == 0;
}

static bool is_partition(const piece *p)
{
    return begins(p, IMA_MAGIC, sizeof IMA_MAGIC) || begins(p, IMA_BUILT, 4);
}

bool cs_imc_is_packed(const uint8_t *bytes, size_t count)
{
    const piece p = {.bytes = bytes, .count = count};

    return begins(&p, xz_magic, sizeof xz_magic) || begins(&p, FFS_MAGIC, 4) || is_partition(&p);
}

/* ---- xz ---- */

static const char *why_not(lzma_ret ret)
{
    switch (ret) {
    case LZMA_FORMAT_ERROR:
        return "it is no xz stream";
    case LZMA_OPTIONS_ERROR:
        return "it uses a filter or check that is not known";
    case LZMA_BUF_ERROR:
        return "it ends too soon, or what is in it is larger than a catalog may be";
    case LZMA_MEMLIMIT_ERROR:
        return "it needs more memory than a catalog may";
    default:
        return "it is damaged";
    }
}

static cs_status unpack_xz(const piece *p, void **blob, size_t *bytes, cs_diag *diag)
{
    uint64_t memory = XZ_MEMORY;
    size_t in = 0, out = 0;
    uint8_t *room = malloc(CS_IMC_MAX_BYTES);
    lzma_ret ret;

    if (room == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, p->name, "no memory for the catalog");
    ret = lzma_stream_buffer_decode(&memory, 0, NULL, p->bytes, &in, p->count, room, &out,
                                    CS_IMC_MAX_BYTES);
    if (ret != LZMA_OK) {
        free(room);
        if (ret == LZMA_MEM_ERROR)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, p->name, "no memory to unpack xz");
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name, "byte %zu: xz: %s", p->place,
                           why_not(ret));
    }
    *blob = room;
    *bytes = out;
    return CS_OK;
}

/* ---- the partition ---- */

static bool inside(const piece *p, uint64_t offset, uint64_t bytes)
{
    return offset <= p->count && bytes <= p->count - offset;
}

static cs_status no_such(const piece *p, uint32_t id, unsigned nr, cs_diag *diag)
{
    char list[160] = "";

    for (unsigned i = 0; i < nr && strlen(list) < sizeof list - 16; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s0x%06" PRIx32,
                 i != 0 ? ", " : "", word_at(p->bytes + IMA_FIRST_ROW + (size_t)IMA_ROW * i));
    if (id == CS_IMC_ANY_CATALOG)
        return cs_diag_set(diag, CS_ERR_RANGE, p->name,
                           "expected FILE@ID, as there are %u catalogs: %s", nr, list);
    return cs_diag_set(diag, CS_ERR_RANGE, p->name, "no catalog 0x%06" PRIx32 ", only %s", id,
                       list);
}

static cs_status unpack_partition(const piece *p, uint32_t id, void **blob, size_t *bytes,
                                  cs_diag *diag)
{
    unsigned nr = 0, found = 0;

    if (p->count < IMA_HEADER)
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte %zu: expected a header of %u bytes of " IMA_NAME ", found %zu",
                           p->place, IMA_HEADER, p->count);
    if (word_at(p->bytes + 4) != 1)
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte %zu: " IMA_NAME ": expected version 1, found %" PRIu32,
                           p->place + 4, word_at(p->bytes + 4));
    for (size_t at = IMA_FIRST_ROW; at + IMA_ROW <= IMA_HEADER; at += IMA_ROW, nr++) {
        if (word_at(p->bytes + at) == 0 && word_at(p->bytes + at + 4) == 0)
            break;
        if (word_at(p->bytes + at) == id)
            found = nr + 1;
    }
    if (nr == 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte %zu: " IMA_NAME ": expected a catalog, found none",
                           p->place + IMA_FIRST_ROW);
    if (found == 0 && (id != CS_IMC_ANY_CATALOG || nr > 1))
        return no_such(p, id, nr, diag);

    const size_t at = IMA_FIRST_ROW + (size_t)IMA_ROW * (found != 0 ? found - 1 : 0);
    const uint32_t offset = word_at(p->bytes + at + 4), size = word_at(p->bytes + at + 8);

    if (!inside(p, offset, size))
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte %zu: " IMA_NAME ": catalog at 0x%" PRIx32 ", 0x%" PRIx32
                           " bytes: beyond the partition, which has 0x%zx",
                           p->place + at, offset, size, p->count);
    const piece xz = {p->bytes + offset, size, p->place + offset, p->name};
    return unpack_xz(&xz, blob, bytes, diag);
}

/* A header of signatures may stand before it. */
static cs_status unpack_signed(const piece *p, uint32_t id, void **blob, size_t *bytes,
                               cs_diag *diag)
{
    piece rest = *p;

    if (begins(p, signed_magic, sizeof signed_magic) && p->count > SIGNED_HEADER) {
        rest.bytes += SIGNED_HEADER;
        rest.count -= SIGNED_HEADER;
        rest.place += SIGNED_HEADER;
    }
    return unpack_partition(&rest, id, blob, bytes, diag);
}

/* ---- the image ---- */

/* Every ninth byte is for correction; the errors that it could correct are not looked for. */
static cs_status unpack_ecc(const piece *p, uint32_t id, void **blob, size_t *bytes, cs_diag *diag)
{
    uint8_t *plain = malloc(p->count != 0 ? p->count : 1);
    piece without = {.bytes = plain, .place = p->place, .name = p->name};
    cs_status status;

    if (plain == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, p->name, "no memory for " IMA_NAME);
    for (size_t i = 0; i < p->count; i++)
        if (i % (ECC_DATA + 1) != ECC_DATA)
            plain[without.count++] = p->bytes[i];
    status = unpack_signed(&without, id, blob, bytes, diag);
    free(plain);
    return status;
}

static cs_status unpack_entry(const piece *p, const uint8_t *entry, uint32_t block, uint32_t id,
                              void **blob, size_t *bytes, cs_diag *diag)
{
    const size_t at = (size_t)(entry - p->bytes);
    const uint64_t offset = (uint64_t)word_at(entry + FFS_BASE) * block;
    const uint64_t size = (uint64_t)word_at(entry + FFS_LENGTH) * block;

    if (exclusive_or(entry, FFS_ENTRY) != 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte %zu: the checksum of the entry " IMA_NAME " is wrong", at);
    if (!inside(p, offset, size))
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte %zu: " IMA_NAME " at 0x%" PRIx64 ", 0x%" PRIx64
                           " bytes: beyond the image, which has 0x%zx",
                           at, offset, size, p->count);
    const piece partition = {p->bytes + offset, (size_t)size, (size_t)offset, p->name};
    const unsigned integrity = (unsigned)entry[FFS_INTEGRITY] << 8 | entry[FFS_INTEGRITY + 1];

    return (integrity & ECC_FLAG) != 0 ? unpack_ecc(&partition, id, blob, bytes, diag)
                                       : unpack_signed(&partition, id, blob, bytes, diag);
}

static cs_status unpack_image(const piece *p, uint32_t id, void **blob, size_t *bytes,
                              cs_diag *diag)
{
    if (p->count < FFS_HEADER || exclusive_or(p->bytes, FFS_HEADER) != 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte 0: PNOR: the header of the partition table %s",
                           p->count < FFS_HEADER ? "is not whole" : "has a wrong checksum");
    const uint32_t version = word_at(p->bytes + FFS_VERSION);
    const uint32_t entry_size = word_at(p->bytes + FFS_ENTRY_SIZE);
    const uint32_t nr = word_at(p->bytes + FFS_ENTRIES), block = word_at(p->bytes + FFS_BLOCK);

    if (version != 1 || entry_size != FFS_ENTRY)
        return cs_diag_set(
            diag, CS_ERR_FORMAT, p->name,
            "byte %d: PNOR: expected version 1 and entries of %u bytes, found version "
            "%" PRIu32 " and %" PRIu32,
            FFS_VERSION, FFS_ENTRY, version, entry_size);
    if (nr > MOST_ENTRIES || !inside(p, FFS_HEADER, (uint64_t)nr * FFS_ENTRY))
        return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                           "byte %d: PNOR: %" PRIu32 " entries are more than there can be",
                           FFS_ENTRIES, nr);
    for (uint32_t i = 0; i < nr; i++) {
        const uint8_t *entry = p->bytes + FFS_HEADER + (size_t)FFS_ENTRY * i;

        if (strncmp((const char *)entry, IMA_NAME, FFS_NAME) == 0)
            return unpack_entry(p, entry, block, id, blob, bytes, diag);
    }
    return cs_diag_set(diag, CS_ERR_FORMAT, p->name,
                       "PNOR: expected a partition " IMA_NAME ", found %" PRIu32 " others", nr);
}

cs_status cs_imc_unpack(const uint8_t *bytes, size_t count, uint32_t id, const char *name,
                        void **blob, size_t *blob_bytes, cs_diag *diag)
{
    const piece all = {bytes, count, 0, name};

    *blob = NULL;
    *blob_bytes = 0;
    if (begins(&all, xz_magic, sizeof xz_magic))
        return unpack_xz(&all, blob, blob_bytes, diag);
    if (begins(&all, FFS_MAGIC, 4))
        return unpack_image(&all, id, blob, blob_bytes, diag);
    if (!is_partition(&all) && !begins(&all, signed_magic, sizeof signed_magic))
        return cs_diag_set(diag, CS_ERR_FORMAT, name,
                           "byte 0: " IMA_NAME ": expected \"IMA\" and a zero, or \"" IMA_BUILT
                           "\"");
    return unpack_signed(&all, id, blob, blob_bytes, diag);
}
