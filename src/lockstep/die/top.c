// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "lockstep/die/top.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/die/unit_file.h"

#define MAX_UNITS 32u
#define STRAP "strap_"
#define CLOCKED "clocked_"
#define SETTLE "_settle_i"

typedef struct unit {
    char name[CS_DIE_SHAPE_NAME];
    cs_unit_file file;
    unsigned first_manager;
    unsigned first_target;
} unit;

typedef struct die {
    unit *units;
    unsigned nr_units;
    unsigned nr_managers; /* the first is the CPU's port */
    unsigned nr_targets;  /* the first is memory */
} die;

char *cs_die_read_file(const char *path, cs_diag *diag)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (file == NULL || getdelim(&text, &size, '\0', file) < 0) {
        cs_diag_set(diag, CS_ERR_IO, path, "%s", strerror(errno));
        free(text);
        text = NULL;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

/* ---- what the shape asks for ---- */

static cs_status add_unit(const cs_rtl_tree *tree, const cs_die_shape *shape, const char *name,
                          die *d, cs_diag *diag)
{
    unit *u = &d->units[d->nr_units++];
    cs_status status;

    snprintf(u->name, sizeof u->name, "%s", name);
    u->first_manager = d->nr_managers;
    u->first_target = d->nr_targets;
    status = cs_unit_file_read(tree, name, shape, &u->file, diag);
    d->nr_managers += u->file.managers;
    d->nr_targets += u->file.targets;
    return status;
}

static bool has_unit(const die *d, const char *name)
{
    for (unsigned i = 0; i < d->nr_units; i++)
        if (strcmp(d->units[i].name, name) == 0)
            return true;
    return false;
}

/* The units of the shape, in the order of src/rtl/units.txt. */
static cs_status read_units(const cs_rtl_tree *tree, const cs_die_shape *shape, die *d,
                            cs_diag *diag)
{
    char path[PATH_MAX];
    cs_status status = CS_OK;
    char *list;
    char *rest;

    snprintf(path, sizeof path, "%s/src/rtl/units.txt", tree->root);
    list = cs_die_read_file(path, diag);
    if (list == NULL)
        return CS_ERR_IO;
    for (char *name = strtok_r(list, " \n", &rest); name != NULL && status == CS_OK;
         name = strtok_r(NULL, " \n", &rest))
        if (cs_die_shape_has(shape, name) && d->nr_units < MAX_UNITS)
            status = add_unit(tree, shape, name, d, diag);
    free(list);
    for (size_t i = 0; i < shape->nr_sizes && status == CS_OK; i++)
        if (!has_unit(d, shape->sizes[i].unit))
            status = cs_diag_set(diag, CS_ERR_FORMAT, path, "there is no unit '%s'",
                                 shape->sizes[i].unit);
    return status;
}

/* ---- die.sv ---- */

typedef enum port_kind {
    PORT_PIN,
    PORT_STRAP,
    PORT_CLOCKED,
    PORT_CLOCK,
    PORT_MANAGER,
    PORT_TARGET
} port_kind;

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static port_kind kind_of(const cs_unit_port *port)
{
    if (strcmp(port->name, "clk_i") == 0 || strcmp(port->name, "rst_ni") == 0)
        return PORT_CLOCK;
    if (strcmp(port->name, "m_req_o") == 0 || strcmp(port->name, "m_rsp_i") == 0)
        return PORT_MANAGER;
    if (strcmp(port->name, "t_req_i") == 0 || strcmp(port->name, "t_rsp_o") == 0)
        return PORT_TARGET;
    if (begins(port->name, CLOCKED) && !port->output)
        return PORT_CLOCKED;
    return begins(port->name, STRAP) ? PORT_STRAP : PORT_PIN;
}

static bool is_pin(const cs_unit_port *port)
{
    return kind_of(port) == PORT_PIN || kind_of(port) == PORT_STRAP ||
           kind_of(port) == PORT_CLOCKED;
}

static void write_range(FILE *out, const cs_unit_port *port)
{
    if (port->width[0] != '\0')
        fprintf(out, "[%s-1:0] ", port->width);
}

static void write_ports(FILE *out, const die *d)
{
    for (unsigned i = 0; i < d->nr_units; i++) {
        const unit *u = &d->units[i];

        fprintf(out, "  // %s\n  input  logic %s" SETTLE ",\n", u->name, u->name);
        for (unsigned n = 0; n < u->file.nr_ports; n++) {
            const cs_unit_port *port = &u->file.ports[n];

            if (!is_pin(port))
                continue;
            fprintf(out, "  %s logic ", port->output ? "output" : "input ");
            write_range(out, port);
            fprintf(out, "%s_%s,\n", u->name, port->name);
        }
        fprintf(out, "\n");
    }
}

/* Inputs are registers: straps are taken when straps settle, all others when the unit's pins do. What
 * only the clock takes passes through. */
static bool is_registered(const cs_unit_port *port, port_kind kind)
{
    return kind_of(port) == kind && !port->output;
}

/* ..._q for ..._i. */
static void write_register(FILE *out, const unit *u, const cs_unit_port *port)
{
    fprintf(out, "%s_%.*sq", u->name, (int)strlen(port->name) - 1, port->name);
}

static void write_registers(FILE *out, const unit *u, port_kind kind)
{
    bool any = false;

    for (unsigned n = 0; n < u->file.nr_ports; n++) {
        if (!is_registered(&u->file.ports[n], kind))
            continue;
        any = true;
        fprintf(out, "  logic ");
        write_range(out, &u->file.ports[n]);
        write_register(out, u, &u->file.ports[n]);
        fprintf(out, ";\n");
    }
    if (!any)
        return;
    fprintf(out, "  always_ff @(posedge %s" SETTLE ") begin\n",
            kind == PORT_STRAP ? "strap" : u->name);
    for (unsigned n = 0; n < u->file.nr_ports; n++) {
        if (!is_registered(&u->file.ports[n], kind))
            continue;
        fprintf(out, "    ");
        write_register(out, u, &u->file.ports[n]);
        fprintf(out, " <= %s_%s;\n", u->name, u->file.ports[n].name);
    }
    fprintf(out, "  end\n");
}

static void write_connection(FILE *out, const unit *u, const cs_unit_port *port)
{
    /* m_req_o is a slice of m_req, and so on. */
    const char *bits =
        strncmp(port->name + 2, "req", 3) == 0 ? "bus_pkg::ReqBits" : "bus_pkg::RspBits";

    switch (kind_of(port)) {
    case PORT_CLOCK:
        fprintf(out, "%s", port->name);
        break;
    case PORT_CLOCKED:
        fprintf(out, "%s_%s", u->name, port->name);
        break;
    case PORT_STRAP:
    case PORT_PIN:
        if (port->output)
            fprintf(out, "%s_%s", u->name, port->name);
        else
            write_register(out, u, port);
        break;
    case PORT_MANAGER:
        fprintf(out, "%.5s[%u*%s +: %u*%s]", port->name, u->first_manager, bits, u->file.managers,
                bits);
        break;
    case PORT_TARGET:
        fprintf(out, "%.5s[%u*%s +: %u*%s]", port->name, u->first_target, bits, u->file.targets,
                bits);
        break;
    }
}

static void write_unit(FILE *out, const unit *u)
{
    fprintf(out, "  // --- %s ---\n", u->name);
    write_registers(out, u, PORT_STRAP);
    write_registers(out, u, PORT_PIN);
    fprintf(out, "  %s_unit ", u->name);
    for (unsigned i = 0; i < u->file.nr_parameters; i++)
        fprintf(out, "%s\n    .%s (%u)", i == 0 ? "#(" : ",", u->file.parameters[i].name,
                u->file.parameters[i].value);
    fprintf(out, "%su_%s (", u->file.nr_parameters != 0 ? "\n  ) " : "", u->name);
    for (unsigned n = 0; n < u->file.nr_ports; n++) {
        fprintf(out, "%s\n    .%s (", n == 0 ? "" : ",", u->file.ports[n].name);
        write_connection(out, u, &u->file.ports[n]);
        fprintf(out, ")");
    }
    fprintf(out, "\n  );\n\n");
}

/* A line of the template: @WORD@ stands for what the shape says. */
static void write_line(FILE *out, const die *d, const char *line, size_t length)
{
    if (length == strlen("@PORTS@") && strncmp(line, "@PORTS@", length) == 0) {
        write_ports(out, d);
        return;
    }
    if (length == strlen("@UNITS@") && strncmp(line, "@UNITS@", length) == 0) {
        for (unsigned i = 0; i < d->nr_units; i++)
            write_unit(out, &d->units[i]);
        return;
    }
    for (size_t i = 0; i < length;) {
        if (strncmp(line + i, "@NR_MANAGER@", 12) == 0) {
            fprintf(out, "%u", d->nr_managers);
            i += 12;
        } else if (strncmp(line + i, "@NR_TARGET@", 11) == 0) {
            fprintf(out, "%u", d->nr_targets);
            i += 11;
        } else {
            fputc(line[i++], out);
        }
    }
    fputc('\n', out);
}

static void write_top(FILE *out, const die *d, const char *template)
{
    while (*template != '\0') {
        const size_t length = strcspn(template, "\n");

        write_line(out, d, template, length);
        template += length + (template[length] == '\n');
    }
}

/* ---- the glue ---- */

/* Whose clock takes an input; NULL: it is taken at once. */
static const char *group_of(const die *d, const char *name, size_t length)
{
    const size_t tail = strlen(SETTLE);

    if (begins(name, "clk_") || begins(name, "rst_") ||
        (length > tail && begins(name + length - tail, SETTLE)))
        return NULL;
    if (begins(name, STRAP))
        return "strap";
    for (unsigned i = 0; i < d->nr_units; i++) {
        const size_t own = strlen(d->units[i].name);

        if (!begins(name, d->units[i].name) || name[own] != '_')
            continue;
        if (begins(name + own + 1, CLOCKED))
            return NULL;
        return begins(name + own + 1, STRAP) ? "strap" : d->units[i].name;
    }
    return "bus";
}

/* All ports of die.sv: their lines are "  input  logic [..] name_i,". */
static void write_pins(FILE *out, const die *d, const char *top)
{
    const char *end = strstr(top, "\n);\n");

    for (const char *line = top; line < end; line += strcspn(line, "\n") + 1) {
        const char *at = line + strspn(line, " ");
        const char *group = NULL;
        const char *name;
        size_t length;

        if (!begins(at, "input") && !begins(at, "output"))
            continue;
        length = strcspn(at, ",\n");
        for (name = at + length; name[-1] != ' '; name--)
            continue;
        length = (size_t)(at + length - name);
        if (begins(at, "input"))
            group = group_of(d, name, length);
        fprintf(out, "        {\"%.*s\", &top.%.*s, ", (int)length, name, (int)length, name);
        fprintf(out, group != NULL ? "&top.%s" SETTLE "},\n" : "nullptr},\n", group);
    }
}

static void write_glue(FILE *out, const die *d, const cs_die_shape *shape, const char *top)
{
    char text[CS_DIE_SHAPE_TEXT];

    fprintf(out,
            "#include \"Vdie.h\"\n#include \"die_abi.h\"\n#include \"verilated.h\"\n\n"
            "namespace\n{\n\nstruct Die {\n    VerilatedContext context;\n"
            "    Vdie top{&context};\n    cs_die_pin pins[%u] = {\n",
            1024u);
    write_pins(out, d, top);
    fprintf(out, "    };\n};\n\nconst cs_die_unit units[] = {\n");
    for (unsigned i = 0; i < d->nr_units; i++) {
        const unit *u = &d->units[i];

        fprintf(out, "    {\"%s\", %u, %u, %u, %u},\n", u->name, u->first_manager, u->file.managers,
                u->first_target, u->file.targets);
    }
    fprintf(out,
            "    {},\n};\n\n"
            "void *create() { Die *die = new Die; die->context.debug(0); return die; }\n"
            "void destroy(void *die)\n{\n    static_cast<Die *>(die)->top.final();\n"
            "    delete static_cast<Die *>(die);\n}\n"
            "void eval(void *die) { static_cast<Die *>(die)->top.eval(); }\n"
            "const cs_die_pin *pins(void *die) { return static_cast<Die *>(die)->pins; }\n\n"
            "} // namespace\n\n"
            "extern \"C\" __attribute__((visibility(\"default\"))) const cs_die_plugin_abi\n"
            "    cs_die_plugin;\n"
            "const cs_die_plugin_abi cs_die_plugin = {CS_DIE_ABI, \"%s\",\n"
            "    units, %u, %u, %u, create, destroy, eval, pins};\n",
            cs_die_shape_text(shape, text), d->nr_units, d->nr_managers, d->nr_targets);
}

/* ---- both ---- */

static char *written(const die *d, const cs_die_shape *shape, const char *top, const char *template)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    if (top == NULL)
        write_top(out, d, template);
    else
        write_glue(out, d, shape, top);
    fclose(out);
    return text;
}

cs_status cs_die_source_make(const cs_rtl_tree *tree, const cs_die_shape *shape, cs_die_source *out,
                             cs_diag *diag)
{
    die d = {.nr_managers = 1, .nr_targets = 1};
    char path[PATH_MAX];
    char *template = NULL;
    cs_status status;

    *out = (cs_die_source){0};
    d.units = calloc(MAX_UNITS, sizeof *d.units);
    if (d.units == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the units of a die");
    cs_rtl_tree_path(tree, "src/rtl/top/die.sv.in", path, sizeof path);
    status = read_units(tree, shape, &d, diag);
    if (status == CS_OK && (template = cs_die_read_file(path, diag)) == NULL)
        status = CS_ERR_IO;
    if (status == CS_OK) {
        out->top = written(&d, shape, NULL, template);
        out->glue = out->top != NULL ? written(&d, shape, out->top, NULL) : NULL;
        if (out->glue == NULL) {
            cs_die_source_free(out);
            status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the top of a die");
        }
    }
    free(template);
    free(d.units);
    return status;
}

void cs_die_source_free(cs_die_source *source)
{
    free(source->top);
    free(source->glue);
    *source = (cs_die_source){0};
}
