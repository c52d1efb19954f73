// SPDX-License-Identifier: Apache-2.0
/* Internal to check: guests. */
#ifndef CS_CHECK_GUEST_GUEST_H
#define CS_CHECK_GUEST_GUEST_H

#include "check/family.h"

/* counts.c: table stat of a guest's own perf. */
cs_status cs_check_guest_counts(cs_checking *check);

/* harts.c: the same of a RISC-V guest's; and the overflows of the file's events (table own), which must be
 * its samples. */
cs_status cs_check_hart_counts(cs_checking *check);
cs_status cs_check_hart_overflows(cs_checking *check);

#endif
