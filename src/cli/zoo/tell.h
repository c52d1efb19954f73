// SPDX-License-Identifier: Apache-2.0
/* What `zoo` prints. */
#ifndef CS_CLI_ZOO_TELL_H
#define CS_CLI_ZOO_TELL_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/zoo/software.h"
#include "foreign/foreign.h"
#include "zoo/bugs.h"

/* What became of a bug. */
typedef struct cs_zoo_outcome {
    bool found;
    cs_foreign_report *report; /* of RTL; NULL: it is software */
    cs_zoo_runs runs;
} cs_zoo_outcome;

void cs_zoo_list(const cs_zoo *zoo, FILE *out);
/* The bug, before it is looked for. */
void cs_zoo_tell(const cs_zoo_kind *kind, const cs_zoo_bug *bug, FILE *out);
/* With all that the difference has, and in a line. */
void cs_zoo_tell_outcome(const cs_zoo_bug *bug, const cs_zoo_outcome *outcome, FILE *out);
void cs_zoo_tell_row(const cs_zoo_bug *bug, const cs_zoo_outcome *outcome, FILE *out);

/* An object without its line feed; outcome NULL: it was not looked for. `whole`: with the comparison. */
void cs_zoo_json(const cs_zoo_kind *kind, const cs_zoo_bug *bug, const cs_zoo_outcome *outcome,
                 bool whole, FILE *out);

#endif
