// SPDX-License-Identifier: Apache-2.0
/* Where the records of a perf.data file are. */
#include "formats/damage/finder.h"
#include "formats/perf/format.h"
#include "formats/perf/read/cursor.h"
#include "formats/perf/read/data.h"

#define AUXTRACE 71u

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

void cs_perfread_find(cs_damage_finder *find)
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
        cs_damage_add_field(find, fields[i].offset, fields[i].bytes, fields[i].name);
    if (!pipe) {
        if (find->size < 104)
            return;
        at = cs_perfread_get64(find->bytes + 40, big);
        const uint64_t bytes = cs_perfread_get64(find->bytes + 48, big);
        if (at > end || bytes > end - at)
            return;
        end = at + bytes;
        const uint64_t attrs = cs_perfread_get64(find->bytes + 24, big);
        cs_damage_add_field(find, attrs + 4, 4, "size in the first attr");
        cs_damage_add_field(find, attrs + 24, 8, "sample_type of the first attr");
        cs_damage_add_field(find, attrs + 32, 8, "read_format of the first attr");
        cs_damage_add_field(find, end, 8, "offset of the first feature");
        cs_damage_add_field(find, end + 8, 8, "size of the first feature");
    }
    while (end - at >= 8) {
        uint64_t bytes = cs_perfread_get16(find->bytes + at + 6, big);

        if (cs_perfread_get32(find->bytes + at, big) == AUXTRACE && end - at >= 16)
            bytes += cs_perfread_get64(find->bytes + at + 8, big);
        if (bytes < 8 || bytes > end - at || !cs_damage_add(find, at, bytes))
            return;
        at += bytes;
    }
}
