// SPDX-License-Identifier: Apache-2.0
// The IMC driver on the fake of fake_power.hpp, and what perf hears of it.
#ifndef CS_TB_IMC_SESSION_HPP
#define CS_TB_IMC_SESSION_HPP

#include <algorithm>

#include "fake_power.hpp"

#include "drivers/imc/imc_driver.h"
#include "drivers/told.h"
#include "scenario/imc/imc_driver_spec.h"

namespace cs_power_test
{

using Log = std::vector<std::string>;

// Two cores of two threads: CPUs 0, 1 and 2, 3. The kernel's memory begins at 0x81000000.
constexpr uint64_t kCore0 = 0x81000000, kCore1 = 0x81002000;
constexpr uint64_t kThread0 = 0x81004000, kThread1 = 0x81006000, kThread3 = 0x8100a000;
constexpr uint64_t kTrace0 = 0x81040000, kTrace1 = 0x81080000;
constexpr uint64_t kNest = 0xBF980000;
constexpr cs_cycle kOpal = 50, kCrossCall = 100, kRecord = 7;

// Offsets of counters of power9_small.dts.
// A die with a nest; the software comes up at once, as without one.
const std::string kWithNest = "nest: {present: true, tick_cycles: 16}\n";

constexpr uint64_t kPcyc = 0x18, kInst = 0x20, kNonIdleInst = 0x28; // core, CPM_
constexpr uint64_t kPcycUser = 0x1018;                              // thread, CPM_CS_PCYC_USER

struct Count {
    unsigned command, cpu;
    std::string event;
    cs_cycle from, to;
    uint64_t raw;
};

struct ImcSession : FakePower {
    std::vector<std::string> opened; // "0 good", "1 EBUSY another of ..."
    std::vector<Count> counts;
    std::vector<cs_imc_perf_sample> samples;
    std::vector<cs_imc_trouble> troubles;
    Log warnings;
    int tool_cpu = -1; // >= 0: instead of software.cpu
    cs_imc_driver *driver = nullptr;

    explicit ImcSession(const std::string &perf, const std::string &imc = "",
                        const std::string &more = "")
        : FakePower(yaml(perf, imc, more))
    {
    }

    struct Raw {
        std::string text;
        std::string folder;
    };

    explicit ImcSession(const Raw &raw) : FakePower(raw.text, raw.folder) {}

    ~ImcSession() override
    {
        cs_imc_driver_destroy(driver);
    }

    // `perf` are elements of imc_driver.perf in braces, one a line; `imc` more keys of imc (with a
    // comma before), `more` whole sections and more keys of imc_driver.
    static std::string yaml(const std::string &perf, const std::string &imc = "",
                            const std::string &more = "",
                            const std::string &catalog = "power9_small.dts")
    {
        std::string text = "name: test\ncatalog: " + catalog + "\nimc: {cores: 2, threads: 2" +
                           imc + "}\nsoftware: {kind: imc, cpu: 1}\n" + more +
                           "imc_driver:\n"
                           "  opal_cycles: 50\n"
                           "  cross_call_cycles: 100\n"
                           "  record_cycles: 7\n"
                           "  perf:\n";
        size_t at = 0;

        while (at < perf.size()) {
            const size_t end = perf.find('\n', at);
            text += "    - " + perf.substr(at, end - at) + "\n";
            at = end == std::string::npos ? perf.size() : end + 1;
        }
        return text;
    }

    static void told(void *ctx, const cs_soft_record *r)
    {
        auto *session = static_cast<ImcSession *>(ctx);

        if (r->kind == &cs_soft_imc_opened) {
            const auto *o = cs_told_imc_opened(r);
            std::string text = std::to_string(o->command) + " " + cs_imc_error_name(o->error);

            if (o->error != CS_IMC_GOOD)
                text += std::string(": ") + o->reason;
            session->opened.push_back(text);
        } else if (r->kind == &cs_soft_count) {
            const auto *c = cs_told_count(r);

            session->counts.push_back({c->command, c->cpu, c->name, c->from, c->to, c->raw});
        } else if (r->kind == &cs_soft_imc_sample) {
            session->samples.push_back(*cs_told_imc_sample(r));
        } else if (r->kind == &cs_soft_imc_trouble) {
            session->troubles.push_back(*cs_told_imc_trouble(r));
        } else if (r->kind == &cs_soft_warning) {
            session->warnings.emplace_back(cs_told_warning(r));
        }
    }
    // a task for each CPU and 10 us
    struct Context {
        unsigned cpu;

        static void at(void *ctx, cs_cycle cycle, cs_context *out)
        {
            const unsigned cpu = static_cast<const Context *>(ctx)->cpu;

            *out = {0x1000, unsigned(100 * (cpu + 1) + cycle / (10 * kUs)), 0, 3, nullptr, false,
                    0};
        }
    };

    const cs_imc_driver_report &run(cs_cycle until = 1000000000)
    {
        const cs_soft_sink soft = {told, this};
        std::vector<Context> contexts(CS_MAX_CPUS);
        std::vector<cs_event_source> sources;
        cs_diag diag = {};

        for (unsigned cpu = 0; cpu < contexts.size(); cpu++) {
            contexts[cpu].cpu = cpu;
            sources.push_back({nullptr, nullptr, Context::at, &contexts[cpu], nullptr});
        }
        cs_imc_driver_config config = cs_imc_driver_config_of(scenario);
        config.events = sources.data();
        config.soft = &soft;
        if (tool_cpu >= 0)
            config.tool_cpu = unsigned(tool_cpu);
        EXPECT_EQ(cs_imc_driver_create(&config, &driver, &diag), CS_OK) << diag.text;
        run_software(cs_imc_driver_software(driver), until);
        EXPECT_EQ(report().samples, samples.size());
        return report();
    }

    // The nest's engine has begun: all units are available.
    void nest_runs()
    {
        put(kNest + 0x3fc00, 1);
        put(kNest + 0x3fc18, UINT64_MAX);
    }

    const cs_imc_driver_report &report() const
    {
        return *cs_imc_driver_get_report(driver);
    }

    std::vector<uint64_t> raws() const
    {
        std::vector<uint64_t> list;
        for (const Count &c : counts)
            list.push_back(c.raw);
        return list;
    }

    // Accesses from the first command on: the boot is over by then.
    Log work() const
    {
        return log(first_start());
    }

    cs_cycle first_start() const
    {
        uint64_t start = UINT64_MAX;
        for (size_t i = 0; i < scenario->imc_driver->nr_perf; i++)
            start = std::min(start, scenario->imc_driver->perf[i].start_us);
        return cs_scenario_us(scenario, start);
    }

    // Words 0, 1, 2 and 7 of a trace record.
    void put_record(uint64_t buffer, unsigned number, uint64_t tb1, uint64_t ip, uint64_t val,
                    uint64_t tb2)
    {
        const uint64_t at = buffer + 64ull * number;

        put(at, tb1);
        put(at + 8, ip);
        put(at + 16, val);
        put(at + 56, tb2);
    }

    // Records first .. last - 1, with rising timebases from tb on.
    void put_records(uint64_t buffer, unsigned first, unsigned last, uint64_t tb)
    {
        for (unsigned i = first; i < last; i++, tb++)
            put_record(buffer, i, tb, 0x1000 + 4 * i, 0, tb & 0x3ffffffffff);
    }

    // The timebases of what was delivered.
    std::vector<uint64_t> timebases() const
    {
        std::vector<uint64_t> list;
        for (const cs_imc_perf_sample &s : samples)
            list.push_back(s.timebase);
        return list;
    }
};

} // namespace cs_power_test

#endif
