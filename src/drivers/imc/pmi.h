// SPDX-License-Identifier: Apache-2.0
/* The way without IMC: sampling by performance monitor interrupts. Each CPU's own counter of
 * non-idle cycles raises an interrupt every `period` cycles, or as often as perf's frequency mode has it; the handler takes the sample
 * and writes it into a ring in memory. Handlers of several CPUs run side by side. The counters and
 * interrupts are the timeline's, not hardware of the die: this is the yardstick, not the thing
 * measured. */
#ifndef CS_DRIVERS_IMC_PMI_H
#define CS_DRIVERS_IMC_PMI_H

#include "drivers/imc/imc_driver.h"
#include "drivers/software.h"
#include "scenario/imc/pmi_spec.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>
#include <countersink/models/imc/imc_timebase.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;
struct cs_scenario;

typedef struct cs_pmi cs_pmi;

typedef struct cs_pmi_config {
    const cs_pmi_spec *spec; /* borrowed; in the ranges of the scenario's keys */
    bool power10;            /* samples have the mode */
    cs_imc_timebase timebase;
    unsigned clock_mhz;            /* bus cycles of a microsecond */
    unsigned irq_cycles;           /* of an interrupt, beside its handler */
    unsigned nr_cpus;              /* 1..CS_MAX_CPUS; spec->cpus beyond them are not looked at */
    const cs_event_source *events; /* what each CPU does, by its number (docs/hw/imc.md); copied */
    const cs_soft_sink *soft;      /* cs_soft_imc_sample, each sample as it is written; borrowed,
                                      may be NULL */
} cs_pmi_config;

typedef struct cs_pmi_report {
    uint64_t interrupts;
    uint64_t handler_cycles;
    uint64_t samples; /* written */
    uint64_t lost; /* the counter came round again before the handler began: the CPU port was busy
                         with another CPU's sample for so long */
    /* Of frequency mode: */
    uint64_t ticks; /* of the timer, all CPUs' */
    uint64_t tick_cycles;
    uint64_t throttled; /* times that a counter stood still until the next tick */
} cs_pmi_report;

/* CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_pmi_create(const cs_pmi_config *config, cs_pmi **out, cs_diag *diag);
void cs_pmi_destroy(cs_pmi *pmi); /* NULL is allowed */
cs_software cs_pmi_software(cs_pmi *pmi);
const cs_pmi_report *cs_pmi_get_report(const cs_pmi *pmi);

/* NULL where it does not run. */
cs_pmi *cs_pmi_of(const struct cs_environment *environment);
/* The scenario's, without events and soft; it borrows the scenario. */
cs_pmi_config cs_pmi_config_of(const struct cs_scenario *scenario);

#ifdef __cplusplus
}
#endif

#endif
