// SPDX-License-Identifier: Apache-2.0
/* Instructions of POWER that the plugin looks for (Power ISA 3.0B), and bits of the MSR. */
#ifndef CS_GUEST_IMC_PLUGIN_OPCODES_H
#define CS_GUEST_IMC_PLUGIN_OPCODES_H

#define SPR_LDBAR 850u
#define SPR_TB 268u
#define MSR_HV (UINT64_C(1) << 60)
#define MSR_PR (UINT64_C(1) << 14)

/* Opcodes, of which the register fields are taken out. */
#define OF_SPR(word) ((word)&0xfc1fffffu)
#define SPR_FIELD(spr) (((spr)&31u) << 16 | (spr) >> 5 << 11)
#define MTSPR(spr) (0x7c0003a6u | SPR_FIELD(spr))
#define MFSPR(spr) (0x7c0002a6u | SPR_FIELD(spr))
#define MFTB(spr) (0x7c0002e6u | SPR_FIELD(spr))
#define REGISTER_OF(word) ((word) >> 21 & 31u)
#define STOP 0x4c0002e4u
#define OF_STORE(word) ((word)&0xfc0007feu)
#define STDCIX (0x7c000000u | 1013u << 1)

#endif
