// SPDX-License-Identifier: Apache-2.0
// The PMCU as perf.data, in both flavours, against the AUX data and the truth of the same run.
#include <gtest/gtest.h>

#include <cstring>

#include "traces/trace.hpp"

using namespace cs_test;

namespace
{

// A page holds the header and a sample less than a whole number of them: there are gaps.
const char *const kBuffers =
    "--set pmcu_driver.aux_buffer_bytes=4096 --set perf.0.record.0.nr_sample=40 ";

struct PerfPmcu : Trace {
};

uint64_t word(const std::string &bytes, size_t at, unsigned length = 8)
{
    uint64_t value = 0;

    memcpy(&value, bytes.data() + at, length);
    return value;
}

// The subsamples of an AUX dump, as docs/drivers/pmcu_driver.md has it.
std::vector<std::string> subsamples(const std::string &aux)
{
    const size_t buffer = word(aux, 0, 4), size = word(aux, 16, 4), each = word(aux, 20, 4);
    size_t at = (28 + 4 * word(aux, 24, 4) + 15) / 16 * 16;
    std::vector<std::string> result;

    if (size * each == 0 || buffer < size * each)
        return result;

    while (at + size * each <= aux.size()) {
        if (buffer - at % buffer < size * each) {
            at += buffer - at % buffer;
            continue;
        }
        for (size_t i = 0; i < each; i++, at += size)
            result.push_back(aux.substr(at, size));
    }
    return result;
}

} // namespace

TEST_F(PerfPmcu, StockSamplesSayWhatEachCpuCounted)
{
    for (const char *options : {"", kBuffers, "--set corepmu.offline=[2]"}) {
        std::vector<std::string> expected, found;

        trace("pmcu_demo", options);
        const uint64_t mhz = clock_mhz();
        for (const std::string &row :
             truth().ask("SELECT s.cpu, e.name, "
                         "value, cycle, coalesce(nullif(cid1, 0), cid2, 0) FROM sample s JOIN "
                         "subsample u ON "
                         "s.subsample = u.number "
                         "LEFT JOIN window w ON w.subsample = s.subsample AND w.cpu = s.cpu "
                         "JOIN event e ON e.id = s.event")) {
            const std::vector<std::string> c = split(row, '|');
            char text[256];

            snprintf(text, sizeof text, "%s [%03d] %s: %s %s:", as_thread(c[4], c[0]).c_str(),
                     std::stoi(c[0]), as_time(std::stoull(c[3]) * 1000 / mhz).c_str(), c[2].c_str(),
                     c[1].c_str());
            expected.push_back(text);
        }
        for (const std::string &line : squeezed_lines(script("-F pid,tid,cpu,time,period,event")))
            if (line.find("hisi_pmcu_sccl0") == std::string::npos)
                found.push_back(line);
        EXPECT_GT(expected.size(), 100u);
        EXPECT_EQ(sorted(found), sorted(expected)) << options;
        std::filesystem::remove_all(temp.path() / "t");
        std::filesystem::remove_all(temp.path() / "t.truth");
    }
}

// What perf adds up needs no options.
// The published config has whole milliseconds only: another period is told by the name.
TEST_F(PerfPmcu, APeriodInTicksIsInTheName)
{
    trace("pmcu_demo", "--flavour faithful --set perf.0.record.0.sample_period_ms=2");
    EXPECT_NE(perf_good(temp, "evlist -i t").find(",sample_period_ms=2/\n"), std::string::npos);
    std::filesystem::remove_all(temp.path() / "t");
    std::filesystem::remove_all(temp.path() / "t.truth");
    temp.write("ticks.yaml", R"(name: ticks
pmcu: {clusters: 1, slots: 2}
pmcu_driver: {user_events: "08 11", nr_sample: 4, sample_period_ticks: 60}
)");
    trace_file("ticks.yaml");
    EXPECT_NE(perf_good(temp, "evlist -i t")
                  .find("hisi_pmcu_sccl0/nr_sample=4,sample_period_ticks=60/\n"),
              std::string::npos);
}

TEST_F(PerfPmcu, StockReportsAddUp)
{
    trace("pmcu_demo");
    const std::string report = perf_good(temp, "report --stdio -i t --sort cpu");
    std::vector<std::string> expected, found;

    for (const std::string &row :
         truth().ask("SELECT name, sampled FROM event WHERE cycle_counter = 0 AND number != 49152"))
        expected.push_back(row);
    std::string name;
    for (const std::string &line : squeezed_lines(report)) {
        if (line.find("# Samples: ") == 0)
            name = line.substr(line.find('\'') + 1, line.rfind('\'') - line.find('\'') - 1);
        if (line.find("# Event count (approx.): ") == 0 && name.find("hisi") != 0 &&
            name != "cycles")
            found.push_back(name + "|" + line.substr(25));
    }
    EXPECT_EQ(expected.size(), 11u);
    EXPECT_EQ(sorted(found), sorted(expected));
    EXPECT_NE(perf_good(temp, "script -i t").find("INST_RETIRED:"), std::string::npos);
}

TEST_F(PerfPmcu, StockHasEachSubsampleAsRawBytes)
{
    std::vector<std::string> expected;

    trace("pmcu_demo", kBuffers);
    for (const std::string &bytes : subsamples(temp.read("t.truth/samples.aux"))) {
        std::string text;
        char digits[8];

        for (const char c : bytes) {
            snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(c));
            text += digits;
        }
        expected.push_back(text + "00000000"); // perf's padding
    }
    temp.write("raw.py",
               "def process_event(e):\n"
               "    if e['ev_name'].startswith('hisi'): print(bytes(e['raw_buf']).hex())\n");
    EXPECT_EQ(expected.size(), 80u);
    EXPECT_EQ(lines_of(perf_good(temp, "script -i t -s raw.py")), expected);
}

// The decoder of the patches never ends on others (published.py).
TEST_F(PerfPmcu, FaithfulFilesAreOfClustersOfEightSlots)
{
    const Outcome o = run(
        "trace -o t --format perf --flavour faithful --set pmcu.slots=4 --set corepmu.absent=[] " +
        config_path("pmcu_demo.yaml"));

    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("pmcu.slots: 4; flavour faithful needs clusters of 8 slots"),
              std::string::npos)
        << o.err;
    EXPECT_FALSE(std::filesystem::exists(temp.path() / "t"));
}

// The file is for patched perfs: the AUX data are found by the layout of the file, and, under a type that this
// perf knows (which the file does not claim), by perf.
TEST_F(PerfPmcu, FaithfulFilesHoldTheAuxDataOfTheDriver)
{
    trace("pmcu_demo", std::string("--flavour faithful ") + kBuffers);
    const std::string aux = temp.read("t.truth/samples.aux");
    std::string file = temp.read("t"), found;
    const size_t begin = word(file, 40), end = begin + word(file, 48);
    size_t info = 0, stretches = 0, committed = 0;
    std::vector<size_t> pieces;

    for (size_t at = begin, next; at < end; at = next) {
        const uint32_t type = static_cast<uint32_t>(word(file, at, 4));

        next = at + word(file, at + 6, 2);
        ASSERT_GE(next, at + 8);

        if (type == 70)
            info = at;
        if (type == 11) { // AUX: the stretches follow each other
            EXPECT_EQ(word(file, at + 8), committed);
            committed += word(file, at + 16);
            stretches++;
        }
        if (type == 71) {
            pieces.push_back(at);
            EXPECT_EQ(word(file, at + 16), found.size());
            found += file.substr(next, word(file, at + 8));
            next += word(file, at + 8);
        }
    }
    ASSERT_NE(info, 0u);
    EXPECT_EQ(word(file, info + 8, 4), 7u);
    EXPECT_EQ(word(file, info + 16), 6u) << "the PMU's type";
    EXPECT_EQ(found, aux);
    EXPECT_EQ(committed, aux.size());
    EXPECT_GT(stretches, 3u);
    EXPECT_EQ(pieces.size(), (stretches + 1) / 2) << "perf reads when half of four buffers is full";
    EXPECT_EQ(perf_good(temp, "evlist -i t"), "hisi_pmcu_sccl0/nr_sample=40,sample_period_ms=1/\n");
    EXPECT_NE(perf(temp, "script -i t").err.find("failed to process type: 70"), std::string::npos);

    file[info + 8] = 6;
    temp.write("t6", file);
    const std::string dump = perf_good(temp, "report -D -i t6");
    EXPECT_EQ(count_of(dump, "PERF_RECORD_AUX "), stretches);
    EXPECT_GT(count_of(dump, "PERF_RECORD_AUXTRACE size: 0x"), 3u);

    // the feature lists where they are: bit 18; its place is that of its number among those set
    const uint64_t features = word(file, 72);
    ASSERT_NE(features >> 18 & 1, 0u);
    const size_t place =
        end + 16 * static_cast<size_t>(__builtin_popcountll(features & ((UINT64_C(1) << 18) - 1)));
    const size_t body = word(file, place);
    EXPECT_EQ(word(file, place + 8), 8 + 16 * pieces.size());
    ASSERT_EQ(word(file, body), pieces.size());
    for (size_t i = 0; i < pieces.size(); i++) {
        EXPECT_EQ(word(file, body + 8 + 16 * i), pieces[i]);
        EXPECT_EQ(word(file, body + 16 + 16 * i), 48u) << "of the record without its payload";
    }
}
