// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "base/files/embedded.h"
#include "results/figures.h"

#include <assert.h>
#include <string.h>

/* From the build: sorted by name, the last is {NULL, NULL}. */
extern const cs_embedded cs_report_code[], cs_report_missed[], cs_report_library[];

/* The page's code in the order in which it is read; each file stands by its name. What units miss (missed.js)
 * comes after the first. */
static const char *const code[] = {
    "base",        "data",         "theme",       "chart",         "readable",
    "kind_die",    "kind_figures", "timeline",    "kind_timeline", "kind_estimates",
    "kind_series", "kind_cells",   "kind_shares", "kind_flame",    "kind_histogram",
    "table",       "headline",     "contents",    "compare",       "sweep",
    "app",
};

/* The file of that name; it is there. */
static const char *page_text(const char *name)
{
    static const cs_embedded *const lists[] = {cs_report_code, cs_report_library};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const cs_embedded *row = lists[i]; row->name != NULL; row++)
            if (strcmp(row->name, name) == 0)
                return row->text;
    assert(!"a file of the page");
    return "";
}

void cs_report_html(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}

void cs_report_page_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          /* Nothing may be fetched, whatever the data say. */
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          out);
    cs_report_html(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header><h1>",
            page_text("style"));
    cs_report_html(out, title);
    fputs("</h1></header>\n<main id=\"page\"><noscript>This page draws with "
          "JavaScript.</noscript></main>\n"
          "<footer><p id=\"made\"></p><details id=\"licences\"><summary>Licences of the plotting "
          "library in this page</summary><pre>",
          out);
    cs_report_html(out, page_text("licences"));
    fprintf(out,
            "</pre></details></footer>\n<script>\n%s\n</script>\n<script id=\"data\" "
            "type=\"application/json\">\n",
            page_text("echarts"));
}

/* The rows of figures.def. */
static void put_figures(FILE *out)
{
    const cs_figure_row *row;

    fputs("const FIGURES = [\n", out);
    for (size_t i = 0; (row = cs_figure_row_at(i)) != NULL; i++) {
        const char *const texts[] = {row->key, cs_figure_groups[row->group], row->label, row->unit,
                                     row->text};

        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            fputs(k == 0 ? "[" : ", ", out);
            cs_json_string(out, texts[k]);
        }
        fputs("],\n", out);
    }
    fputs("].map(([key, group, label, unit, text]) => ({key, group, label, unit, text}));\n", out);
}

void cs_report_page_end(FILE *out)
{
    fputs("\n</script>\n<script>\n", out);
    for (size_t i = 0; i < sizeof code / sizeof code[0]; i++) {
        fputs(page_text(code[i]), out);
        if (i == 0)
            put_figures(out);
        for (const cs_embedded *row = cs_report_missed; i == 0 && row->name != NULL; row++)
            fputs(row->text, out);
    }
    fputs("</script>\n</body>\n</html>\n", out);
}
