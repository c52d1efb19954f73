/* A call chain of perf's as text: its addresses, innermost first. */
#ifndef CS_FORMATS_RISCV_READ_CHAIN_H
#define CS_FORMATS_RISCV_READ_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include "formats/riscv/abi/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_CHAIN_TEXT (CS_PERF_CHAIN_MOST * 19u + 1u)

/* "0x10124;0x1044c", without markers; "" where there is no address. `nr` <= CS_PERF_CHAIN_MOST.
 * Returns `out`. */
const char *cs_perf_chain_text(const uint64_t *words, size_t nr, char out[CS_PERF_CHAIN_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
