// SPDX-License-Identifier: Apache-2.0
#include "guest/imc/kinds.h"

#include <stdbool.h>
#include <stddef.h>

/* Extended opcodes of opcode 31 (Power ISA 3.0B), rising. */
static const uint16_t loads[] = {7,   12,  20,  21,  23,  39,  52,  53,  55,  71,  76,  84,  87,
                                 103, 116, 119, 268, 269, 276, 279, 301, 311, 332, 341, 343, 359,
                                 364, 373, 375, 524, 532, 533, 534, 535, 567, 588, 597, 599, 631,
                                 780, 781, 789, 790, 812, 813, 821, 844, 853, 855, 876, 885, 887};
static const uint16_t stores[] = {135, 140, 149, 150, 151, 167, 181, 182, 183, 199,  214,
                                  215, 231, 247, 396, 397, 407, 429, 439, 487, 652,  660,
                                  661, 662, 663, 694, 695, 716, 725, 726, 727, 759,  908,
                                  909, 917, 918, 940, 941, 949, 972, 981, 983, 1004, 1013};
/* Of opcode 19: to LR, CTR, TAR. */
static const uint16_t branches[] = {16, 528, 560};

static bool is_in(const uint16_t *list, size_t count, uint32_t what)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == what)
            return true;
    return false;
}

#define IS_IN(list, what) is_in(list, sizeof(list) / sizeof((list)[0]), what)

unsigned cs_power_kind(uint32_t word)
{
    const uint32_t op = word >> 26, extended = word >> 1 & 0x3ffu;

    if (op == 16 || op == 18 || (op == 19 && IS_IN(branches, extended)))
        return CS_POWER_BRANCHES;
    if (op == 31 && IS_IN(loads, extended))
        return CS_POWER_LOADS;
    if (op == 31 && IS_IN(stores, extended))
        return CS_POWER_STORES;
    /* lwz lwzu lbz lbzu stw stwu stb stbu lhz lhzu lha lhau sth sthu lmw stmw, and floating point: l l
     * l l st st st st. */
    if (op >= 32 && op <= 55) {
        static const uint32_t of_store = 0x00f0b0f0u; /* bit n: opcode 32 + n */

        return (of_store >> (op - 32) & 1u) != 0 ? CS_POWER_STORES : CS_POWER_LOADS;
    }
    if (op == 56 || op == 57 || op == 58) /* lq; lxsd lxssp; ld ldu lwa */
        return CS_POWER_LOADS;
    if (op == 62) /* std stdu stq */
        return CS_POWER_STORES;
    if (op == 61) /* lxv; stxv stxsd stxssp */
        return (word & 7u) == 1 ? CS_POWER_LOADS : CS_POWER_STORES;
    return CS_POWER_INSTRUCTIONS;
}
