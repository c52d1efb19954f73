// SPDX-License-Identifier: Apache-2.0
#include "pmu/systems/imc_files.h"

#include <stdio.h>
#include <stdlib.h>

#define FILES_OF_EVENT 3u

/* Of one event: the names and the text that are not the catalog's own. */
typedef struct event_texts {
    char scale[CS_IMC_MAX_NAME + 8], unit[CS_IMC_MAX_NAME + 8], event[24];
} event_texts;

/* Of one unit. */
typedef struct unit_files {
    struct unit_files *next;
    event_texts *texts;
    cs_perf_file *files;
} unit_files;

struct cs_pmu_imc_files {
    unit_files *first;
};

cs_pmu_imc_files *cs_pmu_imc_files_create(void)
{
    return calloc(1, sizeof(cs_pmu_imc_files));
}

static void unit_free(unit_files *u)
{
    free(u->texts);
    free(u->files);
    free(u);
}

void cs_pmu_imc_files_destroy(cs_pmu_imc_files *files)
{
    unit_files *u;

    if (files == NULL)
        return;
    while ((u = files->first) != NULL) {
        files->first = u->next;
        unit_free(u);
    }
    free(files);
}

static unit_files *unit_new(cs_pmu_imc_files *files, size_t nr_events)
{
    unit_files *u = calloc(1, sizeof *u);

    if (u == NULL)
        return NULL;
    u->texts = calloc(nr_events, sizeof *u->texts);
    u->files = calloc(nr_events * FILES_OF_EVENT, sizeof *u->files);
    if (u->texts == NULL || u->files == NULL) {
        unit_free(u);
        return NULL;
    }
    u->next = files->first;
    files->first = u;
    return u;
}

static size_t fill(const cs_imc_event *event, event_texts *texts, cs_perf_file out[])
{
    size_t n = 0;

    snprintf(texts->event, sizeof texts->event, "event=0x%x", event->value);
    out[n++] = (cs_perf_file){event->name, texts->event};
    if (event->scale != NULL) {
        snprintf(texts->scale, sizeof texts->scale, "%s.scale", event->name);
        out[n++] = (cs_perf_file){texts->scale, event->scale};
    }
    if (event->unit != NULL) {
        snprintf(texts->unit, sizeof texts->unit, "%s.unit", event->name);
        out[n++] = (cs_perf_file){texts->unit, event->unit};
    }
    return n;
}

const cs_perf_file *cs_pmu_imc_files_of(cs_pmu_imc_files *files, const cs_imc_unit *unit,
                                        size_t *nr)
{
    unit_files *u = unit->nr_events != 0 ? unit_new(files, unit->nr_events) : NULL;

    *nr = 0;
    if (u == NULL)
        return NULL;
    for (size_t i = 0; i < unit->nr_events; i++)
        *nr += fill(&unit->events[i], &u->texts[i], &u->files[*nr]);
    return u->files;
}
