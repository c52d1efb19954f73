// SPDX-License-Identifier: Apache-2.0
/* What a die that is made for waves has beside cs_die_plugin: the symbol cs_die_waves. All others have
 * not, and are as quick as ever. */
#ifndef CS_DIE_WAVES_H
#define CS_DIE_WAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_DIE_WAVES 1u /* changes with what stands below */
#define CS_DIE_WAVES_SYMBOL "cs_die_waves"

/* A signal that is no part of the die. Its value may change between dumps. */
typedef struct cs_die_signal {
    const char *name; /* with its scopes, separated by blanks */
    unsigned bits;    /* 1..64 */
    uint64_t value;
} cs_die_signal;

/* A file in FST, of all signals of the die and some others. One at a time. */
typedef struct cs_die_waves_abi {
    unsigned version; /* CS_DIE_WAVES */
    /* False: it cannot be written. `signals` live until the file is closed. */
    bool (*open)(void *die, const char *path, cs_die_signal *signals, size_t nr_signals);
    void (*dump)(void *die, uint64_t time); /* in ns; times rise */
    void (*close)(void *die);
} cs_die_waves_abi;

#ifdef __cplusplus
}
#endif

#endif
