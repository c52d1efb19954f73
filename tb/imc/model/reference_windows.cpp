// SPDX-License-Identifier: Apache-2.0
// What a core counts, and its windows of accumulation.
#include "reference_core.hpp"

namespace reference
{

// ---- counting ----

uint32_t Core::filter() const
{
    uint32_t modes = 0;

    for (unsigned set = 0; set < 3; set++) {
        const unsigned quadrant = now_.slot / 32, first = 10 * set;

        if (quadrant >= 2 && set != quadrant - 1)
            continue;
        for (unsigned mode = 0; mode < 4; mode++) {
            const bool hv = mode >= 2, pr = mode % 2 == 1;
            if ((bit(now_.mask, first + 5) && hv && pr) ||
                (bit(now_.mask, first + 2) && hv && !pr) || (bit(now_.mask, first + 3) && !pr) ||
                (bit(now_.mask, first + 4) && pr))
                modes |= 1u << mode;
        }
    }
    return modes;
}

void Core::run_thread(unsigned v)
{
    const RefThread &o = now_.threads[v];
    RefThread &n = next_.threads[v];
    const bool trace = o.traces() && now_.on() && !now_.frozen();
    const bool window = !o.traces() && now_.state() == RUN && now_.thread == v;

    n.snapshot = false;
    if (o.snapshot)
        snapshot(v);
    if (!trace && !window)
        return;
    const cs_event_source source = threads_[v].source();
    const uint32_t events[4] = {
        static_cast<uint32_t>(trace ? bits(now_.trace, 34, 40) : now_.slot),
        static_cast<uint32_t>(128 + (trace ? bits(now_.trace, 41, 47) : now_.slot)), 256, 257};
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t sum =
            o.c[i] + source.sum(source.ctx, events[i], trace ? 15 : filter(), t_, t_ + 1);
        n.c[i] = static_cast<uint32_t>(sum);
        if (sum >> 32 == 0)
            continue;
        saw(trace && i == now_.sampler() ? "overflow" : trace ? "trace wrap" : "window wrap");
        if (trace && i == now_.sampler() && !ldbar_written(v)) {
            n.c[i] = now_.load();
            n.snapshot = true;
            if (o.snapshot)
                saw("overflow in a snapshot");
        }
    }
}

// ---- accumulation ----

unsigned Core::window_bits() const
{
    static const unsigned taps[] = {0, 1, 3, 5, 7, 9, 11, 13};
    return config_.tap_log2 + taps[bits(now_.mask, 30, 32)];
}

void Core::boundary()
{
    if (now_.state() != SYNC && now_.state() != RUN)
        return;
    saw("tap " + std::to_string(bits(now_.mask, 30, 32)));
    if (now_.state() == RUN && !now_.threads[now_.thread].traces())
        end_window();
    if (now_.state() == RUN && now_.threads[now_.thread].traces())
        saw("window of a thread that traces");
    next_.synced = true;
    if (config_.power10 && bit(now_.mask, 38)) {
        next_.slot = static_cast<unsigned>(bits(now_.mask, 41, 45));
        next_.thread = static_cast<unsigned>(bits(now_.mask, 39, 40)) % config_.threads;
        saw("one event");
    } else if (now_.state() == RUN) {
        const unsigned window = now_.slot * config_.threads + now_.thread + 1;

        next_.slot = window / config_.threads % 128;
        next_.thread = window % config_.threads;
        if (window == 128 * config_.threads) {
            next_.done = bit(now_.mask, 33);
            saw(next_.done ? "done" : "round");
        }
    }
}

void Core::end_window()
{
    const unsigned v = now_.thread;
    uint64_t factor = 1;

    if (config_.power10)
        factor = 128 * config_.threads;
    if (now_.core_waits || now_.thread_waits) {
        set_timeout_ = true;
        saw("timeout");
    } else {
        for (unsigned i = 0; i < 4; i++)
            next_.values[i] = next_.threads[v].c[i] * factor;
        next_.core_addr = post_address(core_base(v));
        next_.core_waits = true;
        saw("core post, set " + std::to_string(now_.slot / 32));
        if (now_.threads[v].accumulates()) {
            next_.thread_addr = post_address(bits(now_.threads[v].ldbar, 8, 50) << 13);
            next_.thread_waits = true;
            saw("thread post");
        }
    }
    for (uint32_t &c : next_.threads[v].c)
        c = 0;
}

uint64_t Core::core_base(unsigned v)
{
    if (config_.power10)
        return bits(now_.pdbar, 12, 52) << 11;
    const uint64_t base = bits(now_.pdbar, 8, 50) << 13;
    if (!bit(now_.pdbar, 1) || config_.threads == 1 || v < config_.threads / 2)
        return base;
    saw("split");
    return base + 0x2000;
}

uint64_t Core::post_address(uint64_t base) const
{
    return modulo56(base + 64 * now_.slot + 0x18) + (uint64_t{1} << 56);
}

void Core::off()
{
    next_.synced = next_.done = false;
    next_.slot = next_.thread = 0;
    for (unsigned v = 0; v < config_.threads; v++)
        for (uint32_t &c : next_.threads[v].c)
            if (!now_.threads[v].traces())
                c = 0;
}

} // namespace reference
