// SPDX-License-Identifier: Apache-2.0
#include "lockstep/die/gtkwave.h"

#include <inttypes.h>

#define BLANK "@200"
#define COLOR_RTL "[color] 2" /* orange; the model is green as everything */

void cs_gtkwave_begin(FILE *out, const char *dump, cs_cycle from, cs_cycle mark)
{
    fprintf(out,
            "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n[size] 1400 800\n*-5.5 %" PRIu64
            " -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
            "[treeopen] view.\n[sst_width] 200\n[signals_width] 340\n" CS_GTKWAVE_BIT
            "\nTOP.clk_i\n",
            dump, 10 * from, 10 * mark);
}

void cs_gtkwave_title(FILE *out, const char *before, const char *text)
{
    fprintf(out, BLANK "\n-%s%s\n", before, text);
}

void cs_gtkwave_signal(FILE *out, const char *format, bool rtl, const char *alias, const char *name,
                       unsigned bits)
{
    fprintf(out, "%s\n%s", format, rtl ? COLOR_RTL "\n" : "");
    if (alias != NULL)
        fprintf(out, "+{%s %s} ", rtl ? "RTL" : "model", alias);
    for (; *name != '\0'; name++)
        fputc(*name == ' ' ? '.' : *name, out);
    if (bits > 1)
        fprintf(out, "[%u:0]", bits - 1);
    fputc('\n', out);
}
