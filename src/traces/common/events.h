/* Internal to traces: the events that a scenario's perf commands open, as perf knows them. */
#ifndef CS_TRACES_COMMON_EVENTS_H
#define CS_TRACES_COMMON_EVENTS_H

#include "base/diag.h"
#include "drivers/rotation/rotated.h"
#include "formats/imc/catalog/catalog.h"
#include "traces/trace.h"

typedef enum cs_trace_source {
    CS_TRACE_IMC,       /* imc_driver.perf */
    CS_TRACE_HART,      /* riscv.perf */
    CS_TRACE_UNCORE,    /* uncore_driver.perf */
    CS_TRACE_MULTIPLEX, /* multiplex */
    CS_TRACE_PMI,       /* pmi */
    CS_TRACE_PMCU,      /* driver: the PMCU itself; config and config1 as its driver takes them */
    CS_TRACE_ARM /* driver: an event that the PMCU counts on the cores; they follow the PMCU's, the last
                      is the cycle counter */
} cs_trace_source;

typedef struct cs_trace_event {
    cs_trace_source source;
    unsigned command;        /* its number in the scenario's list */
    unsigned event;          /* its number in the command */
    const cs_imc_event *imc; /* of CS_TRACE_IMC */
    unsigned uncore_unit;    /* of CS_TRACE_UNCORE: its number */
    char name[512];          /* "trace_imc/trace_cycles/", "instructions:u" */
    uint32_t type;           /* of the PMU */
    uint64_t config, config1;
    uint64_t period;   /* 0: it counts */
    uint64_t excludes; /* CS_PERF_ATTR_EXCLUDE_.. */
    bool intervals;    /* it is told by the interval (-I) */
    bool guest;        /* a guest's perf has opened it */
    bool callchain;    /* its samples have call chains */
    const char *unit;  /* NULL: none */
    double scale;      /* 1: none */
    uint64_t *ids;     /* [nr_cpus] */
    uint16_t *cpus;    /* [nr_cpus], rising */
    unsigned nr_cpus;
} cs_trace_event;

typedef struct cs_trace_pmu {
    uint32_t type;
    char name[256];
} cs_trace_pmu;

typedef struct cs_trace_events {
    cs_trace_event *list;
    size_t nr;
    cs_trace_pmu *pmus; /* dynamic ones, and those that perf always has */
    size_t nr_pmus;
    unsigned nr_commands; /* that the events are of */
    unsigned interval_us; /* of the only command; else 0 */
} cs_trace_events;

/* What the kernel said to the events when perf opened them. */
typedef struct cs_trace_openings {
    const cs_trace_events *events;
    unsigned good, refused;
    char why[160]; /* of the first that was refused */
} cs_trace_openings;

/* Of IMC's command, of an event of harts. `why` NULL: it is open; else why it is refused. */
void cs_trace_opened_imc(cs_trace_openings *openings, unsigned command, const char *why);
void cs_trace_opened_hart(cs_trace_openings *openings, unsigned command, unsigned event,
                          const char *why);
/* Of events that sample. CS_ERR_SCENARIO: all are refused, and perf record makes no file then. */
cs_status cs_trace_openings_check(const cs_trace_openings *openings, const cs_scenario *scenario,
                                  cs_diag *diag);

/* perf's flavour `faithful`: of the PMCU there is its own event only. */
bool cs_trace_is_faithful(const cs_trace_request *request);

/* CS_ERR_USAGE where request->command names none; the text tells those there are. */
cs_status cs_trace_command_check(const cs_scenario *scenario, const cs_trace_request *request,
                                 cs_diag *diag);

/* The events of the commands that are asked for, and of these only those that sample (or only those
 * that count). Errors: CS_ERR_NO_MEMORY; CS_ERR_SCENARIO for a unit named like a PMU of perf's own. */
cs_status cs_trace_events_create(const cs_scenario *scenario, const cs_trace_request *request,
                                 bool sampling, cs_trace_events **out, cs_diag *diag);
void cs_trace_events_destroy(cs_trace_events *events); /* NULL is allowed */

/* The number in the list; events->nr: none. */
size_t cs_trace_events_find(const cs_trace_events *events, cs_trace_source source, unsigned command,
                            unsigned event);
size_t cs_trace_events_find_imc(const cs_trace_events *events, unsigned command,
                                const cs_imc_event *imc);
/* The first from number `from` on that the count can be of: a command may have the same event twice. */
size_t cs_trace_events_find_rotated(const cs_trace_events *events, const cs_rotated_count *count,
                                    size_t from);
/* The id of the event on the CPU; 0: it is not counted there. */
uint64_t cs_trace_event_id(const cs_trace_event *event, unsigned cpu);

#endif
