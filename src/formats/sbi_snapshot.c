#include "formats/sbi_snapshot.h"

#include <stdio.h>

#include "formats/little.h"

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

cs_status cs_sbi_snapshot_read(const cs_byte_source *source, const char *name, cs_sbi_snapshot *out,
                               cs_diag *diag)
{
    uint8_t page[CS_SBI_SNAPSHOT_PAGE + 1];
    size_t got = 0;
    const cs_status status = source->read(source->ctx, page, sizeof page, &got, diag);

    *out = (cs_sbi_snapshot){0};
    if (status != CS_OK)
        return status;
    if (got > CS_SBI_SNAPSHOT_PAGE)
        return cs_diag_set(diag, CS_ERR_FORMAT, name,
                           "byte %u: there is more than a snapshot page of %u bytes",
                           CS_SBI_SNAPSHOT_PAGE, CS_SBI_SNAPSHOT_PAGE);
    if (got < CS_SBI_SNAPSHOT_PAGE)
        return cs_diag_set(diag, CS_ERR_FORMAT, name,
                           "byte %zu: the data end within a snapshot page of %u bytes", got,
                           CS_SBI_SNAPSHOT_PAGE);
    cs_sbi_snapshot_decode(page, out);
    return CS_OK;
}

enum { SLOT, OFFSET, VALUE, HEX, OVERFLOWED, NR_CELLS };

static const cs_table_column columns[NR_CELLS] = {
    [SLOT] = {"slot", CS_CELL_NUMBER, 0, 4},
    [OFFSET] = {"offset", CS_CELL_HEX, 3, 6},
    [VALUE] = {"value", CS_CELL_NUMBER, 0, 20},
    [HEX] = {"hex", CS_CELL_HEX, 16, 18},
    [OVERFLOWED] = {"overflowed", CS_CELL_NUMBER, 0, 0},
};

cs_status cs_sbi_snapshot_print(const cs_sbi_snapshot *snapshot, const char *name,
                                cs_table_format format, const cs_text_sink *sink, cs_diag *diag)
{
    cs_table table;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, NR_CELLS);
    for (unsigned i = 0; i < CS_SBI_SNAPSHOT_COUNTERS; i++) {
        const uint64_t value = snapshot->values[i];
        const uint64_t mark = snapshot->overflowed >> i & 1;
        cs_table_cell cells[NR_CELLS];

        cells[SLOT].number = i;
        cells[OFFSET].number = VALUES + 8 * i;
        cells[VALUE].number = value;
        cells[HEX].number = value;
        cells[OVERFLOWED].number = mark;
        if (format != CS_TABLE_TEXT || value != 0 || mark != 0)
            cs_table_row(&table, cells);
    }
    cs_table_end(&table);
    if (table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    if (snapshot->reserved_set != 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, name,
                           "byte 0x%x: reserved bytes are not zero (%u of them, this the first)",
                           snapshot->reserved_first, snapshot->reserved_set);
    return CS_OK;
}
