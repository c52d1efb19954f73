// SPDX-License-Identifier: Apache-2.0
// A run of RISC-V's harts: streams of known rates, and what every run must be.
#ifndef CS_TB_CLI_RUN_RISCV_HPP
#define CS_TB_CLI_RUN_RISCV_HPP

#include <algorithm>
#include <sstream>

#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

namespace run_riscv
{

using namespace cs_test;

using Cells = std::vector<std::string>;

inline Cells split(const std::string &text, char separator)
{
    Cells parts;
    std::istringstream in(text);

    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

// The bus and the core have one clock: a cycle is a nanosecond. A round is 1000 cycles of U and 500 of S, each one
// function of one instruction. 0x40 happens once in each cycle of the workload, 0x41 in each of U, 0x42 in every
// second of S, and none of them in software.
const char *const kKnown = R"(name: known
bus: {clock_mhz: 1000}
corepmu: {clock_mhz: 1000}
harts: {count: 1}
workloads:
  - name: round
    cpus: all
    segments:
      - cycles: 1000
        mode: u
        cid1: 77
        functions: [{name: user, base: 0x1000, size: 4}]
        events:
          - {event: "hpm:0x40", rate: 1}
          - {event: "hpm:0x41", rate: 1}
      - cycles: 500
        mode: s
        cid1: 78
        functions: [{name: kernel, base: 0x2000, size: 4}]
        events:
          - {event: "hpm:0x40", rate: 1}
          - {event: "hpm:0x42", rate: 0.5}
riscv:
)";

// The same of a guest: 600 cycles of VU, 300 of VS, 600 of S.
const char *const kGuest = R"(name: guest
bus: {clock_mhz: 1000}
corepmu: {clock_mhz: 1000}
harts: {count: 1}
workloads:
  - name: machine
    cpus: all
    segments:
      - cycles: 600
        mode: vu
        cid1: 77
        functions: [{name: user, base: 0x1000, size: 4}]
        events: [{event: "hpm:0x40", rate: 1}]
      - cycles: 300
        mode: vs
        cid1: 78
        functions: [{name: guest, base: 0x2000, size: 4}]
        events: [{event: "hpm:0x40", rate: 1}]
      - cycles: 600
        mode: s
        cid1: 79
        functions: [{name: host, base: 0x3000, size: 4}]
        events: [{event: "hpm:0x40", rate: 1}]
riscv:
  has_guest: true
)";

struct RunRiscv : Command {
    std::map<std::string, std::string> json;
    std::string warnings;

    // Every figure on the terminal is in summary.txt.
    void check_printed(const std::string &out)
    {
        const std::string summary = temp.read("out/summary.txt");
        const size_t figures = summary.find("\n\n  ") + 1; // before the tables

        EXPECT_TRUE(has(out, summary.substr(0, figures))) << out;
    }
    // A run that must succeed; `scenario` as an argument.
    void simulate(const std::string &scenario, const std::string &options = "")
    {
        std::filesystem::remove_all(temp.path() / "out");
        const Outcome o = run("run -o out " + options + " " + scenario);

        ASSERT_EQ(o.status, 0) << o.err;
        check_printed(o.out);
        warnings = without_former(o.err);
        json = json_flat(temp.file("out/summary.json"));
        EXPECT_EQ(json["ended"], "perf has ended");
    }
    void config(const std::string &name, const std::string &options = "")
    {
        simulate("'" + config_path(name + ".yaml") + "'", options);
    }
    // Without a warning, but for that of wrong counts where there are some.
    void check_warnings()
    {
        const bool wrong = figure("wrong_counts") != 0;

        EXPECT_EQ(std::count(warnings.begin(), warnings.end(), '\n'), wrong ? 1 : 0) << warnings;
        EXPECT_EQ(has(warnings, " counts of harts are not what happened"), wrong) << warnings;
    }
    // kKnown or kGuest with what comes under `riscv`.
    void known(const std::string &riscv, const std::string &options = "",
               const char *scenario = kKnown)
    {
        temp.write("known.yaml", scenario + riscv);
        simulate("known.yaml", options);
        check_warnings();
    }
    Database db() const
    {
        return Database(temp.file("out/truth.sqlite"));
    }
    int64_t ask(const std::string &sql) const
    {
        return db().number(sql);
    }
    int64_t figure(const std::string &key)
    {
        EXPECT_EQ(json.count(key), 1u) << key;
        return std::stoll(json[key]);
    }
    int64_t count(unsigned command, const std::string &event, unsigned cpu = 0)
    {
        return ask("SELECT raw FROM count WHERE command = " + std::to_string(command) +
                   " AND event = '" + event + "' AND cpu = " + std::to_string(cpu));
    }
    // Rows of `decode -f csv`, without the heading.
    std::vector<Cells> decode(const std::string &file)
    {
        const Outcome o = run("decode --as riscv-ring -f csv " + file);
        std::vector<Cells> rows;

        EXPECT_EQ(o.status, 0) << o.err;
        for (const std::string &line : split(o.out, '\n'))
            rows.push_back(split(line, ','));
        if (!rows.empty())
            rows.erase(rows.begin());
        return rows;
    }
    size_t in_ring(const std::string &file, const std::string &type)
    {
        size_t n = 0;

        for (const Cells &c : decode(file))
            n += c.size() > 2 && c[2] == type;
        return n;
    }

    // What holds in every run without bugs, faults, and counters that wrap.
    void check_counts()
    {
        EXPECT_EQ(figure("wrong_counts"), 0);
        EXPECT_EQ(ask("SELECT count(*) FROM count WHERE raw <> counted"), 0);
        EXPECT_EQ(ask("SELECT count(*) FROM count WHERE stop <= start OR truth < counted"), 0);
        EXPECT_EQ(ask("SELECT count(*) FROM hart WHERE sbi_errors <> 0"), 0);
    }
    // Every cycle belongs to somebody, and the summary adds up the harts.
    void check_cycles()
    {
        const int64_t harts = ask("SELECT count(*) FROM hart");

        EXPECT_EQ(ask("SELECT count(DISTINCT workload + kernel + firmware + guest) FROM hart"), 1);
        EXPECT_EQ(ask("SELECT max(workload + kernel + firmware + guest) FROM hart"),
                  figure("simulated_ns"));
        EXPECT_EQ(ask("SELECT count(*) FROM hart WHERE firmware = 0 OR kernel = 0"), 0);
        for (const char *part : {"firmware", "kernel", "guest"})
            EXPECT_EQ(figure(std::string(part) + "_ns"),
                      ask(std::string("SELECT sum(") + part + ") FROM hart"));
        EXPECT_EQ(figure("software_ns"), ask("SELECT sum(kernel + firmware + guest) FROM hart"));
        for (const char *part : {"interrupts", "spurious", "samples", "lost", "throttled"})
            EXPECT_EQ(figure(std::string("hart_") + part),
                      ask(std::string("SELECT sum(") + part + ") FROM hart"));
        EXPECT_EQ(figure("sbi_calls"), ask("SELECT sum(sbi_calls) FROM hart"));
        EXPECT_GE(harts, 1);
    }
    // The samples in the ring are those of the database that were not lost, field by field.
    void check_ring(const std::string &file, const std::string &where)
    {
        const auto expected =
            db().ask("SELECT command * 256 + event + 1, time, cpu, pid, pid, "
                     "printf('0x%016x', ip), CASE misc WHEN 1 THEN 'kernel' WHEN 2 THEN 'user' "
                     "WHEN 4 THEN 'guest kernel' ELSE 'guest user' END, period "
                     "FROM hart_sample WHERE lost = 0 AND " +
                     where + " ORDER BY rowid");
        size_t i = 0;

        for (const Cells &c : decode(file)) {
            if (c[2] != "sample")
                continue;
            ASSERT_LT(i, expected.size());
            ASSERT_GE(c.size(), 11u);
            ASSERT_EQ(c[3] + "|" + c[4] + "|" + c[5] + "|" + c[6] + "|" + c[7] + "|" + c[8] + "|" +
                          c[9] + "|" + c[10],
                      expected[i])
                << file << ": " << i;
            i++;
        }
        EXPECT_EQ(i, expected.size()) << file;
        EXPECT_GE(i, 1u) << file;
    }
    // Figures of the summary from the rows of the samples.
    void check_samples()
    {
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample"), figure("hart_samples"));
        EXPECT_EQ(ask("SELECT sum(lost) FROM hart_sample"), figure("hart_lost"));
        EXPECT_EQ(ask("SELECT max(skid) FROM hart_sample"), figure("most_skid_ns"));
        EXPECT_EQ(ask("SELECT sum(max(skid, 0)) / count(overflow) FROM hart_sample"),
                  figure("skid_ns"));
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE ip = true_ip"), figure("same_pc"));
        EXPECT_EQ(ask("SELECT count(*) FROM hart_sample WHERE trap - overflow <> skid"), 0);
        EXPECT_NEAR(
            std::stod(db().one("SELECT avg(1.0 * true_period / period - 1) FROM hart_sample "
                               "WHERE overflow IS NOT NULL")),
            std::stod(json["period_error"]), 1e-7);
        EXPECT_NEAR(
            std::stod(db().one("SELECT max(1.0 * true_period / period - 1) FROM hart_sample")),
            std::stod(json["most_period_error"]), 1e-7);
    }
};

} // namespace run_riscv

#endif
