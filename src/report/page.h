// SPDX-License-Identifier: Apache-2.0
/* The page around its data: files that are part of the program (page/, third_party/echarts/). */
#ifndef CS_REPORT_PAGE_H
#define CS_REPORT_PAGE_H

#include <stdio.h>

/* All before the data, and all behind them. */
void cs_report_page_begin(FILE *out, const char *title);
void cs_report_page_end(FILE *out);

/* Text within HTML. */
void cs_report_html(FILE *out, const char *text);

#endif
