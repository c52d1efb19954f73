// SPDX-License-Identifier: Apache-2.0
/* What an instruction of POWER counts as, beside being one. */
#ifndef CS_GUEST_IMC_KINDS_H
#define CS_GUEST_IMC_KINDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can be counted of an instruction. An instruction is one of its own kind at most. */
enum {
    CS_POWER_INSTRUCTIONS,
    CS_POWER_LOADS, /* it reads memory into a register */
    CS_POWER_STORES,
    CS_POWER_BRANCHES, /* taken or not */
    CS_POWER_KINDS
};

/* CS_POWER_INSTRUCTIONS: of no kind of its own. */
unsigned cs_power_kind(uint32_t word);

#ifdef __cplusplus
}
#endif

#endif
