// SPDX-License-Identifier: Apache-2.0
#include "drivers/imc/op_queue.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u

void cs_op_queue_init(cs_op_queue *queue)
{
    *queue = (cs_op_queue){0};
}

void cs_op_queue_free(cs_op_queue *queue)
{
    free(queue->ops);
    *queue = (cs_op_queue){0};
}

void cs_op_queue_begin(cs_op_queue *queue)
{
    queue->bottom = queue->count;
}

/* Those of one begin are few: they are moved up by one. */
void cs_op_queue_add(cs_op_queue *queue, const cs_op *op, cs_op_note note)
{
    if (queue->count == queue->capacity) {
        const size_t capacity = queue->capacity != 0 ? 2 * queue->capacity : FIRST_CAPACITY;
        cs_queued_op *ops = realloc(queue->ops, capacity * sizeof *ops);

        if (ops == NULL) {
            queue->failed = true;
            return;
        }
        queue->ops = ops;
        queue->capacity = capacity;
    }
    cs_queued_op *at = &queue->ops[queue->bottom];
    memmove(at + 1, at, (queue->count - queue->bottom) * sizeof *at);
    *at = (cs_queued_op){*op, note};
    queue->count++;
}

static void pop(cs_op_queue *queue)
{
    queue->count--;
    if (queue->bottom > queue->count)
        queue->bottom = queue->count;
}

void cs_op_queue_drop(cs_op_queue *queue, unsigned what, unsigned a)
{
    while (queue->count > 0 && queue->ops[queue->count - 1].note.what == what &&
           queue->ops[queue->count - 1].note.a == a)
        pop(queue);
}

bool cs_op_queue_take(cs_op_queue *queue, cs_queued_op *out)
{
    if (queue->count == 0)
        return false;
    *out = queue->ops[queue->count - 1];
    pop(queue);
    return true;
}
