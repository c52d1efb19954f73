// SPDX-License-Identifier: Apache-2.0
#include <libfdt.h>
#include <string.h>

#include "base/bus/big.h"
#include "formats/common/device_tree_file.h"
#include "formats/imc/catalog/parts.h"

#define MAX_DEPTH 32
#define HEADER_BYTES 40

/* What libfdt would call truncated or bad in general, told with the numbers. */
static cs_status check_header(const cs_imc_catalog *catalog, cs_diag *diag)
{
    const uint8_t *bytes = catalog->blob;

    if (catalog->bytes < HEADER_BYTES)
        return cs_diag_set(diag, CS_ERR_FORMAT, catalog->name,
                           "expected a device tree blob with a header of %d bytes, found %zu bytes",
                           HEADER_BYTES, catalog->bytes);
    if (cs_big_get32(bytes) != FDT_MAGIC)
        return cs_diag_set(diag, CS_ERR_FORMAT, catalog->name,
                           "byte 0: expected a device tree blob's magic 0x%08x, found 0x%08x",
                           FDT_MAGIC, (unsigned)cs_big_get32(bytes));
    if (cs_big_get32(bytes + 4) > catalog->bytes)
        return cs_diag_set(diag, CS_ERR_FORMAT, catalog->name,
                           "byte 4: expected a device tree blob of %u bytes, found %zu",
                           (unsigned)cs_big_get32(bytes + 4), catalog->bytes);
    return CS_OK;
}

static cs_status check_blob(const cs_imc_catalog *catalog, cs_diag *diag)
{
    cs_status status = check_header(catalog, diag);
    const char *damage;

    if (status != CS_OK)
        return status;
    damage = cs_device_tree_damage(catalog->blob, catalog->bytes);
    if (damage != NULL)
        return cs_diag_set(diag, CS_ERR_FORMAT, catalog->name,
                           "expected a whole device tree blob, found damage: %s", damage);
    return CS_OK;
}

static cs_status take_top(const cs_imc_node *node, int *top, cs_diag *diag)
{
    bool found;

    if (*top >= 0) {
        cs_imc_node_warn(node, "compatible", "a second node of counters; its version is left out");
        return CS_OK;
    }
    *top = node->offset;
    return cs_imc_node_numbers(node, "version-id", &node->catalog->version, 1, &found, diag);
}

/* libfdt would read on where the list of texts has no end. */
static bool is(const cs_imc_node *node, const char *compatible)
{
    int length = 0;
    const char *texts = fdt_getprop(node->catalog->blob, node->offset, "compatible", &length);

    return texts != NULL && length > 0 && texts[length - 1] == '\0' &&
           fdt_stringlist_contains(texts, length, compatible);
}

cs_status cs_imc_catalog_parse(cs_imc_catalog *catalog, cs_diag *diag)
{
    int ancestors[MAX_DEPTH];
    int depth = -1;
    int top = -1;
    cs_status status = check_blob(catalog, diag);
    cs_imc_node node = {catalog, -1};

    while (status == CS_OK) {
        node.offset = fdt_next_node(catalog->blob, node.offset, &depth);
        if (node.offset < 0 || depth < 0)
            break;
        if (depth >= MAX_DEPTH)
            return cs_diag_set(diag, CS_ERR_FORMAT, catalog->name,
                               "expected nodes within at most %d others, found deeper ones",
                               MAX_DEPTH - 1);
        ancestors[depth] = node.offset;
        if (is(&node, "ibm,opal-in-memory-counters"))
            status = take_top(&node, &top, diag);
        if (status == CS_OK && is(&node, "ibm,imc-counters"))
            status = cs_imc_catalog_add_unit(&node, ancestors, (size_t)depth, diag);
    }
    if (status != CS_OK)
        return status;
    if (node.offset < 0 && node.offset != -FDT_ERR_NOTFOUND)
        return cs_diag_set(diag, CS_ERR_FORMAT, catalog->name, "the nodes cannot be read: %s",
                           fdt_strerror(node.offset));
    if (top < 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, catalog->name,
                           "expected a node compatible with 'ibm,opal-in-memory-counters', found "
                           "none");
    if (catalog->nr_units == 0)
        cs_imc_node_warn(&(cs_imc_node){catalog, top}, NULL,
                         "no unit in the tree (a node compatible with 'ibm,imc-counters')");
    return CS_OK;
}
