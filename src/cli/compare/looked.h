// SPDX-License-Identifier: Apache-2.0
/* What `compare` tells of what it looked at. */
#ifndef CS_CLI_COMPARE_LOOKED_H
#define CS_CLI_COMPARE_LOOKED_H

#include <stdio.h>

#include "lockstep/compare.h"

/* "EQUAL: ", "IDLE: .., " or "NOTHING: ..; " of one that shows no difference. */
void cs_compare_print_verdict(cs_compare_what what, const cs_exercise *exercise, FILE *out);

/* A line for each kind of part; with `all` one for each part, and its registers. */
void cs_compare_print_looked(const cs_exercise *exercise, bool all, FILE *out);

#endif
