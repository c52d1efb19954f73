// SPDX-License-Identifier: Apache-2.0
/* Internal: perf.data's writer, and what a program makes of it. */
#ifndef CS_TB_FUZZ_WRITE_PERF_H
#define CS_TB_FUZZ_WRITE_PERF_H

#include "formats/perf/write/data.h"
#include "program.h"

#define CS_FUZZ_PERF_EVENTS 4u

typedef struct cs_fuzz_perf {
    cs_fuzz_program p;
    cs_fuzz_memory memory;
    cs_perf_data_writer *writer;
    cs_perf_data_event events[CS_FUZZ_PERF_EVENTS];
    size_t nr_events;
    bool foreign; /* it has what the writer does not look at: our reader may refuse it */
} cs_fuzz_perf;

/* The next call of the program. */
cs_status cs_fuzz_perf_call(cs_fuzz_perf *run);

#endif
