// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream/perf_stat.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/work/build_stream.h"
#include "scenario/work/workload_spec.h"

#define MAX_FILE_BYTES ((size_t)64 << 20)
#define PATH_BYTES 4400u

typedef struct recording recording;
struct recording {
    recording *next;
    char file[256];
    cs_perf_stat *stat;
};

struct cs_recordings {
    recording *first;
};

cs_status cs_recordings_create(cs_recordings **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for recordings");
    return CS_OK;
}

void cs_recordings_destroy(cs_recordings *recordings)
{
    if (recordings == NULL)
        return;
    for (recording *r = recordings->first; r != NULL;) {
        recording *next = r->next;

        cs_perf_stat_destroy(r->stat);
        free(r);
        r = next;
    }
    free(recordings);
}

static cs_status read_file(const cs_stream_place *place, const cs_stream_spec *spec,
                           const char *path, char **text, size_t *bytes)
{
    char problem[PATH_BYTES + 100];
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        snprintf(problem, sizeof problem, "%s cannot be opened: %s", path, strerror(errno));
        return cs_stream_place_error(place, spec, problem);
    }
    size_t size = 65536;
    *bytes = 0;
    *text = malloc(size);
    while (*text != NULL) {
        size_t n = fread(*text + *bytes, 1, size - *bytes, file);

        *bytes += n;
        if (*bytes < size || size > MAX_FILE_BYTES)
            break;
        size *= 2;
        char *more = realloc(*text, size);
        if (more == NULL)
            free(*text);
        *text = more;
    }
    bool failed = ferror(file) != 0;
    fclose(file);
    if (*text == NULL)
        return cs_diag_set(place->diag, CS_ERR_NO_MEMORY, NULL, "no memory for %s", path);
    if (failed || *bytes > MAX_FILE_BYTES) {
        free(*text);
        snprintf(problem, sizeof problem, "%s %s", path,
                 failed ? "cannot be read" : "is larger than 64 MiB");
        return cs_stream_place_error(place, spec, problem);
    }
    return CS_OK;
}

static cs_status read_recording(const cs_stream_place *place, const cs_stream_spec *spec,
                                cs_perf_stat **out)
{
    char path[PATH_BYTES];
    char *text = NULL;
    size_t bytes = 0;

    if (spec->file[0] == '/')
        snprintf(path, sizeof path, "%s", spec->file);
    else
        snprintf(path, sizeof path, "%s/%s", place->scenario->folder, spec->file);
    cs_status status = read_file(place, spec, path, &text, &bytes);
    if (status != CS_OK)
        return status;
    status = cs_perf_stat_parse(text, bytes, path, ',', out, place->diag);
    free(text);
    return status;
}

static cs_status find_recording(cs_recordings *recordings, const cs_stream_place *place,
                                const cs_stream_spec *spec, const recording **out)
{
    for (recording *r = recordings->first; r != NULL; r = r->next) {
        if (strcmp(r->file, spec->file) == 0) {
            *out = r;
            return CS_OK;
        }
    }
    recording *r = calloc(1, sizeof *r);
    if (r == NULL)
        return cs_diag_set(place->diag, CS_ERR_NO_MEMORY, NULL, "no memory for recordings");
    cs_status status = read_recording(place, spec, &r->stat);
    if (status != CS_OK) {
        free(r);
        return status;
    }
    snprintf(r->file, sizeof r->file, "%s", spec->file);
    r->next = recordings->first;
    recordings->first = r;
    *out = r;
    return CS_OK;
}

/* The event is not there; say what is. */
static cs_status no_series(const cs_stream_place *place, const cs_stream_spec *spec,
                           const cs_perf_stat *stat)
{
    char text[360];
    int n = snprintf(text, sizeof text, "%.100s has no event %s for CPU %u; it has", spec->file,
                     spec->file_event, (unsigned)place->cpu);

    for (size_t i = 0; i < cs_perf_stat_count(stat) && n < (int)sizeof text - 80; i++) {
        const cs_perf_series *series = cs_perf_stat_at(stat, i);

        n += snprintf(text + n, sizeof text - (size_t)n, "%s %.40s", i > 0 ? "," : "",
                      series->event);
        if (series->cpu != CS_PERF_STAT_ALL_CPUS)
            n += snprintf(text + n, sizeof text - (size_t)n, " (CPU%d)", (int)series->cpu);
    }
    return cs_stream_place_error(place, spec, text);
}

cs_status cs_recordings_stream(cs_recordings *recordings, const cs_stream_place *place,
                               const cs_stream_spec *spec, const cs_stream **out)
{
    const recording *r = NULL;
    cs_diag inner = {0};
    cs_status status = find_recording(recordings, place, spec, &r);

    if (status != CS_OK)
        return status;
    const cs_perf_series *series =
        cs_perf_stat_find(r->stat, spec->file_event, (int32_t)place->cpu);
    if (series == NULL)
        series = cs_perf_stat_find(r->stat, spec->file_event, CS_PERF_STAT_ALL_CPUS);
    if (series == NULL)
        return no_series(place, spec, r->stat);
    status = cs_perf_series_stream(series, place->scenario->bus->clock_mhz,
                                   spec->repeat ? CS_STREAM_AFTER_REPEAT : CS_STREAM_AFTER_ZERO,
                                   place->pool, out, &inner);
    if (status == CS_ERR_RANGE || status == CS_ERR_UNSUPPORTED)
        return cs_stream_place_error(place, spec, inner.text);
    if (status != CS_OK && place->diag != NULL)
        *place->diag = inner;
    return status;
}
