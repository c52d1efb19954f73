// SPDX-License-Identifier: Apache-2.0
// The numbers of POWER's events: by form, by a catalog's names, and what shares one stream.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "support/configs.hpp"

extern "C" {
#include "formats/imc/catalog/catalog.h"
#include "scenario/imc/imc_events.h"
#include "scenario/imc/imc_places.h"
#include "scenario/imc/imc_registers.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/scenario.h"
#include <countersink/base/numbers.h>
}

namespace
{

constexpr uint32_t CPMC1 = CS_EVENT_IMC(0), CPMC2 = CS_EVENT_IMC(128);
constexpr uint32_t CPMC3 = CS_EVENT_IMC(256), CPMC4 = CS_EVENT_IMC(257);

using Catalog = std::unique_ptr<cs_imc_catalog, decltype(&cs_imc_catalog_destroy)>;

Catalog catalog(const char *name)
{
    cs_imc_catalog *loaded = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_imc_catalog_load(cs_test::config_path(name).c_str(), &loaded, &diag), CS_OK)
        << diag.text;
    return {loaded, cs_imc_catalog_destroy};
}

struct Numbers {
    uint16_t event_of[CS_IMC_EVENTS];
    const cs_imc_catalog *names = nullptr;

    explicit Numbers(const cs_imc_catalog *of = nullptr) : names(of)
    {
        cs_imc_default_events(event_of);
        if (of != nullptr)
            cs_imc_catalog_events(of, event_of);
    }
    // The number; or why there is none.
    std::string of(const char *name) const
    {
        uint32_t number = 0;
        char why[160] = "not written";

        if (cs_imc_event_number(names, false, event_of, name, &number, why))
            return std::to_string(number) + why;
        return why[0] != '\0' ? why : "unknown";
    }
};

} // namespace

// Quadrants 2 and 3 are user's and kernel's shares of quadrant 1, of CPMC1 and CPMC2 each.
TEST(ImcEvents, QuadrantsShareStreams)
{
    const Numbers n;

    for (unsigned cpmc = 0; cpmc < 2; cpmc++)
        for (unsigned slot = 0; slot < 128; slot++)
            EXPECT_EQ(n.event_of[128 * cpmc + slot], 128 * cpmc + (slot < 64   ? slot
                                                                   : slot < 96 ? slot - 32
                                                                               : slot - 64))
                << cpmc << ":" << slot;
    EXPECT_EQ(n.event_of[256], 256);
    EXPECT_EQ(n.event_of[257], 257);
}

TEST(ImcEvents, ACatalogMovesShares)
{
    const Catalog power9 = catalog("power9_small.dts");
    const Numbers plain, n(power9.get());
    const struct {
        unsigned share, whole;
    } moved[] = {
        {0x1e98 / 64, 0xed8 / 64}, // CPM_CS_DERAT_MISS_KERNEL, a slot lower than in its quadrant
        {0x1dd8 / 64, 0xe18 / 64}, // CPM_CS_ST_MISS_L1_KERNEL
    };
    unsigned others = 0;

    for (const auto &m : moved) {
        EXPECT_EQ(n.event_of[m.share], m.whole);
        EXPECT_EQ(plain.event_of[m.share], m.whole - 1);
    }
    for (unsigned i = 0; i < CS_IMC_EVENTS; i++)
        others += n.event_of[i] != plain.event_of[i];
    EXPECT_EQ(others, 2u) << "all others lie in their quadrant";

    const Catalog power10 = catalog("power10_small.dts");
    EXPECT_EQ(std::memcmp(Numbers(power10.get()).event_of, plain.event_of, sizeof plain.event_of),
              0)
        << "POWER10 names no shares";
}

TEST(ImcEvents, Forms)
{
    const Numbers n;
    const struct {
        const char *name;
        std::string expected;
    } cases[] = {
        {"cpmc1:0", std::to_string(CPMC1)},
        {"cpmc1:63", std::to_string(CPMC1 + 63)},
        {"cpmc2:0", std::to_string(CPMC2)},
        {"cpmc2:0x3f", std::to_string(CPMC2 + 63)},
        {"cpmc3", std::to_string(CPMC3)},
        {"cpmc4", std::to_string(CPMC4)},
        {"nest:0x748", std::to_string(CS_EVENT_NEST(CS_NEST_TOD))},
        {"nest:0xc8", std::to_string(CS_EVENT_NEST(25))},
        {"nest:8", std::to_string(CS_EVENT_NEST(1))},
        {"cpmc1:128", "cpmc1:128: the code must be 0..127"},
        {"cpmc2:x", "cpmc2:x: the code must be 0..127"},
        {"cpmc2:", "cpmc2:: the code must be 0..127"},
        {"cpmc1:-1", "cpmc1:-1: the code must be 0..127"},
        {"cpmc1:18446744073709551616", "cpmc1:18446744073709551616: the code must be 0..127"},
        {"cpmc1:64", "cpmc1:64 is a user or kernel share; give the stream of the whole event"},
        {"cpmc2:127", "cpmc2:127 is a user or kernel share; give the stream of the whole event"},
        // header and trailer, between counters, behind all, of no place: no row has them
        {"nest:0", "nest:0: no engine posts a counter there (docs/hw/gen/nest_rows.md)"},
        {"nest:0x768", "nest:0x768: no engine posts a counter there (docs/hw/gen/nest_rows.md)"},
        {"nest:0x3f8", "nest:0x3f8: no engine posts a counter there (docs/hw/gen/nest_rows.md)"},
        {"nest:0xc", "nest:0xc: no engine posts a counter there (docs/hw/gen/nest_rows.md)"},
        {"nest:0x760", "nest:0x760: no engine posts a counter there (docs/hw/gen/nest_rows.md)"},
        {"nest:0x770", "nest:0x770: no engine posts a counter there (docs/hw/gen/nest_rows.md)"},
        {"nest:", "nest:: no engine posts a counter there (docs/hw/gen/nest_rows.md)"},
        {"cpmc5", "unknown"},
        {"cpmc3:1", "unknown"},
        {"CPMC1:5", "unknown"},
        {"CPM_INST", "unknown"},
        {"", "unknown"},
    };

    for (const auto &c : cases)
        EXPECT_EQ(n.of(c.name), c.expected) << c.name;
}

TEST(ImcEvents, Names)
{
    const Catalog power9 = catalog("power9_small.dts");
    const Numbers n(power9.get());
    const struct {
        const char *name;
        std::string expected;
    } cases[] = {
        {"CPM_PCYC", std::to_string(CPMC1)},
        {"CPM_INST", std::to_string(CPMC2)},
        {"CPM_NON_IDLE_INST", std::to_string(CPMC3)},
        {"CPM_NON_IDLE_PCYC", std::to_string(CPMC4)},
        {"CPM_32MHZ_CYC", std::to_string(CPMC2 + 2)},
        {"CPM_CS_INST", std::to_string(CPMC2 + 32)},
        {"core_imc/CPM_CS_INST", std::to_string(CPMC2 + 32)},
        {"core_imc/CPM_CS_INST/", std::to_string(CPMC2 + 32)},
        {"CPM_CS_FROM_MEM_LDATA", std::to_string(CPMC2 + 53)},
        {"CPM_MSR_TA_USER_INST", std::to_string(CPMC1 + 30)}, // of thread_imc only
        {"PM_MCS01_128B_WR_DISP_PORT01", std::to_string(CS_EVENT_NEST(0xd8 / 8))},
        {"nest_mcs01_imc/PM_MCS01_64B_RD_DISP_PORT01", std::to_string(CS_EVENT_NEST(0xc8 / 8))},
        {"CPM_CS_INST_USER",
         "CPM_CS_INST_USER is a user or kernel share; give the stream of the whole event"},
        {"thread_imc/CPM_CS_INST_USER",
         "thread_imc/CPM_CS_INST_USER is a user or kernel share; give the stream of the whole "
         "event"},
        {"CPM_CS_DERAT_MISS_KERNEL",
         "CPM_CS_DERAT_MISS_KERNEL is a user or kernel share; give the stream of the whole event"},
        {"trace_cycles", "trace_cycles is no counter of a core"},
        {"CPM_CS_INSTR", "unknown"},
        {"core_imc/CPM_CS_INSTR", "unknown"},
        {"no_imc/CPM_CS_INST", "unknown"},
        {"cpmc1:0", std::to_string(CPMC1)},
    };

    for (const auto &c : cases)
        EXPECT_EQ(n.of(c.name), c.expected) << c.name;
}

// Every event of the core has the number of its counter in the slot.
TEST(ImcEvents, NumbersFollowFromOffsets)
{
    for (const char *file : {"power9_small.dts", "power10_small.dts"}) {
        const Catalog names = catalog(file);
        const Numbers n(names.get());
        const cs_imc_unit *core = cs_imc_catalog_pmu(names.get(), "core_imc");

        ASSERT_NE(core, nullptr);
        for (size_t i = 0; i < core->nr_events; i++) {
            const cs_imc_event &e = core->events[i];
            const unsigned slot = e.value / 64, cpmc = (e.value % 64 - 0x18) / 8;
            const unsigned number = cpmc < 2 ? 128 * cpmc + slot : 254 + cpmc;

            if (n.event_of[number] == number)
                EXPECT_EQ(n.of(e.name), std::to_string(CS_EVENT_IMC(number))) << e.name;
            else
                EXPECT_NE(n.of(e.name).find("share"), std::string::npos) << e.name;
        }
    }
}

// What `list --registers` says of core 0 is where scripts find it.
TEST(ImcEvents, PlacesAreAddressesOfRegisters)
{
    unsigned scoms = 0;

    for (const cs_unit_place *p = cs_imc_places; p->name != nullptr; p++) {
        const std::string name = p->name, where = p->where;
        const size_t point = name.find('.');
        uint64_t addr = 0;

        if (where.rfind("SCOM ", 0) != 0)
            continue;
        scoms++;
        cs_imc_spec spec = {};
        spec.power10 = name.substr(0, point) == "power10";
        spec.chips = spec.cores = spec.threads = 1;
        ASSERT_TRUE(cs_imc_register_address(&spec, name.c_str() + point + 1, &addr, nullptr))
            << name;
        EXPECT_EQ(addr, CS_SCOM_BASE + 8 * std::stoull(where.substr(5), nullptr, 16)) << name;
    }
    EXPECT_EQ(scoms, 14u);
}

// POWER10's rows have every event of its catalog.
TEST(ImcEvents, EveryNestEventOfPower10IsPosted)
{
    const Catalog names = catalog("power10_nest.dts");
    unsigned nr = 0;

    for (size_t u = 0; u < cs_imc_catalog_nr_units(names.get()); u++) {
        const cs_imc_unit *unit = cs_imc_catalog_unit(names.get(), u);

        for (size_t i = 0; unit->domain == CS_IMC_DOMAIN_NEST && i < unit->nr_events; i++, nr++)
            EXPECT_TRUE(cs_imc_is_posted(true, unit->events[i].value)) << unit->events[i].name;
    }
    EXPECT_GT(nr, 25u);
    EXPECT_FALSE(cs_imc_is_posted(true, 0)) << "a header";
    EXPECT_FALSE(cs_imc_is_posted(true, 0x328));
    EXPECT_FALSE(cs_imc_is_posted(true, 0x7f8)) << "of no link";
    EXPECT_TRUE(cs_imc_is_posted(true, 0xd40));
    EXPECT_FALSE(cs_imc_is_posted(false, 0xd40));
}

TEST(ImcEvents, AnOffsetThatNoEngineWrites)
{
    const char *const source =
        R"(/dts-v1/; / { compatible = "ibm,opal-in-memory-counters"; version-id = <1>;
    L: l { #address-cells = <1>; #size-cells = <1>;
        event@0 { event-name = "HEAD"; reg = <0x0 8>; };
        event@40 { event-name = "NEXT"; reg = <0x18 8>; };
        event@41 { event-name = "ODD"; reg = <0x1c 8>; };
        event@42 { event-name = "TAIL"; reg = <0x38 8>; };
        event@43 { event-name = "FAR"; reg = <0x2018 8>; }; };
    core@0 { compatible = "ibm,imc-counters"; events-prefix = "C_"; reg = <0 8>; events = <&L>;
        type = <4>; size = <0x4000>; };
    nest@0 { compatible = "ibm,imc-counters"; events-prefix = "N_"; reg = <0 8>; events = <&L>;
        type = <0x10>; size = <0x40000>; offset = <0>; }; };)";
    const std::string path = testing::TempDir() + "offsets.dts";
    cs_imc_catalog *loaded = nullptr;
    cs_diag diag = {};

    std::ofstream(path) << source;
    ASSERT_EQ(cs_imc_catalog_load(path.c_str(), &loaded, &diag), CS_OK) << diag.text;
    const Catalog names(loaded, cs_imc_catalog_destroy);
    std::remove(path.c_str());
    const Numbers n(loaded);

    EXPECT_EQ(n.of("C_HEAD"), "C_HEAD is no counter of a core");
    EXPECT_EQ(n.of("C_NEXT"), std::to_string(CPMC1));
    EXPECT_EQ(n.of("C_ODD"), "C_ODD is no counter of a core");
    EXPECT_EQ(n.of("C_TAIL"), "C_TAIL is no counter of a core");
    EXPECT_EQ(n.of("C_FAR"), "C_FAR is no counter of a core");
    EXPECT_EQ(n.of("N_NEXT"), std::to_string(CS_EVENT_NEST(3)));
    EXPECT_EQ(n.of("N_ODD"), "N_ODD at 0x1c is posted by no engine");
    EXPECT_EQ(n.of("N_FAR"), "N_FAR at 0x2018 is posted by no engine");
}
