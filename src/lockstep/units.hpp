// SPDX-License-Identifier: Apache-2.0
// The units that a scenario's die can have: a row each, and a function make_NAME in its folder.
#ifndef CS_LOCKSTEP_UNITS_HPP
#define CS_LOCKSTEP_UNITS_HPP

#include "lockstep/rtl_unit.hpp"

#define CS_RTL_UNITS(X)                                                                            \
    X(pmcu)                                                                                        \
    X(corepmu)                                                                                     \
    X(imc)                                                                                         \
    X(nest)                                                                                        \
    X(hpm)                                                                                         \
    X(uncore)                                                                                      \
    X(iommu_hpm)

// What each brings to random scenarios (lockstep/random/random.h), a row in its folder: who brings
// CPUs in the order in which scenarios number them, who follows another behind it.
#define CS_RANDOM_UNITS(X)                                                                         \
    X(pmcu)                                                                                        \
    X(imc)                                                                                         \
    X(nest)                                                                                        \
    X(nest10)                                                                                      \
    X(hpm)                                                                                         \
    X(uncore)                                                                                      \
    X(iommu_hpm)

namespace cs
{

// NULL: the scenario has no such unit. Throws WrongDie.
#define CS_RTL_UNIT_MAKER(name) std::unique_ptr<RtlUnit> make_##name(RtlContext &context);
CS_RTL_UNITS(CS_RTL_UNIT_MAKER)
#undef CS_RTL_UNIT_MAKER

} // namespace cs

#endif
