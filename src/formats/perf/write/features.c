// SPDX-License-Identifier: Apache-2.0
/* The features behind the data: a table of places and lengths, then a body each. Bodies are written
 * twice: once to be measured, once to the sink. */
#include "formats/perf/write/impl.h"

#include <stdio.h>

#define MOST_FEATURES 32u
#define TEXT_UNIT 64u /* texts have a room of a multiple of this */

/* Bytes go to the writer; NULL: they are only counted. */
typedef struct body {
    cs_perf_data_writer *writer;
    uint64_t length;
} body;

static void put(body *b, const void *bytes, size_t length)
{
    b->length += length;
    if (b->writer != NULL)
        cs_perf_data_write(b->writer, bytes, length);
}

static void put32(body *b, uint32_t value)
{
    uint8_t bytes[4];

    cs_perf_put32(bytes, value);
    put(b, bytes, sizeof bytes);
}

static void put64(body *b, uint64_t value)
{
    uint8_t bytes[8];

    cs_perf_put64(bytes, value);
    put(b, bytes, sizeof bytes);
}

static void put_zeros(body *b, size_t length)
{
    static const uint8_t zeros[TEXT_UNIT];

    for (; length > sizeof zeros; length -= sizeof zeros)
        put(b, zeros, sizeof zeros);
    put(b, zeros, length);
}

static void put_text(body *b, const char *text)
{
    const size_t length = strlen(text), room = (length / TEXT_UNIT + 1) * TEXT_UNIT;

    put32(b, (uint32_t)room);
    put(b, text, length);
    put_zeros(b, room - length);
}

/* The size of a record has 16 bits. */
static cs_status check_build_ids(cs_perf_data_writer *w, const cs_perf_data_features *f)
{
    for (size_t i = 0; i < f->nr_build_ids; i++) {
        const size_t length = strlen(f->build_ids[i].file);

        if (length >= CS_PERF_DATA_FILE_BYTES)
            return cs_perf_data_fail(w, CS_ERR_RANGE,
                                     "perf.data: a build id's file of %zu bytes, its record has "
                                     "room for less than %u",
                                     length, CS_PERF_DATA_FILE_BYTES);
    }
    return CS_OK;
}

static void put_build_ids(body *b, const cs_perf_data_features *f)
{
    for (size_t i = 0; i < f->nr_build_ids; i++) {
        const cs_perf_data_build_id *id = &f->build_ids[i];
        const size_t length = strlen(id->file), room = (length / TEXT_UNIT + 1) * TEXT_UNIT;
        const unsigned held = id->id_length < CS_PERF_DATA_BUILD_ID_BYTES
                                  ? id->id_length
                                  : CS_PERF_DATA_BUILD_ID_BYTES;
        uint8_t header[36] = {0};
        uint8_t *at = cs_perf_put_header(header, 0, id->misc | CS_PERF_MISC_BUILD_ID_SIZE,
                                         sizeof header + room);

        at = cs_perf_put32(at, (uint32_t)id->pid);
        memcpy(at, id->id, held);
        at[CS_PERF_DATA_BUILD_ID_BYTES] = (uint8_t)held;
        put(b, header, sizeof header);
        put(b, id->file, length);
        put_zeros(b, room - length);
    }
}

static void put_cmdline(body *b, const cs_perf_data_features *f)
{
    put32(b, (uint32_t)f->nr_cmdline);
    for (size_t i = 0; i < f->nr_cmdline; i++)
        put_text(b, f->cmdline[i]);
}

static void put_event_desc(body *b, const cs_perf_data_writer *w)
{
    uint8_t attr[CS_PERF_DATA_ATTR_BYTES];

    put32(b, (uint32_t)w->nr_events);
    put32(b, CS_PERF_DATA_ATTR_BYTES);
    for (size_t i = 0; i < w->nr_events; i++) {
        const cs_perf_data_event *event = &w->events[i].event;

        cs_perf_put_attr(attr, &event->attr);
        put(b, attr, sizeof attr);
        put32(b, (uint32_t)event->nr_ids);
        put_text(b, event->name);
        for (size_t k = 0; k < event->nr_ids; k++)
            put64(b, event->ids[k]);
    }
}

static void put_pmus(body *b, const cs_perf_data_features *f)
{
    put32(b, (uint32_t)f->nr_pmus);
    for (size_t i = 0; i < f->nr_pmus; i++) {
        put32(b, f->pmus[i].type);
        put_text(b, f->pmus[i].name);
    }
}

/* A list of lists, of which there is one: where each AUXTRACE record is, and its size. */
static void put_auxtraces(body *b, const cs_perf_data_writer *w)
{
    put64(b, w->nr_auxtraces);
    for (size_t i = 0; i < w->nr_auxtraces; i++) {
        put64(b, w->auxtraces[i]);
        put64(b, CS_PERF_AUXTRACE_BYTES);
    }
}

static bool together(const cs_perf_data_place *a, const cs_perf_data_place *b, bool core)
{
    return a->socket == b->socket && (!core || a->core == b->core);
}

/* The CPUs of each socket, or of each core: "0-3". */
static void put_siblings(body *b, const cs_perf_data_features *f, bool core)
{
    uint32_t count = 0, first = 0;
    char text[24];

    for (uint32_t cpu = 0; cpu < f->nr_cpus; cpu++)
        count += cpu == 0 || !together(&f->places[cpu - 1], &f->places[cpu], core);
    put32(b, count);
    for (uint32_t cpu = 1; cpu <= f->nr_cpus; cpu++) {
        if (cpu < f->nr_cpus && together(&f->places[first], &f->places[cpu], core))
            continue;
        if (cpu - first == 1)
            snprintf(text, sizeof text, "%u", first);
        else
            snprintf(text, sizeof text, "%u-%u", first, cpu - 1);
        put_text(b, text);
        first = cpu;
    }
}

static void put_topology(body *b, const cs_perf_data_features *f)
{
    put_siblings(b, f, false);
    put_siblings(b, f, true);
    for (uint32_t cpu = 0; cpu < f->nr_cpus; cpu++) {
        put32(b, f->places[cpu].core);
        put32(b, f->places[cpu].socket);
    }
}

static void put_feature(body *b, unsigned feature, const cs_perf_data_writer *w,
                        const cs_perf_data_features *f)
{
    switch (feature) {
    case CS_PERF_FEATURE_BUILD_ID:
        put_build_ids(b, f);
        break;
    case CS_PERF_FEATURE_HOSTNAME:
        put_text(b, f->hostname);
        break;
    case CS_PERF_FEATURE_OSRELEASE:
        put_text(b, f->osrelease);
        break;
    case CS_PERF_FEATURE_VERSION:
        put_text(b, f->version);
        break;
    case CS_PERF_FEATURE_ARCH:
        put_text(b, f->arch);
        break;
    case CS_PERF_FEATURE_NRCPUS:
        put32(b, f->nr_cpus); /* online */
        put32(b, f->nr_cpus); /* available */
        break;
    case CS_PERF_FEATURE_CPUDESC:
        put_text(b, f->cpudesc);
        break;
    case CS_PERF_FEATURE_CPUID:
        put_text(b, f->cpuid);
        break;
    case CS_PERF_FEATURE_TOTAL_MEM:
        put64(b, f->total_mem_kb);
        break;
    case CS_PERF_FEATURE_CMDLINE:
        put_cmdline(b, f);
        break;
    case CS_PERF_FEATURE_EVENT_DESC:
        put_event_desc(b, w);
        break;
    case CS_PERF_FEATURE_CPU_TOPOLOGY:
        put_topology(b, f);
        break;
    case CS_PERF_FEATURE_PMU_MAPPINGS:
        put_pmus(b, f);
        break;
    case CS_PERF_FEATURE_AUXTRACE:
        put_auxtraces(b, w);
        break;
    case CS_PERF_FEATURE_SAMPLE_TIME:
        put64(b, w->first_ns);
        put64(b, w->last_ns);
        break;
    default: /* STAT has no body */
        break;
    }
}

static uint64_t which(const cs_perf_data_writer *w, const cs_perf_data_features *f)
{
    const struct {
        unsigned feature;
        bool there;
    } all[] = {
        {CS_PERF_FEATURE_BUILD_ID, f->nr_build_ids != 0},
        {CS_PERF_FEATURE_HOSTNAME, f->hostname != NULL},
        {CS_PERF_FEATURE_OSRELEASE, f->osrelease != NULL},
        {CS_PERF_FEATURE_VERSION, f->version != NULL},
        {CS_PERF_FEATURE_ARCH, f->arch != NULL},
        {CS_PERF_FEATURE_NRCPUS, f->nr_cpus != 0},
        {CS_PERF_FEATURE_CPUDESC, f->cpudesc != NULL},
        {CS_PERF_FEATURE_CPUID, f->cpuid != NULL},
        {CS_PERF_FEATURE_TOTAL_MEM, f->total_mem_kb != 0},
        {CS_PERF_FEATURE_CMDLINE, f->nr_cmdline != 0},
        {CS_PERF_FEATURE_EVENT_DESC, true},
        {CS_PERF_FEATURE_CPU_TOPOLOGY, f->places != NULL},
        {CS_PERF_FEATURE_PMU_MAPPINGS, f->nr_pmus != 0},
        {CS_PERF_FEATURE_AUXTRACE, w->nr_auxtraces != 0},
        {CS_PERF_FEATURE_STAT, f->stat},
        {CS_PERF_FEATURE_SAMPLE_TIME, w->any_time},
    };
    uint64_t set = 0;

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].there)
            set |= UINT64_C(1) << all[i].feature;
    return set;
}

cs_status cs_perf_data_write_features(cs_perf_data_writer *w, const cs_perf_data_features *f,
                                      uint64_t set[4])
{
    body table = {w, 0}, bodies = {w, 0};
    uint64_t offset;

    if (check_build_ids(w, f) != CS_OK)
        return w->status;
    set[0] = which(w, f);
    offset = w->written + w->used + 16 * (uint64_t)__builtin_popcountll(set[0]);
    for (unsigned i = 0; i < MOST_FEATURES; i++) {
        body measure = {NULL, 0};

        if ((set[0] >> i & 1) == 0)
            continue;
        put_feature(&measure, i, w, f);
        put64(&table, offset);
        put64(&table, measure.length);
        offset += measure.length;
    }
    for (unsigned i = 0; i < MOST_FEATURES; i++)
        if (set[0] >> i & 1)
            put_feature(&bodies, i, w, f);
    return w->status;
}
