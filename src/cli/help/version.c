// SPDX-License-Identifier: Apache-2.0
#include <libfyaml.h>
#include <sqlite3.h>

#include "built.h"
#include "cli/help/help.h"
#include <countersink/version.h>

void cs_print_version(FILE *out)
{
    const struct {
        const char *name;
        const char *version;
        const char *running; /* a library's own word when it runs; NULL: it has none */
    } parts[] = {
        {"build", CS_BUILT_TYPE, NULL},
        {"for", CS_BUILT_SYSTEM, NULL},
        {"compiler", CS_BUILT_COMPILER, NULL},
        {"Verilator", CS_BUILT_VERILATOR, NULL},
        {"SystemC", CS_BUILT_SYSTEMC, NULL},
        {"SQLite", SQLITE_VERSION, sqlite3_libversion()},
        {"libfyaml", CS_BUILT_FYAML, fy_library_version()},
        {"libfdt", CS_BUILT_FDT, NULL},
    };

    fprintf(out, "countersink " COUNTERSINK_VERSION_TEXT "\n");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].running != NULL)
            fprintf(out, "  %-10s %s, runs with %s\n", parts[i].name, parts[i].version,
                    parts[i].running);
        else
            fprintf(out, "  %-10s %s\n", parts[i].name, parts[i].version);
}
