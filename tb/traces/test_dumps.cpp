// SPDX-License-Identifier: Apache-2.0
// Buffers, images, pages and tables: the command's own decoder and the truth of the same run judge them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/json_flat.hpp"
#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

struct Dumps : Trace {
    std::vector<std::string> decode(const std::string &as)
    {
        const Outcome outcome = run("decode --format csv --as " + as + " t");

        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return lines_of(outcome.out);
    }
    // A byte sequence lies somewhere in the memory that the run has kept.
    bool in_memory(const std::string &bytes)
    {
        for (const auto &entry :
             std::filesystem::directory_iterator(temp.path() / "t.truth/memory"))
            if (temp.read("t.truth/memory/" + entry.path().filename().string()).find(bytes) !=
                std::string::npos)
                return true;
        return false;
    }
};

uint64_t big(const std::string &bytes, size_t at)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

// A line's cell by the name of its column.
std::string cell(const std::string &names, const std::string &line, const std::string &name)
{
    const std::vector<std::string> n = split(names, ','), c = split(line, ',');
    const size_t i = static_cast<size_t>(std::find(n.begin(), n.end(), name) - n.begin());

    return i < c.size() ? c[i] : "";
}

const std::string kCatalog =
    std::string(" --catalog ") + CS_SOURCE_DIR "/configs/imc/power9_small.dts";

} // namespace

TEST_F(Dumps, AuxIsWhatTheDriverHandedOver)
{
    trace(
        "pmcu_demo",
        "--format aux --set pmcu_driver.aux_buffer_bytes=4096 --set perf.0.record.0.nr_sample=40");
    EXPECT_EQ(temp.read("t"), temp.read("t.truth/samples.aux"));
    EXPECT_GT(decode("pmcu-aux").size(), 300u);
}

// What stands in the buffers are the records that the hardware wrote last, each at its address.
TEST_F(Dumps, TraceBuffersHoldTheLastRecordOfEachPlace)
{
    trace("imc_trace", "--format imc");
    const std::string image = temp.read("t");
    const std::vector<std::string> cpus =
        truth().ask("SELECT DISTINCT cpu FROM record ORDER BY cpu");
    constexpr size_t kBuffer = 0x40000;
    size_t checked = 0;

    ASSERT_EQ(cpus.size(), 5u);
    ASSERT_EQ(image.size(), cpus.size() * kBuffer);
    for (size_t i = 0; i < cpus.size(); i++) {
        std::map<uint64_t, uint64_t> last;
        uint64_t base = UINT64_MAX;

        for (const std::string &row :
             truth().ask("SELECT address, pc FROM record WHERE cpu = " + cpus[i] +
                         " AND response = 'OKAY' ORDER BY cycle")) {
            const std::vector<std::string> c = split(row, '|');

            last[std::stoull(c[0])] = static_cast<uint64_t>(std::stoll(c[1]));
            base = std::min(base, static_cast<uint64_t>(std::stoull(c[0])));
        }
        for (size_t at = 0; at < kBuffer; at += 64) {
            const auto found = last.find(base + at);

            ASSERT_EQ(big(image, i * kBuffer + at + 8), found != last.end() ? found->second : 0)
                << i << " " << at;
            checked += found != last.end();
        }
    }
    EXPECT_GT(checked, 5000u);
}

TEST_F(Dumps, ImagesOfCountersAreThoseThatTheDriverRead)
{
    const struct {
        const char *format, *config, *as;
        size_t bytes;
    } cases[] = {
        {"core-imc", "imc_core", "imc-core", 2 * 0x2000},
        {"thread-imc", "imc_thread", "imc-thread", 2 * 0x2000},
        {"nest-imc", "imc_nest", "imc-nest", 0x40000},
    };

    for (const auto &c : cases) {
        trace(c.config, std::string("--format ") + c.format);
        const std::string image = temp.read("t");
        std::map<std::string, uint64_t> held;

        EXPECT_EQ(image.size(), c.bytes) << c.format;
        for (size_t at = 0; at < image.size(); at += 0x1000) {
            const std::string page =
                image.substr(at, 0x1000); // pages that nobody wrote are not kept

            EXPECT_TRUE(page.find_first_not_of('\0') == std::string::npos || in_memory(page))
                << c.format;
        }
        const std::vector<std::string> lines = decode(c.as + kCatalog);
        for (const std::string &line : lines)
            held[cell(lines[0], line, "event")] +=
                std::strtoull(cell(lines[0], line, "raw").c_str(), nullptr, 10);
        // Memory began at zero, and the hardware may have gone on.
        unsigned checked = 0;
        for (const std::string &row :
             truth().ask("SELECT event, sum(raw) FROM count GROUP BY event")) {
            const std::vector<std::string> cells = split(row, '|');

            EXPECT_GE(held[cells[0]], std::stoull(cells[1])) << cells[0];
            checked += std::stoull(cells[1]) > 0;
        }
        EXPECT_GT(checked, 2u) << c.format;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

TEST_F(Dumps, SnapshotPagesAreThoseInMemory)
{
    trace("riscv_snapshot", "--format snapshot");
    const std::string pages = temp.read("t");

    ASSERT_EQ(pages.size(), 4096u);
    EXPECT_NE(pages.find_first_not_of('\0'), std::string::npos);
    EXPECT_TRUE(in_memory(pages));
    EXPECT_EQ(decode("sbi-snapshot").size(), 65u);
}

// ---- tables ----

TEST_F(Dumps, TablesOfSamplesAreTheTruthsRows)
{
    trace("imc_trace", "--format csv");
    const uint64_t mhz = clock_mhz();
    std::vector<std::string> expected = {"time_ns,event,cpu,pid,mode,ip,period"};
    char ip[32];

    for (const std::string &row : truth().ask("SELECT time, cpu, pid, misc, ip FROM perf_sample")) {
        const std::vector<std::string> c = split(row, '|');

        snprintf(ip, sizeof ip, "0x%" PRIx64, static_cast<uint64_t>(std::stoll(c[4])));
        expected.push_back(std::to_string(std::stoull(c[0]) * 1000 / mhz) +
                           ",trace_imc/trace_cycles/," + c[1] + "," + c[2] + "," +
                           (c[3] == "1" ? "kernel" : "user") + "," + ip + ",1");
    }
    EXPECT_GT(expected.size(), 10000u);
    EXPECT_TRUE(lines_of(temp.read("t")) == expected);
}

TEST_F(Dumps, TablesOfThePmcuAddUp)
{
    std::map<std::string, std::string> expected;
    std::map<std::string, uint64_t> found;

    trace("pmcu_demo", "--format csv");
    for (const std::string &row :
         truth().ask("SELECT name, sampled FROM event WHERE number != 49152 AND cycle_counter = 0"))
        expected[split(row, '|')[0]] = split(row, '|')[1];
    const std::vector<std::string> lines = lines_of(temp.read("t"));
    for (const std::string &line : lines)
        found[cell(lines[0], line, "event")] +=
            std::strtoull(cell(lines[0], line, "period").c_str(), nullptr, 10);
    EXPECT_EQ(expected.size(), 11u);
    for (const auto &e : expected)
        EXPECT_EQ(std::to_string(found[e.first]), e.second) << e.first;
    EXPECT_EQ(std::to_string(found["cycles"]),
              truth().one("SELECT sampled FROM event WHERE cycle_counter = 1"));
}

TEST_F(Dumps, TablesOfHartsAndCountsAreTheTruths)
{
    trace("riscv_sample", "--format json");
    std::map<std::string, std::string> json = json_flat(temp.file("t"));
    const int64_t samples = truth().number("SELECT count(*) FROM hart_sample WHERE lost = 0");

    EXPECT_EQ(json.count(std::to_string(samples - 1) + ".ip"), 1u);
    EXPECT_EQ(json.count(std::to_string(samples) + ".ip"), 0u);
    EXPECT_EQ(json["0.event"], "instructions");
    std::filesystem::remove_all(temp.path() / "t");
    std::filesystem::remove_all(temp.path() / "t.truth");

    trace("riscv_count", "--format csv");
    std::vector<std::string> expected = {"cpu,raw,truth"}, found;
    for (const std::string &row : truth().ask("SELECT cpu, raw, truth FROM count")) {
        std::string text = row;

        std::replace(text.begin(), text.end(), '|', ',');
        expected.push_back(text);
    }
    const std::vector<std::string> lines = lines_of(temp.read("t"));
    for (const std::string &line : lines)
        found.push_back(cell(lines[0], line, "cpu") + "," + cell(lines[0], line, "raw") + "," +
                        cell(lines[0], line, "truth"));
    EXPECT_GT(expected.size(), 20u);
    EXPECT_EQ(found, expected);
}

TEST_F(Dumps, AScenarioWithoutIsRefused)
{
    const struct {
        const char *format, *text;
    } cases[] = {
        {"aux", "format pmcu-aux needs software.kind pmcu_driver"},
        {"imc", "format imc-trace needs a command of imc_driver.perf with pmu: trace"},
        {"core-imc", "format imc-core needs a command of imc_driver.perf with pmu: core"},
        {"thread-imc", "format imc-thread needs a command of imc_driver.perf with pmu: thread"},
        {"nest-imc", "format imc-nest needs a command of imc_driver.perf with pmu: nest"},
        {"snapshot", "format sbi-snapshot needs riscv.driver.snapshot"},
        {"csv", "the scenario has no perf command"},
        {"json", "the scenario has no perf command"},
    };

    for (const auto &c : cases) {
        const Outcome outcome = run(std::string("trace -o t --format ") + c.format +
                                    " " CS_SOURCE_DIR "/configs/pmcu/pmcu_lockstep_script.yaml");

        EXPECT_EQ(outcome.status, 2) << c.format;
        EXPECT_NE(outcome.err.find(c.text), std::string::npos) << outcome.err;
        EXPECT_EQ(temp.tree(), (std::set<std::string>{"small.yaml"}));
    }
    EXPECT_EQ(run("trace -o t --format imc --command riscv.perf.0 " CS_SOURCE_DIR
                  "/configs/imc/imc_trace.yaml")
                  .status,
              2);
}
