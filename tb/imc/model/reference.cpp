#include "reference.hpp"

namespace
{

// Bits a..b, counted from the most significant.
uint64_t bits(uint64_t value, unsigned a, unsigned b)
{
    return value << a >> (63 - (b - a));
}

bool bit(uint64_t value, unsigned n)
{
    return bits(value, n, n) != 0;
}

constexpr uint64_t place(unsigned n)
{
    return uint64_t{1} << (63 - n);
}

uint64_t modulo56(uint64_t value)
{
    return value % (uint64_t{1} << 56);
}

struct Record {
    uint64_t addr = 0;
    cycle_t u = 0;
    std::vector<uint64_t> words;
};

struct RefThread {
    uint64_t ldbar = 0;
    uint32_t c[4] = {};
    uint64_t index = 0;
    bool snapshot = false; // this is cycle u
    bool waits = false;
    Record record;

    bool traces() const
    {
        return bit(ldbar, 1);
    }
    bool accumulates() const
    {
        return bit(ldbar, 0) && !bit(ldbar, 1);
    }
};

enum { OFF, SYNC, RUN, DONE, FROZEN };

// All that power loss resets.
struct State {
    uint64_t htm = 0, pdbar = 0, mask = 0, trace = 0;
    bool error = false, pdbar_error = false;
    bool addr_err = false, ack_dead = false, timeout = false;
    bool synced = false, done = false;
    unsigned slot = 0, thread = 0;
    RefThread threads[4];
    bool core_waits = false, thread_waits = false;
    uint64_t values[4] = {}, core_addr = 0, thread_addr = 0;

    bool on() const
    {
        return bit(htm, 0) && bits(htm, 1, 2) == 3 && bit(htm, 4);
    }
    bool frozen() const
    {
        return bit(mask, 34);
    }
    unsigned state() const
    {
        return !on() ? OFF : frozen() ? FROZEN : done ? DONE : synced ? RUN : SYNC;
    }
    unsigned sampler() const
    {
        return static_cast<unsigned>(bits(trace, 0, 1));
    }
    uint32_t load() const
    {
        return static_cast<uint32_t>(bits(trace, 2, 33));
    }
    uint64_t limit() const
    {
        const uint64_t n = bits(trace, 48, 50);
        return 4096u << (n > 4 ? 0 : n);
    }
};

enum Kind { CORE_POST, THREAD_POST, RECORD };

struct Writer {
    bool busy = false;
    Kind kind = CORE_POST;
    unsigned thread = 0;
    Transfer transfer;
    cycle_t u = 0;
    unsigned turn = 0;
    uint64_t numbers[4] = {};
};

class Core
{
  public:
    Core(const Program &program, std::vector<Thread> &threads, Bus &bus)
        : program_(program), config_(program.config), tb_(config_.tb.start), threads_(threads),
          bus_(bus)
    {
    }

    Outcome run()
    {
        for (t_ = 0; t_ < program_.end; t_++)
            cycle();
        sort_records(outcome_.records);
        return outcome_;
    }

  private:
    void saw(const std::string &what)
    {
        outcome_.coverage.seen[what]++;
    }

    void cycle()
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

    void count_timebase()
    {
        phase_ += config_.tb.num;
        tick_ = phase_ >= config_.tb.den;
        if (tick_) {
            phase_ -= config_.tb.den;
            tb_++;
        }
    }

    void lose()
    {
        saw("cycles without power");
        if (writer_.busy)
            saw("power lost in a transfer");
        for (const RefThread &t : now_.threads)
            if (t.waits)
                saw("power lost with a record waiting");
        next_ = State();
    }

    void powered(bool idle)
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
            if (reg >= CS_IMC_LDBAR)
                write_ldbar(reg - CS_IMC_LDBAR, value);
            else
                write(reg, value);
        set_errors();
    }

    // ---- access ----

    void access()
    {
        for (; at_ < program_.accesses.size() && program_.accesses[at_].cycle == t_; at_++) {
            const Access &a = program_.accesses[at_];
            bool good = power_ && (a.reg <= 6 || (a.reg >= 8 && a.reg < 8 + config_.threads));

            if (a.write && a.reg == CS_IMC_STATUS)
                good = false;
            if (a.write && good)
                written_[a.reg] = a.value;
            outcome_.answers.push_back({good, good && !a.write ? read(a.reg) : 0});
        }
    }

    uint64_t read(unsigned reg) const
    {
        switch (reg) {
        case CS_IMC_HTM_MODE:
            return now_.htm;
        case CS_IMC_STATUS:
            return status();
        case CS_IMC_PDBAR:
            return now_.pdbar;
        case CS_IMC_EVENT_MASK:
            return now_.mask;
        case CS_IMC_TRACE:
            return now_.trace;
        case CS_IMC_FIR:
            return now_.addr_err * place(12) + now_.ack_dead * place(13);
        case CS_IMC_ERR_RPT:
            return now_.timeout * place(24);
        default:
            return now_.threads[reg - 8].ldbar;
        }
    }

    uint64_t status() const
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

    void write(unsigned reg, uint64_t value)
    {
        switch (reg) {
        case CS_IMC_HTM_MODE:
            next_.htm = value;
            next_.error = next_.pdbar_error = false;
            break;
        case CS_IMC_PDBAR:
            next_.pdbar = value;
            break;
        case CS_IMC_EVENT_MASK:
            next_.mask = value;
            break;
        case CS_IMC_TRACE:
            next_.trace = value;
            break;
        case CS_IMC_FIR:
            next_.addr_err = bit(value, 12);
            next_.ack_dead = bit(value, 13);
            break;
        case CS_IMC_ERR_RPT:
            next_.timeout = bit(value, 24);
            break;
        }
    }

    void write_ldbar(unsigned v, uint64_t value)
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

    bool ldbar_written(unsigned v) const
    {
        return written_.count(CS_IMC_LDBAR + v) != 0;
    }

    void set_errors()
    {
        next_.error |= set_error_;
        next_.pdbar_error |= set_pdbar_error_;
        next_.addr_err |= set_addr_err_;
        next_.ack_dead |= set_ack_dead_;
        next_.timeout |= set_timeout_;
        set_error_ = set_pdbar_error_ = set_addr_err_ = set_ack_dead_ = set_timeout_ = false;
    }

    // ---- counting ----

    uint32_t filter() const
    {
        const unsigned first = now_.slot < 64 ? 0 : now_.slot < 96 ? 10 : 20;
        uint32_t modes = 0;

        for (unsigned mode = 0; mode < 4; mode++) {
            const bool hv = mode >= 2, pr = mode % 2 == 1;
            if (bit(now_.mask, first + 5) || (bit(now_.mask, first + 2) && hv) ||
                (bit(now_.mask, first + 3) && !pr) || (bit(now_.mask, first + 4) && pr))
                modes |= 1u << mode;
        }
        return modes;
    }

    void run_thread(unsigned v)
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

    unsigned window_bits() const
    {
        static const unsigned taps[] = {0, 1, 3, 5, 7, 9, 11, 13};
        return config_.tap_log2 + taps[bits(now_.mask, 30, 32)];
    }

    void boundary()
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

    void end_window()
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

    uint64_t core_base(unsigned v)
    {
        if (config_.power10)
            return bits(now_.pdbar, 12, 52) << 11;
        const uint64_t base = bits(now_.pdbar, 8, 50) << 13;
        if (!bit(now_.pdbar, 1) || config_.threads == 1 || v < config_.threads / 2)
            return base;
        saw("split");
        return base + 0x2000;
    }

    uint64_t post_address(uint64_t base) const
    {
        return modulo56(base + 64 * now_.slot + 0x18) + (uint64_t{1} << 56);
    }

    void off()
    {
        next_.synced = next_.done = false;
        next_.slot = next_.thread = 0;
        for (unsigned v = 0; v < config_.threads; v++)
            for (uint32_t &c : next_.threads[v].c)
                if (!now_.threads[v].traces())
                    c = 0;
    }

    // ---- trace ----

    void snapshot(unsigned v)
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

    bool record_waits() const
    {
        return std::any_of(now_.threads, now_.threads + 4,
                           [](const RefThread &t) { return t.waits; });
    }

    void take()
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

    void take_post(uint64_t addr)
    {
        writer_.transfer.addr = addr;
        writer_.transfer.data.assign(now_.values, now_.values + 4);
        if (record_waits())
            saw("post before record");
    }

    void take_record()
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

    void response()
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
        if (written_.count(CS_IMC_HTM_MODE) || written_.count(CS_IMC_FIR))
            saw("set in the cycle of a write");
    }

    // ---- probes ----

    void emit_sample(unsigned v, uint64_t addr, uint64_t value, uint32_t bytes, uint8_t resp,
                     cycle_t u)
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

    void emit_state(unsigned state)
    {
        cs_probe_record r = {};

        r.cycle = t_ + 1;
        r.kind = CS_PROBE_STATE;
        r.source = config_.unit;
        r.value = state;
        outcome_.records.push_back(r);
        saw("state " + std::to_string(state));
    }

    const Program &program_;
    const cs_imc_core_config config_;
    cycle_t t_ = 0;
    uint64_t tb_;
    uint32_t phase_ = 0;
    bool tick_ = false;
    std::vector<Thread> &threads_;
    Bus &bus_;
    size_t at_ = 0, power_at_ = 0;
    bool power_ = true;
    std::map<unsigned, uint64_t> written_; // in this cycle
    bool set_error_ = false, set_pdbar_error_ = false, set_addr_err_ = false, set_ack_dead_ = false,
         set_timeout_ = false;
    State now_, next_;
    Writer writer_;
    Outcome outcome_;
};

} // namespace

Outcome reference_run(const Program &program, std::vector<Thread> &threads, Bus &bus)
{
    return Core(program, threads, bus).run();
}
