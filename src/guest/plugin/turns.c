// SPDX-License-Identifier: Apache-2.0
#include "guest/plugin/turns.h"

#include <string.h>

#include "guest/imc/events.h"

#define SHORT 200u
#define NEAR 64u    /* bytes */
#define WORDS 8192u /* of a CPU's structure that are looked at; it has more */

extern void tcg_cpu_init_cflags(void *cpu, bool parallel) __attribute__((weak));
extern void *qemu_get_cpu(int index) __attribute__((weak));
extern void cpu_exit(void *cpu) __attribute__((weak));

static struct {
    uint32_t *flags[EVENTS_CPUS]; /* NULL: not known */
    uint32_t parallel;            /* the bit in them */
    bool making;
    uint64_t began[EVENTS_CPUS]; /* where */
    uint64_t firmware, firmware_end;
} g;

void turns_firmware(uint64_t from, uint64_t to)
{
    g.firmware = from;
    g.firmware_end = to;
}

/* The word of the structure that changes when the CPU is told to be parallel. */
static bool find_flags(unsigned number, uint32_t *cpu)
{
    static uint32_t before[WORDS];
    unsigned found = 0;

    memcpy(before, cpu, sizeof before);
    tcg_cpu_init_cflags(cpu, true);
    for (unsigned i = 0; i < WORDS; i++)
        if (cpu[i] != before[i]) {
            g.flags[number] = &cpu[i];
            g.parallel = cpu[i] & ~before[i];
            cpu[i] = before[i];
            found++;
        }
    return found == 1 && g.parallel != 0 && (g.parallel & (g.parallel - 1)) == 0;
}

bool turns_know(unsigned cpu)
{
    return cpu < EVENTS_CPUS && tcg_cpu_init_cflags != NULL && qemu_get_cpu != NULL &&
           cpu_exit != NULL && qemu_get_cpu((int)cpu) != NULL &&
           find_flags(cpu, qemu_get_cpu((int)cpu));
}

static void set(bool parallel)
{
    for (unsigned i = 0; i < EVENTS_CPUS; i++)
        if (g.flags[i] != NULL)
            *g.flags[i] = parallel ? *g.flags[i] | g.parallel : *g.flags[i] & ~g.parallel;
    g.making = parallel;
}

void turns_make(void)
{
    set(true);
}

void turns_made(void)
{
    if (g.making)
        set(false);
}

uint64_t turns_length(unsigned cpu, uint64_t pc)
{
    const uint64_t before = g.began[cpu];

    g.began[cpu] = pc;
    return pc >= g.firmware && pc < g.firmware_end && pc - before + NEAR < 2 * NEAR ? SHORT
                                                                                    : TURNS_LONG;
}

void turns_end(unsigned cpu)
{
    cpu_exit(qemu_get_cpu((int)cpu));
}
