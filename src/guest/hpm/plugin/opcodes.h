// SPDX-License-Identifier: Apache-2.0
/* Instructions and bits of RISC-V that the plugin looks for. */
#ifndef CS_GUEST_HPM_PLUGIN_OPCODES_H
#define CS_GUEST_HPM_PLUGIN_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

#define ECALL 0x00000073u
#define EBREAK 0x00100073u
#define C_EBREAK 0x9002u
#define SYSTEM 0x73u /* the opcode of CSR instructions, ECALL, SRET, .. */
#define OPCODE 0x7fu
#define RETURNS 0x7000u /* 0 of the latter */
#define SSTATUS_SIE 2u
#define SPP_AT 8u  /* of sstatus: the mode before a trap, a bit */
#define SPV_AT 7u  /* of hstatus: it was virtual */
#define MPV_AT 39u /* the same of mstatus */
#define MPP_AT 11u /* the same of mstatus, two bits */

static inline bool retires(uint32_t word)
{
    return word != ECALL && word != EBREAK && (word & 0xffff) != C_EBREAK;
}

#endif
