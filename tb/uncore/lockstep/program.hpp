// SPDX-License-Identifier: Apache-2.0
// A random program: straps, what the unit does, and the pins of each cycle. It follows from its
// seed alone, not from what model or RTL answer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include <countersink/models/uncore/uncore.h>

class Random
{
  public:
    explicit Random(uint64_t seed) : engine_(seed) {}
    uint64_t operator()()
    {
        return engine_();
    }
    unsigned below(unsigned n)
    {
        return static_cast<unsigned>(engine_() % n);
    }
    bool one_in(unsigned n)
    {
        return below(n) == 0;
    }

  private:
    std::mt19937_64 engine_;
};

// Increments of each event in each cycle; events share eight kinds. Behind the program: none. The tag
// is the same for some cycles.
class Increments
{
  public:
    static constexpr unsigned kinds = 8;

    Increments(Random &random, unsigned cycles)
    {
        for (unsigned kind = 0; kind < kinds; kind++) {
            const unsigned rare = 1u << random.below(7);
            const unsigned most = 1 + random.below(CS_NARROW_INCREMENT);
            std::vector<uint64_t> &below = below_[kind];
            below.push_back(0);
            for (unsigned t = 0; t < cycles; t++) {
                unsigned by = 1; // the clock
                if (kind == 1)
                    by = CS_NARROW_INCREMENT;
                else if (kind == 2)
                    by = random.below(CS_NARROW_INCREMENT + 1);
                else if (kind == 3)
                    by = t / 32 % 2 * random.below(CS_NARROW_INCREMENT + 1);
                else if (kind > 3)
                    by = random.one_in(rare) ? random.below(most + 1) : 0;
                below.push_back(below.back() + by);
            }
        }
    }

    unsigned at(uint32_t event, cs_cycle t) const
    {
        return static_cast<unsigned>(sum(event, t, t + 1));
    }
    uint64_t sum(uint32_t event, cs_cycle from, cs_cycle to) const
    {
        return upto(event, to) - upto(event, from);
    }
    cs_cycle reach(uint32_t event, cs_cycle from, uint64_t n) const
    {
        for (cs_cycle t = from; t < of(event).size(); t++)
            if (sum(event, from, t) >= n)
                return t;
        return CS_NEVER;
    }
    cs_event_source source()
    {
        cs_event_source s = {};
        s.ctx = this;
        s.sum = [](void *ctx, uint32_t event, uint32_t, cs_cycle from, cs_cycle to) {
            return static_cast<Increments *>(ctx)->sum(event, from, to);
        };
        s.reach = [](void *ctx, uint32_t event, uint32_t, cs_cycle from, uint64_t n) {
            return static_cast<Increments *>(ctx)->reach(event, from, n);
        };
        return s;
    }

    // One of these tags is that of an event's cycle t.
    static constexpr std::array<uint64_t, 4> tags = {0, 1, 0xA500000000000001, ~uint64_t{0}};
    static uint64_t tag(uint32_t event, cs_cycle t)
    {
        return event == 0 ? 0 : tags[(event + t / 12) % tags.size()];
    }
    static bool fits(uint32_t event, cs_cycle t, uint64_t match, uint64_t mask)
    {
        return ((tag(event, t) ^ match) & mask) == 0;
    }
    cs_uncore_tagged tagged()
    {
        return {[](void *ctx, uint32_t event, uint64_t match, uint64_t mask, cs_cycle from,
                   cs_cycle to) {
                    return static_cast<Increments *>(ctx)->tagged_sum(event, match, mask, from, to);
                },
                this};
    }

  private:
    std::array<std::vector<uint64_t>, kinds> below_; // below_[kind][t]: the sum below cycle t
    using Choice = std::array<uint64_t, 3>;          // event, match, mask
    std::map<Choice, std::vector<uint64_t>> chosen_; // the same of what fits

    uint64_t tagged_sum(uint32_t event, uint64_t match, uint64_t mask, cs_cycle from, cs_cycle to)
    {
        std::vector<uint64_t> &below = chosen_[{event, match, mask}];
        if (below.empty())
            below.push_back(0);
        while (below.size() < of(event).size())
            below.push_back(below.back() + (fits(event, below.size() - 1, match, mask)
                                                ? at(event, below.size() - 1)
                                                : 0));
        const auto upto = [&](cs_cycle t) { return t < below.size() ? below[t] : below.back(); };
        return upto(to) - upto(from);
    }

    const std::vector<uint64_t> &of(uint32_t event) const
    {
        return below_[event == 0 ? 0 : (event >> 8 ^ event) % kinds];
    }
    uint64_t upto(uint32_t event, cs_cycle t) const
    {
        const std::vector<uint64_t> &below = of(event);
        return t < below.size() ? below[t] : below.back();
    }
};

// What the bus and the reset do in a cycle.
struct Pins {
    bool reset = false;
    bool enabled = false; // the others are noise without it
    bool write = false, wide = false;
    uint16_t addr = 0;
    uint64_t data = 0;
};

class Program
{
  public:
    Program(uint64_t seed, unsigned built, bool tags)
        : random_(seed * 0x9E3779B97F4A7C15 + 1), config(straps(built, tags)),
          cycles_(300 + random_.below(700)), increments(random_, cycles_ + 64),
          every_(1 + random_.below(6) * random_.below(6)), resets_(random_.one_in(3)),
          freezes_(1 + random_.below(4))
    {
        // From the start something counts: what comes later is met by it.
        for (unsigned n = 0; n < config.counters; n++)
            script_.push_back(put(select(n), on | random_() % 0x10000));
        for (unsigned n = 0; n < config.counters; n++)
            script_.push_back(put(count(n), near_the_wrap()));
        for (unsigned n = 0; n < config.counters && tags; n++) {
            script_.push_back(put(static_cast<uint16_t>(0x300 + 8 * n), tag_data()));
            script_.push_back(put(static_cast<uint16_t>(0x400 + 8 * n), tag_data()));
        }
        script_.push_back(put(0x018, random_()));
        script_.push_back(put(0x008, 1 | (random_.one_in(freezes_) ? 2 : 0)));
    }

  private:
    Random random_;

  public:
    const cs_uncore_config config;

  private:
    const unsigned cycles_;

  public:
    Increments increments;

    unsigned cycles() const
    {
        return cycles_;
    }
    // Of cycle t, asked for in rising order.
    Pins pins(cs_cycle t)
    {
        if (t < script_.size())
            return script_[t];
        Pins p = access();
        p.enabled = random_.one_in(every_);
        p.reset = resets_ && random_.one_in(200);
        return p;
    }

  private:
    static constexpr uint64_t on = 1 << 16;

    const unsigned every_;   // cycles from access to access
    const bool resets_;      // some cycles have one
    const unsigned freezes_; // one write of CTL in so many sets FREEZE
    std::vector<Pins> script_;

    static uint16_t select(unsigned n)
    {
        return static_cast<uint16_t>(0x100 + 8 * n);
    }
    static uint16_t count(unsigned n)
    {
        return static_cast<uint16_t>(0x200 + 8 * n);
    }
    static Pins put(uint16_t addr, uint64_t data)
    {
        return {false, true, true, true, addr, data};
    }

    cs_uncore_config straps(unsigned built, bool tags)
    {
        cs_uncore_config c = {};
        c.counters = 1 + random_.below(built);
        if (random_.one_in(4))
            c.counters = built;
        // Narrow ones wrap by themselves; the others have all widths.
        c.width = random_.one_in(3) ? 8 + random_.below(4) : 8 + random_.below(57);
        c.id = static_cast<uint16_t>(random_());
        c.unit = static_cast<uint16_t>(CS_UNIT_UNCORE(random_.below(60)));
        c.extended = tags && !random_.one_in(8);
        return c;
    }

    uint64_t near_the_wrap()
    {
        const uint64_t largest = UINT64_MAX >> (64 - config.width);
        return largest - random_.below(random_.one_in(2) ? 16 : 200);
    }

    Pins access()
    {
        Pins p;
        p.write = !random_.one_in(3);
        p.wide = random_.one_in(2);
        p.addr = offset();
        p.data = data_for(p.addr);
        if (!p.wide && random_.one_in(2)) {
            p.addr += 4;
            if (random_.one_in(2))
                p.data = p.data >> 32 | random_() << 32;
        }
        if (random_.one_in(12))
            p.addr = static_cast<uint16_t>(p.addr / 8 * 8 + random_.below(8));
        if (random_.one_in(12)) {
            p.wide = true;
            p.addr |= 4;
        }
        return p;
    }

    // What tags differ in, and what they are.
    uint64_t tag_data()
    {
        switch (random_.below(4)) {
        case 0:
            return random_.one_in(2) ? 1 : 0;
        case 1:
            return UINT64_MAX << 56;
        case 2:
            return random_();
        default:
            return Increments::tags[random_.below(Increments::tags.size())];
        }
    }

    uint16_t offset()
    {
        if (config.extended && random_.one_in(3)) // there or not
            return static_cast<uint16_t>(0x300 + 0x100 * random_.below(2) +
                                         8 * random_.below(config.counters + 1));
        switch (random_.below(18)) {
        case 0:
            return 0x000;
        case 1:
        case 2:
        case 17:
            return 0x008;
        case 3:
        case 4:
            return 0x010;
        case 5:
        case 6:
            return 0x018;
        case 7:
        case 8:
            return select(random_.below(config.counters));
        case 9: // there or not, or just behind
            return select(random_.below(18));
        case 10:
            return count(random_.below(18));
        case 11: // one bit away from a register
            return static_cast<uint16_t>((0x8 * random_.below(4) | random_.below(3) * 0x100) ^
                                         1u << (3 + random_.below(13)));
        case 12:
            return static_cast<uint16_t>(random_() & 0xFFF8);
        default:
            return count(random_.below(config.counters));
        }
    }

    uint64_t data_for(uint16_t addr)
    {
        const uint64_t noise = random_();

        if (addr == 0x008)
            return (noise & ~uint64_t{0x103}) | !random_.one_in(4) |
                   uint64_t{random_.one_in(freezes_)} << 1 | uint64_t{random_.one_in(6)} << 8;
        if (addr >= 0x300 && addr < 0x500)
            return tag_data();
        if (addr >= 0x200 && random_.one_in(3))
            return near_the_wrap() | (random_.one_in(4) ? noise << 32 : 0);
        if (addr >= 0x200)
            return random_.one_in(4) ? random_.below(1000) : near_the_wrap();
        if (addr >= 0x100)
            return (noise & ~on) | (random_.one_in(5) ? 0 : on);
        return random_.one_in(4) ? UINT64_MAX : random_.one_in(4) ? 0 : noise;
    }
};
