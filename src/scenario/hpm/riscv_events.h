// SPDX-License-Identifier: Apache-2.0
/* Events of RISC-V harts by name: those of docs/hw/hpm.md, section 10, and what perf calls them. */
#ifndef CS_SCENARIO_RISCV_EVENTS_H
#define CS_SCENARIO_RISCV_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/yaml/suggest.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RISCV_CYCLES 1u
#define CS_RISCV_INSTRET 2u
#define CS_RISCV_REFERENCE 10u

/* By name, or "hpm:0x21" for an encoding of one's own. */
bool cs_riscv_event_number(const char *name, uint32_t *number);

/* What perf opens (docs/drivers/riscv_driver.md, "Opening"). */
typedef struct cs_riscv_perf_config {
    uint32_t type;
    uint64_t config;
    unsigned group; /* events of a group have counters together; by place in the command's list */
    bool pinned;
} cs_riscv_perf_config;

/* Its event_idx in the SBI's numbers; 0: raw (of the hart, or the firmware's). */
uint32_t cs_riscv_perf_config_idx(const cs_riscv_perf_config *config);
/* The firmware counts it. */
bool cs_riscv_perf_config_is_firmware(const cs_riscv_perf_config *config);

/* "cycles", "L1-dcache-load-misses", "r21" (raw), "fw_set_timer", a name or "hpm:0x21" of the
 * hart's events (as raw). `proposal`: firmware events are those of July 2020. False: none, *suggest
 * (may be NULL) was offered those there are. */
bool cs_riscv_perf_event_number(const char *name, bool proposal, cs_riscv_perf_config *out,
                                cs_suggest *suggest);

/* Those by rising numbers, as perf calls them; NULL after the last. */
const char *cs_riscv_perf_event_at(bool proposal, size_t nr);

/* The code of a firmware event by its name ("fw_set_timer"), or "fw:256". */
bool cs_riscv_firmware_event_number(const char *name, bool proposal, unsigned *code,
                                    cs_suggest *suggest);

#ifdef __cplusplus
}
#endif

#endif
