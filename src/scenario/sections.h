// SPDX-License-Identifier: Apache-2.0
/* The sections of a scenario, in the order in which they are read: what names CPUs stands behind
 * what brings them. To add one: a row here, and src/scenario/<unit>/<name>_section.c.
 *
 *  PART(name)     keys that go into cs_scenario itself
 *  SECTION(name)  keys that go into a structure of their own, cs_<name>_spec, scenario->name */
#ifndef CS_SCENARIO_SECTIONS_H
#define CS_SCENARIO_SECTIONS_H

#define CS_SECTIONS(PART, SECTION)                                                                 \
    PART(run)                                                                                      \
    SECTION(bus)                                                                                   \
    SECTION(memory)                                                                                \
    SECTION(pmcu)                                                                                  \
    SECTION(corepmu)                                                                               \
    PART(catalog)                                                                                  \
    SECTION(imc)                                                                                   \
    SECTION(guest)                                                                                 \
    SECTION(nest)                                                                                  \
    SECTION(harts)                                                                                 \
    SECTION(riscv)                                                                                 \
    SECTION(uncore)                                                                                \
    SECTION(iommu_hpm)                                                                             \
    SECTION(pmus)                                                                                  \
    SECTION(pmu)                                                                                   \
    PART(work)                                                                                     \
    PART(perf)                                                                                     \
    SECTION(software)                                                                              \
    SECTION(pmcu_driver)                                                                           \
    SECTION(imc_driver)                                                                            \
    SECTION(pmi)                                                                                   \
    SECTION(arm_pmu)                                                                               \
    SECTION(uncore_driver)                                                                         \
    SECTION(iommu_driver)                                                                          \
    PART(script)                                                                                   \
    PART(limit)                                                                                    \
    SECTION(keep)                                                                                  \
    SECTION(compare)

#define CS_NO_SECTION(name)

#endif
