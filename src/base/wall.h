// SPDX-License-Identifier: Apache-2.0
/* Wall time, for figures about a run and never for its results. */
#ifndef CS_BASE_WALL_H
#define CS_BASE_WALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds from a point in the past that does not move. */
uint64_t cs_wall_ns(void);

#ifdef __cplusplus
}
#endif

#endif
