// SPDX-License-Identifier: Apache-2.0
/* What `perf stat -x` and `-j` print. */
#include "formats/format.h"
#include "formats/damage/finder.h"
#include "formats/perf_stat/read/perf_stat.h"

static cs_status print(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                       cs_diag *diag)
{
    const cs_byte_source source = cs_input_source(in);
    cs_statread *reader = NULL;
    cs_status status = cs_statread_open(&source, in->name, &reader, diag);

    if (status == CS_OK)
        status = cs_statread_print(reader, print->table, sink, diag);
    cs_statread_close(reader);
    return status;
}

const cs_format cs_format_perf_stat = {
    .name = "perf-stat",
    .about = "counts as perf stat -x, and -j print them",
    .looks_so = cs_statread_looks_so,
    .print = print,
    .find = cs_damage_add_lines,
};
