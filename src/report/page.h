/* The page's own files, which are part of the program (page/, tools/report/packages.lock). */
#ifndef CS_REPORT_PAGE_H
#define CS_REPORT_PAGE_H

#include <stdio.h>

typedef struct cs_report_text {
    const char *name; /* of the file, without its ending */
    const char *text;
} cs_report_text;

/* The file of that name; it is there. */
const char *cs_report_page_text(const char *name);

/* All before the data, and all behind them. `code` and `licences` are the library's. */
void cs_report_page_begin(FILE *out, const char *title, const char *code, const char *licences);
void cs_report_page_end(FILE *out);

/* Text within HTML. */
void cs_report_html(FILE *out, const char *text);

#endif
