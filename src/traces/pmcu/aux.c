// SPDX-License-Identifier: Apache-2.0
/* The format `pmcu-aux`: what the PMCU's driver hands to perf, as it is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "traces/format.h"

typedef struct aux_trace {
    const cs_environment *environment;
    unsigned die;
    FILE *file;
    const char *name;
    int failed; /* errno of the first write that failed */
} aux_trace;

/* Whose: the command "pmcu_driver" where one die has a driver, else "pmcu_driver.sccl<N>". False: no
 * die is of this name. */
static bool find_die(const cs_scenario *s, const char *command, unsigned *found)
{
    unsigned running = 0;

    for (unsigned die = 0; die < s->pmcu->dies; die++) {
        const cs_pmcu_program *p = &s->pmcu_driver->programs[die];
        char name[32];

        snprintf(name, sizeof name, "pmcu_driver.sccl%u", p->sccl);
        if (!p->runs)
            continue;
        *found = die;
        running++;
        if (command != NULL && strcmp(command, name) == 0)
            return true;
    }
    return running == 1 && (command == NULL || strcmp(command, "pmcu_driver") == 0);
}

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    unsigned die = 0;
    const bool own = request->command == NULL ||
                     (s->pmcu->dies > 1 ? strncmp(request->command, "pmcu_driver.", 12) == 0
                                        : strcmp(request->command, "pmcu_driver") == 0);

    if (!own)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL,
                           "format pmcu-aux is of the command 'pmcu_driver' only");
    if (!cs_scenario_runs(s, CS_SOFTWARE_pmcu_driver))
        return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                           "format pmcu-aux needs software.kind pmcu_driver");
    if (!find_die(s, request->command, &die))
        return cs_diag_set(diag, CS_ERR_USAGE, NULL,
                           "format pmcu-aux is the data of one die: --command pmcu_driver.sccl%u, "
                           "or of another that has a driver",
                           cs_scenario_sccl(s, die));
    return CS_OK;
}

static cs_status begin(void *ctx, cs_environment *environment, cs_diag *diag)
{
    (void)diag;
    ((aux_trace *)ctx)->environment = environment;
    return CS_OK;
}

static cs_status put(void *ctx, const uint8_t *data, size_t bytes)
{
    aux_trace *t = ctx;

    if (t->failed == 0 && fwrite(data, 1, bytes, t->file) != bytes)
        t->failed = errno;
    return CS_OK;
}

static void aux(void *ctx, const cs_soft_record *record)
{
    const aux_trace *t = ctx;
    const cs_pmcu_aux_stretch *stretch = cs_told_pmcu_aux(record);

    if (stretch->die == t->die)
        cs_memory_save(t->environment->memory, stretch->address, stretch->bytes, put, ctx);
}

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag)
{
    aux_trace *t = ctx;
    FILE *file = t->file;

    (void)cycle;
    t->file = NULL;
    if (fclose(file) != 0 && t->failed == 0)
        t->failed = errno;
    if (t->failed == 0)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(t->failed));
}

static cs_status open_aux(const cs_trace_place *place, void **state, cs_run_listener *listener,
                          cs_diag *diag)
{
    aux_trace *t = calloc(1, sizeof *t);

    *state = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->name = place->request->output;
    find_die(place->scenario, place->request->command, &t->die);
    t->file = fopen(place->path, "wb");
    if (t->file == NULL) {
        free(t);
        return cs_diag_set(diag, CS_ERR_IO, place->request->output, "cannot write: %s",
                           strerror(errno));
    }
    *listener = (cs_run_listener){.begin = begin, .end = end, .ctx = t};
    cs_run_hear(listener, &cs_soft_pmcu_aux, aux);
    *state = t;
    return CS_OK;
}

static void close_aux(void *state)
{
    aux_trace *t = state;

    if (t->file != NULL)
        fclose(t->file);
    free(t);
}

const cs_trace_format cs_trace_aux = {
    .summary = "AUX data of the PMCU's driver",
    .check = check,
    .open = open_aux,
    .close = close_aux,
};
