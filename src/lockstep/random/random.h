// SPDX-License-Identifier: Apache-2.0
/* Random scenarios for comparisons: what each unit brings to them, and the frame around it. A unit
 * has a row in lockstep/units.hpp, its code is lockstep/<unit>/<unit>_random.c. */
#ifndef CS_LOCKSTEP_RANDOM_RANDOM_H
#define CS_LOCKSTEP_RANDOM_RANDOM_H

#include "base/bus/die_shape.h"
#include "lockstep/random/draw.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RANDOM_STATE 256u /* bytes that a unit has for itself, zero in the beginning */
#define CS_RANDOM_RAM 0x80000000u

/* The hooks of a unit, in the order in which they are called. `u` is its state. A hook that is NULL
 * has nothing to do. A unit that is the first and whose software leaves no others a turn sets the
 * fact "alone" in `shape`: no unit is drawn behind it. */
typedef struct cs_random_unit {
    const char *name;     /* of a row in rtl/units.txt, or in lockstep/units.hpp */
    const char *alike[4]; /* other such names that mean it, ended by NULL */
    size_t bytes;         /* of its state */
    /* Draws its size, within that of the die's units. False: there is none in this scenario. */
    bool (*shape)(cs_draw *d, const cs_die_shape *die, void *u);
    /* CPUs that it brings, behind those of the units before it. */
    unsigned (*cpus)(const void *u);
    /* Of these, from the first on: those that can run steps of a script side by side. */
    unsigned (*scripts)(const void *u);
    /* The sections that describe it. */
    void (*sections)(cs_draw *d, void *u);
    /* Items of the list `workloads`. */
    void (*workloads)(cs_draw *d, void *u, unsigned first_cpu);
    /* Draws whether software of its own drives it, whose sections it writes; a word of
     * software.kind, or NULL: there is none. */
    const char *(*driver)(cs_draw *d, void *u);
    /* That software leaves no registers to a script. */
    bool (*driven)(const void *u);
    /* An item of memory.faults. */
    void (*fault)(cs_draw *d, void *u);
    /* Steps of a script: the first ones, then those of one turn, and the last ones. */
    void (*program)(cs_draw *d, void *u);
    void (*step)(cs_draw *d, void *u);
    void (*last)(cs_draw *d, void *u);
} cs_random_unit;

/* All of them, in the order in which scenarios number their CPUs; ended by NULL. */
extern const cs_random_unit *const cs_random_units[];

/* Dies that scenarios may have. */
typedef struct cs_random_dies {
    const cs_die_shape *shapes;
    size_t nr;
} cs_random_dies;

/* Whether `unit` (NULL: any) names something that random scenarios are for; *names (may be NULL)
 * becomes a list of all names. */
bool cs_random_knows(const char *unit, char *names, size_t size);

/* Whether the die has what such a name means. */
bool cs_random_has(const cs_die_shape *die, const char *unit);

/* Writes the scenario into the draw's text. With `unit` it is one in which that unit takes part.
 * CS_ERR_UNSUPPORTED: none of the dies has it; CS_ERR_NO_MEMORY. */
cs_status cs_random_scenario(cs_draw *d, const cs_random_dies *dies, const char *unit,
                             const char *name, cs_diag *diag);

/* ---- for units ---- */

/* An item of memory.faults: an error, or a delay, of some accesses there. */
void cs_random_fault(cs_draw *d, uint64_t base, uint64_t bytes, unsigned most_nth);

/* The section with the clock of all cores, where nobody has said it yet (the fact "clock"). */
void cs_random_clock(cs_draw *d, unsigned mhz);

#ifdef __cplusplus
}
#endif

#endif
