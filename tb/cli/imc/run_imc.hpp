// SPDX-License-Identifier: Apache-2.0
// A run of POWER's scenarios: what its files say, and what docs/hw/imc.md predicts.
#ifndef CS_TB_CLI_RUN_IMC_HPP
#define CS_TB_CLI_RUN_IMC_HPP

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

namespace run_imc
{

using namespace cs_test;

constexpr uint64_t kBuffers = 0x81000000; // imc_driver.buffers_base
constexpr uint64_t kRecords = 4096;       // in a buffer of 256 KiB

using Cells = std::vector<std::string>;

inline Cells split(const std::string &text, char separator)
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
    // A run that must succeed; its warning has `warned`; empty: there is none.
    void simulate(const std::string &scenario, const std::string &options = "",
                  const std::string &warned = "")
    {
        const Outcome o = run("run -o out " + options + " " + config(scenario + ".yaml"));

        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.err.empty(), warned.empty()) << o.err;
        EXPECT_NE(o.err.find(warned), std::string::npos) << o.err;
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

inline double user_time(double us, const Load &load) // of [0, us)
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
        EXPECT_LT(bound, 0.06 * mean) << "a bound that says something";
    }
};

} // namespace run_imc

#endif
