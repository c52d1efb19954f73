// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/read/memory_print.h"

#include "formats/imc/read/nest.h"

#define OFFSET_DIGITS 5u
#define WORD_DIGITS 16u
#define EVENT_WIDTH 36u
#define PMU_WIDTH 20u
#define RAW_WIDTH 20u
#define VALUE_WIDTH 20u

#define NO_CONTROL UINT32_MAX

typedef struct printer {
    cs_imc_memory *memory;
    bool groups;      /* the image has those of POWER9's nest */
    uint32_t control; /* where the control block is, or NO_CONTROL */
    bool power10;
    cs_table table;
} printer;

/* ---- CSV and JSON: rows of one kind ---- */

enum { IMAGE, KIND, PMU, EVENT, OFFSET, RAW, SCALE, VALUE, UNIT, NOTE, NR_CELLS };

static const cs_table_column row_columns[NR_CELLS] = {
    [IMAGE] = {"image", CS_CELL_NUMBER, 0, 0},
    [KIND] = {"kind", CS_CELL_NAME, 0, 0},
    [PMU] = {"pmu", CS_CELL_NAME, 0, 0},
    [EVENT] = {"event", CS_CELL_NAME, 0, 0},
    [OFFSET] = {"offset", CS_CELL_HEX, OFFSET_DIGITS, 0},
    [RAW] = {"raw", CS_CELL_NUMBER, 0, 0},
    [SCALE] = {"scale", CS_CELL_NAME, 0, 0},
    [VALUE] = {"value", CS_CELL_REAL, 0, 0},
    [UNIT] = {"unit", CS_CELL_NAME, 0, 0},
    [NOTE] = {"note", CS_CELL_NAME, 0, 0},
};

/* Why a counter should not be trusted; NULL where nothing is known against it. */
static const char *doubt(const printer *print, const cs_imc_image *image, uint32_t offset)
{
    const size_t nr = print->groups ? cs_imc_nest_group_of(offset) : CS_IMC_NEST_GROUPS;
    cs_imc_nest_group group;

    if (nr == CS_IMC_NEST_GROUPS)
        return NULL;
    cs_imc_nest_group_get(image->bytes, nr, &group);
    return group.state == CS_IMC_GROUP_WHOLE ? NULL : cs_imc_group_state_text(group.state);
}

static void row_counter(printer *print, const cs_imc_image *image, const cs_imc_counter *counter)
{
    const cs_imc_event *event = counter->event;
    char value[CS_IMC_VALUE_BYTES];
    const cs_table_cell cells[NR_CELLS] = {
        [IMAGE] = {.number = image->index},
        [KIND] = {.name = "counter"},
        [PMU] = {.name = event->of->pmu},
        [EVENT] = {.name = event->name},
        [OFFSET] = {.number = event->value},
        [RAW] = {.number = counter->raw},
        [SCALE] = {.name = event->scale},
        [VALUE] = {.name = cs_imc_scale(counter->raw, event->scale, value)},
        [UNIT] = {.name = event->unit},
        [NOTE] = {.name = doubt(print, image, event->value)},
    };

    cs_table_row(&print->table, cells);
}

static void row_word(printer *print, const cs_imc_image *image, const char *kind, const char *name,
                     uint32_t offset, uint64_t raw, const char *note)
{
    const cs_table_cell cells[NR_CELLS] = {
        [IMAGE] = {.number = image->index}, [KIND] = {.name = kind}, [EVENT] = {.name = name},
        [OFFSET] = {.number = offset},      [RAW] = {.number = raw}, [NOTE] = {.name = note},
    };

    cs_table_row(&print->table, cells);
}

static void rows(printer *print, const cs_imc_image *image)
{
    cs_imc_counter counter;
    cs_imc_nest_group group;
    cs_imc_control control;
    char meaning[CS_IMC_MEANING_BYTES];

    for (size_t i = 0; i < cs_imc_memory_nr_counters(print->memory); i++) {
        cs_imc_memory_counter(print->memory, i, &counter);
        row_counter(print, image, &counter);
    }
    for (size_t i = 0; print->groups && i < CS_IMC_NEST_GROUPS; i++) {
        cs_imc_nest_group_get(image->bytes, i, &group);
        const char *state = cs_imc_group_state_text(group.state);

        row_word(print, image, "header", group.name, group.header_offset, group.header, state);
        row_word(print, image, "trailer", group.name, group.trailer_offset, group.trailer, state);
    }
    if (print->control == NO_CONTROL)
        return;
    cs_imc_control_decode(image->bytes + print->control, &control);
    for (size_t i = 0; i < CS_IMC_CONTROL_WORDS; i++)
        row_word(print, image, "control", cs_imc_control_name(i), print->control + 8 * (uint32_t)i,
                 cs_imc_control_word(&control, i),
                 cs_imc_control_meaning(&control, i, print->power10, meaning));
}

/* ---- text: a table of each kind ---- */

static const cs_table_column counter_columns[] = {
    {"image", CS_CELL_NUMBER, 0, 0},
    {"pmu", CS_CELL_NAME, 0, PMU_WIDTH},
    {"event", CS_CELL_NAME, 0, EVENT_WIDTH},
    {"offset", CS_CELL_HEX, OFFSET_DIGITS, OFFSET_DIGITS + 2},
    {"raw", CS_CELL_NUMBER, 0, RAW_WIDTH},
    {"scale", CS_CELL_NAME, 0, 0},
    {"value", CS_CELL_REAL, 0, VALUE_WIDTH},
    {"unit", CS_CELL_NAME, 0, 0},
    {"note", CS_CELL_NAME, 0, 0},
};
#define NR_COUNTER_COLUMNS (sizeof counter_columns / sizeof counter_columns[0])

static void counters(printer *print, const cs_imc_image *image)
{
    cs_table_columns(&print->table, counter_columns, NR_COUNTER_COLUMNS);
    for (size_t i = 0; i < cs_imc_memory_nr_counters(print->memory); i++) {
        char value[CS_IMC_VALUE_BYTES];
        cs_imc_counter counter;

        cs_imc_memory_counter(print->memory, i, &counter);
        const cs_imc_event *event = counter.event;
        const cs_table_cell cells[NR_COUNTER_COLUMNS] = {
            {.number = image->index},
            {.name = event->of->pmu},
            {.name = event->name},
            {.number = event->value},
            {.number = counter.raw},
            {.name = event->scale},
            {.name = cs_imc_scale(counter.raw, event->scale, value)},
            {.name = event->unit},
            {.name = doubt(print, image, event->value)},
        };

        cs_table_row(&print->table, cells);
    }
}

static const cs_table_column group_columns[] = {
    {"image", CS_CELL_NUMBER, 0, 0},           {"group", CS_CELL_NAME, 0, 7},
    {"counts", CS_CELL_NAME, 0, 16},           {"header", CS_CELL_NUMBER, 0, RAW_WIDTH},
    {"trailer", CS_CELL_NUMBER, 0, RAW_WIDTH}, {"state", CS_CELL_NAME, 0, 0},
};
#define NR_GROUP_COLUMNS (sizeof group_columns / sizeof group_columns[0])

static void groups(printer *print, const cs_imc_image *image)
{
    if (!print->groups)
        return;
    cs_table_columns(&print->table, group_columns, NR_GROUP_COLUMNS);
    for (size_t i = 0; i < CS_IMC_NEST_GROUPS; i++) {
        cs_imc_nest_group group;

        cs_imc_nest_group_get(image->bytes, i, &group);
        const cs_table_cell cells[NR_GROUP_COLUMNS] = {
            {.number = image->index},    {.name = group.name},
            {.name = group.description}, {.number = group.header},
            {.number = group.trailer},   {.name = cs_imc_group_state_text(group.state)},
        };

        cs_table_row(&print->table, cells);
    }
}

static const cs_table_column control_columns[] = {
    {"image", CS_CELL_NUMBER, 0, 0},
    {"control", CS_CELL_NAME, 0, 10},
    {"word", CS_CELL_HEX, WORD_DIGITS, WORD_DIGITS + 2},
    {"meaning", CS_CELL_NAME, 0, 0},
};
#define NR_CONTROL_COLUMNS (sizeof control_columns / sizeof control_columns[0])

static void control(printer *print, const cs_imc_image *image)
{
    char meaning[CS_IMC_MEANING_BYTES];
    cs_imc_control block;

    if (print->control == NO_CONTROL)
        return;
    cs_imc_control_decode(image->bytes + print->control, &block);
    cs_table_columns(&print->table, control_columns, NR_CONTROL_COLUMNS);
    for (size_t i = 0; i < CS_IMC_CONTROL_WORDS; i++) {
        const cs_table_cell cells[NR_CONTROL_COLUMNS] = {
            {.number = image->index},
            {.name = cs_imc_control_name(i)},
            {.number = cs_imc_control_word(&block, i)},
            {.name = cs_imc_control_meaning(&block, i, print->power10, meaning)},
        };

        cs_table_row(&print->table, cells);
    }
}

cs_status cs_imc_memory_print(cs_imc_memory *memory, cs_table_format format, bool power10,
                              const cs_text_sink *sink, cs_diag *diag)
{
    const bool nest = cs_imc_memory_get_domain(memory) == CS_IMC_DOMAIN_NEST;
    const size_t size = cs_imc_memory_image_bytes(memory);
    const uint32_t at = cs_imc_memory_control_offset(memory);
    printer print = {
        .memory = memory,
        .groups = nest && !power10 && size >= CS_IMC_NEST_WINDOW_BYTES,
        .control = nest && size >= CS_IMC_CONTROL_BYTES && at <= size - CS_IMC_CONTROL_BYTES
                       ? at
                       : NO_CONTROL,
        .power10 = power10,
    };
    const cs_imc_image *image = NULL;
    cs_status read;

    cs_table_begin(&print.table, format, sink);
    if (format != CS_TABLE_TEXT)
        cs_table_columns(&print.table, row_columns, NR_CELLS);
    while ((read = cs_imc_memory_next(memory, &image, diag)) == CS_OK && image != NULL &&
           print.table.status == CS_OK) {
        if (format != CS_TABLE_TEXT) {
            rows(&print, image);
            continue;
        }
        counters(&print, image);
        groups(&print, image);
        control(&print, image);
    }
    cs_table_end(&print.table);
    if (read == CS_OK && print.table.status != CS_OK)
        return cs_diag_set(diag, print.table.status, NULL, "the table could not be written");
    return read;
}
