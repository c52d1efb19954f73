// SPDX-License-Identifier: Apache-2.0
/* What `compare` prints of a report. */
#ifndef CS_CLI_COMPARE_PRINT_H
#define CS_CLI_COMPARE_PRINT_H

#include <stdio.h>

#include "lockstep/compare.h"
#include "lockstep/die/tree.h"
#include "lockstep/pages/describe.h"

/* The difference of a report that is not equal. */
void cs_compare_print(const cs_compare_report *report, const cs_page_words *words, FILE *out);

/* All of it as one JSON object, equal or not; docs/verification.md, "Reading a difference". `copies`: that
 * the RTL has of the user's files; NULL: none was asked for. */
void cs_compare_print_json(const cs_compare_report *report, const cs_page_words *words,
                           const cs_exercise *exercise, const cs_rtl_tree *copies, FILE *out);

/* "EQUAL: ..", "IDLE: .." or "NOTHING: ..", and what was compared. */
void cs_compare_print_equal(const cs_compare_report *report, const cs_exercise *exercise,
                            FILE *out);

/* The records of the first difference; NULL: that side has none. */
const cs_probe_record *cs_compare_first_model(const cs_compare_report *report);
const cs_probe_record *cs_compare_first_rtl(const cs_compare_report *report);

#endif
