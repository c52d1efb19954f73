// SPDX-License-Identifier: Apache-2.0
/* The part that keeps the probe stream as a table. */
#include <inttypes.h>
#include <stdlib.h>

#include "results/part.h"
#include "scenario/machine/keep_spec.h"

#define FILE_NAME "probe.csv"

typedef struct probe_log_part {
    cs_run_folder *folder;
    FILE *file;
} probe_log_part;

static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    probe_log_part *p;

    if (!run->scenario->keep->probe)
        return CS_OK;
    *state = p = calloc(1, sizeof *p);
    if (p == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for " FILE_NAME);
    p->folder = run->folder;
    const cs_status status = cs_run_folder_open(p->folder, FILE_NAME, &p->file, diag);
    if (status == CS_OK)
        fputs("cycle,kind,source,index,write,resp,addr,value,bytes,request,grant\n", p->file);
    return status;
}

static void probe(void *state, const cs_probe_record *r)
{
    static const char *const kinds[] = {"bus", "reg", "state", "irq", "sample"};

    fprintf(((probe_log_part *)state)->file,
            "%" PRIu64 ",%s,%u,%u,%u,%u,0x%" PRIx64 ",0x%" PRIx64 ",%" PRIu32 ",%" PRIu64
            ",%" PRIu64 "\n",
            r->cycle, kinds[r->kind], r->source, r->index, r->write, r->resp, r->addr, r->value,
            r->bytes, r->request, r->grant);
}

static cs_status close_part(void *state, cs_diag *diag)
{
    probe_log_part *p = state;
    FILE *file = p->file;

    p->file = NULL;
    return file != NULL ? cs_run_folder_close(p->folder, FILE_NAME, file, diag) : CS_OK;
}

const cs_part cs_part_probe_log = {
    .name = "probe_log",
    .open = open_part,
    .probes = CS_PART_HEARS(CS_PROBE_BUS) | CS_PART_HEARS(CS_PROBE_REG) |
              CS_PART_HEARS(CS_PROBE_STATE) | CS_PART_HEARS(CS_PROBE_IRQ) |
              CS_PART_HEARS(CS_PROBE_SAMPLE),
    .probe = probe,
    .close = close_part,
    .destroy = free,
};
