// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "lockstep/die/unit_file.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 512
#define BUNDLE "*bus_pkg::ReqBits"

typedef struct reader {
    const char *unit;
    const cs_die_shape *shape;
    cs_unit_file *out;
    const char *path;
    unsigned line;
    cs_diag *diag;
} reader;

static cs_status refuse(reader *r, const char *expected, const char *found)
{
    return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->path, r->line, 0, "found '%s', expected %s",
                          found, expected);
}

/* ---- widths ---- */

static unsigned sum(const char **at, bool *bad);

static unsigned atom(const char **at, bool *bad)
{
    char *end;
    unsigned long value;

    if (**at == '(') {
        ++*at;
        value = sum(at, bad);
        *bad = *bad || **at != ')';
        *at += **at == ')';
        return (unsigned)value;
    }
    value = strtoul(*at, &end, 10);
    *bad = *bad || end == *at || value > INT_MAX;
    *at = end;
    return (unsigned)value;
}

static unsigned product(const char **at, bool *bad)
{
    unsigned value = atom(at, bad);

    while (**at == '*') {
        ++*at;
        value *= atom(at, bad);
    }
    return value;
}

static unsigned sum(const char **at, bool *bad)
{
    unsigned value = product(at, bad);

    while (**at == '+') {
        ++*at;
        value += product(at, bad);
    }
    return value;
}

static const cs_unit_parameter *parameter(const cs_unit_file *file, const char *name, size_t length)
{
    for (unsigned i = 0; i < file->nr_parameters; i++)
        if (strlen(file->parameters[i].name) == length &&
            memcmp(file->parameters[i].name, name, length) == 0)
            return &file->parameters[i];
    return NULL;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':';
}

/* The expression without blanks, with numbers for the module's own parameters. */
static bool resolve(const cs_unit_file *file, const char *text, size_t length,
                    char out[CS_UNIT_WIDTH])
{
    size_t used = 0;

    for (size_t i = 0; i < length;) {
        const cs_unit_parameter *p = NULL;
        size_t word = 0;

        while (i + word < length && in_name(text[i + word]))
            word++;
        if (word != 0)
            p = parameter(file, text + i, word);
        if (used + word + 12 > CS_UNIT_WIDTH)
            return false;
        if (p != NULL)
            used += (size_t)sprintf(out + used, "%u", p->value);
        else if (word != 0)
            used += (size_t)sprintf(out + used, "%.*s", (int)word, text + i);
        else if (text[i] != ' ')
            out[used++] = text[i];
        i += word != 0 ? word : 1;
    }
    out[used] = '\0';
    return true;
}

/* ---- lines ---- */

static cs_status read_parameter(reader *r, const char *text)
{
    cs_unit_parameter *p = &r->out->parameters[r->out->nr_parameters];
    const cs_die_size *wanted;

    if (r->out->nr_parameters == CS_UNIT_PARAMETERS ||
        sscanf(text, "parameter int %47[A-Za-z0-9_] = %u", p->name, &p->value) != 2)
        return refuse(r, "'parameter int NAME = NUMBER'", text);
    wanted = cs_die_shape_find(r->shape, r->unit, p->name);
    if (wanted != NULL)
        p->value = wanted->value;
    r->out->nr_parameters++;
    return CS_OK;
}

static cs_status count_bundles(reader *r, const cs_unit_port *port, unsigned *count)
{
    const size_t length = strlen(port->width);
    const size_t tail = strlen(BUNDLE);
    char number[CS_UNIT_WIDTH];
    const char *at = number;
    bool bad = false;

    if (length < tail || strcmp(port->width + length - tail, BUNDLE) != 0)
        return refuse(r, "a port of COUNT" BUNDLE " bits", port->name);
    snprintf(number, sizeof number, "%.*s", (int)(length - tail), port->width);
    *count = sum(&at, &bad);
    if (bad || *at != '\0')
        return refuse(r, "numbers, parameters, +, * and brackets", number);
    return CS_OK;
}

/* "BITS-1:0" or "7:0", without its brackets. */
static bool read_width(const cs_unit_file *file, const char *text, size_t length,
                       char out[CS_UNIT_WIDTH])
{
    unsigned top;
    int at = 0;

    if (length > 4 && strncmp(text + length - 4, "-1:0", 4) == 0)
        return resolve(file, text, length - 4, out);
    if (sscanf(text, "%9u:0%n", &top, &at) != 1 || (size_t)at != length)
        return false;
    snprintf(out, CS_UNIT_WIDTH, "%u", top + 1);
    return true;
}

static cs_status read_port(reader *r, const char *text)
{
    static const char expected[] = "'input logic [BITS-1:0] NAME_i,' or 'output ... NAME_o,'";
    cs_unit_port *port = &r->out->ports[r->out->nr_ports];
    const char *end;
    char direction[8];
    int at = 0;

    if (r->out->nr_ports == CS_UNIT_PORTS)
        return refuse(r, "at most 96 ports", text);
    if (sscanf(text, "%7[a-z] logic %n", direction, &at) != 1 || at == 0)
        return refuse(r, expected, text);
    *port = (cs_unit_port){.output = strcmp(direction, "output") == 0};
    if (text[at] == '[') {
        end = strchr(text + at, ']');
        if (end == NULL ||
            !read_width(r->out, text + at + 1, (size_t)(end - text) - (size_t)at - 1, port->width))
            return refuse(r, expected, text);
        at = (int)(end + 1 - text);
    }
    if (sscanf(text + at, " %47[a-z0-9_]", port->name) != 1 || strlen(port->name) < 3 ||
        port->name[strlen(port->name) - 1] != (port->output ? 'o' : 'i'))
        return refuse(r, expected, text);
    r->out->nr_ports++;
    if (strcmp(port->name, "m_req_o") == 0)
        return count_bundles(r, port, &r->out->managers);
    if (strcmp(port->name, "t_req_i") == 0)
        return count_bundles(r, port, &r->out->targets);
    return CS_OK;
}

/* Without comment and blanks at its ends. */
static char *trimmed(char *line)
{
    char *comment = strstr(line, "//");
    size_t length;

    if (comment != NULL)
        *comment = '\0';
    line += strspn(line, " \t");
    length = strlen(line);
    while (length != 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    return line;
}

static cs_status read_header(reader *r, FILE *file)
{
    char line[LINE_BYTES];
    char module[2 * CS_UNIT_NAME];
    bool inside = false;
    cs_status status = CS_OK;

    snprintf(module, sizeof module, "module %s_unit ", r->unit);
    while (status == CS_OK && fgets(line, sizeof line, file) != NULL) {
        const char *text = trimmed(line);

        r->line++;
        if (strncmp(text, module, strlen(module)) == 0) {
            inside = true;
            continue;
        }
        if (!inside || text[0] == '\0' || strcmp(text, ") (") == 0)
            continue;
        if (strcmp(text, ");") == 0)
            return CS_OK;
        status = strncmp(text, "parameter", 9) == 0 ? read_parameter(r, text) : read_port(r, text);
    }
    return status != CS_OK ? status : refuse(r, module, "no such module");
}

static cs_status check_shape(reader *r)
{
    for (size_t i = 0; i < r->shape->nr_sizes; i++) {
        const cs_die_size *size = &r->shape->sizes[i];

        if (strcmp(size->unit, r->unit) == 0 && size->name[0] != '\0' &&
            parameter(r->out, size->name, strlen(size->name)) == NULL)
            return refuse(r, "a parameter of the module", size->name);
    }
    return CS_OK;
}

cs_status cs_unit_file_read(const cs_rtl_tree *tree, const char *unit, const cs_die_shape *shape,
                            cs_unit_file *out, cs_diag *diag)
{
    char name[PATH_MAX], path[PATH_MAX];
    reader r = {unit, shape, out, path, 0, diag};
    cs_status status;
    FILE *file;

    *out = (cs_unit_file){0};
    snprintf(name, sizeof name, "src/rtl/%s/%s_unit.sv", unit, unit);
    cs_rtl_tree_path(tree, name, path, sizeof path);
    file = fopen(path, "r");
    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot be read");
    status = read_header(&r, file);
    fclose(file);
    return status == CS_OK ? check_shape(&r) : status;
}
