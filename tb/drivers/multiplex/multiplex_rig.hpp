// SPDX-License-Identifier: Apache-2.0
// The software on a CPU port of its own, with streams that are tables of increments: what it told, and
// when which CPU was in it.
#ifndef TB_DRIVERS_MULTIPLEX_RIG_HPP
#define TB_DRIVERS_MULTIPLEX_RIG_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

extern "C" {
#include "drivers/corepmu/multiplex.h"
#include "drivers/cpu.h"
#include "scenario/corepmu/multiplex_spec.h"
}

namespace cs_multiplex_test
{

constexpr uint32_t kCycles = 0x11;

// Increments of each event of a CPU: a table of `period` cycles, again and again.
class Streams
{
  public:
    using Fill = std::function<unsigned(unsigned cpu, uint32_t event, cs_cycle cycle)>;

    Streams(unsigned cpus, const std::vector<uint32_t> &events, cs_cycle period, const Fill &fill)
        : cpus_(cpus)
    {
        for (unsigned cpu = 0; cpu < cpus; cpu++)
            for (uint32_t event : events) {
                Stream stream = {event, std::vector<uint64_t>(period + 1, 0)};

                for (cs_cycle t = 0; t < period; t++)
                    stream.sums[t + 1] = stream.sums[t] + fill(cpu, event, t);
                cpus_[cpu].push_back(std::move(stream));
            }
    }

    std::vector<cs_event_source> sources()
    {
        std::vector<cs_event_source> all;

        for (auto &cpu : cpus_)
            all.push_back({sum, reach, nullptr, &cpu, nullptr});
        return all;
    }

    uint64_t truth(unsigned cpu, uint32_t event, cs_cycle from, cs_cycle to)
    {
        return sum(&cpus_[cpu], event, CS_MODE_ALL, from, to);
    }

    unsigned at(unsigned cpu, uint32_t event, cs_cycle cycle) const
    {
        const Stream &s = find(cpus_[cpu], event);
        const size_t t = cycle % (s.sums.size() - 1);

        return unsigned(s.sums[t + 1] - s.sums[t]);
    }

  private:
    struct Stream {
        uint32_t event;
        std::vector<uint64_t> sums;

        uint64_t before(cs_cycle t) const
        {
            const size_t period = sums.size() - 1;

            return t / period * sums.back() + sums[t % period];
        }
    };
    std::vector<std::vector<Stream>> cpus_;

    static const Stream &find(const std::vector<Stream> &cpu, uint32_t event)
    {
        for (const Stream &s : cpu)
            if (s.event == event)
                return s;
        ADD_FAILURE() << "event " << event;
        return cpu[0];
    }

    static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
    {
        const Stream &s = find(*static_cast<std::vector<Stream> *>(ctx), event);

        EXPECT_EQ(modes, CS_MODE_ALL);
        return from < to ? s.before(to) - s.before(from) : 0;
    }

    static cs_cycle reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
    {
        const Stream &s = find(*static_cast<std::vector<Stream> *>(ctx), event);

        EXPECT_EQ(modes, CS_MODE_ALL);
        if (s.sums.back() == 0 || n > uint64_t(1) << 60)
            return CS_NEVER;
        const uint64_t goal = s.before(from) + n;
        if (n == 0)
            return from;
        // The least t with before(t) >= goal: in the period in which goal lies.
        const uint64_t whole = (goal - 1) / s.sums.back();
        const auto at =
            std::lower_bound(s.sums.begin(), s.sums.end(), goal - whole * s.sums.back());
        return whole * (s.sums.size() - 1) + cs_cycle(at - s.sums.begin());
    }
};

struct Stay {
    unsigned cpu;
    cs_cycle enter, leave;
    bool operator==(const Stay &o) const
    {
        return std::tie(cpu, enter, leave) == std::tie(o.cpu, o.enter, o.leave);
    }
    bool operator<(const Stay &o) const
    {
        return std::tie(cpu, enter, leave) < std::tie(o.cpu, o.enter, o.leave);
    }
};

inline std::ostream &operator<<(std::ostream &out, const Stay &s)
{
    return out << "CPU " << s.cpu << " " << s.enter << ".." << s.leave;
}

inline std::string text(const cs_rotated_count &c)
{
    return std::string(c.final ? "final" : "interval") + " cpu " + std::to_string(c.cpu) +
           " event " + std::to_string(c.event) + " " + std::to_string(c.from) + ".." +
           std::to_string(c.to) + " running " + std::to_string(c.running) + " raw " +
           std::to_string(c.raw);
}

// Costs nothing and counts exactly, until told otherwise.
inline cs_multiplex_spec plain_spec(const std::vector<uint32_t> &events, unsigned cpus)
{
    cs_multiplex_spec spec = {};

    std::copy(events.begin(), events.end(), spec.events);
    spec.nr_events = unsigned(events.size());
    std::fill_n(spec.cpus, cpus, true);
    spec.counters = 2;
    spec.counter_bits = 64;
    spec.tick_us = 100;
    spec.divider = 1;
    spec.stop_us = 1000;
    return spec;
}

struct Rig {
    cs_multiplex_spec spec;
    unsigned nr_cpus;
    unsigned tool_cpu = 0;
    unsigned wake_every = 0; // the line comes up by itself so often
    std::vector<cs_multiplex_outage> outages;
    cs_multiplex *mux = nullptr;
    cs_cpu *port = nullptr;
    std::vector<cs_rotated_count> told;
    std::vector<Stay> stays; // that took time
    std::vector<cs_cycle> entered;
    cs_cycle end = 0;

    Rig(const cs_multiplex_spec &s, unsigned cpus) : spec(s), nr_cpus(cpus), entered(cpus, CS_NEVER)
    {
    }

    Rig(const Rig &) = delete;

    ~Rig()
    {
        cs_cpu_destroy(port);
        cs_multiplex_destroy(mux);
    }

    static void heard(void *ctx, const cs_soft_record *record)
    {
        const auto *count = cs_told_rotated(record);

        EXPECT_STREQ(count->pmu, CS_ROTATED_CPU_PMU);
        EXPECT_EQ(count->command, 0u);
        EXPECT_EQ(count->unit, 0u);
        static_cast<Rig *>(ctx)->told.push_back(*count);
    }

    static void enter(void *ctx, cs_cycle cycle, unsigned core)
    {
        Rig *r = static_cast<Rig *>(ctx);

        ASSERT_GE(core, 1u);
        ASSERT_LE(core, r->nr_cpus);
        EXPECT_EQ(r->entered[core - 1], CS_NEVER);
        r->entered[core - 1] = cycle;
    }

    static void leave(void *ctx, cs_cycle cycle, unsigned core)
    {
        Rig *r = static_cast<Rig *>(ctx);
        cs_cycle &since = r->entered[core - 1];

        ASSERT_NE(since, CS_NEVER);
        if (since != cycle)
            r->add(Stay{core - 1, since, cycle});
        since = CS_NEVER;
    }

    // Stays that touch are one.
    void add(const Stay &stay)
    {
        for (Stay &s : stays)
            if (s.cpu == stay.cpu && s.leave == stay.enter) {
                s.leave = stay.leave;
                return;
            }
        stays.push_back(stay);
    }

    static cs_bus_submit submit(void *, unsigned, cs_bus_txn *)
    {
        ADD_FAILURE() << "a bus access";
        return CS_BUS_PENDING;
    }

    // Runs it to its end; false: it did not end before `limit`.
    bool run(Streams &streams, cs_cycle limit)
    {
        const std::vector<cs_event_source> sources = streams.sources();
        const cs_soft_sink soft = {heard, this};
        const cs_multiplex_config config = {&spec,          1,     nr_cpus,        tool_cpu,
                                            sources.data(), &soft, outages.data(), outages.size()};
        cs_diag diag = {};

        EXPECT_EQ(cs_multiplex_create(&config, &mux, &diag), CS_OK) << diag.text;
        const cs_cpu_env env = {
            {submit, this}, cs_multiplex_software(mux), enter, leave, nullptr, this};
        EXPECT_EQ(cs_cpu_create(&env, &port, nullptr), CS_OK);
        uint64_t stolen_before = 0;

        for (cs_cycle now = 1; now < limit && !cs_cpu_ended(port); now++) {
            if (wake_every != 0 && now % wake_every == 0)
                cs_cpu_irq(port, now, 0, true);
            if (wake_every != 0 && now % wake_every == 1)
                cs_cpu_irq(port, now, 0, false);
            cs_cpu_advance(port, now + 1);
            if (now % 64 != 0)
                continue;
            const uint64_t stolen_now = cs_multiplex_stolen(mux, tool_cpu, now + 1);
            EXPECT_LE(stolen_now - stolen_before, 64u); // what is taken is never given back
            stolen_before = stolen_now;
        }
        end = cs_cpu_end_cycle(port);
        std::sort(stays.begin(), stays.end());
        return cs_cpu_ended(port);
    }

    const cs_multiplex_report &report() const
    {
        return *cs_multiplex_get_report(mux);
    }

    uint64_t stolen(unsigned cpu) const
    {
        uint64_t cycles = 0;

        for (const Stay &s : stays)
            cycles += s.cpu == cpu ? s.leave - s.enter : 0;
        return cycles;
    }
};

} // namespace cs_multiplex_test

#endif
