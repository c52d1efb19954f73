// SPDX-License-Identifier: Apache-2.0
/* POWER cores with in-memory collection. */
#ifndef CS_SCENARIO_IMC_IMC_SPEC_H
#define CS_SCENARIO_IMC_IMC_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CS_IMC_THREADS 4u /* places for the threads of a core in maps and numbers */
#define CS_IMC_MAX_CORES 24u

/* A core whose power goes for a while. */
typedef struct cs_deep_stop_spec {
    unsigned core;
    uint64_t at_us;
    uint64_t for_us;
} cs_deep_stop_spec;

typedef struct cs_imc_spec {
    bool tell_interrupts;           /* by CPU, in summary and truth */
    struct cs_imc_catalog *catalog; /* NULL: none */
    unsigned cores;                 /* of all chips */
    unsigned chips;                 /* each has as many cores; 0 is 1 */
    unsigned threads;               /* 1, 2, 4 */
    bool power10;
    unsigned tap_log2;
    unsigned timebase_mhz;
    uint64_t timebase_start;
    cs_deep_stop_spec *deep_stops;
    size_t nr_deep_stops;
    /* The event whose stream a select code of CPMC1 (0..127), CPMC2 (128..255), and CPMC3 and
     * CPMC4 count: user and kernel shares are those of the event that they share. */
    uint16_t event_of[258];
} cs_imc_spec;

static inline unsigned cs_imc_chips(const cs_imc_spec *imc)
{
    return imc->chips != 0 ? imc->chips : 1;
}

static inline unsigned cs_imc_chip_cores(const cs_imc_spec *imc)
{
    return imc->cores / cs_imc_chips(imc);
}

/* The chip of a core. */
static inline unsigned cs_imc_chip_of(const cs_imc_spec *imc, unsigned core)
{
    const unsigned cores = cs_imc_chip_cores(imc);

    return cores != 0 ? core / cores : 0;
}

#endif
