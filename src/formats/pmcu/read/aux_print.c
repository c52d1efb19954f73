// SPDX-License-Identifier: Apache-2.0
#include "formats/pmcu/read/aux_print.h"

#include <stdio.h>

#define EVENT_NAME_BYTES 24

/* cid1, cid2: 32 bits */
#define ID_DIGITS 8u
#define ID_WIDTH 10u
#define COUNT_WIDTH 10u

typedef struct printer {
    cs_pmcu_aux *aux;
    cs_table table;
    cs_event_namer namer;
    void *namer_ctx;
} printer;

static const char *name_of(const printer *print, uint32_t event, char buffer[EVENT_NAME_BYTES])
{
    const char *name = print->namer != NULL ? print->namer(print->namer_ctx, event) : NULL;

    if (name != NULL)
        return name;
    snprintf(buffer, EVENT_NAME_BYTES, "0x%04x", event);
    return buffer;
}

/* ---- text: a column an event ---- */

enum { SAMPLE, SUBSAMPLE, CPU, CID1, CID2, FIRST_COUNT };
#define MAX_COLUMNS (FIRST_COUNT + CS_PMCU_AUX_MAX_COUNTERS + 1u)

static const cs_table_column leading[FIRST_COUNT] = {
    [SAMPLE] = {"sample", CS_CELL_NUMBER, 0, 0},
    [SUBSAMPLE] = {"sub", CS_CELL_NUMBER, 0, 0},
    [CPU] = {"cpu", CS_CELL_NUMBER, 0, 0},
    [CID1] = {"cid1", CS_CELL_HEX, ID_DIGITS, ID_WIDTH},
    [CID2] = {"cid2", CS_CELL_HEX, ID_DIGITS, ID_WIDTH},
};

typedef struct wide {
    cs_table_column columns[MAX_COLUMNS];
    size_t nr_columns;
    char names[CS_PMCU_AUX_MAX_COUNTERS][EVENT_NAME_BYTES];
} wide;

static void wide_columns(const printer *print, const cs_pmcu_aux_subsample *sub, wide *w)
{
    size_t n = 0;

    for (; n < FIRST_COUNT; n++)
        w->columns[n] = leading[n];
    for (uint32_t i = 0; i < sub->nr_events; i++)
        w->columns[n++] = (cs_table_column){.name = name_of(print, sub->events[i], w->names[i]),
                                            .kind = CS_CELL_NUMBER,
                                            .width = COUNT_WIDTH};
    if (sub->has_cycles)
        w->columns[n++] =
            (cs_table_column){.name = "cycles", .kind = CS_CELL_NUMBER, .width = COUNT_WIDTH};
    w->nr_columns = n;
}

static cs_status print_wide(printer *print, const cs_pmcu_aux_subsample *sub, wide *w)
{
    const cs_pmcu_aux_header *header = cs_pmcu_aux_get_header(print->aux);
    cs_status status = CS_OK;

    if (w->nr_columns == 0 || header->subsamples_per_sample > 1) {
        wide_columns(print, sub, w);
        status = cs_table_columns(&print->table, w->columns, w->nr_columns);
    }
    for (uint32_t cpu = 0; cpu < header->nr_cpu && status == CS_OK; cpu++) {
        cs_table_cell cells[MAX_COLUMNS];
        cs_pmcu_aux_row row;
        size_t n = FIRST_COUNT;

        cs_pmcu_aux_get_row(print->aux, cpu, &row);
        cells[SAMPLE].number = sub->sample;
        cells[SUBSAMPLE].number = sub->subsample;
        cells[CPU].number = cpu;
        cells[CID1].number = row.cid1;
        cells[CID2].number = row.cid2;
        for (uint32_t i = 0; i < sub->nr_events; i++)
            cells[n++].number = row.counts[i];
        if (sub->has_cycles)
            cells[n++].number = row.cycles;
        status = cs_table_row(&print->table, cells);
    }
    return status;
}

/* ---- CSV and JSON: a row a value ---- */

static const cs_table_column value_columns[] = {
    {"sample", CS_CELL_NUMBER, 0, 0}, {"subsample", CS_CELL_NUMBER, 0, 0},
    {"cpu", CS_CELL_NUMBER, 0, 0},    {"cid1", CS_CELL_NUMBER, 0, 0},
    {"cid2", CS_CELL_NUMBER, 0, 0},   {"event", CS_CELL_NAME, 0, 0},
    {"count", CS_CELL_NUMBER, 0, 0},
};
#define NR_VALUE_COLUMNS (sizeof value_columns / sizeof value_columns[0])

static cs_status print_values(printer *print, const cs_pmcu_aux_subsample *sub)
{
    const cs_pmcu_aux_header *header = cs_pmcu_aux_get_header(print->aux);
    cs_status status = CS_OK;

    for (uint32_t cpu = 0; cpu < header->nr_cpu; cpu++) {
        char buffer[EVENT_NAME_BYTES];
        cs_pmcu_aux_row row;

        cs_pmcu_aux_get_row(print->aux, cpu, &row);
        for (uint32_t i = 0; i < sub->nr_events + sub->has_cycles && status == CS_OK; i++) {
            bool cycles = i == sub->nr_events;
            cs_table_cell cells[NR_VALUE_COLUMNS] = {
                {.number = sub->sample},
                {.number = sub->subsample},
                {.number = cpu},
                {.number = row.cid1},
                {.number = row.cid2},
                {.name = cycles ? "cycles" : name_of(print, sub->events[i], buffer)},
                {.number = cycles ? row.cycles : row.counts[i]},
            };
            status = cs_table_row(&print->table, cells);
        }
    }
    return status;
}

cs_status cs_pmcu_aux_print(cs_pmcu_aux *aux, cs_table_format format, cs_event_namer namer,
                            void *namer_ctx, const cs_text_sink *sink, cs_diag *diag)
{
    printer print = {.aux = aux, .namer = namer, .namer_ctx = namer_ctx};
    wide w = {.nr_columns = 0};
    const cs_pmcu_aux_subsample *sub = NULL;
    cs_status read = CS_OK;
    cs_status written;

    cs_table_begin(&print.table, format, sink);
    if (format != CS_TABLE_TEXT)
        cs_table_columns(&print.table, value_columns, NR_VALUE_COLUMNS);
    do {
        read = cs_pmcu_aux_next(aux, &sub, diag);
        written = print.table.status;
        if (read == CS_OK && sub != NULL)
            written =
                format == CS_TABLE_TEXT ? print_wide(&print, sub, &w) : print_values(&print, sub);
    } while (read == CS_OK && sub != NULL && written == CS_OK);

    written = cs_table_end(&print.table);
    if (read == CS_OK && written != CS_OK)
        return cs_diag_set(diag, written, NULL, "the table could not be written");
    return read;
}
