// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>

#include "formats/common/elf_program.h"
#include "guest/hpm/kinds.h"
#include "guest/hpm/parts.h"
#include "guest/parts.h"
#include "guest/settings.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/hpm/harts_spec.h"

/* The kernel's functions by which it is known what perf does. */
static const cs_guest_watched watched[] = {
    {"riscv_pmu_event_init", TASKS_OPEN}, {"riscv_pmu_start", TASKS_BEGIN},
    {"riscv_pmu_stop", TASKS_END},        {"perf_event_overflow", TASKS_OVERFLOW},
    {"riscv_pmu_read", TASKS_READ},       {"handle_exception", TASKS_TRAP},
    {"perf_event_read", TASKS_ASK},       {"machine_power_off", TASKS_OFF},
};

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

/* Where a program for bare harts says that it has ended, and what it leaves (riscv-arch-test has these). */
static cs_status put_bare(const char *elf, FILE *out, cs_diag *diag)
{
    static const char *const names[] = {"tohost", "begin_signature", "end_signature"};
    uint64_t at[sizeof names / sizeof names[0]] = {0};
    const cs_status status = cs_elf_addresses(elf, names, at, sizeof names / sizeof names[0], diag);

    if (status != CS_OK)
        return status;
    if (at[1] > at[2])
        return cs_diag_set(diag, CS_ERR_FORMAT, elf,
                           "begin_signature 0x%" PRIx64 " is after end_signature 0x%" PRIx64, at[1],
                           at[2]);
    fprintf(out, "bare %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", at[0], at[1], at[2]);
    return CS_OK;
}

static cs_status put_kernel(const char *symbols, FILE *out, cs_diag *diag)
{
    cs_elf_program *kernel = NULL;
    const cs_status status = cs_elf_program_open(symbols, &kernel, diag);

    if (status != CS_OK)
        return status;
    cs_guest_put_watched(kernel, watched, sizeof watched / sizeof watched[0], out);
    cs_elf_program_close(kernel);
    return CS_OK;
}

cs_status cs_riscv_write_settings(const cs_scenario *scenario, const cs_guest_place *place,
                                  const char *path, cs_diag *diag)
{
    const cs_harts_spec *harts = scenario->harts;
    const uint64_t memory = (uint64_t)scenario->guest->memory_mib << 20;
    const bool bare = scenario->guest->elf[0] != '\0';
    FILE *out;
    cs_status status = cs_guest_settings_begin(path, &out, diag);

    if (status != CS_OK)
        return status;
    status = bare ? put_bare(place->symbols, out, diag) : put_kernel(place->symbols, out, diag);
    cs_guest_put_common(scenario, CS_RISCV_KINDS, cs_riscv_cycles, out);
    for (const cs_riscv_counted *of = cs_riscv_counted_events; of->number != 0; of++)
        if (cs_riscv_counts(scenario->guest, of))
            fprintf(out, "event %u %x %u %x\n", of->number, of->kinds, of->cycles, of->outcomes);
    for (unsigned i = 0; i < CS_GUEST_CACHES; i++) {
        const cs_guest_cache *cache = &scenario->guest->caches[i];

        fprintf(out, "cache %u %u %u %u\n", i, cache->sets, cache->ways, cache->line);
    }
    fprintf(out, "harts %u\ncounters %x %u\nlatency %u\n", harts->count,
            (unsigned)(((UINT64_C(1) << harts->counters) - 1) << 3), harts->width,
            harts->lcofi_latency);
    if (scenario->guest->pins.cycles != 0)
        fprintf(out, "pins %" PRIx64 " %" PRIx64 "\n", scenario->guest->pins.from,
                scenario->guest->pins.cycles);
    if (!cs_guest_has_firmware(scenario))
        fprintf(out, "extensions %u %u %u\n", harts->smcntrpmf, harts->smcdeleg, harts->modes);
    fprintf(out, "window 0 %" PRIx64 " %x %" PRIx64 "\n", IMAGE, IMAGE_AT, memory - IMAGE_AT);
    fprintf(out, "window 1 %" PRIx64 " 0 %" PRIx64 "\n", LINEAR, memory);
    return cs_guest_settings_end(out, path, status, diag);
}
