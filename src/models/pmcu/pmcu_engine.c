// SPDX-License-Identifier: Apache-2.0
/* The engine: bursts between memory and the PMCU through port 0. Spec, "FETCH", "WAIT"
 * (prefetch) and "STORE". */
#include <string.h>

#include "models/pmcu/pmcu_internal.h"
#include <countersink/regs/pmcu_regs.h>

#define ENGINE_PORT 0u
#define PAGE_BYTES 4096u
#define WORD_BYTES CS_BUS_BEAT_BYTES

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t words_to_boundary(uint64_t at)
{
    return (PAGE_BYTES - (uint32_t)(at & (PAGE_BYTES - 1))) / WORD_BYTES;
}

static void ask(cs_pmcu *pmcu)
{
    pmcu->ask |= 1u << ENGINE_PORT;
}

static void set_burst(cs_bus_txn *txn, const cs_pmcu_engine *engine, bool write, uint32_t beats)
{
    txn->addr = engine->at;
    txn->write = write;
    txn->size = WORD_BYTES;
    txn->beats = (uint8_t)beats;
}

static void step_over(cs_pmcu_engine *engine, uint32_t words)
{
    engine->at += (uint64_t)words * WORD_BYTES;
    engine->left -= words;
}

bool cs_pmcu_another_group(const cs_pmcu_run *run)
{
    return run->group + 1 < run->nr_groups || run->loop + 1 < run->nr_loop;
}

static void fetch(cs_pmcu *pmcu, unsigned group)
{
    cs_pmcu_run *run = &pmcu->run;
    cs_pmcu_engine *engine = &pmcu->engine;
    const unsigned first = group * run->nr_pmu;
    const uint64_t addr = run->event_base + 4 * (uint64_t)first;
    const unsigned odd = (unsigned)(addr >> 2 & 1);

    engine->words = least(run->nr_pmu, run->ev_len - first);
    for (unsigned i = engine->words; i < run->nr_pmu; i++)
        run->events[i] = CS_PMCU_NULL_EVENT;
    engine->next_word = -(int)odd;
    engine->at = addr - 4 * odd;
    engine->left = (engine->words + odd + 1) / 2;
    ask(pmcu);
}

void cs_pmcu_fetch_start(cs_pmcu *pmcu)
{
    fetch(pmcu, pmcu->run.group);
}

void cs_pmcu_prefetch_start(cs_pmcu *pmcu)
{
    const unsigned next = pmcu->run.group + 1;

    fetch(pmcu, next < pmcu->run.nr_groups ? next : 0);
}

void cs_pmcu_fetch_request(cs_pmcu *pmcu, unsigned port)
{
    const cs_pmcu_engine *engine = &pmcu->engine;
    uint32_t beats = least(engine->left, words_to_boundary(engine->at));

    set_burst(&pmcu->txn[port], engine, false, beats);
}

void cs_pmcu_fetch_complete(cs_pmcu *pmcu, unsigned port)
{
    cs_pmcu_engine *engine = &pmcu->engine;
    const cs_bus_txn *txn = &pmcu->txn[port];

    if (txn->resp != CS_BUS_OKAY) {
        pmcu->regs.errors |= CS_PMCU_FSM_STATUS_FETCH_ERR_MASK;
        return;
    }
    for (unsigned byte = 0; byte < cs_bus_txn_bytes(txn); byte += 4, engine->next_word++)
        if (engine->next_word >= 0 && (unsigned)engine->next_word < engine->words)
            pmcu->run.events[engine->next_word] = (uint16_t)cs_pmcu_load32(&txn->data[byte]);
    step_over(engine, txn->beats);
    if (engine->left != 0 && !cs_pmcu_breaking(pmcu))
        ask(pmcu);
}

/* Addresses do not wrap: nothing lies below KILL_BASE for a pointer at or above it. */
static uint32_t words_that_fit(const cs_pmcu *pmcu)
{
    const cs_pmcu_engine *engine = &pmcu->engine;
    const uint64_t below =
        engine->at < pmcu->run.kill_base ? (pmcu->run.kill_base - engine->at) / WORD_BYTES : 0;
    const uint32_t fit = below < CS_BUS_MAX_BEATS ? (uint32_t)below : CS_BUS_MAX_BEATS;

    return least(least(engine->left, words_to_boundary(engine->at)), fit);
}

/* Words are left. */
static void go_on_storing(cs_pmcu *pmcu)
{
    if (words_that_fit(pmcu) == 0)
        pmcu->regs.errors |= CS_PMCU_FSM_STATUS_KILL_MASK;
    else if (!cs_pmcu_breaking(pmcu))
        ask(pmcu);
}

void cs_pmcu_store_start(cs_pmcu *pmcu)
{
    cs_pmcu_run *run = &pmcu->run;

    run->sample_addr = run->store_pointer;
    pmcu->engine.at = run->store_pointer;
    pmcu->engine.left = run->sample_words;
    cs_pmcu_clear_failed(pmcu);
    go_on_storing(pmcu);
}

void cs_pmcu_store_request(cs_pmcu *pmcu, unsigned port)
{
    const cs_pmcu_engine *engine = &pmcu->engine;
    cs_bus_txn *txn = &pmcu->txn[port];

    set_burst(txn, engine, true, words_that_fit(pmcu));
    memcpy(txn->data, &pmcu->sample[(pmcu->run.sample_words - engine->left) * WORD_BYTES],
           cs_bus_txn_bytes(txn));
}

void cs_pmcu_store_complete(cs_pmcu *pmcu, unsigned port)
{
    cs_pmcu_engine *engine = &pmcu->engine;
    const cs_bus_txn *txn = &pmcu->txn[port];

    if (txn->resp != CS_BUS_OKAY) {
        pmcu->regs.errors |= CS_PMCU_FSM_STATUS_STORE_ERR_MASK;
        return;
    }
    step_over(engine, txn->beats);
    pmcu->run.store_pointer = engine->at;
    if (engine->left != 0)
        go_on_storing(pmcu);
}
