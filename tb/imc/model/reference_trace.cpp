// SPDX-License-Identifier: Apache-2.0
// Records of a trace, the writer that brings them and the posts to memory, and the probes.
#include <algorithm>

#include "reference_core.hpp"

namespace reference
{

// ---- trace ----

void Core::snapshot(unsigned v)
{
    const RefThread &o = now_.threads[v];
    RefThread &n = next_.threads[v];

    if (ldbar_written(v) || o.waits) {
        emit_sample(v, 0, 0, 0, 1, t_);
        saw(ldbar_written(v) ? "lost by a write" : "lost");
        if (ldbar_written(v) && o.waits)
            saw("lost and dropped");
        return;
    }
    saw(now_.on() ? now_.frozen() ? "snapshot when frozen" : "snapshot" : "snapshot when off");
    const uint64_t i = o.index < now_.limit() ? o.index : 0;
    cs_context context;
    const cs_event_source source = threads_[v].source();
    source.context(source.ctx, t_, &context);
    n.record.addr = modulo56((bits(o.ldbar, 8, 50) << 13) + 64 * i);
    n.record.u = t_;
    n.record.words = {tb_,    context.pc, uint64_t{context.cid1}, o.c[0], o.c[1],
                      o.c[2], o.c[3],     bits(tb_, 22, 63)};
    n.record.words[2] += (context.cid2 & 0xFFFull) << 32;
    if (config_.power10)
        n.record.words[2] += uint64_t{context.mode} << 62;
    if (o.index >= now_.limit())
        saw("index not below the limit");
    n.index = o.index + 1 >= now_.limit() ? 0 : o.index + 1;
    if (n.index == 0)
        saw("index wraps");
    n.waits = true;
}

// ---- writer ----

bool Core::record_waits() const
{
    return std::any_of(now_.threads, now_.threads + 4, [](const RefThread &t) { return t.waits; });
}

void Core::take()
{
    Writer &w = writer_;

    w.busy = true;
    w.transfer = {};
    w.transfer.request = t_ + 1;
    if (now_.core_waits) {
        w.kind = CORE_POST;
        take_post(now_.core_addr);
        next_.core_waits = false;
    } else if (now_.thread_waits) {
        w.kind = THREAD_POST;
        take_post(now_.thread_addr);
        next_.thread_waits = false;
    } else {
        take_record();
    }
    bus_.submit(w.transfer);
}

void Core::take_post(uint64_t addr)
{
    writer_.transfer.addr = addr;
    writer_.transfer.data.assign(now_.values, now_.values + 4);
    if (record_waits())
        saw("post before record");
}

void Core::take_record()
{
    Writer &w = writer_;
    unsigned v = w.turn;

    for (; !now_.threads[v].waits; v = (v + 1) % config_.threads)
        saw("turn passed on");
    w.kind = RECORD;
    w.thread = v;
    w.turn = (v + 1) % config_.threads;
    w.u = now_.threads[v].record.u;
    w.transfer.addr = now_.threads[v].record.addr;
    w.transfer.data = now_.threads[v].record.words;
    next_.threads[v].waits = false;
}

void Core::response()
{
    Writer &w = writer_;
    const uint8_t resp = w.transfer.resp;

    w.busy = false;
    if (w.kind == RECORD)
        emit_sample(w.thread, w.transfer.addr, w.numbers[w.thread]++, 64, resp, w.u);
    if (resp == CS_BUS_OKAY || !power_)
        return;
    set_error_ = true;
    set_pdbar_error_ = w.kind == CORE_POST;
    set_addr_err_ = resp == CS_BUS_DECERR;
    set_ack_dead_ = resp == CS_BUS_SLVERR;
    saw(resp == CS_BUS_DECERR ? "DECERR" : "SLVERR");
    if (written_.count(CS_IMC_REG_HTM_MODE) || written_.count(CS_IMC_REG_FIR))
        saw("set in the cycle of a write");
}

// ---- probes ----

void Core::emit_sample(unsigned v, uint64_t addr, uint64_t value, uint32_t bytes, uint8_t resp,
                       cs_cycle u)
{
    cs_probe_record r = {};

    r.cycle = t_;
    r.kind = CS_PROBE_SAMPLE;
    r.source = config_.unit;
    r.index = static_cast<uint16_t>(v);
    r.addr = addr;
    r.value = value;
    r.bytes = bytes;
    r.resp = resp;
    r.request = u;
    outcome_.records.push_back(r);
}

void Core::emit_state(unsigned state)
{
    cs_probe_record r = {};

    r.cycle = t_ + 1;
    r.kind = CS_PROBE_STATE;
    r.source = config_.unit;
    r.value = state;
    outcome_.records.push_back(r);
    saw("state " + std::to_string(state));
}

} // namespace reference
