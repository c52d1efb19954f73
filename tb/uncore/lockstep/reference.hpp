// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md as a machine of one step a cycle, of which nothing is clever: it tells who is
// right, has the pins that the model has not, and knows what happens in a cycle.
#pragma once

#include "program.hpp"

struct Happens {
    uint32_t would = 0;     // these would overflow, were they not written or reset
    uint32_t overflows = 0; // these do
    uint32_t counted = 0;
    bool freezes = false;
};

class Reference
{
  public:
    explicit Reference(const cs_uncore_config &config)
        : config_(config), largest_(UINT64_MAX >> (64 - config.width))
    {
    }

    bool en = false, freeze = false;
    uint32_t ovf = 0, ie = 0;
    struct Counter {
        uint16_t event = 0;
        bool on = false;
        uint64_t value = 0, match = 0, mask = 0;
    };
    std::array<Counter, 16> counter;

    bool irq() const
    {
        return (ovf & ie) != 0;
    }
    bool counting(unsigned n) const
    {
        return en && counter[n].on;
    }
    static bool is_refused(const Pins &p)
    {
        return p.enabled && p.addr % (p.wide ? 8 : 4) != 0;
    }

    uint64_t rdata(const Pins &p) const
    {
        if (!p.enabled || p.write || is_refused(p))
            return 0;
        const uint64_t all = whole(p.addr / 8 * 8);
        return p.wide ? all : (p.addr % 8 == 4 ? all >> 32 : all & 0xFFFFFFFF);
    }

    // The end of a cycle with these increments.
    Happens step(const Pins &p, const std::array<unsigned, 16> &inc)
    {
        if (p.reset) {
            *this = Reference(config_);
            return {};
        }
        const bool writes = p.enabled && p.write && !is_refused(p);
        const unsigned reg = p.addr / 8 * 8;
        const uint64_t bits = p.wide ? UINT64_MAX : uint64_t{0xFFFFFFFF} << (p.addr % 8 * 8);
        const uint64_t data = p.wide ? p.data : (p.data & 0xFFFFFFFF) << (p.addr % 8 * 8);
        const uint64_t merged = (whole(reg) & ~bits) | data;
        const bool resets = writes && reg == 0x008 && (data & 0x100);
        Happens happens;

        for (unsigned n = 0; n < config_.counters; n++) {
            Counter &c = counter[n];
            if (!counting(n))
                continue;
            const bool overflows = inc[n] > largest_ - c.value;
            happens.would |= uint32_t{overflows} << n;
            if (resets || (writes && reg == 0x200 + 8 * n))
                continue;
            happens.overflows |= uint32_t{overflows} << n;
            happens.counted |= 1u << n;
            c.value = (c.value + inc[n]) & largest_;
        }
        happens.freezes = freeze && happens.overflows != 0;

        if (writes && reg == 0x008 && (bits & 1)) {
            en = data & 1;
            freeze = data & 2;
        }
        if (writes && reg == 0x010)
            ovf &= static_cast<uint32_t>(~data);
        if (writes && reg == 0x018)
            ie = static_cast<uint32_t>(merged & there());
        for (unsigned n = 0; n < config_.counters; n++) {
            Counter &c = counter[n];
            if (writes && reg == 0x100 + 8 * n) {
                c.event = static_cast<uint16_t>(merged);
                c.on = merged >> 16 & 1;
            }
            if (writes && reg == 0x200 + 8 * n)
                c.value = merged & largest_;
            if (writes && config_.extended && reg == 0x300 + 8 * n)
                c.match = merged;
            if (writes && config_.extended && reg == 0x400 + 8 * n)
                c.mask = merged;
            if (resets)
                c.value = 0;
        }
        ovf |= happens.overflows;
        if (happens.freezes)
            en = false;
        return happens;
    }

    uint64_t whole(unsigned reg) const
    {
        switch (reg) {
        case 0x000:
            return config_.counters | config_.width << 8 | uint64_t{config_.extended} << 15 |
                   uint64_t{config_.id} << 16;
        case 0x008:
            return uint64_t{freeze} << 1 | en;
        case 0x010:
            return ovf;
        case 0x018:
            return ie;
        }
        for (unsigned n = 0; n < config_.counters; n++) {
            if (reg == 0x100 + 8 * n)
                return counter[n].event | uint64_t{counter[n].on} << 16;
            if (reg == 0x200 + 8 * n)
                return counter[n].value;
            if (reg == 0x300 + 8 * n)
                return counter[n].match;
            if (reg == 0x400 + 8 * n)
                return counter[n].mask;
        }
        return 0;
    }

    Reference(const Reference &) = default;
    Reference &operator=(const Reference &other)
    {
        en = other.en;
        freeze = other.freeze;
        ovf = other.ovf;
        ie = other.ie;
        counter = other.counter;
        return *this;
    }

  private:
    const cs_uncore_config config_;
    const uint64_t largest_;

    uint64_t there() const
    {
        return (uint64_t{1} << config_.counters) - 1;
    }
};
