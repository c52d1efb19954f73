// SPDX-License-Identifier: Apache-2.0
/* What a guest's run was in figures, where a simulation has them: reports begin with summary.json. */
#include "guest/parts.h"
#include "results/figures.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/scenario.h"

#define NS_PER_CYCLE 1u /* of the core, and of the bus: 1 GHz */

/* All CPUs of POWER's share one clock. Of harts each has its own: they execute about as much. */
static uint64_t simulated(const cs_scenario *s, const cs_guest_result *result)
{
    const bool power = s->guest->kind == CS_GUEST_POWER9;
    const uint64_t clocks = power ? 1 : cs_scenario_cpus(s);
    const uint64_t cycles = (result->busy_cycles + result->idle_cycles) / (clocks > 0 ? clocks : 1);

    return cycles > result->last_cycle ? cycles : result->last_cycle;
}

cs_status cs_guest_write_summary(const cs_scenario *s, const cs_guest_result *result,
                                 const char *path, cs_diag *diag)
{
    cs_figures figures = {.clock_mhz = 1000 / NS_PER_CYCLE};
    FILE *out = fopen(path, "w");

    if (out == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot write");
    cs_figure_phrase(&figures, "scenario", true, s->name);
    cs_figure_count(&figures, "seed", true, s->seed);
    cs_figure_count(&figures, "clock_mhz", true, figures.clock_mhz);
    cs_figure_cycles(&figures, "simulated_ns", true, simulated(s, result));
    cs_figure_count(&figures, "guest_instructions", true, result->instructions);
    if (s->guest->kind == CS_GUEST_POWER9)
        cs_figure_count(&figures, "imc_records", true, result->records);
    cs_figure_count(&figures, "perf_samples", true, result->taken);
    for (size_t i = 0; i < figures.count; i++) {
        fputs(i == 0 ? "{\n  " : ",\n  ", out);
        cs_figure_json(&figures.list[i], out);
    }
    fputs(",\n  \"warnings\": [", out);
    for (unsigned i = 0; i < result->nr_warnings; i++) {
        fputs(cs_json_comma(i), out);
        cs_json_string(out, result->warnings[i]);
    }
    fputs("]\n}\n", out);
    const bool bad = ferror(out) != 0;
    return fclose(out) != 0 || bad ? cs_diag_set(diag, CS_ERR_IO, path, "cannot write") : CS_OK;
}
