// SPDX-License-Identifier: Apache-2.0
/* A save file of GTKWave, for waves in which cycle t begins at 10 t ns. */
#ifndef CS_LOCKSTEP_DIE_GTKWAVE_H
#define CS_LOCKSTEP_DIE_GTKWAVE_H

#include <stdbool.h>
#include <stdio.h>

#include <countersink/base/cycle.h>

#define CS_GTKWAVE_HEX "@22"
#define CS_GTKWAVE_DECIMAL "@24"
#define CS_GTKWAVE_LETTERS "@820"
#define CS_GTKWAVE_BIT "@28"

/* Of the file `dump`, from cycle `from` on, with the marker at cycle `mark`; TOP.clk_i comes first. */
void cs_gtkwave_begin(FILE *out, const char *dump, cs_cycle from, cs_cycle mark);
void cs_gtkwave_title(FILE *out, const char *before, const char *text);
/* `name` has its scopes separated by blanks; `alias` is shown instead of it, behind the side's name; NULL:
 * it is shown as it is. */
void cs_gtkwave_signal(FILE *out, const char *format, bool rtl, const char *alias, const char *name,
                       unsigned bits);

#endif
