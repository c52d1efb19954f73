// SPDX-License-Identifier: Apache-2.0
/* The samples of PMCU AUX data as a table.
 *
 * Text, for people: a row for each CPU of each subsample, a column for each event; where a
 * sample has several subsamples, each begins with a line of its events' names.
 * CSV and JSON, for programs: a row for each value (sample, subsample, cpu, cid1, cid2, event,
 * count), so that all rows have the same columns; the cycle counter's event is "cycles". */
#ifndef CS_FORMATS_PMCU_READ_AUX_PRINT_H
#define CS_FORMATS_PMCU_READ_AUX_PRINT_H

#include "formats/common/table.h"
#include "formats/pmcu/read/aux.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an event is called; NULL for its number as in "0x0011". The string must live until the
 * print has ended. */
typedef const char *(*cs_event_namer)(void *ctx, uint32_t event);

/* Prints what is left of `aux`. Errors of cs_pmcu_aux_next and of the sink; what came before
 * is printed (and the table ended) all the same. `namer` may be NULL. */
cs_status cs_pmcu_aux_print(cs_pmcu_aux *aux, cs_table_format format, cs_event_namer namer,
                            void *namer_ctx, const cs_text_sink *sink, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
