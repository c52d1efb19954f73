/* The way without IMC: sampling by performance monitor interrupts. Each CPU's own counter of
 * non-idle cycles raises an interrupt every `period` cycles; the handler takes the sample and
 * writes it into a ring in memory. Handlers of several CPUs run side by side. The counters and interrupts are the timeline's, not hardware of
 * the die: this is the yardstick, not the thing measured. */
#ifndef CS_DRIVERS_IMC_PMI_H
#define CS_DRIVERS_IMC_PMI_H

#include "base/diag.h"
#include "base/events.h"
#include "drivers/imc/imc_driver.h"
#include "drivers/software.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;

typedef struct cs_pmi cs_pmi;

typedef struct cs_pmi_report {
    uint64_t interrupts;
    uint64_t handler_cycles;
    uint64_t samples; /* written */
    uint64_t lost; /* the counter came round again before the handler began: the CPU port was busy
                         with another CPU's sample for so long */
} cs_pmi_report;

/* `events`: what each CPU does, by its number (events of docs/hw/imc.md); copied. `soft` is borrowed
 * and may be NULL: it gets cs_soft_imc_sample, each sample as it is written. */
cs_status cs_pmi_create(const cs_scenario *scenario, const cs_event_source *events,
                        const cs_soft_sink *soft, cs_pmi **out, cs_diag *diag);
void cs_pmi_destroy(cs_pmi *pmi); /* NULL is allowed */
cs_software cs_pmi_software(cs_pmi *pmi);
const cs_pmi_report *cs_pmi_get_report(const cs_pmi *pmi);

/* NULL where it does not run. */
cs_pmi *cs_pmi_of(const struct cs_environment *environment);

#ifdef __cplusplus
}
#endif

#endif
