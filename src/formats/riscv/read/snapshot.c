// SPDX-License-Identifier: Apache-2.0
#include "formats/riscv/read/snapshot.h"

#include <inttypes.h>
#include <stdio.h>

#include "formats/common/little.h"

#define VALUES 8u /* offset */

void cs_sbi_snapshot_decode(const uint8_t page[CS_SBI_SNAPSHOT_PAGE], cs_sbi_snapshot *out)
{
    *out = (cs_sbi_snapshot){.overflowed = cs_little_get64(page)};
    for (unsigned i = 0; i < CS_SBI_SNAPSHOT_COUNTERS; i++)
        out->values[i] = cs_little_get64(page + VALUES + (size_t)8 * i);
    for (unsigned at = CS_SBI_SNAPSHOT_RESERVED; at < CS_SBI_SNAPSHOT_PAGE; at++) {
        if (page[at] == 0)
            continue;
        if (out->reserved_set++ == 0)
            out->reserved_first = at;
    }
}

cs_status cs_sbi_snapshot_next(const cs_byte_source *source, const char *name, uint64_t first,
                               cs_sbi_snapshot *out, bool *there, cs_diag *diag)
{
    uint8_t page[CS_SBI_SNAPSHOT_PAGE];
    size_t got = 0;
    const cs_status status = source->read(source->ctx, page, sizeof page, &got, diag);

    *out = (cs_sbi_snapshot){0};
    *there = status == CS_OK && got == sizeof page;
    if (*there)
        cs_sbi_snapshot_decode(page, out);
    if (status != CS_OK || *there || got == 0)
        return status;
    return cs_diag_set(diag, CS_ERR_FORMAT, name,
                       "byte 0x%" PRIx64
                       ": the data end within a snapshot page, expected %u bytes from 0x%" PRIx64
                       " on, found %zu",
                       first + got, CS_SBI_SNAPSHOT_PAGE, first, got);
}

/* ---- as a table ---- */

#define LINE_BYTES 128

enum { PAGE, SLOT, OFFSET, VALUE, HEX, OVERFLOWED, NR_CELLS };

static const cs_table_column columns[NR_CELLS] = {
    [PAGE] = {"page", CS_CELL_NUMBER, 0, 4},  [SLOT] = {"slot", CS_CELL_NUMBER, 0, 4},
    [OFFSET] = {"offset", CS_CELL_HEX, 6, 8}, [VALUE] = {"value", CS_CELL_NUMBER, 0, 20},
    [HEX] = {"hex", CS_CELL_HEX, 16, 18},     [OVERFLOWED] = {"overflowed", CS_CELL_NUMBER, 0, 0},
};

typedef struct totals {
    uint64_t pages;
    uint64_t values; /* not zero */
    uint64_t marks;
} totals;

static void print_page(cs_table *table, const cs_sbi_snapshot *snapshot, totals *totals)
{
    for (unsigned i = 0; i < CS_SBI_SNAPSHOT_COUNTERS; i++) {
        const uint64_t value = snapshot->values[i];
        const uint64_t mark = snapshot->overflowed >> i & 1;
        cs_table_cell cells[NR_CELLS];

        cells[PAGE].number = totals->pages;
        cells[SLOT].number = i;
        cells[OFFSET].number = totals->pages * CS_SBI_SNAPSHOT_PAGE + VALUES + 8 * (uint64_t)i;
        cells[VALUE].number = value;
        cells[HEX].number = value;
        cells[OVERFLOWED].number = mark;
        if (table->format != CS_TABLE_TEXT || value != 0 || mark != 0)
            cs_table_row(table, cells);
        totals->values += value != 0;
        totals->marks += mark;
    }
    totals->pages++;
}

static void summary(cs_table *table, const totals *totals)
{
    char text[LINE_BYTES];
    const int length = snprintf(text, sizeof text,
                                "\npages      %6" PRIu64 "\nvalues     %6" PRIu64
                                "  that are not zero\noverflowed %6" PRIu64 "\n",
                                totals->pages, totals->values, totals->marks);

    if (length > 0 && table->status == CS_OK)
        table->status = table->sink.write(table->sink.ctx, text, (size_t)length);
}

static cs_status check_reserved(const cs_sbi_snapshot *snapshot, uint64_t first, const char *name,
                                cs_diag *diag)
{
    if (snapshot->reserved_set == 0)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_FORMAT, name,
                       "byte 0x%" PRIx64 ": reserved bytes are not zero (%u of them, this the "
                       "first)",
                       first + snapshot->reserved_first, snapshot->reserved_set);
}

static cs_status print_pages(cs_table *table, const cs_byte_source *source, const char *name,
                             totals *totals, cs_diag *diag)
{
    for (;;) {
        const uint64_t first = totals->pages * CS_SBI_SNAPSHOT_PAGE;
        cs_sbi_snapshot snapshot;
        bool there;
        cs_status status = cs_sbi_snapshot_next(source, name, first, &snapshot, &there, diag);

        if (status == CS_OK && !there && first == 0)
            return cs_diag_set(diag, CS_ERR_FORMAT, name,
                               "byte 0x0: there are no data, expected snapshot pages of %u bytes",
                               CS_SBI_SNAPSHOT_PAGE);
        if (status != CS_OK || !there)
            return status;
        print_page(table, &snapshot, totals);
        status = check_reserved(&snapshot, first, name, diag);
        if (status != CS_OK || table->status != CS_OK)
            return status;
    }
}

cs_status cs_sbi_snapshot_print(const cs_byte_source *source, const char *name,
                                cs_table_format format, const cs_text_sink *sink, cs_diag *diag)
{
    totals totals = {0};
    cs_table table;
    cs_status read;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, NR_CELLS);
    read = print_pages(&table, source, name, &totals, diag);
    if (format == CS_TABLE_TEXT)
        summary(&table, &totals);
    cs_table_end(&table);
    if (read == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return read;
}
