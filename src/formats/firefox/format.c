// SPDX-License-Identifier: Apache-2.0
/* Processed profiles of the Firefox Profiler. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/firefox/read/firefox.h"

static cs_status print(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                       cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);

    return cs_profileread_print(&cs_firefoxread, &source, in->name, print->table, sink, diag);
}

const cs_format cs_format_firefox = {
    .name = "firefox",
    .about = "processed profile of the Firefox Profiler (profiler.firefox.com)",
    .looks_so = cs_firefoxread_looks_so,
    .print = print,
    .find = cs_damage_add_lines,
};
