// SPDX-License-Identifier: Apache-2.0
/* Whatever the units of a die share by numbers: each has its ranges here, and nowhere else. A unit
 * that joins takes free ones. */
#ifndef CS_BASE_NUMBERS_H
#define CS_BASE_NUMBERS_H

/* POWER's chips of a die. */
#define CS_MAX_CHIPS 4u
#define CS_MAX_IOMMUS 4u

/* In place of a CPU: wherever a process ran. */
#define CS_ANY_CPU UINT32_MAX

/* ---- who records are from ---- */

#define CS_PMCU_LANES 4u /* at most, of a PMCU */

/* Unit numbers (`source` of REG, STATE, IRQ and SAMPLE). */
#define CS_UNIT_PMCU 0x000u                /* of die 0; those of the other dies follow */
#define CS_UNIT_CORE(cpu) (0x100u + (cpu)) /* a core PMU frame; cpu = slot + slots * cluster */
#define CS_UNIT_BROADCAST(cluster) (0x200u + (cluster))
#define CS_UNIT_IMC(core) (0x300u + (core))
#define CS_UNIT_NEST 0x340u
#define CS_UNIT_SCOM 0x341u
#define CS_UNIT_SPR 0x342u
/* Those of POWER's chips; chip 0 has the numbers above. */
#define CS_UNIT_NEST_OF(chip) ((chip) == 0 ? CS_UNIT_NEST : 0x350u + (chip))
#define CS_UNIT_SCOM_OF(chip) ((chip) == 0 ? CS_UNIT_SCOM : 0x360u + (chip))
#define CS_UNIT_HART(n) (0x400u + (n))
#define CS_UNIT_UNCORE(n) (0x500u + (n)) /* slot + 15 x bridge */
#define CS_UNIT_UNCORE_ALL(bridge) (0x540u + (bridge))
#define CS_UNIT_SYSREGS(cpu) (0x600u + (cpu)) /* a core's own accesses to its PMU */
#define CS_UNIT_IOMMU(n) (0x700u + (n))
#define CS_UNITS_END CS_UNIT_IOMMU(CS_MAX_IOMMUS) /* no unit has this number, or one above it */

/* Manager numbers (`source` of BUS). */
#define CS_MANAGER_CPU 0u
#define CS_MANAGER_PMCU(lane) (1u + (lane)) /* lane + CS_PMCU_LANES * die */
#define CS_MANAGER_IMC(core) (0x20u + (core))
#define CS_MANAGER_NEST 0x40u
#define CS_MANAGER_NEST_OF(chip) ((chip) == 0 ? CS_MANAGER_NEST : 0x48u + (chip))
#define CS_MANAGER_HART(n) (0x50u + (n))
#define CS_MANAGER_CPU_PORT(n) (0x60u + (n)) /* CPU port n >= 1; port 0 is CS_MANAGER_CPU */

/* A row a source: MANAGER of BUS records, UNIT of all others. Numbers from `first` on have the name;
 * where there are several, and a number from 0. Units from CS_UNITS_END and managers from 0xc0 on are free. */
#define CS_SOURCES(MANAGER, UNIT)                                                                  \
    MANAGER(CS_MANAGER_CPU, 1, "cpu")                                                              \
    MANAGER(CS_MANAGER_PMCU(0), 16, "pmcu lane")                                                   \
    MANAGER(CS_MANAGER_IMC(0), 32, "imc core")                                                     \
    MANAGER(CS_MANAGER_NEST, 1, "nest")                                                            \
    MANAGER(0x48u, CS_MAX_CHIPS, "nest of chip")                                                   \
    MANAGER(CS_MANAGER_HART(0), 16, "hart")                                                        \
    MANAGER(CS_MANAGER_CPU_PORT(0), CS_MAX_CPU_PORTS, "cpu port")                                  \
    UNIT(CS_UNIT_PMCU, 1, "pmcu")                                                                  \
    UNIT(CS_UNIT_PMCU + 1, 1, "pmcu 1")                                                            \
    UNIT(CS_UNIT_PMCU + 2, 1, "pmcu 2")                                                            \
    UNIT(CS_UNIT_PMCU + 3, 1, "pmcu 3")                                                            \
    UNIT(CS_UNIT_CORE(0), 0x100, "core")                                                           \
    UNIT(CS_UNIT_BROADCAST(0), 0x100, "broadcast")                                                 \
    UNIT(CS_UNIT_IMC(0), 64, "imc core")                                                           \
    UNIT(CS_UNIT_NEST, 1, "nest")                                                                  \
    UNIT(CS_UNIT_SCOM, 1, "scom")                                                                  \
    UNIT(CS_UNIT_SPR, 1, "spr")                                                                    \
    UNIT(0x350u, CS_MAX_CHIPS, "nest of chip")                                                     \
    UNIT(0x360u, CS_MAX_CHIPS, "scom of chip")                                                     \
    UNIT(CS_UNIT_HART(0), 0x100, "hart")                                                           \
    UNIT(CS_UNIT_UNCORE(0), 60, "uncore")                                                          \
    UNIT(CS_UNIT_UNCORE_ALL(0), 4, "uncore broadcast")                                             \
    UNIT(CS_UNIT_SYSREGS(0), 0x100, "system registers of core")                                    \
    UNIT(CS_UNIT_IOMMU(0), CS_MAX_IOMMUS, "iommu")

/* ---- CPU ports and interrupt lines (docs/hw/cpu.md) ---- */

#define CS_MAX_CPU_PORTS 96u

/* Lines that a CPU port sees, as bits of a word: every port those of the units, and some of its own.
 */
#define CS_LINE(n) ((uint64_t)1 << (n))
#define CS_LINE_PMCU(n) (n)              /* of the n'th PMCU, 0..11 */
#define CS_LINE_IOMMU(n) (12u + (n))     /* of the n'th IOMMU's monitor */
#define CS_LINE_UNCORE(n) (16u + (n))    /* of the scenario's n'th uncore unit */
#define CS_MAX_UNCORE_LINES 32u          /* units beyond them have none */
#define CS_LINE_IPI(kind) (48u + (kind)) /* SIGNAL of another port's software of this kind */
#define CS_FIRST_IPI CS_LINE_IPI(0)
#define CS_MAX_IPIS 16u
#define CS_LINES_IPI (~(uint64_t)0 << CS_FIRST_IPI)

/* ---- events and timelines ---- */

/* Events of streams: the Arm architecture's by their number; those of other units above them
 * (docs/hw/imc.md, nest.md, hpm.md, uncore.md, iommu_hpm.md), and the clock of one of its cores; those of an uncore
 * unit that have a tag, as its scenario numbers them. Numbers from 0x80000 up to CS_TIMELINE_MAX_EVENT are free. */
#define CS_EVENT_SPACE 0x10000u /* numbers of each */
#define CS_EVENT_IMC(n) (0x10000u + (n))
#define CS_EVENT_NEST(n) (0x20000u + (n))
#define CS_NEST_TOD (0x748u / 8) /* POWER9's time of day */
#define CS_EVENT_HART(n) (0x30000u + (n))
#define CS_EVENT_UNCORE(n) (0x40000u + (n))
#define CS_EVENT_ARM_CLOCK 0x50000u
#define CS_EVENT_UNCORE_TAGGED(n) (0x60000u + (n))
#define CS_EVENT_IOMMU(n) (0x70000u + (n))

/* Timelines: one for each CPU, then those of units that see events and are no CPUs; of IOMMUs one
 * for each source of transactions. From CS_MAX_CPUS + 99 on they are free. */
#define CS_MAX_CPUS 128u
#define CS_NEST_TIMELINE CS_MAX_CPUS
#define CS_NEST_TIMELINE_1 (CS_MAX_CPUS + 64u) /* of chip 1; of others behind it */
#define CS_NEST_TIMELINE_OF(chip)                                                                  \
    ((chip) == 0 ? CS_NEST_TIMELINE : CS_NEST_TIMELINE_1 - 1u + (chip))
#define CS_UNCORE_TIMELINE(unit) (CS_MAX_CPUS + 1u + (unit))
#define CS_MAX_IOMMU_SOURCES 32u /* of all IOMMUs */
#define CS_IOMMU_TIMELINE(source) (CS_MAX_CPUS + 67u + (source))
#define CS_MAX_TIMELINES (CS_MAX_CPUS + 128u)

/* ---- the address map (docs/hw/bus.md, "Targets and the address map") ---- */

#define CS_MAX_DIES 4u /* with a PMCU each */
#define CS_PMCU_BASE 0x10000000u
#define CS_PMCU_BYTES 0x10000u
#define CS_PMCU_STRIDE 0x100000u /* from die to die */
#define CS_CLUSTER_BASE 0x20000000u
#define CS_CLUSTER_BYTES 0x100000u
#define CS_SPR_BASE 0x30000000u
#define CS_SPR_BYTES 0x100000u
#define CS_UNCORE_BASE 0x40000000u
#define CS_UNCORE_BYTES 0x100000u
#define CS_IOMMU_BASE 0x50000000u
#define CS_IOMMU_BYTES 0x10000u
#define CS_IOMMU_STRIDE 0x100000u /* from one to the next */
#define CS_SCOM_BASE 0x603fc00000000u
#define CS_SCOM_BYTES 0x200000000u
/* Chips' windows lie 2^42 bytes apart on POWER9, 2^44 on POWER10. */
#define CS_SCOM_BASE_OF(chip, power10) (CS_SCOM_BASE + ((uint64_t)(chip) << ((power10) ? 44 : 42)))

/* Kinds of targets on the fabric. */
#define CS_TARGET_MEMORY 0u
#define CS_TARGET_PMCU 1u
#define CS_TARGET_CLUSTER 2u
#define CS_TARGET_SPR 3u
#define CS_TARGET_SCOM 4u
#define CS_TARGET_UNCORE 5u /* a bridge */
#define CS_TARGET_IOMMU 6u

#endif
