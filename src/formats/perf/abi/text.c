// SPDX-License-Identifier: Apache-2.0
#include "formats/perf/abi/text.h"

#include <inttypes.h>
#include <stdio.h>

const char *cs_perf_misc_name(uint16_t misc)
{
    static const char *const names[] = {
        [CS_PERF_MISC_KERNEL] = "kernel",
        [CS_PERF_MISC_USER] = "user",
        [CS_PERF_MISC_GUEST_KERNEL] = "guest kernel",
        [CS_PERF_MISC_GUEST_USER] = "guest user",
    };

    return misc < sizeof names / sizeof names[0] ? names[misc] : NULL;
}

const char *cs_perf_chain_text(const uint64_t *words, size_t nr, char out[CS_PERF_CHAIN_TEXT])
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; i < nr && i < CS_PERF_CHAIN_MOST; i++)
        if (words[i] < CS_PERF_CONTEXT_FIRST)
            used += (size_t)snprintf(out + used, CS_PERF_CHAIN_TEXT - used, "%s0x%" PRIx64,
                                     used != 0 ? ";" : "", words[i]);
    return out;
}
