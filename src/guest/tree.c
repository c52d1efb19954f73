// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest/hpm/parts.h"
#include "guest/log.h"
#include "guest/parts.h"

#define ROOM 4096 /* for what is added */
#define MOST_BYTES (1 << 20)

static int add_memory(void *tree)
{
    char name[48];
    int node, error;

    snprintf(name, sizeof name, "memory@%llx", (unsigned long long)CS_GUEST_HOMER);
    node = fdt_add_subnode(tree, 0, name);
    if (node < 0)
        return node;
    error = fdt_setprop_string(tree, node, "device_type", "memory");
    if (error == 0)
        error = fdt_setprop_u32(tree, node, "ibm,chip-id", 0);
    if (error == 0)
        error = fdt_setprop_u64(tree, node, "reg", CS_GUEST_HOMER);
    if (error == 0)
        error = fdt_appendprop_u64(tree, node, "reg", CS_GUEST_HOMER_BYTES);
    return error;
}

cs_status cs_guest_complete_tree(const cs_scenario *scenario, const char *path, cs_diag *diag)
{
    char *bytes = malloc(MOST_BYTES + ROOM);
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    cs_status status = CS_OK;

    if (bytes != NULL && file != NULL)
        size = fread(bytes, 1, MOST_BYTES, file);
    if (file != NULL)
        fclose(file);
    if (bytes == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, path, "a device tree");
    if (size == 0 || fdt_check_header(bytes) != 0 || fdt_totalsize(bytes) > size) {
        status = cs_diag_set(diag, CS_ERR_IO, path, "QEMU has written no device tree");
    } else {
        const int error = fdt_open_into(bytes, bytes, (int)size + ROOM);
        const int added = error != 0 ? error
                          : scenario->guest->kind == CS_GUEST_POWER9
                              ? add_memory(bytes)
                              : cs_riscv_add_counters(bytes, scenario);

        if (added != 0 || fdt_pack(bytes) != 0)
            status = cs_diag_set(diag, CS_ERR_IO, path, "libfdt: %s", fdt_strerror(added));
    }
    if (status == CS_OK) {
        file = fopen(path, "wb");
        const bool good =
            file != NULL && fwrite(bytes, 1, fdt_totalsize(bytes), file) == fdt_totalsize(bytes);

        if ((file != NULL && fclose(file) != 0) || !good)
            status = cs_diag_set(diag, CS_ERR_IO, path, "cannot write: %s", strerror(errno));
    }
    free(bytes);
    return status;
}
