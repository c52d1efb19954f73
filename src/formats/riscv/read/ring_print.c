// SPDX-License-Identifier: Apache-2.0
/* The records of a perf ring as a table. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "formats/perf/abi/text.h"
#include "formats/riscv/read/ring.h"

#define LINE_BYTES 96
#define NUMBER_BYTES 24

enum { INDEX, OFFSET, TYPE, ID, TIME, CPU, PID, TID, IP, MODE, PERIOD, LOST, CHAIN, NR_CELLS };

static const cs_table_column columns[NR_CELLS] = {
    [INDEX] = {"record", CS_CELL_NUMBER, 0, 8}, [OFFSET] = {"offset", CS_CELL_HEX, 6, 8},
    [TYPE] = {"type", CS_CELL_NAME, 0, 10},     [ID] = {"id", CS_CELL_NUMBER, 0, 6},
    [TIME] = {"time", CS_CELL_NUMBER, 0, 14},   [CPU] = {"cpu", CS_CELL_NUMBER, 0, 4},
    [PID] = {"pid", CS_CELL_NUMBER, 0, 8},      [TID] = {"tid", CS_CELL_NUMBER, 0, 8},
    [IP] = {"ip", CS_CELL_NAME, 0, 18},         [MODE] = {"mode", CS_CELL_NAME, 0, 12},
    [PERIOD] = {"period", CS_CELL_REAL, 0, 12}, [LOST] = {"lost", CS_CELL_REAL, 0, 6},
    [CHAIN] = {"chain", CS_CELL_NAME, 0, 0},
};

static const char *number(char text[NUMBER_BYTES], bool there, uint64_t value)
{
    snprintf(text, NUMBER_BYTES, "%" PRIu64, value);
    return there ? text : NULL;
}

static void print_record(cs_table *table, const cs_perf_record *record)
{
    const bool sample = record->type == CS_PERF_REC_SAMPLE;
    char ip[NUMBER_BYTES], period[NUMBER_BYTES], lost[NUMBER_BYTES], chain[CS_PERF_CHAIN_TEXT];
    cs_table_cell cells[NR_CELLS];

    snprintf(ip, sizeof ip, "0x%016" PRIx64, record->ip);
    cells[INDEX].number = record->index;
    cells[OFFSET].number = record->offset;
    cells[TYPE].name = cs_perf_type_name(record->type);
    cells[ID].number = record->id;
    cells[TIME].number = record->time;
    cells[CPU].number = record->cpu;
    cells[PID].number = record->pid;
    cells[TID].number = record->tid;
    cells[IP].name = sample ? ip : NULL;
    cells[MODE].name = sample ? cs_perf_misc_name(record->misc) : NULL;
    cells[PERIOD].name = number(period, sample, record->period);
    cells[LOST].name = number(lost, record->type == CS_PERF_REC_LOST, record->lost);
    cells[CHAIN].name =
        record->has_chain ? cs_perf_chain_text(record->chain, record->nr_chain, chain) : NULL;
    cs_table_row(table, cells);
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

static void summary(cs_table *table, const cs_perf_totals *totals)
{
    line(table, "\nrecords   %8" PRIu64 " in %" PRIu64 " bytes\n", totals->records, totals->bytes);
    line(table, "samples   %8" PRIu64 "\n", totals->samples);
    line(table, "lost      %8" PRIu64 "  records that found no room\n", totals->lost);
    line(table, "throttled %8" PRIu64 ", unthrottled %" PRIu64 "\n", totals->throttles,
         totals->unthrottles);
}

cs_status cs_perf_ring_print(cs_perf_ring *ring, cs_table_format format, const cs_text_sink *sink,
                             cs_diag *diag)
{
    const cs_perf_record *record = NULL;
    cs_table table;
    cs_status read;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, NR_CELLS);
    while ((read = cs_perf_ring_next(ring, &record, diag)) == CS_OK && record != NULL &&
           table.status == CS_OK)
        print_record(&table, record);
    if (format == CS_TABLE_TEXT)
        summary(&table, cs_perf_ring_get_totals(ring));
    cs_table_end(&table);
    if (read == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return read;
}
