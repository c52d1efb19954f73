// SPDX-License-Identifier: Apache-2.0
/* The records of an IMC trace as a table.
 *
 * Text, for people: a row for each record but those that were never written, which are only
 * counted; then how many records there are, how many the driver would deliver, and why not the
 * others. CSV and JSON, for programs: a row for every record. */
#ifndef CS_FORMATS_IMC_READ_RECORD_PRINT_H
#define CS_FORMATS_IMC_READ_RECORD_PRINT_H

#include <stdbool.h>

#include "formats/common/table.h"
#include "formats/imc/read/record.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints what is left of `trace`. Errors: those of cs_imc_trace_next and of the sink;
 * what came before is printed (and the table ended) all the same. */
cs_status cs_imc_trace_print(cs_imc_trace *trace, cs_table_format format, bool power10,
                             const cs_text_sink *sink, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
