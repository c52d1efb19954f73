// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "foreign/rtl/wrapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_range(FILE *out, unsigned width)
{
    if (width > 1)
        fprintf(out, "[%u:0] ", width - 1);
}

static void write_header(FILE *out, const cs_foreign_unit *unit)
{
    fprintf(out, "module pins (\n");
    for (unsigned i = 0; unit->pins[i].name != NULL; i++) {
        const cs_foreign_pin *pin = &unit->pins[i];

        fprintf(out, "  %s logic ", pin->output ? "output" : "input ");
        write_range(out, pin->width);
        fprintf(out, "%s%s\n", pin->name, unit->pins[i + 1].name != NULL ? "," : "");
    }
    fprintf(out, ");\n\n");
}

/* What their port is given instead of the number of our register. */
static void write_addresses(FILE *out, const cs_foreign_map *map, const cs_foreign_pin *pin)
{
    fprintf(out, "  logic ");
    write_range(out, pin->width);
    fprintf(out, "at_%s;\n  always_comb begin\n    case (%s)\n", pin->name, pin->name);
    for (size_t i = 0; i < map->nr_addresses; i++)
        fprintf(out, "      %u'h%llx: at_%s = %u'h%llx;\n", pin->width,
                (unsigned long long)map->addresses[i].ours, pin->name, pin->width,
                (unsigned long long)map->addresses[i].theirs);
    fprintf(out, "      default: at_%s = %s;\n    endcase\n  end\n", pin->name, pin->name);
}

/* A slice of `name`, or all of it where it has one bit. */
static void write_slice(FILE *out, const char *prefix, const char *name, unsigned width,
                        unsigned lsb, unsigned bits)
{
    fprintf(out, "%s%s", prefix, name);
    if (width > 1)
        fprintf(out, "[%u +: %u]", lsb, bits);
}

static void write_fields(FILE *out, const cs_foreign_pin *pin, const cs_foreign_link *link,
                         unsigned width)
{
    const char *invert = link->invert ? "~" : "";

    for (unsigned i = 0; i < link->count; i++) {
        const unsigned ours = (link->first + i) * pin->field, theirs = i * link->field;

        fprintf(out, "  assign ");
        if (pin->output)
            write_slice(out, "", pin->name, pin->width, ours, pin->field);
        else
            write_slice(out, "t_", pin->name, width, theirs, link->field);
        fprintf(out, " = %u'(%s", pin->output ? pin->field : link->field, invert);
        if (pin->output)
            write_slice(out, "t_", pin->name, width, theirs, link->field);
        else
            write_slice(out, "", pin->name, pin->width, ours, pin->field);
        fprintf(out, ");\n");
    }
    for (unsigned f = 0; pin->output && f < pin->width / pin->field; f++)
        if (f < link->first || f >= link->first + link->count) {
            fprintf(out, "  assign ");
            write_slice(out, "", pin->name, pin->width, f * pin->field, pin->field);
            fprintf(out, " = '0;\n");
        }
}

static void write_pin(FILE *out, const cs_foreign_map *map, unsigned i,
                      const cs_foreign_ports *ports)
{
    const cs_foreign_pin *pin = &map->unit->pins[i];
    const cs_foreign_link *link = &map->links[i];
    const bool moved = pin->address && map->nr_addresses != 0;
    unsigned width;

    if (link->port == NULL) {
        if (pin->output)
            fprintf(out, "  assign %s = '0;\n", pin->name);
        return;
    }
    width = cs_foreign_ports_find(ports, link->port)->width;
    if (moved)
        write_addresses(out, map, pin);
    fprintf(out, "  logic ");
    write_range(out, width);
    fprintf(out, "t_%s;\n", pin->name);
    if (link->count != 0)
        write_fields(out, pin, link, width);
    else if (pin->output)
        fprintf(out, "  assign %s = %u'(%st_%s);\n", pin->name, pin->width, link->invert ? "~" : "",
                pin->name);
    else
        fprintf(out, "  assign t_%s = %u'(%s%s%s);\n", pin->name, width, link->invert ? "~" : "",
                moved ? "at_" : "", pin->name);
}

static void write_instance(FILE *out, const cs_foreign_map *map, const char *top)
{
    const char *before = "";

    fprintf(out, "\n  %s ", top);
    for (size_t i = 0; i < map->nr_parameters; i++)
        fprintf(out, "%s\n    .%s (%s)", i == 0 ? "#(" : ",", map->parameters[i].name,
                map->parameters[i].value);
    fprintf(out, "%su_theirs (", map->nr_parameters != 0 ? "\n  ) " : "");
    for (unsigned i = 0; map->unit->pins[i].name != NULL; i++)
        if (map->links[i].port != NULL) {
            fprintf(out, "%s\n    .%s (t_%s)", before, map->links[i].port, map->unit->pins[i].name);
            before = ",";
        }
    for (size_t i = 0; i < map->nr_ties; i++) {
        fprintf(out, "%s\n    .%s (%s)", before, map->ties[i].name, map->ties[i].value);
        before = ",";
    }
    fprintf(out, "\n  );\n\nendmodule\n");
}

static void write_glue(FILE *out, const cs_foreign_unit *unit)
{
    fprintf(out,
            "#include \"Vpins.h\"\n#include \"die_abi.h\"\n#include \"verilated.h\"\n\n"
            "namespace\n{\n\nint seed = 1;\n\n"
            "struct Context : VerilatedContext {\n    Context()\n    {\n        randReset(2);\n"
            "        randSeed(seed);\n        assertOn(false);\n    }\n};\n\n"
            "struct Die {\n    Context context;\n"
            "    Vpins top{&context};\n    cs_die_pin pins[%u] = {\n",
            CS_FOREIGN_MAX_PINS + 1);
    for (unsigned i = 0; unit->pins[i].name != NULL; i++)
        fprintf(out, "        {\"%s\", &top.%s},\n", unit->pins[i].name, unit->pins[i].name);
    fprintf(out,
            "    };\n};\n\n"
            "void *create() { return new Die; }\n"
            "void destroy(void *design)\n{\n    static_cast<Die *>(design)->top.final();\n"
            "    delete static_cast<Die *>(design);\n}\n"
            "void eval(void *design) { static_cast<Die *>(design)->top.eval(); }\n"
            "const cs_die_pin *pins(void *design) { return static_cast<Die *>(design)->pins; }\n"
            "\n} // namespace\n\n"
            "extern \"C\" __attribute__((visibility(\"default\"))) void " CS_FOREIGN_BEGIN
            "(unsigned wanted)\n{\n    seed = static_cast<int>(wanted);\n}\n\n"
            "extern \"C\" __attribute__((visibility(\"default\"))) const cs_die_plugin_abi\n"
            "    cs_die_plugin;\n"
            "const cs_die_plugin_abi cs_die_plugin = {CS_DIE_ABI, \"\", nullptr, 0, 0, 0, create,\n"
            "                                         destroy, eval, pins};\n");
}

static void write_module(FILE *out, const cs_foreign_map *map, const char *top,
                         const cs_foreign_ports *ports)
{
    write_header(out, map->unit);
    for (unsigned i = 0; map->unit->pins[i].name != NULL; i++)
        write_pin(out, map, i, ports);
    write_instance(out, map, top);
}

cs_status cs_foreign_source_make(const cs_foreign_map *map, const char *top,
                                 const cs_foreign_ports *ports, cs_foreign_source *out,
                                 cs_diag *diag)
{
    size_t sizes[2];
    FILE *module;
    FILE *glue;

    *out = (cs_foreign_source){0};
    module = open_memstream(&out->module, &sizes[0]);
    if (module != NULL) {
        write_module(module, map, top, ports);
        fclose(module);
    }
    glue = open_memstream(&out->glue, &sizes[1]);
    if (glue != NULL) {
        write_glue(glue, map->unit);
        fclose(glue);
    }
    if (out->module != NULL && out->glue != NULL)
        return CS_OK;
    cs_foreign_source_free(out);
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a wrapper");
}

void cs_foreign_source_free(cs_foreign_source *source)
{
    free(source->module);
    free(source->glue);
    *source = (cs_foreign_source){0};
}
