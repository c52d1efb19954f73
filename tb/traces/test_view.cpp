// SPDX-License-Identifier: Apache-2.0
// What a view makes of records, fed by hand; and what the timelines' writers do with it when
// something fails.
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <memory>
#include <set>

#include <sys/resource.h>

#include "results/pmcu/collector.h"
#include "scenario/load.h"
#include "support/babeltrace.hpp"
#include "support/forked.hpp"
#include "support/temp_folder.hpp"
#include "traces/timeline/view.h"
#include "traces/trace.h"

using namespace cs_test;

namespace
{

// 2 CPUs of Arm's kind, 2 threads of POWER's, 2 harts; 100 MHz: the load is told every 1000 cycles.
const char *const kScenario = R"(name: mixed
bus: {clock_mhz: 100}
corepmu: {clock_mhz: 200}
pmcu: {clusters: 1, slots: 2}
imc: {cores: 1, threads: 2, timebase_mhz: 50}
harts: {count: 2}
workloads: []
software: {kind: script}
script:
  - {delay: 10}
)";

struct Told {
    std::string group, track, name;
    cs_view_kind kind;
    uint32_t instance;
    unsigned number;
    cs_cycle from, to;
    std::vector<uint64_t> values; // of a text: 0

    std::string text() const
    {
        return group + "/" + track + " " + name + " [" + std::to_string(from) + ", " +
               std::to_string(to) + ")";
    }
};

struct View : testing::Test {
    View()
    {
        const cs_view_sink sink = {event, ended, this};
        cs_diag diag = {};

        EXPECT_EQ(cs_scenario_parse(kScenario, std::strlen(kScenario), "mixed.yaml", ".", nullptr,
                                    0, &scenario, &diag),
                  CS_OK)
            << diag.text;
        EXPECT_EQ(cs_view_create(scenario, &sink, &view, &diag), CS_OK);
    }
    ~View() override
    {
        cs_view_destroy(view);
        cs_scenario_destroy(scenario);
    }
    static cs_status event(void *ctx, const cs_view_event *e)
    {
        auto *v = static_cast<View *>(ctx);
        Told told = {e->track->group_name,
                     e->track->name,
                     e->name,
                     e->track->kind,
                     e->track->instance,
                     e->track->number,
                     e->from,
                     e->to,
                     {}};

        for (size_t i = 0; i < e->type->nr_fields; i++)
            told.values.push_back(e->type->fields[i].kind == CS_FIELD_TEXT ? 0
                                                                           : e->values[i].number);
        v->told.push_back(told);
        return v->told.size() == v->room ? CS_ERR_IO : CS_OK;
    }
    static cs_status ended(void *ctx, cs_status status, cs_diag *)
    {
        static_cast<View *>(ctx)->ends++;
        return status;
    }
    void record(cs_probe_kind kind, unsigned source, cs_cycle cycle, uint64_t value,
                unsigned index = 0)
    {
        cs_probe_record r = {};

        r.cycle = cycle;
        r.kind = static_cast<uint8_t>(kind);
        r.source = static_cast<uint16_t>(source);
        r.index = static_cast<uint16_t>(index);
        r.value = value;
        cs_view_probe(view, &r);
    }
    void transfer(unsigned manager, cs_cycle request, cs_cycle grant, cs_cycle last)
    {
        cs_probe_record r = {};

        r.kind = CS_PROBE_BUS;
        r.source = static_cast<uint16_t>(manager);
        r.request = request;
        r.grant = grant;
        r.cycle = last;
        cs_view_probe(view, &r);
    }
    void software(unsigned cpu, cs_cycle cycle, unsigned track)
    {
        cs_track_change change = {};

        change.track = track;
        soft(&cs_soft_track, cycle, cpu, &change);
    }
    void soft(const cs_soft_kind *kind, cs_cycle cycle, unsigned cpu, const void *what)
    {
        const cs_soft_record r = {kind, cycle, cpu, what};

        cs_view_soft(view, &r);
    }
    std::vector<std::string> texts() const
    {
        std::vector<std::string> result;

        for (const Told &t : told)
            result.push_back(t.text());
        return result;
    }
    cs_status finish(cs_cycle end)
    {
        return cs_view_finish(view, end, nullptr);
    }

    cs_scenario *scenario = nullptr;
    cs_view *view = nullptr;
    std::vector<Told> told;
    size_t room = SIZE_MAX; // the event at which the sink fails
    unsigned ends = 0;
};

using Texts = std::vector<std::string>;

TEST_F(View, AStateLastsUntilTheNextOrTheEnd)
{
    record(CS_PROBE_STATE, CS_UNIT_PMCU, 100, 1);
    record(CS_PROBE_STATE, CS_UNIT_PMCU, 150, 5);
    record(CS_PROBE_STATE, CS_UNIT_IMC(0), 120, 2);
    record(CS_PROBE_STATE, CS_UNIT_PMCU, 400, 99); // no state has this number
    EXPECT_EQ(texts(), (Texts{"pmcu/state INIT [100, 150)", "pmcu/state WAIT [150, 400)"}));
    EXPECT_EQ(finish(1000), CS_OK);

    const auto all = texts();
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(std::set<std::string>(all.begin() + 2, all.end()),
              (std::set<std::string>{"pmcu/state pmcu_state [400, 1000)",
                                     "imc core 0/state RUN [120, 1000)"}));
    EXPECT_EQ(ends, 1u);
}

TEST_F(View, ALineIsThereWhileItIsHigh)
{
    record(CS_PROBE_IRQ, CS_UNIT_HART(1), 10, 1, 0);
    record(CS_PROBE_IRQ, CS_UNIT_HART(1), 12, 1, 2);
    record(CS_PROBE_IRQ, CS_UNIT_HART(1), 30, 0, 0);
    record(CS_PROBE_IRQ, CS_UNIT_HART(1), 40, 1, 0);
    record(CS_PROBE_IRQ, CS_UNIT_HART(1), 41, 0, 0);
    EXPECT_EQ(finish(50), CS_OK);

    EXPECT_EQ(texts(),
              (Texts{"hart 1/LCOFI to M interrupt [10, 30)", "hart 1/LCOFI to M interrupt [40, 41)",
                     "hart 1/LCOFI to VS interrupt [12, 50)"}));
    EXPECT_EQ(told[2].values, (std::vector<uint64_t>{38, 2}));
}

TEST_F(View, SoftwareComesAndGoes)
{
    software(0, 5, 1);
    software(0, 9, 0);
    software(4, 5, 2); // hart 0
    software(4, 7, 1); // straight into another
    software(4, 7, 0);
    software(0, 20, 1);
    EXPECT_EQ(finish(30), CS_OK);

    EXPECT_EQ(texts(), (Texts{"cpu 0/software handler [5, 9)", "hart 0/software firmware [5, 7)",
                              "hart 0/software kernel [7, 7)", "cpu 0/software handler [20, 30)"}));
}

// A stretch is 1000 cycles; what a transfer held is in those in which it did.
TEST_F(View, TheLoadOfTheBusIsCutIntoStretches)
{
    transfer(CS_MANAGER_CPU, 80, 100, 199);     // 100 in the first
    transfer(CS_MANAGER_CPU, 300, 900, 2099);   // 100, 1000, 100
    transfer(CS_MANAGER_CPU, 7000, 7500, 7500); // 1, after four without any
    transfer(CS_MANAGER_NEST, 10, 999, 1000);   // 1 and 1, of another
    EXPECT_EQ(finish(9000), CS_OK);

    std::vector<std::vector<uint64_t>> cpu, nest;
    for (const Told &t : told) {
        if (t.kind != CS_VIEW_LOAD)
            continue;
        EXPECT_EQ(t.to, t.from + 1000);
        (t.instance == CS_MANAGER_CPU ? cpu : nest).push_back({t.from, t.values[0], t.values[1]});
    }
    EXPECT_EQ(cpu, (std::vector<std::vector<uint64_t>>{
                       {0, 200, 20}, {1000, 1000, 100}, {2000, 100, 10}, {7000, 1, 0}}));
    EXPECT_EQ(nest, (std::vector<std::vector<uint64_t>>{{0, 1, 0}, {1000, 1, 0}}));
}

TEST_F(View, BetweenTheWindowsOfACpuNobodyCounts)
{
    const uint32_t events[] = {0x08, 0xC000};
    const uint64_t values[] = {11, 12, 0, 0, 31, 32};
    cs_pmcu_window windows[2] = {{100, 200, true, 0}, {0, 0, false, 0}};
    cs_pmcu_subsample s = {};

    s.nr_cpus = 2;
    s.nr_events = 2;
    s.has_cycles = true;
    s.events = events;
    s.windows = windows;
    s.values = values;
    soft(&cs_soft_pmcu_subsample, 0, 0, &s);
    windows[0] = {260, 360, true, 0};
    windows[1] = {265, 365, true, 0};
    s.number = 1;
    soft(&cs_soft_pmcu_subsample, 0, 0, &s);
    EXPECT_EQ(finish(1000), CS_OK);

    EXPECT_EQ(
        texts(),
        (Texts{"cpu 0/windows window [100, 200)", "cpu 0/windows INST_RETIRED [100, 200)",
               "cpu 0/windows cycle counter [100, 200)", "cpu 0/windows blind [200, 260)",
               "cpu 0/windows window [260, 360)", "cpu 0/windows INST_RETIRED [260, 360)",
               "cpu 0/windows cycle counter [260, 360)", "cpu 1/windows window [265, 365)",
               "cpu 1/windows INST_RETIRED [265, 365)", "cpu 1/windows cycle counter [265, 365)"}));
    EXPECT_EQ(told[8].values, (std::vector<uint64_t>{1, 8, 0, 12}));
    EXPECT_EQ(told[9].values, (std::vector<uint64_t>{1, 0x11, 0, 32}));
}

// Whatever comes: no two tracks have one number, and every group one name.
TEST_F(View, EverySourceHasATrackOfItsOwn)
{
    for (unsigned unit = 0; unit < CS_UNIT_UNCORE_ALL(4); unit++) {
        record(CS_PROBE_REG, unit, 1, 0);
        record(CS_PROBE_STATE, unit, 1, 1); // told of the PMCU, IMC cores and nests: 72
        record(CS_PROBE_IRQ, unit, 1, 1);
    }
    for (unsigned line = 1; line < 3; line++)
        record(CS_PROBE_IRQ, CS_UNIT_HART(0), 1, 1, line);
    for (unsigned manager = 0; manager < 0xa0; manager++)
        transfer(manager, 1, 1, 1);
    for (unsigned thread = 0; thread < 2; thread++)
        record(CS_PROBE_SAMPLE, CS_UNIT_IMC(0), 1, 0, thread);
    for (unsigned group = 0; group < 8; group++)
        record(CS_PROBE_SAMPLE, CS_UNIT_NEST, 1, 0, group);
    for (unsigned cpu = 0; cpu < 6; cpu++)
        software(cpu, 1, 1);
    EXPECT_EQ(finish(10), CS_OK);

    std::set<unsigned> numbers;
    std::set<std::pair<std::string, std::string>> names;
    size_t cores = 0;
    for (const Told &t : told) {
        EXPECT_NE(t.number, 0u);
        EXPECT_TRUE(numbers.insert(t.number).second) << t.text();
        EXPECT_TRUE(names.insert({t.group, t.track}).second || t.kind == CS_VIEW_LINES) << t.text();
        cores += t.group == "cpu 1";
    }
    EXPECT_EQ(cores, 3u) << "registers, line, software";
    EXPECT_EQ(told.size(), CS_UNIT_UNCORE_ALL(4) * 2 + 72 + 2 + 0xa0 * 2 + 2 + 8 + 6);
}

TEST_F(View, TheSinksFailureEndsIt)
{
    room = 3;
    for (cs_cycle cycle = 1; cycle < 100; cycle++)
        record(CS_PROBE_STATE, CS_UNIT_PMCU, cycle, cycle % 10);
    software(0, 5, 1);

    EXPECT_EQ(finish(1000), CS_ERR_IO);
    EXPECT_EQ(told.size(), 3u);
    EXPECT_EQ(ends, 1u);
}

// ---- the formats, with records by hand ----

struct Formats : View {
    cs_status create(const char *format, const char *flavour = nullptr)
    {
        request = {format, flavour, nullptr, path.c_str(), false, {}};
        return cs_trace_create(scenario, &request, &trace, &diag);
    }
    void probe(cs_probe_kind kind, unsigned source, cs_cycle cycle)
    {
        const cs_run_listener *listener = cs_trace_listener(trace);
        cs_probe_record r = {};

        r.kind = static_cast<uint8_t>(kind);
        r.source = static_cast<uint16_t>(source);
        r.cycle = cycle;
        listener->probe(listener->ctx, &r);
    }
    cs_status end(cs_cycle cycles)
    {
        const cs_run_listener *listener = cs_trace_listener(trace);

        return listener->end(listener->ctx, cycles, &diag);
    }

    TempFolder folder;
    std::string path = folder.file("t");
    cs_trace_request request = {};
    cs_trace *trace = nullptr;
    cs_diag diag = {};
};

TEST_F(Formats, TakeNoCommand)
{
    for (const char *format : {"ctf", "perfetto"}) {
        request = {format, nullptr, "riscv.perf.0", path.c_str(), false, {}};
        EXPECT_EQ(cs_trace_create(scenario, &request, &trace, &diag), CS_ERR_USAGE) << format;
        EXPECT_NE(std::string(diag.text).find("takes no --command"), std::string::npos)
            << diag.text;
        EXPECT_TRUE(folder.tree().empty());
    }
}

TEST_F(Formats, OfARunWithoutEventsAreWhole)
{
    for (const char *format : {"ctf", "perfetto"}) {
        path = folder.file(format);
        ASSERT_EQ(create(format), CS_OK) << diag.text;
        EXPECT_EQ(end(100), CS_OK);
        EXPECT_EQ(cs_trace_commit(trace, folder.file("").c_str(), &diag), CS_OK);
        cs_trace_destroy(trace);
    }
    EXPECT_EQ(folder.read("trace.json"), "{\"format\": \"perfetto\", \"flavour\": null, "
                                         "\"command\": null, \"switch_events\": false}\n");
    EXPECT_TRUE(ctf_read(folder.file("ctf")).empty());
    EXPECT_NE(folder.read("perfetto").find("\"traceEvents\":["), std::string::npos);
}

// What was asked for is written before the trace has its name: when that fails, nothing is left.
TEST_F(Formats, ARunFolderThatTakesNoRequestLeavesNothing)
{
    for (const char *format : {"ctf", "perfetto"}) {
        ASSERT_EQ(create(format), CS_OK) << diag.text;
        EXPECT_EQ(end(100), CS_OK);
        EXPECT_EQ(cs_trace_commit(trace, folder.file("gone").c_str(), &diag), CS_ERR_IO);
        EXPECT_EQ(std::string(diag.where), "trace.json");
        cs_trace_destroy(trace);
        EXPECT_TRUE(folder.tree().empty()) << format;
    }
}

TEST_F(Formats, HaveOneNameAndOtherSpellings)
{
    for (const char *format : {"perf", "perf-data", "snapshot", "sbi-snapshot"}) {
        EXPECT_EQ(create(format), CS_ERR_SCENARIO) << format << ": the scenario has none of it";
        EXPECT_EQ(std::string(diag.where), "mixed.yaml") << format;
    }
    EXPECT_EQ(create("riscv-ring"), CS_ERR_USAGE) << "no format of a whole run";
}

TEST_F(Formats, CtfTellsWhatDoesNotFit)
{
    ASSERT_EQ(create("ctf"), CS_OK) << diag.text;
    probe(CS_PROBE_REG, CS_UNIT_PMCU, 100);
    probe(CS_PROBE_REG, CS_UNIT_PMCU, 99); // no unit does this
    probe(CS_PROBE_REG, CS_UNIT_PMCU, 101);

    EXPECT_EQ(end(200), CS_ERR_RANGE);
    EXPECT_EQ(std::string(diag.where), "pmcu");
    EXPECT_NE(std::string(diag.text).find("access of cycle 99"), std::string::npos) << diag.text;
    cs_trace_destroy(trace);
    EXPECT_TRUE(folder.tree().empty());
}

TEST_F(Formats, AFullDiskIsToldAndNothingIsLeft)
{
    in_child([&] {
        const rlimit limit = {200000, 200000};

        std::signal(SIGXFSZ, SIG_IGN);
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
        for (const char *format : {"ctf", "perfetto", "proto"}) {
            const bool proto = std::strcmp(format, "proto") == 0;

            ASSERT_EQ(proto ? create("perfetto", format) : create(format), CS_OK) << diag.text;
            for (cs_cycle cycle = 0; cycle < 20000; cycle++)
                probe(CS_PROBE_REG, CS_UNIT_PMCU, cycle);
            EXPECT_EQ(end(20000), CS_ERR_IO);
            EXPECT_NE(std::string(diag.text).find(strerror(EFBIG)), std::string::npos) << diag.text;
            EXPECT_NE(std::string(diag.where), "");
            cs_trace_destroy(trace);
            EXPECT_TRUE(folder.tree().empty()) << format;
        }
    });
}

} // namespace
