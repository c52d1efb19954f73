// SPDX-License-Identifier: Apache-2.0
/* What a verilated die is to the program that loads it: a shared object with one symbol,
 * cs_die_plugin. It is compiled with the die (src/lockstep/die/top.c writes the code) and read by
 * src/lockstep/rtl_die.cpp. */
#ifndef CS_DIE_ABI_H
#define CS_DIE_ABI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_DIE_ABI 2u /* changes with what stands below */
#define CS_DIE_SYMBOL "cs_die_plugin"

/* A port of the die: a little-endian vector of bits. Eight bytes from any of its bytes may be
 * read, and written back as they were where they are not the port's. */
typedef struct cs_die_pin {
    const char *name; /* as in die.sv.in, or UNIT_ and the port's name in the unit's module */
    void *bits;
    void *settle; /* a clock (one bit): an input is taken when it rises; NULL: at once */
} cs_die_pin;

/* A unit's place on the fabric. */
typedef struct cs_die_unit {
    const char *name;
    unsigned first_manager, nr_managers;
    unsigned first_target, nr_targets;
} cs_die_unit;

typedef struct cs_die_plugin_abi {
    unsigned version;  /* CS_DIE_ABI */
    const char *shape; /* base/bus/die_shape.h */
    const cs_die_unit *units;
    size_t nr_units;
    unsigned nr_managers, nr_targets; /* with the CPU's port, and memory */
    void *(*create)(void);
    void (*destroy)(void *die);
    void (*eval)(void *die);
    /* Terminated by a name of NULL; they live as long as the die. */
    const cs_die_pin *(*pins)(void *die);
} cs_die_plugin_abi;

#ifdef __cplusplus
}
#endif

#endif
