// SPDX-License-Identifier: Apache-2.0
/* Text in lines that fit. */
#ifndef CS_CLI_WRAP_H
#define CS_CLI_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* The columns of a terminal on that file, at most `most`; `most` where it is none. */
unsigned cs_columns(FILE *out, unsigned most);

/* Writes `text` from column `at` on, in lines of up to `width` columns that begin at column `indent`. A
 * line ends where the text says so, too. Ends with a line feed. */
void cs_wrap(FILE *out, const char *text, unsigned at, unsigned indent, unsigned width);

#endif
