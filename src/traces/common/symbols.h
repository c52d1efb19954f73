// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: the functions of a scenario by their addresses, for formats that have names in
 * place of mappings. */
#ifndef CS_TRACES_COMMON_SYMBOLS_H
#define CS_TRACES_COMMON_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/scenario.h"
#include <countersink/base/diag.h>

/* Where an address means something. */
typedef struct cs_trace_space {
    bool guest;
    bool kernel;
    uint32_t pid; /* of a kernel: 0 */
} cs_trace_space;

typedef struct cs_trace_symbol {
    cs_trace_space space;
    uint64_t base, end;
    const char *name;   /* the scenario's */
    const char *object; /* its process's name, or its workload's; "kernel" */
} cs_trace_symbol;

typedef struct cs_trace_symbols {
    cs_trace_symbol *list; /* by space, then by rising base */
    size_t nr;
} cs_trace_symbols;

/* Errors: CS_ERR_NO_MEMORY. The scenario must outlive it. */
cs_status cs_trace_symbols_create(const cs_scenario *scenario, cs_trace_symbols **out,
                                  cs_diag *diag);
void cs_trace_symbols_destroy(cs_trace_symbols *symbols); /* NULL is allowed */

/* NULL: the address is in no function. */
const cs_trace_symbol *cs_trace_symbols_find(const cs_trace_symbols *symbols, cs_trace_space space,
                                             uint64_t address);

#endif
