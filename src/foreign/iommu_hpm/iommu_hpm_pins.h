// SPDX-License-Identifier: Apache-2.0
/* Pins and settings of an IOMMU's monitor (internal to foreign/iommu_hpm): docs/hw/iommu_hpm.md. Pins of
 * records have a field for each of the first four; inc_i one for each event of each. */
#ifndef CS_FOREIGN_IOMMU_HPM_PINS_H
#define CS_FOREIGN_IOMMU_HPM_PINS_H

#include "foreign/ports/registers.h"

#define CS_IOMMU_HPM_RECORDS 4u
#define CS_IOMMU_HPM_EVENTS 8u

#define CS_IOMMU_HPM_PINS(PIN)                                                                     \
    CS_FOREIGN_CLOCK_PINS(PIN)                                                                     \
    PIN(COUNTERS, "counters_i", .width = 5, .strap = true, .tells = "event counters there are")    \
    PIN(WIDTH, "width_i", .width = 7, .strap = true, .tells = "bits of each")                      \
    CS_FOREIGN_REG_PINS(PIN)                                                                       \
    PIN(VALID, "valid_i", .width = 4, .field = 1, .needed = true, .tells = "there is a record")    \
    PIN(INC, "inc_i", .width = 4 * 32, .field = 4, .needed = true, .amount = true,                 \
        .tells = "increments of the events 1 to 8, of each record")                                \
    PIN(DID, "did_i", .width = 4 * 24, .field = 24, .tells = "device_id")                          \
    PIN(PV, "pv_i", .width = 4, .field = 1, .tells = "there is a process_id")                      \
    PIN(PID, "pid_i", .width = 4 * 20, .field = 20, .tells = "process_id")                         \
    PIN(GSCV, "gscv_i", .width = 4, .field = 1, .tells = "there is a GSCID")                       \
    PIN(GSCID, "gscid_i", .width = 4 * 16, .field = 16, .tells = "GSCID")                          \
    PIN(PSCV, "pscv_i", .width = 4, .field = 1, .tells = "there is a PSCID")                       \
    PIN(PSCID, "pscid_i", .width = 4 * 20, .field = 20, .tells = "PSCID")                          \
    PIN(IRQ, "irq_o", true, 1, .about = CS_PROBE_IRQ, .tells = "pmip")

#define CS_IOMMU_HPM_SETTINGS(SET)                                                                 \
    SET(COUNTERS, "counters", "counters_i", 1, 31, 7, "event counters")                            \
    SET(WIDTH, "width", "width_i", 32, 64, 64, "bits of each")

#define ROW(name, ...) CS_IOMMU_HPM_PIN_##name,
enum { CS_IOMMU_HPM_PINS(ROW) CS_IOMMU_HPM_NR_PINS };
#undef ROW
#define ROW(name, ...) CS_IOMMU_HPM_SET_##name,
enum { CS_IOMMU_HPM_SETTINGS(ROW) CS_IOMMU_HPM_NR_SETTINGS };
#undef ROW

#endif
