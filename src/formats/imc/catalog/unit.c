// SPDX-License-Identifier: Apache-2.0
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "formats/imc/catalog/parts.h"

#define COUNTER_BYTES 8u

/* The catalog's `type`, and what the kernel calls the PMU of a node. */
static const struct kind {
    uint32_t type;
    cs_imc_domain domain;
    const char *pmu; /* NULL: nest_<node>_imc */
} kinds[] = {
    {0x10, CS_IMC_DOMAIN_NEST, NULL},
    {0x4, CS_IMC_DOMAIN_CORE, "core_imc"},
    {0x1, CS_IMC_DOMAIN_THREAD, "thread_imc"},
    {0x2, CS_IMC_DOMAIN_TRACE, "trace_imc"},
};

static const struct kind *kind_of(uint32_t type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    return NULL;
}

uint32_t cs_imc_type_of(cs_imc_domain domain)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].domain == domain)
            return kinds[i].type;
    return 0;
}

static cs_status no_memory(const cs_imc_catalog *catalog, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, catalog->name, "no memory for the catalog");
}

/* ---- the unit's own properties ---- */

static cs_status take_names(const cs_imc_node *node, const struct kind *kind, cs_imc_unit *unit,
                            cs_diag *diag)
{
    const char *name = fdt_get_name(node->catalog->blob, node->offset, NULL);
    size_t length = name != NULL ? strcspn(name, "@") : 0;

    if (length == 0 || length > CS_IMC_MAX_NAME - strlen("nest__imc"))
        return cs_imc_node_error(node, NULL, diag,
                                 "expected a name of at most %zu characters, found %zu",
                                 CS_IMC_MAX_NAME - strlen("nest__imc"), length);
    const size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789,._+-");
    if (good < length)
        return cs_imc_node_error(node, NULL, diag,
                                 "expected a name of letters, digits and ,._+-, found byte 0x%02x",
                                 (unsigned char)name[good]);

    const size_t pmu_bytes = length + sizeof "nest__imc";
    char *node_name = cs_imc_catalog_allocate(node->catalog, length + 1, 1);
    char *pmu = cs_imc_catalog_allocate(node->catalog, pmu_bytes, 1);
    if (node_name == NULL || pmu == NULL)
        return no_memory(node->catalog, diag);
    memcpy(node_name, name, length);
    snprintf(pmu, pmu_bytes, "nest_%s_imc", node_name);
    unit->node = node_name;
    unit->has_address = name[length] == '@';
    unit->pmu = kind->pmu != NULL ? kind->pmu : pmu;
    return CS_OK;
}

/* The kernel cannot register a second PMU of a name: the first one stays. */
static bool is_second(const cs_imc_node *node, const cs_imc_unit *unit)
{
    const cs_imc_unit *other = cs_imc_catalog_pmu(node->catalog, unit->pmu);

    if (other != NULL)
        cs_imc_node_warn(node, NULL,
                         "expected one unit for each PMU, found %s for '%s' too: the unit is left "
                         "out",
                         unit->pmu, other->node);
    return other != NULL;
}

static cs_status check_unique(const cs_imc_node *node, const cs_imc_unit *unit, cs_diag *diag)
{
    const cs_imc_catalog *catalog = node->catalog;

    for (size_t i = 0; i < catalog->nr_units; i++) {
        const cs_imc_unit *other = &catalog->units[i];

        if (strcmp(other->node, unit->node) == 0 && other->reg == unit->reg)
            return cs_imc_node_error(node, NULL, diag,
                                     "expected one unit of a name, found another '%s' at 0x%x",
                                     other->node, (unsigned)other->reg);
    }
    return CS_OK;
}

static cs_status take_control_block(const cs_imc_node *node, cs_imc_unit *unit, cs_diag *diag)
{
    bool found;
    cs_status status;

    unit->cb_offset = CS_IMC_DEFAULT_CB_OFFSET;
    status = cs_imc_node_numbers(node, "cb_offset", &unit->cb_offset, 1, &found, diag);
    if (status == CS_OK && found && unit->cb_offset >= unit->size)
        return cs_imc_node_error(node, "cb_offset", diag,
                                 "expected an offset in the unit's 0x%x bytes, found 0x%x",
                                 (unsigned)unit->size, (unsigned)unit->cb_offset);
    return status;
}

static cs_status take_places(const cs_imc_node *node, cs_imc_unit *unit, cs_diag *diag)
{
    uint32_t reg[2] = {0};
    bool found;
    cs_status status = cs_imc_node_numbers(node, "reg", reg, 2, NULL, diag);

    unit->reg = reg[0];
    if (status == CS_OK)
        status = cs_imc_node_numbers(node, "size", &unit->size, 1, NULL, diag);
    if (status == CS_OK && (unit->size == 0 || unit->size > CS_IMC_MAX_MEMORY))
        return cs_imc_node_error(node, "size", diag, "expected 1..%u bytes, found %u",
                                 CS_IMC_MAX_MEMORY, (unsigned)unit->size);
    if (status != CS_OK || unit->domain != CS_IMC_DOMAIN_NEST)
        return status;
    status = cs_imc_node_numbers(node, "offset", &unit->offset, 1, &found, diag);
    return status == CS_OK ? take_control_block(node, unit, diag) : status;
}

static cs_status take_texts(const cs_imc_node *node, cs_imc_unit *unit, cs_diag *diag)
{
    cs_status status = cs_imc_node_word(node, "events-prefix", &unit->prefix, diag);

    if (status == CS_OK)
        status = cs_imc_node_text(node, "scale", &unit->scale, diag);
    return status == CS_OK ? cs_imc_node_text(node, "unit", &unit->unit, diag) : status;
}

/* OPAL adds where each chip's region begins. */
static cs_status take_chips(const cs_imc_node *node, cs_imc_unit *unit, cs_diag *diag)
{
    const uint8_t *addresses, *ids;
    size_t nr_addresses, nr_ids;
    cs_status status = cs_imc_node_array(node, "base-addr", 8, &addresses, &nr_addresses, diag);

    if (status == CS_OK)
        status = cs_imc_node_array(node, "chip-id", 4, &ids, &nr_ids, diag);
    if (status != CS_OK)
        return status;
    if (nr_addresses != nr_ids || nr_ids > CS_IMC_MAX_CHIPS)
        return cs_imc_node_error(node, "base-addr", diag,
                                 "expected as many addresses as chip-id has chips (%zu, at most "
                                 "%u), found %zu",
                                 nr_ids, CS_IMC_MAX_CHIPS, nr_addresses);
    if (nr_ids == 0)
        return CS_OK;

    uint64_t *base_addr = cs_imc_catalog_allocate(node->catalog, nr_ids, sizeof *base_addr);
    uint32_t *chip_id = cs_imc_catalog_allocate(node->catalog, nr_ids, sizeof *chip_id);
    if (base_addr == NULL || chip_id == NULL)
        return no_memory(node->catalog, diag);
    for (size_t i = 0; i < nr_ids; i++) {
        base_addr[i] = cs_big_get64(addresses + 8 * i);
        chip_id[i] = cs_big_get32(ids + 4 * i);
    }
    unit->nr_chips = nr_ids;
    unit->base_addr = base_addr;
    unit->chip_id = chip_id;
    return CS_OK;
}

/* ---- events ---- */

static cs_status take_event_name(const cs_imc_node *node, const cs_imc_unit *unit, const char *name,
                                 cs_imc_event *event, cs_diag *diag)
{
    size_t prefix = strlen(unit->prefix);
    size_t length = strlen(name);

    if (length == 0 || prefix + length > CS_IMC_MAX_NAME)
        return cs_imc_node_error(node, "event-name", diag,
                                 "expected 1..%u characters with the prefix of %s, found %zu",
                                 CS_IMC_MAX_NAME, unit->node, length == 0 ? 0 : prefix + length);

    char *full = cs_imc_catalog_allocate(node->catalog, prefix + length + 1, 1);
    if (full == NULL)
        return no_memory(node->catalog, diag);
    memcpy(full, unit->prefix, prefix);
    memcpy(full + prefix, name, length);
    event->name = full;
    return CS_OK;
}

/* A trace event's value is a selection of the trace SCOM: it has no place in the memory. */
static cs_status take_event_value(const cs_imc_node *node, const cs_imc_unit *unit,
                                  const uint32_t reg[2], cs_imc_event *event, cs_diag *diag)
{
    const uint64_t value = (uint64_t)unit->reg + reg[0];

    if (value > UINT32_MAX)
        return cs_imc_node_error(node, "reg", diag,
                                 "expected an offset of 32 bits in %s, found 0x%x + 0x%x",
                                 unit->node, (unsigned)unit->reg, (unsigned)reg[0]);
    if (unit->domain != CS_IMC_DOMAIN_TRACE && value + COUNTER_BYTES > unit->size)
        return cs_imc_node_error(node, "reg", diag,
                                 "expected a counter of %u bytes within the 0x%x bytes of %s, "
                                 "found it at 0x%x + 0x%x",
                                 COUNTER_BYTES, (unsigned)unit->size, unit->node,
                                 (unsigned)unit->reg, (unsigned)reg[0]);
    if (unit->domain != CS_IMC_DOMAIN_TRACE &&
        (value % COUNTER_BYTES != 0 || reg[1] != COUNTER_BYTES))
        cs_imc_node_warn(node, "reg", "expected an aligned counter of %u bytes, found %u at 0x%x",
                         COUNTER_BYTES, (unsigned)reg[1], (unsigned)value);
    event->value = (uint32_t)value;
    return CS_OK;
}

/* *taken is false for an event that the kernel would skip. */
static cs_status take_event(const cs_imc_node *node, const cs_imc_unit *unit, cs_imc_event *event,
                            bool *taken, cs_diag *diag)
{
    const char *name, *scale, *own_unit;
    uint32_t reg[2];
    cs_status status = cs_imc_node_word(node, "event-name", &name, diag);

    *taken = false;
    if (status == CS_OK)
        status = cs_imc_node_numbers(node, "reg", reg, 2, taken, diag);
    if (status != CS_OK)
        return status;
    if (name == NULL || !*taken) {
        cs_imc_node_warn(node, name == NULL ? "event-name" : "reg", "absent: no event of %s",
                         unit->pmu);
        *taken = false;
        return CS_OK;
    }
    *event = (cs_imc_event){.of = unit};
    status = take_event_name(node, unit, name, event, diag);
    if (status == CS_OK)
        status = take_event_value(node, unit, reg, event, diag);
    if (status == CS_OK)
        status = cs_imc_node_text(node, "desc", &event->desc, diag);
    if (status == CS_OK)
        status = cs_imc_node_text(node, "scale", &scale, diag);
    if (status == CS_OK)
        status = cs_imc_node_text(node, "unit", &own_unit, diag);
    if (status != CS_OK)
        return status;
    event->scale = scale != NULL ? scale : unit->scale;
    event->unit = own_unit != NULL ? own_unit : unit->unit;
    return CS_OK;
}

/* The node that `events` points to. *list < 0 where there is no such property. */
static cs_status find_list(const cs_imc_node *node, const int *ancestors, size_t depth, int *list,
                           cs_diag *diag)
{
    uint32_t phandle;
    bool found;
    cs_status status = cs_imc_node_numbers(node, "events", &phandle, 1, &found, diag);

    *list = -1;
    if (status != CS_OK || !found)
        return status;
    *list = fdt_node_offset_by_phandle(node->catalog->blob, phandle);
    if (*list < 0)
        return cs_imc_node_error(node, "events", diag,
                                 "expected the phandle of a node, found 0x%x, which no node has",
                                 (unsigned)phandle);
    for (size_t i = 0; i <= depth; i++)
        if (ancestors[i] == *list)
            return cs_imc_node_error(
                node, "events", diag, "expected a node of events, found phandle 0x%x of %s",
                (unsigned)phandle, i == depth ? "the unit itself" : "a node around the unit");
    return CS_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Two files of a name cannot be in sysfs. */
static cs_status check_event_names(const cs_imc_node *node, const cs_imc_unit *unit, cs_diag *diag)
{
    const char **names = calloc(unit->nr_events + 1, sizeof *names);
    cs_status status = CS_OK;

    if (names == NULL)
        return no_memory(node->catalog, diag);
    for (size_t i = 0; i < unit->nr_events; i++)
        names[i] = unit->events[i].name;
    qsort(names, unit->nr_events, sizeof *names, by_name);
    for (size_t i = 1; i < unit->nr_events && status == CS_OK; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            status = cs_imc_node_error(node, "events", diag,
                                       "expected one event of a name, found '%s' twice", names[i]);
    free(names);
    return status;
}

static cs_status take_list(const cs_imc_node *node, int list, cs_imc_unit *unit, cs_diag *diag)
{
    cs_imc_catalog *catalog = node->catalog;
    size_t children = 0;
    cs_status status = CS_OK;
    int child;

    fdt_for_each_subnode(child, catalog->blob, list) children++;
    if (children > CS_IMC_MAX_EVENTS - catalog->nr_events)
        return cs_imc_node_error(node, "events", diag,
                                 "expected at most %u events in a catalog, found more",
                                 CS_IMC_MAX_EVENTS);

    cs_imc_event *events = cs_imc_catalog_allocate(catalog, children, sizeof *events);
    if (events == NULL)
        return no_memory(catalog, diag);
    unit->events = events;
    unit->list = (size_t)list;
    fdt_for_each_subnode(child, catalog->blob, list)
    {
        const cs_imc_node event = {catalog, child};
        bool taken;

        status = take_event(&event, unit, &events[unit->nr_events], &taken, diag);
        if (status != CS_OK)
            return status;
        unit->nr_events += taken;
    }
    catalog->nr_events += children;
    return check_event_names(node, unit, diag);
}

static cs_status take_events(const cs_imc_node *node, const int *ancestors, size_t depth,
                             cs_imc_unit *unit, cs_diag *diag)
{
    int list;
    cs_status status = find_list(node, ancestors, depth, &list, diag);

    if (status != CS_OK)
        return status;
    if (list < 0 || unit->prefix == NULL) {
        cs_imc_node_warn(node, list < 0 ? "events" : "events-prefix", "absent: %s has no events",
                         unit->pmu);
        return CS_OK;
    }
    return take_list(node, list, unit, diag);
}

/* ---- the unit ---- */

static cs_status take_kind(const cs_imc_node *node, const struct kind **out, cs_diag *diag)
{
    uint32_t type;
    bool found;
    cs_status status = cs_imc_node_numbers(node, "type", &type, 1, &found, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    if (found)
        *out = kind_of(type);
    if (!found)
        cs_imc_node_warn(node, "type", "absent: the unit is left out");
    else if (*out == NULL)
        cs_imc_node_warn(node, "type",
                         "expected 0x10 (nest), 0x4 (core), 0x1 (thread) or 0x2 (trace), found "
                         "0x%x: the unit is left out",
                         (unsigned)type);
    return CS_OK;
}

cs_status cs_imc_catalog_add_unit(const cs_imc_node *node, const int *ancestors, size_t depth,
                                  cs_diag *diag)
{
    cs_imc_catalog *catalog = node->catalog;
    cs_imc_unit *unit = &catalog->units[catalog->nr_units];
    const struct kind *kind;
    cs_status status = take_kind(node, &kind, diag);

    if (status != CS_OK || kind == NULL)
        return status;
    if (catalog->nr_units == CS_IMC_MAX_UNITS)
        return cs_imc_node_error(node, NULL, diag, "expected at most %u units, found more",
                                 CS_IMC_MAX_UNITS);
    *unit = (cs_imc_unit){.domain = kind->domain};
    status = take_names(node, kind, unit, diag);
    if (status == CS_OK && is_second(node, unit))
        return CS_OK;
    if (status == CS_OK)
        status = take_places(node, unit, diag);
    if (status == CS_OK)
        status = check_unique(node, unit, diag);
    if (status == CS_OK)
        status = take_texts(node, unit, diag);
    if (status == CS_OK)
        status = take_chips(node, unit, diag);
    if (status == CS_OK)
        status = take_events(node, ancestors, depth, unit, diag);
    if (status == CS_OK)
        catalog->nr_units++;
    return status;
}
