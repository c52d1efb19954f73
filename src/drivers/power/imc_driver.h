/* The software above IMC: OPAL as firmware, the kernel's driver, and perf commands, as one piece
 * of software on the CPU port (docs/imc_driver.md). What happens on a CPU (a cross call, a context
 * switch) is taken from that CPU's workload. */
#ifndef CS_DRIVERS_POWER_IMC_DRIVER_H
#define CS_DRIVERS_POWER_IMC_DRIVER_H

#include "base/diag.h"
#include "base/events.h"
#include "drivers/power/imc_rules.h"
#include "drivers/software.h"
#include "formats/imc/catalog/catalog.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_imc_driver cs_imc_driver;

/* perf stat printed a count. */
typedef struct cs_imc_count {
    unsigned command; /* its number in the scenario */
    unsigned cpu;
    const cs_imc_event *event;
    cycle_t from; /* the counter was read then */
    cycle_t to;
    uint64_t raw; /* modulo 2^64 */
} cs_imc_count;

/* A record that the driver took, as the sample that goes to perf. */
typedef struct cs_imc_perf_sample {
    unsigned command;
    unsigned cpu;
    cycle_t time; /* of the dump, and not of the record */
    uint64_t ip;
    uint64_t timebase; /* of the record; perf does not get it */
    uint32_t pid;      /* of the task that is current at the dump */
    uint16_t misc;     /* PERF_RECORD_MISC_* of the CPU mode */
    uint64_t period;
    bool by_interrupt; /* of a PMI's handler (pmi.h): it is no command's */
} cs_imc_perf_sample;

typedef struct cs_imc_driver_listener {
    /* CS_IMC_GOOD, or why perf could not open the command. */
    void (*opened)(void *ctx, unsigned command, cs_imc_error error, const char *reason);
    void (*count)(void *ctx, const cs_imc_count *count);
    void (*sample)(void *ctx, const cs_imc_perf_sample *sample);
    /* Who runs on the CPU. */
    void (*context)(void *ctx, unsigned cpu, cycle_t cycle, cs_context *out);
    void *ctx;
} cs_imc_driver_listener;

typedef struct cs_imc_driver_report {
    uint64_t opal_calls;
    uint64_t opal_errors; /* that did not answer success */
    uint64_t read_errors; /* counters that the bus did not deliver: no count then */
    uint64_t refused;     /* commands */
    uint64_t dumps;
    uint64_t scanned;     /* records that the scans looked at */
    uint64_t samples;     /* records that they took */
    uint64_t dump_cycles; /* from a dump's first read to its last write */
} cs_imc_driver_report;

/* The scenario (with its catalog) is borrowed. Every pointer of the listener must be set. */
cs_status cs_imc_driver_create(const cs_scenario *scenario, const cs_imc_driver_listener *listener,
                               cs_imc_driver **out, cs_diag *diag);
void cs_imc_driver_destroy(cs_imc_driver *driver); /* NULL is allowed */
cs_software cs_imc_driver_software(cs_imc_driver *driver);
const cs_imc_driver_report *cs_imc_driver_get_report(const cs_imc_driver *driver);

/* Where the kernel put its memory; for decoding what is left there. */
uint64_t cs_imc_core_memory(const cs_scenario *scenario, unsigned core);
uint64_t cs_imc_thread_memory(const cs_scenario *scenario, unsigned cpu);
uint64_t cs_imc_trace_buffer(const cs_scenario *scenario, unsigned cpu);
uint64_t cs_imc_trace_bytes(const cs_scenario *scenario);

#ifdef __cplusplus
}
#endif

#endif
