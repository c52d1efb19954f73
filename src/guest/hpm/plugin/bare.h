// SPDX-License-Identifier: Apache-2.0
/* A program for bare harts: how it ends, and its signature. It ends with a number other than 0 that it stores at
 * `tohost`, twice its status and 1, or with what QEMU's test device takes. */
#ifndef CS_GUEST_HPM_PLUGIN_BARE_H
#define CS_GUEST_HPM_PLUGIN_BARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "guest/imc/bridge.h"

typedef struct bare {
    bool is;                    /* there is such a program, and no Linux */
    uint64_t tohost;            /* 0: none */
    uint64_t signature_at, end; /* the same: none */
} bare;

/* The program has stored `value` there, in all `size` bytes. True: it has ended, with *status. */
bool bare_ends(const bare *b, uint64_t address, uint64_t value, unsigned size, unsigned *status);

/* Writes the signature, a word of 32 bits a line as riscv-arch-test compares it, and the status, into files
 * that the guest puts out, in the folder. False: the signature is not in the memory, which begins at
 * `memory_at`, or a file cannot be written. */
bool bare_put(const bare *b, const bridge_memory *memory, uint64_t memory_at, const char *folder,
              unsigned status);

#endif
