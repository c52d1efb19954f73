// SPDX-License-Identifier: Apache-2.0
// What the model system consists of, besides the fabric: all that is a manager or a target there.
// To add a unit: a row here, and src/bus/<name>/<name>_unit.cpp with its make_<name>_unit()
// (machine/unit.hpp).
//
// Units are made in this order, and SystemC's order of processes within a cycle follows from it.
// Nothing depends on that but the order of records of one cycle in truth.sqlite.
#ifndef CS_BUS_UNITS_HPP
#define CS_BUS_UNITS_HPP

#define CS_BUS_UNITS(UNIT)                                                                         \
    UNIT(corepmu)                                                                                  \
    UNIT(pmcu)                                                                                     \
    UNIT(imc)                                                                                      \
    UNIT(nest)                                                                                     \
    UNIT(hpm)                                                                                      \
    UNIT(uncore)                                                                                   \
    UNIT(iommu_hpm)                                                                                \
    UNIT(memory)                                                                                   \
    UNIT(cpu)

#endif
