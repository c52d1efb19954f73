// SPDX-License-Identifier: Apache-2.0
#include "oracle.hpp"

using namespace imc;

namespace
{

const unsigned tap_steps[] = {0, 1, 3, 5, 7, 9, 11, 13};

uint64_t swapped(uint64_t value)
{
    uint64_t result = 0;

    for (unsigned i = 0; i < 8; i++)
        result |= (value >> (8 * i) & 0xFF) << (56 - 8 * i);
    return result;
}

} // namespace

bool Oracle::on() const
{
    return get(mode_, 0, 0) == 1 && get(mode_, 1, 2) == 3 && get(mode_, 4, 4) == 1;
}

bool Oracle::frozen() const
{
    return mask_ & freeze;
}

bool Oracle::traces(unsigned t) const
{
    return threads_[t].ldbar & ldbar_trace;
}

State Oracle::state() const
{
    if (!on())
        return OFF;
    if (frozen())
        return FROZEN;
    return done_ ? DONE : synced_ ? RUN : SYNC;
}

bool Oracle::active(unsigned t) const
{
    if (traces(t))
        return on() && !frozen();
    return state() == RUN && window_ == t;
}

bool Oracle::boundary(const Inputs &in) const
{
    unsigned k = s.tap_log2 + tap_steps[get(mask_, 30, 32)];

    return in.tick && in.tb % (1ull << k) == 0;
}

bool Oracle::passes(unsigned mode) const
{
    const Letter of_mode[4][2] = {{ECP, ECP}, {ECS, ECS}, {ECP, ECH}, {ECS, ECA}};
    bool some = false;

    for (unsigned set = 0; set < 3; set++)
        for (Letter which : of_mode[mode])
            some |= (slot_ < 64 || set == slot_ / 32 - 1) && (mask_ & letter(set, which));
    return some;
}

bool Oracle::counts(unsigned t, const Inputs &in) const
{
    return active(t) && (traces(t) || passes(in.told[t].mode));
}

bool Oracle::ldbar_written(unsigned t, const Inputs &in) const
{
    return in.ldbar == static_cast<int>(t) && in.ldbar_write && in.power && t < s.threads;
}

unsigned Oracle::limit() const
{
    unsigned n = get(trace_, 48, 50);

    return 4096u << (n <= 4 ? n : 0);
}

uint64_t Oracle::status() const
{
    unsigned waiting = core_post_.has_value() + thread_post_.has_value() + writing_.has_value();
    bool busy = writing_ && writing_->thread >= 0;

    for (unsigned t = 0; t < nr_thread; t++) {
        waiting += threads_[t].waits.has_value();
        busy = busy || traces(t) || threads_[t].waits;
    }
    return (error_ ? status_error : 0) | (busy ? status_trace : 0) |
           (pdbar_error_ ? status_pdbar : 0) | put(state(), 11) | put(waiting, 15);
}

uint64_t Oracle::reg(unsigned sel) const
{
    switch (sel) {
    case HTM_MODE:
        return mode_;
    case STATUS:
        return status();
    case PDBAR:
        return pdbar_;
    case EVENT_MASK:
        return mask_;
    case TRACE:
        return trace_;
    case FIR:
        return (address_error_ ? fir_address : 0) | (dead_ ? fir_dead : 0);
    default:
        return timeout_ ? rpt_timeout : 0;
    }
}

Pins Oracle::pins(const Inputs &in) const
{
    Pins p;

    p.set("state", state());
    for (unsigned t = 0; t < nr_thread; t++) {
        bool written = ldbar_written(t, in), waits = threads_[t].waits.has_value();

        p.set("active", t, active(t));
        p.set("code1", t, !active(t) ? 0 : traces(t) ? get(trace_, 34, 40) : slot_);
        p.set("code2", t, !active(t) ? 0 : traces(t) ? get(trace_, 41, 47) : slot_);
        p.set("capture", t, threads_[t].snapshot);
        p.set("lost", t, threads_[t].snapshot && in.power && (waits || written));
        bool dropped = written && waits && taken_record(in) != static_cast<int>(t);
        p.set("dropped", t, dropped);
        p.set("dropped_addr", t, dropped ? threads_[t].waits->addr : 0);
        p.set("dropped_snap", t, dropped ? threads_[t].waits->snap : 0);
    }

    bool reg_error = in.reg && (!in.power || (in.reg_write && in.sel == STATUS) || in.sel > 6);
    p.set("reg_err", reg_error);
    p.set("reg_rdata", in.reg && !in.reg_write && !reg_error ? reg(in.sel) : 0);
    bool spr = in.ldbar >= 0;
    bool spr_error = spr && (!in.power || in.ldbar >= static_cast<int>(s.threads));
    p.set("ldbar_err", spr_error);
    p.set("ldbar_rdata", spr && !in.ldbar_write && !spr_error ? threads_[in.ldbar].ldbar : 0);

    bool w = writing_ && writing_->sent < writing_->words.size();
    p.set("awvalid", writing_ && !writing_->address_taken);
    p.set("awaddr", writing_ && !writing_->address_taken ? writing_->addr : 0);
    p.set("wvalid", w);
    p.set("wdata", w ? swapped(writing_->words[writing_->sent]) : 0);

    bool sample = writing_ && writing_->thread >= 0 && in.bvalid;
    p.set("sample_valid", sample);
    p.set("sample_thread", sample ? writing_->thread : 0);
    p.set("sample_addr", sample ? writing_->addr : 0);
    p.set("sample_resp", sample ? in.bresp : 0);
    p.set("sample_snap", sample ? writing_->snap : 0);
    p.set("sample_number", sample ? written_[writing_->thread] : 0);
    return p;
}

// "Trace mode" and "Accumulation": what the increments of this cycle do.
void Oracle::count(Oracle &next, const Inputs &in) const
{
    unsigned sampling = get(trace_, 0, 1);

    for (unsigned t = 0; t < nr_thread; t++) {
        next.threads_[t].snapshot = false;
        if (!counts(t, in))
            continue;
        for (unsigned n = 0; n < 4; n++) {
            uint64_t sum = uint64_t{threads_[t].cpmc[n]} + in.told[t].inc[n];

            next.threads_[t].cpmc[n] = static_cast<uint32_t>(sum);
            if (traces(t) && n == sampling && sum >> 32 != 0) {
                next.threads_[t].cpmc[n] = get(trace_, 2, 33);
                next.threads_[t].snapshot = true;
            }
        }
    }
}

void Oracle::end_window(Oracle &next) const
{
    const Thread &thread = threads_[window_];

    if (traces(window_))
        return;
    if (core_post_ || thread_post_) {
        next.timeout_ = true;
    } else {
        std::vector<uint64_t> words;
        unsigned shift = !s.power10 ? 0 : s.threads == 4 ? 9 : s.threads == 2 ? 8 : 7;
        for (unsigned n = 0; n < 4; n++)
            words.push_back(uint64_t{next.threads_[window_].cpmc[n]} << shift);
        uint64_t base = s.power10 ? in_place(pdbar_, 12, 52) : in_place(pdbar_, 8, 50);
        if (!s.power10 && (pdbar_ & pdbar_split) && s.threads > 1 && window_ >= s.threads / 2)
            base += 0x2000;
        uint64_t at = 64 * slot_ + 0x18;
        next.core_post_ = Transfer{add_bit | to56(base + at), words, true, false, 0, -1, 0};
        base = in_place(thread.ldbar, 8, 50);
        if (thread.ldbar & ldbar_enable)
            next.thread_post_ = Transfer{add_bit | to56(base + at), words, false, false, 0, -1, 0};
    }
    next.threads_[window_].cpmc = {};
}

void Oracle::next_window(Oracle &next, bool first) const
{
    next.synced_ = true;
    if (s.power10 && (mask_ & one_event)) {
        next.slot_ = get(mask_, 41, 45);
        next.window_ = get(mask_, 39, 40) % s.threads;
    } else if (first) {
        next.slot_ = next.window_ = 0;
    } else if (window_ + 1 < s.threads) {
        next.window_ = window_ + 1;
    } else {
        next.window_ = 0;
        next.slot_ = (slot_ + 1) % 128;
        next.done_ = slot_ == 127 && (mask_ & disable_wrap);
    }
}

void Oracle::snapshots(Oracle &next, const Inputs &in) const
{
    for (unsigned t = 0; t < nr_thread; t++) {
        const Thread &now = threads_[t];

        if (!now.snapshot || now.waits || ldbar_written(t, in))
            continue;
        const Told &told = in.told[t];
        unsigned i = now.index < limit() ? now.index : 0;
        Record r{to56(in_place(now.ldbar, 8, 50) + 64 * i), cycle_, {}};
        r.words = {in.tb,
                   told.pc,
                   put(told.pid, 63) | put(told.lpid % 4096, 31) |
                       (s.power10 ? put(told.mode, 1) : 0),
                   now.cpmc[0],
                   now.cpmc[1],
                   now.cpmc[2],
                   now.cpmc[3],
                   in.tb % (1ull << 42)};
        next.threads_[t].waits = r;
        next.threads_[t].index = now.index + 1 >= limit() ? 0 : now.index + 1;
    }
}

// The thread whose record the writer would take next: one above the last, in turn.
int Oracle::next_record() const
{
    for (unsigned i = 0; i < s.threads; i++) {
        unsigned t = (search_ + i) % s.threads;
        if (threads_[t].waits)
            return static_cast<int>(t);
    }
    return -1;
}

int Oracle::taken_record(const Inputs &in) const
{
    if (writing_ || core_post_ || thread_post_ || !in.power)
        return -1;
    return next_record();
}

void Oracle::write(Oracle &next, const Inputs &in) const
{
    if (writing_) {
        if (in.awready)
            next.writing_->address_taken = true;
        if (in.wready && writing_->sent < writing_->words.size())
            next.writing_->sent++;
        if (!in.bvalid)
            return;
        if (writing_->thread >= 0)
            next.written_[writing_->thread]++;
        if (in.bresp != OKAY) {
            next.error_ = true;
            next.pdbar_error_ = next.pdbar_error_ || writing_->core_post;
            next.address_error_ = next.address_error_ || in.bresp == DECERR;
            next.dead_ = next.dead_ || in.bresp == SLVERR;
        }
        next.writing_.reset();
    } else if (!in.power) {
        return; // nothing is taken: it is gone in the next cycle
    } else if (core_post_) {
        next.writing_ = core_post_;
        next.core_post_.reset();
    } else if (thread_post_) {
        next.writing_ = thread_post_;
        next.thread_post_.reset();
    } else if (int t = next_record(); t >= 0) {
        const Record &r = *threads_[t].waits;
        std::vector<uint64_t> words(r.words.begin(), r.words.end());
        next.writing_ = Transfer{r.addr, words, false, false, 0, t, r.snap};
        next.threads_[t].waits.reset();
        next.search_ = (t + 1) % s.threads;
    }
}

void Oracle::write_ldbar(Oracle &next, const Inputs &in) const
{
    for (unsigned t = 0; t < nr_thread; t++) {
        if (!ldbar_written(t, in))
            continue;
        Thread &thread = next.threads_[t];
        if ((in.ldbar_data & ldbar_trace) || traces(t)) {
            thread.cpmc = {};
            thread.snapshot = false;
        }
        if (in.ldbar_data & ldbar_trace) {
            thread.cpmc[get(trace_, 0, 1)] = get(trace_, 2, 33);
            thread.index = 0;
        }
        thread.ldbar = in.ldbar_data;
        thread.waits.reset();
    }
}

void Oracle::registers(Oracle &next, const Inputs &in) const
{
    if (!in.reg || !in.reg_write || !in.power)
        return;
    switch (in.sel) {
    case HTM_MODE:
        next.mode_ = in.reg_data;
        next.error_ = next.pdbar_error_ = false;
        break;
    case PDBAR:
        next.pdbar_ = in.reg_data;
        break;
    case EVENT_MASK:
        next.mask_ = in.reg_data;
        break;
    case TRACE:
        next.trace_ = in.reg_data;
        break;
    case FIR:
        next.address_error_ = in.reg_data & fir_address;
        next.dead_ = in.reg_data & fir_dead;
        break;
    case ERR_RPT:
        next.timeout_ = in.reg_data & rpt_timeout;
        break;
    default:
        break;
    }
}

void Oracle::lose_power(Oracle &next) const
{
    next.mode_ = next.pdbar_ = next.mask_ = next.trace_ = 0;
    next.error_ = next.pdbar_error_ = next.address_error_ = next.dead_ = next.timeout_ = false;
    next.synced_ = next.done_ = false;
    next.slot_ = next.window_ = 0;
    next.threads_ = {};
    next.core_post_.reset();
    next.thread_post_.reset();
}

void Oracle::clock(const Inputs &in)
{
    Oracle next = *this;

    registers(next, in); // what happens wins over it
    count(next, in);
    if (boundary(in) && state() == RUN)
        end_window(next);
    if (boundary(in) && (state() == RUN || state() == SYNC))
        next_window(next, state() == SYNC);
    if (!on()) {
        next.synced_ = next.done_ = false;
        next.slot_ = next.window_ = 0;
        for (unsigned t = 0; t < nr_thread; t++) {
            if (!traces(t))
                next.threads_[t].cpmc = {};
        }
    }
    snapshots(next, in);
    write(next, in);
    write_ldbar(next, in);
    if (!in.power)
        lose_power(next);
    next.cycle_ = cycle_ + 1;
    *this = next;
}
