// SPDX-License-Identifier: Apache-2.0
/* Real systems on our hardware: a scenario's guest is brought up, does what it is told, and leaves
 * what it found, and the truth of it, in a run folder (docs/uses/linux_power.md). */
#ifndef CS_GUEST_GUEST_H
#define CS_GUEST_GUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_guest_options {
    const char *output; /* NULL: runs/<name>-<n> */
    bool shell;         /* a shell on this terminal, not the script */
    /* Every now and then, with the guest's last line. May be NULL. */
    void (*progress)(void *ctx, const char *line, unsigned seconds);
    void *ctx;
} cs_guest_options;

#define CS_GUEST_TOP 6u
#define CS_GUEST_WARNINGS 16u

/* What the truth has counted of a function. */
typedef struct cs_guest_top {
    char function[64], file[64];
    uint64_t instructions, cycles;
} cs_guest_top;

typedef struct cs_guest_result {
    char folder[4096];
    uint64_t instructions; /* that the guest executed */
    uint64_t busy_cycles;  /* that they took */
    uint64_t idle_cycles;
    uint64_t counted; /* instructions of which it is known by function, */
    uint64_t traced;  /* and those of them while trace mode ran */
    uint64_t counted_cycles;
    cs_guest_top top[CS_GUEST_TOP]; /* those with most cycles */
    unsigned nr_top;
    uint64_t last_cycle;                   /* of a record or an overflow */
    uint64_t records;                      /* that the hardware wrote */
    uint64_t taken;                        /* of them, by the driver */
    char warnings[CS_GUEST_WARNINGS][200]; /* what nobody has counted, and the like */
    unsigned nr_warnings;
    uint64_t wall_ns;
} cs_guest_result;

/* CS_ERR_UNSUPPORTED: something is missing, with the command that fetches it. CS_ERR_IO: the guest
 * did not come up, or its script failed: with the last lines of its console. What a guest has left that had begun
 * is in the first free folder NAME.failed-1, .. then; else nothing is. */
cs_status cs_guest_boot(const cs_scenario *scenario, const cs_guest_options *options,
                        cs_guest_result *result, cs_diag *diag);

/* A kind of guest: what it is, and what it lacks on this machine. */
typedef struct cs_guest_row {
    const char *kind, *about;
    char missing[1400]; /* "": nothing */
} cs_guest_row;

/* False: there is none of that number. */
bool cs_guest_listed(size_t nr, cs_guest_row *out);

#ifdef __cplusplus
}
#endif

#endif
