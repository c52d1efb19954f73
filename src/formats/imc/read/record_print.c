// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/read/record_print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/bus/msb0.h"
#include "formats/imc/abi/fields.h"

#define ADDRESS_DIGITS 16u
#define ADDRESS_WIDTH 18u
#define COUNT_WIDTH 10u
#define MODE_WIDTH 12u
#define LINE_BYTES 160

enum { INDEX, BUFFER, TB1, IP, MODE, LPID, PID, CPMC, VAL = CPMC + 4, TB2, ITSELF, SCAN, NR_CELLS };

static const cs_table_column columns[NR_CELLS] = {
    [INDEX] = {"record", CS_CELL_NUMBER, 0, 8},
    [BUFFER] = {"buffer", CS_CELL_NUMBER, 0, 0},
    [TB1] = {"timebase", CS_CELL_NUMBER, 0, 16},
    [IP] = {"ip", CS_CELL_HEX, ADDRESS_DIGITS, ADDRESS_WIDTH},
    [MODE] = {"mode", CS_CELL_NAME, 0, MODE_WIDTH},
    [LPID] = {"lpid", CS_CELL_NUMBER, 0, 4},
    [PID] = {"pid", CS_CELL_NUMBER, 0, COUNT_WIDTH},
    [CPMC + 0] = {"cpmc1", CS_CELL_NUMBER, 0, COUNT_WIDTH},
    [CPMC + 1] = {"cpmc2", CS_CELL_NUMBER, 0, COUNT_WIDTH},
    [CPMC + 2] = {"cpmc3", CS_CELL_NUMBER, 0, COUNT_WIDTH},
    [CPMC + 3] = {"cpmc4", CS_CELL_NUMBER, 0, COUNT_WIDTH},
    [VAL] = {"val", CS_CELL_HEX, ADDRESS_DIGITS, ADDRESS_WIDTH},
    [TB2] = {"tb2", CS_CELL_NUMBER, 0, 13},
    [ITSELF] = {"itself", CS_CELL_NAME, 0, 30},
    [SCAN] = {"driver", CS_CELL_NAME, 0, 0},
};

static cs_status print_record(cs_table *table, const cs_imc_trace_record *record, bool power10)
{
    char cut[2][CS_IMC_VERDICT_BYTES];
    cs_table_cell cells[NR_CELLS];

    cells[INDEX].number = record->index;
    cells[BUFFER].number = record->buffer;
    cells[TB1].number = record->tb1;
    cells[IP].number = record->ip;
    cells[MODE].name = record->itself == CS_IMC_EMPTY || record->itself == CS_IMC_CUT
                           ? NULL
                           : cs_imc_mode_name(cs_imc_trace_mode(record, power10));
    cells[LPID].number = cs_msb0(record->val, CS_IMC_VAL_LPID);
    cells[PID].number = cs_msb0(record->val, CS_IMC_VAL_PID);
    for (unsigned i = 0; i < CS_IMC_TRACE_COUNTERS; i++)
        cells[CPMC + i].number = record->cpmc[i];
    cells[VAL].number = record->val;
    cells[TB2].number = record->tb2;
    cells[ITSELF].name = cs_imc_verdict_of(record, record->itself, cut[0]);
    cells[SCAN].name = record->scan == CS_IMC_VALID
                           ? "delivered"
                           : cs_imc_verdict_of(record, record->scan, cut[1]);
    return cs_table_row(table, cells);
}

/* ---- text: what it amounts to ---- */

__attribute__((format(printf, 2, 3))) static void line(cs_table *table, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0 && table->status == CS_OK)
        table->status = table->sink.write(table->sink.ctx, text, (size_t)length);
}

static void summary(cs_table *table, const cs_imc_trace_totals *totals)
{
    const uint64_t delivered = totals->by_scan[CS_IMC_VALID];

    line(table, "\nrecords   %6" PRIu64 " in %" PRIu64 " buffer%s\n", totals->records,
         totals->buffers, totals->buffers == 1 ? "" : "s");
    line(table, "delivered %6" PRIu64 "\n", delivered);
    line(table, "rejected  %6" PRIu64 "\n", totals->records - delivered);
    for (unsigned i = CS_IMC_VALID + 1; i < CS_IMC_NR_VERDICTS; i++)
        if (totals->by_scan[i] > 0)
            line(table, "          %6" PRIu64 "  %s\n", totals->by_scan[i],
                 cs_imc_verdict_text((cs_imc_verdict)i));
    line(table, "lost      %6" PRIu64 "  valid by themselves, but not delivered\n", totals->lost);
    line(table, "empty     %6" PRIu64 "  never written, not listed\n",
         totals->by_itself[CS_IMC_EMPTY]);
}

cs_status cs_imc_trace_print(cs_imc_trace *trace, cs_table_format format, bool power10,
                             const cs_text_sink *sink, cs_diag *diag)
{
    const bool text = format == CS_TABLE_TEXT;
    const cs_imc_trace_record *record = NULL;
    cs_table table;
    cs_status read = CS_OK;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, NR_CELLS);
    while ((read = cs_imc_trace_next(trace, &record, diag)) == CS_OK && record != NULL &&
           table.status == CS_OK) {
        if (!text || record->itself != CS_IMC_EMPTY)
            print_record(&table, record, power10);
    }
    if (text)
        summary(&table, cs_imc_trace_get_totals(trace));
    cs_table_end(&table);
    if (read == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return read;
}
