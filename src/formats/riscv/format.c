// SPDX-License-Identifier: Apache-2.0
/* What a RISC-V hart's software leaves: perf's ring, and pages of snapshots. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/perf/read/cursor.h"
#include "formats/riscv/read/ring.h"
#include "formats/riscv/read/snapshot.h"

static cs_status print_ring(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                            cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_perf_ring *ring = NULL;
    cs_status status = cs_perf_ring_open(&source, in->name, CS_PERF_EITHER, &ring, diag);

    if (status == CS_OK)
        status = cs_perf_ring_print(ring, print->table, sink, diag);
    cs_perf_ring_close(ring);
    return status;
}

/* The records alone, or the page of the header and what lies in the circle up to its end. */
static void find_ring(cs_damage_finder *find)
{
    uint64_t at = 0, end = find->size;

    find->out->has_size = true;
    find->out->size_at = 6;
    if (find->size >= CS_PERF_PAGE_BYTES && cs_perfread_get32(find->bytes, false) == 0) {
        const uint64_t head = cs_perfread_get64(find->bytes + CS_PERF_PAGE_DATA_HEAD, false);
        const uint64_t tail = cs_perfread_get64(find->bytes + CS_PERF_PAGE_DATA_TAIL, false);
        const uint64_t size = cs_perfread_get64(find->bytes + CS_PERF_PAGE_DATA_SIZE, false);

        cs_damage_add_field(find, CS_PERF_PAGE_DATA_HEAD, 8, "data_head");
        cs_damage_add_field(find, CS_PERF_PAGE_DATA_TAIL, 8, "data_tail");
        cs_damage_add_field(find, CS_PERF_PAGE_DATA_OFFSET, 8, "data_offset");
        cs_damage_add_field(find, CS_PERF_PAGE_DATA_SIZE, 8, "data_size");
        if (size == 0 || size > find->size - CS_PERF_PAGE_BYTES || head - tail > size)
            return;
        at = CS_PERF_PAGE_BYTES + tail % size;
        end = CS_PERF_PAGE_BYTES +
              (tail % size + (head - tail) < size ? tail % size + (head - tail) : size);
    }
    while (end - at >= 8) {
        const uint64_t bytes = cs_perfread_get16(find->bytes + at + 6, false);

        if (bytes < 8 || bytes > end - at || !cs_damage_add(find, at, bytes))
            return;
        at += bytes;
    }
}

const cs_format cs_format_riscv_ring = {
    .name = "riscv-ring",
    .about = "perf's ring of a RISC-V hart: memory from its header page on, or the records alone",
    .looks_so = cs_perf_ring_looks_so,
    .print = print_ring,
    .find = find_ring,
};

static cs_status print_snapshot(const cs_format_print *print, cs_input *in,
                                const cs_text_sink *sink, cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);

    return cs_sbi_snapshot_print(&source, in->name, print->table, sink, diag);
}

static void find_pages(cs_damage_finder *find)
{
    cs_damage_add_blocks(find, 0, 4096);
}

static const char *const snapshot_aliases[] = {"snapshot", NULL};

const cs_format cs_format_sbi_snapshot = {
    .name = "sbi-snapshot",
    .aliases = snapshot_aliases,
    .about = "snapshot pages of the SBI PMU extension, 4 KiB each",
    .print = print_snapshot,
    .find = find_pages,
};
