/* Where `tools/setup.sh linux` has put things. */
#ifndef CS_GUEST_IMC_PLACE_H
#define CS_GUEST_IMC_PLACE_H

#include <stddef.h>

#include "base/diag.h"

#define CS_GUEST_PATH 1024

typedef struct cs_power_place {
    char qemu[CS_GUEST_PATH];   /* the folder of QEMU */
    char guest[CS_GUEST_PATH];  /* of the guest's files */
    char kernel[CS_GUEST_PATH]; /* its kernel, with symbols */
    char plugin[CS_GUEST_PATH];
} cs_power_place;

/* CS_ERR_UNSUPPORTED: what is missing, and what to do. */
cs_status cs_power_find(cs_power_place *place, cs_diag *diag);

#endif
