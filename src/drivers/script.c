#include "drivers/script.h"
#include "scenario/machine/script_spec.h"

#include <stdlib.h>

struct cs_script {
    const cs_script_step *steps;
    size_t nr_steps;
    size_t begun;
    size_t done;
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
    return CS_OK;
}

void cs_script_destroy(cs_script *script)
{
    free(script);
}

static void end_step(cs_script *script, cycle_t now, const cs_op_result *last)
{
    cs_script_result *result = &script->results[script->done++];

    result->last = now - 1;
    result->value = last->value;
    result->resp = last->resp;
    result->irq = last->irq;
}

static void next(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    static const cs_op_kind kinds[] = {
        [CS_STEP_WRITE] = CS_OP_WRITE,
        [CS_STEP_READ] = CS_OP_READ,
        [CS_STEP_DELAY] = CS_OP_DELAY,
        [CS_STEP_WAIT_IRQ] = CS_OP_WAIT_IRQ,
    };
    cs_script *script = ctx;

    if (script->done < script->begun)
        end_step(script, now, last);
    if (script->begun == script->nr_steps) {
        *op = (cs_op){.kind = CS_OP_END};
        return;
    }
    const cs_script_step *step = &script->steps[script->begun];
    script->results[script->begun++].first = now;
    *op = (cs_op){.kind = kinds[step->kind],
                  .addr = step->addr,
                  .value = step->value,
                  .cycles = step->cycles,
                  .size = step->size};
}

cs_software cs_script_software(cs_script *script)
{
    return (cs_software){.next = next, .ctx = script};
}

const cs_script_result *cs_script_get_results(const cs_script *script, size_t *nr_done)
{
    *nr_done = script->done;
    return script->results;
}
