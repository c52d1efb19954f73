/* What a comparison looked at, as `compare` tells it. */
#ifndef CS_CLI_COMPARE_LOOKED_H
#define CS_CLI_COMPARE_LOOKED_H

#include "lockstep/compare.h"

/* The beginning of the line that says how a comparison without a difference ended. */
void cs_cli_print_verdict(cs_compare_what what, const cs_exercise *exercise);

/* A line for each kind of part; `all`: for each of them, with its registers. */
void cs_cli_print_looked(const cs_exercise *exercise, bool all);

#endif
