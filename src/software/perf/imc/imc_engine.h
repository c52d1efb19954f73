// SPDX-License-Identifier: Apache-2.0
/* Internal: the engine of a CPU, its memory, and what firmware and kernel do with its registers. */
#ifndef CS_SOFTWARE_PERF_IMC_ENGINE_H
#define CS_SOFTWARE_PERF_IMC_ENGINE_H

#include "drivers/imc/imc_rules.h"
#include "software/perf/counters/window.h"
#include "software/perf/imc/imc_memory.h"
#include "software/perf/imc/imc_pmu.h"
#include <countersink/models/imc/imc_core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_perf_imc_engine {
    cs_perf_imc *imc;
    cs_perf *perf;
    cs_imc_core *core;
    cs_perf_imc_memory memory;
    /* The model's cycles are the CPU's, idle ones too, and one for each access. */
    cs_perf_window window;
    cs_event_source stream; /* the window's */
    uint64_t cycle;         /* of the CPU: so far the model has come */
    uint64_t ldbar;
    unsigned nr_counting, nr_tracing; /* events for which the firmware has started it */
} cs_perf_imc_engine;

struct cs_perf_imc {
    cs_perf_imc_config config;
    cs_perf_imc_engine *engines; /* NULL: no PMU yet */
    unsigned nr_engines;
    bool works;         /* there has been an event */
    cs_perf_pmu active; /* the one of the three PMUs that has events */
    unsigned nr_events;
    uint64_t trace_at, trace_bytes; /* the buffer in each memory; its bytes are a power of two */
};

/* The engines of the machine's CPUs, unless they are there. CS_ERR_RANGE, CS_ERR_NO_MEMORY. */
cs_status cs_perf_imc_attach(cs_perf_imc *imc, cs_perf *perf, cs_diag *diag);
/* The firmware and the kernel come up, unless they have. */
void cs_perf_imc_begin(cs_perf_imc *imc);

/* The model has come to where the CPU is. */
void cs_perf_imc_catch_up(cs_perf_imc_engine *engine, const cs_perf_cpu *cpu);
/* As cs_pmu_ops.settle says. */
void cs_perf_imc_settle(cs_perf_imc_engine *engine, cs_perf_cpu *cpu);
/* A register, of cs_imc_reg; the model has caught up. */
void cs_perf_imc_write(cs_perf_imc_engine *engine, unsigned reg, uint64_t value);

/* One more event, or one less, for which the engine of the core is on. */
void cs_perf_imc_start(cs_perf_imc_engine *engine, unsigned *nr);
void cs_perf_imc_stop(cs_perf_imc_engine *engine, unsigned *nr);
void cs_perf_imc_set_ldbar(cs_perf_imc_engine *engine, uint64_t value);

#define CS_PERF_IMC_CORE_AT 0u
#define CS_PERF_IMC_THREAD_AT 0x2000u
#define CS_PERF_IMC_LDBAR_ENABLE (UINT64_C(1) << 63)
#define CS_PERF_IMC_LDBAR_TRACE (UINT64_C(1) << 62)

/* Records of the buffer become samples of the event. */
void cs_perf_imc_dump(cs_perf_imc_engine *engine, cs_perf_cpu *cpu, cs_perf_event *event);

#ifdef __cplusplus
}
#endif

#endif
