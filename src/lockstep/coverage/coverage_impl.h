// SPDX-License-Identifier: Apache-2.0
/* Internal to coverage. */
#ifndef CS_LOCKSTEP_COVERAGE_IMPL_H
#define CS_LOCKSTEP_COVERAGE_IMPL_H

#include "lockstep/coverage.h"
#include "lockstep/pages/page.h"

#define CS_COVERAGE_UNITS 256u /* of a kind */

typedef struct cs_coverage_unit {
    uint64_t state;
    uint64_t flags; /* a bit each */
} cs_coverage_unit;

struct cs_coverage {
    cs_pages pages;
    size_t *first; /* point of each page */
    cs_coverage_point *points;
    size_t count;
    cs_coverage_unit *units; /* by page, side, number */
    const char **variants;   /* by page; NULL: none */
};

#endif
