// SPDX-License-Identifier: Apache-2.0
/* The families that `check` knows, a row each; what is common to all is the last. */
#ifndef CS_CHECK_FAMILIES_H
#define CS_CHECK_FAMILIES_H

#include "check/family.h"

#define CS_CHECK_FAMILIES(X)                                                                       \
    X(pmcu)                                                                                        \
    X(corepmu)                                                                                     \
    X(hpm)                                                                                         \
    X(imc)                                                                                         \
    X(nest)                                                                                        \
    X(uncore)                                                                                      \
    X(iommu_hpm)                                                                                   \
    X(guest)                                                                                       \
    X(common)

#define CS_CHECK_FAMILY(name) extern const cs_check_family cs_check_##name;
CS_CHECK_FAMILIES(CS_CHECK_FAMILY)
#undef CS_CHECK_FAMILY

#define CS_CHECK_ONE(name) +1
enum { CS_CHECK_NR_FAMILIES = 0 CS_CHECK_FAMILIES(CS_CHECK_ONE) };
#undef CS_CHECK_ONE

extern const cs_check_family *const cs_check_families[CS_CHECK_NR_FAMILIES];

#endif
