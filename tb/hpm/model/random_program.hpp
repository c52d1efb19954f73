// SPDX-License-Identifier: Apache-2.0
// Random straps, a random hart and a random CSR program for it, all from one seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reference.hpp"

inline uint64_t mix(uint64_t a, uint64_t b = 0, uint64_t c = 0)
{
    uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xC2B2AE3D27D4EB4Fu + c * 0x165667B19E3779F9u + 1;
    x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93u;
    x = (x ^ (x >> 29)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

struct Random {
    uint64_t state;
    uint64_t operator()(uint64_t n)
    {
        return bits() % n;
    }
    uint64_t bits()
    {
        return mix(state++, 0x77);
    }
    bool one_in(uint64_t n)
    {
        return (*this)(n) == 0;
    }
    template <class T> T of(const std::vector<T> &from)
    {
        return from[(*this)(from.size())];
    }
};

// A hart of which the first cycles are known: mode, and increments of a few events. Later
// cycles count nothing. Sums are differences of prefixes, one for each mode.
class TableHart
{
  public:
    static constexpr unsigned MODES = 6;

    TableHart(uint64_t seed, unsigned modes, cs_cycle cycles) : cycles_(cycles)
    {
        Random random{seed};
        const std::vector<unsigned> sets[] = {
            {3}, {3, 3, 0}, {3, 3, 3, 1, 1, 0}, {3, 3, 3, 3, 1, 1, 5, 5, 4, 0}};
        const uint64_t stay = 1 + random(random.one_in(3) ? 3 : 60);
        unsigned now = 3;
        for (cs_cycle t = 0; t < cycles; t++) {
            if (t > 40 && random.one_in(stay))
                now = random.of(sets[modes]);
            mode.push_back(static_cast<uint8_t>(now));
        }
        for (uint32_t event : events()) {
            const uint64_t quiet = random(5); // how often it has none
            const uint64_t largest = random.one_in(3) ? 1 : 15;
            Track &track = tracks_[event];
            for (auto &prefix : track.prefix)
                prefix.push_back(0);
            for (cs_cycle t = 0; t < cycles; t++) {
                const uint8_t add =
                    random(5) < quiet ? 0 : static_cast<uint8_t>(random(largest + 1));
                track.increment.push_back(add);
                for (unsigned m = 0; m < MODES; m++)
                    track.prefix[m].push_back(track.prefix[m].back() + (mode[t] == m ? add : 0));
            }
        }
    }

    static const std::vector<uint32_t> &events()
    {
        static const std::vector<uint32_t> list = {0, 1, 2, 3, 4, 5, 20, 0x1234, 0xFFFF};
        return list;
    }

    std::vector<uint8_t> mode;

    unsigned increment(uint32_t event, cs_cycle t) const
    {
        const auto it = tracks_.find(event);
        return it == tracks_.end() || t >= cycles_ ? 0 : it->second.increment[t];
    }

    uint64_t sum(uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) const
    {
        const auto it = tracks_.find(event);
        if (it == tracks_.end() || to <= from)
            return 0;
        return upto(it->second, modes, to) - upto(it->second, modes, from);
    }

    cs_cycle reach(uint32_t event, uint32_t modes, cs_cycle from, uint64_t n) const
    {
        if (n == 0)
            return from;
        if (sum(event, modes, from, cycles_) < n)
            return CS_NEVER;
        cs_cycle low = from, high = cycles_; // sum(from, high) >= n
        while (high - low > 1) {
            const cs_cycle middle = low + (high - low) / 2;
            (sum(event, modes, from, middle) >= n ? high : low) = middle;
        }
        return high;
    }

    cs_event_source source()
    {
        return {[](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) {
                    return static_cast<TableHart *>(ctx)->sum(event, modes, from, to);
                },
                [](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n) {
                    return static_cast<TableHart *>(ctx)->reach(event, modes, from, n);
                },
                nullptr, this, nullptr};
    }

  private:
    struct Track {
        std::vector<uint8_t> increment;
        std::vector<uint64_t> prefix[MODES];
    };
    uint64_t upto(const Track &track, uint32_t modes, cs_cycle t) const
    {
        uint64_t total = 0;
        for (unsigned m = 0; m < MODES; m++)
            if (modes >> m & 1)
                total += track.prefix[m][std::min(t, cycles_)];
        return total;
    }

    cs_cycle cycles_;
    std::map<uint32_t, Track> tracks_;
};

// A hot program has few and narrow counters that overflow all the time, under writes of all that
// matters to them.
inline cs_hpm_config any_config(Random &random, bool hot)
{
    cs_hpm_config c = cs_hpm_default_config();
    c.xlen = random(2) ? 32 : 64;
    c.modes = static_cast<unsigned>(random.one_in(2) ? 3 : random(4));
    switch (random(6)) {
    case 0:
        c.counters = 0;
        break;
    case 1:
        c.counters = 0xFFFFFFF8;
        break;
    default:
        c.counters = static_cast<uint32_t>(random.bits() & random.bits()) & 0xFFFFFFF8;
        break;
    }
    for (uint8_t &width : c.width) {
        const std::vector<unsigned> often = {1, 2, 3, 4, 31, 32, 33, 40, 63, 64};
        width = static_cast<uint8_t>(random(2) ? random.of(often) : 1 + random(64));
    }
    c.sscofpmf = !random.one_in(4);
    c.smcntrpmf = !random.one_in(3);
    c.smcdeleg = c.modes >= 2 && !random.one_in(5);
    c.aia = c.modes >= 2 && c.sscofpmf && random(2) != 0;
    c.lcofi_latency = static_cast<unsigned>(random(3) ? random(4) : random(32));
    c.unit = static_cast<uint16_t>(CS_UNIT_HART(random(256)));
    if (!hot)
        return c;
    c.counters |= 8u << random(29);
    for (uint8_t &width : c.width)
        width = static_cast<uint8_t>(1 + random(9));
    c.aia = c.aia || (c.modes >= 2 && !c.sscofpmf && random(2));
    c.sscofpmf = true;
    return c;
}

// What a program writes, in the way that brings counters near their ends.
class Accesses
{
  public:
    Accesses(Random &random, const cs_hpm_config &c, bool hot) : random_(random), c_(c), hot_(hot)
    {
        for (unsigned n = 3; n < 32; n++)
            if (c.counters >> n & 1)
                there_.push_back(n);
        // A few that are used over and over, so that one's writes meet the other's.
        for (unsigned i = 0; i < 3 && !there_.empty(); i++)
            favourites_.push_back(random.of(there_));
        if (!hot)
            return;
        then(1, 0x603, random_.bits() | 1u << 13);
        then(1, 0x306, ~0ull);
        then(1, 0x304, 1u << 13);
        then(1, 0x303, random_.one_in(4) ? 0 : 1u << 13);
    }

    Pins any(cs_cycle t, unsigned mode, bool stateen)
    {
        Pins p;
        p.t = t;
        p.mode = mode;
        p.time = random_.one_in(4) ? ~0ull - random_(3) : random_.bits();
        p.stateen_m = !stateen || random_(2);
        p.stateen_h = !stateen || random_(2);
        if (mode == 3 && waiting_.empty() && random_.one_in(20) && !favourites_.empty())
            rearm();
        if (mode == 3 && !waiting_.empty()) {
            p.op = waiting_.back().op;
            p.csr = waiting_.back().csr;
            p.operand = waiting_.back().operand;
            waiting_.pop_back();
            return p;
        }
        p.op = static_cast<int>(random_.one_in(3) ? 0 : 1 + random_(3));
        p.csr = number(mode);
        p.operand = operand(p.csr);
        return p;
    }

    // Whether what follows had better be a pause, in which the counter may overflow.
    bool armed()
    {
        const bool was = armed_ && waiting_.empty();
        armed_ = armed_ && !was;
        return was;
    }

  private:
    Random &random_;
    cs_hpm_config c_;
    bool hot_;
    std::vector<unsigned> there_, favourites_;
    std::vector<Pins> waiting_; // the next last
    bool armed_ = false;

    void then(int op, unsigned csr, uint64_t operand)
    {
        Pins p;
        p.op = op;
        p.csr = csr;
        p.operand = operand;
        waiting_.insert(waiting_.begin(), p);
    }

    // What firmware does to sample: stop the request, and let one counter run to its end.
    void rearm()
    {
        const unsigned n = random_.of(favourites_);
        const uint64_t ones = c_.width[n] == 64 ? ~0ull : (1ull << c_.width[n]) - 1;
        const uint64_t start = ones - random_(100);
        armed_ = true;
        then(3, 0x320, 1u << n);
        then(1, 0x320 + n, random_.of(TableHart::events()));
        then(1, 0x720 + n, 0);
        then(1, 0xB80 + n, start >> 32);
        then(1, 0xB00 + n, start);
        if (random_(2))
            then(2, 0x304, 1u << 13);
        then(3, 0x344, 1u << 13);
        if (random_(2))
            then(3, 0x344, 1u << 13);
    }

    unsigned counter()
    {
        if (!favourites_.empty() && random_(3))
            return random_.of(favourites_);
        return static_cast<unsigned>(random_.one_in(3) ? random_(2) * 2 : 3 + random_(29));
    }
    bool high()
    {
        return random_(c_.xlen == 32 ? 3 : 12) == 0;
    }

    unsigned number(unsigned mode)
    {
        if (hot_ && random_(8))
            return hot_number(mode);
        if (mode == 3 || random_.one_in(3))
            return any_number();
        if (mode == 0 || mode == 4)
            return shadow();
        return random_(2) ? supervisor() : shadow();
    }

    unsigned machine_counter()
    {
        return (high() ? 0xB80 : 0xB00) + counter();
    }
    unsigned event()
    {
        const unsigned n = counter();
        return (high() ? 0x720 : 0x320) + (n == 0 ? 1 : n);
    }
    unsigned shadow()
    {
        return (high() ? 0xC80 : 0xC00) + (random_.one_in(5) ? 1 : counter());
    }
    unsigned supervisor()
    {
        return random_.of<unsigned>({0x104, 0x144, 0x144, 0x106, 0x120, 0xDA0, 0x150, 0x151, 0x151,
                                     0x152, 0x155, 0x156, 0x603, 0x605, 0x606, 0x204, 0x244});
    }

    unsigned hot_number(unsigned mode)
    {
        const unsigned n = random_.of(favourites_);
        if (mode == 0 || mode == 4)
            return 0xC00 + n;
        if (mode != 3)
            return random_.of<unsigned>({0x144, 0x144, 0x104, 0x244, 0x151, 0x152, 0x120, 0xDA0});
        switch (random_(8)) {
        case 0:
        case 1:
            return (high() ? 0xB80 : 0xB00) + n;
        case 2:
        case 3:
        case 4:
            return (high() ? 0x720 : 0x320) + n;
        case 5:
            return 0x320;
        default:
            return random_.of<unsigned>({0x344, 0x344, 0x144, 0x244});
        }
    }

    unsigned any_number()
    {
        static const std::vector<unsigned> bit13 = {0x304, 0x304, 0x344, 0x344, 0x303,
                                                    0x104, 0x144, 0x603, 0x204, 0x244,
                                                    0x308, 0x309, 0x608, 0x645};
        static const std::vector<unsigned> windows = {0x150, 0x151, 0x152, 0x153, 0x155,
                                                      0x156, 0x157, 0x250, 0x251, 0x252,
                                                      0x253, 0x255, 0x256, 0x257};
        static const std::vector<unsigned> absent = {0x154, 0x254, 0xB01, 0xB81, 0x34E, 0x14E,
                                                     0x24E, 0x14F, 0x15F, 0x181, 0x350, 0x351,
                                                     0x357, 0x60A, 0x61A, 0x644, 0x604};
        const uint64_t draw = random_(100);
        if (draw < 16)
            return machine_counter();
        if (draw < 34)
            return event();
        if (draw < 40)
            return shadow();
        if (draw < 62)
            return random_.of(bit13);
        if (draw < 72)
            return random_.of<unsigned>({0x150, 0x151, 0x152, 0x155, 0x156});
        if (draw < 76)
            return random_.of(windows);
        if (draw < 80)
            return random_.of<unsigned>({0x320, 0x320, 0x120});
        if (draw < 85)
            return random_.of<unsigned>({0x306, 0x306, 0x106, 0x606});
        if (draw < 90)
            return random_.of<unsigned>({0x30A, 0x31A, 0xDA0, 0xDA0});
        if (draw < 94)
            return random_.of<unsigned>({0x605, 0x615, 0x120});
        if (draw < 97)
            return random_.of(absent);
        return static_cast<unsigned>(random_(0x1000));
    }

    uint64_t event_word(bool is_high)
    {
        const uint64_t of = random_.one_in(hot_ ? 6 : 3) ? 1ull << 63 : 0;
        const uint64_t filter = random_(2) ? 0 : (random_.bits() & random_.bits()) & 31ull << 58;
        const uint64_t event = random_.one_in(8)   ? random_(0x10000)
                               : random_.one_in(6) ? 0
                                                   : random_.of(TableHart::events());
        const uint64_t rest = random_.one_in(8) ? random_.bits() & ~(63ull << 58) : 0;
        const uint64_t word = of | filter | rest | event;
        return is_high ? word >> 32 : word;
    }

    uint64_t counter_word(unsigned n, bool is_high)
    {
        if (random_.one_in(6))
            return random_.bits();
        if (is_high)
            return random_(3) ? 0xFFFFFFFF : random_(2);
        const unsigned width = n < 3 ? 64 : c_.width[n];
        const uint64_t ones = width == 64 ? ~0ull : (1ull << width) - 1;
        return ones - random_(random_(2) ? 12 : 200);
    }

    uint64_t operand(unsigned csr)
    {
        if (random_.one_in(10))
            return random_.one_in(2) ? 0 : ~0ull;
        if (csr >= 0xB00 && csr < 0xBA0)
            return counter_word(csr & 31, csr & 0x80);
        if ((csr >= 0x321 && csr < 0x340) || (csr >= 0x721 && csr < 0x740))
            return event_word(csr >= 0x700);
        switch (csr) {
        case 0x151:
            return counter_word(3, false);
        case 0x155:
            return counter_word(3, true);
        case 0x152:
        case 0x156:
            return event_word(csr == 0x156);
        case 0x150:
        case 0x250: {
            const uint64_t s = random_.one_in(4)                          ? random_(2) * 2
                               : favourites_.empty() || random_.one_in(3) ? random_(34) - 1
                                                                          : random_.of(favourites_);
            return random_.one_in(8) ? random_.bits() : 0x40 + s;
        }
        case 0x320:
        case 0x120:
            return random_(2) ? 0
                   : hot_     ? random_.bits()
                              : random_.bits() & random_.bits() & random_.bits();
        case 0x306:
        case 0x606:
        case 0x106:
            return random_.bits() | random_.bits() | random_.bits();
        case 0x304:
            return random_(4) ? 1u << 13 : random_.bits();
        case 0x30A:
            return random_.one_in(3) ? random_.bits() : 1ull << 60;
        case 0x31A:
            return random_.one_in(3) ? random_.bits() : 1u << 28;
        default:
            return random_.bits() | (random_(2) ? 1u << 13 : 0);
        }
    }
};

// Straps, hart and program of one seed. The program is given cycle by cycle: the gaps between
// accesses are none, a few cycles or many.
class RandomProgram
{
  public:
    static constexpr cs_cycle CYCLES = 900;

    explicit RandomProgram(uint64_t seed)
        : random_{seed * 1000003}, hot_(seed % 2), config(any_config(random_, hot_)),
          hart(random_.bits(), config.modes, CYCLES), accesses_(random_, config, hot_),
          stateen_(random_.one_in(3)), pace_(1 + random_(6))
    {
    }

    // The straps of that program, without the rest of it.
    static cs_hpm_config config_of(uint64_t seed)
    {
        Random random{seed * 1000003};
        return any_config(random, seed % 2);
    }

    // The pins of cycle t; call once for each, rising.
    Pins pins(cs_cycle t)
    {
        Pins p;
        if (t < next_) {
            p.t = t;
            p.mode = hart.mode[t];
            return p;
        }
        const Pins now = accesses_.any(t, hart.mode[t], stateen_);
        const uint64_t gap = accesses_.armed()   ? random_(60)
                             : random_.one_in(3) ? 0
                                                 : random_(random_.one_in(20) ? 80 : pace_);
        next_ = t + 1 + gap;
        return now;
    }

    auto increments()
    {
        return [this](unsigned event, cs_cycle t) { return hart.increment(event, t); };
    }

  private:
    Random random_;
    bool hot_;

  public:
    const cs_hpm_config config;
    TableHart hart;

  private:
    Accesses accesses_;
    bool stateen_;
    uint64_t pace_;
    cs_cycle next_ = 0;
};
