// SPDX-License-Identifier: Apache-2.0
/* The units that somebody's own RTL can be held against: a row each, src/foreign/<unit>/. */
#ifndef CS_FOREIGN_UNITS_H
#define CS_FOREIGN_UNITS_H

#define CS_FOREIGN_UNITS(UNIT)                                                                     \
    UNIT(hpm)                                                                                      \
    UNIT(corepmu)                                                                                  \
    UNIT(pmcu)                                                                                     \
    UNIT(imc)                                                                                      \
    UNIT(nest)                                                                                     \
    UNIT(nest10)                                                                                   \
    UNIT(uncore)                                                                                   \
    UNIT(iommu_hpm)

#endif
