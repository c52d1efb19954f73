// SPDX-License-Identifier: Apache-2.0
// The monitor, a cycle at a time: written from docs/hw/iommu_hpm.md without regard to cost.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <countersink/base/cycle.h>

// What one transaction did in one cycle.
struct Record {
    std::array<uint8_t, 9> inc = {}; // of event e at e
    uint32_t did = 0, pid = 0, gscid = 0, pscid = 0;
    bool pv = false, gscv = false, pscv = false;
};

// By cycle; nothing behind its end.
using Traffic = std::vector<std::vector<Record>>;

struct Access {
    bool write = false, wide = true;
    uint32_t offset = 0;
    uint64_t data = 0;
};

// iohpmevt, field by field.
struct Evt {
    unsigned event;
    bool dmask;
    uint32_t process, device; // PID_PSCID, DID_GSCID
    bool pv, dv, idt;

    explicit Evt(uint64_t evt)
        : event(evt & 0x7fff), dmask(evt >> 15 & 1), process(evt >> 16 & 0xfffff),
          device(evt >> 36 & 0xffffff), pv(evt >> 60 & 1), dv(evt >> 61 & 1), idt(evt >> 62 & 1)
    {
    }
};

// "Counting", the three rules, a bit at a time.
inline bool fits(uint64_t value, const Record &record)
{
    const Evt evt(value);

    if (evt.event < 1 || evt.event > 8)
        return false;
    if (evt.idt && evt.event != 4 && evt.event != 7 && evt.event != 8)
        return false;
    if (evt.pv) {
        if (evt.idt ? !record.pscv || record.pscid != evt.process
                    : !record.pv || record.pid != evt.process)
            return false;
    }
    if (evt.dv) {
        if (evt.idt && !record.gscv)
            return false;
        const uint32_t id = evt.idt ? record.gscid : record.did;
        bool compare = !evt.dmask; // from the lowest 0 on, itself not
        for (unsigned bit = 0; bit < 24; bit++) {
            if (compare && (id >> bit & 1) != (evt.device >> bit & 1))
                return false;
            if (!compare && (evt.device >> bit & 1) == 0)
                compare = true;
        }
    }
    return true;
}

class Reference
{
  public:
    // What met in the last cycle, to see that programs get there.
    struct Met {
        bool wrap = false, wrap_with_of = false, cleared_and_set = false, dropped_wrap = false,
             evt_against_wrap = false, half_of_counting = false;
    };

    Reference(unsigned counters, unsigned width, const Traffic *traffic)
        : n_(counters), w_(width), traffic_(traffic)
    {
    }

    cs_cycle now() const
    {
        return t_;
    }
    bool irq() const
    {
        return pmip_;
    }
    Met met() const
    {
        return met_;
    }
    uint64_t count(unsigned n) const
    {
        return count_[n];
    }
    uint64_t room(unsigned n) const
    {
        return top(n) - count_[n];
    }
    void reset(cs_cycle t)
    {
        *this = Reference(n_, w_, traffic_);
        t_ = t;
    }

    static bool is_error(const Access &a)
    {
        if (a.offset % (a.wide ? 8 : 4) != 0)
            return true;
        return a.wide && (a.offset == 0x050 || a.offset == 0x058);
    }

    // What a read in this cycle gives.
    uint64_t read(const Access &a) const
    {
        if (is_error(a))
            return 0;
        switch (a.offset) {
        case 0x054:
            return pmip_ ? 4 : 0;
        case 0x058: {
            uint64_t bits = 0;
            for (unsigned n = 0; n <= n_; n++)
                bits |= uint64_t{of_[n]} << n;
            return bits;
        }
        case 0x05c:
            return inhibit_;
        default:
            break;
        }
        const uint64_t value = whole(a.offset / 8 * 8);
        return a.wide ? value : a.offset % 8 == 4 ? value >> 32 : value & 0xffffffff;
    }

    // The clock edge at the end of this cycle; `a` is its access, if there is one.
    void edge(const Access *a = nullptr)
    {
        const Reference old = *this;
        uint32_t at = ~0u; // the 8 bytes in which something is written
        uint64_t data = 0, mask = 0;

        met_ = {};
        if (a != nullptr && a->write && !is_error(*a)) {
            at = a->offset / 8 * 8;
            mask = a->wide ? ~0ull : a->offset % 8 == 4 ? ~0ull << 32 : 0xffffffffull;
            data = a->offset % 8 == 4 ? a->data << 32 : a->data & mask;
        }
        if (at == 0x050 && (mask >> 32) != 0 && (data >> 34 & 1))
            pmip_ = false;
        if (at == 0x058 && (mask >> 32) != 0)
            inhibit_ = static_cast<uint32_t>(data >> 32) & static_cast<uint32_t>((2ull << n_) - 1);
        for (unsigned n = 0; n <= n_; n++)
            edge_of(n, old, at, data, mask);
        if (at == 0x050 && (mask >> 32) != 0 && (data >> 34 & 1))
            met_.cleared_and_set = pmip_;
        t_++;
    }

  private:
    uint64_t top(unsigned n) const
    {
        const unsigned width = n == 0 && w_ == 64 ? 63 : w_;
        return width == 64 ? ~0ull : (1ull << width) - 1;
    }
    unsigned increment(unsigned n) const
    {
        unsigned sum = 0;

        if (inhibit_ >> n & 1)
            return 0;
        if (n == 0)
            return 1;
        if (t_ < traffic_->size())
            for (const Record &record : (*traffic_)[t_])
                if (fits(evt_[n], record))
                    sum += record.inc[evt_[n] & 0x7fff];
        return sum;
    }
    void edge_of(unsigned n, const Reference &old, uint32_t at, uint64_t data, uint64_t mask)
    {
        const unsigned inc = old.increment(n);
        const bool written = at == 0x060 + 8 * n, wraps = inc > old.top(n) - old.count_[n];
        const auto merge = [&](uint64_t was) { return (was & ~mask) | (data & mask); };

        if (written) {
            const uint64_t value = merge(old.count_[n] | (n == 0 ? uint64_t{old.of_[0]} << 63 : 0));
            count_[n] = value & top(n);
            if (n == 0)
                of_[0] = value >> 63 & 1;
            met_.dropped_wrap |= wraps;
            met_.half_of_counting |= inc != 0 && mask != ~0ull;
            return;
        }
        count_[n] = (old.count_[n] + inc) & top(n);
        if (n != 0 && at == 0x160 + 8 * (n - 1)) {
            const uint64_t value = merge(old.evt_[n] | uint64_t{old.of_[n]} << 63);
            evt_[n] = value & ~(1ull << 63);
            if ((value & 0x7fff) > 8)
                evt_[n] &= ~0x7fffull;
            of_[n] = value >> 63 & 1;
            met_.evt_against_wrap |= wraps && !of_[n];
        }
        if (wraps) {
            met_.wrap = true;
            met_.wrap_with_of |= old.of_[n];
            of_[n] = true;
            pmip_ |= !old.of_[n];
        }
    }
    uint64_t whole(uint32_t offset) const
    {
        for (unsigned n = 0; n <= n_; n++) {
            if (offset == 0x060 + 8 * n)
                return count_[n] | (n == 0 ? uint64_t{of_[0]} << 63 : 0);
            if (n != 0 && offset == 0x160 + 8 * (n - 1))
                return evt_[n] | uint64_t{of_[n]} << 63;
        }
        return 0;
    }

    unsigned n_, w_;
    const Traffic *traffic_;
    cs_cycle t_ = 0;
    bool pmip_ = false;
    uint32_t inhibit_ = 0;
    std::array<uint64_t, 32> count_ = {}, evt_ = {}; // evt_ without OF
    std::array<bool, 32> of_ = {};
    Met met_;
};
