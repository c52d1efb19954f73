// SPDX-License-Identifier: Apache-2.0
/* Internal to check: what IMC engines counted and sampled. */
#ifndef CS_CHECK_IMC_IMC_H
#define CS_CHECK_IMC_IMC_H

#include "check/family.h"

/* images.c: counters in memory, of the images of a format: table posted of the truth. `name`: the expression
 * of an image i's name. `other`: takes out of table rest(offset, number, value) what is not 0 and none of
 * the counters'; NULL: nothing. */
cs_status cs_check_imc_posted(cs_checking *check, const char *format, const char *name,
                              const char *other);

/* functions.c: shares of functions in table found. */
cs_status cs_check_imc_shares(cs_checking *check);

#endif
