// SPDX-License-Identifier: Apache-2.0
#include "foreign/rtl/ports.h"

#include <string.h>

#include "scenario/yaml/suggest.h"

const cs_foreign_port *cs_foreign_ports_find(const cs_foreign_ports *ports, const char *name)
{
    for (size_t i = 0; i < ports->count; i++)
        if (strcmp(ports->list[i].name, name) == 0)
            return &ports->list[i];
    return NULL;
}

/* ---- against the MAP ---- */

static cs_status check_named(const cs_yaml_node *node, const char *name, const char *top,
                             const cs_foreign_ports *ports, cs_diag *diag)
{
    cs_suggest suggest = cs_suggest_begin(name);
    const char *nearest;

    if (cs_foreign_ports_find(ports, name) != NULL)
        return CS_OK;
    for (size_t i = 0; i < ports->count; i++)
        cs_suggest_offer(&suggest, ports->list[i].name);
    nearest = cs_suggest_end(&suggest);
    return cs_foreign_at(diag, node, "the module '%s' has no port '%s'%s%s%s", top, name,
                         nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                         nearest != NULL ? "'?" : "");
}

static cs_status check_link(const cs_foreign_map *map, unsigned pin, const char *top,
                            const cs_foreign_ports *ports, cs_diag *diag)
{
    const cs_foreign_pin *ours = &map->unit->pins[pin];
    const cs_foreign_link *link = &map->links[pin];
    const unsigned wanted = link->count != 0 ? link->field * link->count : ours->width;
    const cs_foreign_port *theirs;
    cs_status status = check_named(link->node, link->port, top, ports, diag);

    if (status != CS_OK)
        return status;
    theirs = cs_foreign_ports_find(ports, link->port);
    if (theirs->output != ours->output)
        return cs_foreign_at(diag, link->node, "'%s' is an %s, and '%s' an %s", link->port,
                             theirs->output ? "output" : "input", ours->name,
                             ours->output ? "output" : "input");
    if (theirs->width == 0)
        return cs_foreign_at(
            diag, link->node,
            "'%s' is not a vector of bits; write a module around yours that has one", link->port);
    /* A word may have fewer bits, which alone are compared and driven; an increment any number. */
    if (theirs->width == wanted || (link->count == 0 && ours->field == 0 && ours->amount) ||
        (link->count == 0 && ours->field == 0 && theirs->width < wanted && ours->width > 8) ||
        (link->count == 0 && ours->each != NULL && theirs->width < wanted &&
         theirs->width % ours->field == 0))
        return CS_OK;
    return cs_foreign_at(
        diag, link->node, "'%s' has %u bits, and '%s' %u%s", link->port, theirs->width, ours->name,
        wanted,
        ours->field != 0 ? ": 'field', 'first' and 'count' say which of its fields are there" : "");
}

static bool is_driven(const cs_foreign_map *map, const char *name)
{
    for (size_t i = 0; i < map->nr_ties; i++)
        if (strcmp(map->ties[i].name, name) == 0)
            return true;
    for (unsigned i = 0; i < CS_FOREIGN_MAX_PINS; i++)
        if (map->links[i].port != NULL && strcmp(map->links[i].port, name) == 0)
            return true;
    return false;
}

/* What programs have to know of the ports. */
static void take_widths(cs_foreign_map *map, const cs_foreign_ports *ports)
{
    cs_foreign_design *d = &map->design;

    for (unsigned i = 0; map->unit->pins[i].name != NULL; i++) {
        const cs_foreign_pin *ours = &map->unit->pins[i];

        if (map->links[i].port == NULL || map->links[i].count != 0)
            continue;
        const unsigned theirs = cs_foreign_ports_find(ports, map->links[i].port)->width;
        if (ours->field != 0) {
            if (theirs < ours->width) {
                d->field[i] = ours->field;
                d->fields[i] = theirs / ours->field;
            }
            continue;
        }
        d->bits[i] = theirs;
        if (d->bits[i] > ours->width)
            d->bits[i] = ours->width;
        if (ours->address && map->nr_addresses == 0)
            d->address_bits = d->bits[i];
    }
}

cs_status cs_foreign_ports_check(cs_foreign_map *map, const char *top,
                                 const cs_foreign_ports *ports, cs_diag *diag)
{
    cs_status status = CS_OK;

    for (unsigned i = 0; status == CS_OK && map->unit->pins[i].name != NULL; i++)
        if (map->links[i].port != NULL)
            status = check_link(map, i, top, ports, diag);
    for (size_t i = 0; status == CS_OK && i < map->nr_ties; i++)
        status = check_named(map->ties[i].node, map->ties[i].name, top, ports, diag);
    for (size_t i = 0; status == CS_OK && i < ports->count; i++)
        if (!ports->list[i].output && !is_driven(map, ports->list[i].name))
            status = cs_diag_set(diag, CS_ERR_SCENARIO, top,
                                 "its input '%s' has neither a pin ('ports') nor a value ('tie') "
                                 "in the MAP",
                                 ports->list[i].name);
    if (status != CS_OK)
        return status;
    take_widths(map, ports);
    return cs_foreign_map_check(map, diag);
}
