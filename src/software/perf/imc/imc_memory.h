// SPDX-License-Identifier: Apache-2.0
/* Memory that IMC's engines write to, and the kernel reads. A transfer takes a cycle: nobody else is on
 * the way. */
#ifndef CS_SOFTWARE_PERF_IMC_MEMORY_H
#define CS_SOFTWARE_PERF_IMC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/bus/bus_port.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Its addresses begin at 0. */
typedef struct cs_perf_imc_memory {
    uint8_t *bytes;
    size_t size;
} cs_perf_imc_memory;

/* Zero. False: there is no memory. */
bool cs_perf_imc_memory_init(cs_perf_imc_memory *m, size_t size);
void cs_perf_imc_memory_free(cs_perf_imc_memory *m);

/* For engines; valid as long as *m. What is not all within it is answered DECERR. */
cs_bus_port cs_perf_imc_memory_port(cs_perf_imc_memory *m);

/* A big-endian doubleword; 0 where it is not all within. */
uint64_t cs_perf_imc_memory_get(const cs_perf_imc_memory *m, uint64_t address);
void cs_perf_imc_memory_set(cs_perf_imc_memory *m, uint64_t address, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
