// SPDX-License-Identifier: Apache-2.0
/* The format `script`: samples as the text of `perf script`. */
#include "formats/format.h"

#include <string.h>

#include "formats/damage/finder.h"
#include "formats/script/abi/script.h"
#include "formats/script/read/script.h"

static const cs_table_column columns[] = {
    {"time_ns", CS_CELL_NUMBER, 0, 14}, {"cpu", CS_CELL_NUMBER, 0, 4},
    {"pid", CS_CELL_NUMBER, 0, 8},      {"ip", CS_CELL_HEX, 1, 18},
    {"period", CS_CELL_NUMBER, 0, 8},   {"event", CS_CELL_NAME, 0, 0},
};

static bool looks_so(const uint8_t *look, size_t bytes)
{
    return bytes >= strlen(CS_SCRIPT_TITLE) &&
           memcmp(look, CS_SCRIPT_TITLE, strlen(CS_SCRIPT_TITLE)) == 0;
}

static cs_status print_samples(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                               cs_diag *diag)
{
    cs_script s = {.source = cs_input_source(in), .name = in->name};
    cs_table table;
    cs_status status;
    bool any;

    cs_table_begin(&table, print->table, sink);
    cs_table_columns(&table, columns, sizeof columns / sizeof columns[0]);
    while ((status = cs_script_next(&s, &any, diag)) == CS_OK && any) {
        const cs_table_cell cells[] = {{.number = s.time_ns}, {.number = s.cpu},
                                       {.number = s.pid},     {.number = s.ip},
                                       {.number = s.period},  {.name = s.event}};
        cs_table_row(&table, cells);
    }
    cs_table_end(&table);
    if (status == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return status;
}

const cs_format cs_format_script = {
    .name = "script",
    .about = "samples as the text of `perf script`",
    .looks_so = looks_so,
    .print = print_samples,
    .find = cs_damage_add_lines,
};
