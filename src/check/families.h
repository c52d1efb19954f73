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
    X(common)

#define CS_CHECK_FAMILY(name) extern const cs_check_family cs_check_##name;
CS_CHECK_FAMILIES(CS_CHECK_FAMILY)
#undef CS_CHECK_FAMILY

extern const cs_check_family *const cs_check_families[];
extern const size_t cs_check_nr_families;

#endif
