// SPDX-License-Identifier: Apache-2.0
/* Internal to the formats of profilers: the samples of a run, with their stacks in functions. Each
 * frame and each stack is kept once. */
#ifndef CS_TRACES_PROFILE_STACKS_H
#define CS_TRACES_PROFILE_STACKS_H

#include "base/files/spill.h"
#include "traces/common/feed.h"
#include "traces/common/symbols.h"

#define CS_STACKS_NONE UINT32_MAX

typedef struct cs_stacks_frame {
    cs_trace_space space;
    uint64_t address;              /* of frames by name: where the function begins */
    const cs_trace_symbol *symbol; /* NULL: it is in no function */
} cs_stacks_frame;

/* A stack is its innermost frame, and the stack that it was called from. */
typedef struct cs_stacks_stack {
    uint32_t frame;
    uint32_t caller; /* CS_STACKS_NONE: none */
} cs_stacks_stack;

typedef struct cs_stacks_sample {
    uint64_t time_ns, period;
    uint32_t pid;
    uint32_t stack; /* CS_STACKS_NONE: nobody knows where it was */
    uint32_t event; /* of the feed's list */
    uint32_t cpu;
} cs_stacks_sample;

/* Pairs of numbers, each with a number of its own from 0 on. */
typedef struct cs_stacks_table {
    uint32_t *slots; /* number + 1; 0: free */
    size_t nr_slots;
} cs_stacks_table;

typedef struct cs_stacks {
    const cs_scenario *scenario;
    bool by_name; /* a frame is a function, not an address in it */
    bool failed;  /* there was no memory */
    cs_trace_symbols *symbols;
    cs_stacks_frame *frames;
    size_t nr_frames, frames_room;
    cs_stacks_stack *stacks;
    size_t nr_stacks, stacks_room;
    cs_stacks_table frame_table, stack_table;
    cs_spill *samples; /* of cs_stacks_sample, as perf has them: each CPU's own by rising time */
} cs_stacks;

/* Errors: CS_ERR_NO_MEMORY; *stacks is to be freed then, too. */
cs_status cs_stacks_init(cs_stacks *stacks, const cs_scenario *scenario, bool by_name,
                         cs_diag *diag);
void cs_stacks_free(cs_stacks *stacks);

/* Adds a record that is a sample. */
void cs_stacks_add(cs_stacks *stacks, const cs_trace_record *record);

/* The frames of a stack, outermost first; the number of them, at most `most`. */
#define CS_STACKS_MOST_FRAMES 160u
size_t cs_stacks_frames(const cs_stacks *stacks, uint32_t stack,
                        uint32_t out[CS_STACKS_MOST_FRAMES]);

/* The function's name, or the address: "parse_request", "0x10c04". */
#define CS_STACKS_NAME_BYTES 64u
const char *cs_stacks_frame_name(const cs_stacks_frame *frame, char out[CS_STACKS_NAME_BYTES]);

#endif
