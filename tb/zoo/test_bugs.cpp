// SPDX-License-Identifier: Apache-2.0
// Entries of the zoo that are wrong are refused with their line; those that are there are good, and fit our RTL.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

extern "C" {
#include "zoo/bugs.h"
#include "zoo/design.h"
}

namespace
{

struct Lines {
    std::string page = "page docs/hw/hpm.md\n",
                rtl = "rtl src/rtl/hpm/hpm.sv\ntop hpm\nmap core_pmu\n", bug = "bug a\n",
                thread = "thread owner/project#1\n", rule = "rule 3\n", says = "says it is wrong\n",
                file = "file hpm.sv\n", old = "- filters = {1'b1\n", with = "+ filters = {!FAULT\n",
                more;

    std::string all() const
    {
        return page + rtl + bug + thread + rule + says + file + old + with + more;
    }
};

/* "" or the message. */
std::string refused(const Lines &lines)
{
    cs_zoo_kind *kind = nullptr;
    cs_diag diag = {};
    char text[1024];

    if (cs_zoo_kind_read("hpm", lines.all().c_str(), &kind, &diag) == CS_OK) {
        cs_zoo_kind_free(kind);
        return "";
    }
    EXPECT_EQ(diag.status, CS_ERR_FORMAT);
    return cs_diag_print(&diag, text, sizeof text);
}

TEST(ZooEntries, AGoodOneHasItsLines)
{
    Lines lines;
    cs_zoo_kind *kind = nullptr;

    lines.with = "+ filters = {!FAULT\n+ second\n";
    ASSERT_EQ(cs_zoo_kind_read("hpm", lines.all().c_str(), &kind, nullptr), CS_OK);
    ASSERT_EQ(kind->nr_bugs, 1u);
    EXPECT_STREQ(kind->bugs[0].name, "a");
    EXPECT_EQ(kind->bugs[0].number, 1u);
    EXPECT_STREQ(kind->bugs[0].threads[0], "owner/project#1");
    EXPECT_STREQ(kind->bugs[0].changes[0].old, "filters = {1'b1");
    EXPECT_STREQ(kind->bugs[0].changes[0].with, "filters = {!FAULT\nsecond");
    cs_zoo_kind_free(kind);
}

TEST(ZooEntries, WhatIsMissingOrWrongIsNamedWithItsLine)
{
    struct {
        std::string Lines::*line;
        const char *text, *says;
    } rows[] = {
        {&Lines::thread, "thread project#1\n",
         "hpm.txt:5:1: expected 'thread OWNER/PROJECT#NUMBER'"},
        {&Lines::thread, "", "hpm.txt:5:1: expected 'thread OWNER/PROJECT#NUMBER'"},
        {&Lines::rule, "", "hpm.txt:5:1: expected 'rule HEADING'"},
        {&Lines::says, "", "hpm.txt:5:1: expected 'says SENTENCE'"},
        {&Lines::with, "+ filters = {0\n", "hpm.txt:5:1: expected FAULT in a line '+'"},
        {&Lines::with, "", "hpm.txt:5:1: expected lines '-' and lines '+'"},
        {&Lines::file, "", "hpm.txt:9:1: expected 'file' before '-' and '+', found '-'"},
        {&Lines::bug, "",
         "hpm.txt:5:1: expected page, rtl, module, top, map or bug, found 'thread'"},
        {&Lines::more, "fiel hpm.sv\n", "hpm.txt:12:1: expected bug, thread, rule"},
        {&Lines::more, "- again\n", "hpm.txt:12:1: expected 'file' or '+', found '-'"},
        {&Lines::page, "", "hpm.txt:1:1: expected 'page FILE'"},
        {&Lines::rtl, "rtl a.sv\n", "hpm.txt:1:1: expected 'top MODULE' and 'map FILE'"},
        {&Lines::rtl, "",
         "hpm.txt:2:1: expected 'scenario FILE', 'set KEY=VALUE' and 'figure KEY'"},
    };

    for (const auto &row : rows) {
        Lines lines;

        lines.*row.line = row.text;
        EXPECT_NE(refused(lines).find(row.says), std::string::npos) << row.says << "\n"
                                                                    << refused(lines);
    }
    EXPECT_EQ(refused(Lines()), "");
}

/* Whether a change fits the RTL is only seen when the design is made. */
std::string design_of(const Lines &lines, const std::string &cache)
{
    cs_zoo_kind *kind = nullptr;
    cs_zoo_design design;
    cs_diag diag = {};
    char text[1024];

    EXPECT_EQ(cs_zoo_kind_read("hpm", lines.all().c_str(), &kind, nullptr), CS_OK);
    const cs_status status = cs_zoo_design_make(kind, CS_TREE, cache.c_str(), &design, &diag);

    if (status == CS_OK)
        cs_zoo_design_free(&design);
    cs_zoo_kind_free(kind);
    return status == CS_OK ? "" : cs_diag_print(&diag, text, sizeof text);
}

TEST(ZooDesigns, AChangeHasToFitOnce)
{
    const auto cache = std::filesystem::path(testing::TempDir()) / "zoo_fit";
    Lines good, never, other;

    never.old = "- no such line\n";
    other.file = "file none.sv\n";
    EXPECT_EQ(design_of(good, cache), "");
    EXPECT_NE(design_of(never, cache).find("'no such line' is 0 times in hpm.sv, expected once"),
              std::string::npos);
    EXPECT_NE(design_of(other, cache).find("there is no none.sv in the RTL of hpm"),
              std::string::npos);
    std::filesystem::remove_all(cache);
}

TEST(ZooDesigns, AllThatAreThereFit)
{
    const auto cache = std::filesystem::path(testing::TempDir()) / "zoo_all";
    const cs_zoo_kind *kind = nullptr;
    cs_zoo zoo;
    cs_diag diag = {};

    ASSERT_EQ(cs_zoo_open(&zoo, &diag), CS_OK) << diag.text;
    EXPECT_EQ(cs_zoo_find(&zoo, "none", &kind), nullptr);
    EXPECT_NE(cs_zoo_find(&zoo, "minh-through-a-window", &kind), nullptr);
    for (size_t k = 0; k < zoo.nr_kinds; k++) {
        cs_zoo_design design;

        for (size_t i = 0; i < zoo.kinds[k]->nr_bugs; i++) { /* each name is there once */
            const cs_zoo_bug *bug = &zoo.kinds[k]->bugs[i];

            EXPECT_EQ(cs_zoo_find(&zoo, bug->name, &kind), bug) << bug->name;
        }
        if (zoo.kinds[k]->nr_rtl == 0)
            continue;
        EXPECT_EQ(cs_zoo_design_make(zoo.kinds[k], CS_TREE, cache.c_str(), &design, &diag), CS_OK)
            << diag.text;
        cs_zoo_design_free(&design);
    }
    cs_zoo_close(&zoo);
    std::filesystem::remove_all(cache);
}

} // namespace
