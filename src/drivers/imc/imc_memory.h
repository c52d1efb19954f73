// SPDX-License-Identifier: Apache-2.0
/* Where the kernel puts the memory of its IMC driver: a page pair a core, one a thread, and the
 * buffers of trace mode. */
#ifndef CS_DRIVERS_IMC_IMC_MEMORY_H
#define CS_DRIVERS_IMC_IMC_MEMORY_H

#include <stdint.h>

#include "formats/imc/catalog/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cs_scenario;

#define CS_IMC_TRACE_BYTES 0x40000u /* of a buffer, where no catalog says it */

typedef struct cs_imc_memory {
    uint64_t base;
    uint64_t trace_bytes; /* of a CPU's buffer */
    unsigned first_cpu;   /* of the first core */
    unsigned cores, threads;
} cs_imc_memory;

cs_imc_memory cs_imc_memory_of(const struct cs_scenario *scenario);
uint64_t cs_imc_trace_bytes(const cs_imc_catalog *catalog); /* NULL: none */

/* One beyond the last CPU. */
unsigned cs_imc_end_cpu(const cs_imc_memory *memory);
uint64_t cs_imc_core_memory(const cs_imc_memory *memory, unsigned core);
uint64_t cs_imc_thread_memory(const cs_imc_memory *memory, unsigned cpu);
uint64_t cs_imc_trace_buffer(const cs_imc_memory *memory, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
