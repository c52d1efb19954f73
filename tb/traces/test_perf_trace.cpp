// SPDX-License-Identifier: Apache-2.0
// perf.data files of whole scenarios: what perf reads out of them is what the run's truth has.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

std::string hex(const std::string &number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIx64, static_cast<uint64_t>(std::stoll(number)));
    return text;
}

const char *const kFields = "-F pid,tid,cpu,time,period,event,ip,misc";

struct PerfTrace : Trace {
    std::vector<std::string> samples()
    {
        return sorted(squeezed_lines(script(kFields)));
    }
    // As perf script prints the samples of hart_sample; names by "command.event".
    std::vector<std::string> hart_samples(std::map<std::string, std::string> names)
    {
        std::vector<std::string> rows;

        for (const std::string &row : truth().ask("SELECT command || '.' || event, cpu, ip, pid, "
                                                  "misc, time, period FROM hart_sample "
                                                  "WHERE lost = 0")) {
            const std::vector<std::string> c = split(row, '|');
            const char *const modes[] = {"?", "K", "U", "?", "GK", "GU"};

            rows.push_back(as_thread(c[3], c[1]) + " " + padded_cpu(c[1]) + " " +
                           modes[std::stoi(c[4])] + " " +
                           as_time(std::stoull(c[5]) * 1000 / timebase_mhz) + ": " + c[6] + " " +
                           names[c[0]] + ": " + hex(c[2]));
        }
        return sorted(rows);
    }
    uint64_t timebase_mhz = 10;
};

} // namespace

TEST_F(PerfTrace, RecordsOfTraceModeAreWhatTheDriverHandsToPerf)
{
    std::vector<std::string> expected;

    trace("imc_trace");
    const uint64_t mhz = clock_mhz();
    for (const std::string &row : truth().ask("SELECT pid, cpu, misc, time, ip FROM perf_sample")) {
        const std::vector<std::string> c = split(row, '|');

        expected.push_back(as_thread(c[0], c[1]) + " " + padded_cpu(c[1]) +
                           (c[2] == "1" ? " K " : " U ") + as_time(std::stoull(c[3]) * 1000 / mhz) +
                           ": 1 trace_imc/trace_cycles/: " + hex(c[4]));
    }
    expect_same(samples(), sorted(expected));
    EXPECT_EQ(perf_good(temp, "evlist -i t"), "trace_imc/trace_cycles/\n");
    EXPECT_NE(perf_good(temp, "report --header-only -i t").find("trace_imc = 6"),
              std::string::npos);
}

// The kernel's modes of POWER10 come from the records.
TEST_F(PerfTrace, Power10RecordsHaveTheModesOfTheirWords)
{
    std::map<std::string, uint64_t> expected, found;

    trace("imc_power10");
    for (const std::string &row :
         truth().ask("SELECT misc, count(*) FROM perf_sample GROUP BY misc")) {
        const std::vector<std::string> c = split(row, '|');

        expected["(IP, 0x" + c[0] + ")"] = std::stoull(c[1]);
    }
    for (const std::string &line : lines_of(perf(temp, "report -D -i t").out)) {
        const size_t at = line.find("PERF_RECORD_SAMPLE");

        if (at != std::string::npos)
            found[line.substr(at + 18, line.find(')', at) - at - 17)]++;
    }
    EXPECT_GT(expected.size(), 1u);
    EXPECT_EQ(found, expected);
}

TEST_F(PerfTrace, InterruptSamplesArePerfsCycles)
{
    std::vector<std::string> expected;

    trace("imc_pair_pmi");
    const uint64_t mhz = clock_mhz();
    for (const std::string &row : truth().ask("SELECT pid, cpu, misc, time, ip FROM perf_sample")) {
        const std::vector<std::string> c = split(row, '|');

        expected.push_back(as_thread(c[0], c[1]) + " " + padded_cpu(c[1]) +
                           (c[2] == "1" ? " K " : " U ") + as_time(std::stoull(c[3]) * 1000 / mhz) +
                           ": 1000000 cycles: " + hex(c[4]));
    }
    expect_same(samples(), sorted(expected));
}

TEST_F(PerfTrace, HartsSamplesAreThoseOfTheRing)
{
    for (const char *config : {"riscv_sample", "riscv_delegated"}) {
        trace(config);
        expect_same(samples(),
                    hart_samples({{"0.0", "instructions"}, {"1.0", "L1-dcache-load-misses:u"}}));
        EXPECT_EQ(truth().number("SELECT sum(lost) FROM hart_sample"), 0);
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// A guest's own file: its kernel is a kernel.
TEST_F(PerfTrace, AGuestsSamplesAreThoseOfItsRing)
{
    trace("riscv_guest");
    expect_same(samples(), hart_samples({{"1.0", "instructions"}}));
}

// One of two commands.
TEST_F(PerfTrace, OneCommandIsChosen)
{
    trace("riscv_sample", "--command riscv.perf.1");
    std::vector<std::string> expected;
    for (const std::string &row : hart_samples({{"1.0", "L1-dcache-load-misses:u"}}))
        if (row.find("L1-dcache") != std::string::npos)
            expected.push_back(row);
    expect_same(samples(), expected);
}

// A small ring that nobody empties: what the LOST records tell is what the driver could not write.
TEST_F(PerfTrace, LostRecordsAreTold)
{
    trace("riscv_sample", "--set riscv.driver.ring_bytes=4096 --set riscv.driver.wakeup_bytes=0 "
                          "--set perf.0.period=2000 --set perf.1.period=100 "
                          "--set perf.0.stop=4200us --set perf.1.stop=4000us "
                          "--set riscv.driver.max_samples_per_tick=0");
    uint64_t told = 0;
    for (const std::string &line : squeezed_lines(perf(temp, "report -D -i t").out))
        if (line.find("PERF_RECORD_LOST: ") != std::string::npos)
            told += std::stoull(line.substr(line.find("lost:") + 5));
    const uint64_t lost = truth().number("SELECT sum(lost) FROM hart_sample");
    expect_same(samples(),
                hart_samples({{"0.0", "instructions"}, {"1.0", "L1-dcache-load-misses:u"}}));
    EXPECT_GT(told, 0u);
    EXPECT_LE(told, lost) << "the last ones are told by the next record, if there is one";
}

TEST_F(PerfTrace, ThrottlingIsTold)
{
    trace("riscv_sample", "--set riscv.driver.max_samples_per_tick=5 --set perf.0.period=5000 "
                          "--set perf.0.stop=20200us --set perf.1.stop=20000us");
    const std::string dump = perf(temp, "report -D -i t").out;
    const int64_t throttled = truth().number("SELECT sum(throttled) FROM hart");

    EXPECT_GT(throttled, 0);
    EXPECT_EQ(count_of(dump, "PERF_RECORD_THROTTLE: "), static_cast<uint64_t>(throttled));
    EXPECT_GT(count_of(dump, "PERF_RECORD_UNTHROTTLE: "), 0u);
    expect_same(samples(),
                hart_samples({{"0.0", "instructions"}, {"1.0", "L1-dcache-load-misses:u"}}));
}

// ---- what perf tells beside samples ----

// As `perf record` begins and ends: ids, kernels, threads and CPUs, each task and its mappings, then samples,
// in rounds.
TEST_F(PerfTrace, WhatIsThereBeforeTheFirstSampleIsTold)
{
    for (const char *config : {"imc_trace", "imc_pair_pmi", "riscv_sample", "pmcu_demo"}) {
        trace(config);
        std::vector<std::string> types;
        for (const std::string &row : lines_of(run("decode --format csv t").out)) {
            const std::string type = split(row, ',')[1];

            if (types.empty() || types.back() != type)
                types.push_back(type);
        }
        ASSERT_GT(types.size(), 8u);
        EXPECT_EQ(std::vector<std::string>(types.begin() + 1, types.begin() + 8),
                  (std::vector<std::string>{"ID_INDEX", "MMAP", "THREAD_MAP", "CPU_MAP", "FORK",
                                            "COMM", "MMAP2"}))
            << config;
        const auto init = std::find(types.begin(), types.end(), "FINISHED_INIT");
        ASSERT_NE(init, types.end());
        EXPECT_EQ(*(init + 1), "SAMPLE") << config;
        EXPECT_EQ(types.back(), "FINISHED_ROUND") << config;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// perf gives out at a FINISHED_ROUND what is not newer than all that it had seen at the one before: nothing
// older may come after that.
TEST_F(PerfTrace, RoundsLetPerfSortInPieces)
{
    struct {
        const char *config, *options;
        uint64_t least; // rounds
    } const runs[] = {
        {"riscv_processes", "--switch-events", 5},
        {"riscv_sample", "--set perf.0.period=9000", 15},
        // each ring is read at the end only
        {"riscv_sample", "--set riscv.driver.wakeup_bytes=0 --set perf.0.period=20000", 1},
        // a CPU's dump has thousands of records of one time
        {"imc_trace", "", 4},
        {"pmcu_demo", "--set perf.0.record.0.nr_sample=120 --switch-events", 2}};

    for (const auto &r : runs) {
        uint64_t newest = 0, before = 0, out = 0, rounds = 0, late = 0, records = 0;

        trace(r.config, r.options);
        for (const std::string &row : lines_of(run("decode --format csv t").out)) {
            const std::vector<std::string> c = split(row, ',');

            if (c[1] == "FINISHED_ROUND") {
                out = before;
                before = newest;
                rounds++;
            } else if (c.size() > 7 && isdigit(c[7][0])) {
                const uint64_t time = std::stoull(c[7]);

                late += time != 0 && time < out;
                newest = std::max(newest, time);
                records++;
            }
        }
        EXPECT_EQ(late, 0u) << r.config << " " << r.options;
        EXPECT_GT(records, 100u);
        EXPECT_GE(rounds, r.least) << r.config << " " << r.options << ": " << records;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

TEST_F(PerfTrace, SwitchesAreThoseOfTheTruth)
{
    std::vector<std::string> expected, found;
    const auto name = [](const std::string &pid) {
        return std::string(pid.back() == '1' ? "clang" : pid.back() == '2' ? "as" : "ld");
    };

    trace("riscv_processes", "--switch-events");
    for (const std::string &row : truth().ask("SELECT cpu, cycle, from_pid, to_pid FROM switch")) {
        const std::vector<std::string> c = split(row, '|');
        const std::string where =
            padded_cpu(c[0]) + " " +
            as_time(std::stoull(c[1]) * 1000 / static_cast<uint64_t>(clock_mhz())) +
            ": PERF_RECORD_SWITCH_CPU_WIDE ";

        expected.push_back(name(c[2]) + " " + c[2] + " " + where +
                           "OUT preempt next pid/tid: " + c[3] + "/" + c[3]);
        expected.push_back(name(c[3]) + " " + c[3] + " " + where + "IN prev pid/tid: " + c[2] +
                           "/" + c[2]);
    }
    for (const std::string &line : squeezed_lines(script("--show-switch-events")))
        if (line.find("SWITCH") != std::string::npos)
            found.push_back(line);
    expect_same(sorted(found), sorted(expected));

    // one process for another, and one record less
    EXPECT_EQ(run("check t").status, 0);
    std::string file = temp.read("t");
    const std::string rows = run("decode --format csv --only SWITCH_CPU_WIDE t").out;
    const size_t at = std::stoull(split(lines_of(rows)[7], ',')[0], nullptr, 16);
    file[at + 8] ^= 1;
    temp.write("t1", file);
    const Outcome outcome = run("check --truth t.truth t1");
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("switches"), std::string::npos);
    EXPECT_EQ(count_of(outcome.out, "DISAGREES"), 1u) << outcome.out;
    EXPECT_NE(outcome.out.find("byte " + std::to_string(at) + ":"), std::string::npos);

    std::filesystem::remove_all(temp.path() / "t");
    std::filesystem::remove_all(temp.path() / "t.truth");
    trace("riscv_processes");
    EXPECT_EQ(run("decode --only SWITCH_CPU_WIDE t").out.find("SWITCH"), std::string::npos)
        << "nobody asked for them";
}

// ---- counts ----

namespace
{

// What perf stat report prints of each event: the sum of the CPUs, as a number; of intervals the sum, or
// the last one where each is told from the beginning on.
std::map<std::string, double> reported(const std::string &text, bool from_beginning)
{
    std::map<std::string, double> result;

    for (const std::string &line : squeezed_lines(text)) {
        std::vector<std::string> words = split(line, ' ');

        if (words.size() < 2 || !isdigit(words[0][0]) || words[1] == "seconds")
            continue;
        if (words[0].find('.') != std::string::npos) // the time of an interval
            words.erase(words.begin());
        const size_t name = words.size() > 2 && words[1] == "MiB" ? 2 : 1;
        double &sum = result[words[name]];
        sum = std::stod(words[0]) + (from_beginning ? 0 : sum);
    }
    return result;
}

} // namespace

TEST_F(PerfTrace, CountsAreWhatPerfStatReports)
{
    const struct {
        const char *config, *options, *name;
    } cases[] = {
        {"imc_core", "", "pmu || '/' || event || '/'"},
        {"imc_nest", "", "pmu || '/' || event || '/'"}, // with intervals
        {"riscv_count", "", "event || CASE command WHEN 1 THEN ':u' ELSE '' END"},
        {"riscv_count", "--command riscv.perf.0", "event"}, // with intervals
    };

    for (const auto &c : cases) {
        const std::string only = *c.options != 0 ? " WHERE command = 0" : "";
        std::map<std::string, double> expected;

        trace(c.config, c.options);
        for (const std::string &row :
             truth().ask("SELECT " + std::string(c.name) + ", sum(value) FROM count" + only +
                         " GROUP BY 1")) {
            const std::vector<std::string> cells = split(row, '|');

            expected[cells[0]] = std::stod(cells[1]);
        }
        const PerfOutput report = perf(temp, "stat report -i t");
        EXPECT_EQ(report.status, 0);
        EXPECT_EQ(count_of(report.err, "rror"), 0u) << report.err;
        EXPECT_GT(expected.size(), 4u);
        EXPECT_EQ(reported(report.out + report.err, perf_adds_scaled(temp)), expected)
            << c.config << report.out << report.err;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// Each count of each CPU, as it stands in the file.
TEST_F(PerfTrace, CountsOfEachCpuAreInTheFile)
{
    std::map<std::string, int64_t> expected, found;

    trace("imc_core");
    for (const std::string &row : truth().ask("SELECT cpu, raw FROM count")) {
        const std::vector<std::string> c = split(row, '|');

        expected[c[0]] += std::stoll(c[1]);
    }
    std::string cpu;
    for (const std::string &line : squeezed_lines(perf(temp, "report -D -i t").out)) {
        if (line.find("... id ") == 0)
            cpu = line.substr(line.find("cpu ") + 4, line.find(", thread") - line.find("cpu ") - 4);
        if (line.find("... value ") == 0)
            found[cpu] += std::stoll(line.substr(10));
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found.size(), 2u);
}
