// SPDX-License-Identifier: Apache-2.0
/* What records of perf hold, as text: the mode of a sample, and its call chain. */
#ifndef CS_FORMATS_PERF_ABI_TEXT_H
#define CS_FORMATS_PERF_ABI_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/formats/perf/abi/perf.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_CHAIN_TEXT (CS_PERF_CHAIN_MOST * 19u + 1u)

const char *cs_perf_misc_name(uint16_t misc); /* "guest user"; NULL: none of a sample */

/* The addresses, innermost first: "0x10124;0x1044c", without markers; "" where there is no address. `nr` <= CS_PERF_CHAIN_MOST.
 * Returns `out`. */
const char *cs_perf_chain_text(const uint64_t *words, size_t nr, char out[CS_PERF_CHAIN_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
