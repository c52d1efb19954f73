// SPDX-License-Identifier: Apache-2.0
// A plain second reading of docs/drivers/rotation.md: every tick from the page's own words, every assignment
// by trying all of them, beside the code on random lists.
#include <algorithm>
#include <random>

#include "unit_rig.hpp"

using namespace cs_test;

namespace
{

constexpr unsigned kLists = 2000, kTicks = 50;

struct Reference {
    struct List {
        std::vector<std::vector<size_t>> groups; // in their present order, events in each
        unsigned divider = 1, least = 1, since = 0, calm = 0;
        bool adaptive = false, due = false, short_of = false;
        uint64_t cost = 0;
    };

    const EventList &setup;
    std::vector<List> lists;
    std::vector<size_t> pinned; // those that fit
    std::vector<int> counters;

    explicit Reference(const EventList &of) : setup(of), counters(of.events.size(), -1)
    {
        const bool global = setup.global;

        lists.resize(global ? 1 : setup.units.size());
        for (size_t i = 0; i < lists.size(); i++) {
            lists[i].divider = lists[i].least = setup.units[i].divider;
            lists[i].adaptive = setup.units[i].adaptive;
        }
        for (const std::vector<size_t> &group : groups()) {
            const EventList::Event &first = setup.events[group[0]];

            if (!first.pinned)
                lists[global ? 0 : first.unit].groups.push_back(group);
            else if (fits(joined(pinned, group), first.unit))
                pinned = joined(pinned, group);
        }
        for (List &list : lists)
            schedule(list);
    }

    std::vector<std::vector<size_t>> groups() const
    {
        std::vector<std::vector<size_t>> all;

        for (size_t i = 0; i < setup.events.size(); i++) {
            bool found = false;

            for (std::vector<size_t> &group : all)
                if (setup.events[group[0]].group == setup.events[i].group) {
                    group.push_back(i);
                    found = true;
                }
            if (!found)
                all.push_back({i});
        }
        return all;
    }

    static std::vector<size_t> joined(std::vector<size_t> a, const std::vector<size_t> &b)
    {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }

    std::vector<size_t> of_pmu(const std::vector<size_t> &events, unsigned pmu) const
    {
        std::vector<size_t> some;

        for (size_t event : events)
            if (setup.events[event].unit == pmu)
                some.push_back(event);
        return some;
    }

    // The first of all ways, in the order of the alphabet, that gives each event its own counter.
    bool try_all(const std::vector<size_t> &events, std::vector<int> &way, uint32_t used) const
    {
        if (way.size() == events.size())
            return true;
        for (int counter = 0; counter < 32; counter++) {
            const uint32_t bit = UINT32_C(1) << counter;

            if ((setup.events[events[way.size()]].allowed & bit) == 0 || (used & bit) != 0)
                continue;
            way.push_back(counter);
            if (try_all(events, way, used | bit))
                return true;
            way.pop_back();
        }
        return false;
    }

    bool fits(const std::vector<size_t> &events, unsigned pmu) const
    {
        std::vector<int> way;

        return try_all(of_pmu(events, pmu), way, 0);
    }

    void schedule(List &list)
    {
        std::vector<size_t> on = pinned;

        list.short_of = false;
        for (const std::vector<size_t> &group : list.groups) {
            for (size_t event : group)
                counters[event] = -1;
            if (list.short_of || !fits(joined(on, group), setup.events[group[0]].unit))
                list.short_of = true;
            else
                on = joined(on, group);
        }
        for (unsigned pmu = 0; pmu < setup.units.size(); pmu++)
            if (lists.size() == 1 || &list == &lists[pmu])
                assign(of_pmu(on, pmu));
    }

    void assign(const std::vector<size_t> &events)
    {
        std::vector<int> way;

        EXPECT_TRUE(try_all(events, way, 0));
        for (size_t i = 0; i < events.size(); i++)
            counters[events[i]] = way[i];
    }

    void adapt(List &list) const
    {
        uint64_t need = 1;

        while (100 * list.cost > setup.limit_percent * need * setup.tick_cycles)
            need++;
        if (need > list.divider) {
            list.divider = std::min(2 * list.divider, setup.most_divider);
            list.calm = 0;
        } else if (2 * need > list.divider) {
            list.calm = 0;
        } else {
            list.calm++;
        }
        if (list.calm == 4) {
            list.divider = std::max(list.divider / 2, list.least);
            list.calm = 0;
        }
    }

    void tick()
    {
        for (List &list : lists) {
            list.cost = 0;
            list.since++;
            list.due = list.since >= list.divider;
            if (!list.due)
                continue;
            list.since = 0;
            if (list.short_of) {
                list.groups.insert(list.groups.begin(), list.groups.back());
                list.groups.pop_back();
                schedule(list);
            }
        }
    }

    // What the tick has cost is known.
    void settle()
    {
        for (List &list : lists)
            if (list.due && list.adaptive)
                adapt(list);
    }

    bool has_one_on(const std::vector<int> &on, unsigned pmu) const
    {
        for (size_t i = 0; i < on.size(); i++)
            if (setup.events[i].unit == pmu && !setup.events[i].pinned && on[i] >= 0)
                return true;
        return false;
    }

    // Flexible events leave their counters, even if they come back; pinned ones may have to move.
    bool moves(unsigned pmu, const std::vector<int> &before)
    {
        const List &list = list_of(pmu);

        for (size_t i = 0; i < before.size(); i++)
            if (setup.events[i].unit == pmu && before[i] != counters[i])
                return true;
        return list.due && list.short_of && has_one_on(before, pmu);
    }

    List &list_of(unsigned pmu)
    {
        return lists[setup.global ? 0 : pmu];
    }
};

class Random
{
  public:
    explicit Random(unsigned seed) : engine(seed) {}

    unsigned below(unsigned end)
    {
        return static_cast<unsigned>(engine() % end);
    }

    EventList setup()
    {
        EventList s;
        const unsigned pmus = 1 + below(4), groups = below(12);

        s.global = below(2) == 0;
        s.limit_percent = 1 + below(100);
        s.tick_cycles = 1 + below(2000);
        s.most_divider = 4 + below(16);
        for (unsigned i = 0; i < pmus; i++)
            s.unit(1 + below(6), 1 + below(4), below(2) == 0);
        for (unsigned i = 0; i < groups; i++)
            add_group(s, i);
        std::shuffle(s.events.begin(), s.events.end(), engine);
        return s;
    }

  private:
    void add_group(EventList &s, unsigned group)
    {
        const unsigned pmu = below(static_cast<unsigned>(s.units.size()));
        const unsigned size = below(3) == 0 ? 1 + below(4) : 1;
        const bool pinned = below(5) == 0;

        for (unsigned i = 0; i < size; i++) {
            uint32_t allowed = s.all(pmu);

            if (below(3) != 0)
                allowed &= 1 + below(allowed); // 1..all
            s.event(pmu, group * 7, allowed, pinned);
        }
    }

    std::mt19937 engine;
};

struct Seen {
    uint64_t turned = 0, held = 0, moved_pinned = 0, divided = 0, shrunk = 0;
};

void same(const Rotation &rotation, Reference &reference, const EventList &setup)
{
    for (size_t i = 0; i < setup.events.size(); i++)
        ASSERT_EQ(rotation.counter(i), reference.counters[i]) << setup.name(i);
    for (unsigned pmu = 0; pmu < setup.units.size(); pmu++) {
        const Reference::List &list = reference.list_of(pmu);
        const std::vector<size_t> order = rotation.groups(pmu);

        ASSERT_EQ(order.size(), list.groups.size());
        for (size_t i = 0; i < order.size(); i++)
            ASSERT_EQ(order[i], list.groups[i][0]);
        ASSERT_EQ(rotation.divider(pmu), setup.events.empty() ? 0 : list.divider);
    }
}

void compare(unsigned seed, Seen &seen)
{
    Random random(seed);
    const EventList setup = random.setup();
    Rotation rotation(setup);
    Reference reference(setup);
    const unsigned dearest = 1 + random.below(20000);

    for (unsigned tick = 0; tick < kTicks; tick++) {
        ASSERT_NO_FATAL_FAILURE(same(rotation, reference, setup)) << "tick " << tick;
        const std::vector<int> before = reference.counters;

        reference.tick();
        for (size_t event : reference.pinned)
            seen.moved_pinned += before[event] != reference.counters[event];
        for (unsigned pmu = 0; pmu < setup.units.size(); pmu++) {
            const unsigned cost = random.below(dearest);
            Reference::List &list = reference.list_of(pmu);

            rotation.costs[pmu] = cost;
            if (reference.moves(pmu, before))
                list.cost += cost;
            seen.turned += list.due && list.short_of;
            seen.held += list.due && !list.short_of;
            seen.divided += list.divider > list.least;
            seen.shrunk += list.divider > list.least && list.calm == 3;
        }
        rotation.tick();
        reference.settle();
    }
}

TEST(RotationReference, RandomLists)
{
    Seen seen;

    for (unsigned seed = 0; seed < kLists; seed++) {
        compare(seed, seen);
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    }
    EXPECT_GT(seen.turned, 20000u);
    EXPECT_GT(seen.held, 20000u);
    EXPECT_GT(seen.moved_pinned, 300u);
    EXPECT_GT(seen.divided, 10000u);
    EXPECT_GT(seen.shrunk, 300u);
}

} // namespace
