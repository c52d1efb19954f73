// SPDX-License-Identifier: Apache-2.0
// The uncore block, a cycle at a time: written from docs/hw/uncore.md without regard to cost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <countersink/base/cycle.h>

// The increments of a few streams over the cycles of one program; 0 after its last.
struct Streams {
    static constexpr unsigned kStreams = 6;
    std::array<std::vector<uint8_t>, kStreams> increments;

    // Which stream an event number is; kStreams: none.
    static unsigned stream(uint32_t event)
    {
        static constexpr uint16_t numbers[kStreams] = {0, 1, 2, 0x8000, 0xFFFF, 0x0100};
        for (unsigned i = 0; i < kStreams; i++)
            if (numbers[i] == event)
                return i;
        return kStreams;
    }
    unsigned at(uint32_t event, cs_cycle t) const
    {
        const unsigned i = stream(event);
        return i == kStreams || t >= increments[i].size() ? 0 : increments[i][t];
    }
};

struct Access {
    bool write = false, wide = true;
    uint32_t offset = 0;
    uint64_t data = 0;
};

class Reference
{
  public:
    // What met in the last cycle, to see that programs get there.
    struct Met {
        bool overflow = false, cleared_and_set = false, dropped_overflow = false,
             freeze_against_en = false, freeze = false, half_of_counting = false,
             reset_drops = false;
    };

    Reference(unsigned counters, unsigned width, uint16_t id, const Streams *streams)
        : n_(counters), w_(width), id_(id), streams_(streams)
    {
    }

    cs_cycle now() const
    {
        return t_;
    }
    bool irq() const
    {
        return (ovf_ & ie_) != 0;
    }
    Met met() const
    {
        return met_;
    }
    bool is_counting(unsigned n) const
    {
        return n < n_ && en_ && on_[n];
    }
    uint64_t count(unsigned n) const
    {
        return count_[n];
    }

    void reset(cs_cycle t)
    {
        *this = Reference(n_, w_, id_, streams_);
        t_ = t;
    }

    static bool is_error(const Access &a)
    {
        return a.offset % (a.wide ? 8 : 4) != 0;
    }

    // What a read in this cycle gives.
    uint64_t read(const Access &a) const
    {
        if (is_error(a))
            return 0;
        const uint64_t value = whole(a.offset / 8 * 8);
        if (a.wide)
            return value;
        return a.offset % 8 == 4 ? value >> 32 : value & 0xFFFFFFFF;
    }

    // The clock edge at the end of this cycle; `a` is its access, if there is one.
    void edge(const Access *a = nullptr)
    {
        const Reference old = *this;
        met_ = {};

        // What is written.
        uint64_t data = 0, mask = 0;
        uint32_t at = ~0u;
        if (a != nullptr && a->write && !is_error(*a)) {
            at = a->offset / 8 * 8;
            const bool high = a->offset % 8 == 4;
            mask = a->wide ? ~0ull : high ? 0xFFFFFFFF00000000 : 0xFFFFFFFF;
            data = a->wide ? a->data : high ? a->data << 32 : a->data & 0xFFFFFFFF;
        }
        const auto merge = [&](uint64_t was) { return (was & ~mask) | (data & mask); };
        const bool reset = at == 0x008 && (data >> 8 & 1);

        uint32_t set = 0;
        for (unsigned n = 0; n < n_; n++) {
            const bool written = at == 0x200 + 8 * n;
            const unsigned increment = old.is_counting(n) ? streams_->at(old.event_[n], old.t_) : 0;
            uint64_t sum = old.count_[n] + increment;
            bool over = sum < old.count_[n];
            if (w_ < 64 && sum >= 1ull << w_) {
                sum -= 1ull << w_;
                over = true;
            }
            met_.half_of_counting |= written && !a->wide && increment != 0;
            met_.dropped_overflow |= written && over;
            met_.reset_drops |= reset && over;
            if (reset)
                count_[n] = 0;
            else if (written)
                count_[n] = w_ < 64 ? merge(old.count_[n]) % (1ull << w_) : merge(old.count_[n]);
            else
                count_[n] = sum;
            if (over && !written && !reset)
                set |= 1u << n;
            if (at == 0x100 + 8 * n) {
                const uint64_t select = merge(old.event_[n] | uint64_t{old.on_[n]} << 16);
                event_[n] = select & 0xFFFF;
                on_[n] = select >> 16 & 1;
            }
        }

        ovf_ = old.ovf_;
        if (at == 0x010)
            for (unsigned n = 0; n < n_; n++)
                if (data >> n & 1)
                    ovf_ &= ~(1u << n);
        met_.cleared_and_set = at == 0x010 && (data & set) != 0;
        ovf_ |= set;
        if (at == 0x018)
            ie_ = static_cast<uint32_t>(merge(old.ie_)) & ((1u << n_) - 1);
        if (at == 0x008) {
            const uint64_t ctl = merge(uint64_t{old.en_} | uint64_t{old.freeze_} << 1);
            en_ = ctl & 1;
            freeze_ = ctl >> 1 & 1;
        }
        if (old.freeze_ && set != 0) {
            met_.freeze = true;
            met_.freeze_against_en = at == 0x008 && en_;
            en_ = false;
        }
        met_.overflow = set != 0;
        t_++;
    }

  private:
    uint64_t whole(uint32_t offset) const
    {
        if (offset == 0x000)
            return n_ | w_ << 8 | uint64_t{id_} << 16;
        if (offset == 0x008)
            return uint64_t{en_} | uint64_t{freeze_} << 1;
        if (offset == 0x010)
            return ovf_;
        if (offset == 0x018)
            return ie_;
        for (unsigned n = 0; n < n_; n++) {
            if (offset == 0x100 + 8 * n)
                return event_[n] | uint64_t{on_[n]} << 16;
            if (offset == 0x200 + 8 * n)
                return count_[n];
        }
        return 0;
    }

    unsigned n_, w_;
    uint16_t id_;
    const Streams *streams_;
    cs_cycle t_ = 0;
    bool en_ = false, freeze_ = false;
    uint32_t ovf_ = 0, ie_ = 0;
    std::array<uint16_t, 16> event_ = {};
    std::array<bool, 16> on_ = {};
    std::array<uint64_t, 16> count_ = {};
    Met met_;
};
