// SPDX-License-Identifier: Apache-2.0
// POWER's scenarios of configs/ that count: against what docs/hw/imc.md and docs/hw/nest.md predict.
#include "cli/imc/run_imc.hpp"

using namespace run_imc;
using namespace cs_test;

// Two cores, 2048 windows each: four rounds of 128 slots and 4 threads.
TEST_F(CountRun, CoreCountsAreTheSumOfTheirWindows)
{
    simulate("imc_core");
    const Engine engine = {512, 1000, 1050000};
    const double mhz = 3800;
    const auto clang = [&](double user, double kernel) {
        return Load{user * mhz, kernel * mhz, 1000, 800};
    };
    const Expected expected[] = {
        {"CPM_NON_IDLE_INST", 0, clang(0.64, 0.64), true},
        {"CPM_NON_IDLE_PCYC", 0, clang(1, 1), false},
        {"CPM_32MHZ_CYC", 2, {32, 32, 1000, 800}, false},
        {"CPM_CS_INST", 32, clang(0.64, 0.64), true},
        {"CPM_CS_INST_USER", 64, clang(0.64, 0), true},
        {"CPM_CS_INST_KERNEL", 96, clang(0, 0.64), true},
        {"CPM_CS_BR_MPRED", 38, clang(0.64 / 177.7, 0.64 / 177.7), true},
        {"CPM_CS_MISS_L1_LDATA", 50, clang(0.64 * 6.01e-3, 0.64 * 6.01e-3), true},
        {"CPM_CS_FROM_MEM_LDATA", 53, clang(0.64 * 0.56e-3, 0.64 * 0.56e-3), true},
    };

    for (const Expected &e : expected)
        check_count(engine, "0", e, {0, 1, 2, 3}, 16);
    // Core 1: two threads that do the same all the time, two idle.
    check_count(engine, "4", {"CPM_CS_INST", 32, {1.4 * mhz, 1.4 * mhz, 1000, 800}, true}, {0, 1},
                8);
}

// With a port a CPU all dump at the same time, and have as many samples; with one the last has more.
TEST_F(CountRun, CpusWithPortsOfTheirOwnHaveEqualSamples)
{
    const std::string spread = "SELECT max(n)-min(n) FROM (SELECT count(*) AS n FROM perf_sample "
                               "GROUP BY cpu)";
    const std::string few = "--set imc.cores=4 --set perf.0.stop=2000us";

    simulate("imc_parallel", few);
    EXPECT_EQ(db().ask("SELECT count(DISTINCT cpu) FROM perf_sample")[0], "16");
    EXPECT_LE(std::stoi(db().ask(spread)[0]), 1);
    std::filesystem::remove_all(temp.path() / "out");
    simulate("imc_parallel", few + " --set software.ports=one", "real CPUs work side by side");
    EXPECT_GT(std::stoi(db().ask(spread)[0]), 10);
}

// All threads of a POWER9 chip, each with a port.
TEST_F(CountRun, NinetySixCpusWorkSideBySide)
{
    simulate("imc_parallel", "--set imc.cores=24 --set perf.0.stop=1500us");
    EXPECT_EQ(db().one("SELECT count(DISTINCT cpu) FROM perf_sample"), "96");
    EXPECT_LE(std::stoi(db().one("SELECT max(n)-min(n) FROM (SELECT count(*) AS n FROM perf_sample "
                                 "GROUP BY cpu)")),
              2);
    EXPECT_EQ(db().one("SELECT count(DISTINCT manager) FROM load WHERE manager LIKE 'cpu%'"), "96");
}

// Each chip's nest by itself; the truth is each chip's. A POWER9 posts the units of group 1 whether or not
// they are there.
TEST_F(CountRun, SocketsAreTheChips)
{
    simulate("imc_chips", "--set nest.chips.1.units=0xE7FF8073F007E000");
    const std::string text = temp.read("out/summary.txt");

    EXPECT_NE(text.find("S0"), std::string::npos);
    EXPECT_NE(text.find("S1"), std::string::npos);
    EXPECT_EQ(db().ask("SELECT count(DISTINCT cpu) FROM count WHERE pmu LIKE 'nest%'")[0], "2");
    EXPECT_EQ(db().ask("SELECT count(*) FROM count WHERE pmu='nest_mcs01_imc' AND start>100000000 "
                       "AND abs(value-truth)>0.001*truth")[0],
              "0");
    EXPECT_EQ(db().ask("SELECT sum(raw)>0 FROM count WHERE pmu='nest_mcs23_imc' AND cpu=8")[0],
              "1");
    EXPECT_EQ(db().ask("SELECT count(DISTINCT nest_group/8) FROM posting")[0], "2");
}

// What perf adds up by socket has the socket in tables; `check` holds it to the machine.
TEST_F(CountRun, TablesHaveTheSocket)
{
    for (const std::string format : {"csv", "json"}) {
        ASSERT_EQ(
            run("trace --format " + format + " -o t." + format + " " + config("imc_chips.yaml"))
                .status,
            0);
        const Outcome checked = run("check t." + format);
        EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
    }
    std::string text = temp.read("t.csv");
    EXPECT_EQ(text.find("from_ns,to_ns,event,cpu,raw,value,unit,truth,socket\n"), 0u);
    unsigned other = 0;
    for (const std::string &line : split(text, '\n'))
        if (line.rfind("from_ns", 0) != 0) {
            const Cells c = split(line, ',');

            EXPECT_EQ(c.back(), std::stoi(c[3]) < 8 ? "0" : "1") << line;
            other += c.back() == "1";
        }
    EXPECT_GT(other, 0u);
    text[text.size() - 2] = '0'; // the last row's, which is of chip 1
    temp.write("t.csv", text);
    const Outcome wrong = run("check t.csv");
    EXPECT_EQ(wrong.status, 1) << wrong.out;
    EXPECT_NE(wrong.out.find("socket 0"), std::string::npos) << wrong.out;
}

// Each chip's nest has files of its own in debugfs: what is paused there is paused on that chip alone.
TEST_F(CountRun, DebugfsIsOfAChip)
{
    simulate("imc_chips", "--set 'imc_driver.debugfs=[{file: imc_cmd_1, value: 2, at_us: 50000}]'");
    const std::string of =
        "SELECT raw FROM count WHERE pmu='nest_powerbus0_imc' AND start>100000000 "
        "AND cpu=";

    EXPECT_GT(std::stoll(db().one(of + "0")), 0);
    EXPECT_EQ(db().one(of + "8"), "0");
}

// The images of memory hold what perf printed: it began with zeros.
TEST_F(CountRun, CoreImagesDecodeToTheCounts)
{
    simulate("imc_core");
    temp.write("cores.bin", memory(kBuffers, 2 * 8192));
    const auto rows = decode("--as imc-core --catalog " + config("power9_small.dts"), "cores.bin");
    unsigned found = 0;

    for (const std::string &count :
         db().ask("SELECT CASE cpu WHEN 0 THEN 0 ELSE 1 END, event, raw FROM count")) {
        const Cells c = split(count, '|');

        for (const Cells &row : rows)
            if (row[0] == c[0] && row[3] == c[1]) {
                EXPECT_EQ(row[5], c[2]) << c[1];
                found++;
            }
    }
    EXPECT_EQ(found, 18u);
}

TEST_F(CountRun, TheTruthOfACoreIsTheWholeTime)
{
    simulate("imc_core");
    const Database truth = db();
    const auto of = [&](const std::string &event, const std::string &column) {
        return truth.number("SELECT " + column + " FROM count WHERE cpu = 0 AND event = '" + event +
                            "'");
    };

    // Counters are read one after the other: each has a span of its own.
    for (const char *event : {"CPM_NON_IDLE_PCYC", "CPM_32MHZ_CYC"}) {
        const double rate = std::string(event) == "CPM_32MHZ_CYC" ? 0.032 : 3.8;
        const double span = static_cast<double>(of(event, "stop") - of(event, "start"));

        EXPECT_NEAR(of(event, "truth"), 4 * rate * span,
                    4 + rate * static_cast<double>(figure("software_ns")));
    }
    EXPECT_NEAR(of("CPM_CS_INST", "truth"),
                of("CPM_CS_INST_USER", "truth") + of("CPM_CS_INST_KERNEL", "truth"),
                4 * 3.8 * 15 * 1000);
    EXPECT_EQ(truth.number("SELECT count(*) FROM count"), 18);
    EXPECT_EQ(truth.number("SELECT min(start) >= 1000000 AND max(stop) < 1051000000 FROM count"),
              1);
    EXPECT_EQ(figure("opal_calls"), 8u) << "INIT of core and trace, START, STOP: two cores";
    EXPECT_EQ(figure("imc_records"), 0u);
}

// The same windows, but a thread has memory of its own.
TEST_F(CountRun, ThreadCountsAreItsOwnWindows)
{
    simulate("imc_thread");
    const Engine engine = {512, 1000, 1101000};
    const Expected expected[] = {
        {"CPM_CS_PCYC_USER", 64, {3800, 0, 1000, 800}, false},
        {"CPM_CS_INST_USER", 64, {0.64 * 3800, 0, 1000, 800}, true},
    };

    for (unsigned thread = 0; thread < 2; thread++)
        for (const Expected &e : expected)
            check_count(engine, std::to_string(thread), e, {thread}, 4);
}

// POWER10 has the scale in its hardware; its windows are 8 us here.
TEST_F(CountRun, Power10CountsAndTraces)
{
    simulate("imc_power10");
    const Engine engine = {8, 50, 20050};
    const Expected expected[] = {
        {"CPM_NON_IDLE_INST", 0, {0.64 * 4000, 0.64 * 4000, 400, 300}, true},
        {"CPM_NEST_REF_CLK", 4, {32, 32, 400, 300}, false},
    };

    for (const Expected &e : expected)
        check_count(engine, "0", e, {0, 1, 2, 3}, 20);
    EXPECT_EQ(db().number("SELECT sum(value = raw) FROM count"), 4) << "the scale is 1";
    check_records(true);
    EXPECT_EQ(db().number("SELECT count(*) FROM record WHERE cpu = 4 AND lpid = 3 AND mode < 2"),
              db().number("SELECT count(*) FROM record WHERE cpu = 4"))
        << "a guest's";
}

// A count is posted once a period of its group (docs/hw/nest.md, "Visit": the tick is 500 us, the ring 8 of
// them), so it is off by what happens in a period. Only the first has more: what counters of style clear
// gathered before the start, or, of style wrap, not what is before the first posting.
TEST_F(CountRun, NestCountsAreOffByOnePosting)
{
    simulate("imc_nest");
    const struct {
        const char *event;
        double most;        // counts in a microsecond
        unsigned period_us; // from one posting to the next
        unsigned granule;   // counts of one step of what is posted
    } expected[] = {
        {"PM_MCS01_128B_RD_DISP_PORT01", 0.1408 * 3800, 1000, 256},
        {"PM_MCS01_128B_WR_DISP_PORT01", 0.0547 * 3800, 1000, 256},
        {"PM_PB_CYC", 0.5 * 3800, 1000, 256},
        {"PM_XLINK0_OUT_ODD_DATA_COUNT", 0.11 * 3800, 2000, 4096},
        {"PM_PHB0_DMA_RD_FROM_PCIE", 0.002 * 3800, 12000, 1},
        {"PM_MBA0_READ_BYTES", 0.6 * 3800, 4000, 1},
    };

    for (const auto &e : expected) {
        const auto rows =
            db().ask(std::string("SELECT value, truth, start FROM count WHERE event = '") +
                     e.event + "' ORDER BY start");

        ASSERT_EQ(rows.size(), 4u) << e.event;
        for (size_t i = 0; i < 4; i++) {
            const Cells c = split(rows[i], '|');
            const double before = i == 0 ? std::stod(c[2]) / 1000 : 0;
            const double counts = e.most * (e.period_us + before);

            EXPECT_NEAR(std::stod(c[0]), std::stod(c[1]),
                        counts + 5 * std::sqrt(counts) + e.granule)
                << e.event << ", interval " << i;
        }
    }
    // From RESUME at 3 ms to 203 ms, 500 us a tick: groups 1 and 3 every second tick, 2 every fourth, 4 to 7
    // every eighth; one more or less of each.
    EXPECT_NEAR(static_cast<double>(figure("nest_postings")), 200 * (1 + 1 + 0.5 + 4 * 0.25), 7);
}

TEST_F(CountRun, TheNestsImageDecodesToTheCounts)
{
    simulate("imc_nest");
    temp.write("nest.bin", memory(0xbf980000, 0x40000));
    const auto rows = decode("--as imc-nest --catalog " + config("power9_small.dts"), "nest.bin");
    unsigned found = 0;

    for (const std::string &count : db().ask("SELECT event, sum(raw) FROM count GROUP BY event")) {
        const Cells c = split(count, '|');

        for (const Cells &row : rows)
            if (row.size() > 5 && row[3] == c[0]) {
                EXPECT_EQ(row[5], c[1]) << c[0];
                found++;
            }
    }
    EXPECT_EQ(found, 6u);
}

// PAUSE clears what counters of style wrap were at their last reading (docs/hw/nest.md, "DECIDE"), also
// where the status stays ERR1 or ERR2 and so no state says that there was one.
TEST_F(CountRun, APauseInAnErrorClearsPrevs)
{
    const struct {
        const char *name, *spoilt, *mended;
    } errors[] = {
        {"ERR1", "0xbf9bfc10, size: 8, value: 0x0c00000000000000", "0xbf9bfc10, size: 8, value: 0"},
        {"ERR2", "0xbf9bfc20, size: 8, value: 0x0200000000000000",
         "0xbf9bfc20, size: 8, value: 0"}};
    const std::string pause = "0xbf9bfc08, size: 8, value: 0x0200000000000000",
                      resume = "0xbf9bfc08, size: 8, value: 0x0100000000000000";

    for (const auto &e : errors) {
        SCOPED_TRACE(e.name);
        std::string script = "script: [{delay: 10000}, {write: {at: " + resume + "}}";

        for (const std::string &step :
             {std::string(e.spoilt), pause, resume, std::string(e.mended)})
            script += ", {delay: 30000}, {write: {at: " + step + "}}";
        temp.write("err.yaml",
                   "catalog: <imc/power9_small.dts>\nimc: {cores: 1, threads: 1}\n"
                   "nest:\n  present: true\n  tick_cycles: 2000\n  segments:\n"
                   "    - {cycles: 4000, events: [{event: \"nest:0x338\", rate: 1.5}, {event: "
                   "\"nest:0x448\", rate: 2.5}]}\n"
                   "software: {kind: [imc, script]}\nimc_driver:\n  opal_cycles: 50\n"
                   "  perf: [{pmu: nest, cpus: [0], events: [nest_powerbus0_imc/PM_PB_CYC], "
                   "start_us: 300, stop_us: 400}]\n" +
                       script + ", {delay: 60000}]\n");
        std::filesystem::remove_all(temp.path() / "nest.imc");
        std::filesystem::remove_all(temp.path() / "nest.imc.truth");
        Outcome o = run("trace --format imc-nest -o nest.imc err.yaml");
        ASSERT_EQ(o.status, 0) << o.err;
        const Database truth(temp.file("nest.imc.truth/truth.sqlite"));
        EXPECT_EQ(truth.one("SELECT count(*) FROM state WHERE unit = 'nest' AND state = '" +
                            std::string(e.name) + "'"),
                  "1");
        EXPECT_EQ(
            truth.one("SELECT count(*) FROM posted WHERE offset IN (824, 1096) AND posts > 0"),
            "2"); // 0x338, 0x448
        o = run("check nest.imc");
        EXPECT_EQ(o.status, 0) << o.out;
    }
}
