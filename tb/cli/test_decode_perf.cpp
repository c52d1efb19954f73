// SPDX-License-Identifier: Apache-2.0
// decode --as perf-data, held against what perf itself says of the same files.
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <tuple>

#include "formats/perf/perf_file.hpp"
#include "shell.hpp"

using namespace cs_test;

namespace
{

const std::string kFolder = CS_SOURCE_DIR "/tb/cli/perf_data/";
const char *const kFiles[] = {"events.data", "group.data", "stat.data", "pipe.data",
                              "stat_pipe.data"};

std::vector<std::string> lines_of(const std::string &text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    std::string line;

    while (std::getline(in, line))
        lines.push_back(line);
    return lines;
}

// No cell of these tables has a quoted comma but the last.
std::vector<std::string> cells_of(const std::string &line)
{
    std::vector<std::string> cells;
    std::istringstream in(line);
    std::string cell;

    while (cells.size() < 10 && std::getline(in, cell, ','))
        cells.push_back(cell);
    std::getline(in, cell);
    cells.push_back(cell);
    return cells;
}

enum { OFFSET, TYPE, EVENT, MODE, CPU, PID, TID, TIME, IP, PERIOD, DETAIL };

struct DecodePerf : Command {
    std::string judge(const std::string &arguments)
    {
        const std::string line = "cd '" + temp.path().string() + "' && LC_ALL=C perf " + arguments +
                                 " </dev/null >.out 2>.err";
        EXPECT_EQ(std::system(line.c_str()), 0) << arguments << temp.read(".err");
        return temp.read(".out");
    }
    std::vector<std::vector<std::string>> rows(const std::string &file,
                                               const std::string &options = "")
    {
        const Outcome o = run("decode -f csv " + options + " '" + file + "'");
        std::vector<std::vector<std::string>> all;

        EXPECT_EQ(o.status, 0) << o.err;
        for (const std::string &line : lines_of(o.out))
            all.push_back(cells_of(line));
        if (!all.empty())
            all.erase(all.begin());
        return all;
    }
    std::string write(const std::string &name, const PerfBytes &bytes)
    {
        temp.write(name, std::string(bytes.begin(), bytes.end()));
        return name;
    }
};

// cpu, time, offset and type of every record, as "report -D" has them.
TEST_F(DecodePerf, EveryRecordIsWherePerfSeesIt)
{
    for (const char *name : kFiles) {
        const std::string dump = judge("report -D -i " + kFolder + name);
        std::map<uint64_t, std::string> judged;

        // perf counts a pipe's bytes from behind its header.
        const uint64_t base = std::string(name).find("pipe") != std::string::npos ? 16 : 0;

        // "1 36719071269168 0x20a0 [0x98]: PERF_RECORD_MMAP2 ..", without CPUs only the time
        for (const std::string &line : lines_of(dump)) {
            unsigned long long offset, size;
            char type[64];

            if (std::sscanf(line.c_str(), "%*d %*d %llx [%llx]: PERF_RECORD_%63[A-Z0-9_]", &offset,
                            &size, type) == 3 ||
                std::sscanf(line.c_str(), "%*d %llx [%llx]: PERF_RECORD_%63[A-Z0-9_]", &offset,
                            &size, type) == 3)
                judged[base + offset] = type;
        }
        std::map<uint64_t, std::string> ours;
        for (const auto &row : rows(kFolder + name)) {
            // perf's names for two of them
            std::string type = row[TYPE] == "HEADER_ATTR"      ? "ATTR"
                               : row[TYPE] == "HEADER_FEATURE" ? "FEATURE"
                                                               : row[TYPE];
            ours[std::stoull(row[OFFSET], nullptr, 16)] = type;
        }
        EXPECT_GT(judged.size(), 4u) << name;
        EXPECT_EQ(ours, judged) << name;
    }
}

// What a sample says, as "perf script" prints it: in order of time.
using Sample = std::tuple<uint64_t, int, int, int, std::string, uint64_t, uint64_t>;

std::vector<Sample> judged_samples(const std::string &text)
{
    std::vector<Sample> samples;

    // "  7066/7066  [001] 37215.635903123:      50000 cpu-clock:  ffffffff8134315f"
    for (const std::string &line : lines_of(text)) {
        int pid, tid, cpu;
        unsigned long long seconds, ns, period, ip;
        char event[64];

        if (std::sscanf(line.c_str(), "%d/%d [%d] %llu.%llu: %llu %63[^:]: %llx", &pid, &tid, &cpu,
                        &seconds, &ns, &period, event, &ip) == 8 ||
            (std::sscanf(line.c_str(), "%d/%d %llu.%llu: %llu %63[^:]: %llx", &pid, &tid, &seconds,
                         &ns, &period, event, &ip) == 7 &&
             (cpu = -1) < 0))
            samples.emplace_back(seconds * 1000000000 + ns, pid, tid, cpu, event, period, ip);
    }
    return samples;
}

std::vector<Sample> our_samples(const std::vector<std::vector<std::string>> &rows)
{
    std::vector<Sample> samples;

    for (const auto &row : rows)
        samples.emplace_back(std::stoull(row[TIME]), std::stoi(row[PID]), std::stoi(row[TID]),
                             row[CPU].empty() ? -1 : std::stoi(row[CPU]), row[EVENT],
                             std::stoull(row[PERIOD]), std::stoull(row[IP], nullptr, 16));
    std::sort(samples.begin(), samples.end());
    return samples;
}

TEST_F(DecodePerf, SamplesAreThosePerfPrints)
{
    PerfFile made;
    made.attrs = {{.sample_type = 0x101c7, .ids = {5}, .name = "cpu-clock"},
                  {.config = 2, .sample_type = 0x101c7, .ids = {6}, .name = "page-faults"}};
    made.event_desc().text(6, "x86_64");
    for (unsigned i = 0; i < 50; i++) {
        const uint64_t id = 5 + i % 2;
        PerfOut payload = made.out();
        payload.u64(id).u64(0x400000 + 4 * i).u32(7).u32(8).u64(1000000000 + i).u64(id);
        made.add(9, 2, payload.u32(i % 4).u32(0).u64(100 + i).bytes);
    }
    const PerfBytes little = made.make();
    const PerfBytes pipe = made.make_pipe();
    PerfFile turned;
    turned.big = true;
    turned.attrs = made.attrs;
    turned.event_desc().text(6, "ppc64").text(3, "host"); // perf swaps wrongly without a hostname
    for (unsigned i = 0; i < 50; i++) {
        const uint64_t id = 5 + i % 2;
        PerfOut payload = turned.out();
        payload.u64(id).u64(0x400000 + 4 * i).u32(7).u32(8).u64(1000000000 + i).u64(id);
        turned.add(9, 2, payload.u32(i % 4).u32(0).u64(100 + i).bytes);
    }
    const std::string folder = temp.path().string() + "/";
    const std::string files[] = {kFolder + "events.data",
                                 kFolder + "zstd.data",
                                 kFolder + "threads.data",
                                 kFolder + "threads_zstd.data",
                                 folder + write("little", little),
                                 folder + write("pipe", pipe),
                                 folder + write("big", turned.make())};

    for (const std::string &file : files) {
        // A recording of one task has no CPU in it.
        const bool task = file.compare(0, kFolder.size(), kFolder) == 0;
        std::vector<Sample> judged =
            judged_samples(judge(std::string("script --ns -G -F pid,tid,time,period,event,ip") +
                                 (task ? "" : ",cpu") + " -i '" + file + "'"));

        std::sort(judged.begin(), judged.end());
        EXPECT_GE(judged.size(), task ? 5u : 50u) << file;
        EXPECT_EQ(our_samples(rows(file, "--only sample")), judged) << file;
    }
}

TEST_F(DecodePerf, OptionsAndFormats)
{
    const std::string file = "'" + kFolder + "group.data'";
    const Outcome text = run("decode " + file);

    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_TRUE(has(text.out, "NAMESPACES")) << text.out;
    EXPECT_EQ(run("decode --as perf-data " + file).out, text.out);
    const Outcome some = run("decode --only comm,FORK,4 -f csv " + file);
    EXPECT_EQ(lines_of(some.out).size(), 1 + rows(kFolder + "group.data", "--only comm").size() +
                                             rows(kFolder + "group.data", "--only EXIT").size());
    const Outcome header = run("decode --header -f csv " + file);
    EXPECT_TRUE(has(header.out, "\nevent.name,1,page-faults\n")) << header.out;
    EXPECT_TRUE(has(header.out, "\nversion,,6.1.187\n"));
    EXPECT_TRUE(has(header.out, "\nfirst_sample_ns,,36719"));
    const Outcome pipe = run("decode --header -f json < /dev/null '" + kFolder + "pipe.data'");
    EXPECT_TRUE(has(pipe.out, "{\"fact\": \"form\", \"index\": null, \"value\": \"pipe\"}"));
    EXPECT_TRUE(has(pipe.out, "cpu-clock"));
    // From what cannot be sought in.
    const std::string from = "cat '" + kFolder + "pipe.data' | '" CS_COMMAND "' decode /dev/stdin";
    EXPECT_EQ(std::system((from + " > '" + temp.path().string() + "/piped'").c_str()), 0);
    EXPECT_EQ(temp.read("piped"), run("decode '" + kFolder + "pipe.data'").out);
    // Within another file.
    std::ifstream in(kFolder + "events.data", std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    temp.write("within", "12345" + bytes.str() + "6789");
    EXPECT_EQ(
        run("decode --offset 5 --length " + std::to_string(bytes.str().size()) + " within").out,
        run("decode '" + kFolder + "events.data'").out);
}

TEST_F(DecodePerf, BadUse)
{
    const std::string file = " '" + kFolder + "group.data'";
    const struct {
        std::string arguments;
        int status;
        const char *message;
    } cases[] = {
        {"decode --only nothing" + file, 2, "--only: found 'nothing', expected types of records"},
        {"decode --header --aux" + file, 2, "--header and --aux are two things to print"},
        {"decode --stream 1" + file, 2, "--stream is for --aux"},
        {"decode --slots 1" + file, 2, "--slots is for --aux of perf-data"},
        {"decode --aux" + file, 2, "the file has no AUX data: no AUXTRACE record"},
        {"decode --as imc-trace --full" + file, 2, "--full is for perf-data, this is imc-trace"},
        {"decode --power10" + file, 2,
         "--power10 is for imc-trace, imc-core, imc-thread and imc-nest, this is perf-data"},
        {"decode --length 100" + file, 2,
         "group.data: byte 100: the file ends within the header of perf.data, expected 104 bytes"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(c.arguments);

        EXPECT_EQ(o.status, c.status) << c.arguments << o.err;
        EXPECT_TRUE(has(o.err, c.message)) << c.arguments << ":\n" << o.err;
    }
}

// Records that were compressed stand behind the one that they were in; those of a folder's files one file
// after the other.
TEST_F(DecodePerf, CompressedRecordsAndFolders)
{
    const auto all = rows(kFolder + "threads_zstd.data");
    const auto in_part = [](const std::vector<std::string> &row) {
        return row[DETAIL].find("file=data.1") != std::string::npos;
    };
    const auto first = std::find_if(all.begin(), all.end(), in_part);

    ASSERT_NE(first, all.end());
    EXPECT_EQ((*first)[TYPE], "COMPRESSED");
    EXPECT_TRUE(std::all_of(first, all.end(), in_part));
    EXPECT_EQ(
        std::count_if(first, all.end(), [](const auto &row) { return row[OFFSET] == "0x000000"; }),
        all.end() - first);
    EXPECT_GT(all.end() - first, 5);
    const Outcome header = run("decode --header '" + kFolder + "threads.data'");
    EXPECT_TRUE(has(header.out, "cpu-clock")) << header.out;
    std::filesystem::create_directory(temp.path() / "empty");
    EXPECT_TRUE(has(run("decode empty").err, "empty: cannot read: Is a directory"));
}

// What was read before the damage is printed.
TEST_F(DecodePerf, AFileThatIsCut)
{
    const Outcome whole = run("decode -f csv '" + kFolder + "events.data'");
    const Outcome cut = run("decode -f csv --length 3000 '" + kFolder + "events.data'");

    EXPECT_EQ(cut.status, 2);
    EXPECT_TRUE(has(cut.err, "events.data: byte 3000: the data end within a record")) << cut.err;
    EXPECT_GT(lines_of(cut.out).size(), 10u);
    EXPECT_EQ(whole.out.substr(0, 300), cut.out.substr(0, 300));
}

} // namespace
