// SPDX-License-Identifier: Apache-2.0
/* What compare-unit says. */
#ifndef CS_CLI_COMPARE_UNIT_OUTCOME_H
#define CS_CLI_COMPARE_UNIT_OUTCOME_H

#include <stdio.h>

#include "foreign/foreign.h"

/* The exit status of a report. */
int cs_unit_answer(const cs_foreign_report *report);

void cs_unit_print(const cs_foreign_report *report, FILE *out);
/* --registers */
void cs_unit_print_touched(const cs_foreign_report *report, FILE *out);
/* docs/yours/rtl.md, "As JSON"; with the registers. */
void cs_unit_print_json(const cs_foreign_unit *unit, const cs_foreign_report *report, FILE *out);

#endif
