// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/common/elf_program.h"
#include "guest/hpm/kinds.h"
#include "guest/hpm/parts.h"
#include "guest/plugin/tasks.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/hpm/harts_spec.h"

/* The kernel's functions by which it is known what runs, and what perf does. */
static const struct {
    const char *name;
    tasks_what what;
} watched[] = {
    {"__switch_to", TASKS_SWITCH},        {"wake_up_new_task", TASKS_FORK},
    {"__set_task_comm", TASKS_EXEC},      {"mmap_region", TASKS_MAP},
    {"riscv_pmu_event_init", TASKS_OPEN}, {"riscv_pmu_start", TASKS_BEGIN},
    {"riscv_pmu_stop", TASKS_END},        {"perf_event_overflow", TASKS_OVERFLOW},
    {"riscv_pmu_read", TASKS_READ},       {"handle_exception", TASKS_TRAP},
};
/* Where it counts the ids of perf's events. */
static const char last_id[] = "perf_event_id";

/* Where the kernel sees itself, and all memory (Sv57); memory begins with the firmware. */
#define IMAGE UINT64_C(0xffffffff80000000)
#define IMAGE_AT 0x200000u
#define LINEAR UINT64_C(0xff60000000000000)

unsigned cs_riscv_cycles(const cs_scenario *scenario, unsigned kind)
{
    const cs_guest_cycles *cycles = &scenario->guest->cycles;

    switch (kind) {
    case CS_RISCV_LOAD:
        return cycles->load;
    case CS_RISCV_STORE:
        return cycles->store;
    case CS_RISCV_BRANCH:
    case CS_RISCV_JUMP:
        return cycles->branch;
    default:
        return cycles->other;
    }
}

static void put_kernel(const cs_elf_program *kernel, FILE *out)
{
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++) {
        const cs_elf_symbol *symbol = cs_elf_program_find(kernel, watched[i].name);

        if (symbol != NULL)
            fprintf(out, "watch %u %" PRIx64 "\n", watched[i].what, symbol->addr);
    }
    fprintf(out, "ids %" PRIx64 "\n", cs_elf_program_variable(kernel, last_id));
}

cs_status cs_riscv_write_settings(const cs_scenario *scenario, const cs_guest_place *place,
                                  const char *path, cs_diag *diag)
{
    const cs_harts_spec *harts = scenario->harts;
    const uint64_t memory = (uint64_t)scenario->guest->memory_mib << 20;
    cs_elf_program *kernel = NULL;
    cs_status status = cs_elf_program_open(place->symbols, &kernel, diag);

    if (status != CS_OK)
        return status;
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        cs_elf_program_close(kernel);
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    }
    put_kernel(kernel, out);
    cs_elf_program_close(kernel);
    for (const cs_riscv_counted *of = cs_riscv_counted_events; of->number != 0; of++)
        fprintf(out, "event %u %x %u\n", of->number, of->kinds, of->cycles);
    for (unsigned kind = 0; kind < CS_RISCV_KINDS; kind++)
        fprintf(out, "cycles %u %u\n", kind, cs_riscv_cycles(scenario, kind));
    fprintf(out, "harts %u\nfault %u %" PRIu64 "\n", harts->count, scenario->guest->fault,
            scenario->guest->faulty);
    fprintf(out, "counters %x %u\nlatency %u\ncounts %u\n",
            (unsigned)(((UINT64_C(1) << harts->counters) - 1) << 3), harts->width,
            harts->lcofi_latency, scenario->guest->counts);
    fprintf(out, "window 0 %" PRIx64 " %x %" PRIx64 "\n", IMAGE, IMAGE_AT, memory - IMAGE_AT);
    fprintf(out, "window 1 %" PRIx64 " 0 %" PRIx64 "\n", LINEAR, memory);

    const bool bad = ferror(out) != 0;
    return fclose(out) == 0 && !bad
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
}
