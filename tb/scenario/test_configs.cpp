// SPDX-License-Identifier: Apache-2.0
// The scenarios that come with the project: those of configs/ for people, those of tb/scenarios/ for tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "document.hpp"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/work/doubts.h"

namespace
{

std::vector<std::filesystem::path> yaml_files(const std::string &folder)
{
    std::vector<std::filesystem::path> result;

    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(CS_SOURCE_DIR "/" + folder))
        if (entry.path().extension() == ".yaml")
            result.push_back(entry.path());
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<std::filesystem::path> all_files()
{
    std::vector<std::filesystem::path> result = yaml_files("configs");
    const auto others = yaml_files("tb/scenarios");

    result.insert(result.end(), others.begin(), others.end());
    return result;
}

// Their programs are made to reach corners of the hardware, and are like no program.
bool is_for_comparisons(const std::filesystem::path &file)
{
    const std::string name = file.filename();

    return name.find("lockstep") != std::string::npos || name.rfind("pmcu_die_", 0) == 0;
}

// But what a PMCU does not see of a kernel at EL2: that is so on real machines.
std::string warnings(const Document &d)
{
    std::string texts;

    for (size_t i = 0; i < d->nr_warnings; i++)
        if (std::string(d->warnings[i].text).find("time is at EL2") == std::string::npos)
            texts += std::string(d->warnings[i].text) + "\n";
    return texts;
}

} // namespace

TEST(Configs, AllLoadUnderTheirOwnNamesWithoutWarnings)
{
    const auto files = all_files();

    EXPECT_GE(files.size(), 150u);
    for (const auto &file : files) {
        const Document d = load(file);

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->name, file.stem().string());
        // What was drawn may be odd.
        if (file.parent_path().filename() != "regressions") {
            EXPECT_EQ(warnings(d), "") << file;
        }
        EXPECT_EQ(read_file(file)[0], '#') << file << " does not say what it shows";
        if (d->nr_ways == 0) {
            EXPECT_EQ(std::string(d->yaml), read_file(file));
        }
    }
}

// Editors find the schema; people, and `list --examples`, what it is about.
TEST(Configs, TheFirstLinesAreForEditorsAndSayWhatToLookAt)
{
    for (const auto &file : yaml_files("configs")) {
        std::istringstream text(read_file(file));
        const std::string begin = "# yaml-language-server: $schema=";
        std::string modeline, title;

        std::getline(std::getline(text, modeline), title);
        ASSERT_EQ(modeline.substr(0, begin.size()), begin) << file;
        EXPECT_EQ(
            std::filesystem::weakly_canonical(file.parent_path() / modeline.substr(begin.size())),
            std::filesystem::canonical(CS_SOURCE_DIR "/configs/scenario.schema.json"))
            << file;
        EXPECT_LE(title.size(), 100u) << file;
        EXPECT_EQ(title.substr(0, 2), "# ") << file;
        EXPECT_EQ(title.back(), '.') << file << ": a sentence or two in one line";
        EXPECT_NE(title.find(" Look at "), std::string::npos) << file;
    }
}

TEST(Configs, EveryWayLoadsAndItsTextIsAScenario)
{
    unsigned ways = 0;

    for (const auto &file : yaml_files("configs")) {
        const Document d = load(file);

        for (size_t i = 0; i < d->nr_ways; i++) {
            const Document way = load(file, {std::string("way=") + d->ways[i].name});
            ASSERT_TRUE(way.ok()) << way.error;
            EXPECT_EQ(warnings(way), "") << file;
            const Document again = parse(way->yaml, {}, way->folder);
            ASSERT_TRUE(again.ok()) << again.error;
            EXPECT_EQ(again->nr_ways, 0u);
            ways++;
        }
    }
    EXPECT_GE(ways, 6u);
}

TEST(Configs, PeopleCanBelieveThem)
{
    for (const auto &file : yaml_files("configs")) {
        if (is_for_comparisons(file))
            continue;
        const Document first = load(file);
        const size_t ways = first->nr_ways;

        for (size_t i = 0; i < (ways == 0 ? 1 : ways); i++) {
            const Document d =
                ways == 0 ? load(file) : load(file, {std::string("way=") + first->ways[i].name});
            std::string found;

            ASSERT_TRUE(d.ok()) << d.error;
            EXPECT_EQ(cs_scenario_doubts(
                          d.scenario.get(),
                          [](void *ctx, const char *text) {
                              *static_cast<std::string *>(ctx) += std::string(text) + "\n";
                          },
                          &found, nullptr),
                      CS_OK);
            EXPECT_EQ(found, "") << file;
        }
    }
}

// A reader sees in the first lines where numbers are from: measurements that docs/sources.md names, code
// that a guest executes, or nobody's. All code has names.
TEST(Configs, PeopleSeeWhereTheirNumbersAreFrom)
{
    for (const auto &file : yaml_files("configs")) {
        const std::string name = file.filename();

        if (is_for_comparisons(file))
            continue;
        const Document d = load(file);
        const std::string text = read_file(file), first = text.substr(0, text.find("\nname:"));
        unsigned named = 0, own = 0, nameless = 0;

        ASSERT_TRUE(d.ok()) << d.error;
        for (size_t i = 0; i < d->nr_workloads; i++)
            for (size_t k = 0; k < d->workloads[i].nr_segments; k++) {
                const cs_segment_spec *s = &d->workloads[i].segments[k];

                named += s->nr_functions != 0;
                nameless += s->nr_functions == 0 && !s->wfi;
                own += s->like == 0 && s->nr_streams != 0;
            }
        const bool executes = text.find("\nguest:") != std::string::npos;
        const bool sources = first.find("docs/sources.md") != std::string::npos;

        EXPECT_EQ(nameless, 0u) << name << ": code without functions";
        EXPECT_TRUE(named != 0 || executes || d->nr_workloads == 0) << name << ": no function";
        EXPECT_TRUE(sources || executes)
            << name << ": the first lines do not say where its numbers are from (docs/sources.md)";
        if (own != 0 || (executes && text.find("rate:") != std::string::npos)) {
            EXPECT_NE(first.find("made up"), std::string::npos)
                << name << ": rates of its own, and no word about them";
        }
    }
}

TEST(Configs, TheLockstepOnesFitTheSmallRtl)
{
    for (const auto &file : all_files()) {
        if (file.filename().string().rfind("pmcu_lockstep_", 0) != 0)
            continue;
        const Document d = load(file);

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_LE(d->pmcu->clusters, 2u) << file;
        EXPECT_LE(d->pmcu->slots, 4u) << file;
        EXPECT_LE(d->pmcu->lanes, 2u) << file;
        EXPECT_LE(d->corepmu->counters, 8u) << file;
    }
}

// What is refused, by the first line: "# error: LINE:COLUMN: text".
TEST(Configs, BadOnesAreRefusedWithTheirPlace)
{
    const std::string mark = "# error: ";
    const auto files = yaml_files("tb/scenario/bad");

    EXPECT_GE(files.size(), 25u);
    for (const auto &file : files) {
        const std::string text = read_file(file);
        ASSERT_EQ(text.rfind(mark, 0), 0u) << file;
        const std::string expected = text.substr(mark.size(), text.find('\n') - mark.size());
        const Document d = load(file);

        EXPECT_EQ(d.status, CS_ERR_SCENARIO) << file;
        EXPECT_EQ(d.error, file.string() + ":" + expected);
    }
}
