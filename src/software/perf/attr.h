// SPDX-License-Identifier: Apache-2.0
/* struct perf_event_attr as a program hands it over, decoded. Bits of sample_type, read_format and
 * flags are named in <countersink/formats/perf/abi/perf.h>. */
#ifndef CS_SOFTWARE_PERF_ATTR_H
#define CS_SOFTWARE_PERF_ATTR_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/formats/perf/abi/perf.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_ATTR_BYTES 136u      /* what is known here: PERF_ATTR_SIZE_VER8 */
#define CS_PERF_ATTR_LEAST_BYTES 64u /* PERF_ATTR_SIZE_VER0, which a size of 0 means */
#define CS_PERF_ATTR_MOST_BYTES 4096u

typedef struct cs_perf_attr {
    uint32_t type;
    uint32_t size;
    uint64_t config, config1, config2, config3;
    uint64_t sample_period; /* with CS_PERF_ATTR_FREQ: sample_freq */
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t flags;  /* the bit field, as it lies on a little-endian machine */
    uint32_t wakeup; /* wakeup_events; with CS_PERF_ATTR_WATERMARK wakeup_watermark */
    uint32_t bp_type;
    uint64_t branch_sample_type;
    uint64_t sample_regs_user;
    uint32_t sample_stack_user;
    int32_t clockid;
    uint64_t sample_regs_intr;
    uint32_t aux_watermark;
    uint16_t sample_max_stack;
    uint32_t aux_sample_size;
    uint64_t sig_data;
} cs_perf_attr;

/* How many bytes of it there are to be fetched, by its own `size` (the word at offset 4). -E2BIG:
 * none; the kernel stores CS_PERF_ATTR_BYTES in that word then. */
int cs_perf_attr_bytes(uint32_t size);
/* `n` as cs_perf_attr_bytes returned it. 0; -E2BIG: something is set beyond what is known here
 * (that word is stored likewise); -EINVAL: what Linux refuses of any event, whoever asks. */
int cs_perf_attr_decode(const void *bytes, size_t n, cs_perf_attr *out);

#ifdef __cplusplus
}
#endif

#endif
