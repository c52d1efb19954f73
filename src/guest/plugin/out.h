// SPDX-License-Identifier: Apache-2.0
/* Files that the guest puts out: programs of ours ask for that (guest/log.h, CS_GUEST_CALL_..). */
#ifndef CS_GUEST_PLUGIN_OUT_H
#define CS_GUEST_PLUGIN_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct out {
    const char *folder; /* where they go */
    FILE *log;
    /* Bytes of the program that runs, until the next call; NULL: it has none there. */
    const uint8_t *(*read)(uint64_t address, size_t bytes);
    FILE *file; /* the one that has begun; NULL: none */
} out;

/* A program asks for `call`, with two numbers. The log is told. */
void out_call(out *o, uint64_t call, uint64_t first, uint64_t second);
void out_end(out *o);

#endif
