/* `countersink list --catalog`. */
#ifndef CS_CLI_LIST_CATALOG_H
#define CS_CLI_LIST_CATALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/common/table.h"
#include "formats/imc/catalog/device_tree.h"

/* What the options said; zeroed but for the availability is what no option says. */
typedef struct cs_list_catalog {
    const char *path;       /* NULL: no catalog was asked for */
    const char *needs_path; /* an option that means nothing without one, NULL: none was given */
    bool has_format;        /* --format was given: for the events, or for --pmus */
    cs_table_format format;
    const char *device_tree;       /* NULL: the events are printed */
    const char *needs_device_tree; /* as needs_path */
    cs_imc_device_tree_options options;
    uint64_t base_addr[CS_IMC_MAX_CHIPS];
    uint32_t chip_id[CS_IMC_MAX_CHIPS];
} cs_list_catalog;

/* Takes "ID=ADDRESS". False where it is none, where the chip was given before, or where there
 * are too many. */
bool cs_list_catalog_add_chip(cs_list_catalog *list, const char *text);

/* Prints the events or writes the device tree; returns the exit status. */
int cs_list_catalog_run(cs_list_catalog *list);

#endif
