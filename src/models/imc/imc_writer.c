// SPDX-License-Identifier: Apache-2.0
/* The writer: spec, "Writer". */
#include "base/bus/big.h"
#include "models/imc/imc_internal.h"
#include <countersink/base/bus/bus_port.h>

#define WORD_BYTES CS_BUS_BEAT_BYTES

/* ---- what is taken ---- */

/* The bit of what comes first; something waited. */
static unsigned first(const cs_imc_core *core)
{
    const unsigned threads = core->config.threads;
    unsigned thread = core->writer.turn;

    if (core->waited & CS_IMC_CORE_POST)
        return CS_IMC_CORE_POST;
    if (core->waited & CS_IMC_THREAD_POST)
        return CS_IMC_THREAD_POST;
    while (!(core->waited & CS_IMC_RECORD(thread)))
        thread = (thread + 1) % threads;
    return CS_IMC_RECORD(thread);
}

static unsigned thread_of(unsigned record)
{
    return (unsigned)__builtin_ctz(record / CS_IMC_RECORD(0));
}

static void put(cs_bus_txn *txn, uint64_t addr, const uint64_t *words, unsigned nr)
{
    txn->addr = addr;
    txn->write = 1;
    txn->size = WORD_BYTES;
    txn->beats = (uint8_t)nr;
    for (unsigned i = 0; i < nr; i++)
        cs_big_put64(txn->data + i * WORD_BYTES, words[i]);
}

static void put_record(cs_imc_core *core, unsigned thread)
{
    const cs_imc_record *record = &core->live.threads[thread].record;
    cs_imc_writer *writer = &core->writer;

    put(&writer->txn, record->addr, record->words, CS_IMC_RECORD_WORDS);
    writer->snapshot = record->snapshot;
    writer->turn = (thread + 1) % core->config.threads;
}

void cs_imc_writer_take(cs_imc_core *core)
{
    const cs_imc_post *post = &core->live.post;
    cs_imc_writer *writer = &core->writer;

    writer->busy = true;
    writer->what = first(core);
    writer->completes = CS_NEVER;
    core->live.waits &= ~writer->what;
    if (writer->what == CS_IMC_CORE_POST)
        put(&writer->txn, CS_BUS_ADD | post->core_addr, post->values, CS_IMC_CPMCS);
    else if (writer->what == CS_IMC_THREAD_POST)
        put(&writer->txn, CS_BUS_ADD | post->thread_addr, post->values, CS_IMC_CPMCS);
    else
        put_record(core, thread_of(writer->what));
}

void cs_imc_writer_submit(cs_imc_core *core)
{
    const cs_bus_port *bus = &core->env.bus;
    cs_imc_writer *writer = &core->writer;

    writer->txn.request = core->now + 1;
    if (bus->submit(bus->ctx, core->env.port, &writer->txn) == CS_BUS_DONE)
        writer->completes = writer->txn.complete;
}

/* ---- the response ---- */

static void fail(cs_imc_core *core, uint8_t resp)
{
    core->set[CS_IMC_REG_STATUS] |= cs_msb0_mask(CS_IMC_STATUS_ERROR);
    if (core->writer.what == CS_IMC_CORE_POST)
        core->set[CS_IMC_REG_STATUS] |= cs_msb0_mask(CS_IMC_STATUS_PDBAR_ERROR);
    core->set[CS_IMC_REG_FIR] |= resp == CS_BUS_DECERR ? cs_msb0_mask(CS_IMC_FIR_CRESP_ADDR_ERR)
                                                       : cs_msb0_mask(CS_IMC_FIR_ACK_DEAD);
}

void cs_imc_writer_complete(cs_imc_core *core)
{
    cs_imc_writer *writer = &core->writer;
    const cs_bus_txn *txn = &writer->txn;

    writer->busy = false;
    if (txn->resp != CS_BUS_OKAY)
        fail(core, txn->resp);
    if (writer->what & CS_IMC_POSTS)
        return;
    const unsigned thread = thread_of(writer->what);

    cs_imc_trace_emit(core, thread,
                      &(cs_probe_record){.addr = txn->addr,
                                         .value = writer->numbers[thread]++,
                                         .bytes = cs_bus_txn_bytes(txn),
                                         .resp = txn->resp,
                                         .request = writer->snapshot});
}
