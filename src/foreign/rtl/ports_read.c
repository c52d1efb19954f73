// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
/* Verilator's tree, as XML or as JSON. Of both it writes a node a line, and a node's attributes on the line
 * where it begins: `<var name="clk" ...>`, `{"type":"VAR","name":"clk",...`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/room.h"
#include "foreign/rtl/ports.h"

#define LINE_BYTES 4096
#define MOST_DEPTH 32u

/* A row of the type table: so many times another type, or bits of its own. */
typedef struct type {
    unsigned id;
    unsigned width;  /* of its own */
    unsigned times;  /* of the type below */
    unsigned below;  /* its id; 0: none */
    unsigned inside; /* of a member: the id of its structure; 0: it is none */
    bool members;    /* those inside it add up */
    bool overlaid;   /* or lie one over the other */
    bool opaque;     /* no vector of bits */
} type;

typedef struct reader {
    cs_foreign_ports *out;
    bool json;
    unsigned ids[CS_FOREIGN_MAX_PORTS]; /* of the ports' types */
    type *types;
    size_t nr_types, room_types;
    bool failed; /* no memory: a type is put here, and lost */
    type lost;
    unsigned structure; /* the last one: members are of it */
    unsigned bounds[2], nr_bounds;
    bool in_top, in_range;
} reader;

/* The value of an attribute of the line's node; false: it has none, or none that is a text. */
static bool attribute(const reader *r, const char *line, const char *name, char *out, size_t size)
{
    char key[32];
    const char *at;

    snprintf(key, sizeof key, r->json ? "\"%s\":\"" : " %s=\"", name);
    at = strstr(line, key);
    if (at == NULL)
        return false;
    at += strlen(key);
    snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

/* An attribute that is a node's number, "17", or in JSON "(AB)"; 0: it is none. */
static unsigned node(const reader *r, const char *line, const char *name)
{
    char text[32];
    unsigned id = 0;

    if (!attribute(r, line, name, text, sizeof text))
        return 0;
    if (!r->json)
        return (unsigned)strtoul(text, NULL, 10);
    if (text[0] != '(')
        return 0;
    for (const char *at = text + 1; *at >= 'A' && *at <= 'Z'; at++)
        id = id * 27 + (unsigned)(*at - 'A') + 1;
    return id;
}

static bool is_tag(const char *line, const char *tag)
{
    line += strspn(line, " ");
    return line[0] == '<' && strncmp(line + 1, tag, strlen(tag)) == 0;
}

static void put_port(reader *r, const char *line, unsigned id, const char *direction)
{
    cs_foreign_port *port = &r->out->list[r->out->count];

    if (r->out->count == CS_FOREIGN_MAX_PORTS ||
        !attribute(r, line, "origName", port->name, sizeof port->name))
        return;
    port->output = strcasecmp(direction, "output") == 0;
    r->ids[r->out->count++] = strcasecmp(direction, "inout") != 0 ? id : 0;
}

/* Valid until the next one. */
static type *put_type(reader *r, unsigned id, unsigned below)
{
    type *types = cs_room(r->types, &r->room_types, r->nr_types, sizeof *types);

    r->nr_bounds = 0;
    if (types == NULL) {
        r->failed = true;
        return &r->lost;
    }
    r->types = types;
    types[r->nr_types] = (type){.id = id, .times = 1, .below = below};
    return &types[r->nr_types++];
}

static void put_structure(reader *r, unsigned id, bool overlaid)
{
    type *t = put_type(r, id, 0);

    t->members = true;
    t->overlaid = overlaid;
    r->structure = id;
}

static void put_member(reader *r, unsigned id, unsigned below)
{
    put_type(r, id, below)->inside = r->structure;
}

static unsigned bits_between(int left, int right)
{
    return (unsigned)(left > right ? left - right : right - left) + 1;
}

/* ---- XML ---- */

static void xml_port(reader *r, const char *line)
{
    char direction[16];

    if (r->in_top && strstr(line, " pinIndex=") != NULL && /* else an argument of a function */
        attribute(r, line, "dir", direction, sizeof direction))
        put_port(r, line, node(r, line, "dtype_id"), direction);
}

/* "32'sh3" */
static void xml_bound(reader *r, const char *line)
{
    char text[64];
    const char *digits;

    if (!attribute(r, line, "name", text, sizeof text) || r->nr_bounds == 2 || r->nr_types == 0)
        return;
    digits = strrchr(text, 'h');
    r->bounds[r->nr_bounds++] = digits != NULL ? (unsigned)strtoul(digits + 1, NULL, 16) : 0;
    if (r->nr_bounds == 2)
        r->types[r->nr_types - 1].times = bits_between((int)r->bounds[0], (int)r->bounds[1]);
}

static void xml_type(reader *r, const char *line)
{
    const unsigned id = node(r, line, "id"), below = node(r, line, "sub_dtype_id");
    char left[16], right[16];

    if (is_tag(line, "basicdtype")) {
        const bool vector = attribute(r, line, "left", left, sizeof left) &&
                            attribute(r, line, "right", right, sizeof right);

        put_type(r, id, below)->width = vector ? bits_between(atoi(left), atoi(right)) : 1;
    } else if (is_tag(line, "refdtype") || is_tag(line, "enumdtype") ||
               is_tag(line, "packarraydtype")) {
        put_type(r, id, below);
    } else if (is_tag(line, "structdtype") || is_tag(line, "uniondtype")) {
        put_structure(r, id, is_tag(line, "uniondtype"));
    } else if (is_tag(line, "memberdtype")) {
        put_member(r, id, below);
    } else if (strstr(line, "dtype ") != NULL) {
        put_type(r, id, below)->opaque = true;
    }
}

static void xml_line(reader *r, const char *line)
{
    if (is_tag(line, "module "))
        r->in_top = strstr(line, " topModule=\"1\"") != NULL;
    else if (is_tag(line, "/module"))
        r->in_top = false;
    else if (is_tag(line, "var "))
        xml_port(r, line);
    else if (is_tag(line, "range "))
        r->in_range = true;
    else if (is_tag(line, "/range"))
        r->in_range = false;
    else if (is_tag(line, "const ") && r->in_range)
        xml_bound(r, line);
    else
        xml_type(r, line);
}

/* ---- JSON ---- */

static void json_port(reader *r, const char *line)
{
    char direction[16];

    if (strstr(line, "\"isPrimaryIO\":true") != NULL &&
        attribute(r, line, "direction", direction, sizeof direction))
        put_port(r, line, node(r, line, "dtypep"), direction);
}

static void json_line(reader *r, const char *line)
{
    const unsigned id = node(r, line, "addr");
    unsigned below = node(r, line, "dtypep");
    char kind[32], range[32];
    int left = 0, right = 0;

    /* The node that begins the line; a value further on is of another one. */
    line += strspn(line, " ");
    if (strncmp(line, "{\"type\":\"", 9) != 0 || !attribute(r, line, "type", kind, sizeof kind))
        return;
    if (below == id)
        below = node(r, line, "refDTypep");
    if (strcmp(kind, "VAR") == 0) {
        json_port(r, line);
    } else if (strcmp(kind, "BASICDTYPE") == 0) {
        if (attribute(r, line, "range", range, sizeof range))
            sscanf(range, "%d:%d", &left, &right);
        put_type(r, id, 0)->width = bits_between(left, right);
    } else if (strcmp(kind, "PACKARRAYDTYPE") == 0) {
        if (attribute(r, line, "declRange", range, sizeof range))
            sscanf(range, "[%d:%d]", &left, &right);
        put_type(r, id, below)->times = bits_between(left, right);
    } else if (strcmp(kind, "STRUCTDTYPE") == 0 || strcmp(kind, "UNIONDTYPE") == 0) {
        put_structure(r, id, kind[0] == 'U');
    } else if (strcmp(kind, "MEMBERDTYPE") == 0) {
        put_member(r, id, below);
    } else if (strcmp(kind, "REFDTYPE") == 0 || strcmp(kind, "ENUMDTYPE") == 0 ||
               strcmp(kind, "PARAMTYPEDTYPE") == 0) {
        put_type(r, id, below);
    } else if (strstr(kind, "DTYPE") != NULL) {
        put_type(r, id, below)->opaque = true;
    }
}

/* ---- widths ---- */

static unsigned width_of(const reader *r, unsigned id, unsigned depth);

static unsigned width_of_members(const reader *r, const type *t, unsigned depth)
{
    unsigned width = 0;

    for (size_t i = 0; i < r->nr_types; i++) {
        const unsigned one =
            r->types[i].inside == t->id ? width_of(r, r->types[i].id, depth + 1) : 0;

        width = t->overlaid ? (one > width ? one : width) : width + one;
    }
    return width;
}

static unsigned width_of(const reader *r, unsigned id, unsigned depth)
{
    size_t i = 0;

    while (i < r->nr_types && r->types[i].id != id)
        i++;
    if (id == 0 || i == r->nr_types || depth == MOST_DEPTH || r->types[i].opaque)
        return 0;
    if (r->types[i].members)
        return width_of_members(r, &r->types[i], depth);
    if (r->types[i].below == 0)
        return r->types[i].width;
    return r->types[i].times * width_of(r, r->types[i].below, depth + 1);
}

static void read_file(reader *r, FILE *file)
{
    char line[LINE_BYTES];

    for (bool first = true; fgets(line, sizeof line, file) != NULL; first = false) {
        if (first)
            r->json = line[0] == '{';
        if (r->json)
            json_line(r, line);
        else
            xml_line(r, line);
    }
    for (size_t i = 0; i < r->out->count; i++)
        r->out->list[i].width = width_of(r, r->ids[i], 0);
}

cs_status cs_foreign_ports_read(const char *path, cs_foreign_ports *out, cs_diag *diag)
{
    reader r = {.out = out};
    FILE *file = fopen(path, "r");

    out->count = 0;
    if (file != NULL) {
        read_file(&r, file);
        fclose(file);
    }
    free(r.types);
    if (r.failed)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for types of ports");
    return out->count != 0 ? CS_OK
                           : cs_diag_set(diag, CS_ERR_FORMAT, path, "has no port of the module");
}
