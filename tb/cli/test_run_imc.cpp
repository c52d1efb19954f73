// POWER's scenarios of configs/, from outside: what a run leaves, against its own truth and against what
// docs/hw/imc.md, docs/hw/nest.md and docs/imc_driver.md predict.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>

#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"
#include "support/json_flat.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kBuffers = 0x81000000; // imc_driver.buffers_base
constexpr uint64_t kRecords = 4096;       // in a buffer of 256 KiB

using Cells = std::vector<std::string>;

Cells split(const std::string &text, char separator)
{
    Cells parts;
    std::istringstream in(text);

    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

struct RunImc : Command {
    std::map<std::string, std::string> json;
    std::string said; // on standard output

    static std::string config(const std::string &name)
    {
        return "'" + config_path(name) + "'";
    }
    // A run that must succeed, without a warning.
    void simulate(const std::string &scenario, const std::string &options = "")
    {
        const Outcome o = run("run -o out " + options + " " + config(scenario + ".yaml"));

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err, "");
        said = o.out;
        json = json_flat(temp.file("out/summary.json"));
        EXPECT_EQ(json["ended"], "perf has ended");
        for (const char *file : {"scenario.yaml", "summary.txt", "truth.sqlite"})
            EXPECT_TRUE(temp.has(std::string("out/") + file)) << file;
        EXPECT_FALSE(temp.has("out/samples.aux")) << "there is no PMCU";
    }
    Database db() const
    {
        return Database(temp.file("out/truth.sqlite"));
    }
    uint64_t figure(const std::string &key)
    {
        EXPECT_EQ(json.count(key), 1u) << key;
        return std::stoull(json[key]);
    }
    // Rows of `decode -f csv`, without the heading.
    std::vector<Cells> decode(const std::string &options, const std::string &file)
    {
        const Outcome o = run("decode -f csv " + options + " " + file);
        std::vector<Cells> rows;

        EXPECT_EQ(o.status, 0) << o.err;
        for (const std::string &line : split(o.out, '\n'))
            rows.push_back(split(line, ','));
        if (!rows.empty())
            rows.erase(rows.begin());
        return rows;
    }
    // A piece of memory as the run left it; pages that are not there are zero.
    std::string memory(uint64_t base, size_t bytes)
    {
        std::string image(bytes, '\0');

        for (const auto &entry : std::filesystem::directory_iterator(temp.path() / "out/memory")) {
            const uint64_t at = std::stoull(entry.path().stem().string(), nullptr, 16);
            const std::string data = temp.read("out/memory/" + entry.path().filename().string());
            const uint64_t from = std::max(at, base);
            const uint64_t to = std::min(at + data.size(), base + bytes);

            if (from < to)
                std::memcpy(&image[from - base], &data[from - at], to - from);
        }
        return image;
    }

    // Every record on the disk is the truth of its snapshot, and there are as many as the summary says.
    void check_records(bool power10 = false)
    {
        const Database truth = db();
        uint64_t files = 0, valid = 0;

        EXPECT_EQ(figure("imc_wrong"), 0u);
        EXPECT_EQ(figure("imc_records"),
                  static_cast<uint64_t>(
                      truth.number("SELECT count(*) FROM record WHERE response = 'OKAY'")));
        for (const std::string &cpu : truth.ask("SELECT DISTINCT cpu FROM record ORDER BY cpu")) {
            const auto rows = decode(std::string("--as imc-trace") + (power10 ? " --power10" : ""),
                                     "out/records/cpu" + cpu + ".imc");
            const auto expected = truth.ask(
                "SELECT printf('0x%016x', pc), snapshot * 512 / 1000, pid & 0xffffffff, lpid, mode "
                "FROM record WHERE response = 'OKAY' AND cpu = " +
                cpu + " ORDER BY cycle");
            static const char *const modes[] = {"guest kernel", "guest user", "host kernel",
                                                "host user"};

            files++;
            ASSERT_EQ(rows.size(), expected.size()) << cpu;
            for (size_t i = 0; i < rows.size(); i++) {
                const Cells t = split(expected[i], '|');

                ASSERT_EQ(rows[i].size(), 15u);
                ASSERT_EQ(rows[i][3], t[0]) << cpu << ": " << i;
                ASSERT_EQ(rows[i][2], t[1]) << cpu << ": " << i;
                ASSERT_EQ(rows[i][6], t[2]) << cpu << ": " << i;
                ASSERT_EQ(rows[i][5], t[3]) << cpu << ": " << i;
                ASSERT_EQ(rows[i][4], power10 ? modes[std::stoul(t[4])] : rows[i][4])
                    << cpu << ": " << i;
                valid += rows[i][13] == "valid";
            }
        }
        EXPECT_EQ(valid, figure("imc_records"));
        size_t found = 0;
        for (const auto &entry : std::filesystem::directory_iterator(temp.path() / "out/records"))
            found += entry.path().extension() == ".imc";
        EXPECT_EQ(found, files);
    }
};

// A dump, as perf saw it, and the records that the hardware had written for it.
struct Dump {
    uint64_t first, last;     // times of its samples
    std::vector<uint64_t> ip; // of its samples
};

struct Record {
    uint64_t cycle, addr, pc;
};

struct TraceRun : RunImc {
    std::vector<Dump> dumps(unsigned cpu)
    {
        std::vector<Dump> result;

        for (const std::string &row : db().ask("SELECT time, ip FROM perf_sample WHERE cpu = " +
                                               std::to_string(cpu) + " ORDER BY rowid")) {
            const Cells c = split(row, '|');
            const uint64_t time = std::stoull(c[0]);

            // A dump takes a fraction of a millisecond, and there are ten between two.
            if (result.empty() || time > result.back().last + 1000000)
                result.push_back({time, time, {}});
            result.back().last = time;
            result.back().ip.push_back(static_cast<uint64_t>(std::stoll(c[1])));
        }
        return result;
    }
    std::vector<Record> records(unsigned cpu)
    {
        std::vector<Record> result;

        for (const std::string &row :
             db().ask("SELECT cycle, address, pc FROM record WHERE response = 'OKAY' AND cpu = " +
                      std::to_string(cpu) + " ORDER BY cycle")) {
            const Cells c = split(row, '|');

            result.push_back(
                {std::stoull(c[0]), std::stoull(c[1]), static_cast<uint64_t>(std::stoll(c[2]))});
        }
        return result;
    }
    // Every dump delivers, in order and from the base on, the hardware's last lap through the buffer. Returns
    // how many records of earlier laps were lost.
    uint64_t check_dumps(unsigned cpu, size_t expected)
    {
        const std::vector<Record> all = records(cpu);
        const std::vector<Dump> seen = dumps(cpu);
        uint64_t base = UINT64_MAX, lost = 0;
        size_t session = 0; // its first record

        EXPECT_EQ(seen.size(), expected) << cpu;
        for (const Record &r : all)
            base = std::min(base, r.addr);
        for (const Dump &dump : seen) {
            size_t end = session, before = session, lap = session;

            for (; end < all.size() && all[end].cycle <= dump.last; end++) {
                lap = all[end].addr == base ? end : lap;
                before += all[end].cycle < dump.first;
            }
            EXPECT_EQ(all[session].addr, base) << "LDBAR was written anew";
            EXPECT_GE(lap + dump.ip.size(), before) << "all that was there when the scan began";
            EXPECT_LE(lap + dump.ip.size(), end);
            for (size_t i = 0; i < dump.ip.size() && lap + i < end; i++)
                if (all[lap + i].pc != dump.ip[i]) {
                    ADD_FAILURE() << cpu << ": sample " << i << " of a dump is not its record";
                    break;
                }
            lost += lap - session;
            // What was written behind the pointer until LDBAR was, nobody sees.
            for (session = lap + dump.ip.size(); session < all.size() && all[session].addr != base;
                 session++)
                ;
        }
        return lost;
    }
    void check_perf_samples()
    {
        const uint64_t made = figure("imc_records") + figure("imc_lost") + figure("imc_failed");

        EXPECT_EQ(figure("perf_samples"),
                  static_cast<uint64_t>(db().number("SELECT count(*) FROM perf_sample")));
        EXPECT_EQ(figure("perf_lost"), made - figure("perf_samples"));
        EXPECT_EQ(figure("pmi"), 0u) << "nobody is interrupted";
    }
    // Shares of functions against their weights: n records are not better than 4 sqrt(p (1 - p) / n).
    void check_shares()
    {
        const double n = static_cast<double>(figure("imc_records"));
        size_t functions = 0;

        for (; json.count("functions." + std::to_string(functions) + ".name") != 0; functions++) {
            const std::string at = "functions." + std::to_string(functions) + ".";
            const double p = std::stod(json[at + "truth"]);

            EXPECT_NEAR(std::stod(json[at + "share"]), p, 4 * std::sqrt(p * (1 - p) / n))
                << json[at + "name"];
        }
        EXPECT_GE(functions, 3u);
    }
};

// ---- counting ----

// What a thread does, per microsecond, in the two parts of its period.
struct Load {
    double user, kernel; // counts
    uint64_t period_us, user_us;
};

double user_time(double us, const Load &load) // of [0, us)
{
    const double period = static_cast<double>(load.period_us);
    const double user = static_cast<double>(load.user_us);
    const double whole = std::floor(us / period);

    return whole * user + std::min(us - whole * period, user);
}

// What an engine counts of one slot of a thread, on average: its windows are multiples of their length
// (the timebase begins with 0), it begins with slot 0 of thread 0 after start, and what ends after stop is
// not read. The thread's work is late by what the software took at the start.
struct Engine {
    uint64_t window_us, start_us, stop_us;

    double sum(unsigned slot, unsigned thread, const Load &load, double late_us,
               unsigned *windows) const
    {
        double sum = 0;

        for (uint64_t n = start_us / window_us + 1 + 4 * slot + thread;
             (n + 1) * window_us <= stop_us; n += 512) {
            const double from = static_cast<double>(n * window_us) - late_us;
            const double length = static_cast<double>(window_us);
            const double user = user_time(from + length, load) - user_time(from, load);

            sum += user * load.user + (length - user) * load.kernel;
            (*windows)++;
        }
        return sum;
    }
};

struct Expected {
    const char *event;
    unsigned slot;
    Load load;
    bool random; // streams whose variance is their mean
};

struct CountRun : RunImc {
    static constexpr double kScale = 512; // 128 slots x 4 threads

    // What the begin of the command took from the CPU: from there, or from the last read on the CPU before,
    // to the first read of its last counter.
    double taken_us(const std::string &cpu, const Engine &engine)
    {
        const Database truth = db();
        const std::string mine = " FROM count WHERE cpu = " + cpu;
        const int64_t before =
            truth.number("SELECT coalesce(max(start), " + std::to_string(1000 * engine.start_us) +
                         ") FROM count WHERE start < (SELECT min(start)" + mine + ")");

        return static_cast<double>(truth.number("SELECT max(start)" + mine) - before) / 1000;
    }
    // A count is the sum of its windows but for the noise of random streams (5 standard deviations), a count
    // at each end of a window, and 0.2 us before the last read is over.
    void check_count(const Engine &engine, const std::string &cpu, const Expected &e,
                     std::initializer_list<unsigned> threads, unsigned windows)
    {
        const std::string where =
            " FROM count WHERE cpu = " + cpu + " AND event = '" + e.event + "'";
        const double value = std::stod(db().one("SELECT value" + where));
        const double late = taken_us(cpu, engine);
        double mean = 0;
        unsigned found = 0;

        for (unsigned thread : threads)
            mean +=
                engine.sum(e.slot, thread, e.load, thread == *threads.begin() ? late : 0, &found);
        EXPECT_EQ(found, windows) << e.event;
        const double shift = 0.2 * std::abs(e.load.user - e.load.kernel);
        const double bound = (e.random ? 5 * std::sqrt(mean) : 0) + windows * (2 + shift);

        EXPECT_NEAR(value, kScale * mean, kScale * bound)
            << cpu << ": " << e.event << ", truth " << db().one("SELECT truth" + where);
        EXPECT_LT(bound, 0.05 * mean) << "a bound that says something";
    }
};

} // namespace

// Two cores, 2048 windows each: four rounds of 128 slots and 4 threads.
TEST_F(CountRun, CoreCountsAreTheSumOfTheirWindows)
{
    simulate("imc_core");
    const Engine engine = {512, 1000, 1050000};
    const double mhz = 3800;
    const auto database = [&](double user, double kernel) {
        return Load{user * mhz, kernel * mhz, 1000, 800};
    };
    const Expected expected[] = {
        {"CPM_NON_IDLE_INST", 0, database(1.1, 0.6), true},
        {"CPM_NON_IDLE_PCYC", 0, database(1, 1), false},
        {"CPM_32MHZ_CYC", 2, {32, 32, 1000, 800}, false},
        {"CPM_CS_INST", 32, database(1.1, 0.6), true},
        {"CPM_CS_INST_USER", 64, database(1.1, 0), true},
        {"CPM_CS_INST_KERNEL", 96, database(0, 0.6), true},
        {"CPM_CS_BR_MPRED", 38, database(0.006, 0.009), true},
        {"CPM_CS_MISS_L1_LDATA", 50, database(0.021, 0.034), true},
        {"CPM_CS_FROM_MEM_LDATA", 53, database(0.0009, 0), true},
    };

    for (const Expected &e : expected)
        check_count(engine, "0", e, {0, 1, 2, 3}, 16);
    // Core 1: two threads at a fixed rate, two idle.
    check_count(engine, "4", {"CPM_CS_INST", 32, {2.2 * mhz, 2.2 * mhz, 1000, 800}, false}, {0, 1},
                8);
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
        {"CPM_CS_PCYC_USER", 64, {0.99 * 3800, 0, 1000, 800}, false},
        {"CPM_CS_INST_USER", 64, {1.1 * 3800, 0, 1000, 800}, true},
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
        {"CPM_NON_IDLE_INST", 0, {1.3 * 4000, 0.8 * 4000, 400, 300}, true},
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
        {"PM_MCS01_128B_RD_DISP_PORT01", 0.04 * 3800, 1000, 256},
        {"PM_MCS01_128B_WR_DISP_PORT01", 0.015 * 3800, 1000, 256},
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

// ---- trace mode ----

TEST_F(TraceRun, EveryRecordIsTheTruth)
{
    simulate("imc_trace");
    check_records();
    check_perf_samples();
    check_shares();
    uint64_t lost = 0;
    for (unsigned cpu = 0; cpu < 5; cpu++)
        lost += check_dumps(cpu, 3);
    EXPECT_EQ(lost, 0u) << "nothing wraps";
    EXPECT_LT(figure("perf_lost"), figure("imc_records") / 100);
    // 251 ticks of 32 MHz, 7.84 us, from 100 us to 60.1 ms; a dump stops only one's own thread.
    EXPECT_NEAR(static_cast<double>(figure("imc_records")), 5 * 60000 / 7.84375, 600);
}

// The page: "what lies behind the pointer after a wrap, the older part of the buffer".
TEST_F(TraceRun, AWrapLosesTheOlderPart)
{
    simulate("imc_wrap");
    check_records();
    check_perf_samples();
    uint64_t lost = 0;

    for (unsigned cpu = 0; cpu < 2; cpu++) {
        const uint64_t mine = check_dumps(cpu, 3);

        // 50 ms are 6375 records: one lap of 4096 and a part, three times.
        EXPECT_EQ(mine, 3 * kRecords);
        lost += mine;
        // The last thing a dump does: the first record's timebase is gone, the rest of it is left.
        const std::string first =
            memory(static_cast<uint64_t>(db().number(
                       "SELECT min(address) FROM record WHERE cpu = " + std::to_string(cpu))),
                   64);
        EXPECT_EQ(first.substr(0, 8), std::string(8, '\0')) << cpu;
        EXPECT_NE(first.substr(8, 8), std::string(8, '\0')) << cpu;
        EXPECT_NE(first.substr(56), std::string(8, '\0')) << cpu;
    }
    EXPECT_EQ(figure("perf_lost"), lost);
    EXPECT_EQ(figure("perf_samples"), figure("imc_records") - 6 * kRecords);
}

// Dumps that are as frequent as the buffer is long lose nothing to wraps; rarer ones whole laps.
TEST_F(TraceRun, TheIntervalDecidesWhatIsLost)
{
    const struct {
        const char *interval;
        size_t dumps;
        uint64_t laps; // lost, of each CPU
    } cases[] = {{"30000", 5, 0}, {"75000", 2, 2 * 2}, {"0", 1, 4}};

    for (const auto &c : cases) {
        std::filesystem::remove_all(temp.path() / "out");
        simulate("imc_wrap", std::string("--set imc_driver.perf.0.interval_us=") + c.interval);
        for (unsigned cpu = 0; cpu < 2; cpu++)
            EXPECT_EQ(check_dumps(cpu, c.dumps), c.laps * kRecords) << c.interval;
    }
}

// The pair of the seed: the same program with interrupts and without.
TEST_F(TraceRun, ThePairTrace)
{
    simulate("imc_pair_trace");
    check_records();
    check_perf_samples();
    check_shares();
    for (unsigned cpu = 0; cpu < 4; cpu++)
        EXPECT_EQ(check_dumps(cpu, 3), 0u);
    EXPECT_EQ(figure("handler_ns"), 0u);
    // The software takes imc_driver.record_cycles for each record, and reads.
    EXPECT_GT(figure("software_ns"), 60 * figure("perf_samples"));
}

TEST_F(TraceRun, ThePairInterrupts)
{
    simulate("imc_pair_pmi");
    const uint64_t interrupts = figure("pmi");
    const double handler =
        static_cast<double>(figure("handler_ns")) / static_cast<double>(interrupts);
    uint64_t valid = 0;

    EXPECT_EQ(figure("imc_records"), 0u);
    EXPECT_EQ(figure("perf_samples"), interrupts);
    // A period of 1000000 cycles of 3.8 GHz, then a handler, or up to four that stand in a row.
    EXPECT_LE(interrupts, static_cast<uint64_t>(4 * 60100e3 / (1e6 / 3.8 + handler)) + 4);
    EXPECT_GE(interrupts, static_cast<uint64_t>(4 * 60100e3 / (1e6 / 3.8 + 4 * handler)) - 4);
    EXPECT_GE(handler, 3000.0);
    EXPECT_LE(handler, 3200.0) << "pmi.handler_cycles and one burst of 8 beats";
    EXPECT_EQ(figure("software_ns"), figure("handler_ns"));
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        temp.write("ring.bin", memory(kBuffers + 0x40000 * cpu, 0x40000));
        for (const Cells &row : decode("--as imc-trace", "ring.bin"))
            valid += row[13] == "valid";
    }
    EXPECT_EQ(valid, interrupts) << "every sample is in its ring";
}

// ---- what a run says, keeps and refuses ----

TEST_F(TraceRun, TheSameBytesAgain)
{
    simulate("imc_power10");
    std::filesystem::rename(temp.path() / "out", temp.path() / "first");
    simulate("imc_power10");

    ASSERT_EQ(temp.tree("first"), temp.tree("out"));
    for (const auto &file : temp.tree("out"))
        if (!std::filesystem::is_directory(temp.path() / "out" / file) && !has(file, "summary")) {
            EXPECT_TRUE(temp.read("first/" + file) == temp.read("out/" + file)) << file;
        }
}

TEST_F(TraceRun, WhatIsKeptIsTheScenariosChoice)
{
    simulate("imc_pair_trace",
             "--set keep.records=false --set keep.samples_truth=false --set keep.memory=false");

    EXPECT_FALSE(temp.has("out/records"));
    EXPECT_FALSE(temp.has("out/memory"));
    EXPECT_EQ(db().number("SELECT count(*) FROM record"), 0);
    EXPECT_EQ(db().number("SELECT count(*) FROM perf_sample"), 0);
    EXPECT_EQ(db().number("SELECT count(*) FROM function"), 3);
    EXPECT_GT(figure("imc_records"), 30000u) << "they are counted all the same";
    EXPECT_GT(figure("perf_samples"), 30000u);
}

TEST_F(TraceRun, SaysAtTheStartWhatIsEffective)
{
    simulate("imc_nest");
    EXPECT_TRUE(has(said, "1 POWER9 core x 4 threads at 3800 MHz, nest")) << said;
    std::filesystem::remove_all(temp.path() / "out");
    simulate("imc_power10");
    EXPECT_TRUE(has(said, "2 POWER10 cores x 4 threads at 4000 MHz\n")) << said;
}

// What the kernel does not open is told, and the rest of the run goes on.
TEST_F(RunImc, ARefusedCommandIsAWarning)
{
    const struct {
        const char *scenario, *set, *warning;
    } cases[] = {
        {"imc_core", "sample_period=5", "EINVAL, counts only, cannot sample"},
        {"imc_core", "task=true", "EINVAL, counts CPUs, not tasks"},
        {"imc_core", "exclude=true", "EINVAL, IMC cannot exclude modes"},
        {"imc_trace", "sample_period=0", "ENOENT, samples only, cannot count"},
        {"imc_trace", "privileged=false", "EACCES, needs perfmon_capable"},
        {"imc_thread", "task=false", "EINVAL, counts tasks, not CPUs"},
    };

    for (const auto &c : cases) {
        std::filesystem::remove_all(temp.path() / "out");
        const Outcome o = run(std::string("run -o out --set imc_driver.perf.0.") + c.set + " " +
                              config(std::string(c.scenario) + ".yaml"));

        EXPECT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err, std::string("warning: imc_driver.perf.0: the kernel refuses it: ") +
                             c.warning + "\n");
        EXPECT_EQ(
            db().number("SELECT (SELECT count(*) FROM count) + (SELECT count(*) FROM record)"), 0)
            << c.set;
    }
}

TEST_F(RunImc, ASecondCommandThatComesTooEarlyIsRefused)
{
    const Outcome o =
        run("run -o out --set imc_driver.perf.1.start_us=10000 " + config("imc_power10.yaml"));

    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(o.err,
              "warning: imc_driver.perf.1: the kernel refuses it: EBUSY, another of core, thread "
              "and trace is in use\n");
    EXPECT_EQ(db().number("SELECT count(*) FROM count"), 4) << "the first goes on";
    EXPECT_EQ(db().number("SELECT count(*) FROM record"), 0);
}

TEST_F(RunImc, ALimitCutsAndSaysSo)
{
    const Outcome o = run("run -o out --set limit_cycles=30000000 " + config("imc_trace.yaml"));
    auto figures = json_flat(temp.file("out/summary.json"));

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(figures["ended"], "cut at limit_cycles");
    EXPECT_EQ(figures["simulated_ns"], "30000000");
    EXPECT_GT(std::stoull(figures["imc_records"]), 15000u);
    EXPECT_EQ(std::filesystem::file_size(temp.path() / "out/records/cpu4.imc"),
              64u * static_cast<uint64_t>(db().number(
                        "SELECT count(*) FROM record WHERE cpu = 4 AND response = 'OKAY'")));
}
