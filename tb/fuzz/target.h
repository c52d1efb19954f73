// SPDX-License-Identifier: Apache-2.0
/* What is fuzzed: a table of targets (targets.c), each a function of some bytes. They end with whatever
 * status; what must not happen is what sanitizers and libFuzzer see: a crash, a leak, a hang. */
#ifndef CS_TB_FUZZ_TARGET_H
#define CS_TB_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "formats/format.h"

/* Once, before the first input: the folder with what the corpus script has made, and the configs. */
extern const char *cs_fuzz_made;
extern const char *cs_fuzz_configs;

typedef struct cs_fuzz_target {
    const char *name;
    void (*run)(const void *ctx, const uint8_t *data, size_t size);
    const void *ctx;
} cs_fuzz_target;

/* Of formats: `ctx` is the format. */
void cs_fuzz_format(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_ctf(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_damage(const void *ctx, const uint8_t *data, size_t size);
/* Of trees. */
void cs_fuzz_catalog(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_catalog_source(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_pmu_map(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_address(const void *ctx, const uint8_t *data, size_t size);
/* Of scenarios. */
void cs_fuzz_scenario(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_set(const void *ctx, const uint8_t *data, size_t size);
/* A file against the truth of a run. */
void cs_fuzz_check(const void *ctx, const uint8_t *data, size_t size);
/* Of writers: the bytes are a program of calls (program.h). */
void cs_fuzz_perf_write(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_ctf_write(const void *ctx, const uint8_t *data, size_t size);
void cs_fuzz_perfetto_write(const void *ctx, const uint8_t *data, size_t size);

/* A file in memory with these bytes; its path is valid until the next one. */
const char *cs_fuzz_file(const uint8_t *data, size_t size);

/* What came of it. A fuzzer drops it; what replays inputs (tb/inputs) does not. */
extern const cs_text_sink cs_fuzz_sink;
void cs_fuzz_told(const void *bytes, size_t size);
void cs_fuzz_ended(cs_status status, const cs_diag *diag);

/* All of them; by name: `run` is NULL if there is none. */
void cs_fuzz_list(void);
cs_fuzz_target cs_fuzz_choose(const char *name);

#endif
