// SPDX-License-Identifier: Apache-2.0
/* What units bring into traces: a row each. Behind a row stands a descriptor in the unit's folder
 * of src/traces/. */
#ifndef CS_TRACES_FAMILIES_H
#define CS_TRACES_FAMILIES_H

/* Sections with perf commands, in the order in which traces number their events:
 * cs_trace_family_<name> (family.h). */
#define CS_TRACE_FAMILIES(X) X(imc) X(riscv) X(uncore) X(iommu_hpm) X(arm_pmu) X(pmcu) X(pmi)

#define CS_TRACE_COUNT(name) +1
enum { CS_NR_TRACE_FAMILIES = 0 CS_TRACE_FAMILIES(CS_TRACE_COUNT) };
#undef CS_TRACE_COUNT

/* Kinds of CPUs: cs_trace_cpu_<name> (common/cpus.h). Who names no CPU is meant for the first. */
#define CS_TRACE_CPUS(X) X(arm) X(power) X(hart)

/* Units on timelines: cs_view_unit_<name> (timeline/view_unit.h). */
#define CS_VIEW_UNITS(X) X(pmcu) X(corepmu) X(imc) X(nest) X(nests) X(hart) X(uncore) X(iommu_hpm)

/* Kinds of tracks on timelines, in the order in which they are numbered and shown: KIND(<NAME>,
 * <name>) is CS_VIEW_<NAME> and cs_view_kind_<name> (timeline/view.h). Those that a scenario may have
 * nothing for (cs_view_kind_info.wanted) come last. */
#define CS_VIEW_KIND_ROWS(KIND)                                                                    \
    KIND(TRANSFERS, transfers) /* of a manager, on the bus: request to completion */               \
    KIND(LOAD, load)           /* of a manager: how much of the bus its transfers held */          \
    KIND(STATES, states)       /* of a unit: its state machine */                                  \
    KIND(LINES, lines)         /* of a unit: an interrupt line, while it is high */                \
    KIND(SAMPLES, samples)     /* the PMCU: subsamples as they are committed */                    \
    KIND(WINDOWS, windows)     /* of a CPU: when it counted, what, and when nobody counted */      \
    KIND(RECORDS, records)     /* of a CPU: samples of IMC's trace mode, written and lost */       \
    KIND(POSTINGS, postings)   /* of a group of the nest */                                        \
    KIND(SOFTWARE, software)   /* of a CPU: what runs there beside its workload */                 \
    KIND(PROFILE, profile)     /* of a CPU: samples that a hart's driver took */                   \
    KIND(REGISTERS, registers) /* of a unit: accesses to its registers */                          \
    KIND(CSRS, csrs)           /* of a hart: CSR instructions on its counters */                   \
    KIND(OUTAGES, outages)     /* of a CPU: when it was off; only where one is */

/* Classes of events on the tracks of states, and on those of software: cs_view_class_<name>. */
#define CS_VIEW_STATE_CLASSES(X) X(pmcu_state) X(imc_state) X(nest_state)
#define CS_VIEW_SOFTWARE_CLASSES(X) X(software) X(hart_software)

#endif
