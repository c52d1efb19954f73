// SPDX-License-Identifier: Apache-2.0
/* What is wrong with a document, all of it at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/fill.h"

cs_status cs_fill_keep_error(cs_fill *fill, cs_status status, size_t length)
{
    if (status != CS_ERR_SCENARIO)
        return status;
    fill->path[length] = '\0';
    if (fill->nr_errors < CS_FILL_MOST_ERRORS && fill->diag != NULL)
        fill->errors[fill->nr_errors] = *fill->diag;
    fill->nr_errors++;
    return CS_OK;
}

/* As they stand in the file; those of --set come first. */
static int by_place(const void *a, const void *b)
{
    const cs_diag *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->column == y->column ? 0 : x->column < y->column ? -1 : 1;
}

cs_status cs_fill_errors(cs_fill *fill)
{
    static const char more[] = "\nand 1000000 more mistakes";
    const size_t kept =
        fill->nr_errors < CS_FILL_MOST_ERRORS ? fill->nr_errors : CS_FILL_MOST_ERRORS;
    cs_diag *all = fill->diag;
    size_t told = 1, used;

    if (fill->nr_errors == 0)
        return CS_OK;
    if (all == NULL)
        return CS_ERR_SCENARIO;
    qsort(fill->errors, kept, sizeof fill->errors[0], by_place);
    *all = fill->errors[0];
    used = strlen(all->text);
    for (; told < kept; told++) {
        char line[sizeof all->where + sizeof all->text + 32];

        cs_diag_print(&fill->errors[told], line, sizeof line);
        if (used + 1 + strlen(line) + sizeof more > sizeof all->text)
            break;
        used += (size_t)snprintf(all->text + used, sizeof all->text - used, "\n%s", line);
    }
    if (told < fill->nr_errors)
        snprintf(all->text + used, sizeof all->text - used, "\nand %zu more mistake%s",
                 fill->nr_errors - told, fill->nr_errors - told == 1 ? "" : "s");
    return CS_ERR_SCENARIO;
}
