// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imc_tree.hpp"
#include "support/configs.hpp"
#include "support/temp_folder.hpp"

using namespace cs_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

uint32_t value(const Loaded &loaded, const std::string &name)
{
    const cs_imc_event *event = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_catalog_find(loaded.catalog.get(), name.c_str(), &event, &diag), CS_OK)
        << diag.text;
    return event != nullptr ? event->value : 0;
}

std::string find_error(const Loaded &loaded, const char *name)
{
    const cs_imc_event *event = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_catalog_find(loaded.catalog.get(), name, &event, &diag), CS_ERR_RANGE);
    EXPECT_EQ(event, nullptr);
    EXPECT_STREQ(diag.where, "catalog.dtb");
    return diag.text;
}

// Every event of a domain at an offset, as "pmu/event".
std::vector<std::string> all_at(const Loaded &loaded, cs_imc_domain domain, uint32_t offset)
{
    std::vector<std::string> names;
    const cs_imc_event *event = nullptr;

    while ((event = cs_imc_catalog_at(loaded.catalog.get(), domain, offset, event)) != nullptr)
        names.push_back(std::string(event->of->pmu) + '/' + event->name);
    return names;
}

} // namespace

TEST(ImcCatalog, Power9HasItsUnits)
{
    const struct {
        const char *pmu, *node;
        cs_imc_domain domain;
        uint32_t reg, size, offset, cb_offset;
        const char *scale; // nullptr: none
        size_t nr_events;
    } units[] = {
        {"nest_mcs01_imc", "mcs01", CS_IMC_DOMAIN_NEST, 0xc8, 0x40000, 0x180000, 0x3fc00, "256", 7},
        {"nest_mcs23_imc", "mcs23", CS_IMC_DOMAIN_NEST, 0x48, 0x40000, 0x180000, 0x3fc00, "256", 7},
        {"nest_powerbus0_imc", "powerbus0", CS_IMC_DOMAIN_NEST, 0x8, 0x40000, 0x180000, 0x3fc00,
         "256", 12},
        {"nest_xlink0_imc", "xlink0", CS_IMC_DOMAIN_NEST, 0x118, 0x40000, 0x180000, 0x3fc00, "4096",
         8},
        {"nest_phb0_imc", "phb0", CS_IMC_DOMAIN_NEST, 0x338, 0x40000, 0x180000, 0x3fc00, "1", 4},
        {"nest_mba0_imc", "mba0", CS_IMC_DOMAIN_NEST, 0x448, 0x40000, 0x180000, 0x3fc00, "1", 3},
        {"core_imc", "core", CS_IMC_DOMAIN_CORE, 0x18, 0x2000, 0, 0, "512", 33},
        {"thread_imc", "thread", CS_IMC_DOMAIN_THREAD, 0x18, 0x2000, 0, 0, "512", 10},
        {"trace_imc", "trace", CS_IMC_DOMAIN_TRACE, 0, 0x40000, 0, 0, nullptr, 1},
    };
    const Loaded loaded = load_file(config_path("power9_small.dts"));

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(cs_imc_catalog_version(loaded.catalog.get()), 0x20u);
    EXPECT_THAT(loaded.warnings(), IsEmpty());
    ASSERT_EQ(cs_imc_catalog_nr_units(loaded.catalog.get()), std::size(units));
    for (size_t i = 0; i < std::size(units); i++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(loaded.catalog.get(), i);
        const auto &expected = units[i];

        SCOPED_TRACE(expected.pmu);
        EXPECT_STREQ(unit->pmu, expected.pmu);
        EXPECT_STREQ(unit->node, expected.node);
        EXPECT_EQ(unit->domain, expected.domain);
        EXPECT_EQ(unit->reg, expected.reg);
        EXPECT_EQ(unit->size, expected.size);
        EXPECT_EQ(unit->offset, expected.offset);
        EXPECT_EQ(unit->cb_offset, expected.cb_offset);
        EXPECT_STREQ(unit->scale, expected.scale);
        EXPECT_EQ(unit->unit, nullptr);
        EXPECT_EQ(unit->nr_chips, 0u);
        EXPECT_EQ(unit->nr_events, expected.nr_events);
        EXPECT_EQ(loaded.pmu(expected.pmu), unit);
    }
    EXPECT_EQ(cs_imc_catalog_unit(loaded.catalog.get(), std::size(units)), nullptr);
}

// perf's config, as facts of the hardware.
TEST(ImcCatalog, Power9HasItsEvents)
{
    const std::pair<const char *, uint32_t> events[] = {
        {"nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01", 0xc8},
        {"nest_mcs01_imc/PM_MCS01_128B_RD_DISP_PORT01", 0xd0},
        {"nest_mcs23_imc/PM_MCS23_128B_WR_DISP_PORT23", 0x78},
        {"nest_powerbus0_imc/PM_PB_CYC", 0x80},
        {"nest_xlink0_imc/PM_XLINK0_OUT_ODD_DATA_COUNT", 0x148},
        {"nest_phb0_imc/PM_PHB0_DMA_RD_FROM_PCIE", 0x340},
        {"nest_mba0_imc/PM_MBA0_READ_BYTES", 0x448},
        {"core_imc/CPM_NON_IDLE_INST", 0x28},
        {"core_imc/CPM_NON_IDLE_PCYC", 0x30},
        {"core_imc/CPM_32MHZ_CYC", 0xa0},
        {"core_imc/CPM_CS_PCYC", 0x818},
        {"core_imc/CPM_CS_PCYC_KERNEL", 0x1818},
        {"thread_imc/CPM_CS_INST_USER", 0x1020},
        {"trace_imc/trace_cycles", 0x10200000},
    };
    const Loaded loaded = load_file(config_path("power9_small.dts"));

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    for (const auto &[name, expected] : events)
        EXPECT_EQ(value(loaded, name), expected) << name;
}

// User twins are 0x800 above; kernel twins 0x1000, from 0xd80 on 0xfc0.
TEST(ImcCatalog, Power9HasTwinsWhereTheHardwareHasThem)
{
    const Loaded loaded = load_file(config_path("power9_small.dts"));
    size_t user = 0, kernel = 0;

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    const cs_imc_unit *core = loaded.pmu("core_imc");
    for (size_t i = 0; i < core->nr_events; i++) {
        const std::string name = core->events[i].name;
        const uint32_t offset = core->events[i].value - core->reg;
        const cs_imc_event *twin = cs_imc_unit_event(core, (name + "_USER").c_str());

        if (twin != nullptr) {
            EXPECT_EQ(twin->value, core->events[i].value + 0x800) << name;
            user++;
        }
        twin = cs_imc_unit_event(core, (name + "_KERNEL").c_str());
        if (twin != nullptr) {
            EXPECT_EQ(twin->value, core->events[i].value + (offset < 0xd80 ? 0x1000 : 0xfc0))
                << name;
            kernel++;
        }
    }
    EXPECT_EQ(user, 9u);
    EXPECT_EQ(kernel, 8u);
}

TEST(ImcCatalog, Power10CountsUnscaled)
{
    const Loaded loaded = load_file(config_path("power10_small.dts"));

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_THAT(loaded.warnings(), IsEmpty());
    ASSERT_EQ(cs_imc_catalog_nr_units(loaded.catalog.get()), 3u);
    for (const char *pmu : {"core_imc", "thread_imc"}) {
        ASSERT_NE(loaded.pmu(pmu), nullptr);
        EXPECT_STREQ(loaded.pmu(pmu)->scale, "1");
        EXPECT_EQ(value(loaded, std::string(pmu) + "/CPM_NEST_REF_CLK"), 0x118u);
        EXPECT_EQ(value(loaded, std::string(pmu) + "/CPM_VSU_FSQRT_FDIV"), 0x660u);
    }
    // Sample CPMC2 (bits 28-29), its event 2 (bits 20-27): what all published catalogs have.
    EXPECT_EQ(value(loaded, "trace_imc/trace_cycles"), 1u << 28 | 2u << 20);
}

TEST(ImcCatalog, ScaleAndUnitComeFromTheEventElseFromTheUnit)
{
    Node root = good_tree();
    Node &top = root.at("imc-counters");

    top.at("mcs01@c8").set("unit", text("MiB"));
    top.at("mcs-events/event@8").set("scale", text("1.5e-4")).set("unit", text("J"));
    top.at("mcs-events/event@8").set("desc", text("Writes, \"all\" of them"));
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    const cs_imc_unit *mcs01 = loaded.pmu("nest_mcs01_imc");
    EXPECT_EQ(mcs01->events[0].scale, mcs01->scale);
    EXPECT_STREQ(mcs01->events[0].unit, "MiB");
    EXPECT_EQ(mcs01->events[0].desc, nullptr);
    EXPECT_STREQ(mcs01->events[1].scale, "1.5e-4");
    EXPECT_STREQ(mcs01->events[1].unit, "J");
    EXPECT_STREQ(mcs01->events[1].desc, "Writes, \"all\" of them");
    EXPECT_EQ(mcs01->events[1].of, mcs01);
    // The list is shared, what the units say is not.
    const cs_imc_unit *mcs23 = loaded.pmu("nest_mcs23_imc");
    EXPECT_EQ(mcs23->list, mcs01->list);
    EXPECT_EQ(mcs23->events[0].unit, nullptr);
    EXPECT_STREQ(mcs23->events[0].name, "PM_MCS23_RD");
    EXPECT_STREQ(mcs23->events[1].unit, "J");
    const cs_imc_unit *thread = loaded.pmu("thread_imc");
    EXPECT_EQ(thread->events[0].scale, nullptr);
    EXPECT_EQ(thread->events[0].unit, nullptr);
}

TEST(ImcCatalog, UnitsWithoutAListOrPrefixHaveNoEvents)
{
    Node root = good_tree();
    Node &top = root.at("imc-counters");

    top.at("core@18").drop("events");
    top.at("mcs23@48").drop("events-prefix");
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(cs_imc_catalog_nr_units(loaded.catalog.get()), 5u);
    EXPECT_EQ(loaded.pmu("core_imc")->nr_events, 0u);
    EXPECT_EQ(loaded.pmu("nest_mcs23_imc")->nr_events, 0u);
    EXPECT_EQ(loaded.pmu("thread_imc")->nr_events, 2u);
    EXPECT_THAT(
        loaded.warnings(),
        ElementsAre("/imc-counters/mcs23@48, property 'events-prefix': absent: nest_mcs23_imc has "
                    "no events",
                    "/imc-counters/core@18, property 'events': absent: core_imc has no events"));
}

TEST(ImcCatalog, AnEmptyPrefixIsOne)
{
    Node root = good_tree();

    root.at("imc-counters/core@18").set("events-prefix", text(""));
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_STREQ(loaded.pmu("core_imc")->events[1].name, "32MHZ_CYC");
}

TEST(ImcCatalog, EventsWithoutNameOrPlaceAreLeftOut)
{
    Node root = good_tree();
    Node &list = root.at("imc-counters/core-events");

    list.at("event@10").drop("reg");
    list.add(event(0x20, "X")).drop("event-name");
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    ASSERT_EQ(loaded.pmu("core_imc")->nr_events, 1u);
    EXPECT_STREQ(loaded.pmu("core_imc")->events[0].name, "CPM_32MHZ_CYC");
    EXPECT_THAT(loaded.warnings(),
                ElementsAre("/imc-counters/core-events/event@10, property 'reg': absent: no event "
                            "of core_imc",
                            "/imc-counters/core-events/event@20, property 'event-name': absent: no "
                            "event of core_imc",
                            HasSubstr("no event of thread_imc"),
                            HasSubstr("no event of thread_imc")));
}

TEST(ImcCatalog, UnitsOfUnknownTypesAreLeftOut)
{
    Node root = good_tree();

    root.at("imc-counters/core@18").set("type", cells({0x8}));
    root.at("imc-counters/thread@18").drop("type");
    // Nothing else of it is looked at.
    root.at("imc-counters/thread@18").set("size", "x");
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(loaded.pmu("core_imc"), nullptr);
    EXPECT_EQ(loaded.pmu("thread_imc"), nullptr);
    EXPECT_EQ(cs_imc_catalog_nr_units(loaded.catalog.get()), 3u);
    EXPECT_THAT(loaded.warnings(), ElementsAre(HasSubstr("core@18, property 'type': expected 0x10 "
                                                         "(nest), 0x4 (core), 0x1 (thread) or 0x2 "
                                                         "(trace), found 0x8"),
                                               HasSubstr("thread@18, property 'type': absent")));
}

// Catalogs of early POWER10 have one unit twice: the kernel cannot register the second.
TEST(ImcCatalog, SecondUnitsOfAPmuAreLeftOut)
{
    Node root = good_tree();

    root.at("imc-counters").add(nest("mcs01", 0xd0, 1, "SECOND_"));
    root.at("imc-counters").add(unit("other", kCore, 0x20, 0x2000, 2, "SECOND_"));
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(told(loaded.catalog.get()), told(load_tree(good_tree()).catalog.get()));
    EXPECT_THAT(loaded.warnings(),
                ElementsAre("/imc-counters/mcs01@d0: expected one unit for each PMU, found "
                            "nest_mcs01_imc for 'mcs01' too: the unit is left out",
                            "/imc-counters/other@20: expected one unit for each PMU, found "
                            "core_imc for 'core' too: the unit is left out"));
}

// As POWER8's catalogs, whose units are of another kind.
TEST(ImcCatalog, ACatalogWithoutUnitsIsTold)
{
    Node root;

    root.add({"imc-counters", {{"compatible", text("ibm,opal-in-memory-counters")}}, {}});
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(cs_imc_catalog_nr_units(loaded.catalog.get()), 0u);
    EXPECT_EQ(cs_imc_catalog_unit(loaded.catalog.get(), 0), nullptr);
    EXPECT_THAT(loaded.warnings(), ElementsAre(HasSubstr("/imc-counters: no unit in the tree")));
}

// A second node of counters adds its units, not its version.
TEST(ImcCatalog, ASecondNodeOfCountersIsTold)
{
    Node root = good_tree();
    Node second = {"more", root.at("imc-counters").properties, {}};

    second.set("version-id", cells({0x99}));
    second.add(nest("nx", 0x3f8, 1, "PM_NX_"));
    root.add(second);
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(cs_imc_catalog_version(loaded.catalog.get()), 0x20u);
    EXPECT_NE(loaded.pmu("nest_nx_imc"), nullptr);
    EXPECT_THAT(loaded.warnings(), ElementsAre(HasSubstr("/more, property 'compatible': a second "
                                                         "node of counters")));
}

TEST(ImcCatalog, CountersThatAreNotAlignedAreToldAndKept)
{
    Node root = good_tree();

    root.at("imc-counters/core-events").at("event@10").set("reg", cells({0x14, 8}));
    root.at("imc-counters/core-events").at("event@88").set("reg", cells({0x88, 4}));
    root.at("imc-counters/thread@18").drop("events");
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(loaded.pmu("core_imc")->events[0].value, 0x2cu);
    EXPECT_THAT(loaded.warnings(),
                ElementsAre(HasSubstr("expected an aligned counter of 8 bytes, found 8 at 0x2c"),
                            HasSubstr("expected an aligned counter of 8 bytes, found 4 at 0xa0"),
                            HasSubstr("thread_imc has no events")));
}

TEST(ImcCatalog, WarningsAreCountedBeyondTheirTexts)
{
    Node root = good_tree();

    for (uint32_t i = 0; i < 100; i++)
        root.at("imc-counters/mcs-events").add(event(0x100 + 8 * i, "X")).drop("event-name");
    root.at("imc-counters/mcs23@48").drop("events");
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(cs_imc_catalog_nr_warnings(loaded.catalog.get()), 101u);
    EXPECT_EQ(loaded.warnings().size(), CS_IMC_MAX_WARNINGS);
}

TEST(ImcCatalog, ChipsComeWithTheirAddresses)
{
    Node root = good_tree();

    root.at("imc-counters/mcs01@c8")
        .set("base-addr", cells({0x20, 0x1000, 0x21, 0xfffff000}))
        .set("chip-id", cells({0, 8}));
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    const cs_imc_unit *mcs01 = loaded.pmu("nest_mcs01_imc");
    ASSERT_EQ(mcs01->nr_chips, 2u);
    EXPECT_EQ(mcs01->base_addr[0], 0x2000001000u);
    EXPECT_EQ(mcs01->base_addr[1], 0x21fffff000u);
    EXPECT_EQ(mcs01->chip_id[0], 0u);
    EXPECT_EQ(mcs01->chip_id[1], 8u);
    EXPECT_EQ(loaded.pmu("nest_mcs23_imc")->nr_chips, 0u);
    EXPECT_EQ(loaded.pmu("nest_mcs23_imc")->base_addr, nullptr);
}

TEST(ImcCatalog, TheControlBlockHasAUsualPlace)
{
    Node root = good_tree();

    root.at("imc-counters/mcs01@c8").drop("cb_offset").drop("offset");
    root.at("imc-counters/mcs23@48").set("cb_offset", cells({0x3f000}));
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(loaded.pmu("nest_mcs01_imc")->cb_offset, 0x3fc00u);
    EXPECT_EQ(loaded.pmu("nest_mcs01_imc")->offset, 0u);
    EXPECT_EQ(loaded.pmu("nest_mcs23_imc")->cb_offset, 0x3f000u);
}

// The last counter that fits ends where the memory ends.
TEST(ImcCatalog, CountersMayReachToTheEndOfTheMemory)
{
    Node root = good_tree();

    root.at("imc-counters/core-events").add(event(0x2000 - 0x18 - 8, "LAST"));
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(value(loaded, "core_imc/CPM_LAST"), 0x1ff8u);
}

// As flash has it (the root is the catalog) and as a kernel may have it (units anywhere).
TEST(ImcCatalog, UnitsAreFoundInTheWholeTree)
{
    Node flash = good_tree().at("imc-counters");
    flash.name.clear();
    Node spread = good_tree();
    Node opal = {"ibm,opal", {{"compatible", text("ibm,opal-v3")}}, {}};

    opal.add(spread.at("imc-counters/core@18"));
    spread.at("imc-counters").nodes.erase(spread.at("imc-counters").nodes.begin() + 4);
    spread.add(opal);
    for (const Node &root : {flash, spread}) {
        const Loaded loaded = load_tree(root);

        ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
        EXPECT_EQ(cs_imc_catalog_nr_units(loaded.catalog.get()), 5u);
        ASSERT_NE(loaded.pmu("core_imc"), nullptr);
        EXPECT_EQ(loaded.pmu("core_imc")->nr_events, 2u);
    }
}

TEST(ImcCatalog, AVersionIsNotNeeded)
{
    Node root = good_tree();

    root.at("imc-counters").drop("version-id");
    EXPECT_EQ(cs_imc_catalog_version(load_tree(root).catalog.get()), 0u);
}

TEST(ImcCatalog, EventsAreFoundByName)
{
    const Loaded loaded = load_tree(good_tree());

    EXPECT_EQ(value(loaded, "core_imc/CPM_INST"), 0x28u);
    EXPECT_EQ(value(loaded, "core_imc/CPM_INST/"), 0x28u);
    EXPECT_EQ(value(loaded, "PM_MCS23_AMO"), 0x78u);
    EXPECT_EQ(value(loaded, "trace_cycles"), 0x10200000u);
    EXPECT_EQ(find_error(loaded, "CPM_INST"),
              "'CPM_INST' is an event of core_imc and of thread_imc; expected PMU/EVENT");
    EXPECT_EQ(find_error(loaded, "core/CPM_INST"),
              "'core/CPM_INST': the catalog has no PMU 'core'");
    EXPECT_EQ(find_error(loaded, "core_imc/INST"), "'core_imc/INST': core_imc has no event 'INST'");
    EXPECT_EQ(find_error(loaded, "CPM_INS"), "the catalog has no event 'CPM_INS' (5 units)");
    for (const char *odd : {"", "/", "core_imc/", "core_imc//", "/CPM_INST", "core_imc/CPM_INST//"})
        EXPECT_NE(find_error(loaded, odd), "") << odd;
    EXPECT_EQ(loaded.pmu("core_im"), nullptr);
    EXPECT_EQ(cs_imc_unit_event(loaded.pmu("core_imc"), "CPM_"), nullptr);
}

TEST(ImcCatalog, EventsAreFoundByPlace)
{
    Node root = good_tree();

    root.at("imc-counters/mcs-events").add(event(0x80, "FAR")); // 0x48 + 0x80 = 0xc8 + 0
    root.at("imc-counters/mcs-events").add(event(0x88, "AGAIN")).set("reg", cells({0x80, 8}));
    root.at("imc-counters").add(nest("next", 0xf8, 1, "NEXT_"));
    const Loaded loaded = load_tree(root);

    EXPECT_THAT(all_at(loaded, CS_IMC_DOMAIN_CORE, 0x28), ElementsAre("core_imc/CPM_INST"));
    EXPECT_THAT(all_at(loaded, CS_IMC_DOMAIN_THREAD, 0x28), ElementsAre("thread_imc/CPM_INST"));
    EXPECT_THAT(all_at(loaded, CS_IMC_DOMAIN_NEST, 0x28), IsEmpty());
    EXPECT_THAT(all_at(loaded, CS_IMC_DOMAIN_NEST, 0xc8),
                ElementsAre("nest_mcs01_imc/PM_MCS01_RD", "nest_mcs23_imc/PM_MCS23_FAR",
                            "nest_mcs23_imc/PM_MCS23_AGAIN"));
    // The third of one unit, the first of another.
    EXPECT_THAT(all_at(loaded, CS_IMC_DOMAIN_NEST, 0xf8),
                ElementsAre("nest_mcs01_imc/PM_MCS01_AMO", "nest_next_imc/NEXT_RD"));
    EXPECT_THAT(all_at(loaded, CS_IMC_DOMAIN_TRACE, 0x10200000), IsEmpty());
}

TEST(ImcCatalog, BlobsAndSourceAreTakenFromFiles)
{
    const TempFolder temp;
    const Loaded from_source = load_file(config_path("power9_small.dts"));

    // The name must not be taken for an option.
    std::filesystem::copy(config_path("power9_small.dts"), temp.path() / "-q.dts");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(temp.path());
    const Loaded dashed = load_file("-q.dts");
    std::filesystem::current_path(before);
    EXPECT_EQ(dashed.status, CS_OK) << dashed.diag.text;
    EXPECT_EQ(told(dashed.catalog.get()), told(from_source.catalog.get()));

    const Loaded from_blob = load_file(temp.write("catalog.dtb", blob(good_tree())));
    ASSERT_EQ(from_blob.status, CS_OK) << from_blob.diag.text;
    EXPECT_EQ(told(from_blob.catalog.get()), told(load_tree(good_tree()).catalog.get()));
}

// As many units and events as the catalogs in the field have.
TEST(ImcCatalog, CatalogsOfRealSizeLoadWhole)
{
    Node root = good_tree();
    Node &top = root.at("imc-counters");

    for (Node *node : {&top.at("core-events"), &top.at("mcs-events")})
        node->nodes.clear();
    for (uint32_t i = 0; i < 249; i++)
        top.at("core-events").add(event(32 * i, "EVENT_" + std::to_string(i)));
    for (uint32_t i = 0; i < 61; i++)
        top.at("mcs-events").add(event(8 * i, "EVENT_" + std::to_string(i)));
    for (uint32_t i = 0; i < 39; i++)
        top.add(nest("u" + std::to_string(i), 0x400 + 0x200 * i, 1, "U" + std::to_string(i) + "_"));
    top.at("thread@18").set("events", cells({1}));
    const Loaded loaded = load_tree(root);

    ASSERT_EQ(loaded.status, CS_OK) << loaded.diag.text;
    EXPECT_EQ(cs_imc_catalog_nr_units(loaded.catalog.get()), 44u);
    EXPECT_EQ(loaded.pmu("core_imc")->nr_events, 249u);
    EXPECT_EQ(loaded.pmu("thread_imc")->nr_events, 61u);
    EXPECT_EQ(loaded.pmu("trace_imc")->nr_events, 1u);
    EXPECT_EQ(value(loaded, "U38_EVENT_60"), 0x400u + 0x200 * 38 + 8 * 60);
    EXPECT_EQ(told(loaded.catalog.get()).size(), 1u + 44 + 249 + 61 + 1 + 41 * 61);
}

TEST(ImcCatalog, DomainsHaveNames)
{
    EXPECT_STREQ(cs_imc_domain_name(CS_IMC_DOMAIN_NEST), "nest");
    EXPECT_STREQ(cs_imc_domain_name(CS_IMC_DOMAIN_TRACE), "trace");
    EXPECT_STREQ(cs_imc_domain_name(static_cast<cs_imc_domain>(0)), "?");
    EXPECT_STREQ(cs_imc_domain_name(static_cast<cs_imc_domain>(5)), "?");
    cs_imc_catalog_destroy(nullptr);
}
