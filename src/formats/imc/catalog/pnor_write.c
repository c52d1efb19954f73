// SPDX-License-Identifier: Apache-2.0
/* A PNOR image that holds a catalog and nothing else. */
#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/output.h"
#include "formats/imc/catalog/packed.h"
#include "formats/imc/catalog/packed_abi.h"
#include "formats/imc/catalog/parts.h"

#define IMAGE_BYTES (128u << 20) /* QEMU's flash of a powernv machine */
#define BLOCK 4096u
#define PLACE 0x100000u /* of the partition */
#define TOP UINT32_MAX  /* no parent */

enum type { DATA = 1, TABLE = 3 };

static void put_entry(uint8_t *entry, const char *name, uint32_t id, enum type type, uint32_t base,
                      uint32_t blocks)
{
    memset(entry, 0, FFS_ENTRY);
    memcpy(entry, name, strlen(name));
    put_word(entry + FFS_BASE, base);
    put_word(entry + FFS_LENGTH, blocks);
    put_word(entry + FFS_PARENT, TOP);
    put_word(entry + FFS_ID, id);
    put_word(entry + FFS_TYPE, type);
    put_word(entry + FFS_ACTUAL, blocks * BLOCK);
    put_word(entry + FFS_ENTRY_CHECKSUM, exclusive_or(entry, FFS_ENTRY_CHECKSUM));
}

static void put_table(uint8_t table[BLOCK], uint32_t partition_blocks)
{
    memset(table, 0, BLOCK);
    memcpy(table, FFS_MAGIC, 4);
    put_word(table + FFS_VERSION, 1);
    put_word(table + FFS_SIZE, 1);
    put_word(table + FFS_ENTRY_SIZE, FFS_ENTRY);
    put_word(table + FFS_ENTRIES, 2);
    put_word(table + FFS_BLOCK, BLOCK);
    put_word(table + FFS_BLOCKS, IMAGE_BYTES / BLOCK);
    put_word(table + FFS_CHECKSUM, exclusive_or(table, FFS_CHECKSUM));
    put_entry(table + FFS_HEADER, "part", 1, TABLE, 0, 1);
    put_entry(table + FFS_HEADER + FFS_ENTRY, IMA_NAME, 2, DATA, PLACE / BLOCK, partition_blocks);
}

/* The partition: its header, and the catalog packed as skiboot can unpack it (CRC32). */
static cs_status make_partition(const cs_imc_catalog *catalog, uint32_t id, uint8_t **out,
                                size_t *count, cs_diag *diag)
{
    const size_t room = IMA_HEADER + lzma_stream_buffer_bound(catalog->bytes) + BLOCK;
    uint8_t *bytes = calloc(1, room);
    size_t end = IMA_HEADER;

    if (bytes == NULL ||
        lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC32, NULL, catalog->blob,
                                catalog->bytes, bytes, &end, room) != LZMA_OK) {
        free(bytes);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, catalog->name, "no memory to pack it");
    }
    memcpy(bytes, IMA_MAGIC, sizeof IMA_MAGIC);
    put_word(bytes + 4, 1);
    put_word(bytes + IMA_FIRST_ROW, id);
    put_word(bytes + IMA_FIRST_ROW + 4, IMA_HEADER);
    put_word(bytes + IMA_FIRST_ROW + 8, (uint32_t)(end - IMA_HEADER));
    *out = bytes;
    *count = (end + BLOCK - 1) / BLOCK * BLOCK;
    return CS_OK;
}

/* What is not written is zero, and takes no room on most disks. */
static bool store(FILE *file, const uint8_t table[BLOCK], const uint8_t *partition, size_t count)
{
    return fwrite(table, 1, BLOCK, file) == BLOCK && fseek(file, PLACE, SEEK_SET) == 0 &&
           fwrite(partition, 1, count, file) == count &&
           fseek(file, IMAGE_BYTES - 1, SEEK_SET) == 0 && fputc(0, file) == 0;
}

static cs_status store_as(const char *path, const uint8_t *partition, size_t count, cs_diag *diag)
{
    uint8_t table[BLOCK];
    FILE *file = fopen(path, "wb");
    bool good;

    put_table(table, (uint32_t)(count / BLOCK));
    good = file != NULL && store(file, table, partition, count);
    if (file != NULL && fclose(file) != 0)
        good = false;
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
}

cs_status cs_imc_pnor_write(const cs_imc_catalog *catalog, uint32_t id, const char *path,
                            cs_diag *diag)
{
    cs_output *output = NULL;
    uint8_t *partition = NULL;
    size_t count = 0;
    cs_status status = make_partition(catalog, id, &partition, &count, diag);

    if (status == CS_OK)
        status = cs_output_begin(path, CS_OUTPUT_REPLACE, &output, diag);
    if (status == CS_OK)
        status = store_as(cs_output_path(output, CS_OUTPUT_FIRST), partition, count, diag);
    free(partition);
    if (status == CS_OK)
        return cs_output_commit(output, diag);
    cs_output_abandon(output);
    return status;
}
