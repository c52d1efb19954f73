// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/common/elf_program.h"
#include "formats/imc/catalog/catalog.h"
#include "formats/imc/catalog/packed.h"
#include "guest/imc/bridge.h"
#include "guest/imc/parts.h"
#include "guest/log.h"
#include "guest/settings.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/imc/imc_events.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/nest/nest_spec.h"
#include <countersink/base/numbers.h>

/* The kernel's functions that read what the engines write: what their names begin with. */
static const struct {
    const char *name;
    bridge_role role;
} drivers[] = {
    {"dump_trace_imc_data", BRIDGE_TRACE},  {"trace_imc_event_", BRIDGE_TRACE},
    {"imc_event_start", BRIDGE_BEGIN},      {"imc_event_add", BRIDGE_BEGIN},
    {"thread_imc_event_add", BRIDGE_BEGIN}, {"imc_event_update", BRIDGE_READ},
    {"imc_event_stop", BRIDGE_END},         {"thread_imc_event_del", BRIDGE_END},
};

/* The kernel's functions by which it is known what perf does. */
static const cs_guest_watched watched[] = {
    {"trace_imc_event_init", TASKS_OPEN},  {"trace_imc_event_add", TASKS_BEGIN},
    {"dump_trace_imc_data", TASKS_DUMP},   {"trace_imc_event_del", TASKS_END},
    {"nest_imc_event_init", TASKS_OPEN},   {"core_imc_event_init", TASKS_OPEN},
    {"thread_imc_event_init", TASKS_OPEN}, {"imc_event_start", TASKS_READ},
    {"imc_event_add", TASKS_READ},         {"thread_imc_event_add", TASKS_READ},
    {"imc_event_update", TASKS_READ},      {"imc_event_stop", TASKS_READ},
    {"thread_imc_event_del", TASKS_READ},
};

/* What events of the catalog count in a core without caches and without a model of its pipeline. Those
 * of the users' and the kernel's quadrant count what that of all counts. */
static const struct {
    const char *name;
    events_what what;
} counted[] = {
    {"core_imc/CPM_PCYC/", EVENTS_CYCLES},
    {"core_imc/CPM_INST/", EVENTS_INSTRUCTIONS},
    {"core_imc/CPM_NON_IDLE_INST/", EVENTS_INSTRUCTIONS},
    {"core_imc/CPM_1THRD_NON_IDLE_INST/", EVENTS_INSTRUCTIONS},
    {"core_imc/CPM_0THRD_NON_IDLE_PCYC/", EVENTS_IDLE},
    {"core_imc/CPM_NON_IDLE_PCYC/", EVENTS_CYCLES},
    {"core_imc/CPM_ANY_THRD_NON_IDLE_PCYC/", EVENTS_CYCLES},
    {"core_imc/CPM_CCYC/", EVENTS_TICKS},
    {"core_imc/CPM_32MHZ_CYC/", EVENTS_TICKS},
    {"core_imc/CPM_CS_PCYC/", EVENTS_CYCLES},
    {"core_imc/CPM_CS_INST/", EVENTS_INSTRUCTIONS},
    {"core_imc/CPM_CS_32MHZ_CYC/", EVENTS_TICKS},
    {"core_imc/CPM_CS_MISS_L1_LDATA/", EVENTS_LOADS},
    {"core_imc/CPM_CS_FROM_MEM_LDATA/", EVENTS_LOADS},
    {"core_imc/CPM_CS_ST_MISS_L1/", EVENTS_STORES},
    {"nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01/", EVENTS_LOADS},
    {"nest_mcs01_imc/PM_MCS01_128B_WR_DISP_PORT01/", EVENTS_STORES},
    {"nest_powerbus0_imc/PM_PB_CYC/", EVENTS_CLOCK},
};

static void put_events(const cs_imc_spec *imc, FILE *out)
{
    uint8_t core[CS_IMC_EVENTS] = {0};

    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        const cs_imc_event *event;
        uint32_t number;
        char why[160];

        if (cs_imc_catalog_find(imc->catalog, counted[i].name, &event, NULL) != CS_OK)
            continue;
        if (event->of->domain == CS_IMC_DOMAIN_NEST)
            fprintf(out, "nest %u %u\n", event->value / 8, counted[i].what);
        else if (cs_imc_event_number(imc->catalog, false, imc->event_of, event->name, &number,
                                     why) &&
                 number >= CS_EVENT_IMC(0) && number - CS_EVENT_IMC(0) < CS_IMC_EVENTS)
            core[number - CS_EVENT_IMC(0)] = (uint8_t)counted[i].what;
    }
    for (unsigned i = 0; i < CS_IMC_EVENTS; i++)
        if (core[imc->event_of[i]] != EVENTS_NOTHING)
            fprintf(out, "core %u %u\n", i, core[imc->event_of[i]]);
}

static bool put_driver(const cs_elf_symbol *symbol, FILE *out)
{
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (strncmp(symbol->name, drivers[i].name, strlen(drivers[i].name)) == 0) {
            fprintf(out, "driver %u %" PRIx64 " %" PRIx64 "\n", drivers[i].role, symbol->addr,
                    symbol->addr + symbol->size);
            return true;
        }
    return false;
}

unsigned cs_power_cycles(const cs_scenario *scenario, unsigned kind)
{
    const cs_guest_cycles *cycles = &scenario->guest->cycles;
    const uint8_t all[CS_POWER_KINDS] = {[CS_POWER_INSTRUCTIONS] = cycles->other,
                                         [CS_POWER_LOADS] = cycles->load,
                                         [CS_POWER_STORES] = cycles->store,
                                         [CS_POWER_BRANCHES] = cycles->branch};

    return all[kind];
}

cs_status cs_power_write_settings(const cs_scenario *scenario, const cs_guest_place *place,
                                  const char *path, cs_diag *diag)
{
    const cs_guest_spec *guest = scenario->guest;
    const cs_elf_symbol *symbol;
    cs_elf_program *kernel = NULL;
    FILE *out;
    bool any = false;
    cs_status status = cs_guest_settings_begin(path, &out, diag);

    if (status != CS_OK)
        return status;
    status = cs_elf_program_open(place->symbols, &kernel, diag);
    for (size_t i = 0; status == CS_OK && (symbol = cs_elf_program_symbol(kernel, i)) != NULL; i++)
        any = put_driver(symbol, out) || any;
    if (status == CS_OK && !any)
        status = cs_diag_set(diag, CS_ERR_FORMAT, place->kernel, "has no IMC driver");
    put_events(scenario->imc, out);
    if (status == CS_OK)
        status = cs_power_put_segments(scenario, out, diag);
    fprintf(out, "cpus %u %u\nthreads %u %u\nwindow %" PRIx64 " %u\n", scenario->imc->cores,
            guest->threads, scenario->imc->threads, scenario->imc->tap_log2,
            scenario->nest->present ? CS_GUEST_NEST : 0, (unsigned)scenario->nest->tick_cycles);
    cs_guest_put_common(scenario, CS_POWER_KINDS, cs_power_cycles, out);
    if (status == CS_OK)
        cs_guest_put_watched(kernel, watched, sizeof watched / sizeof watched[0], out);
    cs_elf_program_close(kernel);
    return cs_guest_settings_end(out, path, status, diag);
}

cs_status cs_power_write_flash(const cs_scenario *scenario, const char *path, cs_diag *diag)
{
    return cs_imc_pnor_write(scenario->imc->catalog, CS_IMC_POWER9_CATALOG, path, diag);
}
