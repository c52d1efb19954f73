// SPDX-License-Identifier: Apache-2.0
// The targets of the reference: memory, and the bridges.
#ifndef CS_TB_BUS_TLM_REFERENCE_TARGETS_HPP
#define CS_TB_BUS_TLM_REFERENCE_TARGETS_HPP

#include <cstring>
#include <deque>
#include <utility>

#include "reference.hpp"
#include <countersink/base/bus/bus_port.h>

namespace reference
{

using traffic::Item;
using traffic::Managers;
using traffic::Unit;

enum class Resp { okay = 0, slverr = 2, decerr = 3 };

// One transfer as the wires carry it.
struct Burst {
    bool write = false;
    uint64_t addr = 0;
    unsigned size = 8;
    unsigned beats = 1;
    std::vector<uint8_t> data;
    Resp resp = Resp::okay; // the worst so far
    unsigned moved = 0;     // W or R beats that passed

    void worse(Resp other)
    {
        if (static_cast<int>(other) > static_cast<int>(resp))
            resp = other;
    }
};

// What a target shows in a cycle, and what it is told about it.
class Target
{
  public:
    virtual ~Target() = default;
    virtual bool r_valid() const = 0;
    virtual bool w_ready() const = 0;
    virtual bool b_valid() const = 0;
    // The end of the cycle: `take` is an address handshake, `moved` a handshake on R, W or B.
    virtual void clock(cs_cycle now, Burst *take, bool moved) = 0;
    // Nothing is left to do that no manager waits for.
    virtual bool quiet() const
    {
        return true;
    }
};

class Memory : public Target
{
  public:
    explicit Memory(const Parameters &p) : p_(p), bytes_(traffic::kRamSize, 0) {}

    bool r_valid() const override
    {
        return state_ == State::beat;
    }
    bool w_ready() const override
    {
        return state_ == State::take && wait_ == 0;
    }
    bool b_valid() const override
    {
        return state_ == State::respond;
    }

    void clock(cs_cycle, Burst *take, bool moved) override
    {
        switch (state_) {
        case State::idle:
            if (take == nullptr)
                break;
            burst_ = take;
            beat_ = 0;
            state_ = take->write ? State::take : State::fetch;
            wait_ = take->write ? 0 : p_.read;
            break;
        case State::fetch:
            if (wait_-- == 0) {
                load();
                state_ = State::beat;
            }
            break;
        case State::beat:
            if (!moved)
                break;
            if (++beat_ == burst_->beats) {
                state_ = State::idle;
            } else {
                wait_ = p_.gap;
                state_ = wait_ == 0 ? State::beat : State::gap;
                if (wait_ == 0)
                    load();
            }
            break;
        case State::gap:
            if (--wait_ == 0) {
                load();
                state_ = State::beat;
            }
            break;
        case State::take:
            if (wait_ > 0) {
                wait_--;
                break;
            }
            if (!moved)
                break;
            store();
            wait_ = p_.gap;
            if (++beat_ == burst_->beats)
                state_ = State::commit;
            break;
        case State::commit:
            wait_ = p_.write;
            state_ = wait_ == 0 ? State::respond : State::wait;
            break;
        case State::wait:
            if (--wait_ == 0)
                state_ = State::respond;
            break;
        case State::respond:
            if (moved)
                state_ = State::idle;
            break;
        }
    }

  private:
    enum class State { idle, fetch, beat, gap, take, commit, wait, respond };

    uint8_t *at() const
    {
        const uint64_t addr = burst_->addr & ~CS_BUS_ADD;
        return const_cast<uint8_t *>(&bytes_[addr - traffic::kRam + beat_ * burst_->size]);
    }
    void load()
    {
        std::memcpy(&burst_->data[beat_ * burst_->size], at(), burst_->size);
    }
    void store()
    {
        if (burst_->addr < CS_BUS_ADD)
            std::memcpy(at(), &burst_->data[beat_ * burst_->size], burst_->size);
        else if (burst_->size == 8)
            add();
    }
    void add() // byte by byte, as on paper
    {
        unsigned carry = 0;
        for (int i = 7; i >= 0; i--) {
            const unsigned sum = at()[i] + burst_->data[beat_ * 8 + i] + carry;
            at()[i] = static_cast<uint8_t>(sum);
            carry = sum >> 8;
        }
    }

    const Parameters &p_;
    std::vector<uint8_t> bytes_;
    State state_ = State::idle;
    Burst *burst_ = nullptr;
    unsigned beat_ = 0;
    unsigned wait_ = 0;
};

// A bridge's units.
class Slots
{
  public:
    // first_unit: the number of slot 0's unit; broadcast -1: there is none.
    Slots(unsigned slots, int absent, unsigned first_unit, int broadcast,
          std::vector<cs_probe_record> &records)
        : units_(slots), absent_(absent), first_(first_unit), broadcast_(broadcast),
          records_(records)
    {
    }

    static unsigned slot_of(const Burst &b)
    {
        return b.addr >> 16 & 15;
    }
    bool to_all(const Burst &b) const
    {
        return slot_of(b) == 15 && broadcast_ >= 0;
    }
    // The bridge lets it through.
    bool accepts(const Burst &b) const
    {
        const bool shape = b.beats == 1 && (b.size == 4 || b.size == 8);
        const unsigned slot = slot_of(b);
        const bool present = slot < units_.size() && static_cast<int>(slot) != absent_;

        return shape && (to_all(b) ? b.write : present);
    }

    void effect(Burst &b, cs_cycle now)
    {
        const unsigned slot = slot_of(b);
        const auto offset = static_cast<uint32_t>(b.addr & 0xffff);
        const bool all = to_all(b);
        uint64_t data = 0;
        bool error = false;

        if (!accepts(b)) {
            b.worse(Resp::slverr);
            return;
        }
        const bool wide = b.size == 8;
        if (b.write) {
            std::memcpy(&data, b.data.data(), b.size);
            for (unsigned i = 0; i < units_.size(); i++)
                if (static_cast<int>(i) != absent_ && (all || i == slot))
                    error |= units_[i].write(now, offset, wide, data);
            error &= !all;
        } else {
            error = units_[slot].read(now, offset, wide, data);
            std::memcpy(b.data.data(), &data, b.size);
        }
        if (error)
            b.worse(Resp::slverr);
        cs_probe_record record = {};
        record.cycle = now;
        record.kind = CS_PROBE_REG;
        record.write = b.write;
        record.resp = error ? CS_BUS_SLVERR : CS_BUS_OKAY;
        record.source =
            static_cast<uint16_t>(all ? static_cast<unsigned>(broadcast_) : first_ + slot);
        record.addr = offset;
        record.value = data;
        record.bytes = b.size;
        records_.push_back(record);
    }

  private:
    std::vector<Unit> units_;
    int absent_;
    unsigned first_;
    int broadcast_;
    std::vector<cs_probe_record> &records_;
};

class Bridge : public Target
{
  public:
    Bridge(const Parameters &p, Slots slots) : p_(p), slots_(std::move(slots)) {}

    bool r_valid() const override
    {
        return state_ == State::respond && !burst_->write;
    }
    bool w_ready() const override
    {
        return state_ == State::data;
    }
    bool b_valid() const override
    {
        return state_ == State::respond && burst_->write;
    }

    void clock(cs_cycle now, Burst *take, bool moved) override
    {
        switch (state_) {
        case State::idle:
            if (take == nullptr)
                break;
            burst_ = take;
            beat_ = 0;
            left_ = p_.access;
            state_ = take->write ? State::data : State::access;
            break;
        case State::data:
            if (moved && ++beat_ == burst_->beats) {
                beat_ = 0;
                state_ = State::access;
            }
            break;
        case State::access:
            if (--left_ == 0) {
                slots_.effect(*burst_, now);
                state_ = State::respond;
            }
            break;
        case State::respond:
            if (moved && (burst_->write || ++beat_ == burst_->beats))
                state_ = State::idle;
            break;
        }
    }

  private:
    enum class State { idle, data, access, respond };

    const Parameters &p_;
    Slots slots_;
    State state_ = State::idle;
    Burst *burst_ = nullptr;
    unsigned beat_ = 0;
    unsigned left_ = 0;
};

// "The bridge of a cluster"
class DebugBridge : public Target
{
  public:
    DebugBridge(const Parameters &p, Slots slots) : p_(p), slots_(std::move(slots)) {}

    bool r_valid() const override
    {
        return state_ == State::respond && !burst_->write;
    }
    bool w_ready() const override
    {
        return state_ == State::data &&
               (p_.posted == 0 || burst_->beats > 1 || places_.size() < p_.posted);
    }
    bool b_valid() const override
    {
        return state_ == State::respond && burst_->write;
    }
    bool quiet() const override
    {
        return places_.empty();
    }

    void clock(cs_cycle now, Burst *take, bool moved) override
    {
        const bool place = !places_.empty();
        const bool done = access(now, place || state_ == State::access);

        if (done && place) {
            places_.front().resp = Resp::okay;
            slots_.effect(places_.front(), now);
            if (places_.front().resp != Resp::okay)
                late_ |= 1u << Slots::slot_of(places_.front());
            places_.pop_front();
        }
        switch (state_) {
        case State::idle:
            if (take == nullptr)
                break;
            burst_ = take;
            beat_ = 0;
            state_ = take->write ? State::data : State::access;
            break;
        case State::data:
            if (moved && ++beat_ == burst_->beats)
                written();
            break;
        case State::access:
            if (done && !place)
                answer(now);
            break;
        case State::respond:
            if (moved && (burst_->write || ++beat_ == burst_->beats))
                state_ = State::idle;
            break;
        }
    }

  private:
    enum class State { idle, data, access, respond };

    // The access that is first; true in the cycle of its effect.
    bool access(cs_cycle now, bool wanted)
    {
        if (!wanted)
            return false;
        if (!running_ && now % p_.ratio == 0) {
            running_ = true;
            left_ = p_.access * p_.ratio;
        }
        if (!running_ || --left_ != 0)
            return false;
        running_ = false;
        return true;
    }

    void written()
    {
        beat_ = 0;
        if (p_.posted == 0) {
            state_ = State::access;
            return;
        }
        if (slots_.accepts(*burst_))
            places_.push_back(*burst_);
        else
            burst_->worse(Resp::slverr);
        state_ = State::respond;
    }

    void answer(cs_cycle now)
    {
        const uint32_t slot = 1u << Slots::slot_of(*burst_);

        if (!burst_->write && slots_.accepts(*burst_) && (late_ & slot) != 0) {
            late_ &= ~slot;
            burst_->worse(Resp::slverr);
        } else {
            slots_.effect(*burst_, now);
        }
        state_ = State::respond;
    }

    const Parameters &p_;
    Slots slots_;
    State state_ = State::idle;
    Burst *burst_ = nullptr;
    unsigned beat_ = 0;
    unsigned left_ = 0;
    bool running_ = false;
    uint32_t late_ = 0;
    std::deque<Burst> places_;
};

} // namespace reference

#endif
