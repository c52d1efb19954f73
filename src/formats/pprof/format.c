// SPDX-License-Identifier: Apache-2.0
/* Profiles of pprof. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/pprof/read/pprof.h"

#define BLOCK_BYTES 64u

static cs_status print(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                       cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);

    return cs_profileread_print(&cs_pprofread, &source, in->name, print->table, sink, diag);
}

/* Packed by gzip, as pprof writes it: no other format here is. */
static bool looks_so(const uint8_t *look, size_t bytes)
{
    return bytes >= 3 && look[0] == 0x1f && look[1] == 0x8b && look[2] == 8;
}

/* Where records are nobody sees in what is packed. */
static void find_blocks(cs_damage_finder *find)
{
    cs_damage_add_blocks(find, 0, BLOCK_BYTES);
}

const cs_format cs_format_pprof = {
    .name = "pprof",
    .about = "profile.proto of pprof, packed by gzip",
    .looks_so = looks_so,
    .print = print,
    .find = find_blocks,
};
