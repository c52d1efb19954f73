// SPDX-License-Identifier: Apache-2.0
/* Tables of samples or of counts, as CSV and as JSON. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/table/read/table.h"

static cs_status print_table(const cs_format_print *print, cs_input *in, cs_table_format format,
                             const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_tableread *table = NULL;
    cs_status status = cs_tableread_open(&source, in->name, format, &table, diag);

    if (status == CS_OK)
        status = cs_tableread_print(table, print->table, sink, diag);
    cs_tableread_close(table);
    return status;
}

static cs_status print_csv(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                           cs_diag *diag)
{
    return print_table(print, in, CS_TABLE_CSV, sink, diag);
}

static cs_status print_json(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                            cs_diag *diag)
{
    return print_table(print, in, CS_TABLE_JSON, sink, diag);
}

const cs_format cs_format_csv = {
    .name = "csv",
    .about = "a table of samples or of counts, as CSV",
    .looks_so = cs_tableread_is_csv,
    .print = print_csv,
    .find = cs_damage_add_lines,
};
const cs_format cs_format_json = {
    .name = "json",
    .about = "the same, as a JSON array of objects",
    .looks_so = cs_tableread_is_json,
    .print = print_json,
    .find = cs_damage_add_lines,
};
