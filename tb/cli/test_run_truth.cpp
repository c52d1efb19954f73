// SPDX-License-Identifier: Apache-2.0
// Tables of the truth that all systems have, or that stand beside a flat profile.
#include <memory>

#include "cli/shell.hpp"
#include "support/configs.hpp"
#include "support/database.hpp"

using namespace cs_test;

namespace
{

struct Truth : Command {
    std::unique_ptr<Database> db;

    void ran(const std::string &arguments)
    {
        const Outcome o = run("run -o out " + arguments);

        ASSERT_EQ(o.status, 0) << o.err;
        db = std::make_unique<Database>((temp.path() / "out/truth.sqlite").string());
    }
    void sampled(const std::string &name, const std::string &more = "")
    {
        ran(more + " '" + config_path(name) + "'");
    }
    std::string one(const std::string &sql) const
    {
        return db->one(sql);
    }
};

// Of samples that perf got: those whose program counter lies in the function.
const std::string kIn =
    "(SELECT count(*) FROM hart_sample s WHERE s.command = f.command AND s.event = "
    "f.event AND s.pid = f.pid AND s.lost = 0 AND ";

} // namespace

// Without call chains: each function that a flat profile shows, with what it ought to show.
TEST_F(Truth, FunctionsOfAFlatProfile)
{
    sampled("riscv_sample.yaml");
    EXPECT_EQ(one("SELECT count(*) FROM call_share"), "0");
    EXPECT_EQ(db->ask("SELECT DISTINCT command, event_name, pid FROM hart_function"),
              (std::vector<std::string>{"0|instructions|4711", "1|L1-dcache-load-misses|4711"}));
    EXPECT_EQ(one("SELECT count(*) FROM hart_function WHERE command = 0"), "4");
    EXPECT_EQ(one("SELECT count(*) FROM hart_function f WHERE samples <> " + kIn +
                  "s.ip - base BETWEEN 0 AND size - 1)"),
              "0");
    EXPECT_EQ(one("SELECT count(*) FROM hart_function f WHERE overflows <> " + kIn +
                  "s.true_ip - base BETWEEN 0 AND size - 1)"),
              "0");
    EXPECT_EQ(one("SELECT count(*) FROM (SELECT sum(share) AS a, sum(expected) AS b FROM "
                  "hart_function GROUP BY command, event) WHERE abs(a - 1) + abs(b - 1) > 1e-9"),
              "0");
    // 2198 samples: four deviations of a share.
    EXPECT_EQ(one("SELECT count(*) FROM hart_function WHERE abs(share - expected) > 4 * "
                  "sqrt(expected * (1 - expected) / 300)"),
              "0");
}

// With call chains the same, and the same as the functions' own shares there.
TEST_F(Truth, FunctionsOfACallGraphAreTheSame)
{
    sampled("riscv_callgraph.yaml");
    EXPECT_GT(std::stoi(one("SELECT count(*) FROM hart_function")), 3);
    EXPECT_EQ(
        one("SELECT count(*) FROM (SELECT command, workload, function, base, sum(self) AS n, "
            "sum(self_expected) AS e FROM call_share GROUP BY 1, 2, 3, 4 HAVING n > 0) c LEFT "
            "JOIN (SELECT command, workload, function, base, sum(samples) AS n, sum(expected) "
            "AS e FROM hart_function GROUP BY 1, 2, 3, 4) f USING(command, workload, function, "
            "base) WHERE f.n IS NOT c.n OR abs(f.e - c.e) > 1e-9"),
        "0");
}

// The time of a CPU is that of the threads that it has gone between.
TEST_F(Truth, ThreadsSayWhoRanAndWhen)
{
    sampled("riscv_processes.yaml");
    EXPECT_GT(std::stoi(one("SELECT count(DISTINCT pid) FROM thread")), 1);
    EXPECT_EQ(one("SELECT count(*) FROM thread WHERE name IS NULL OR name = ''"), "0");
    EXPECT_EQ(one("SELECT count(*) - count(DISTINCT tid) FROM thread"), "0");
    EXPECT_EQ(one("SELECT count(*) FROM thread WHERE cpu = (SELECT min(cpu) FROM thread t WHERE "
                  "t.pid = thread.pid) AND tid <> pid"),
              "0");
    EXPECT_EQ(one("SELECT count(*) FROM (SELECT cpu, sum(cycles) AS n, max(last) AS e, min(first) "
                  "AS b FROM thread GROUP BY cpu) WHERE n <> e - b"),
              "0");
    EXPECT_EQ(
        one("SELECT count(*) FROM (SELECT t.cpu, sum(stints) AS n FROM thread t GROUP BY cpu) "
            "JOIN (SELECT cpu, count(*) + 1 AS m FROM switch WHERE guest = 0 GROUP BY cpu) "
            "USING(cpu) WHERE n <> m"),
        "0");
}

TEST_F(Truth, AGuestHasThreadsOfItsOwn)
{
    sampled("riscv_guest.yaml");
    EXPECT_EQ(db->ask("SELECT DISTINCT guest, pid FROM thread ORDER BY 1, 2"),
              (std::vector<std::string>{"0|1", "1|4711"}));
}

TEST_F(Truth, ThreadsOfAPmcu)
{
    ran("small.yaml");
    EXPECT_EQ(
        db->ask("SELECT pid, name, count(*), min(first), sum(stints > 0) FROM thread GROUP BY 1"),
        (std::vector<std::string>{"257|mixed|4|0|3", "258|mixed|4|3100|3"}))
        << "one of four CPUs is offline";
    db.reset();
    std::filesystem::remove_all(temp.path() / "out");
    ran("--set keep.samples_truth=false small.yaml");
    EXPECT_EQ(db->ask("SELECT DISTINCT first, last, cycles, stints FROM thread"),
              (std::vector<std::string>{"NULL|NULL|NULL|NULL"}));
}
