// SPDX-License-Identifier: Apache-2.0
// Timelines of whole runs, by the command: what babeltrace2 and a JSON parser read is held against
// the run's own records (probe.csv) and its truth (truth.sqlite), event by event, field by field.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>

#include "cli/shell.hpp"
#include "support/babeltrace.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/timeline.hpp"
#include "support/trace_processor.hpp"
#include <countersink/base/probe/probe.h>

using namespace cs_test;

namespace
{

using Rows = std::vector<std::string>;

// Numbers and texts as a row: 1|2|OKAY.
template <class... Cells> std::string row(const Cells &...cells)
{
    std::ostringstream text;
    const char *bar = "";

    ((text << bar << cells, bar = "|"), ...);
    return text.str();
}

Rows in_order(Rows rows)
{
    std::sort(rows.begin(), rows.end());
    return rows;
}

// The first that is on one side only says more than two long lists.
void expect_same(const Rows &found, const Rows &expected, const char *what)
{
    const Rows a = in_order(found), b = in_order(expected);
    Rows more, less;

    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(more));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(less));
    EXPECT_EQ(a.size(), b.size()) << what;
    EXPECT_TRUE(more.empty()) << what << ": not expected: " << (more.empty() ? "" : more[0]);
    EXPECT_TRUE(less.empty()) << what << ": missing: " << (less.empty() ? "" : less[0]);
}

// A line of probe.csv.
struct Record {
    uint64_t cycle;
    std::string kind;
    unsigned source, index, write, resp;
    uint64_t addr, value;
    uint32_t bytes;
    uint64_t request, grant;
};

std::vector<Record> read_records(const std::string &path)
{
    std::vector<Record> records;
    std::ifstream in(path);
    std::string line;

    std::getline(in, line);
    while (std::getline(in, line)) {
        char kind[16];
        Record r = {};

        if (std::sscanf(line.c_str(),
                        "%" SCNu64 ",%15[a-z],%u,%u,%u,%u,%" SCNx64 ",%" SCNx64 ",%" SCNu32
                        ",%" SCNu64 ",%" SCNu64,
                        &r.cycle, kind, &r.source, &r.index, &r.write, &r.resp, &r.addr, &r.value,
                        &r.bytes, &r.request, &r.grant) != 11)
            throw std::runtime_error("not a record: " + line);
        r.kind = kind;
        records.push_back(r);
    }
    return records;
}

std::string response(unsigned resp)
{
    return resp == CS_BUS_OKAY ? "OKAY" : resp == CS_BUS_SLVERR ? "SLVERR" : "DECERR";
}

std::string direction(unsigned write)
{
    return write != 0 ? "write" : "read";
}

bool is_hart(unsigned unit)
{
    return unit >= CS_UNIT_HART(0) && unit < CS_UNIT_UNCORE(0);
}

struct Timelines : Command, testing::WithParamInterface<const char *> {
    // Both timelines of a scenario; t.truth and t.json.truth are their runs.
    void make(const std::string &config)
    {
        const std::string path = config_path(config + ".yaml");
        const std::string keep =
            " --set keep.probe=true --set keep.samples_truth=true --set limit_cycles=2000000 ";
        const Outcome ctf = run("trace --format ctf -o t" + keep + path);
        const Outcome json = run("trace --format perfetto -o t.json" + keep + path);

        ASSERT_EQ(ctf.status, 0) << ctf.err;
        ASSERT_EQ(json.status, 0) << json.err;
        const Outcome proto = run("trace --format perfetto --flavour proto -o t.pb" + keep + path);
        ASSERT_EQ(proto.status, 0) << proto.err;
        events = ctf_read(temp.file("t"));
        timeline = timeline_read(temp.file("t.json"), CS_SOURCE_DIR);
        records = read_records(temp.file("t.truth/probe.csv"));
        clock_mhz =
            static_cast<uint64_t>(truth().number("SELECT value FROM run WHERE key='clock_mhz'"));
    }
    void expect_the_run() const;
    void expect_one() const;
    void expect_perfetto() const;
    Database truth() const
    {
        return Database(temp.file("t.truth/truth.sqlite"));
    }
    std::vector<CtfEvent> of(const std::string &name) const
    {
        std::vector<CtfEvent> result;

        std::copy_if(events.begin(), events.end(), std::back_inserter(result),
                     [&](const CtfEvent &e) { return e.name == name; });
        return result;
    }
    Rows rows_of(const std::string &name,
                 const std::function<std::string(const CtfEvent &)> &as_row) const
    {
        Rows rows;

        for (const CtfEvent &e : of(name))
            rows.push_back(as_row(e));
        return rows;
    }
    Rows records_of(const std::function<bool(const Record &)> &is,
                    const std::function<std::string(const Record &)> &as_row) const
    {
        Rows rows;

        for (const Record &r : records)
            if (is(r))
                rows.push_back(as_row(r));
        return rows;
    }

    std::vector<CtfEvent> events;
    std::vector<TimelineEvent> timeline;
    std::vector<Record> records;
    uint64_t clock_mhz = 0;
};

void Timelines::expect_the_run() const
{
    const Database db = truth();

    // the bus
    expect_same(rows_of("transfer",
                        [](const CtfEvent &e) {
                            return row(e.context.at("manager_id"), e.cycle, e.number("cycles"),
                                       e.number("grant"), e.text("direction"), e.number("addr"),
                                       e.number("bytes"), e.text("resp"));
                        }),
                records_of([](const Record &r) { return r.kind == "bus"; },
                           [](const Record &r) {
                               return row(r.source, r.request, r.cycle + 1 - r.request, r.grant,
                                          direction(r.write), r.addr, r.bytes, response(r.resp));
                           }),
                "transfers");
    std::map<std::string, uint64_t> held, expected_held;
    for (const CtfEvent &e : of("bus_load")) {
        const uint64_t cycles = 10 * clock_mhz;

        held[e.context.at("manager_id")] += e.number("held_cycles");
        EXPECT_EQ(e.cycle % cycles, 0u);
        EXPECT_EQ(e.number("percent"), e.number("held_cycles") * 100 / cycles);
        EXPECT_LE(e.number("held_cycles"), cycles);
    }
    for (const Record &r : records)
        if (r.kind == "bus")
            expected_held[std::to_string(r.source)] += r.cycle + 1 - r.grant;
    EXPECT_EQ(held, expected_held);

    // numbers have names
    for (const char *event : {"transfer", "bus_load"})
        for (const CtfEvent &e : of(event)) {
            char name[64];
            const auto number = static_cast<uint16_t>(std::stoul(e.context.at("manager_id")));
            EXPECT_EQ(e.labels.at("manager_id"),
                      cs_probe_source_name(CS_PROBE_BUS, number, name, sizeof name));
        }
    for (const char *event :
         {"access", "csr", "interrupt", "pmcu_state", "imc_state", "nest_state"})
        for (const CtfEvent &e : of(event)) {
            char name[64];
            const unsigned number = static_cast<unsigned>(std::stoul(e.context.at("unit_id")));
            const bool core = number >= CS_UNIT_CORE(0) && number < CS_UNIT_BROADCAST(0);
            const std::string expected =
                core ? "cpu " + std::to_string(number - CS_UNIT_CORE(0))
                     : cs_probe_source_name(CS_PROBE_REG, static_cast<uint16_t>(number), name,
                                            sizeof name);
            const bool named = expected.rfind("uncore ", 0) == 0 || // by the scenario
                               expected.rfind("iommu ", 0) == 0;
            const size_t same = named ? expected.find(' ') + 1 : std::string::npos;
            EXPECT_EQ(e.labels.at("unit_id").substr(0, same), expected.substr(0, same));
        }

    // registers
    expect_same(rows_of("access",
                        [](const CtfEvent &e) {
                            return row(e.context.at("unit_id"), e.cycle, e.text("direction"),
                                       e.number("offset"), e.number("value"), e.number("bytes"),
                                       e.text("resp"));
                        }),
                records_of([](const Record &r) { return r.kind == "reg" && !is_hart(r.source); },
                           [](const Record &r) {
                               return row(r.source, r.cycle, direction(r.write), r.addr, r.value,
                                          r.bytes, response(r.resp));
                           }),
                "accesses");
    static const char *const exceptions[] = {"none", "illegal instruction", "virtual instruction"};
    expect_same(rows_of("csr",
                        [](const CtfEvent &e) {
                            return row(e.context.at("unit_id"), e.cycle, e.text("direction"),
                                       e.number("csr"), e.number("value"), e.text("exception"));
                        }),
                records_of([](const Record &r) { return r.kind == "reg" && is_hart(r.source); },
                           [](const Record &r) {
                               return row(r.source, r.cycle, direction(r.write), r.addr, r.value,
                                          exceptions[r.resp]);
                           }),
                "CSRs");

    // interrupts: each rise begins a slice, which ends with the fall or the run
    Rows lines;
    for (size_t i = 0; i < records.size(); i++) {
        const Record &r = records[i];
        if (r.kind != "irq" || r.value == 0)
            continue;
        const auto fall = std::find_if(records.begin() + static_cast<long>(i) + 1, records.end(),
                                       [&](const Record &f) {
                                           return f.kind == "irq" && f.source == r.source &&
                                                  f.index == r.index && f.value == 0;
                                       });
        lines.push_back(row(r.source, r.index, r.cycle,
                            fall != records.end() ? std::to_string(fall->cycle - r.cycle) : "end"));
    }
    const auto last_of = [&](const std::string &unit, const std::string &line) {
        uint64_t level = 0;
        for (const Record &r : records)
            if (r.kind == "irq" && std::to_string(r.source) == unit &&
                std::to_string(r.index) == line)
                level = r.value != 0 ? r.cycle : 0;
        return level; // where it rose and did not fall
    };
    expect_same(rows_of("interrupt",
                        [&](const CtfEvent &e) {
                            const std::string unit = e.context.at("unit_id");
                            const bool open = last_of(unit, e.text("line")) == e.cycle;
                            return row(unit, e.text("line"), e.cycle,
                                       open ? "end" : e.text("cycles"));
                        }),
                lines, "interrupts");

    // state machines: a slice a record, which ends where the next begins
    Rows states, slices;
    std::map<unsigned, std::pair<uint64_t, uint64_t>> open; // by unit: since, state
    for (const Record &r : records) {
        if (r.kind != "state")
            continue;
        if (open.count(r.source) != 0)
            states.push_back(row(r.source, open[r.source].first, r.cycle - open[r.source].first));
        open[r.source] = {r.cycle, r.value};
    }
    for (const char *name : {"pmcu_state", "imc_state", "nest_state"})
        for (const CtfEvent &e : of(name)) {
            const auto unit = static_cast<unsigned>(std::stoul(e.context.at("unit_id")));
            if (open[unit].first != e.cycle || e.number("cycles") == 0)
                slices.push_back(row(unit, e.cycle, e.number("cycles")));
        }
    expect_same(slices, states, "states");

    // subsamples and windows
    expect_same(
        rows_of("subsample", [](const CtfEvent &e) { return row(e.cycle, e.number("addr")); }),
        db.ask("SELECT cycle, address FROM subsample"), "subsamples");
    expect_same(rows_of("window",
                        [](const CtfEvent &e) {
                            return row(e.number("subsample"), e.context.at("cpu_id"), e.cycle,
                                       e.cycle + e.number("cycles"));
                        }),
                db.ask("SELECT subsample, cpu, start, stop FROM window"), "windows");
    expect_same(rows_of("blind",
                        [](const CtfEvent &e) {
                            return row(e.context.at("cpu_id"), e.cycle,
                                       e.cycle + e.number("cycles"));
                        }),
                db.ask("SELECT cpu, before, start FROM (SELECT cpu, start, LAG(stop) OVER "
                       "(PARTITION BY cpu ORDER BY start) AS before FROM window) "
                       "WHERE before IS NOT NULL"),
                "blind windows");
    expect_same(rows_of("count",
                        [](const CtfEvent &e) {
                            return row(e.number("subsample"), e.context.at("cpu_id"),
                                       e.number("number"), e.number("count"));
                        }),
                db.ask("SELECT s.subsample, s.cpu, e.number, s.value FROM sample s "
                       "JOIN window w ON w.subsample = s.subsample AND w.cpu = s.cpu "
                       "JOIN event e ON e.id = s.event"),
                "counts");

    // IMC
    expect_same(
        rows_of("imc_record",
                [](const CtfEvent &e) {
                    const std::string result = e.text("result");
                    return row(e.context.at("cpu_id"), e.number("snapshot"), e.number("number"),
                               e.cycle, e.number("addr"), result == "written" ? "OKAY" : result);
                }),
        db.ask("SELECT cpu, snapshot, number, cycle, address, response FROM record"), "records");
    expect_same(
        rows_of("posting",
                [](const CtfEvent &e) {
                    return row(e.context.at("group_id"), e.cycle, e.number("cycles"),
                               e.number("number"), e.number("addr"), e.number("bytes"),
                               e.text("resp"));
                }),
        records_of([](const Record &r) { return r.kind == "sample" && r.source == CS_UNIT_NEST; },
                   [](const Record &r) {
                       return row(r.index, r.request, r.cycle + 1 - r.request, r.value, r.addr,
                                  r.bytes, response(r.resp));
                   }),
        "postings");

    // harts
    expect_same(rows_of("hart_sample",
                        [](const CtfEvent &e) {
                            return row(e.number("command"), e.number("event"),
                                       e.context.at("cpu_id"), e.cycle,
                                       static_cast<int64_t>(e.number("ip")), e.number("pid"),
                                       e.number("period"), e.text("lost") == "yes");
                        }),
                db.ask("SELECT command, event, cpu, trap, ip, pid, period, lost FROM hart_sample"),
                "samples of harts");
    Rows software;
    std::map<std::string, std::map<std::string, uint64_t>> cycles_of;
    for (const CtfEvent &e : of("hart_software"))
        cycles_of[e.context.at("cpu_id")][e.text("who")] += e.number("cycles");
    for (auto &[cpu, who] : cycles_of)
        software.push_back(row(cpu, who["kernel"], who["firmware"], who["guest"]));
    expect_same(software, db.ask("SELECT cpu, kernel, firmware, guest FROM hart"), "software");
}

// The two timelines are one: an event of CTF is a slice or an instant of the other with the same
// fields, or two values of a counter.
void Timelines::expect_one() const
{
    Rows ctf, json, values, counters;
    const auto ns = [&](uint64_t cycle) {
        return cycle / clock_mhz * 1000 + cycle % clock_mhz * 1000 / clock_mhz;
    };
    const auto lower = [](std::string text) {
        for (char &c : text)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    };
    const auto all = [&](const std::map<std::string, std::string> &fields) {
        std::string text;
        for (const auto &[name, value] : fields)
            text += " " + name + "=" + lower(value);
        return text;
    };

    for (const CtfEvent &e : events) {
        if (e.name == "bus_load" || e.name == "count") {
            const char *unit = e.name == "count" ? "count" : "percent";
            values.push_back(row(ns(e.cycle), unit, e.number(unit)));
        } else {
            const bool slice = e.fields.count("cycles") != 0;
            const uint64_t length = slice ? ns(e.cycle + e.number("cycles")) - ns(e.cycle) : 0;
            ctf.push_back(row(slice ? "X" : "i", ns(e.cycle), length, all(e.fields)));
        }
    }
    bool behind = false; // values come in pairs: the second ends the first
    for (const TimelineEvent &e : timeline) {
        if (e.phase == "C") {
            ASSERT_EQ(e.args.size(), 1u);
            if (!behind)
                counters.push_back(row(e.ns, e.args.begin()->first, e.args.begin()->second));
            else
                EXPECT_EQ(e.args.begin()->second, "0");
            behind = !behind;
        } else if (e.phase != "fact") {
            json.push_back(row(e.phase, e.ns, e.duration_ns, all(e.args)));
        }
    }

    expect_same(json, ctf, "events");
    expect_same(counters, values, "counters");
}

void Timelines::expect_perfetto() const
{
    Rows slices, counters;

    for (const TimelineEvent &e : timeline) {
        if (e.phase == "C")
            counters.push_back(
                row(e.group, e.name + " " + e.args.begin()->first, e.ns, e.args.begin()->second));
        else if (e.phase != "fact")
            slices.push_back(row(e.group, e.track, e.name, e.ns, e.duration_ns,
                                 e.args.count("addr") != 0 ? e.args.at("addr") : "NULL"));
    }
    const auto answers = ask_perfetto(
        temp.file("t.json"),
        {"select p.name, t.name, s.name, s.ts, s.dur, extract_arg(s.arg_set_id, 'args.addr') "
         "from slice s join thread_track r on s.track_id = r.id "
         "join thread t using (utid) join process p using (upid)",
         "select p.name, r.name, c.ts, cast(c.value as int) from counter c "
         "join process_counter_track r on c.track_id = r.id join process p using (upid)",
         "select name, value from stats where value > 0 and severity != 'info'"});
    expect_same(answers[0], slices, "slices in Perfetto");
    expect_same(answers[1], counters, "counters in Perfetto");
    expect_same(answers[2], {}, "what Perfetto complains of");

    // the other flavour: the same, but that addresses are numbers and units apart
    for (std::string &r : slices) {
        const size_t cell = r.rfind("|0x");
        if (cell != std::string::npos)
            r = r.substr(0, cell + 1) +
                std::to_string(static_cast<int64_t>(std::stoull(r.substr(cell + 1), nullptr, 16)));
    }
    for (std::string &r : counters)
        for (const char *unit : {" count|", " percent|"})
            if (r.find(unit) != std::string::npos)
                r.replace(r.find(unit), std::strlen(unit), "|");
    const auto others = ask_perfetto(
        temp.file("t.pb"),
        {"select p.name, t.name, s.name, s.ts, s.dur, extract_arg(s.arg_set_id, 'debug.addr') "
         "from slice s join track t on s.track_id = t.id join track p on t.parent_id = p.id",
         "select p.name, t.name, c.ts, cast(c.value as int) from counter c "
         "join track t on c.track_id = t.id join track p on t.parent_id = p.id",
         "select name, value from stats where value > 0 and severity != 'info'"});
    expect_same(others[0], slices, "slices of the other flavour");
    expect_same(others[1], counters, "counters of the other flavour");
    expect_same(others[2], {}, "what Perfetto complains of in the other flavour");
}

TEST_P(Timelines, AreTheRun)
{
    ASSERT_NO_FATAL_FAILURE(make(GetParam()));
    expect_the_run();
    expect_one();
    expect_perfetto();
}

INSTANTIATE_TEST_SUITE_P(Configs, Timelines,
                         testing::Values("pmcu_demo", "pmcu_lockstep_broadcast", "pmcu_faults",
                                         "riscv_sample", "riscv_lockstep_guest", "imc_trace",
                                         "imc_lockstep_faults", "imc_nest", "imc_pair_pmi",
                                         "uncore_lockstep_script", "everything_lockstep"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
