/* Events of RISC-V harts: names of the draft of standard events by their mhpmevent encoding, and
 * the SBI event each stands for (docs/hw/hpm.md, section 10). */
#ifndef CS_SCENARIO_RISCV_EVENTS_H
#define CS_SCENARIO_RISCV_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RISCV_CYCLES 1u
#define CS_RISCV_INSTRET 2u
#define CS_RISCV_REFERENCE 10u

typedef struct cs_riscv_event {
    uint16_t number;
    const char *name;
} cs_riscv_event;

size_t cs_riscv_event_count(void);
/* In rising order of numbers; NULL where index is too large. */
const cs_riscv_event *cs_riscv_event_at(size_t index);
/* NULL where the number has no name. */
const char *cs_riscv_event_name(uint32_t number);
/* By name, or "hpm:0x21" for an encoding of one's own. */
bool cs_riscv_event_number(const char *name, uint32_t *number);

#ifdef __cplusplus
}
#endif

#endif
