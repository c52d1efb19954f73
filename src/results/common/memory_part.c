// SPDX-License-Identifier: Apache-2.0
/* The part that keeps memory as it stands at the end. */
#include <inttypes.h>

#include "results/part.h"
#include "scenario/machine/keep_spec.h"

/* The state is the run. */
static cs_status open_part(cs_part_run *run, void **state, cs_diag *diag)
{
    (void)diag;
    *state = run->scenario->keep->memory ? run : NULL;
    return CS_OK;
}

/* Touched memory as one file for each stretch of pages: memory/<address>.bin. */
static cs_status finish(void *state, cs_diag *diag)
{
    const cs_part_run *r = state;
    cs_memory *memory = r->environment->memory;
    size_t pages = cs_memory_pages(memory);
    cs_status status = cs_run_folder_subfolder(r->folder, "memory", diag);
    FILE *file = NULL;
    char name[64] = "";
    uint64_t expected = 0;

    for (size_t i = 0; i < pages && status == CS_OK; i++) {
        uint64_t addr;
        const uint8_t *bytes = cs_memory_page(memory, i, &addr);

        if (file == NULL || addr != expected) {
            if (file != NULL)
                status = cs_run_folder_close(r->folder, name, file, diag);
            file = NULL;
            snprintf(name, sizeof name, "memory/0x%012" PRIx64 ".bin", addr);
            if (status == CS_OK)
                status = cs_run_folder_open(r->folder, name, &file, diag);
        }
        if (status == CS_OK)
            fwrite(bytes, 1, CS_MEMORY_PAGE_BYTES, file);
        expected = addr + CS_MEMORY_PAGE_BYTES;
    }
    if (file != NULL) {
        cs_status closed = cs_run_folder_close(r->folder, name, file, diag);

        status = status != CS_OK ? status : closed;
    }
    return status;
}

const cs_part cs_part_memory = {.name = "memory", .open = open_part, .finish = finish};
