// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. IMC's events by number and by the names of a catalog
 * (docs/hw/imc.md, "What the core tells"; docs/hw/nest.md, "Rows"). */
#ifndef CS_SCENARIO_IMC_EVENTS_H
#define CS_SCENARIO_IMC_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct cs_imc_catalog;

/* Numbers of the select codes of CPMC1 and CPMC2, and of CPMC3 and CPMC4. */
#define CS_IMC_CODES 128u
#define CS_IMC_EVENTS 258u
#define CS_IMC_NON_IDLE_INST 256u
#define CS_IMC_NON_IDLE_CYCLES 257u

/* The 32 MHz event that trace mode samples: CPMC2 code 2, on POWER10 CPMC1 code 4. */
#define CS_IMC_REFERENCE(power10) ((power10) ? 4u : CS_IMC_CODES + 2u)
#define CS_IMC_REFERENCE_MHZ 32u

/* Does the nest's engine post the counter at `offset` of its window? */
bool cs_imc_is_posted(bool power10, uint32_t offset);
/* And does one with this availability vector, as the rows' masks know it? */
bool cs_imc_is_posted_with(bool power10, uint32_t offset, uint64_t units);

/* Slots of the user and kernel quadrants count what the quadrant of all states counts. */
void cs_imc_default_events(uint16_t event_of[CS_IMC_EVENTS]);

/* The same with a catalog's names: X_USER and X_KERNEL count what X counts. */
void cs_imc_catalog_events(const struct cs_imc_catalog *catalog, uint16_t event_of[CS_IMC_EVENTS]);

/* The number of streams (CS_EVENT_IMC, CS_EVENT_NEST) by "cpmc1:5", "cpmc2:5", "cpmc3",
 * "cpmc4", "nest:0xc8", or an event's name in the catalog (may be NULL). False, and in `why` the
 * reason, or an empty text where nothing has that name. */
bool cs_imc_event_number(const struct cs_imc_catalog *catalog, bool power10,
                         const uint16_t event_of[CS_IMC_EVENTS], const char *name, uint32_t *number,
                         char why[160]);

#endif
