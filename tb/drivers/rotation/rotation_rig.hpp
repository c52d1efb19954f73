// SPDX-License-Identifier: Apache-2.0
// Event lists, told in words: events are named after their PMU (A, B, ...) and their number there.
#ifndef CS_TB_ROTATION_RIG_HPP
#define CS_TB_ROTATION_RIG_HPP

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "drivers/rotation/rotation.h"

namespace cs_test
{

struct EventList {
    cs_rotation_list list = CS_ROTATION_PER_PMU;
    bool first_to_end = false;
    std::vector<cs_rotation_pmu> pmus;
    std::vector<cs_rotation_event> events;
    uint64_t tick_cycles = 1000;
    unsigned limit_percent = 10;
    unsigned most_divider = 16;

    EventList &pmu(unsigned counters, unsigned divider = 1, bool adaptive = false)
    {
        pmus.push_back({counters, divider, adaptive});
        return *this;
    }

    EventList &event(unsigned pmu, unsigned group, uint32_t allowed, bool pinned = false)
    {
        events.push_back({pmu, group, allowed, pinned});
        return *this;
    }

    // Each in a group of its own, on any counter.
    EventList &plain(unsigned pmu, unsigned count, bool pinned = false)
    {
        for (unsigned i = 0; i < count; i++)
            event(pmu, 1000 + static_cast<unsigned>(events.size()), all(pmu), pinned);
        return *this;
    }

    uint32_t all(unsigned pmu) const
    {
        return UINT32_MAX >> (CS_ROTATION_MAX_COUNTERS - pmus[pmu].counters);
    }

    cs_rotation_config config() const
    {
        return {list,          pmus.data(),  pmus.size(), events.data(), events.size(), tick_cycles,
                limit_percent, most_divider, {},          first_to_end};
    }

    std::string name(size_t event) const
    {
        unsigned number = 1;

        for (size_t i = 0; i < event; i++)
            number += events[i].pmu == events[event].pmu;
        return std::string(1, static_cast<char>('A' + events[event].pmu)) + std::to_string(number);
    }
};

class Rotation
{
  public:
    explicit Rotation(const EventList &of) : setup(of)
    {
        cs_rotation *made = nullptr;
        cs_diag diag = {};
        const cs_rotation_config config = setup.config();

        EXPECT_EQ(cs_rotation_create(&config, &made, &diag), CS_OK) << diag.text;
        rotation.reset(made);
    }

    cs_rotation *get()
    {
        return rotation.get();
    }

    // As "A3 A1 A2".
    std::string order(unsigned pmu = 0)
    {
        std::vector<unsigned> groups(setup.events.size() + 1);
        std::string text;

        groups.resize(cs_rotation_order(get(), pmu, groups.data(), groups.size()));
        for (unsigned group : groups)
            text += (text.empty() ? "" : " ") + setup.name(group);
        return text;
    }

    // As "A1:0 A2:1", events as opened; those on none are left out.
    std::string on()
    {
        const int8_t *counters = cs_rotation_counters(get());
        std::string text;

        for (size_t i = 0; i < setup.events.size(); i++)
            if (counters[i] >= 0)
                text += (text.empty() ? "" : " ") + setup.name(i) + ":" +
                        std::to_string(static_cast<int>(counters[i]));
        return text;
    }

    uint64_t tick()
    {
        return cs_rotation_tick(get());
    }

    unsigned divider(unsigned pmu = 0)
    {
        return cs_rotation_divider(get(), pmu);
    }

  private:
    struct Destroy {
        void operator()(cs_rotation *of) const
        {
            cs_rotation_destroy(of);
        }
    };

    EventList setup;
    std::unique_ptr<cs_rotation, Destroy> rotation;
};

} // namespace cs_test

#endif
