// SPDX-License-Identifier: Apache-2.0
/* The JSON of speedscope. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/speedscope/read/speedscope.h"

static cs_status print(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                       cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);

    return cs_profileread_print(&cs_speedscoperead, &source, in->name, print->table, sink, diag);
}

const cs_format cs_format_speedscope = {
    .name = "speedscope",
    .about = "JSON of speedscope.app: samples in their order",
    .looks_so = cs_speedscoperead_looks_so,
    .print = print,
    .find = cs_damage_add_lines,
};
