/* How events are numbered in streams and timelines, and what the CPUs are called beside units. */
#ifndef CS_SCENARIO_EVENT_SPACES_H
#define CS_SCENARIO_EVENT_SPACES_H

/* Events of streams: Arm's by their number; those of IMC's core engines, of the nest
 * counters, of harts and of uncore units above them (docs/hw/imc.md, nest.md, hpm.md, uncore.md). The clock of
 * an Arm core has one more. Numbers from 0x60000 up to
 * CS_TIMELINE_MAX_EVENT are free. */
#define CS_EVENT_ARM_CLOCK 0x50000u
#define CS_EVENT_IMC(n) (0x10000u + (n))
#define CS_EVENT_NEST(n) (0x20000u + (n))
#define CS_EVENT_HART(n) (0x30000u + (n))
#define CS_EVENT_UNCORE(n) (0x40000u + (n))
#define CS_EVENT_SPACE 0x10000u /* numbers of one of the five */
#define CS_UNCORE_CLOCK 0u      /* uncore: the bus clock */

#define CS_CPU_PMU_NAME "cpu" /* in results, where units have their names */

#endif
