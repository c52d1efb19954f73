// SPDX-License-Identifier: Apache-2.0
/* The operations that a driver has decided on but not made yet, in order; each with a note for
 * whoever hears its result. What a result calls for comes before what waits already. */
#ifndef CS_DRIVERS_IMC_OP_QUEUE_H
#define CS_DRIVERS_IMC_OP_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "drivers/software.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0: nobody is told. */
typedef struct cs_op_note {
    unsigned what;
    unsigned a, b, c;
} cs_op_note;

typedef struct cs_queued_op {
    cs_op op;
    cs_op_note note;
} cs_queued_op;

typedef struct cs_op_queue {
    cs_queued_op *ops; /* a stack of what is to come: the next one is the last */
    size_t count, capacity;
    size_t bottom; /* new ones go above these */
    bool failed;   /* no memory */
} cs_op_queue;

void cs_op_queue_init(cs_op_queue *queue);
void cs_op_queue_free(cs_op_queue *queue);

/* From here on operations are added in order, before all that wait; until the next begin. */
void cs_op_queue_begin(cs_op_queue *queue);
void cs_op_queue_add(cs_op_queue *queue, const cs_op *op, cs_op_note note);

/* Forgets the next ones as long as their note begins with these two. */
void cs_op_queue_drop(cs_op_queue *queue, unsigned what, unsigned a);

/* False when there is none. */
bool cs_op_queue_take(cs_op_queue *queue, cs_queued_op *out);

#ifdef __cplusplus
}
#endif

#endif
