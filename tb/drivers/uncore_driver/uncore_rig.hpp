// SPDX-License-Identifier: Apache-2.0
// perf's software on C models of uncore units, with a bus of fixed times between them. What the
// software does to the registers is written down, and read again by a plain reckoning that knows
// docs/hw/uncore.md only: which counter counted what in which cycles.
#ifndef CS_TB_DRIVERS_UNCORE_RIG_HPP
#define CS_TB_DRIVERS_UNCORE_RIG_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "drivers/cpu.h"
#include "drivers/uncore/uncore_driver.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include <countersink/base/numbers.h>
#include <countersink/models/uncore/uncore.h>

namespace cs_test
{

constexpr uint32_t kCtl = 8, kOvf = 0x10, kIe = 0x18, kSelect = 0x100, kCount = 0x200;

struct RegisterAccess {
    cs_cycle rose, effect;
    unsigned cpu; // whose turn it was; CS_MAX_CPUS: nobody's
    unsigned unit;
    bool write;
    uint32_t offset;
    uint64_t value;
};

struct Stay {
    unsigned cpu;
    cs_cycle from, to;
};

struct UncoreRig {
    cs_scenario *scenario = nullptr;
    cs_timelines *timelines = nullptr;
    std::vector<cs_uncore *> units;
    cs_uncore_driver *driver = nullptr;
    cs_cpu *cpu = nullptr;
    std::vector<RegisterAccess> log;
    std::vector<Stay> stays;
    std::vector<cs_count> counts; // all, as told
    std::function<bool(const RegisterAccess &)> refuses = [](const auto &) { return false; };

    std::vector<bool> levels; // of the units' lines
    std::vector<cs_uncore_moved> moves;
    std::function<bool(unsigned cpu, cs_cycle cycle)> waits = [](unsigned, cs_cycle) {
        return false;
    };

    const cs_soft_sink soft = {
        [](void *rig, const cs_soft_record *r) {
            if (r->kind == &cs_soft_uncore_moved)
                static_cast<UncoreRig *>(rig)->moves.push_back(*cs_told_uncore_moved(r));
            if (r->kind == &cs_soft_count)
                static_cast<UncoreRig *>(rig)->counts.push_back(*cs_told_count(r));
        },
        this};

    explicit UncoreRig(const std::string &text, const std::vector<const char *> &sets = {})
    {
        cs_diag diag = {};
        check(cs_scenario_parse(text.data(), text.size(), "rig.yaml", ".", sets.data(), sets.size(),
                                &scenario, &diag),
              diag);
        check(cs_scenario_timelines(scenario, &timelines, &diag), diag);
        for (unsigned i = 0; i < scenario->uncore->nr_units; i++) {
            const cs_uncore_unit_spec &u = scenario->uncore->units[i];
            const cs_uncore_config config = {u.counters, u.width, 0, 0, false};
            const cs_event_source events = {sum, reach, nullptr, timeline(i), nullptr};

            units.push_back(nullptr);
            const cs_uncore_env env = {events, nullptr, {}};
            check(cs_uncore_create(&config, &env, &units.back(), &diag), diag);
        }
        cs_uncore_driver_config config = cs_uncore_driver_config_of(scenario);
        config.soft = &soft;
        config.waits = [](void *rig, unsigned cpu, cs_cycle cycle, bool) {
            return static_cast<UncoreRig *>(rig)->waits(cpu, cycle);
        };
        config.waits_ctx = this;
        check(cs_uncore_driver_create(&config, &driver, &diag), diag);
        cs_cpu_env env = {};
        env.bus = {submit, this};
        env.software = cs_uncore_driver_software(driver, 0);
        env.core_ctx = this;
        env.enter = [](void *rig, cs_cycle cycle, unsigned core) {
            auto *r = static_cast<UncoreRig *>(rig);

            EXPECT_TRUE(r->stays.empty() || r->stays.back().to != CS_NEVER) << "one at a time";
            r->stays.push_back({core - 1, cycle, CS_NEVER});
        };
        env.leave = [](void *rig, cs_cycle cycle, unsigned core) {
            auto *r = static_cast<UncoreRig *>(rig);

            EXPECT_EQ(r->stays.back().cpu, core - 1);
            r->stays.back().to = cycle;
        };
        check(cs_cpu_create(&env, &cpu, &diag), diag);
    }
    ~UncoreRig()
    {
        cs_cpu_destroy(cpu);
        cs_uncore_driver_destroy(driver);
        for (cs_uncore *unit : units)
            cs_uncore_destroy(unit);
        cs_timelines_destroy(timelines);
        cs_scenario_destroy(scenario);
    }
    UncoreRig(const UncoreRig &) = delete;
    UncoreRig &operator=(const UncoreRig &) = delete;

    // Up to its end, or up to `until`.
    void run(cs_cycle until = UINT64_C(20000000000))
    {
        while (!cs_cpu_ended(cpu)) {
            while (raise_first(std::min(cs_cpu_next(cpu), until))) {
            }
            if (cs_cpu_next(cpu) >= until)
                break;
            cs_cpu_advance(cpu, cs_cpu_next(cpu) + 1);
        }
    }
    bool ended() const
    {
        return cs_cpu_ended(cpu);
    }
    const cs_rotating_report &report() const
    {
        return *cs_uncore_driver_get_report(driver);
    }
    std::vector<cs_count> finals() const
    {
        std::vector<cs_count> list;

        for (const auto &c : counts)
            if (c.final)
                list.push_back(c);
        return list;
    }
    cs_timeline *timeline(unsigned unit) const
    {
        return cs_timelines_cpu(timelines, CS_UNCORE_TIMELINE(unit));
    }
    uint64_t truth(unsigned unit, uint32_t event, cs_cycle from, cs_cycle to) const
    {
        return cs_timeline_sum(timeline(unit), CS_EVENT_UNCORE(event), CS_MODE_ALL, from, to);
    }

    // By unit and event: the exact sum over the cycles in which a counter counted it.
    std::map<std::pair<unsigned, uint32_t>, uint64_t> counted() const
    {
        struct Counter {
            uint64_t select = 0;
            cs_cycle since = 0;
        };
        struct Unit {
            bool en = false;
            Counter counters[16];
        };
        std::map<std::pair<unsigned, uint32_t>, uint64_t> result;
        std::map<unsigned, Unit> all;

        for (const RegisterAccess &a : log) {
            if (!a.write)
                continue;
            Unit &u = all[a.unit];

            for (unsigned n = 0; n < 16; n++) {
                Counter &c = u.counters[n];

                // What counted below effect + 1: the cycle of a write counts by what was before.
                if (u.en && (c.select & 0x10000) != 0)
                    result[{a.unit, c.select & 0xffff}] +=
                        truth(a.unit, c.select & 0xffff, c.since, a.effect + 1);
                c.since = a.effect + 1;
            }
            if (a.offset == kCtl)
                u.en = (a.value & 1) != 0;
            else if (a.offset >= kSelect && a.offset < kSelect + 128)
                u.counters[(a.offset - kSelect) / 8].select = a.value;
        }
        return result;
    }

  private:
    static void check(cs_status status, const cs_diag &diag)
    {
        if (status != CS_OK)
            throw std::runtime_error(std::to_string(diag.line) + ":" + std::to_string(diag.column) +
                                     ": " + diag.text);
    }
    static uint64_t sum(void *tl, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
    {
        return cs_timeline_sum(static_cast<cs_timeline *>(tl), CS_EVENT_UNCORE(event), modes, from,
                               to);
    }
    static cs_cycle reach(void *tl, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
    {
        return cs_timeline_reach(static_cast<cs_timeline *>(tl), CS_EVENT_UNCORE(event), modes,
                                 from, n);
    }
    unsigned unit_at(uint64_t addr) const
    {
        const uint64_t bridge = (addr - CS_UNCORE_BASE) / CS_UNCORE_BYTES;
        const uint64_t slot = addr / 0x10000 % 16;

        for (unsigned i = 0; i < scenario->uncore->nr_units; i++)
            if (scenario->uncore->units[i].bridge == bridge &&
                scenario->uncore->units[i].slot == slot)
                return i;
        throw std::runtime_error("an access to nobody");
    }
    // The first line that changes by itself up to `cycle`. False: none does, or nobody waits for lines.
    bool raise_first(cs_cycle cycle)
    {
        cs_cycle first = CS_NEVER;

        for (const cs_uncore *unit : units)
            first = std::min(first, cs_uncore_next(unit));
        if (first > cycle || first == CS_NEVER || !scenario->uncore_driver->by_interrupt)
            return false;
        for (cs_uncore *unit : units)
            cs_uncore_advance(unit, first);
        show_lines();
        return true;
    }
    void show_lines()
    {
        levels.resize(units.size());
        for (unsigned i = 0; i < units.size() && scenario->uncore_driver->by_interrupt; i++) {
            if (cs_uncore_irq(units[i]) == levels[i])
                continue;
            levels[i] = !levels[i];
            cs_cpu_irq(cpu, cs_uncore_now(units[i]), CS_LINE_UNCORE(i), levels[i]);
        }
    }
    // The effect is so late as the bridge is far away; the answer takes 3 cycles more.
    static cs_bus_submit submit(void *rig, unsigned, cs_bus_txn *txn)
    {
        auto *r = static_cast<UncoreRig *>(rig);
        RegisterAccess a = {};

        EXPECT_EQ(txn->size, 8);
        a.unit = r->unit_at(txn->addr);
        a.rose = txn->request;
        a.effect =
            txn->request + 2 +
            r->scenario->uncore->bridges[r->scenario->uncore->units[a.unit].bridge].access_cycles;
        a.cpu =
            !r->stays.empty() && r->stays.back().to == CS_NEVER ? r->stays.back().cpu : CS_MAX_CPUS;
        a.write = txn->write != 0;
        a.offset = txn->addr & 0xffff;
        txn->complete = a.effect + 3;
        for (unsigned i = 0; i < 8 && a.write; i++)
            a.value |= uint64_t{txn->data[i]} << 8 * i;
        if (r->refuses(a)) {
            txn->resp = CS_BUS_SLVERR;
            return CS_BUS_DONE;
        }
        while (r->raise_first(a.effect)) {
        }
        if (a.write)
            EXPECT_EQ(CS_BUS_OKAY,
                      cs_uncore_write(r->units[a.unit], a.effect, a.offset, true, a.value));
        else
            EXPECT_EQ(CS_BUS_OKAY,
                      cs_uncore_read(r->units[a.unit], a.effect, a.offset, true, &a.value));
        r->show_lines();
        for (unsigned i = 0; i < 8; i++)
            txn->data[i] = static_cast<uint8_t>(a.value >> 8 * i);
        txn->resp = CS_BUS_OKAY;
        r->log.push_back(a);
        return CS_BUS_DONE;
    }
};

// Three units on one CPU, each with two counters and more events: those of the proposal's example.
inline std::string seed_example(const std::string &list)
{
    std::string text = R"(
corepmu: {clock_mhz: 1000}
pmcu: {clusters: 1, slots: 1}
software: {kind: uncore}
uncore:
  bridges: [{access_cycles: 12}]
  units:
)";
    const struct {
        char name;
        int events;
    } units[] = {{'A', 3}, {'B', 4}, {'C', 5}};

    for (const auto &u : units) {
        text += std::string("    - name: ") + u.name + "\n      counters: 2\n      segments:\n" +
                "        - events:\n";
        for (int e = 1; e <= u.events; e++)
            text += "            - {event: \"uncore:" + std::to_string(e) +
                    "\", kind: random, rate: 0." + std::to_string(e) + ", max_increment: 4}\n";
    }
    text += "uncore_driver:\n  list: " + list + "\n  tick_us: 10\n  perf:\n";
    for (const auto &u : units) {
        text += std::string("    - {units: [") + u.name + "], stop_us: 2401, events: [";
        for (int e = 1; e <= u.events; e++)
            text +=
                std::string(e > 1 ? ", " : "") + "{event: \"uncore:" + std::to_string(e) + "\"}";
        text += "]}\n";
    }
    return text;
}

} // namespace cs_test

#endif
