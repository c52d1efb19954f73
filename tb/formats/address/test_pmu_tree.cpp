// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "formats/address/tree.h"

namespace
{

using Kinds = std::vector<cs_pmu_kind>;

// A tree of the default layout.
struct Tree {
    std::deque<Kinds> kinds;
    std::vector<cs_pmu_entry> entries;
    cs_pmu_tree tree = {};

    explicit Tree(std::initializer_list<std::pair<const char *, Kinds>> places)
    {
        tree.layout = *cs_pmu_layout_default();
        for (const auto &[at, units] : places) {
            cs_pmu_entry entry = {};

            kinds.push_back(units);
            EXPECT_EQ(cs_pmu_path_parse(&tree.layout, at, true, &entry.at, nullptr), CS_OK) << at;
            entry.kinds = kinds.back().data();
            entry.nr_kinds = units.size();
            entries.push_back(entry);
        }
        tree.entries = entries.data();
        tree.nr_entries = entries.size();
    }

    cs_pmu_path path(const char *text) const
    {
        cs_pmu_path path;

        EXPECT_EQ(cs_pmu_path_parse(&tree.layout, text, false, &path, nullptr), CS_OK) << text;
        return path;
    }

    // "path=address" of PMUs, "path/" of directories.
    std::string walk(const char *under = "", size_t most = SIZE_MAX) const
    {
        struct Walk {
            std::string text;
            size_t most;
        } walk = {"", most};
        const cs_pmu_path at = path(under);
        cs_diag diag = {};
        const auto visit = [](void *ctx, const cs_pmu_node *node) {
            auto *w = static_cast<Walk *>(ctx);
            char address[24];

            snprintf(address, sizeof address, "=%llx", (unsigned long long)node->address);
            w->text += std::string(w->text.empty() ? "" : " ") + node->path +
                       (node->level == 0 ? address : "/");
            return --w->most > 0;
        };

        return cs_pmu_tree_walk(&tree, &at, visit, &walk, &diag) == CS_OK ? walk.text : diag.text;
    }

    std::string at(uint64_t address) const
    {
        cs_pmu_path found;
        cs_diag diag = {};
        char text[CS_PMU_PATH_BYTES];

        if (cs_pmu_tree_at(&tree, address, &found, &diag) != CS_OK)
            return diag.text;
        cs_pmu_path_print(&tree.layout, &found, text);
        return text;
    }
};

uint64_t count_pmus(const cs_pmu_tree &tree, const cs_pmu_path &under, uint64_t *sum)
{
    uint64_t counted[2] = {0, 0};

    EXPECT_EQ(cs_pmu_tree_walk(
                  &tree, &under,
                  [](void *ctx, const cs_pmu_node *node) {
                      auto *c = static_cast<uint64_t *>(ctx);

                      c[0] += node->level == 0;
                      c[1] += node->level == 0 ? node->address : 0;
                      return true;
                  },
                  counted, nullptr),
              CS_OK);
    *sum = counted[1];
    return counted[0];
}

} // namespace

TEST(PmuTree, ADirectoryStandsBeforeWhatIsInIt)
{
    const Tree t({{"rack0-1/chip2", {{"memctl", 2, 0}, {"link", 1, 2}}}});

    EXPECT_EQ(t.walk(), "/ rack0/ rack0/chip2/ rack0/chip2/memctl0=400 rack0/chip2/memctl1=401 "
                        "rack0/chip2/link2=402 rack1/ rack1/chip2/ rack1/chip2/memctl0=20400 "
                        "rack1/chip2/memctl1=20401 rack1/chip2/link2=20402");
}

TEST(PmuTree, EntriesAreOneTree)
{
    const Tree t({
        {"blade1-2/chip0", {{"memctl", 1, 0}}},
        {"blade1", {{"fan", 1, 4}}},
        {"blade0-1/chip1", {{"memctl", 1, 0}}},
        {"/", {{"clock", 1, 5}}},
        {"core3", {{"fpu", 1, 0}}},
    });

    EXPECT_EQ(t.walk(), "/ clock5=5 blade0/ blade0/chip1/ blade0/chip1/memctl0=200 blade1/ "
                        "blade1/fan4=1004 blade1/chip0/ blade1/chip0/memctl0=1000 blade1/chip1/ "
                        "blade1/chip1/memctl0=1200 blade2/ blade2/chip0/ "
                        "blade2/chip0/memctl0=2000 core3/ core3/fpu0=30");
}

TEST(PmuTree, APart)
{
    const Tree t({{"rack0-127/blade0-31/chip0-7", {{"memctl", 2, 0}}}, {"rack5", {{"psu", 1, 9}}}});

    EXPECT_EQ(t.walk("rack5/blade3/chip7"), "rack5/blade3/chip7/ rack5/blade3/chip7/memctl0=a3e00 "
                                            "rack5/blade3/chip7/memctl1=a3e01");
    EXPECT_EQ(t.walk("rack5/psu9"), "rack5/psu9=a0009");
    EXPECT_EQ(t.walk("rack5", 4), "rack5/ rack5/psu9=a0009 rack5/blade0/ rack5/blade0/chip0/");
    EXPECT_EQ(t.walk("rack6", 3), "rack6/ rack6/blade0/ rack6/blade0/chip0/");
    EXPECT_EQ(t.walk("rack5/psu8"), "there is nothing at rack5/psu8");
    EXPECT_EQ(t.walk("rack5/fan9"), "there is nothing at rack5/fan9");
    EXPECT_EQ(t.walk("blade3"), "there is nothing at blade3");
    EXPECT_EQ(t.walk("rack5/node0"), "there is nothing at rack5/node0");
    EXPECT_EQ(t.walk("rack5/blade3/chip7/core1"), "there is nothing at rack5/blade3/chip7/core1");
}

TEST(PmuTree, AnEmptyOneHasItsRoot)
{
    const Tree t({});

    EXPECT_EQ(t.walk(), "/");
    EXPECT_EQ(t.walk("rack0"), "there is nothing at rack0");
}

TEST(PmuTree, ALargeOneIsWalkedWhole)
{
    const Tree t({{"rack0-127/blade0-31/chip0-7", {{"memctl", 2, 0}}}});
    uint64_t sum = 0;

    EXPECT_EQ(count_pmus(t.tree, t.path(""), &sum), 65536u);
    // The mean address: rack 63.5, blade 15.5, chip 3.5, PMU 0.5.
    EXPECT_EQ(sum, 32768ull * (127u * 0x20000 + 31u * 0x1000 + 7u * 0x200 + 1u));
    EXPECT_EQ(count_pmus(t.tree, t.path("rack7"), &sum), 512u);
}

// A place an entry, each with a PMU of its own number.
TEST(PmuTree, ManyEntriesAreWalked)
{
    Tree t({});

    for (unsigned i = 0; i < CS_PMU_MAX_ENTRIES && i < 128; i++) {
        cs_pmu_entry entry = {};

        t.kinds.push_back({{"memctl", 1, i % 16}});
        entry.at = t.path(("rack" + std::to_string(i)).c_str());
        entry.kinds = t.kinds.back().data();
        entry.nr_kinds = 1;
        t.entries.push_back(entry);
    }
    t.tree.entries = t.entries.data();
    t.tree.nr_entries = t.entries.size();
    for (size_t i = 0; i < t.entries.size(); i++) {
        const std::string rack = "rack" + std::to_string(i);
        char address[24];

        snprintf(address, sizeof address, "=%zx", i << 17 | i % 16);
        EXPECT_EQ(t.walk(rack.c_str()),
                  rack + "/ " + rack + "/memctl" + std::to_string(i % 16) + address);
    }
}

TEST(PmuTree, LevelsOf64BitsEnd)
{
    const cs_pmu_kind kind = {"x", 2, UINT64_MAX - 1};
    cs_pmu_entry entry = {};
    cs_pmu_tree tree = {};
    uint64_t sum = 0;

    tree.layout.nr_levels = 1;
    tree.layout.levels[0] = {"pmu", 64};
    entry.kinds = &kind;
    entry.nr_kinds = 1;
    tree.entries = &entry;
    tree.nr_entries = 1;
    EXPECT_EQ(count_pmus(tree, cs_pmu_path{}, &sum), 2u);
    EXPECT_EQ(sum, UINT64_MAX - 2);
}

TEST(PmuTree, LooksUpAnAddress)
{
    const Tree t({{"rack0-127/blade0-31/chip0-7", {{"memctl", 2, 0}, {"link", 2, 4}}},
                  {"rack2/blade1/chip0/node1/core0-7", {{"vectorcopro", 1, 1}}}});

    EXPECT_EQ(t.at(0xffee05), "rack127/blade30/chip7/link5");
    EXPECT_EQ(t.at(0x41131), "rack2/blade1/chip0/node1/core3/vectorcopro1");
    EXPECT_EQ(t.at(0x41001), "rack2/blade1/chip0/memctl1");
    EXPECT_EQ(t.at(0x41002),
              "no PMU has the address 0x41002 (rack2/blade1/chip0/node0/core0/pmu2)");
    EXPECT_EQ(t.at(0x41181),
              "no PMU has the address 0x41181 (rack2/blade1/chip0/node1/core8/pmu1)");
    EXPECT_EQ(t.at(0x1000000), "0x1000000 is outside 0..0xffffff (24 bits)");
    for (const char *in : {"rack2/blade1/chip0/memctl1", "rack0/blade0/chip0/link4"}) {
        const cs_pmu_path path = t.path(in);
        EXPECT_TRUE(cs_pmu_tree_has(&t.tree, &path)) << in;
    }
    for (const char *out : {"rack2/blade1/chip0/node0/memctl1", "rack0/blade0/chip0/memctl4",
                            "rack0/blade0/chip0/memctl2", "memctl0"}) {
        const cs_pmu_path path = t.path(out);
        EXPECT_FALSE(cs_pmu_tree_has(&t.tree, &path)) << out;
    }
}

TEST(PmuTree, FindsWhatHasOneAddressTwice)
{
    const struct {
        std::pair<const char *, Kinds> a, b;
        bool clash;
        uint64_t address;
    } cases[] = {
        {{"rack0-3", {{"a", 2, 0}}}, {"rack3-5", {{"b", 2, 1}}}, true, 0x60001},
        {{"rack0-3", {{"a", 2, 0}}}, {"rack4-5", {{"b", 2, 1}}}, false, 0},
        {{"rack0-3", {{"a", 2, 0}}}, {"rack3-5", {{"b", 2, 2}}}, false, 0},
        {{"rack1", {{"a", 1, 0}}}, {"rack0-3/chip0-1", {{"b", 1, 0}}}, true, 0x20000},
        {{"rack1", {{"a", 1, 0}}}, {"rack0-3/chip1-2", {{"b", 1, 0}}}, false, 0},
        {{"/", {{"a", 16, 0}}}, {"rack0-9/core0", {{"b", 1, 15}}}, true, 0xf},
    };

    for (const auto &c : cases) {
        const Tree t({c.a, c.b});
        cs_pmu_clash clash;

        EXPECT_FALSE(cs_pmu_tree_clash(&t.tree, 0, &clash));
        EXPECT_EQ(cs_pmu_tree_clash(&t.tree, 1, &clash), c.clash) << c.b.first;
        if (c.clash) {
            EXPECT_EQ(clash.entry[0], 0u);
            EXPECT_EQ(clash.entry[1], 1u);
            EXPECT_EQ(clash.address, c.address);
        }
    }

    const Tree self({{"rack1", {{"a", 2, 0}, {"b", 1, 7}, {"c", 1, 1}}}});
    cs_pmu_clash clash;
    ASSERT_TRUE(cs_pmu_tree_clash(&self.tree, 0, &clash));
    EXPECT_EQ(clash.kind[0], 0u);
    EXPECT_EQ(clash.kind[1], 2u);
    EXPECT_EQ(clash.address, 0x20001u);
}

TEST(PmuTree, KindsFitTheirLevel)
{
    const std::pair<cs_pmu_kind, const char *> cases[] = {
        {{"memctl", 16, 0}, ""},
        {{"memctl", 1, 15}, ""},
        {{"pmu", 1, 0}, ""},
        {{"memctl", 17, 0}, "17 of memctl from number 0 on; pmu is 0..15 (4 bits)"},
        {{"memctl", 2, 15}, "2 of memctl from number 15 on; pmu is 0..15 (4 bits)"},
        {{"memctl", 1, 16}, "1 of memctl from number 16 on; pmu is 0..15 (4 bits)"},
        {{"memctl", UINT64_MAX, 15},
         "18446744073709551615 of memctl from number 15 on; "
         "pmu is 0..15 (4 bits)"},
        {{"memctl", 0, 0}, "0 of memctl"},
        {{"blade", 1, 0}, "blade is the name of a level"},
        {{"l3", 1, 0},
         "'l3' is no name of letters, digits and . _ - that begins and ends with a "
         "letter"},
    };

    for (const auto &[kind, error] : cases) {
        cs_diag diag = {};

        EXPECT_EQ(cs_pmu_kind_check(cs_pmu_layout_default(), &kind, &diag) == CS_OK,
                  error[0] == '\0');
        EXPECT_STREQ(diag.text, error);
    }
}
