// SPDX-License-Identifier: Apache-2.0
// What one expects of a command of a Unix system, beside errors and exit statuses.
#include <algorithm>
#include <csignal>
#include <regex>
#include <sstream>
#include <unistd.h>

#include "cli/shell.hpp"

using namespace cs_test;

namespace
{

using Manners = Command;

// A run that takes long, ended by a signal after a while; what it said is in the file .said.
int ended_by(const TempFolder &temp, int number)
{
    const pid_t child = fork();

    if (child == 0) {
        if (chdir(temp.path().c_str()) != 0 || freopen(".said", "w", stderr) == nullptr ||
            freopen("/dev/null", "w", stdout) == nullptr)
            _exit(126);
        for (int one : {SIGINT, SIGTERM, SIGHUP})
            signal(one, SIG_DFL);
        execl(CS_COMMAND, CS_COMMAND, "run", "-o", "out", "--set", "pmcu_driver.nr_sample=9000000",
              "small.yaml", nullptr);
        _exit(127);
    }
    EXPECT_TRUE(until(child, [&] { return temp.has(".out.countersink"); }));
    kill(child, number);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
}

} // namespace

// A shell tells 130, 143, 129.
TEST_F(Manners, AnInterruptedRunLeavesNothingAndSaysSo)
{
    for (int number : {SIGINT, SIGTERM, SIGHUP}) {
        const int status = ended_by(temp, number);

        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number;
        EXPECT_EQ(without_former(temp.read(".said")),
                  "countersink: interrupted; unfinished output was removed\n");
        std::filesystem::remove(temp.path() / ".said");
        EXPECT_EQ(temp.tree(), std::set<std::string>{"small.yaml"}) << number;
    }
}

TEST_F(Manners, AScenarioFromStandardInput)
{
    simulate("one");
    const Outcome o = run("--help >.help; (cat small.yaml | '" CS_COMMAND "' run -o two -)");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(temp.read("one/samples.aux") == temp.read("two/samples.aux"));
    EXPECT_EQ(run("--help >.help; (echo 'pmcu: {slotz: 2}' | '" CS_COMMAND "' run -)").status, 2);
}

TEST_F(Manners, AScenarioIsNotDecoded)
{
    const Outcome o = run("decode small.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "this is text, in no format that is detected")) << o.err;
    EXPECT_FALSE(has(o.err, "pmcu-aux")) << o.err;
}

TEST_F(Manners, NoPmusAreToldOfASystemWithoutThem)
{
    const Outcome o = run("list --pmus small.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(has(o.err, "has no PMUs of a large system (uncore.units)")) << o.err;
}

TEST_F(Manners, CountsOfEachUnitHaveALineOfTheirOwn)
{
    const Outcome o = run("run -o out '" CS_SOURCE_DIR "/configs/all/everything.yaml'");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(has(o.out, "\n  counts that are wrong ")) << o.out;
    EXPECT_TRUE(has(o.out, "\n  uncore counts, wrong ")) << o.out;
}

TEST_F(Manners, CountsOfSamplingAreNotOfPerfStat)
{
    const std::string riscv = "'" CS_SOURCE_DIR "/configs/riscv/riscv_";

    EXPECT_FALSE(has(run("run -o sample " + riscv + "sample.yaml'").out, "perf stat"));
    EXPECT_TRUE(has(run("run -o count " + riscv + "count.yaml'").out, "perf stat"));
}

// What a help names as a file of the tree is there.
TEST_F(Manners, FilesThatTheHelpNamesAreThere)
{
    const std::regex file("(configs|sweeps|docs|traces)/[A-Za-z0-9_./-]*[A-Za-z0-9]");
    std::istringstream commands(run("help").out);
    unsigned nr = 0;

    for (std::string line; std::getline(commands, line);) {
        std::smatch name;
        if (!std::regex_search(line, name, std::regex("^  ([a-z-]+) ")))
            continue;
        const std::string help = run("help " + name[1].str()).out;
        for (std::sregex_iterator at(help.begin(), help.end(), file), end; at != end; ++at, nr++)
            EXPECT_TRUE(std::filesystem::exists(CS_SOURCE_DIR "/" + at->str()))
                << name[1] << ": " << at->str();
    }
    EXPECT_GE(nr, 10u);
}

// A page is called as its run; nothing is replaced.
TEST_F(Manners, AReportHasANameOfItsOwn)
{
    simulate("out");
    const Outcome o = run("report out/");

    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "report: out.html\n");
    EXPECT_TRUE(temp.has("out.html"));
    EXPECT_EQ(run("report out").status, 3);
    EXPECT_EQ(run("report .").status, 2);
}

// One option for what programs read, in all commands that print something for them.
TEST_F(Manners, FormatIsAskedForInOneWay)
{
    simulate("out");
    EXPECT_EQ(run("compare -f json small.yaml").out, run("compare --json small.yaml").out);
    EXPECT_EQ(run("damage -f json -k drop -o a out/samples.aux").out,
              run("damage --json -k drop -o b out/samples.aux").out);
    const Outcome json = run("run -o j -f json small.yaml"),
                  csv = run("run -o k -f csv small.yaml");
    EXPECT_EQ(json.out, temp.read("j/summary.json"));
    EXPECT_EQ(json.err.substr(json.err.size() - 10), "\nfiles: j\n");
    EXPECT_EQ(csv.out.rfind("figure,label,unit,value\n", 0), 0u) << csv.out;
    EXPECT_TRUE(has(csv.out, "\nsubsamples,subsamples committed,,8\n")) << csv.out;
    for (const char *command :
         {"compare -f xml small.yaml", "run -f json small.yaml small.yaml", "explain -f xml bus",
          "compare-unit hpm -f csv --rtl a --top b --map c"}) {
        const Outcome o = run(command);

        EXPECT_EQ(o.status, 2) << command;
        EXPECT_TRUE(has(o.err, "--format")) << o.err;
    }
}

// A row per damage and per point.
TEST_F(Manners, DamagesAndPointsAreTables)
{
    simulate("out");
    const Outcome damages = run("damage -f csv -k all -o d out/samples.aux"),
                  points = run("coverage -f csv --unit pmcu");

    EXPECT_EQ(damages.out.rfind("kind,seed,words,offset,before_bytes,after_bytes,before,after,"
                                "size_before,size_after\ntruncate,1,",
                                0),
              0u)
        << damages.out;
    EXPECT_TRUE(has(damages.out, "\nflip,1,")) << damages.out;
    EXPECT_EQ(points.out.rfind("unit,group,name,model,rtl,verdict,reason\npmcu,", 0), 0u)
        << points.out.substr(0, 200);
    EXPECT_TRUE(has(points.out, ",0,0,not reached,\n")) << points.out.substr(0, 500);
}

// For scripts: where the run is, and nothing else.
TEST_F(Manners, AQuietRunPrintsItsFolder)
{
    EXPECT_EQ(run("run --quiet -o one small.yaml").out, "one\n");
    const Outcome several = run("run -q -o all small.yaml small.yaml");
    EXPECT_EQ(several.out, "all/small-1\nall/small-2\n");
    EXPECT_EQ(run("run -q -f json small.yaml").status, 2);
}

// To find where a wrong number comes from: each thing that software did, when and where.
TEST_F(Manners, ARunLogsWhatItsSoftwareDoes)
{
    const Outcome o = run("run -q --log soft -o one small.yaml");
    const Outcome wrong = run("run --log hard small.yaml");

    EXPECT_EQ(o.out, "one\n");
    EXPECT_TRUE(has(o.err, " cpu 0 pmcu trigger: die 0, trigger 0 in cycle ")) << o.err;
    EXPECT_TRUE(has(o.err, " cpu 0 pmcu subsample: die 0, subsample 0 (0 of its trigger), "))
        << o.err;
    EXPECT_EQ(wrong.status, 2);
    EXPECT_TRUE(has(wrong.err, "--log: expected soft, found 'hard'")) << wrong.err;
    EXPECT_EQ(run("run --log soft small.yaml small.yaml").status, 2);
}

// What `run` refuses in words of its own is in no help.
TEST_F(Manners, WavesAreOfCompare)
{
    const Outcome o = run("run --waves w.fst small.yaml");

    EXPECT_EQ(o.status, 2);
    EXPECT_TRUE(has(o.err, "use 'countersink compare --waves w.fst SCENARIO'")) << o.err;
    EXPECT_FALSE(has(run("help run").out, "--waves"));
    EXPECT_FALSE(has(run("run").err, "--waves"));
}

// SQLite's limit, named; what names the file is not what is cut off.
TEST_F(Manners, APathIsTooLongForSqlite)
{
    const std::string folder =
        std::string(200, 'a') + "/" + std::string(200, 'b') + "/" + std::string(100, 'c');

    std::filesystem::create_directories(temp.path() / folder);
    for (const std::string &command : {"run -o " + folder + "/out small.yaml",
                                       "trace --format perf -o " + folder + "/out small.yaml"}) {
        const Outcome o = run(command);

        EXPECT_EQ(o.status, 3) << o.err;
        EXPECT_TRUE(has(o.err, "truth.sqlite: the whole path has ")) << o.err;
        EXPECT_TRUE(has(o.err, "SQLite opens none of more than 511")) << o.err;
        EXPECT_TRUE(std::filesystem::is_empty(temp.path() / folder));
    }
}

// Nothing is -0.000 %, one is no plural, and long numbers have commas.
TEST_F(Manners, NumbersAreWrittenAsPeopleDo)
{
    const Outcome o = run("run -o out --set keep.samples_truth=false '" CS_SOURCE_DIR
                          "/configs/pmcu/pmcu_demo.yaml'");
    const Outcome one = run("run -o one --set pmcu_driver.nr_sample=1 --set "
                            "pmcu_driver.user_events='08' small.yaml");

    EXPECT_TRUE(has(o.out, "\n  bytes of samples                     20,480\n")) << o.out;
    EXPECT_TRUE(has(one.out, " 1 event, 1 sample, ")) << one.out;
    EXPECT_FALSE(has(o.out + one.out, "-0.000")) << o.out + one.out;
}

// Pins are of one unit at a time.
TEST_F(Manners, TheHelpOfCompareUnitIsShort)
{
    const std::string help = run("help compare-unit").out, pins = run("help compare-unit hpm").out;

    EXPECT_LE(std::count(help.begin(), help.end(), '\n'), 90) << help;
    EXPECT_FALSE(has(help, "Pins of")) << help;
    EXPECT_EQ(pins.rfind("Pins of hpm (", 0), 0u) << pins;
    EXPECT_TRUE(has(pins, "\nSettings of hpm:\n")) << pins;
    EXPECT_EQ(run("help compare-unit nothing").status, 2);
    EXPECT_EQ(run("help run hpm").status, 2);
}
