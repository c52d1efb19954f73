// SPDX-License-Identifier: Apache-2.0
#include "reference_core.hpp"

namespace reference
{

Outcome Core::run()
{
    for (t_ = 0; t_ < program_.end; t_++)
        cycle();
    sort_records(outcome_.records);
    return outcome_;
}

void Core::saw(const std::string &what)
{
    outcome_.coverage.seen[what]++;
}

void Core::cycle()
{
    while (power_at_ < program_.power.size() && program_.power[power_at_].first <= t_)
        power_ = program_.power[power_at_++].second;
    if (t_ > 0)
        count_timebase();

    next_ = now_;
    Writer &w = writer_;
    const bool idle = !w.busy;

    written_.clear();
    access();
    if (w.busy && w.transfer.complete == t_)
        response();
    if (power_)
        powered(idle);
    else
        lose();
    if (next_.state() != now_.state())
        emit_state(next_.state());
    now_ = next_;
}

void Core::count_timebase()
{
    phase_ += config_.timebase.num;
    tick_ = phase_ >= config_.timebase.den;
    if (tick_) {
        phase_ -= config_.timebase.den;
        tb_++;
    }
}

void Core::lose()
{
    saw("cycles without power");
    if (writer_.busy)
        saw("power lost in a transfer");
    for (const RefThread &t : now_.threads)
        if (t.waits)
            saw("power lost with a record waiting");
    next_ = State();
}

void Core::powered(bool idle)
{
    const bool anything = now_.core_waits || now_.thread_waits || record_waits();

    for (unsigned v = 0; v < config_.threads; v++)
        run_thread(v);
    if (tick_ && tb_ % (uint64_t{1} << window_bits()) == 0)
        boundary();
    if (!now_.on())
        off();
    if (idle && anything)
        take();
    for (const auto &[reg, value] : written_)
        if (reg >= CS_IMC_REG_LDBAR)
            write_ldbar(reg - CS_IMC_REG_LDBAR, value);
        else
            write(reg, value);
    set_errors();
}

// ---- access ----

void Core::access()
{
    for (; at_ < program_.accesses.size() && program_.accesses[at_].cycle == t_; at_++) {
        const Access &a = program_.accesses[at_];
        bool good = power_ && (a.reg <= 6 || (a.reg >= 8 && a.reg < 8 + config_.threads));

        if (a.write && a.reg == CS_IMC_REG_STATUS)
            good = false;
        if (a.write && good)
            written_[a.reg] = a.value;
        outcome_.answers.push_back({good, good && !a.write ? read(a.reg) : 0});
    }
}

uint64_t Core::read(unsigned reg) const
{
    switch (reg) {
    case CS_IMC_REG_HTM_MODE:
        return now_.htm;
    case CS_IMC_REG_STATUS:
        return status();
    case CS_IMC_REG_PDBAR:
        return now_.pdbar;
    case CS_IMC_REG_EVENT_MASK:
        return now_.mask;
    case CS_IMC_REG_TRACE:
        return now_.trace;
    case CS_IMC_REG_FIR:
        return now_.addr_err * place(12) + now_.ack_dead * place(13);
    case CS_IMC_REG_ERR_RPT:
        return now_.timeout * place(24);
    default:
        return now_.threads[reg - 8].ldbar;
    }
}

uint64_t Core::status() const
{
    bool active = record_waits() || (writer_.busy && writer_.kind == RECORD);
    uint64_t count = now_.core_waits + now_.thread_waits + writer_.busy;

    for (const RefThread &t : now_.threads) {
        active = active || t.traces();
        count += t.waits;
    }
    return now_.error * place(0) + active * place(1) + now_.pdbar_error * place(2) +
           now_.state() * place(11) + count * place(15);
}

void Core::write(unsigned reg, uint64_t value)
{
    switch (reg) {
    case CS_IMC_REG_HTM_MODE:
        next_.htm = value;
        next_.error = next_.pdbar_error = false;
        break;
    case CS_IMC_REG_PDBAR:
        next_.pdbar = value;
        break;
    case CS_IMC_REG_EVENT_MASK:
        next_.mask = value;
        break;
    case CS_IMC_REG_TRACE:
        next_.trace = value;
        break;
    case CS_IMC_REG_FIR:
        next_.addr_err = bit(value, 12);
        next_.ack_dead = bit(value, 13);
        break;
    case CS_IMC_REG_ERR_RPT:
        next_.timeout = bit(value, 24);
        break;
    }
}

void Core::write_ldbar(unsigned v, uint64_t value)
{
    const RefThread &o = now_.threads[v];
    RefThread &n = next_.threads[v];

    n.ldbar = value;
    if (n.traces() || o.traces())
        for (uint32_t &c : n.c)
            c = 0;
    if (n.traces()) {
        n.c[now_.sampler()] = now_.load();
        n.index = 0;
        saw(o.traces() ? "trace to trace" : "into trace");
    } else {
        saw(o.traces() ? "out of trace" : "not in trace");
    }
    n.snapshot = false;
    if (o.waits && n.waits) { // and is not taken in this cycle
        emit_sample(v, o.record.addr, 0, 0, 1, o.record.u);
        saw("dropped");
    }
    if (o.waits && !n.waits)
        saw("taken in the cycle of an LDBAR write");
    n.waits = false;
}

bool Core::ldbar_written(unsigned v) const
{
    return written_.count(CS_IMC_REG_LDBAR + v) != 0;
}

void Core::set_errors()
{
    next_.error |= set_error_;
    next_.pdbar_error |= set_pdbar_error_;
    next_.addr_err |= set_addr_err_;
    next_.ack_dead |= set_ack_dead_;
    next_.timeout |= set_timeout_;
    set_error_ = set_pdbar_error_ = set_addr_err_ = set_ack_dead_ = set_timeout_ = false;
}

} // namespace reference

Outcome reference_run(const Program &program, std::vector<Thread> &threads, Bus &bus)
{
    return reference::Core(program, threads, bus).run();
}
