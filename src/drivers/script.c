// SPDX-License-Identifier: Apache-2.0
#include "drivers/script.h"

#include <stdlib.h>

#include "scenario/machine/script_spec.h"
#include "scenario/software_kinds.h"
#include <countersink/base/numbers.h>

/* Who carries out the steps of a CPU. */
typedef struct player {
    cs_script *script;
    unsigned cpu;
    size_t next;  /* the place after that of the step under way */
    bool at_work; /* there is one */
} player;

struct cs_script {
    const cs_script_step *steps;
    size_t nr_steps;
    size_t done;
    cs_lock locks[CS_SCRIPT_LOCKS];
    player players[CS_MAX_CPUS];
    cs_script_result results[];
};

cs_status cs_script_create(const cs_script_step *steps, size_t nr_steps, cs_script **out,
                           cs_diag *diag)
{
    cs_script *script = NULL;

    if (nr_steps <= (SIZE_MAX - sizeof *script) / sizeof script->results[0])
        script = calloc(1, sizeof *script + nr_steps * sizeof script->results[0]);
    *out = script;
    if (script == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "script", "no memory for %zu steps", nr_steps);
    script->steps = steps;
    script->nr_steps = nr_steps;
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        script->players[cpu] = (player){.script = script, .cpu = cpu};
    return CS_OK;
}

void cs_script_destroy(cs_script *script)
{
    free(script);
}

static void end_step(player *p, cs_cycle now, const cs_op_result *last)
{
    cs_script_result *result = &p->script->results[p->next - 1];

    p->at_work = false;
    p->script->done++;
    result->done = true;
    result->last = now - 1;
    result->value = last->value;
    result->resp = last->resp;
    result->irq = last->irq;
}

/* The next step of the CPU; NULL: there is no more. */
static const cs_script_step *next_step(player *p)
{
    cs_script *script = p->script;

    while (p->next < script->nr_steps) {
        const cs_script_step *step = &script->steps[p->next++];

        if (step->cpu == p->cpu && step->kind != CS_STEP_CPU)
            return step;
    }
    return NULL;
}

static void script_next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    /* A script knows interrupts of units, and those of a CPU to another. */
    static const uint64_t own = CS_LINE(CS_LINE_IPI(CS_SOFTWARE_script));
    static const struct {
        cs_op_kind kind;
        uint64_t lines;
    } kinds[] = {
        [CS_STEP_WRITE] = {CS_OP_WRITE, 0},
        [CS_STEP_READ] = {CS_OP_READ, 0},
        [CS_STEP_DELAY] = {CS_OP_DELAY, 0},
        [CS_STEP_WAIT_IRQ] = {CS_OP_WAIT_IRQ, ~CS_LINES_IPI},
        [CS_STEP_SIGNAL] = {CS_OP_SIGNAL, own},
        [CS_STEP_WAIT_SIGNAL] = {CS_OP_WAIT_IRQ, own},
        [CS_STEP_LOCK] = {CS_OP_LOCK, 0},
        [CS_STEP_UNLOCK] = {CS_OP_UNLOCK, 0},
    };
    player *p = ctx;

    if (p->at_work)
        end_step(p, now, last);
    const cs_script_step *step = next_step(p);
    if (step == NULL) {
        *op = (cs_op){.kind = CS_OP_END};
        return;
    }
    p->at_work = true;
    p->script->results[p->next - 1].first = now;
    *op = (cs_op){.kind = kinds[step->kind].kind,
                  .addr = step->addr,
                  .value = step->value,
                  .cycles = step->cycles,
                  .size = step->size,
                  .core = (uint16_t)(step->kind == CS_STEP_SIGNAL ? 1 + step->value : 0),
                  .lines = kinds[step->kind].lines,
                  .lock = &p->script->locks[step->value % CS_SCRIPT_LOCKS]};
}

cs_software cs_script_software(cs_script *script, unsigned cpu)
{
    return (cs_software){.next = script_next, .ctx = &script->players[cpu]};
}

const cs_script_result *cs_script_get_results(const cs_script *script, size_t *nr_done)
{
    *nr_done = script->done;
    return script->results;
}
