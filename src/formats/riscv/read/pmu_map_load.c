// SPDX-License-Identifier: Apache-2.0
#include <libfdt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "formats/common/device_tree_file.h"
#include <countersink/formats/riscv/read/pmu_map.h>

#define COMPATIBLE "riscv,pmu"
#define FIXED_COUNTERS 0x7u
#define FIRST_RAW 0x20000u /* event_idx from here on are raw, or the firmware's own */
#define LAST_FIXED 2u      /* event_idx of instructions */

static const cs_device_tree_limits limits = {"a device tree with " COMPATIBLE,
                                             CS_RISCV_PMU_MAX_BYTES};

/* A row that is looked at, so that errors can name it. */
typedef struct place {
    const void *blob;
    const char *name; /* of the file */
    int node;
    const char *property;
    size_t row;
} place;

__attribute__((format(printf, 3, 4))) static cs_status error(const place *at, cs_diag *diag,
                                                             const char *format, ...)
{
    char path[256], what[200];
    va_list arguments;

    if (fdt_get_path(at->blob, at->node, path, sizeof path) != 0)
        snprintf(path, sizeof path, "node at byte %d of the structure", at->node);
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return cs_diag_set(diag, CS_ERR_FORMAT, at->name, "%s, property '%s': %s", path, at->property,
                       what);
}

/* ---- one row each ---- */

static cs_status add_select(cs_riscv_pmu_map *map, const uint8_t *row, const place *at,
                            cs_diag *diag)
{
    const cs_riscv_pmu_select add = {cs_big_get32(row), cs_big_get64(row + 4)};

    if (add.event_idx == 0 || add.event_idx >= FIRST_RAW)
        return error(at, diag, "row %zu: expected an event_idx of 0x1..0x1ffff, found 0x%x",
                     at->row, add.event_idx);
    if (add.value == 0)
        return error(at, diag, "row %zu: event 0x%x has the value 0, which selects nothing",
                     at->row, add.event_idx);
    if (cs_riscv_pmu_map_select(map, add.event_idx) != 0)
        return error(at, diag, "row %zu: event 0x%x has a row already", at->row, add.event_idx);
    map->selects[map->nr_selects++] = add;
    return CS_OK;
}

static cs_status check_counters(uint32_t counters, bool fixed, const place *at, cs_diag *diag)
{
    if (counters == 0)
        return error(at, diag, "row %zu: names no counter", at->row);
    if (!fixed && (counters & FIXED_COUNTERS) != 0)
        return error(at, diag,
                     "row %zu: only rows that begin with event 0x1 or 0x2 may name counters 0..2, "
                     "found 0x%08x",
                     at->row, counters);
    return CS_OK;
}

static cs_status add_range(cs_riscv_pmu_map *map, const uint8_t *row, const place *at,
                           cs_diag *diag)
{
    const cs_riscv_pmu_range add = {cs_big_get32(row), cs_big_get32(row + 4),
                                    cs_big_get32(row + 8)};

    if (add.first == 0 || add.first > add.last || add.last >= FIRST_RAW)
        return error(at, diag,
                     "row %zu: expected rising event_idx of 0x1..0x1ffff, found 0x%x 0x%x", at->row,
                     add.first, add.last);
    for (size_t i = 0; i < map->nr_ranges; i++)
        if (add.first <= map->ranges[i].last && map->ranges[i].first <= add.last)
            return error(at, diag, "row %zu: events 0x%x..0x%x are partly those of row %zu",
                         at->row, add.first, add.last, i);
    map->ranges[map->nr_ranges++] = add;
    return check_counters(add.counters, add.first <= LAST_FIXED, at, diag);
}

static cs_status add_raw(cs_riscv_pmu_map *map, const uint8_t *row, const place *at, cs_diag *diag)
{
    const cs_riscv_pmu_raw add = {cs_big_get64(row), cs_big_get64(row + 8), cs_big_get32(row + 16)};

    if ((add.match & ~add.mask) != 0)
        return error(at, diag,
                     "row %zu: 0x%llx has bits that are not in its mask 0x%llx, so that nothing "
                     "matches",
                     at->row, (unsigned long long)add.match, (unsigned long long)add.mask);
    for (size_t i = 0; i < map->nr_raws; i++)
        if (add.match == map->raws[i].match && add.mask == map->raws[i].mask)
            return error(at, diag, "row %zu: matches what row %zu matches", at->row, i);
    map->raws[map->nr_raws++] = add;
    return check_counters(add.counters, false, at, diag);
}

/* ---- properties ---- */

static const struct property {
    const char *name;
    size_t cells; /* of a row */
    cs_status (*add)(cs_riscv_pmu_map *map, const uint8_t *row, const place *at, cs_diag *diag);
} properties[] = {
    {"riscv,event-to-mhpmevent", 3, add_select},
    {"riscv,event-to-mhpmcounters", 3, add_range},
    {"riscv,raw-event-to-mhpmcounters", 5, add_raw},
};

static cs_status read_property(cs_riscv_pmu_map *map, const struct property *property, place *at,
                               cs_diag *diag)
{
    const size_t bytes = 4 * property->cells;
    int length = 0;
    const uint8_t *data = fdt_getprop(at->blob, at->node, property->name, &length);
    cs_status status = CS_OK;

    at->property = property->name;
    if (data == NULL)
        return length == -FDT_ERR_NOTFOUND
                   ? CS_OK
                   : error(at, diag, "cannot be read: %s", fdt_strerror(length));
    if ((size_t)length % bytes != 0)
        return error(at, diag, "expected rows of %zu bytes, found %d bytes", bytes, length);
    if ((size_t)length / bytes > CS_RISCV_PMU_MAX_ROWS)
        return error(at, diag, "expected at most %u rows, found %zu", CS_RISCV_PMU_MAX_ROWS,
                     (size_t)length / bytes);
    for (at->row = 0; status == CS_OK && at->row < (size_t)length / bytes; at->row++)
        status = property->add(map, data + at->row * bytes, at, diag);
    return status;
}

/* `blob` is aligned, as libfdt wants it. */
static cs_status load(const void *blob, size_t bytes, const char *name, cs_riscv_pmu_map *out,
                      cs_diag *diag)
{
    const char *damage = cs_device_tree_damage(blob, bytes);
    place at = {.blob = blob, .name = name};
    cs_status status = CS_OK;

    memset(out, 0, sizeof *out);
    if (damage != NULL)
        return cs_diag_set(diag, CS_ERR_FORMAT, name, "not a whole device tree blob: %s", damage);
    at.node = fdt_node_offset_by_compatible(blob, -1, COMPATIBLE);
    if (at.node < 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, name,
                           "expected a node that is compatible with \"" COMPATIBLE
                           "\", found none");
    for (size_t i = 0; status == CS_OK && i < sizeof properties / sizeof properties[0]; i++)
        status = read_property(out, &properties[i], &at, diag);
    return status;
}

cs_status cs_riscv_pmu_map_load_memory(const void *blob, size_t bytes, const char *name,
                                       cs_riscv_pmu_map *out, cs_diag *diag)
{
    void *copy;
    cs_status status;

    if (bytes > CS_RISCV_PMU_MAX_BYTES)
        return cs_device_tree_too_large(name, &limits, diag);
    copy = malloc(bytes > 0 ? bytes : 1);
    if (copy == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for %s", limits.what);
    if (bytes > 0)
        memcpy(copy, blob, bytes);
    status = load(copy, bytes, name, out, diag);
    free(copy);
    return status;
}

cs_status cs_riscv_pmu_map_load(const char *path, cs_riscv_pmu_map *out, cs_diag *diag)
{
    void *blob;
    size_t bytes;
    cs_status status = cs_device_tree_read(path, &limits, &blob, &bytes, diag);

    if (status != CS_OK)
        return status;
    status = load(blob, bytes, path, out, diag);
    free(blob);
    return status;
}
