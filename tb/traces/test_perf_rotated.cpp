// SPDX-License-Identifier: Apache-2.0
// Counts of events that had counters in turns: perf stat report prints the scaled value and its share of
// the time, which is what the run's truth has; tables, and check, agree with it.
#include <map>

#include <gtest/gtest.h>

#include "support/configs.hpp"
#include "support/json_flat.hpp"
#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

// The name of an event as it stands in files, and its numbers in whole nanoseconds.
const char *const kTold =
    "WITH told AS (SELECT rotated.rowid AS seq, command, pmu, cpu, event, final, raw, truth, "
    "scaled, "
    "start * 1000 / mhz AS from_ns, stop * 1000 / mhz AS to_ns, "
    "enabled * 1000 / mhz AS ena, running * 1000 / mhz AS run, "
    "CASE WHEN pmu != 'cpu' THEN printf('%s/event=0x%x/', pmu, event) "
    "WHEN name LIKE '0x%' THEN printf('r%x', event) ELSE name END AS label "
    "FROM rotated, (SELECT CAST(value AS INTEGER) AS mhz FROM run WHERE key = 'clock_mhz')) ";

// What one CPU, or several together, have counted, and for how long.
struct Counted {
    uint64_t raw = 0, enabled = 0, running = 0;

    Counted scaled() const
    {
        Counted c = *this;

        if (running != 0 && running < enabled)
            c.raw = static_cast<uint64_t>(static_cast<double>(raw) * static_cast<double>(enabled) /
                                          static_cast<double>(running));
        return c;
    }
    void add(const Counted &c)
    {
        raw += c.raw;
        enabled += c.enabled;
        running += c.running;
    }
};

// A line of perf: 46342613 A/event=0x1/ (25.12%).
std::string line(const std::string &label, const Counted &c)
{
    char share[32];

    if (c.running == 0)
        return "<not counted> " + label + " (0.00%)";
    snprintf(share, sizeof share, " (%.2f%%)",
             100.0 * static_cast<double>(c.running) / static_cast<double>(c.enabled));
    return std::to_string(c.raw) + " " + label + (c.running != c.enabled ? share : "");
}

struct Rotated : Trace {
    // Rows of event, interval, label, raw, enabled, running of a CPU, in order, as perf prints them.
    std::vector<std::string> lines(const std::string &query)
    {
        const bool first = perf_adds_scaled(temp);
        std::map<std::pair<std::string, std::string>, Counted> sums;
        std::map<std::string, Counted> before;
        std::map<std::pair<std::string, std::string>, std::string> labels;
        std::vector<std::string> result;

        for (const std::string &row : truth().ask(kTold + query)) {
            const std::vector<std::string> c = split(row, '|');
            const Counted one = {std::stoull(c[3]), std::stoull(c[4]), std::stoull(c[5])};

            sums[{c[0], c[1]}].add(first ? one.scaled() : one);
            labels[{c[0], c[1]}] = c[2];
        }
        for (const auto &s : sums) {
            Counted &sum = before[s.first.first];

            if (!first)
                sum = {};
            sum.add(s.second);
            result.push_back(line(labels[s.first], first ? sum : sum.scaled()));
        }
        return sorted(result);
    }
    // Whole commands: a line an event, the sum of its CPUs.
    std::vector<std::string> whole(const std::string &where = "1")
    {
        return lines("SELECT CASE pmu WHEN 'cpu' THEN event ELSE -seq END, 0, label, raw, ena, run "
                     "FROM told "
                     "WHERE final AND " +
                     where);
    }
    // What perf stat report prints of events.
    std::vector<std::string> reported(bool intervals = false)
    {
        const PerfOutput report = perf(temp, "stat report -i t");
        std::vector<std::string> result;

        EXPECT_EQ(report.status, 0) << report.err;
        EXPECT_EQ(count_of(report.out + report.err, "rror"), 0u) << report.err;
        for (const std::string &text : squeezed_lines(report.out + report.err)) {
            if (text[0] == '#' || text.find("Performance") == 0 ||
                text.find("seconds") != std::string::npos)
                continue;
            result.push_back(intervals ? text.substr(text.find(' ') + 1) : text);
        }
        return sorted(result);
    }
    void checks(const std::string &options = "")
    {
        const Outcome outcome = run("check " + options + " t");

        EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find("running"), std::string::npos) << outcome.out;
    }
    void again()
    {
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
};

} // namespace

TEST_F(Rotated, PerfPrintsScaledCountsAndTheirShares)
{
    const struct {
        const char *config, *options, *where, *check;
        size_t events;
    } cases[] = {
        {"uncore_rotation", "", "1", "", 12},
        {"uncore_rotation", "--command uncore_driver.perf.2", "command = 2",
         "--command uncore_driver.perf.2", 5},
        {"uncore_rotation", "--set way=per_pmu --set bus.clock_mhz=1250", "1", "", 12},
        {"uncore_throttle", "--set perf.0.stop=60ms", "1", "", 12},
        // two commands, with the same events on one unit
        {"uncore_lockstep_perf", "", "1", "", 14},
        // the same event twice in a command
        {"uncore_lockstep_perf", "--set perf.1.stat.1=link/event=2/ --command uncore_driver.perf.1",
         "command = 1", "--command uncore_driver.perf.1", 2},
        {"multiplex_demo", "", "1", "", 12},
        {"multiplex_demo", "--command arm_pmu.perf.0 --set perf.0.stat.0=r4f3", "1",
         "--command arm_pmu.perf.0", 12},
    };

    for (const auto &c : cases) {
        trace(c.config, c.options);
        const std::vector<std::string> found = reported();

        EXPECT_EQ(found.size(), c.events) << c.config << c.options;
        EXPECT_EQ(found, whole(c.where)) << c.config << c.options;
        EXPECT_GT(count_of(perf(temp, "stat report -i t").err, "%)"), 0u) << c.config;
        checks(c.check);
        again();
    }
}

// Each interval, and what is left of the time behind the last one.
TEST_F(Rotated, IntervalsAreRounds)
{
    const struct {
        const char *config, *options, *check;
        size_t rounds, events;
    } cases[] = {
        {"uncore_lockstep_perf", "--command uncore_driver.perf.0", "--command uncore_driver.perf.0",
         4, 12},
        {"multiplex_demo", "--set perf.0.interval=60ms", "", 4, 12},
    };
    const char *const query =
        ", parts AS (SELECT label, cpu, seq, raw, ena, run, row_number() OVER (PARTITION BY label, "
        "cpu ORDER BY seq) AS n FROM told WHERE NOT final AND command = 0), rest AS (SELECT label, "
        "cpu, max(n) + 1 AS n, sum(raw) AS raw, sum(ena) AS ena, sum(run) AS run FROM parts GROUP "
        "BY 1, 2) SELECT label, n, label, raw, ena, run FROM parts UNION ALL SELECT label, n, "
        "label, "
        "t.raw - r.raw, t.ena - r.ena, t.run - r.run FROM rest r JOIN told t USING (label, cpu) "
        "WHERE t.final AND t.command = 0 AND t.ena > r.ena";

    for (const auto &c : cases) {
        trace(c.config, c.options);
        const std::vector<std::string> found = reported(true);

        EXPECT_EQ(found.size(), c.rounds * c.events) << c.config;
        EXPECT_EQ(found, lines(query)) << c.config;
        EXPECT_EQ(count_of(run("decode --format csv --only STAT_ROUND t").out, ",interval"),
                  c.rounds);
        checks(c.check);
        again();
    }
}

// With -A, perf prints what each CPU counted; it names only the CPUs of its own machine.
TEST_F(Rotated, EachCpuHasItsOwnCount)
{
    trace("multiplex_demo");
    std::vector<std::string> found,
        expected = lines("SELECT seq, 0, label, raw, ena, run FROM told WHERE final");
    const PerfOutput report = perf(temp, "stat report -A -i t");

    for (std::string text : squeezed_lines(report.out + report.err)) {
        if (text.find("%)") == std::string::npos)
            continue;
        if (text.find("CPU") == 0 && isdigit(text[3]))
            text.erase(0, text.find(' ') + 1);
        found.push_back(text);
    }
    EXPECT_EQ(found.size(), 48u);
    EXPECT_EQ(sorted(found), expected);
}

// Units are dynamic PMUs of their names, the CPUs' own events raw ones.
TEST_F(Rotated, UnitsArePmus)
{
    trace("uncore_rotation");
    const std::string header = perf(temp, "report --header-only -i t").out;

    EXPECT_NE(header.find("pmu mappings: software = 1, cpu = 4, A = 6, B = 7, C = 8"),
              std::string::npos)
        << header;
    EXPECT_NE(header.find("name = B/event=0x4/, , id = { 7 }, type = 7, size = 128, config = 0x4"),
              std::string::npos)
        << header;
    EXPECT_NE(perf(temp, "report -D -i t").out.find("PERF_RECORD_EVENT_UPDATE"), std::string::npos);
    again();
    trace("multiplex_demo");
    const std::string cpus = perf(temp, "report --header-only -i t").out;
    const std::string start = "name = INST_RETIRED, , id = { 5, 6, 7, 8 }, type = 4";
    bool is_there = false;

    for (const char *called : {"", " (cpu)", " (PERF_TYPE_RAW)"}) // by perf's version
        is_there = is_there ||
                   cpus.find(start + called + ", size = 128, config = 0x8") != std::string::npos;
    EXPECT_TRUE(is_there) << cpus;
}

// As perf's attribute of an event with the modifier D.
TEST_F(Rotated, PinnedEventsArePinned)
{
    trace("uncore_lockstep_perf", "--command uncore_driver.perf.1");
    const std::string header = perf(temp, "report --header-only -i t").out;

    for (const std::string &line : lines_of(header)) {
        if (line.find("name = link/") == std::string::npos)
            continue;
        EXPECT_EQ(line.find("pinned = 1") != std::string::npos,
                  line.find("event=0x2/") != std::string::npos)
            << line;
    }
    EXPECT_EQ(count_of(header, "pinned = 1"), 1u) << header;
}

// A trace is of the first way, if none is named.
TEST_F(Rotated, TheFirstWayIsTraced)
{
    std::string files[3];
    const char *const options[] = {"", "--set way=global", "--set way=per_pmu"};

    for (unsigned i = 0; i < 3; i++) {
        trace("uncore_rotation", options[i]);
        files[i] = temp.read("t");
        again();
    }
    EXPECT_TRUE(files[0] == files[1]);
    EXPECT_FALSE(files[0] == files[2]);
}

TEST_F(Rotated, TablesHaveEstimateAndTruth)
{
    const struct {
        const char *config, *options;
        size_t least;
    } cases[] = {
        {"uncore_lockstep_perf", "", 50}, // intervals and wholes
        {"multiplex_demo", "", 48},
    };

    for (const auto &c : cases) {
        trace(c.config, std::string("--format csv ") + c.options);
        std::vector<std::string> expected = {
            "from_ns,to_ns,event,cpu,final,raw,enabled_ns,running_ns,scaled,unit,truth"};

        for (std::string row : truth().ask(
                 std::string(kTold) + "SELECT from_ns, to_ns, label, cpu, final, raw, ena, run, "
                                      "printf('%!.17g', scaled), '', truth FROM told")) {
            std::vector<std::string> cells = split(row, '|');

            // SQLite and C write reals in different ways.
            if (cells[7] == "0")
                cells[8] = "";
            else
                cells[8] = "~";
            row.clear();
            for (const std::string &cell : cells)
                row += (row.empty() ? "" : ",") + cell;
            expected.push_back(row);
        }
        std::vector<std::string> found = lines_of(temp.read("t"));
        for (size_t i = 1; i < found.size(); i++) {
            std::vector<std::string> cells = split(found[i], ',');
            const double raw = std::stod(cells[5]);

            if (cells[8] != "") { // of whole cycles: a nanosecond of 1000 MHz is one
                EXPECT_DOUBLE_EQ(std::stod(cells[8]),
                                 raw * std::stod(cells[6]) / std::stod(cells[7]));
                cells[8] = "~";
            }
            found[i].clear();
            for (const std::string &cell : cells)
                found[i] += (found[i].empty() ? "" : ",") + cell;
        }
        EXPECT_GE(found.size(), c.least);
        EXPECT_EQ(found, expected) << c.config;
        again();
    }
    trace("multiplex_demo", "--format json");
    std::map<std::string, std::string> json = json_flat(temp.file("t"));
    EXPECT_EQ(json["47.truth"], truth().one("SELECT truth FROM rotated WHERE rowid = 48"));
    EXPECT_EQ(json["47.event"], truth().one("SELECT name FROM rotated WHERE rowid = 48"));
    EXPECT_EQ(json.count("48.event"), 0u);
}

// A command that samples makes a table of samples, whatever takes turns beside it.
TEST_F(Rotated, ATableOfSamplesHasNoEstimates)
{
    for (const char *format : {"csv", "json"}) {
        trace("riscv_multiplex", std::string("--format ") + format);
        const Outcome checked = run("check t");

        EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
        if (std::string(format) == "csv") {
            const std::vector<std::string> rows = lines_of(temp.read("t"));

            EXPECT_EQ(rows[0], "time_ns,event,cpu,pid,mode,ip,period");
            EXPECT_EQ(std::to_string(rows.size() - 1),
                      truth().one("SELECT count(*) FROM hart_sample"));
        }
        again();
    }
}

TEST_F(Rotated, AnotherCommandIsRefused)
{
    const struct {
        const char *config, *has;
    } cases[] = {
        {"uncore_rotation",
         "it has: uncore_driver.perf.0, uncore_driver.perf.1, uncore_driver.perf.2"},
        {"multiplex_demo", "it has: arm_pmu.perf.0"},
    };

    for (const auto &c : cases) {
        const Outcome outcome =
            run(std::string("trace -o t --format perf --command riscv.perf.0 ") +
                config_path(std::string(c.config) + ".yaml"));

        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err.find(c.has), std::string::npos) << outcome.err;
    }
}

// perf knows PMUs by their names, and has one called so.
TEST_F(Rotated, AUnitMayNotBeCalledLikeAPmuOfPerf)
{
    const Outcome outcome = run("trace -o t --format perf --set uncore.units.1.name=software "
                                "--set perf.1.stat=[software/event=1/] " CS_SOURCE_DIR
                                "/configs/uncore/uncore_rotation.yaml");

    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find("uncore_rotation.yaml: the uncore unit 'software' has the name of a "
                               "PMU that perf always has"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(temp.tree(), (std::set<std::string>{"small.yaml"}));
}
