// SPDX-License-Identifier: Apache-2.0
// Event lists, told in words: events are named after their unit (A, B, ...) and their number there. The
// units have no registers: what is to be on a counter is there at once.
#ifndef CS_TB_UNIT_RIG_HPP
#define CS_TB_UNIT_RIG_HPP

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "drivers/unit_pmu/unit_pmu.h"

namespace cs_test
{

struct EventList {
    struct Unit {
        unsigned counters, divider;
        bool adaptive;
    };
    struct Event {
        unsigned unit, group;
        uint32_t allowed;
        bool pinned;
    };
    bool global = false;
    bool first_to_end = false;
    std::vector<Unit> units;
    std::vector<Event> events;
    uint64_t tick_cycles = 1000;
    unsigned limit_percent = 10;
    unsigned most_divider = 16;

    EventList &unit(unsigned counters, unsigned divider = 1, bool adaptive = false)
    {
        units.push_back({counters, divider, adaptive});
        return *this;
    }

    EventList &event(unsigned unit, unsigned group, uint32_t allowed, bool pinned = false)
    {
        events.push_back({unit, group + 1, allowed, pinned});
        return *this;
    }

    // Each in a group of its own, on any counter.
    EventList &plain(unsigned unit, unsigned count, bool pinned = false)
    {
        for (unsigned i = 0; i < count; i++)
            event(unit, 1000 + static_cast<unsigned>(events.size()), all(unit), pinned);
        return *this;
    }

    uint32_t all(unsigned unit) const
    {
        return UINT32_MAX >> (CS_UNIT_COUNTERS - units[unit].counters);
    }

    std::string name(size_t event) const
    {
        unsigned number = 1;

        for (size_t i = 0; i < event; i++)
            number += events[i].unit == events[event].unit;
        return std::string(1, static_cast<char>('A' + events[event].unit)) + std::to_string(number);
    }
};

class Rotation
{
  public:
    std::vector<uint64_t> costs; // of a unit, whenever something of it moves

    explicit Rotation(const EventList &of) : setup(of)
    {
        static const cs_units_ops ops = {now_of, enter, leave, change, read};
        static const cs_count_family family = {};
        cs_units_config config = {};

        config.ops = &ops;
        config.ctx = this;
        config.nr_cpus = 1;
        config.nr_units = static_cast<unsigned>(setup.units.size());
        config.most_events = setup.events.size() + 1;
        config.global = setup.global;
        config.last_first = !setup.first_to_end;
        config.limits = {setup.limit_percent * setup.tick_cycles, setup.most_divider};
        config.family = &family;
        EXPECT_EQ(cs_units_begin(&config, &units, nullptr), CS_OK);
        fill();
        cs_unit_session session = cs_unit_session_of(0, &cpu, 0, CS_NEVER, 0);
        const cs_unit_job begin = cs_unit_session_job(&session);
        cs_units_do(&units, &begin);
        EXPECT_FALSE(units.failed);
        for (unsigned i = 0; i < config.nr_units; i++)
            units.units[i].pace.adaptive = setup.units[i].adaptive;
    }
    ~Rotation()
    {
        cs_units_end(&units);
    }
    Rotation(const Rotation &) = delete;
    Rotation &operator=(const Rotation &) = delete;

    // The flexible groups, by their first events.
    std::vector<size_t> groups(unsigned unit) const
    {
        const cs_perf_event_list &list =
            units.perf->cpus[0].ctx.pmus[1 + (setup.global ? 0 : unit)].flexible;
        std::vector<size_t> all;
        cs_perf_event *leader;

        TAILQ_FOREACH (leader, &list, in_group)
            all.push_back(static_cast<size_t>(static_cast<cs_unit_event *>(cs_perf_user(leader)) -
                                              units.events));
        return all;
    }

    // As "A3 A1 A2".
    std::string order(unsigned unit = 0) const
    {
        std::string text;

        for (size_t group : groups(unit))
            text += (text.empty() ? "" : " ") + setup.name(group);
        return text;
    }

    // -1: none.
    int counter(size_t event) const
    {
        return units.events[event].counter;
    }

    // As "A1:0 A2:1", events as opened; those on none are left out.
    std::string on() const
    {
        std::string text;

        for (size_t i = 0; i < setup.events.size(); i++)
            if (counter(i) >= 0)
                text +=
                    (text.empty() ? "" : " ") + setup.name(i) + ":" + std::to_string(counter(i));
        return text;
    }

    // The next one, whether a list turns at it or not.
    void tick()
    {
        cs_unit_job job = {};

        job.kind = CS_UNIT_TICK;
        job.cpu = &cpu;
        cpu.tick = now;
        cpu.ahead = 1;
        cs_units_do(&units, &job);
    }

    unsigned divider(unsigned unit = 0) const
    {
        return cs_units_divider(&units, unit);
    }

  private:
    void fill()
    {
        for (unsigned i = 0; i < setup.units.size(); i++) {
            numbers.push_back(i);
            units.units[i].counters = setup.units[i].counters;
            units.units[i].divider = setup.units[i].divider;
            units.units[i].cpu = &cpu;
        }
        cpu.units = numbers.data();
        cpu.nr_units = static_cast<unsigned>(numbers.size());
        cpu.interval = setup.tick_cycles;
        cpu.tick = CS_NEVER;
        costs.resize(numbers.size());
        for (const EventList::Event &e : setup.events) {
            cs_unit_event &event = units.events[units.nr_events++];

            event.unit = e.unit;
            event.group = e.group;
            event.allowed = e.allowed;
            event.pinned = e.pinned;
            event.counter = CS_UNIT_NO_COUNTER;
        }
    }
    static cs_cycle now_of(void *rig)
    {
        return static_cast<Rotation *>(rig)->now;
    }
    static cs_cycle enter(void *rig, const cs_unit_cpu *)
    {
        return now_of(rig);
    }
    static void leave(void *, const cs_unit_cpu *, cs_cycle) {}
    static cs_cycle read(void *rig, cs_unit_event *)
    {
        return now_of(rig);
    }
    static void change(void *rig, cs_unit *unit, cs_unit_event *const to[], uint32_t moves)
    {
        auto *r = static_cast<Rotation *>(rig);

        for (unsigned n = 0; n < unit->counters; n++)
            if ((moves >> n & 1) != 0 && unit->on[n] != nullptr)
                cs_unit_leaves(unit, unit->on[n], r->now);
        for (unsigned n = 0; n < unit->counters; n++)
            if ((moves >> n & 1) != 0 && to[n] != nullptr)
                cs_unit_comes(unit, to[n], n, r->now);
        r->now += r->costs[unit->number];
    }

    EventList setup;
    cs_units units = {};
    std::vector<unsigned> numbers;
    cs_unit_cpu cpu = {};
    cs_cycle now = 0;
};

} // namespace cs_test

#endif
