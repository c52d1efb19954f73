// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/kinds.h"

/* The major opcodes, bits 6:2 of a word whose bits 1:0 are ones. */
static unsigned kind_of_word(uint32_t word)
{
    switch (word >> 2 & 0x1f) {
    case 0x00: /* LOAD, LOAD-FP */
    case 0x01:
        return CS_RISCV_LOAD;
    case 0x03: /* MISC-MEM */
        return CS_RISCV_FENCE;
    case 0x08: /* STORE, STORE-FP */
    case 0x09:
        return CS_RISCV_STORE;
    case 0x0b: /* AMO */
        return CS_RISCV_ATOMIC;
    case 0x10: /* MADD to NMADD, OP-FP */
    case 0x11:
    case 0x12:
    case 0x13:
    case 0x14:
        return CS_RISCV_FLOAT;
    case 0x18:
        return CS_RISCV_BRANCH;
    case 0x19: /* JALR, JAL */
    case 0x1b:
        return CS_RISCV_JUMP;
    case 0x1c: /* SYSTEM: funct3 0 is ECALL and the like, 4 hypervisor loads and stores */
        return (word >> 12 & 3) != 0 ? CS_RISCV_CSR : CS_RISCV_OTHER;
    default:
        return CS_RISCV_OTHER;
    }
}

/* Quadrants 0 to 2, by funct3. */
static unsigned kind_of_half(uint32_t half)
{
    static const uint8_t first[8] = {CS_RISCV_OTHER, CS_RISCV_LOAD,  CS_RISCV_LOAD,
                                     CS_RISCV_LOAD,  CS_RISCV_OTHER, CS_RISCV_STORE,
                                     CS_RISCV_STORE, CS_RISCV_STORE};
    static const uint8_t second[8] = {CS_RISCV_OTHER,  CS_RISCV_OTHER, CS_RISCV_OTHER,
                                      CS_RISCV_OTHER,  CS_RISCV_OTHER, CS_RISCV_JUMP,
                                      CS_RISCV_BRANCH, CS_RISCV_BRANCH};
    const unsigned funct3 = half >> 13 & 7;

    switch (half & 3) {
    case 0:
        return first[funct3];
    case 1:
        return second[funct3];
    default:
        if (funct3 == 4) /* C.JR, C.JALR have a register, and no second */
            return (half >> 2 & 0x1f) == 0 && (half >> 7 & 0x1f) != 0 ? CS_RISCV_JUMP
                                                                      : CS_RISCV_OTHER;
        return first[funct3];
    }
}

unsigned cs_riscv_kind(uint32_t word)
{
    return (word & 3) == 3 ? kind_of_word(word) : kind_of_half(word & 0xffff);
}

/* A compressed one compares one of x8 to x15 with x0. */
cs_riscv_branch cs_riscv_branch_of(uint32_t word)
{
    if ((word & 3) != 3)
        return (cs_riscv_branch){(uint8_t)(8 + (word >> 7 & 7)), 0, word >> 13 & 1};
    return (cs_riscv_branch){word >> 15 & 31, word >> 20 & 31, word >> 12 & 7};
}

/* Bit 0 of the condition is its opposite. */
bool cs_riscv_is_taken(cs_riscv_branch branch, uint64_t left, uint64_t right)
{
    const bool holds = branch.condition < 4   ? left == right
                       : branch.condition < 6 ? (int64_t)left < (int64_t)right
                                              : left < right;

    return holds != ((branch.condition & 1) != 0);
}
