// countersink check: what trace and run write agrees with their truth, and one changed number in it
// does not.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "shell.hpp"
#include "support/configs.hpp"

using namespace cs_test;

namespace
{

struct Check : Command {
    void trace(const std::string &name, const std::string &scenario,
               const std::string &options = "")
    {
        const Outcome o = run("trace --format perf " + options + " -o " + name + " '" +
                              config_path(scenario) + "'");

        ASSERT_EQ(o.status, 0) << o.err;
    }
    void agrees(const std::string &arguments)
    {
        const Outcome o = run("check " + arguments);

        EXPECT_EQ(o.status, 0) << arguments << o.out << o.err;
        EXPECT_TRUE(has(o.out, "agrees")) << o.out;
        EXPECT_FALSE(has(o.out, "DISAGREES"));
    }
    void disagrees(const std::string &arguments, const std::string &what)
    {
        const Outcome o = run("check " + arguments);

        EXPECT_EQ(o.status, 1) << arguments << what << o.out << o.err;
        EXPECT_TRUE(has(o.out, "DISAGREES")) << arguments << what << o.out;
        EXPECT_TRUE(has(o.err, "comparisons disagree with the truth")) << o.err;
    }
    // A file like another, but for a number of `bytes` bytes, little endian, which is `by` more.
    void change(const std::string &from, const std::string &to, size_t at, int64_t by,
                unsigned bytes = 8)
    {
        std::string text = temp.read(from);
        uint64_t value = 0;

        ASSERT_LE(at + bytes, text.size());
        for (unsigned i = bytes; i-- > 0;)
            value = value << 8 | static_cast<uint8_t>(text[at + i]);
        value += static_cast<uint64_t>(by);
        for (unsigned i = 0; i < bytes; i++)
            text[at + i] = static_cast<char>(value >> (8 * i));
        temp.write(to, text);
    }
    // The byte at which the nth record of a type stands.
    size_t place(const std::string &file, const std::string &type, unsigned nth)
    {
        const Outcome o = run("decode -f csv --only " + type + " " + file);
        size_t line = o.out.find('\n') + 1;

        while (nth-- > 0)
            line = o.out.find('\n', line) + 1;
        return std::stoull(o.out.substr(line), nullptr, 16);
    }
    // Records of a type, without the bytes at which they stand.
    std::string records(const std::string &type, const std::string &file)
    {
        const std::string rows = run("decode -f csv --only " + type + " " + file).out;
        std::string result;

        for (size_t line = 0; line < rows.size(); line = rows.find('\n', line) + 1)
            result +=
                rows.substr(rows.find(',', line), rows.find('\n', line) - rows.find(',', line)) +
                "\n";
        return result;
    }
    // Samples of different CPUs may change places: files are in no common order.
    void finds_lost_records(const std::string &file, const std::string &truth)
    {
        for (const char *kind : {"drop", "duplicate"})
            for (unsigned seed = 1; seed <= 8; seed++) {
                const Outcome o = run("damage --kind " + std::string(kind) + " --seed " +
                                      std::to_string(seed) + " -o damaged " + file);

                ASSERT_EQ(o.status, 0) << o.err;
                // Only samples are in the truth: a lost COMM is not seen here.
                if (records("sample", "damaged") == records("sample", file))
                    continue;
                const Outcome found = run("check -t " + truth + " damaged");
                EXPECT_TRUE(found.status == 1 || found.status == 2) << o.out << found.out;
            }
    }
};

TEST_F(Check, SamplesOfHarts)
{
    trace("f", "riscv_sample.yaml");
    agrees("f");
    const size_t at = place("f", "sample", 100);
    // header 8, identifier 8, ip 8, pid and tid 8, time 8, cpu 8, period 8
    change("f", "ip", at + 16, 4);
    disagrees("-t f.truth ip", "a changed PC");
    change("f", "id", at + 8, 100);
    disagrees("-t f.truth id", "an id that is nobody's");
    change("f", "time", at + 32, 100);
    disagrees("-t f.truth time", "a changed time");
    change("f", "period", at + 48, 1);
    disagrees("-t f.truth period", "a period off by one");
    change("f", "cpu", at + 40, 1, 4);
    disagrees("-t f.truth cpu", "another CPU");
    ASSERT_EQ(run("damage --kind duplicate:3 -o twice f").status, 0);
    EXPECT_TRUE(has(run("check -t f.truth twice").out, " is there 2 times"));
    change("f", "mode", at + 4, 1, 2);
    disagrees("-t f.truth mode", "another mode");
    EXPECT_TRUE(has(run("check -t f.truth ip").out, "missing: time "));
    EXPECT_TRUE(has(run("check -t f.truth ip").out, "byte " + std::to_string(at) + ": time "));
    finds_lost_records("f", "f.truth");
}

TEST_F(Check, SamplesOfImc)
{
    trace("f", "imc_trace.yaml", "--set imc_driver.perf.0.stop_us=8100");
    agrees("f");
    EXPECT_TRUE(has(run("check f").out, "function share"));
    const size_t at = place("f", "sample", 77);
    change("f", "ip", at + 16, 4);
    disagrees("-t f.truth ip", "a changed PC");
    run("damage --kind drop:5 -o lost f");
    disagrees("-t f.truth lost", "a lost sample");
}

// All samples of a function are another's: each is wrong, and so are the shares.
TEST_F(Check, SharesOfFunctions)
{
    trace("f", "imc_pair_pmi.yaml");
    agrees("f");
    std::string text = temp.read("f");
    const Outcome rows = run("decode -f csv --only sample f");
    size_t line = rows.out.find('\n') + 1;
    for (; line < rows.out.size(); line = rows.out.find('\n', line) + 1) {
        const size_t at = std::stoull(rows.out.substr(line), nullptr, 16);

        // page_checksum at 0x10002000 becomes btree_search at 0x10001000
        if (static_cast<uint8_t>(text[at + 17]) >> 4 == 2 && text[at + 19] == 0x10)
            text[at + 17] = static_cast<char>(0x10 | (text[at + 17] & 0xf));
    }
    temp.write("shifted", text);
    const Outcome o = run("check -t f.truth -f csv shifted");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(has(o.out, "\nfunction share,page_checksum,,0.32000,0.00000,1,")) << o.out;
    EXPECT_TRUE(has(o.out, "\nfunction share,read_pages,,0.20000,0.16000,0,")) << o.out;
}

// header 8, identifier 8, ip 8, pid and tid 8, time 8, cpu 8, period 8, then the chain: its length, a
// marker, the address, and the first return address.
TEST_F(Check, CallChains)
{
    trace("f", "riscv_callgraph.yaml");
    agrees("f");
    EXPECT_TRUE(has(run("check f").out, "main;serve;hash_lookup;walk_tree;walk_tree;copy"));
    const size_t at = place("f", "sample", 100);
    const struct {
        size_t place;
        int64_t by;
        const char *what;
    } changes[] = {
        {at + 80, 4, "another return address"},
        {at + 72, -4, "another address than the sample's"},
        {at + 64, 0x180, "the kernel's marker"},
    };
    for (const auto &c : changes) {
        change("f", "chain", c.place, c.by);
        disagrees("-t f.truth chain", c.what);
        const Outcome o = run("check -f csv -t f.truth chain");
        // It is the chain that is wrong, and nothing else.
        EXPECT_TRUE(has(o.err, ": 1 of ")) << c.what << o.err;
        EXPECT_TRUE(has(o.out, ",1,exact,DISAGREES,\"byte " + std::to_string(at) + ": found ") ||
                    has(o.out, ",1,exact,DISAGREES,byte " + std::to_string(at) + ": found "))
            << o.out;
    }
    // A ring has the same record, and its first one is of a function with one caller.
    agrees("-t f.truth f.truth/records/hart0.ring");
    change("f.truth/records/hart0.ring", "ring", 80, 4);
    disagrees("-t f.truth --as riscv-ring ring", "another return address in the ring");
}

// One way to a function is another's: each chain is wrong, and so are the shares.
TEST_F(Check, SharesOfCallPaths)
{
    // copy in parse_request in serve; in log_line in serve.
    const uint64_t from[] = {0x11108, 0x10500}, to[] = {0x128ec, 0x10688};

    trace("f", "riscv_callgraph.yaml");
    std::string text = temp.read("f");
    const std::string pattern(reinterpret_cast<const char *>(from), sizeof from);
    size_t found = 0;
    for (size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1)) {
        if (text[at - 7] != 0x30) // the address in front of it lies in copy
            continue;
        text.replace(at, sizeof to, reinterpret_cast<const char *>(to), sizeof to);
        found++;
    }
    EXPECT_GT(found, 300u);
    temp.write("shifted", text);
    const Outcome o = run("check -t f.truth -f csv shifted");
    EXPECT_EQ(o.status, 1);
    EXPECT_TRUE(has(o.out, "\npath share,main;serve;parse_request;copy,,0.15239,0.00000,1,"))
        << o.out;
    EXPECT_TRUE(has(o.out, "\npath share,main;serve;log_line;copy,,0.08466,0.22382,1,")) << o.out;
    EXPECT_TRUE(has(o.out, "\npath share,main;serve;parse_request,,0.16933,0.16699,0,")) << o.out;
}

TEST_F(Check, CallChainsOfTables)
{
    for (const char *format : {"csv", "json"}) {
        const Outcome o = run("trace --format " + std::string(format) + " -o " + format + " '" +
                              config_path("riscv_callgraph.yaml") + "'");
        ASSERT_EQ(o.status, 0) << o.err;
        agrees(format);
        std::string text = temp.read(format);
        const size_t at = text.find(";0x106d4;");
        ASSERT_NE(at, std::string::npos);
        text[at + 7] = '8';
        temp.write("changed", text);
        disagrees("-t " + std::string(format) + ".truth changed", "another return address");
        EXPECT_TRUE(
            has(run("check -t " + std::string(format) + ".truth changed").out, " ip 0x12200 "));
        text[at + 7] = 'x';
        temp.write("changed", text);
        EXPECT_EQ(run("check -t " + std::string(format) + ".truth changed").status, 2);
    }
}

// Of both kinds of commands in one file the modes tell which are a guest's.
TEST_F(Check, HostAndGuestInOneFile)
{
    trace("f", "riscv_lockstep_callchain.yaml");
    agrees("f");
    for (const char *ring : {"hart0", "hart1", "guest0", "guest1"})
        agrees("-t f.truth f.truth/records/" + std::string(ring) + ".ring");
    for (const char *command : {"0", "1", "2"}) {
        trace("g", "riscv_lockstep_callchain.yaml", "--command riscv.perf." + std::string(command));
        agrees("--command riscv.perf." + std::string(command) + " g");
        std::filesystem::remove_all(temp.path() / "g");
        std::filesystem::remove_all(temp.path() / "g.truth");
    }
}

TEST_F(Check, Counts)
{
    trace("f", "imc_nest.yaml");
    agrees("f");
    // header 8, id 8, cpu and thread 8, value
    change("f", "off", place("f", "stat", 9) + 24, 1);
    disagrees("-t f.truth off", "a count off by one");
    EXPECT_TRUE(has(run("check -t f.truth off").out, "instead of "));
    run("damage --kind drop:3 -o lost f");
    trace("g", "riscv_count.yaml");
    agrees("g");
    change("g", "goff", place("g", "stat", 16) + 24, -1);
    disagrees("-t g.truth goff", "a count off by one");
    disagrees("-t f.truth g", "the truth of another run");
}

// Value, enabled and running of events that had counters in turns: header 8, id 8, cpu and thread 8.
TEST_F(Check, RotatedCounts)
{
    const struct {
        const char *scenario, *options, *check;
    } cases[] = {
        {"uncore_lockstep_perf.yaml", "", ""},
        {"uncore_lockstep_perf.yaml", "--command uncore_driver.perf.0 ",
         "--command uncore_driver.perf.0 "},
        {"multiplex_demo.yaml", "--set multiplex.interval_us=60000 ", ""},
        {"multiplex_demo.yaml", "--set bus.clock_mhz=1250 ", "--command multiplex "},
    };
    unsigned number = 0;

    for (const auto &c : cases) {
        const std::string f = "f" + std::to_string(number++), t = c.check + ("-t " + f + ".truth ");

        trace(f, c.scenario, c.options);
        agrees(t + f);
        const size_t at = place(f, "stat", 5);
        const struct {
            const char *what, *row;
            size_t byte;
        } numbers[] = {
            {"value", "counts", 24}, {"enabled", "enabled", 32}, {"running", "running", 40}};
        for (const auto &n : numbers) {
            const std::string name = f + n.what;

            change(f, name, at + n.byte, 1);
            disagrees(t + name, n.what);
            const std::string out = run("check -f csv " + t + name).out;
            EXPECT_EQ(out.find("DISAGREES"), out.rfind("DISAGREES")) << "one row only: " << out;
            const size_t row = out.rfind('\n', out.find("DISAGREES")) + 1;
            EXPECT_EQ(out.compare(row, std::string(n.row).size(), n.row), 0) << out;
            EXPECT_TRUE(has(out, "byte " + std::to_string(at) + ": ")) << out;
        }
        change(f, f + "cpu", at + 16, 1, 4);
        disagrees(t + f + "cpu", "another CPU");
        change(f, f + "id", at + 8, 4);
        disagrees(t + f + "id", "another event");
        for (const char *kind : {"drop", "duplicate"})
            for (unsigned seed = 1; seed <= 6; seed++) {
                const Outcome o = run("damage --kind " + std::string(kind) + ":" +
                                      std::to_string(seed) + " -o damaged " + f);

                ASSERT_EQ(o.status, 0) << o.err;
                if (records("stat", "damaged") != records("stat", f))
                    disagrees(t + "damaged", kind);
            }
    }
    disagrees("-t f0.truth f1", "one command of two");
    disagrees("-t f1.truth f2", "the truth of another run");
    const Outcome o = run("check --command uncore_driver.perf -t f1.truth f1");
    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "found 'uncore_driver.perf', expected riscv.perf.N, imc_driver.perf.N, "
                           "uncore_driver.perf.N, multiplex or pmi"))
        << o.err;
}

// IMC and uncore units on one die: a file of one command, with the truth of all.
TEST_F(Check, CountsOfOneCommandAmongOthers)
{
    for (const char *command : {"uncore_driver.perf.0", "imc_driver.perf.0", "imc_driver.perf.1"}) {
        const std::string option = std::string("--command ") + command + " ";

        trace("f", "everything.yaml", option);
        agrees(option + "f");
        disagrees("-t f.truth f", "all commands");
        change("f", "off", place("f", "stat", 1) + 24, 1);
        disagrees(option + "-t f.truth off", "a count off by one");
        std::filesystem::remove_all(temp.path() / "f");
        std::filesystem::remove_all(temp.path() / "f.truth");
    }
}

// Intervals that the truth has not kept: the last round is held against the whole.
TEST_F(Check, RotatedCountsWithoutIntervalsInTheTruth)
{
    trace("f", "multiplex_demo.yaml",
          "--set multiplex.interval_us=60000 --set keep.samples_truth=false");
    agrees("f");
    change("f", "early", place("f", "stat", 5) + 24, 1);
    agrees("-t f.truth early");
    const Outcome rows = run("decode -f csv --only stat f");
    const unsigned records =
        static_cast<unsigned>(std::count(rows.out.begin(), rows.out.end(), '\n') - 1);
    ASSERT_EQ(records, 4 * 48u);
    change("f", "late", place("f", "stat", records - 1) + 24, 1);
    disagrees("-t f.truth late", "the last count");
}

TEST_F(Check, ThePmcu)
{
    trace("stock", "pmcu_demo.yaml");
    trace("faithful", "pmcu_demo.yaml", "--flavour faithful");
    agrees("stock");
    agrees("faithful");
    agrees("-t stock.truth stock.truth/samples.aux");
    EXPECT_EQ(run("decode --aux --slots 4 faithful").out,
              run("decode --slots 4 faithful.truth/samples.aux").out);
    // The first sample has the bytes: raw behind a period at 48; field 1 is the first counter.
    const size_t raw = place("stock", "sample", 0) + 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8;
    change("stock", "bytes", raw + 4 + 4 * 8, 1);
    disagrees("-t stock.truth bytes", "a value in the bytes");
    change("stock", "count", place("stock", "sample", 40) + 48, 1);
    disagrees("-t stock.truth count", "a count off by one");
    const std::string aux = "stock.truth/samples.aux";
    change(aux, "values.aux", 80 + 5 * 4 * 8, 1);
    disagrees("-t stock.truth values.aux", "a value of the dump");
    change(aux, "ids.aux", 80 + 8, 1, 4);
    disagrees("-t stock.truth ids.aux", "a context id");
    run("damage --kind drop:2 -o lost.aux " + aux);
    disagrees("-t stock.truth lost.aux", "a lost sample");
    const Outcome cut = run("damage --kind truncate:4 -o cut.aux " + aux);
    EXPECT_EQ(run("check -t stock.truth cut.aux").status, 2) << cut.out;
}

TEST_F(Check, RecordsOfARun)
{
    ASSERT_EQ(run("run -o imc --set imc_driver.perf.0.stop_us=8100 '" +
                  config_path("imc_trace.yaml") + "'")
                  .status,
              0);
    ASSERT_EQ(run("run -o hart '" + config_path("riscv_delegated.yaml") + "'").status, 0);
    agrees("-t imc imc/records/cpu2.imc");
    agrees("-t imc --as imc-trace --cpu 2 imc/records/cpu2.imc");
    agrees("-t hart hart/records/hart0.ring");
    disagrees("-t imc --cpu 1 imc/records/cpu2.imc", "another thread");
    // Word 1 of record 5 is its PC, big endian: its last byte.
    change("imc/records/cpu2.imc", "cpu2.imc", 5 * 64 + 15, 1, 1);
    disagrees("-t imc cpu2.imc", "a changed PC");
    EXPECT_TRUE(has(run("check -t imc cpu2.imc").out, "byte 320: ip 0x"));
    for (const char *kind : {"drop", "duplicate", "reorder"}) {
        run("damage --kind " + std::string(kind) + ":7 -o cpu2.imc imc/records/cpu2.imc");
        disagrees("-t imc cpu2.imc", kind);
        run("damage --kind " + std::string(kind) + ":7 -o ring hart/records/hart0.ring");
        disagrees("-t hart ring", kind);
    }
}

// What the buffers hold at the end: all of it, or where they wrapped what was written last.
TEST_F(Check, BuffersOfImc)
{
    for (const char *scenario :
         {"imc_trace.yaml", "imc_wrap.yaml", "imc_power10.yaml", "../traces/imc/scenario.yaml"}) {
        const Outcome o = run("trace --format imc -o b --set keep.samples_truth=true '" +
                              config_path(scenario) + "'");
        ASSERT_EQ(o.status, 0) << o.err;
        agrees("b");
        agrees("--as imc b");
        change("b", "pc", 9 * 64 + 15, 1, 1);
        disagrees("-t b.truth pc", scenario);
        change("b", "pid", 9 * 64 + 23, 1, 1);
        disagrees("-t b.truth pid", scenario);
        run("damage --as imc-trace --kind duplicate:3 -o twice b");
        disagrees("-t b.truth --as imc-trace twice", scenario);
        std::filesystem::remove_all(temp.path() / "b.truth");
        std::filesystem::remove(temp.path() / "b");
    }
}

// Memory of the end: what the engines added up, and nothing else; one changed byte is found.
TEST_F(Check, CountersInMemory)
{
    const struct {
        const char *scenario, *format, *event;
        size_t counted; // the last byte of a counter, big endian
        size_t rest;    // a byte that nobody adds to
    } cases[] = {
        {"configs/imc/imc_core.yaml", "core-imc", "core 1", 0x2000 + 0x40 * 127 + 0x1f, 0x2000},
        {"configs/imc/imc_power10.yaml", "core-imc", "core 0", 0x1f, 0x38},
        {"configs/imc/imc_lockstep_faults.yaml", "core-imc", "core 0", 0x1f, 0x38},
        {"configs/imc/imc_lockstep_deep_stop.yaml", "core-imc", "core 1", 0x2027, 0x2000},
        {"configs/imc/imc_thread.yaml", "thread-imc", "cpu 0", 0x1f, 0x17},
        {"configs/imc/imc_nest.yaml", "nest-imc", "nest", 0x0f, 0x3ffff},
        {"configs/imc/imc_lockstep_nest.yaml", "nest-imc", "nest", 0x47f, 0x770},
        {"traces/imc/scenario.yaml", "core-imc", "core 0", 0x5f, 0x1fff},
        {"traces/imc/scenario.yaml", "nest-imc", "nest", 0x7, 0x1000f},
    };

    for (const auto &c : cases) {
        const std::string format = c.format;
        const Outcome made =
            run("trace --format " + format + " -o f '" CS_SOURCE_DIR "/" + c.scenario + "'");
        ASSERT_EQ(made.status, 0) << made.err;
        agrees("f");
        agrees("--as " + format + " f");
        change("f", "count", c.counted, 1, 1);
        disagrees("-t f.truth count", c.scenario);
        const Outcome count = run("check -t f.truth -f csv count");
        EXPECT_TRUE(has(count.out, "\ncounters," + std::string(c.event) + ",")) << count.out;
        EXPECT_TRUE(has(count.out, "byte " + std::to_string(c.counted & ~size_t{7}) + ": "))
            << count.out;
        change("f", "rest", c.rest, 1, 1);
        disagrees("-t f.truth rest", c.scenario);
        EXPECT_TRUE(has(run("check -t f.truth rest").out, "nothing was added there")) << c.scenario;
        std::filesystem::remove_all(temp.path() / "f.truth");
        std::filesystem::remove(temp.path() / "f");
    }
}

// Windows of eight cycles: most posts find the buffer full, and are lost.
TEST_F(Check, CountersOfAnEngineThatIsTooFast)
{
    const Outcome made = run("trace --format core-imc --set imc.tap_log2=2 -o f '" CS_SOURCE_DIR
                             "/traces/imc/scenario.yaml'");

    ASSERT_EQ(made.status, 0) << made.err;
    agrees("f");
}

// The pages as firmware and driver leave them, and in the middle of a run.
TEST_F(Check, SnapshotPages)
{
    const struct {
        const char *scenario, *options;
        size_t at; // the first byte of a word that is not zero
    } cases[] = {
        {"configs/riscv/riscv_snapshot.yaml", "", 32},
        {"configs/riscv/riscv_snapshot.yaml", "--set limit_cycles=13000001", 40},
        {"configs/riscv/riscv_snapshot.yaml", "--set harts.xlen=32", 48},
        {"configs/riscv/riscv_snapshot.yaml", "--set riscv.firmware.deviations=[opensbi]", 40},
        {"configs/riscv/riscv_lockstep_snapshot.yaml", "", 32},
        {"traces/riscv/scenario.yaml", "", 4096 + 48},
        {"traces/riscv/scenario.yaml", "--set limit_cycles=3400123", 4096 + 32},
        {"traces/riscv/scenario.yaml", "--set harts.width=40", 40},
    };

    for (const auto &c : cases) {
        const Outcome made = run("trace --format snapshot " + std::string(c.options) +
                                 " -o f '" CS_SOURCE_DIR "/" + c.scenario + "'");
        ASSERT_EQ(made.status, 0) << made.err;
        agrees("f");
        agrees("--as snapshot f");
        const std::string hart = "\nsnapshot,hart " + std::to_string(c.at / 4096) + ",";
        EXPECT_FALSE(has(run("check f").out, "not known")) << c.scenario << c.options;
        change("f", "slot", c.at, 1);
        disagrees("-t f.truth slot", c.scenario);
        const Outcome slot = run("check -t f.truth -f csv slot");
        EXPECT_TRUE(has(slot.out, hart)) << slot.out;
        EXPECT_TRUE(has(slot.out, "byte " + std::to_string(c.at) + ": ")) << slot.out;
        change("f", "marks", 0, 8);
        disagrees("-t f.truth marks", c.scenario);
        change("f", "rest", 4095, 1, 1);
        disagrees("-t f.truth rest", c.scenario);
        EXPECT_TRUE(has(run("check -t f.truth rest").out, "nothing was written there"));
        std::filesystem::remove_all(temp.path() / "f.truth");
        std::filesystem::remove(temp.path() / "f");
    }
    // Most of such a page is the firmware's own copy: it is said, and not compared.
    run("trace --format snapshot --set riscv.firmware.deviations=[page_whole] -o f '" +
        config_path("riscv_snapshot.yaml") + "'");
    const Outcome whole = run("check -f csv f");
    EXPECT_EQ(whole.status, 0) << whole.err;
    EXPECT_TRUE(has(whole.out, "\nnot known,hart 0,,,65,")) << whole.out;
}

// All kinds of samples in one file.
TEST_F(Check, Everything)
{
    trace("f", "everything.yaml");
    agrees("f");
    finds_lost_records("f", "f.truth");
}

// What is in a ring, or with the driver, when limit_cycles ends the run never gets to perf.
TEST_F(Check, RunsThatWereCut)
{
    const struct {
        const char *scenario, *options;
        bool left;
    } cases[] = {
        {"riscv_sample.yaml", "--set limit_cycles=7000000", true},
        {"riscv_sample.yaml", "--set limit_cycles=30011117 --set riscv.driver.wakeup_bytes=4096",
         true},
        {"pmcu_demo.yaml", "--set limit_cycles=30011117", true},
        {"imc_pair_pmi.yaml", "--set limit_cycles=30011117", false},
        {"riscv_count.yaml", "--set limit_cycles=15011117", false},
    };

    for (const auto &c : cases)
        for (const char *format : {"perf", "csv", "json"}) {
            trace("f", c.scenario, std::string("--format ") + format + " " + c.options);
            const Outcome o = run("check f");

            EXPECT_EQ(o.status, 0) << c.scenario << format << o.out << o.err;
            EXPECT_EQ(has(o.out, "not handed over"), c.left) << c.scenario << format << o.out;
            std::filesystem::remove_all(temp.path() / "f");
            std::filesystem::remove_all(temp.path() / "f.truth");
        }
    // of what has come, all must be there
    trace("f", "riscv_sample.yaml",
          "--set limit_cycles=30011117 --set riscv.driver.wakeup_bytes=4096");
    const std::string samples = records("sample", "f");
    EXPECT_GT(std::count(samples.begin(), samples.end(), '\n'), 300);
    std::string file = temp.read("f");
    file[place("f", "sample", 100) + 16] ^= 4;
    temp.write("g", file);
    disagrees("-t f.truth g", "a changed PC");
}

// Events with modifiers, and raw ones.
TEST_F(Check, TablesOfCounts)
{
    for (const char *scenario : {"riscv_count.yaml", "imc_core.yaml", "imc_nest.yaml"})
        for (const char *format : {"csv", "json"}) {
            trace("f", scenario, std::string("--format ") + format);
            agrees("f");
            std::filesystem::remove_all(temp.path() / "f");
            std::filesystem::remove_all(temp.path() / "f.truth");
        }
}

// What a scenario leaves out has the loader's default, for the run as for its check.
TEST_F(Check, DefaultsOfTheScenarioAreTheLoaders)
{
    std::ifstream file(kConfigs + "imc_pair_pmi.yaml");
    std::string line, scenario;

    while (std::getline(file, line))
        if (!has(line, "  period: ") && !has(line, "timebase_mhz: "))
            scenario += line + "\n";
    ASSERT_TRUE(has(scenario, "software: {kind: pmi}"));
    temp.write("short.yaml", scenario);
    std::filesystem::copy(kConfigs + "power9_small.dts", temp.file("power9_small.dts"));
    for (const char *format : {"perf", "csv", "json"}) {
        const Outcome o = run(std::string("trace -o f --format ") + format + " short.yaml");

        ASSERT_EQ(o.status, 0) << o.err;
        agrees("f");
        std::filesystem::remove(temp.file("f"));
        std::filesystem::remove_all(temp.file("f.truth"));
    }
}

// A run folder whose scenario cannot be loaded any more says why.
TEST_F(Check, AScenarioThatIsGone)
{
    trace("f", "imc_pair_pmi.yaml");
    std::filesystem::remove(temp.file("f.truth/scenario.yaml"));
    const Outcome o = run("check f");

    EXPECT_EQ(o.status, 3) << o.out;
    EXPECT_TRUE(has(o.err, "f.truth/scenario.yaml: ")) << o.err;
}

TEST_F(Check, OneCommandOfSeveral)
{
    trace("f", "riscv_sample.yaml", "--command riscv.perf.1");
    agrees("--command riscv.perf.1 f");
    agrees("f"); // as f.truth/trace.json says
    EXPECT_TRUE(has(temp.read("f.truth/trace.json"), "\"command\": \"riscv.perf.1\""));
    agrees("--command riscv.perf.1 -t f.truth f");
    disagrees("-t f.truth f", "the other command's samples are missing");
    trace("g", "riscv_sample.yaml");
    agrees("g");
    EXPECT_EQ(temp.read("g.truth/trace.json"),
              "{\"format\": \"perf-data\", \"flavour\": null, \"command\": null, "
              "\"switch_events\": false}\n");
}

TEST_F(Check, BadUse)
{
    trace("f", "riscv_guest.yaml");
    temp.write("noise", "this is no trace at all");
    std::filesystem::create_directory(temp.path() / "empty");
    std::filesystem::create_directory(temp.path() / "odd");
    temp.write("odd/truth.sqlite", "this is no database, but it is a file of some length......");
    const struct {
        const char *arguments;
        int status;
        const char *message;
    } cases[] = {
        {"check", 2, "expected one file, found 0"},
        {"check gone", 3, "gone: cannot open"},
        {"check noise", 2, "noise: is of no format that can be told, expected perf-data"},
        {"check --as x f", 2,
         "found 'x', expected perf-data, csv, json, perfetto, ctf, pmcu-aux, riscv-ring, "
         "imc-trace, "},
        {"check -t empty f", 3,
         "empty/truth.sqlite: cannot open: No such file or directory; "
         "--truth gives the run folder"},
        {"check -t odd f", 3, "odd/truth.sqlite: file is not a database"},
        {"check --cpu x f", 2, "--cpu: found 'x', expected 0..65535"},
        {"check --slots 9 f", 2, "--slots: found '9', expected 1..8"},
        {"check --command perf f", 2, "--command: found 'perf', expected riscv.perf.N"},
        {"check --as imc-trace -t f.truth f", 2, "the data end within record"},
        {"check -f xml f", 2, "--format: format \"xml\": expected text, csv or json"},
    };

    for (const auto &c : cases) {
        const Outcome o = run(c.arguments);

        EXPECT_EQ(o.status, c.status) << c.arguments << o.err;
        EXPECT_TRUE(has(o.err, c.message)) << c.arguments << ":\n" << o.err;
    }
    // A file that is cut is compared as far as it goes.
    std::string text = temp.read("f");
    temp.write("cut", text.substr(0, text.size() / 2));
    const Outcome cut = run("check -t f.truth cut");
    EXPECT_EQ(cut.status, 2);
    EXPECT_TRUE(has(cut.err, "cut: byte ")) << cut.err;
    EXPECT_TRUE(has(cut.out, "DISAGREES")) << cut.out;
}

} // namespace
