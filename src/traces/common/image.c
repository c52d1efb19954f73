// SPDX-License-Identifier: Apache-2.0
#include "traces/common/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/common/memory_images.h"

/* The run folder has spellings of its own. */
static cs_image_kind kind_of(const char *format)
{
    const cs_format *wanted = cs_format_named(format);
    unsigned kind = 0;

    while (!cs_format_is(wanted, cs_image_format(kind)))
        kind++;
    return kind;
}

/* ---- the format ---- */

typedef struct image {
    const cs_scenario *scenario;
    cs_image_kind kind;
    const cs_environment *environment;
    const char *name;
    FILE *file;
} image;

cs_status cs_image_trace_check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    const cs_image_kind kind = kind_of(request->format);
    cs_image first;

    if (request->command != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL,
                           "format %s covers all commands: it takes no --command", request->format);
    if (cs_image_get(s, kind, 0, &first))
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                       "format %s needs %s, which it does not have", request->format,
                       cs_image_needs(kind));
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

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag)
{
    image *m = ctx;
    FILE *file = m->file;
    cs_status status = CS_OK;
    cs_image one;

    (void)cycle;
    for (unsigned i = 0; status == CS_OK && cs_image_get(m->scenario, m->kind, i, &one); i++)
        status = cs_memory_save(m->environment->memory, one.address, one.bytes, to_file, file);
    m->file = NULL;
    if (fclose(file) != 0 || status != CS_OK)
        return cs_diag_set(diag, CS_ERR_IO, m->name, "cannot write: %s", strerror(errno));
    return CS_OK;
}

cs_status cs_image_trace_open(const cs_trace_place *place, void **state, cs_run_listener *listener,
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

void cs_image_trace_close(void *state)
{
    image *m = state;

    if (m->file != NULL)
        fclose(m->file);
    free(m);
}
