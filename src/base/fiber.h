// SPDX-License-Identifier: Apache-2.0
/* A second stack: straight-line C code that can stop in the middle of a call and go on later. It
 * runs on the thread that resumes it; no two run at the same time. */
#ifndef CS_BASE_FIBER_H
#define CS_BASE_FIBER_H

#include <stdbool.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_fiber cs_fiber;

/* Nothing of `main` runs before the first resume. Errors: CS_ERR_NO_MEMORY;
 * CS_ERR_UNSUPPORTED with a C library without contexts. */
cs_status cs_fiber_create(void (*main)(void *ctx), void *ctx, cs_fiber **out, cs_diag *diag);
/* Also in the middle: what is on its stack is forgotten. NULL is allowed. */
void cs_fiber_destroy(cs_fiber *fiber);
/* Runs it until it suspends itself or has ended; nothing when it has. */
void cs_fiber_resume(cs_fiber *fiber);
/* From within the fiber: back to the code that resumed it. */
void cs_fiber_suspend(cs_fiber *fiber);
bool cs_fiber_ended(const cs_fiber *fiber);

#ifdef __cplusplus
}
#endif

#endif
