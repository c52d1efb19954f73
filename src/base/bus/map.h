/* The address map of a die (docs/hw/bus.md, "Targets and the address map"): windows of
 * the bus, and which managers and units the numbers in records mean. */
#ifndef CS_BASE_MAP_H
#define CS_BASE_MAP_H

#include <stdint.h>

#define CS_PMCU_BASE 0x10000000u
#define CS_PMCU_BYTES 0x10000u
#define CS_CLUSTER_BASE 0x20000000u
#define CS_CLUSTER_BYTES 0x100000u
#define CS_SPR_BASE 0x30000000u
#define CS_SPR_BYTES 0x100000u
#define CS_UNCORE_BASE 0x40000000u
#define CS_UNCORE_BYTES 0x100000u
#define CS_SCOM_BASE 0x603fc00000000u
#define CS_SCOM_BYTES 0x200000000u

/* Kinds of targets on the fabric. */
#define CS_TARGET_MEMORY 0u
#define CS_TARGET_PMCU 1u
#define CS_TARGET_CLUSTER 2u
#define CS_TARGET_SPR 3u
#define CS_TARGET_SCOM 4u
#define CS_TARGET_UNCORE 5u /* a bridge */

/* A write to a memory address with this bit adds (docs/hw/bus.md, "Adding"). */
#define CS_BUS_ADD ((uint64_t)1 << 56)

#endif
