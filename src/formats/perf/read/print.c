// SPDX-License-Identifier: Apache-2.0
#include "formats/perf/read/print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 24
#define WORD_BYTES 32

cs_status cs_perfread_only(const char *names, cs_perfread_print_options *options, cs_diag *diag)
{
    options->some = true;
    while (*names != '\0') {
        const size_t length = strcspn(names, ",");
        char word[WORD_BYTES] = "";
        uint32_t type = 0;
        char *end;

        for (size_t i = 0; i < length && i + 1 < sizeof word; i++)
            word[i] = (char)toupper((unsigned char)names[i]);
        while (type < CS_PERFREAD_NR_TYPES && (cs_perfread_type_name(type) == NULL ||
                                               strcmp(cs_perfread_type_name(type), word) != 0))
            type++;
        if (type == CS_PERFREAD_NR_TYPES && isdigit((unsigned char)word[0])) {
            const unsigned long number = strtoul(word, &end, 10);

            if (*end == '\0' && number < CS_PERFREAD_NR_TYPES)
                type = (uint32_t)number;
        }
        if (type == CS_PERFREAD_NR_TYPES)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "found '%.*s', expected types of records as SAMPLE, MMAP2, "
                               "AUXTRACE, or their numbers below %u",
                               (int)(length < 64 ? length : 64), names, CS_PERFREAD_NR_TYPES);
        options->only[type] = true;
        names += length + (names[length] == ',');
    }
    return CS_OK;
}

/* ---- records ---- */

enum { OFFSET, TYPE, EVENT, MODE, CPU, PID, TID, TIME, IP, PERIOD, DETAIL, NR_CELLS };

static const cs_table_column columns[NR_CELLS] = {
    [OFFSET] = {"offset", CS_CELL_HEX, 6, 8},  [TYPE] = {"type", CS_CELL_NAME, 0, 14},
    [EVENT] = {"event", CS_CELL_NAME, 0, 16},  [MODE] = {"mode", CS_CELL_NAME, 0, 6},
    [CPU] = {"cpu", CS_CELL_REAL, 0, 4},       [PID] = {"pid", CS_CELL_REAL, 0, 7},
    [TID] = {"tid", CS_CELL_REAL, 0, 7},       [TIME] = {"time", CS_CELL_REAL, 0, 14},
    [IP] = {"ip", CS_CELL_NAME, 0, 18},        [PERIOD] = {"period", CS_CELL_REAL, 0, 8},
    [DETAIL] = {"detail", CS_CELL_NAME, 0, 0},
};

static const char *const modes[8] = {NULL,           "kernel",     "user", "hypervisor",
                                     "guest kernel", "guest user", NULL,   NULL};

__attribute__((format(printf, 3, 4))) static const char *print(char text[NUMBER_BYTES], bool there,
                                                               const char *format, ...)
{
    va_list arguments;

    if (!there)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, NUMBER_BYTES, format, arguments);
    va_end(arguments);
    return text;
}

/* Where the record itself says whose it is, that counts; else its sample_id. */
static bool task_of(const cs_perfread_record *record, uint32_t *pid, uint32_t *tid)
{
    switch (record->type) {
    case CS_PERFREAD_MMAP:
    case CS_PERFREAD_MMAP2:
        *pid = record->mmap.pid;
        *tid = record->mmap.tid;
        return true;
    case CS_PERFREAD_COMM:
    case CS_PERFREAD_FORK:
    case CS_PERFREAD_EXIT:
    case CS_PERFREAD_ITRACE_START:
        *pid = record->task.pid;
        *tid = record->task.tid;
        return true;
    case CS_PERFREAD_READ_RECORD:
        *pid = record->read.pid;
        *tid = record->read.tid;
        return true;
    case CS_PERFREAD_NAMESPACES:
        *pid = record->namespaces.pid;
        *tid = record->namespaces.tid;
        return true;
    default:
        *pid = record->who.pid;
        *tid = record->who.tid;
        return (record->who.has & CS_PERFREAD_TID) != 0;
    }
}

static bool cpu_of(const cs_perfread_record *record, uint32_t *cpu)
{
    *cpu = record->type == CS_PERFREAD_STAT       ? record->stat.cpu
           : record->type == CS_PERFREAD_AUXTRACE ? record->auxtrace.cpu
                                                  : record->who.cpu;
    return record->type == CS_PERFREAD_STAT || record->type == CS_PERFREAD_AUXTRACE ||
           (record->who.has & CS_PERFREAD_CPU) != 0;
}

static bool time_of(const cs_perfread_record *record, uint64_t *time)
{
    const bool round = record->type == CS_PERFREAD_STAT_ROUND;
    const bool task = record->type == CS_PERFREAD_FORK || record->type == CS_PERFREAD_EXIT;

    *time = round ? record->stat_round.time : task ? record->task.time : record->who.time;
    return round || task || (record->who.has & CS_PERFREAD_TIME) != 0;
}

static void name_event(const cs_perfread *reader, const cs_perfread_event *event, char *text,
                       size_t bytes)
{
    const char *pmu = cs_perfread_pmu_name(reader, event->type);

    if (event->name != NULL)
        snprintf(text, bytes, "%s", event->name);
    else if (pmu != NULL)
        snprintf(text, bytes, "%s/0x%" PRIx64 "/", pmu, event->config);
    else
        snprintf(text, bytes, "%" PRIu32 "/0x%" PRIx64 "/", event->type, event->config);
}

static void print_record(const cs_perfread *reader, const cs_perfread_record *record,
                         const char *detail, cs_table *table)
{
    char numbers[NR_CELLS][NUMBER_BYTES], event[256], type[WORD_BYTES];
    const bool sample = record->type == CS_PERFREAD_SAMPLE;
    const uint64_t has = sample ? record->sample.has : 0;
    uint32_t pid, tid, cpu;
    uint64_t time;
    cs_table_cell cells[NR_CELLS];
    const bool has_task = task_of(record, &pid, &tid);
    const bool has_cpu = cpu_of(record, &cpu);
    const bool has_time = time_of(record, &time);

    snprintf(type, sizeof type, "%" PRIu32, record->type);
    if (record->event != NULL)
        name_event(reader, record->event, event, sizeof event);
    cells[OFFSET].number = record->offset;
    cells[TYPE].name = record->known ? cs_perfread_type_name(record->type) : type;
    cells[EVENT].name = record->event != NULL ? event : NULL;
    cells[MODE].name =
        record->type < CS_PERFREAD_FIRST_USER ? modes[record->misc & CS_PERFREAD_CPU_MODE] : NULL;
    cells[CPU].name = print(numbers[CPU], has_cpu, "%" PRId32, (int32_t)cpu);
    cells[PID].name = print(numbers[PID], has_task, "%" PRId32, (int32_t)pid);
    cells[TID].name = print(numbers[TID], has_task, "%" PRId32, (int32_t)tid);
    cells[TIME].name = print(numbers[TIME], has_time, "%" PRIu64, time);
    cells[IP].name =
        print(numbers[IP], (has & CS_PERFREAD_IP) != 0, "0x%016" PRIx64, record->sample.ip);
    cells[PERIOD].name =
        print(numbers[PERIOD], (has & CS_PERFREAD_PERIOD) != 0, "%" PRIu64, record->sample.period);
    cells[DETAIL].name = detail;
    cs_table_row(table, cells);
}

cs_status cs_perfread_print(cs_perfread *reader, const cs_perfread_print_options *options,
                            const cs_text_sink *sink, cs_diag *diag)
{
    const cs_perfread_record *record = NULL;
    cs_table table;
    cs_status read = CS_OK;
    char *detail = NULL;
    size_t room = 0;

    cs_table_begin(&table, options->format, sink);
    cs_table_columns(&table, columns, NR_CELLS);
    while (table.status == CS_OK && (read = cs_perfread_next(reader, &record, diag)) == CS_OK &&
           record != NULL) {
        if (options->some && (record->type >= CS_PERFREAD_NR_TYPES || !options->only[record->type]))
            continue;
        if (!cs_perfread_detail(reader, record, options->full, &detail, &room)) {
            read = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory to print a record");
            break;
        }
        print_record(reader, record, detail, &table);
    }
    free(detail);
    cs_table_end(&table);
    if (read == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return read;
}

/* ---- header ---- */

enum { FACT, INDEX, VALUE, NR_FACT_CELLS };

static const cs_table_column fact_columns[NR_FACT_CELLS] = {
    [FACT] = {"fact", CS_CELL_NAME, 0, 18},
    [INDEX] = {"index", CS_CELL_REAL, 0, 5},
    [VALUE] = {"value", CS_CELL_NAME, 0, 0},
};

#define NO_INDEX SIZE_MAX

__attribute__((format(printf, 4, 5))) static void fact(cs_table *table, const char *name,
                                                       size_t index, const char *format, ...)
{
    char value[1024], number[NUMBER_BYTES];
    cs_table_cell cells[NR_FACT_CELLS];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    cells[FACT].name = name;
    cells[INDEX].name = print(number, index != NO_INDEX, "%zu", index);
    cells[VALUE].name = value;
    cs_table_row(table, cells);
}

static void print_texts(const cs_perfread_facts *facts, cs_table *table)
{
    const struct {
        const char *name;
        const char *value;
    } texts[] = {
        {"hostname", facts->hostname}, {"os_release", facts->os_release},
        {"version", facts->version},   {"arch", facts->arch},
        {"cpu_desc", facts->cpu_desc}, {"cpu_id", facts->cpu_id},
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].value != NULL)
            fact(table, texts[i].name, NO_INDEX, "%s", texts[i].value);
    for (size_t i = 0; i < facts->nr_cmdline; i++)
        fact(table, "cmdline", i, "%s", facts->cmdline[i]);
}

static void print_numbers(const cs_perfread_facts *facts, cs_table *table)
{
    const struct {
        unsigned feature;
        const char *name;
        uint64_t value;
    } numbers[] = {
        {CS_PERFREAD_FEAT_NRCPUS, "cpus_online", facts->cpus_online},
        {CS_PERFREAD_FEAT_NRCPUS, "cpus_available", facts->cpus_available},
        {CS_PERFREAD_FEAT_TOTAL_MEM, "total_mem_kib", facts->total_mem_kib},
        {CS_PERFREAD_FEAT_SAMPLE_TIME, "first_sample_ns", facts->first_sample_ns},
        {CS_PERFREAD_FEAT_SAMPLE_TIME, "last_sample_ns", facts->last_sample_ns},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (facts->features[numbers[i].feature].offset != 0)
            fact(table, numbers[i].name, NO_INDEX, "%" PRIu64, numbers[i].value);
}

static void print_event(const cs_perfread *reader, const cs_perfread_event *event, cs_table *table)
{
    const size_t i = event->index;
    char name[256];

    name_event(reader, event, name, sizeof name);
    fact(table, "event.name", i, "%s", name);
    fact(table, "event.type", i, "%" PRIu32, event->type);
    fact(table, "event.config", i, "0x%" PRIx64, event->config);
    if (event->config1 != 0 || event->config2 != 0) {
        fact(table, "event.config1", i, "0x%" PRIx64, event->config1);
        fact(table, "event.config2", i, "0x%" PRIx64, event->config2);
    }
    fact(table, (event->flags & CS_PERFREAD_FLAG_FREQ) != 0 ? "event.frequency" : "event.period", i,
         "%" PRIu64, event->period);
    fact(table, "event.sample_type", i, "0x%" PRIx64, event->sample_type);
    fact(table, "event.read_format", i, "0x%" PRIx64, event->read_format);
    fact(table, "event.flags", i, "0x%" PRIx64, event->flags);
    fact(table, "event.ids", i, "%zu", event->nr_ids);
    if (event->unit != NULL)
        fact(table, "event.unit", i, "%s", event->unit);
    if (event->scale != 1)
        fact(table, "event.scale", i, "%.17g", event->scale);
}

static void print_lists(const cs_perfread *reader, const cs_perfread_facts *facts, cs_table *table)
{
    for (size_t i = 0; i < facts->nr_events; i++)
        print_event(reader, &facts->events[i], table);
    for (size_t i = 0; i < facts->nr_pmus; i++)
        fact(table, "pmu", facts->pmus[i].type, "%s", facts->pmus[i].name);
    for (size_t i = 0; i < facts->nr_groups; i++)
        fact(table, "group", i, "%s: %" PRIu32 " events from %" PRIu32, facts->groups[i].name,
             facts->groups[i].nr_members, facts->groups[i].leader);
    for (size_t i = 0; i < facts->nr_build_ids; i++) {
        const cs_perfread_build_id *id = &facts->build_ids[i];
        char text[2 * sizeof id->id + 1] = "";

        for (unsigned k = 0; k < id->bytes; k++)
            snprintf(text + (size_t)2 * k, 3, "%02x", id->id[k]);
        fact(table, "build_id", i, "%s %s", text, id->file);
    }
    for (unsigned i = 0; i < CS_PERFREAD_NR_FEATURES; i++)
        if (facts->features[i].offset != 0)
            fact(table, "feature", i, "%" PRIu64 " bytes at %" PRIu64, facts->features[i].bytes,
                 facts->features[i].offset);
}

cs_status cs_perfread_print_facts(const cs_perfread *reader, cs_table_format format,
                                  const cs_text_sink *sink, cs_diag *diag)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(reader);
    cs_table table;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, fact_columns, NR_FACT_CELLS);
    fact(&table, "form", NO_INDEX, "%s", facts->pipe ? "pipe" : "file");
    fact(&table, "byte_order", NO_INDEX, "%s", facts->big_endian ? "big" : "little");
    fact(&table, "data_offset", NO_INDEX, "%" PRIu64, facts->data_offset);
    if (!facts->pipe)
        fact(&table, "data_bytes", NO_INDEX, "%" PRIu64, facts->data_bytes);
    if (facts->unfinished)
        fact(&table, "unfinished", NO_INDEX, "the size of the data is 0: the recorder was ended");
    print_texts(facts, &table);
    print_numbers(facts, &table);
    print_lists(reader, facts, &table);
    cs_table_end(&table);
    if (table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return CS_OK;
}
