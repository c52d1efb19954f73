/* How often each instruction was executed while trace mode ran, by CPU and image of a program.
 *
 * Who counts has a number a place for each CPU, which only rises; here is what it rose by between
 * counts_begin and counts_end. */
#ifndef CS_GUEST_IMC_PLUGIN_COUNTS_H
#define CS_GUEST_IMC_PLUGIN_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNTS_MOST (UINT64_C(1) << 21) /* places */
#define COUNTS_NONE COUNTS_MOST

typedef struct counts counts;

/* NULL: no memory. */
counts *counts_create(unsigned nr_cpus);

/* The place of an instruction, in a mode (MSR[HV PR] as a number); COUNTS_NONE: there is none left. */
size_t counts_place(counts *c, uint64_t pc, unsigned mode);

/* now[place]: of the CPU. */
void counts_begin(counts *c, unsigned cpu, const uint64_t *now);
void counts_end(counts *c, unsigned cpu, const uint64_t *now, uint32_t image);

/* Lines of log.h. */
void counts_put(const counts *c, FILE *log);

#endif
