// SPDX-License-Identifier: Apache-2.0
#include "drivers/tasks.h"

#include <stdlib.h>

#include "base/room.h"

typedef enum task_state {
    TASK_NEW,      /* has not been asked yet */
    TASK_SLEEPING, /* until due */
    TASK_WAITING,  /* for a line, at most until due */
    TASK_ENDED
} task_state;

typedef struct task {
    cs_software software;
    uint16_t core;
    task_state state;
    uint64_t lines; /* that it waits for */
    cs_cycle due;   /* its next operation may start; CS_NEVER: only a line can wake it */
} task;

struct cs_tasks {
    task *list;
    size_t count, room;
    uint64_t heard;  /* CPUs' interrupts that have woken nobody yet */
    task *running;   /* NULL: the operation under way is the port's own wait */
    bool any_look;   /* the lines have been looked at, */
    cs_cycle looked; /* and this was the cycle after */
};

cs_status cs_tasks_create(cs_tasks **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CS_OK : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for tasks");
}

void cs_tasks_destroy(cs_tasks *tasks)
{
    if (tasks == NULL)
        return;
    free(tasks->list);
    free(tasks);
}

cs_status cs_tasks_add(cs_tasks *tasks, cs_software software, uint16_t core, cs_diag *diag)
{
    task *list = cs_room(tasks->list, &tasks->room, tasks->count, sizeof *list);

    if (list == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for tasks");
    tasks->list = list;
    tasks->list[tasks->count++] = (task){.software = software, .core = core};
    return CS_OK;
}

static void task_ask(const task *t, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    t->software.next(t->software.ctx, now, last, op);
    if (op->core == 0 && (op->kind == CS_OP_ENTER || op->kind == CS_OP_LEAVE))
        op->core = t->core;
}

/* True: the operation is one that others need not wait for. */
static bool task_park(task *t, cs_cycle now, const cs_op *op)
{
    switch (op->kind) {
    case CS_OP_SLEEP:
        t->state = TASK_SLEEPING;
        break;
    case CS_OP_WAIT_IRQ:
        t->state = TASK_WAITING;
        t->lines = op->lines;
        break;
    case CS_OP_END:
        t->state = TASK_ENDED;
        t->due = CS_NEVER;
        return true;
    default:
        return false;
    }
    t->due = op->cycles != 0 && op->cycles <= CS_NEVER - now ? now + op->cycles : CS_NEVER;
    return true;
}

/* Who is due first, those added first before others; NULL: nobody ever, but for a line. */
static task *first_due(cs_tasks *tasks)
{
    task *first = NULL;

    for (size_t i = 0; i < tasks->count; i++) {
        task *t = &tasks->list[i];

        if (t->due != CS_NEVER && (first == NULL || t->due < first->due))
            first = t;
    }
    return first;
}

/* The first who waits for one of these lines. */
static task *task_waiting(cs_tasks *tasks, uint64_t lines)
{
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->list[i].state == TASK_WAITING && (tasks->list[i].lines & lines) != 0)
            return &tasks->list[i];
    return NULL;
}

/* All lines that somebody waits for. */
static uint64_t waited_for(const cs_tasks *tasks)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->list[i].state == TASK_WAITING)
            lines |= tasks->list[i].lines;
    return lines;
}

static bool all_ended(const cs_tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->list[i].state != TASK_ENDED)
            return false;
    return true;
}

/* The port waits for the first who is due; with somebody at a line, for the line as well. */
static void wait_for(cs_tasks *tasks, cs_cycle now, cs_op *op)
{
    const task *first = first_due(tasks);
    const uint64_t lines = waited_for(tasks);

    tasks->running = NULL;
    if (all_ended(tasks)) {
        *op = (cs_op){.kind = CS_OP_END};
        return;
    }
    *op = (cs_op){.kind = lines != 0 ? CS_OP_WAIT_IRQ : CS_OP_SLEEP, .lines = lines};
    if (first != NULL)
        op->cycles = first->due > now ? first->due - now : 1; /* a look at the lines */
}

/* Who goes on now; NULL: nobody yet. Who waits for a line has seen it before anybody else who is due
 * goes on. */
static task *task_choose(cs_tasks *tasks, cs_cycle now, uint64_t high)
{
    task *woken = task_waiting(tasks, high);
    task *first = first_due(tasks);

    if (woken != NULL)
        return woken;
    if (first == NULL || first->due > now)
        return NULL;
    return waited_for(tasks) == 0 || (tasks->any_look && tasks->looked == now) ? first : NULL;
}

static void task_next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    cs_tasks *tasks = ctx;
    uint64_t high = 0;

    if (tasks->running == NULL && last != NULL) {
        high = last->lines;
        tasks->heard |= high & CS_LINES_IPI;
        tasks->any_look = true;
        tasks->looked = now;
    } else if (tasks->running != NULL) {
        task_ask(tasks->running, now, last, op);
        if (!task_park(tasks->running, now, op))
            return;
    }
    for (;;) {
        high |= tasks->heard;
        task *t = task_choose(tasks, now, high);

        if (t == NULL) {
            wait_for(tasks, now, op);
            return;
        }
        const uint64_t lines = t->state == TASK_WAITING ? t->lines & high : 0;
        const cs_op_result woken = {.lines = lines, .irq = lines != 0};
        const bool fresh = t->state == TASK_NEW;

        high &= ~lines; /* one interrupt wakes one */
        tasks->heard &= ~lines;
        tasks->running = t;
        *op = (cs_op){0};
        task_ask(t, now, fresh ? NULL : &woken, op);
        if (!task_park(t, now, op))
            return;
    }
}

cs_software cs_tasks_software(cs_tasks *tasks)
{
    return (cs_software){task_next, tasks};
}
