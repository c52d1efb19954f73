// SPDX-License-Identifier: Apache-2.0
/* Names of functions that are in no file, as perf looks for them: perf-PID.map of a process, as just-in-time
 * compilers leave it in /tmp, and the kernel's kallsyms. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "traces/common/symbols.h"
#include "traces/perf/impl.h"

#define FOLDER "maps"

typedef struct maps {
    const cs_trace_symbols *symbols;
    bool guest;
    const char *folder; /* of the run */
    cs_diag *diag;
} maps;

static cs_status failed(const maps *m, const char *what)
{
    return cs_diag_set(m->diag, CS_ERR_IO, what, "cannot write: %s", strerror(errno));
}

static bool is_in(const maps *m, const cs_trace_symbol *s, const cs_trace_mapping *map)
{
    return s->space.guest == m->guest && s->space.kernel == map->kernel &&
           s->space.pid == map->pid && s->base >= map->addr && s->base - map->addr < map->length;
}

static void put(const maps *m, const cs_trace_mapping *map, FILE *file)
{
    if (map->kernel)
        fprintf(file, "%016" PRIx64 " T _stext\n", map->offset);
    for (size_t i = 0; i < m->symbols->nr; i++) {
        const cs_trace_symbol *s = &m->symbols->list[i];

        if (!is_in(m, s, map))
            continue;
        if (map->kernel)
            fprintf(file, "%016" PRIx64 " T %s\n", s->base, s->name);
        else
            fprintf(file, "%" PRIx64 " %" PRIx64 " %s\n", s->base, s->end - s->base, s->name);
    }
}

/* A process may have several mappings: what is in the file already stays. */
static cs_status put_file(const maps *m, const cs_trace_mapping *map)
{
    char path[PATH_MAX], name[32] = "kallsyms";

    if (!map->kernel)
        snprintf(name, sizeof name, "perf-%" PRIu32 ".map", map->pid);
    snprintf(path, sizeof path, "%s/" FOLDER "/%s", m->folder, name);
    FILE *file = fopen(path, "a");
    if (file == NULL)
        return failed(m, name);
    put(m, map, file);
    const bool bad = ferror(file) != 0;
    return fclose(file) != 0 || bad ? failed(m, name) : CS_OK;
}

cs_status cs_perf_trace_put_maps(const cs_perf_trace *t, const cs_trace_tasks *tasks,
                                 const char *folder, cs_diag *diag)
{
    maps m = {.guest = t->guest, .folder = folder, .diag = diag};
    cs_trace_symbols *symbols = NULL;
    char path[PATH_MAX];
    cs_status status = cs_trace_symbols_create(t->scenario, &symbols, diag);

    m.symbols = symbols;
    snprintf(path, sizeof path, "%s/" FOLDER, folder);
    if (status == CS_OK && mkdir(path, 0777) != 0)
        status = failed(&m, FOLDER);
    for (size_t i = 0; i < tasks->nr_mappings && status == CS_OK; i++)
        if (tasks->mappings[i].program == NULL)
            status = put_file(&m, &tasks->mappings[i]);
    cs_trace_symbols_destroy(symbols);
    return status;
}
