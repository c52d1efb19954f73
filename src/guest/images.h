// SPDX-License-Identifier: Apache-2.0
/* Which function an address of the guest is: of its kernel, or of a file that a process has mapped. */
#ifndef CS_GUEST_IMAGES_H
#define CS_GUEST_IMAGES_H

#include <stdint.h>

#include "guest/place.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_images cs_images;

/* What an address is. Names are the images', or constants. */
typedef struct cs_images_place {
    const char *file;     /* "perf", "[kernel]"; "[firmware]", "[user]": nobody's */
    const char *function; /* as the file where it has no function there */
} cs_images_place;

/* `folder`: where a file of the scenario's program can be made. */
cs_status cs_images_create(const cs_scenario *scenario, const cs_guest_place *place,
                           const char *folder, cs_images **out, cs_diag *diag);
void cs_images_destroy(cs_images *images); /* NULL is allowed */

/* Images have numbers that rise by one, from 1. What `from` (0: nobody) has mapped it has, too. */
cs_status cs_images_add(cs_images *images, uint32_t number, uint32_t process, uint32_t from,
                        cs_diag *diag);
/* It maps a file's bytes that can be executed. */
cs_status cs_images_map(cs_images *images, uint32_t number, uint64_t address, uint64_t bytes,
                        const char *file, cs_diag *diag);

uint32_t cs_images_process(const cs_images *images, uint32_t number);
/* `mode`: MSR[HV PR] as a number. */
cs_images_place cs_images_find(const cs_images *images, uint32_t number, uint64_t pc,
                               unsigned mode);

#ifdef __cplusplus
}
#endif

#endif
