// SPDX-License-Identifier: Apache-2.0
/* The CPU ports of a scenario (docs/hw/cpu.md): one for all software, or one for each CPU that runs
 * some. */
#ifndef CS_SCENARIO_MACHINE_PORTS_H
#define CS_SCENARIO_MACHINE_PORTS_H

#include <stdint.h>

#include "scenario/scenario.h"
#include <countersink/base/numbers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The CPU of each port, by its number: rising CPU numbers. How many there are, at least 1; a scenario
 * that has been checked has at most CS_MAX_CPU_PORTS. */
unsigned cs_scenario_ports(const cs_scenario *s, uint8_t cpus[CS_MAX_CPUS]);

/* For a cs_software_rule of software that runs on software.cpu only. */
bool cs_scenario_on_software_cpu(const cs_scenario *s, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
