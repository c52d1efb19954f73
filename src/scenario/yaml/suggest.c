// SPDX-License-Identifier: Apache-2.0
#include "scenario/yaml/suggest.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define LONGEST 48u

cs_suggest cs_suggest_begin(const char *word)
{
    return (cs_suggest){.word = word, .distance = UINT_MAX};
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Edits (insert, remove, replace, swap of neighbours) from a to b. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= nb; j++)
        above[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned differs = lower(a[i - 1]) != lower(b[j - 1]);

            row[j] = least(above[j - 1] + differs, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[nb];
}

void cs_suggest_offer(cs_suggest *suggest, const char *known)
{
    size_t na = strlen(suggest->word), nb = strlen(known);

    if (na == 0 || na > LONGEST || nb > LONGEST)
        return;
    unsigned d = distance(suggest->word, na, known, nb);
    if (d < suggest->distance) {
        suggest->distance = d;
        suggest->best = known;
    }
}

const char *cs_suggest_end(const cs_suggest *suggest)
{
    size_t bytes = strlen(suggest->word);

    return suggest->distance <= (bytes < 6 ? 2 : bytes / 3) && suggest->distance < bytes
               ? suggest->best
               : NULL;
}
