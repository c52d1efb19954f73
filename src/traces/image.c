/* Formats that are memory as it stands at the end of the run: buffers and images one after the other, for
 * `decode` or another reader of what hardware and firmware leave there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/trace_format.h"

#define CORE_BYTES 0x2000u /* of a core's or thread's counters */
#define NEST_BYTES 0x40000u

/* Where the images of a kind are. */
typedef struct image_kind {
    const char *what; /* there is none of it */
    unsigned (*count)(const cs_scenario *s);
    /* Of number i; false: it is left out. */
    bool (*place)(const cs_scenario *s, unsigned i, uint64_t *address, uint64_t *bytes);
} image_kind;

/* ---- kinds ---- */

static bool has_command(const cs_scenario *s, cs_perf_pmu pmu, unsigned cpu)
{
    if (!cs_scenario_runs(s, CS_SOFTWARE_IMC))
        return false;
    for (size_t i = 0; i < s->imc_driver.nr_perf; i++)
        if (s->imc_driver.perf[i].pmu == pmu &&
            (cpu == CS_MAX_CPUS || s->imc_driver.perf[i].cpus[cpu]))
            return true;
    return false;
}

static unsigned imc_threads(const cs_scenario *s)
{
    return cs_scenario_runs(s, CS_SOFTWARE_IMC) ? s->imc.cores * s->imc.threads : 0;
}

/* Of the CPUs that a command of trace mode has. */
static bool trace_place(const cs_scenario *s, unsigned i, uint64_t *address, uint64_t *bytes)
{
    const unsigned cpu = cs_scenario_arm_cpus(s) + i;

    *address = cs_imc_trace_buffer(s, cpu);
    *bytes = cs_imc_trace_bytes(s);
    return has_command(s, CS_PERF_TRACE, cpu);
}

static bool thread_place(const cs_scenario *s, unsigned i, uint64_t *address, uint64_t *bytes)
{
    *address = cs_imc_thread_memory(s, cs_scenario_arm_cpus(s) + i);
    *bytes = CORE_BYTES;
    return has_command(s, CS_PERF_THREAD, cs_scenario_arm_cpus(s) + i);
}

static unsigned cores(const cs_scenario *s)
{
    return has_command(s, CS_PERF_CORE, CS_MAX_CPUS) ? s->imc.cores : 0;
}

static bool core_place(const cs_scenario *s, unsigned i, uint64_t *address, uint64_t *bytes)
{
    *address = cs_imc_core_memory(s, i);
    *bytes = CORE_BYTES;
    return true;
}

static unsigned nests(const cs_scenario *s)
{
    return s->nest.present && has_command(s, CS_PERF_NEST, CS_MAX_CPUS);
}

static bool nest_place(const cs_scenario *s, unsigned i, uint64_t *address, uint64_t *bytes)
{
    (void)i;
    *address = s->nest.base;
    *bytes = NEST_BYTES;
    return true;
}

static unsigned snapshots(const cs_scenario *s)
{
    return s->riscv.driver.snapshot && s->riscv.driver.kind == CS_RISCV_SBI ? s->harts.count : 0;
}

static bool snapshot_place(const cs_scenario *s, unsigned i, uint64_t *address, uint64_t *bytes)
{
    *address = s->riscv.driver.base + i * cs_scenario_riscv_bytes(&s->riscv.driver);
    *bytes = CS_RISCV_PAGE;
    return true;
}

static const struct {
    const char *format;
    image_kind kind;
} kinds[] = {
    {"imc", {"a command of imc_driver.perf with pmu: trace", imc_threads, trace_place}},
    {"core-imc", {"a command of imc_driver.perf with pmu: core", cores, core_place}},
    {"thread-imc", {"a command of imc_driver.perf with pmu: thread", imc_threads, thread_place}},
    {"nest-imc", {"a command of imc_driver.perf with pmu: nest", nests, nest_place}},
    {"snapshot", {"riscv.driver.snapshot with SBI firmware", snapshots, snapshot_place}},
};

static const image_kind *kind_of(const char *format)
{
    size_t i = 0;

    while (strcmp(kinds[i].format, format) != 0)
        i++;
    return &kinds[i].kind;
}

/* ---- the format ---- */

typedef struct image {
    const cs_scenario *scenario;
    const image_kind *kind;
    const cs_environment *environment;
    const char *name;
    FILE *file;
} image;

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    const image_kind *kind = kind_of(request->format);
    uint64_t address, bytes;

    if (request->command != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "format %s is of all commands: no --command",
                           request->format);
    for (unsigned i = 0; i < kind->count(s); i++)
        if (kind->place(s, i, &address, &bytes))
            return CS_OK;
    return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                       "format %s needs %s, which it does not have", request->format, kind->what);
}

static cs_status begin(void *ctx, cs_environment *environment, cs_diag *diag)
{
    (void)diag;
    ((image *)ctx)->environment = environment;
    return CS_OK;
}

static cs_status to_file(void *ctx, const uint8_t *data, size_t bytes)
{
    return fwrite(data, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

static cs_status end(void *ctx, cycle_t cycle, cs_diag *diag)
{
    image *m = ctx;
    FILE *file = m->file;
    cs_status status = CS_OK;
    uint64_t address, bytes;

    (void)cycle;
    for (unsigned i = 0; i < m->kind->count(m->scenario) && status == CS_OK; i++)
        if (m->kind->place(m->scenario, i, &address, &bytes))
            status = cs_memory_save(m->environment->memory, address, bytes, to_file, file);
    m->file = NULL;
    if (fclose(file) != 0 || status != CS_OK)
        return cs_diag_set(diag, CS_ERR_IO, m->name, "cannot write: %s", strerror(errno));
    return CS_OK;
}

static cs_status open_image(const cs_trace_place *place, void **state, cs_run_listener *listener,
                            cs_diag *diag)
{
    image *m = calloc(1, sizeof *m);

    *state = NULL;
    if (m == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    *m = (image){.scenario = place->scenario,
                 .kind = kind_of(place->request->format),
                 .name = place->request->output,
                 .file = fopen(place->path, "wb")};
    if (m->file == NULL) {
        free(m);
        return cs_diag_set(diag, CS_ERR_IO, place->request->output, "cannot write: %s",
                           strerror(errno));
    }
    *listener = (cs_run_listener){.begin = begin, .end = end, .ctx = m};
    *state = m;
    return CS_OK;
}

static void close_image(void *state)
{
    image *m = state;

    if (m->file != NULL)
        fclose(m->file);
    free(m);
}

#define IMAGE(name_, summary_)                                                                     \
    {                                                                                              \
        .name = name_, .summary = summary_, .check = check, .open = open_image,                    \
        .close = close_image                                                                       \
    }

const cs_trace_format cs_trace_imc =
    IMAGE("imc", "trace buffers of IMC at the end (decode --as imc-trace)");
const cs_trace_format cs_trace_core_imc =
    IMAGE("core-imc", "counters of IMC cores in memory (decode --as imc-core)");
const cs_trace_format cs_trace_thread_imc =
    IMAGE("thread-imc", "counters of IMC threads in memory (decode --as imc-thread)");
const cs_trace_format cs_trace_nest_imc =
    IMAGE("nest-imc", "the nest's window (decode --as imc-nest)");
const cs_trace_format cs_trace_snapshot =
    IMAGE("snapshot", "snapshot pages of the harts (decode --as sbi-snapshot)");
