// SPDX-License-Identifier: Apache-2.0
#include "formats/imc/catalog/device_tree.h"

#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "formats/imc/catalog/parts.h"

#define FIRST_BYTES (64u << 10)

static bool is_there(const cs_imc_catalog *catalog, const cs_imc_unit *unit,
                     const cs_imc_device_tree_options *options)
{
    if (unit->domain == CS_IMC_DOMAIN_TRACE)
        return !options->leave_out_trace;
    return unit->domain != CS_IMC_DOMAIN_NEST ||
           cs_imc_nest_available(unit, cs_imc_catalog_generation(catalog), options->availability);
}

/* ---- the tree, from the first byte to the last ---- */

/* After the first error nothing more is written. */
typedef struct writer {
    void *blob;
    int error; /* libfdt's, 0 while all is well */
} writer;

static void begin(writer *w, const char *name)
{
    if (w->error == 0)
        w->error = fdt_begin_node(w->blob, name);
}

static void end(writer *w)
{
    if (w->error == 0)
        w->error = fdt_end_node(w->blob);
}

static void put_text(writer *w, const char *property, const char *text)
{
    if (w->error == 0 && text != NULL)
        w->error = fdt_property(w->blob, property, text, (int)strlen(text) + 1);
}

static void put_number(writer *w, const char *property, uint32_t number)
{
    if (w->error == 0)
        w->error = fdt_property_u32(w->blob, property, number);
}

static void put_reg(writer *w, uint32_t offset)
{
    uint8_t reg[8];

    cs_big_put32(reg, offset);
    cs_big_put32(reg + 4, 8); /* bytes of a counter */
    if (w->error == 0)
        w->error = fdt_property(w->blob, "reg", reg, sizeof reg);
}

static void put_cells(writer *w)
{
    put_number(w, "#address-cells", 1);
    put_number(w, "#size-cells", 1);
}

/* How many events before `nr` have its place: nodes need names of their own. */
static unsigned twins_before(const cs_imc_unit *unit, size_t nr)
{
    unsigned count = 0;

    for (size_t i = 0; i < nr; i++)
        count += unit->events[i].value == unit->events[nr].value;
    return count;
}

static void put_event(writer *w, const cs_imc_unit *unit, size_t nr)
{
    const cs_imc_event *event = &unit->events[nr];
    const uint32_t offset = event->value - unit->reg;
    const unsigned twins = twins_before(unit, nr);
    char name[48];

    snprintf(name, sizeof name, twins > 0 ? "event@%x,%x" : "event@%x", (unsigned)offset, twins);
    begin(w, name);
    put_text(w, "event-name", event->name + strlen(unit->prefix));
    put_reg(w, offset);
    put_text(w, "desc", event->desc);
    put_text(w, "scale", event->scale != unit->scale ? event->scale : NULL);
    put_text(w, "unit", event->unit != unit->unit ? event->unit : NULL);
    end(w);
}

/* The first unit in the tree with the same list: its number + 1 is the list's phandle. */
static size_t first_with_list(const cs_imc_catalog *catalog, size_t nr,
                              const cs_imc_device_tree_options *options)
{
    const size_t list = cs_imc_catalog_unit(catalog, nr)->list;

    for (size_t first = 0; first < nr; first++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(catalog, first);

        if (unit->list == list && is_there(catalog, unit, options))
            return first;
    }
    return nr;
}

static void put_list(writer *w, const cs_imc_unit *unit, uint32_t phandle)
{
    char name[CS_IMC_MAX_NAME + sizeof "-events"];

    snprintf(name, sizeof name, "%s-events", unit->pmu);
    begin(w, name);
    put_cells(w);
    put_number(w, "phandle", phandle);
    for (size_t i = 0; i < unit->nr_events; i++)
        put_event(w, unit, i);
    end(w);
}

static void put_chips(writer *w, size_t nr_chips, const uint64_t *base_addr,
                      const uint32_t *chip_id)
{
    uint8_t addresses[8 * CS_IMC_MAX_CHIPS];
    uint8_t ids[4 * CS_IMC_MAX_CHIPS];

    if (w->error != 0 || nr_chips == 0)
        return;
    for (size_t i = 0; i < nr_chips; i++) {
        cs_big_put64(addresses + 8 * i, base_addr[i]);
        cs_big_put32(ids + 4 * i, chip_id[i]);
    }
    w->error = fdt_property(w->blob, "base-addr", addresses, (int)(8 * nr_chips));
    if (w->error == 0)
        w->error = fdt_property(w->blob, "chip-id", ids, (int)(4 * nr_chips));
}

static void put_nest(writer *w, const cs_imc_unit *unit, const cs_imc_device_tree_options *options)
{
    put_number(w, "offset", unit->offset);
    put_number(w, "cb_offset", unit->cb_offset);
    if (options->nr_chips > 0)
        put_chips(w, options->nr_chips, options->base_addr, options->chip_id);
    else
        put_chips(w, unit->nr_chips, unit->base_addr, unit->chip_id);
}

static void put_unit(writer *w, const cs_imc_unit *unit, uint32_t phandle,
                     const cs_imc_device_tree_options *options)
{
    char name[CS_IMC_MAX_NAME + sizeof "@ffffffff"];

    /* As it is in the catalog: firmware looks for some units by the whole name. */
    snprintf(name, sizeof name, unit->has_address ? "%s@%x" : "%s", unit->node,
             (unsigned)unit->reg);
    begin(w, name);
    put_text(w, "compatible", "ibm,imc-counters");
    put_text(w, "events-prefix", unit->prefix);
    put_text(w, "scale", unit->scale);
    put_text(w, "unit", unit->unit);
    put_reg(w, unit->reg);
    put_number(w, "type", cs_imc_type_of(unit->domain));
    put_number(w, "size", unit->size);
    if (unit->list != 0)
        put_number(w, "events", phandle);
    if (unit->domain == CS_IMC_DOMAIN_NEST)
        put_nest(w, unit, options);
    end(w);
}

static void put_counters(writer *w, const cs_imc_catalog *catalog,
                         const cs_imc_device_tree_options *options)
{
    begin(w, "imc-counters");
    put_text(w, "compatible", "ibm,opal-in-memory-counters");
    put_cells(w);
    put_number(w, "version-id", cs_imc_catalog_version(catalog));
    for (size_t i = 0; i < cs_imc_catalog_nr_units(catalog); i++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(catalog, i);
        const size_t first = first_with_list(catalog, i, options);
        const uint32_t phandle = (uint32_t)first + 1;

        if (!is_there(catalog, unit, options))
            continue;
        if (first == i && unit->list != 0)
            put_list(w, unit, phandle);
        put_unit(w, unit, phandle, options);
    }
    end(w);
}

/* libfdt's error, 0 for a whole tree. */
static int put_tree(void *blob, size_t size, const cs_imc_catalog *catalog,
                    const cs_imc_device_tree_options *options)
{
    writer w = {blob, fdt_create(blob, (int)size)};

    if (w.error == 0)
        w.error = fdt_finish_reservemap(w.blob);
    begin(&w, "");
    put_cells(&w);
    put_counters(&w, catalog, options);
    end(&w);
    return w.error == 0 ? fdt_finish(w.blob) : w.error;
}

cs_status cs_imc_device_tree_make(const cs_imc_catalog *catalog,
                                  const cs_imc_device_tree_options *options, void **blob,
                                  size_t *bytes, cs_diag *diag)
{
    *blob = NULL;
    if (options->nr_chips > CS_IMC_MAX_CHIPS)
        return cs_diag_set(diag, CS_ERR_RANGE, catalog->name,
                           "expected at most %u chips, found %zu", CS_IMC_MAX_CHIPS,
                           options->nr_chips);
    for (size_t size = FIRST_BYTES; size <= CS_IMC_MAX_BYTES; size *= 2) {
        void *room = malloc(size);
        int error;

        if (room == NULL)
            return cs_diag_set(diag, CS_ERR_NO_MEMORY, catalog->name,
                               "no memory for a device tree");
        error = put_tree(room, size, catalog, options);
        if (error == 0) {
            *blob = room;
            *bytes = fdt_totalsize(room);
            return CS_OK;
        }
        free(room);
        if (error != -FDT_ERR_NOSPACE)
            return cs_diag_set(diag, CS_ERR_RANGE, catalog->name,
                               "cannot be written as a device tree: %s", fdt_strerror(error));
    }
    return cs_diag_set(diag, CS_ERR_RANGE, catalog->name,
                       "expected a device tree of at most %u bytes, found more", CS_IMC_MAX_BYTES);
}
