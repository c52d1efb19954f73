// SPDX-License-Identifier: Apache-2.0
/* Folded stacks, of which flame graphs are made. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/folded/read/folded.h"

static cs_status print(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                       cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);

    return cs_profileread_print(&cs_foldedread, &source, in->name, print->table, sink, diag);
}

const cs_format cs_format_folded = {
    .name = "folded",
    .about = "folded stacks (flamegraph.pl, inferno, speedscope)",
    .looks_so = cs_foldedread_looks_so,
    .print = print,
    .find = cs_damage_add_lines,
};
