#include "drivers/tasks.h"

#include <assert.h>
#include <stdlib.h>

typedef enum task_state {
    TASK_NEW,      /* has not been asked yet */
    TASK_SLEEPING, /* until due */
    TASK_WAITING,  /* for the line, at most until due */
    TASK_ENDED
} task_state;

typedef struct task {
    cs_software software;
    task_state state;
    cycle_t due; /* its next operation may start; CS_NEVER: only the line can wake it */
} task;

struct cs_tasks {
    task list[CS_TASKS_MOST];
    unsigned count;
    task *running;  /* NULL: the operation under way is the port's own wait */
    bool any_look;  /* the line has been looked at, */
    cycle_t looked; /* and this was the cycle after */
};

cs_status cs_tasks_create(cs_tasks **out, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CS_OK : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for tasks");
}

void cs_tasks_destroy(cs_tasks *tasks)
{
    free(tasks);
}

void cs_tasks_add(cs_tasks *tasks, cs_software software)
{
    assert(tasks->count < CS_TASKS_MOST);
    tasks->list[tasks->count++] = (task){software, TASK_NEW, 0};
}

/* True: the operation is one that others need not wait for. */
static bool park(task *t, cycle_t now, const cs_op *op)
{
    switch (op->kind) {
    case CS_OP_SLEEP:
        t->state = TASK_SLEEPING;
        break;
    case CS_OP_WAIT_IRQ:
        t->state = TASK_WAITING;
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

/* Who is due first, those added first before others; NULL: nobody ever, but for the line. */
static task *first_due(cs_tasks *tasks)
{
    task *first = NULL;

    for (unsigned i = 0; i < tasks->count; i++) {
        task *t = &tasks->list[i];

        if (t->due != CS_NEVER && (first == NULL || t->due < first->due))
            first = t;
    }
    return first;
}

static task *waiting(cs_tasks *tasks)
{
    for (unsigned i = 0; i < tasks->count; i++)
        if (tasks->list[i].state == TASK_WAITING)
            return &tasks->list[i];
    return NULL;
}

static bool all_ended(const cs_tasks *tasks)
{
    for (unsigned i = 0; i < tasks->count; i++)
        if (tasks->list[i].state != TASK_ENDED)
            return false;
    return true;
}

/* The port waits for the first who is due; with somebody at the line, for the line as well. */
static void wait_for(cs_tasks *tasks, cycle_t now, cs_op *op)
{
    const task *first = first_due(tasks);
    const bool line = waiting(tasks) != NULL;

    tasks->running = NULL;
    if (all_ended(tasks)) {
        *op = (cs_op){.kind = CS_OP_END};
        return;
    }
    *op = (cs_op){.kind = line ? CS_OP_WAIT_IRQ : CS_OP_SLEEP};
    if (first != NULL)
        op->cycles = first->due > now ? first->due - now : 1; /* a look at the line */
}

/* Who goes on now; NULL: nobody yet. Who waits for the line has seen it before anybody else who
 * is due goes on. */
static task *choose(cs_tasks *tasks, cycle_t now, bool irq)
{
    task *line = waiting(tasks);
    task *first = first_due(tasks);

    if (line != NULL && irq)
        return line;
    if (first == NULL || first->due > now)
        return NULL;
    return line == NULL || (tasks->any_look && tasks->looked == now) ? first : NULL;
}

static void next(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    cs_tasks *tasks = ctx;
    bool irq = false;

    if (tasks->running == NULL && last != NULL) {
        irq = last->irq;
        tasks->any_look = true;
        tasks->looked = now;
    } else if (tasks->running != NULL) {
        tasks->running->software.next(tasks->running->software.ctx, now, last, op);
        if (!park(tasks->running, now, op))
            return;
    }
    for (;;) {
        task *t = choose(tasks, now, irq);

        if (t == NULL) {
            wait_for(tasks, now, op);
            return;
        }
        const cs_op_result woken = {.irq = t->state == TASK_WAITING && irq};
        const bool fresh = t->state == TASK_NEW;

        irq = irq && !woken.irq; /* one interrupt wakes one */
        tasks->running = t;
        *op = (cs_op){0};
        t->software.next(t->software.ctx, now, fresh ? NULL : &woken, op);
        if (!park(t, now, op))
            return;
    }
}

cs_software cs_tasks_software(cs_tasks *tasks)
{
    return (cs_software){next, tasks};
}
