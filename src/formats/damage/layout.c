#include "formats/damage/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "formats/imc/read/record.h"
#include "formats/perf/read/cursor.h"
#include "formats/perf/read/data.h"
#include "formats/pmcu/abi/aux_header.h"
#include "formats/riscv/read/ring.h"

#define BLOCK_BYTES 64u
#define AUXTRACE 71u

typedef struct finder {
    const uint8_t *bytes;
    size_t size;
    cs_damage_layout *out;
    size_t room;
    bool no_memory;
} finder;

/* False: no more can be taken. */
static bool add(finder *find, uint64_t offset, uint64_t bytes)
{
    cs_damage_layout *out = find->out;

    if (bytes == 0 || offset > find->size || bytes > find->size - offset)
        return false;
    cs_damage_record *records =
        cs_room(out->records, &find->room, out->nr_records, sizeof *records);

    if (records == NULL) {
        find->no_memory = true;
        return false;
    }
    out->records = records;
    out->records[out->nr_records++] = (cs_damage_record){offset, bytes};
    return true;
}

static void field(finder *find, uint64_t offset, unsigned bytes, const char *name)
{
    cs_damage_layout *out = find->out;

    if (offset + bytes <= find->size && out->nr_fields < CS_DAMAGE_MOST_FIELDS)
        out->fields[out->nr_fields++] = (cs_damage_field){offset, bytes, name};
}

static void find_blocks(finder *find, uint64_t from, uint64_t bytes)
{
    while (add(find, from, bytes))
        from += bytes;
}

/* ---- perf.data ---- */

static void put64(uint8_t *bytes, uint64_t value, bool big)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * (big ? 7 - i : i));
}

/* The data are `delta` longer; the features behind them have moved. */
static void mend_perf(uint8_t *bytes, size_t size, uint64_t from, int64_t delta)
{
    const bool big = bytes[0] == '2';
    const uint64_t header = cs_perfread_get64(bytes + 8, big);

    if (header != 104 || size < 104)
        return; /* a pipe counts nothing */
    const uint64_t data = cs_perfread_get64(bytes + 40, big);
    const uint64_t data_bytes = cs_perfread_get64(bytes + 48, big) + (uint64_t)delta;
    const uint64_t bits = cs_perfread_get64(bytes + 72, big);
    uint64_t at = data + data_bytes;

    put64(bytes + 48, data_bytes, big);
    for (unsigned i = 0; i < 64; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        if (at > size || size - at < 16)
            return;
        const uint64_t place = cs_perfread_get64(bytes + at, big);
        if (place >= from)
            put64(bytes + at, place + (uint64_t)delta, big);
        at += 16;
    }
}

static void find_perf(finder *find)
{
    static const cs_damage_field fields[] = {
        {8, 8, "size of the header"},      {16, 8, "attr_size"},
        {24, 8, "offset of the attrs"},    {32, 8, "size of the attrs"},
        {40, 8, "offset of the data"},     {48, 8, "size of the data"},
        {72, 8, "bitmap of the features"},
    };
    const bool big = find->size > 0 && find->bytes[0] == '2';
    uint64_t at = 16, end = find->size;

    find->out->big_endian = big;
    find->out->has_size = true;
    find->out->size_at = 6;
    find->out->mend = mend_perf;
    if (find->size < 16)
        return;
    const bool pipe = cs_perfread_get64(find->bytes + 8, big) == 16;
    for (size_t i = 0; i < (pipe ? 1 : sizeof fields / sizeof fields[0]); i++)
        field(find, fields[i].offset, fields[i].bytes, fields[i].name);
    if (!pipe) {
        if (find->size < 104)
            return;
        at = cs_perfread_get64(find->bytes + 40, big);
        const uint64_t bytes = cs_perfread_get64(find->bytes + 48, big);
        if (at > end || bytes > end - at)
            return;
        end = at + bytes;
        const uint64_t attrs = cs_perfread_get64(find->bytes + 24, big);
        field(find, attrs + 4, 4, "size in the first attr");
        field(find, attrs + 24, 8, "sample_type of the first attr");
        field(find, attrs + 32, 8, "read_format of the first attr");
        field(find, end, 8, "offset of the first feature");
        field(find, end + 8, 8, "size of the first feature");
    }
    while (end - at >= 8) {
        uint64_t bytes = cs_perfread_get16(find->bytes + at + 6, big);

        if (cs_perfread_get32(find->bytes + at, big) == AUXTRACE && end - at >= 16)
            bytes += cs_perfread_get64(find->bytes + at + 8, big);
        if (bytes < 8 || bytes > end - at || !add(find, at, bytes))
            return;
        at += bytes;
    }
}

/* ---- the others ---- */

static void find_trace(finder *find)
{
    find->out->big_endian = true;
    find_blocks(find, 0, CS_IMC_TRACE_RECORD_BYTES);
}

/* Samples; what is left of each buffer is no sample. */
static void find_aux(finder *find)
{
    static const char *const names[CS_PMCU_AUX_WORDS] = {
        "buffer_size",           "nr_pmu",  "nr_cpu", "comp_mode", "subsample_size",
        "subsamples_per_sample", "nr_event"};
    cs_pmcu_aux_header header;

    for (unsigned i = 0; i < CS_PMCU_AUX_WORDS; i++)
        field(find, (uint64_t)4 * i, 4, names[i]);
    if (find->size < CS_PMCU_AUX_FIXED_BYTES ||
        cs_pmcu_aux_header_decode(find->bytes, NULL, &header, NULL) != CS_OK)
        return;
    const uint64_t sample = (uint64_t)header.subsample_size * header.subsamples_per_sample;
    uint64_t at = cs_pmcu_aux_header_bytes(header.nr_event);
    for (;;) {
        const uint64_t rest = header.buffer_size - at % header.buffer_size;

        if (rest < sample)
            at += rest;
        if (!add(find, at, sample))
            return;
        at += sample;
    }
}

/* The records alone, or the page of the header and what lies in the circle up to its end. */
static void find_ring(finder *find)
{
    uint64_t at = 0, end = find->size;

    find->out->has_size = true;
    find->out->size_at = 6;
    if (find->size >= CS_PERF_PAGE_BYTES && cs_perfread_get32(find->bytes, false) == 0) {
        const uint64_t head = cs_perfread_get64(find->bytes + CS_PERF_PAGE_DATA_HEAD, false);
        const uint64_t tail = cs_perfread_get64(find->bytes + CS_PERF_PAGE_DATA_TAIL, false);
        const uint64_t size = cs_perfread_get64(find->bytes + CS_PERF_PAGE_DATA_SIZE, false);

        field(find, CS_PERF_PAGE_DATA_HEAD, 8, "data_head");
        field(find, CS_PERF_PAGE_DATA_TAIL, 8, "data_tail");
        field(find, CS_PERF_PAGE_DATA_OFFSET, 8, "data_offset");
        field(find, CS_PERF_PAGE_DATA_SIZE, 8, "data_size");
        if (size == 0 || size > find->size - CS_PERF_PAGE_BYTES || head - tail > size)
            return;
        at = CS_PERF_PAGE_BYTES + tail % size;
        end = CS_PERF_PAGE_BYTES +
              (tail % size + (head - tail) < size ? tail % size + (head - tail) : size);
    }
    while (end - at >= 8) {
        const uint64_t bytes = cs_perfread_get16(find->bytes + at + 6, false);

        if (bytes < 8 || bytes > end - at || !add(find, at, bytes))
            return;
        at += bytes;
    }
}

/* Lines; the first one has the names. */
static void find_lines(finder *find)
{
    uint64_t at = 0;
    bool first = true;

    while (at < find->size) {
        const uint8_t *end = memchr(find->bytes + at, '\n', find->size - at);
        const uint64_t next = end != NULL ? (uint64_t)(end - find->bytes) + 1 : find->size;

        if (!first && !add(find, at, next - at))
            return;
        first = false;
        at = next;
    }
}

static void find_pages(finder *find)
{
    find_blocks(find, 0, 4096);
}

static void find_images(finder *find)
{
    find->out->big_endian = true;
    find_blocks(find, 0, 8192);
}

static void find_windows(finder *find)
{
    find->out->big_endian = true;
    find_blocks(find, 0, 262144);
}

static void find_bytes(finder *find)
{
    find_blocks(find, 0, BLOCK_BYTES);
}

static const struct format {
    const char *name;
    void (*find)(finder *find);
} formats[] = {
    {"perf-data", find_perf},  {"pmcu-aux", find_aux},      {"imc-trace", find_trace},
    {"riscv-ring", find_ring}, {"csv", find_lines},         {"sbi-snapshot", find_pages},
    {"imc-core", find_images}, {"imc-thread", find_images}, {"imc-nest", find_windows},
    {"bytes", find_bytes},
};

static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < 512; i++)
        if (bytes[i] != '\n' && bytes[i] != '\t' && (bytes[i] < 0x20 || bytes[i] > 0x7e))
            return false;
    return size > 0;
}

static const char *guess(const uint8_t *bytes, size_t size)
{
    cs_pmcu_aux_header header;
    cs_imc_trace_record record;

    if (cs_perfread_looks_so(bytes, size))
        return "perf-data";
    if (size >= CS_PMCU_AUX_FIXED_BYTES &&
        cs_pmcu_aux_header_decode(bytes, NULL, &header, NULL) == CS_OK)
        return "pmcu-aux";
    if (cs_perf_ring_looks_so(bytes, size))
        return "riscv-ring";
    for (size_t at = 0; at < 128 && at + CS_IMC_TRACE_RECORD_BYTES <= size; at += 64) {
        cs_imc_trace_decode(bytes + at, &record);
        if (record.itself == CS_IMC_VALID)
            return "imc-trace";
    }
    return is_text(bytes, size) ? "csv" : "bytes";
}

cs_status cs_damage_layout_of(const char *as, const uint8_t *bytes, size_t size,
                              cs_damage_layout *out, cs_diag *diag)
{
    finder find = {.bytes = bytes, .size = size, .out = out};

    *out = (cs_damage_layout){0};
    if (as == NULL)
        as = guess(bytes, size);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, as) != 0)
            continue;
        out->format = formats[i].name;
        formats[i].find(&find);
        if (!find.no_memory)
            return CS_OK;
        cs_damage_layout_free(out);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the places of records");
    }
    return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                       "found '%s', expected perf-data, pmcu-aux, imc-trace, imc-core, imc-thread, "
                       "imc-nest, riscv-ring, sbi-snapshot, csv or bytes",
                       as);
}

void cs_damage_layout_free(cs_damage_layout *layout)
{
    free(layout->records);
    layout->records = NULL;
    layout->nr_records = 0;
}
