/* Who a record of the probe stream is from: the numbers, and what they are called. */
#ifndef CS_BASE_SOURCES_H
#define CS_BASE_SOURCES_H

/* Unit numbers (`source` of REG, STATE, IRQ and SAMPLE). */
#define CS_UNIT_PMCU 0x000u
#define CS_UNIT_CORE(cpu) (0x100u + (cpu)) /* a core PMU frame; cpu = slot + slots * cluster */
#define CS_UNIT_BROADCAST(cluster) (0x200u + (cluster))
#define CS_UNIT_IMC(core) (0x300u + (core))
#define CS_UNIT_NEST 0x340u
#define CS_UNIT_SCOM 0x341u
#define CS_UNIT_SPR 0x342u
#define CS_UNIT_HART(n) (0x400u + (n))
#define CS_UNIT_UNCORE(n) (0x500u + (n)) /* slot + 15 x bridge */
#define CS_UNIT_UNCORE_ALL(bridge) (0x540u + (bridge))

/* Manager numbers (`source` of BUS). */
#define CS_MANAGER_CPU 0u
#define CS_MANAGER_PMCU(lane) (1u + (lane))
#define CS_MANAGER_IMC(core) (0x20u + (core))
#define CS_MANAGER_NEST 0x40u
#define CS_MANAGER_HART(n) (0x50u + (n))

/* A row a source: MANAGER of BUS records, UNIT of all others. Numbers from `first` on have the name;
 * where there are several, and a number from 0. Units from 0x600 and managers from 0x60 on are free. */
#define CS_SOURCES(MANAGER, UNIT)                                                                  \
    MANAGER(CS_MANAGER_CPU, 1, "cpu")                                                              \
    MANAGER(CS_MANAGER_PMCU(0), 4, "pmcu lane")                                                    \
    MANAGER(CS_MANAGER_IMC(0), 32, "imc core")                                                     \
    MANAGER(CS_MANAGER_NEST, 1, "nest")                                                            \
    MANAGER(CS_MANAGER_HART(0), 16, "hart")                                                        \
    UNIT(CS_UNIT_PMCU, 1, "pmcu")                                                                  \
    UNIT(CS_UNIT_CORE(0), 0x100, "core")                                                           \
    UNIT(CS_UNIT_BROADCAST(0), 0x100, "broadcast")                                                 \
    UNIT(CS_UNIT_IMC(0), 64, "imc core")                                                           \
    UNIT(CS_UNIT_NEST, 1, "nest")                                                                  \
    UNIT(CS_UNIT_SCOM, 1, "scom")                                                                  \
    UNIT(CS_UNIT_SPR, 1, "spr")                                                                    \
    UNIT(CS_UNIT_HART(0), 0x100, "hart")                                                           \
    UNIT(CS_UNIT_UNCORE(0), 60, "uncore")                                                          \
    UNIT(CS_UNIT_UNCORE_ALL(0), 4, "uncore broadcast")

#endif
