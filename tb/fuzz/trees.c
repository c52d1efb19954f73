// SPDX-License-Identifier: Apache-2.0
/* Device trees and addresses. */
#include <stdlib.h>
#include <string.h>

#include "formats/address/address.h"
#include "formats/imc/catalog/catalog.h"
#include "formats/imc/catalog/device_tree.h"
#include "target.h"
#include <countersink/formats/riscv/read/pmu_map.h>

static void look_at(cs_imc_catalog *catalog)
{
    const cs_imc_device_tree_options options = {.availability = UINT64_MAX};
    cs_diag diag = {0};
    void *blob = NULL;
    size_t bytes;

    cs_imc_catalog_version(catalog);
    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++)
        cs_imc_catalog_unit(catalog, i);
    const cs_status status = cs_imc_device_tree_make(catalog, &options, &blob, &bytes, &diag);

    if (status == CS_OK)
        cs_fuzz_told(blob, bytes);
    cs_fuzz_ended(status, &diag);
    free(blob);
}

void cs_fuzz_catalog(const void *ctx, const uint8_t *data, size_t size)
{
    cs_imc_catalog *catalog = NULL;
    cs_diag diag = {0};

    (void)ctx;
    const cs_status status = cs_imc_catalog_load_memory(data, size, "input", &catalog, &diag);

    if (status == CS_OK)
        look_at(catalog);
    cs_fuzz_ended(status, &diag);
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
    const cs_status status = cs_riscv_pmu_map_load_memory(data, size, "input", &map, &diag);

    cs_fuzz_ended(status, &diag);
    for (uint32_t event = 0; status == CS_OK && event < 64; event++) {
        const uint64_t select = cs_riscv_pmu_map_select(&map, event);

        cs_fuzz_told(&select, sizeof select);
    }
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
        const cs_status status = cs_pmu_path_parse(layout, text, ranges != 0, &path, &diag);

        cs_fuzz_ended(status, &diag);
        if (status != CS_OK)
            continue;
        cs_fuzz_told(again, cs_pmu_path_print(layout, &path, again));
        if (cs_pmu_path_parse(layout, again, ranges != 0, &second, &diag) != CS_OK)
            abort(); /* what is printed is a path */
        if (cs_pmu_path_address(layout, &path) != cs_pmu_path_address(layout, &second))
            abort();
        cs_pmu_path_of(layout, cs_pmu_path_address(layout, &path), &second, &diag);
    }
    free(text);
}
