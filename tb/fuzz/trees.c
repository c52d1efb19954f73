/* Device trees and addresses. */
#include <stdlib.h>
#include <string.h>

#include "formats/address/address.h"
#include "formats/imc/catalog/catalog.h"
#include "formats/imc/catalog/device_tree.h"
#include "formats/riscv/read/pmu_map.h"
#include "target.h"

static void look_at(cs_imc_catalog *catalog)
{
    const cs_imc_device_tree_options options = {.availability = UINT64_MAX};
    cs_diag diag = {0};
    void *blob = NULL;
    size_t bytes;

    cs_imc_catalog_version(catalog);
    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++)
        cs_imc_catalog_unit(catalog, i);
    if (cs_imc_device_tree_make(catalog, &options, &blob, &bytes, &diag) == CS_OK)
        free(blob);
}

void cs_fuzz_catalog(const void *ctx, const uint8_t *data, size_t size)
{
    cs_imc_catalog *catalog = NULL;
    cs_diag diag = {0};

    (void)ctx;
    if (cs_imc_catalog_load_memory(data, size, "input", &catalog, &diag) == CS_OK)
        look_at(catalog);
    cs_imc_catalog_destroy(catalog);
}

/* By dtc: slow. */
void cs_fuzz_catalog_source(const void *ctx, const uint8_t *data, size_t size)
{
    cs_imc_catalog *catalog = NULL;
    cs_diag diag = {0};

    (void)ctx;
    if (cs_imc_catalog_load(cs_fuzz_file(data, size), &catalog, &diag) == CS_OK)
        look_at(catalog);
    cs_imc_catalog_destroy(catalog);
}

void cs_fuzz_pmu_map(const void *ctx, const uint8_t *data, size_t size)
{
    cs_riscv_pmu_map map;
    cs_diag diag = {0};

    (void)ctx;
    if (cs_riscv_pmu_map_load_memory(data, size, "input", &map, &diag) != CS_OK)
        return;
    for (uint32_t event = 0; event < 64; event++)
        cs_riscv_pmu_map_select(&map, event);
}

void cs_fuzz_address(const void *ctx, const uint8_t *data, size_t size)
{
    const cs_pmu_layout *layout = cs_pmu_layout_default();
    char *text = malloc(size + 1);
    char again[CS_PMU_PATH_BYTES];
    cs_pmu_path path, second;
    cs_diag diag = {0};

    (void)ctx;
    memcpy(text, data, size);
    text[size] = '\0';
    for (int ranges = 0; ranges < 2; ranges++) {
        if (cs_pmu_path_parse(layout, text, ranges != 0, &path, &diag) != CS_OK)
            continue;
        cs_pmu_path_print(layout, &path, again);
        if (cs_pmu_path_parse(layout, again, ranges != 0, &second, &diag) != CS_OK)
            abort(); /* what is printed is a path */
        if (cs_pmu_path_address(layout, &path) != cs_pmu_path_address(layout, &second))
            abort();
        cs_pmu_path_of(layout, cs_pmu_path_address(layout, &path), &second, &diag);
    }
    free(text);
}
