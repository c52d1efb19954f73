// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. "did you mean": the known word nearest to one that is not. */
#ifndef CS_SCENARIO_SUGGEST_H
#define CS_SCENARIO_SUGGEST_H

typedef struct cs_suggest {
    const char *word;
    const char *best;
    unsigned distance;
} cs_suggest;

cs_suggest cs_suggest_begin(const char *word);
void cs_suggest_offer(cs_suggest *suggest, const char *known);

/* The nearest word offered; NULL where none is near enough to be meant. */
const char *cs_suggest_end(const cs_suggest *suggest);

#endif
