// SPDX-License-Identifier: Apache-2.0
#include "foreign/rtl/ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/yaml/suggest.h"

#define LINE_BYTES 4096
#define MAX_TYPES 8192u
#define MOST_DEPTH 32u

/* A row of the type table: so many times another type and bits of its own. */
typedef struct type {
    unsigned width; /* of its own, or of all members so far */
    unsigned times; /* of the type below */
    unsigned below; /* its id; 0: none */
    bool members;   /* those below are in `list` */
    bool opaque;
} type;

typedef struct reader {
    cs_foreign_ports *out;
    unsigned ids[CS_FOREIGN_MAX_PORTS]; /* of the ports' types */
    type types[MAX_TYPES];
    unsigned member_of[MAX_TYPES]; /* of a member type: the structure; 0: none */
    unsigned current;              /* the structure or array at hand */
    unsigned bounds[2], nr_bounds;
    bool in_top, in_range;
} reader;

/* The value of NAME="..." in a tag; false: it has none. */
static bool attribute(const char *line, const char *name, char *out, size_t size)
{
    char key[32];
    const char *at;

    snprintf(key, sizeof key, " %s=\"", name);
    at = strstr(line, key);
    if (at == NULL)
        return false;
    at += strlen(key);
    snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

static unsigned number(const char *line, const char *name)
{
    char text[32];

    return attribute(line, name, text, sizeof text) ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static bool is_tag(const char *line, const char *tag)
{
    line += strspn(line, " ");
    return line[0] == '<' && strncmp(line + 1, tag, strlen(tag)) == 0;
}

static void read_port(reader *r, const char *line)
{
    cs_foreign_port *port = &r->out->list[r->out->count];
    char direction[16];

    if (!r->in_top || r->out->count == CS_FOREIGN_MAX_PORTS ||
        strstr(line, " pinIndex=") == NULL || /* an argument of a function */
        !attribute(line, "dir", direction, sizeof direction) ||
        !attribute(line, "origName", port->name, sizeof port->name))
        return;
    port->output = strcmp(direction, "output") == 0;
    r->ids[r->out->count] = number(line, "dtype_id");
    if (strcmp(direction, "inout") == 0)
        r->ids[r->out->count] = 0;
    r->out->count++;
}

static type *begin(reader *r, const char *line)
{
    const unsigned id = number(line, "id");

    r->current = id < MAX_TYPES ? id : 0;
    r->nr_bounds = 0;
    r->types[r->current] = (type){.times = 1, .below = number(line, "sub_dtype_id")};
    return &r->types[r->current];
}

/* "32'sh3" */
static void read_bound(reader *r, const char *line)
{
    char text[64];
    const char *digits;

    if (!attribute(line, "name", text, sizeof text) || r->nr_bounds == 2)
        return;
    digits = strrchr(text, 'h');
    r->bounds[r->nr_bounds++] = digits != NULL ? (unsigned)strtoul(digits + 1, NULL, 16) : 0;
    if (r->nr_bounds == 2) {
        const unsigned a = r->bounds[0], b = r->bounds[1];

        r->types[r->current].times = (a > b ? a - b : b - a) + 1;
    }
}

static void read_type(reader *r, const char *line)
{
    char left[16], right[16];

    if (is_tag(line, "basicdtype")) {
        type *t = begin(r, line);
        const bool vector = attribute(line, "left", left, sizeof left) &&
                            attribute(line, "right", right, sizeof right);
        const int span = vector ? atoi(left) - atoi(right) : 0;

        t->width = (unsigned)(span < 0 ? -span : span) + 1;
    } else if (is_tag(line, "refdtype") || is_tag(line, "enumdtype") ||
               is_tag(line, "packarraydtype")) {
        begin(r, line);
    } else if (is_tag(line, "structdtype") || is_tag(line, "uniondtype")) {
        begin(r, line)->members = true;
    } else if (is_tag(line, "memberdtype")) {
        const unsigned id = number(line, "id"), inside = r->current;

        if (id < MAX_TYPES && inside != 0) {
            r->types[id] = (type){.times = 1, .below = number(line, "sub_dtype_id")};
            r->member_of[id] = inside;
        }
    } else if (strstr(line, "dtype ") != NULL) {
        begin(r, line)->opaque = true;
    }
}

static void read_line(reader *r, const char *line)
{
    if (is_tag(line, "module "))
        r->in_top = strstr(line, " topModule=\"1\"") != NULL;
    else if (is_tag(line, "/module"))
        r->in_top = false;
    else if (is_tag(line, "var "))
        read_port(r, line);
    else if (is_tag(line, "range "))
        r->in_range = true;
    else if (is_tag(line, "/range"))
        r->in_range = false;
    else if (is_tag(line, "const ") && r->in_range)
        read_bound(r, line);
    else
        read_type(r, line);
}

static unsigned width_of(const reader *r, unsigned id, unsigned depth)
{
    unsigned width = 0;

    if (id == 0 || id >= MAX_TYPES || depth == MOST_DEPTH || r->types[id].opaque)
        return 0;
    if (r->types[id].members) {
        for (unsigned i = 1; i < MAX_TYPES; i++)
            if (r->member_of[i] == id)
                width += width_of(r, i, depth + 1);
        return width;
    }
    if (r->types[id].below == 0)
        return r->types[id].width;
    return r->types[id].times * width_of(r, r->types[id].below, depth + 1);
}

cs_status cs_foreign_ports_read(const char *path, cs_foreign_ports *out, cs_diag *diag)
{
    reader *r = calloc(1, sizeof *r);
    FILE *file = fopen(path, "r");
    char line[LINE_BYTES];

    out->count = 0;
    if (r != NULL && file != NULL) {
        r->out = out;
        while (fgets(line, sizeof line, file) != NULL)
            read_line(r, line);
        for (size_t i = 0; i < out->count; i++)
            out->list[i].width = width_of(r, r->ids[i], 0);
    }
    if (file != NULL)
        fclose(file);
    free(r);
    return out->count != 0 ? CS_OK
                           : cs_diag_set(diag, CS_ERR_FORMAT, path, "has no port of the module");
}

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
