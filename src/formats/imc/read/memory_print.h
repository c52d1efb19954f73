// SPDX-License-Identifier: Apache-2.0
/* Images of IMC memory as tables.
 *
 * Text, for people: for each image a table of its counters; for a nest window then one of its
 * groups and one of its control block. CSV and JSON, for programs: all of this as rows with the
 * same columns, of which `kind` tells "counter", "header", "trailer" or "control" apart. A nest
 * counter in a group that is not whole has that in its note. */
#ifndef CS_FORMATS_IMC_READ_MEMORY_PRINT_H
#define CS_FORMATS_IMC_READ_MEMORY_PRINT_H

#include <stdbool.h>

#include "formats/common/table.h"
#include "formats/imc/read/memory.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints what is left of `memory`. On POWER10 the units of the control block are named as there,
 * and the groups, which are not published, are left out. Errors: those of cs_imc_memory_next and
 * of the sink; what came before is printed (and the table ended) all the same. */
cs_status cs_imc_memory_print(cs_imc_memory *memory, cs_table_format format, bool power10,
                              const cs_text_sink *sink, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
