// SPDX-License-Identifier: Apache-2.0
/* The kinds of software, in the order in which they are made, and have their first turn where they
 * share the CPU port. To add one: a row here, the section of its settings with a cs_software_rule,
 * and cs_software_row_<name> beside its driver (drivers/software_row.h).
 *
 *  KIND(name, word, text)  it runs where software.kind has the word; the first one by default
 *  ALWAYS(name)            it is always asked, and says itself whether it runs */
#ifndef CS_SCENARIO_SOFTWARE_KINDS_H
#define CS_SCENARIO_SOFTWARE_KINDS_H

#define CS_SOFTWARE_KINDS(KIND, ALWAYS)                                                            \
    KIND(pmcu_driver, "pmcu_driver", "the PMCU driver under perf (pmcu_driver)")                   \
    KIND(script, "script", "raw bus accesses (script)")                                            \
    KIND(imc_driver, "imc", "OPAL, the kernel's IMC driver and perf (imc_driver)")                 \
    KIND(pmi, "pmi", "sampling by interrupts, without IMC (pmi)")                                  \
    KIND(none, "none", "nothing; harts have their own (riscv)")                                    \
    KIND(arm_pmu, "arm_pmu", "perf on the CPUs' PMUs by the kernel's driver (arm_pmu)")            \
    KIND(uncore_driver, "uncore", "perf on uncore units (uncore_driver)")                          \
    KIND(iommu_driver, "iommu", "perf on the monitors of IOMMUs (iommu_driver)")                   \
    ALWAYS(riscv)

#define CS_SOFTWARE_KIND(name, word, text) CS_SOFTWARE_##name,
#define CS_SOFTWARE_ALWAYS(name) CS_SOFTWARE_##name,
typedef enum cs_software_kind {
    CS_SOFTWARE_KINDS(CS_SOFTWARE_KIND, CS_SOFTWARE_ALWAYS) CS_NR_SOFTWARE_KINDS
} cs_software_kind;
#undef CS_SOFTWARE_KIND
#undef CS_SOFTWARE_ALWAYS

#define CS_SOFTWARE_BIT(kind) (1u << (kind))

#endif
