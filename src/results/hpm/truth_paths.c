/* Call chains and call paths into the truth. */
#include "results/truth/impl.h"

const char *cs_truth_chain(const cs_truth_hart_sample *s, char text[CS_PERF_CHAIN_TEXT])
{
    const cs_context *who = &s->truth.interrupted;
    uint64_t words[CS_PERF_CHAIN_MOST] = {who->pc};
    size_t nr = 1;

    if (s->sample->chain == NULL)
        return NULL;
    /* A guest's stack is not the host's to walk. */
    if (s->sample->misc != CS_RISCV_MISC_KERNEL && s->sample->misc != CS_RISCV_MISC_USER)
        nr = 0;
    for (size_t i = 0; nr > 0 && who->function != NULL && i < who->function->nr_returns; i++)
        words[nr++] = who->function->returns[i];
    return cs_perf_chain_text(words, nr, text);
}

static void put_path(void *ctx, const cs_call_path *p)
{
    cs_truth *t = ctx;

    cs_truth_integers(t, CS_TRUTH_CALL_PATH, 1, (uint64_t[]){p->command}, 1);
    cs_truth_text(t, CS_TRUTH_CALL_PATH, 2, p->workload);
    cs_truth_integers(t, CS_TRUTH_CALL_PATH, 3, (uint64_t[]){p->pid, p->segment}, 2);
    cs_truth_text(t, CS_TRUTH_CALL_PATH, 5, p->function->name);
    cs_truth_integers(t, CS_TRUTH_CALL_PATH, 6, (uint64_t[]){p->function->base, p->function->size},
                      2);
    cs_truth_text(t, CS_TRUTH_CALL_PATH, 8, p->stack);
    cs_truth_text(t, CS_TRUTH_CALL_PATH, 9, p->returns);
    cs_truth_integers(t, CS_TRUTH_CALL_PATH, 10, (uint64_t[]){p->function->weight, p->samples}, 2);
    sqlite3_bind_double(t->insert[CS_TRUTH_CALL_PATH], 12, p->expected);
    cs_truth_put(t, CS_TRUTH_CALL_PATH);
}

static void put_share(void *ctx, const cs_call_share *s)
{
    cs_truth *t = ctx;

    cs_truth_integers(t, CS_TRUTH_CALL_SHARE, 1, (uint64_t[]){s->command}, 1);
    cs_truth_text(t, CS_TRUTH_CALL_SHARE, 2, s->workload);
    cs_truth_text(t, CS_TRUTH_CALL_SHARE, 3, s->function);
    cs_truth_integers(t, CS_TRUTH_CALL_SHARE, 4, (uint64_t[]){s->base, s->self}, 2);
    sqlite3_bind_double(t->insert[CS_TRUTH_CALL_SHARE], 6, s->self_expected);
    cs_truth_integers(t, CS_TRUTH_CALL_SHARE, 7, (uint64_t[]){s->inclusive}, 1);
    sqlite3_bind_double(t->insert[CS_TRUTH_CALL_SHARE], 8, s->inclusive_expected);
    cs_truth_put(t, CS_TRUTH_CALL_SHARE);
}

cs_status cs_truth_call_paths(cs_truth *t, cs_call_paths *paths, cs_diag *diag)
{
    return cs_call_paths_tell(paths, put_path, put_share, t, diag);
}
