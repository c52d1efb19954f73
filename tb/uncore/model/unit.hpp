// SPDX-License-Identifier: Apache-2.0
// A unit for the tests by hand: its increments are told from the cycle that comes next on, and
// accesses follow one another, one a cycle.
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <vector>

#include <countersink/models/uncore/uncore.h>

constexpr uint32_t ID = 0x000, CTL = 0x008, OVF = 0x010, IE = 0x018;
constexpr uint64_t EN = 1, FREEZE = 2, RESET = 0x100, ON = 0x10000;
constexpr uint16_t UNIT = CS_UNIT_UNCORE(3);

constexpr uint32_t SELECT(unsigned n)
{
    return 0x100 + 8 * n;
}
constexpr uint32_t COUNT(unsigned n)
{
    return 0x200 + 8 * n;
}
constexpr uint64_t all_ones(unsigned width)
{
    return ~0ull >> (64 - width);
}

inline cs_uncore_config straps(unsigned counters = 4, unsigned width = 48, uint16_t id = 0)
{
    return {counters, width, id, UNIT, false};
}

class Unit
{
  public:
    cs_cycle t = 0; // the cycle that comes next
    unsigned sums = 0, reaches = 0;
    std::vector<cs_probe_record> records;

    explicit Unit(const cs_uncore_config &config = straps())
    {
        const cs_event_source source = {
            [](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) {
                EXPECT_EQ(CS_MODE_ALL, modes);
                static_cast<Unit *>(ctx)->sums++;
                return static_cast<Unit *>(ctx)->sum(event, from, to);
            },
            [](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n) {
                EXPECT_EQ(CS_MODE_ALL, modes);
                static_cast<Unit *>(ctx)->reaches++;
                return static_cast<Unit *>(ctx)->reach(event, from, n);
            },
            nullptr, this, nullptr};
        sink_ = {[](void *ctx, const cs_probe_record *record) {
                     static_cast<Unit *>(ctx)->records.push_back(*record);
                 },
                 this, false, nullptr};
        const cs_uncore_env env = {source, &sink_, {}};
        EXPECT_EQ(CS_OK, cs_uncore_create(&config, &env, &uncore_, nullptr));
        inc(0, 1);
    }
    Unit(const Unit &) = delete;
    Unit &operator=(const Unit &) = delete;
    ~Unit()
    {
        cs_uncore_destroy(uncore_);
    }

    cs_uncore *uncore()
    {
        return uncore_;
    }

    // From the next cycle on.
    void inc(uint32_t event, unsigned increment)
    {
        increments_[event][t] = increment;
    }
    // In cycle `at` alone.
    void pulse(uint32_t event, cs_cycle at, unsigned increment)
    {
        increments_[event][at] = increment;
        increments_[event][at + 1] = 0;
    }
    void run(cs_cycle cycles)
    {
        run_to(t + cycles);
    }
    void run_to(cs_cycle cycle)
    {
        t = cycle;
        cs_uncore_advance(uncore_, t);
    }
    bool irq()
    {
        return cs_uncore_irq(uncore_);
    }
    cs_cycle next()
    {
        return cs_uncore_next(uncore_);
    }

    // One access in the next cycle.
    uint64_t read(uint32_t offset, bool wide = true)
    {
        uint64_t data = ~0ull;

        EXPECT_EQ(CS_BUS_OKAY, cs_uncore_read(uncore_, t++, offset, wide, &data))
            << std::hex << offset;
        return data;
    }
    uint64_t read4(uint32_t offset)
    {
        return read(offset, false);
    }
    void write(uint32_t offset, uint64_t data, bool wide = true)
    {
        EXPECT_EQ(CS_BUS_OKAY, cs_uncore_write(uncore_, t++, offset, wide, data))
            << std::hex << offset;
    }
    void write4(uint32_t offset, uint64_t data)
    {
        write(offset, data, false);
    }
    // Counter n on, with a value.
    void set_up(unsigned n, uint32_t event, uint64_t value = 0)
    {
        write(COUNT(n), value);
        write(SELECT(n), ON | event);
    }

    // The changes of the line: cycle and level.
    std::vector<std::pair<cs_cycle, uint64_t>> levels() const
    {
        std::vector<std::pair<cs_cycle, uint64_t>> result;

        for (const cs_probe_record &r : records) {
            EXPECT_EQ(CS_PROBE_IRQ, r.kind);
            EXPECT_EQ(UNIT, r.source);
            EXPECT_EQ(0u, r.index + r.addr + r.write + r.resp + r.bytes + r.request + r.grant +
                              r.reserved + r.reserved2);
            result.emplace_back(r.cycle, r.value);
        }
        return result;
    }

  private:
    using Steps = std::map<cs_cycle, unsigned>;

    // f(from, to, increment) for each piece of [from, to); until it returns true.
    template <typename F> void pieces(uint32_t event, cs_cycle from, cs_cycle to, F f)
    {
        const Steps &steps = increments_[event];
        auto after = steps.upper_bound(from);
        unsigned increment = after == steps.begin() ? 0 : std::prev(after)->second;

        while (from < to) {
            const cs_cycle end = after == steps.end() || after->first > to ? to : after->first;
            if (f(from, end, increment))
                return;
            from = end;
            if (after != steps.end())
                increment = (after++)->second;
        }
    }
    uint64_t sum(uint32_t event, cs_cycle from, cs_cycle to)
    {
        uint64_t total = 0;

        pieces(event, from, to, [&](cs_cycle a, cs_cycle b, unsigned increment) {
            total += (b - a) * increment;
            return false;
        });
        return total;
    }
    cs_cycle reach(uint32_t event, cs_cycle from, uint64_t n)
    {
        cs_cycle found = CS_NEVER;

        pieces(event, from, CS_NEVER, [&](cs_cycle a, cs_cycle b, unsigned increment) {
            if (increment != 0 && (n - 1) / increment < b - a) {
                found = a + (n - 1) / increment + 1;
                return true;
            }
            n -= (b - a) * increment;
            return false;
        });
        return found;
    }

    cs_probe_sink sink_ = {};
    cs_uncore *uncore_ = nullptr;
    std::map<uint32_t, Steps> increments_;
};
