// SPDX-License-Identifier: Apache-2.0
#include "guest/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "scenario/guest/guest_spec.h"

static const cs_guest_watched processes[] = {{"__switch_to", TASKS_SWITCH},
                                             {"wake_up_new_task", TASKS_FORK},
                                             {"__set_task_comm", TASKS_EXEC},
                                             {"mmap_region", TASKS_MAP}};
static const char last_id[] = "perf_event_id";

cs_status cs_guest_settings_begin(const char *path, FILE **out, cs_diag *diag)
{
    *out = fopen(path, "w");
    return *out != NULL ? CS_OK
                        : cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
}

cs_status cs_guest_settings_end(FILE *out, const char *path, cs_status status, cs_diag *diag)
{
    const bool bad = ferror(out) != 0;

    if ((fclose(out) != 0 || bad) && status == CS_OK)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    return status;
}

static void put(const cs_elf_program *kernel, const cs_guest_watched *watched, FILE *out)
{
    const cs_elf_symbol *symbol = cs_elf_program_find(kernel, watched->name);

    if (symbol != NULL)
        fprintf(out, "watch %u %" PRIx64 "\n", watched->what, symbol->addr);
}

void cs_guest_put_watched(const cs_elf_program *kernel, const cs_guest_watched driver[], size_t nr,
                          FILE *out)
{
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++)
        put(kernel, &processes[i], out);
    for (size_t i = 0; i < nr; i++)
        put(kernel, &driver[i], out);
    fprintf(out, "ids %" PRIx64 "\n", cs_elf_program_variable(kernel, last_id));
}

void cs_guest_put_common(const cs_scenario *scenario, unsigned nr_kinds,
                         unsigned (*cycles)(const cs_scenario *scenario, unsigned kind), FILE *out)
{
    const cs_guest_spec *guest = scenario->guest;

    for (unsigned kind = 0; kind < nr_kinds; kind++)
        fprintf(out, "cycles %u %u\n", kind, cycles(scenario, kind));
    fprintf(out, "fault %u %" PRIu64 "\ncounts %u\n", guest->fault, guest->faulty,
            guest->elf[0] != '\0' ? CS_GUEST_COUNT_ALL : guest->counts);
}
