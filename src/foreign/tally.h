// SPDX-License-Identifier: Apache-2.0
/* What programs do to registers. */
#ifndef CS_FOREIGN_TALLY_H
#define CS_FOREIGN_TALLY_H

#include "foreign/unit.h"

#define CS_FOREIGN_ADDRESSES 0x10000u

typedef struct cs_foreign_tally cs_foreign_tally;

cs_status cs_foreign_tally_create(cs_foreign_tally **out, cs_diag *diag);
void cs_foreign_tally_destroy(cs_foreign_tally *tally); /* NULL is allowed */

typedef enum cs_foreign_did {
    CS_FOREIGN_READ,
    CS_FOREIGN_WRITTEN,
    CS_FOREIGN_REFUSED
} cs_foreign_did;

/* An access of a register; address below CS_FOREIGN_ADDRESSES. */
void cs_foreign_tally_add(cs_foreign_tally *tally, unsigned address, cs_foreign_did did);
/* What was read of it, in so many bits; `way`: from where, a text that stays, or NULL. */
void cs_foreign_tally_read(cs_foreign_tally *tally, unsigned address, const char *way,
                           uint64_t value, unsigned bits);

/* Into report->touched, by the page's names. CS_ERR_NO_MEMORY. */
cs_status cs_foreign_tally_tell(const cs_foreign_tally *tally, const struct cs_foreign_bench *bench,
                                cs_foreign_report *report, cs_diag *diag);

#endif
