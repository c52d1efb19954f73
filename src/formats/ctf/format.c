// SPDX-License-Identifier: Apache-2.0
/* Common Trace Format 1.8: a folder. */
#include "formats/format.h"
#include "formats/ctf/read/ctf.h"

static cs_status print_folder(const cs_format_print *print, cs_input *in, const cs_text_sink *sink,
                              cs_diag *diag)
{
    cs_ctfread *reader = NULL;
    cs_status status = cs_ctfread_open(in->name, &reader, diag);

    if (status == CS_OK)
        status = cs_ctfread_print(reader, print->table, sink, diag);
    cs_ctfread_close(reader);
    return status;
}

const cs_format cs_format_ctf = {
    .name = "ctf",
    .about = "a folder of the Common Trace Format 1.8",
    .folder = true,
    .folder_looks_so = cs_ctfread_looks_so,
    .print = print_folder,
};
