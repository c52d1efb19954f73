// SPDX-License-Identifier: Apache-2.0
// What a scenario of POWER may say, and what its user would not expect of it.
#include <gtest/gtest.h>

#include "document.hpp"

namespace
{

struct Case {
    const char *name;
    const char *catalog;
    const char *imc;
    const char *driver; // keys of imc_driver
    const char *perf;
    const char *warning; // NULL: none
};

constexpr char kPower9[] = "power9_small.dts", kPower10[] = "power10_small.dts";
constexpr char kCore[] = "{pmu: core, cpus: [0], config: 0x28, start_us: 20, stop_us: 40}";
constexpr char kTrace[] = "{pmu: trace, cpus: [0], sample_period: 1, start_us: 20, stop_us: 40}";

const Case cases[] = {
    {"nothing", kPower9, "", "", kCore, nullptr},
    {"SMT 1 is told with the counts", kPower9, ", threads: 1", "", kCore, nullptr},
    {"a catalog of POWER10", kPower10, "", "", kCore,
     "catalog: is of POWER10, and imc.variant is power9: scales and offsets are those of the "
     "other"},
    {"a catalog of POWER9", kPower9, ", variant: power10", "", kCore,
     "catalog: is of POWER9, and imc.variant is power10: scales and offsets are those of the "
     "other"},
    {"ONE_EVENT", kPower10, ", variant: power10, threads: 2", "event_mask: 0x0402010002000000",
     kCore,
     "imc_driver.event_mask: ONE_EVENT gives all windows to one slot of one thread: its counts "
     "come "
     "out 256 times as large, all others are zero"},
    {"POWER9 has no ONE_EVENT", kPower9, "", "event_mask: 0x0402010002000000", kCore, nullptr},
    {"ONE_EVENT without counts", kPower10, ", variant: power10", "event_mask: 0x0402010002000000",
     kTrace, nullptr},
    {"BUFFERSIZE 0", kPower9, "", "trace_scom: 0x7FFFFFC142020000", kTrace, nullptr},
    {"BUFFERSIZE 3", kPower9, "", "trace_scom: 0x7FFFFFC142026000", kTrace,
     "imc_driver.trace_scom: BUFFERSIZE 3 is 2048 KiB, and the kernel's buffers have 256 KiB: "
     "records "
     "go beyond, into those of the next CPUs"},
    {"BUFFERSIZE 5 is the smallest", kPower9, "", "trace_scom: 0x7FFFFFC14202a000", kTrace,
     nullptr},
    {"BUFFERSIZE 3 without trace", kPower9, "", "trace_scom: 0x7FFFFFC142026000", kCore, nullptr},
    {"before the boot", kPower9, "", "boot_cycles: 20001", kCore,
     "imc_driver.perf.0.start_us: begins late: firmware boots at cycle 20001 "
     "(imc_driver.boot_cycles)"},
    {"with the boot", kPower9, "", "boot_cycles: 20000", kCore, nullptr},
};

// Behind the one that section perf says it now.
TEST(ImcWarnings, OfWhatSurprises)
{
    for (const Case &c : cases) {
        SCOPED_TRACE(c.name);
        const Document d =
            parse(std::string("name: t\ncatalog: ") + c.catalog + "\nimc: {cores: 1" + c.imc +
                      "}\nsoftware: {kind: imc}\nimc_driver:\n  perf: [" + c.perf + "]\n" +
                      (*c.driver ? "  " : "") + c.driver + "\n",
                  {}, CS_SOURCE_DIR "/configs/imc");

        ASSERT_TRUE(d.ok()) << d.error;
        ASSERT_EQ(d->nr_warnings, c.warning != nullptr ? 2u : 1u)
            << (d->nr_warnings > 1 ? d->warnings[1].text : "");
        if (c.warning != nullptr) {
            EXPECT_STREQ(d->warnings[1].text, c.warning);
        }
    }
}

// The NX of the catalogs lies where no row of the engine is.
TEST(ImcWarnings, ANestEventThatNobodyPostsIsWarnedOf)
{
    std::ofstream(testing::TempDir() + "/nx.dts") << R"(/dts-v1/;
/ {
    compatible = "ibm,opal-in-memory-counters";
    NX: nx-events {
        #address-cells = <1>;
        #size-cells = <1>;
        event@0 { event-name = "CYC"; reg = <0x0 8>; };
    };
    nx@3f8 {
        compatible = "ibm,imc-counters";
        type = <0x10>;
        size = <0x40000>;
        reg = <0x3f8 8>;
        events = <&NX>;
        events-prefix = "PM_NX_";
    };
};
)";
    const std::string text = "name: t\ncatalog: nx.dts\nimc: {cores: 1}\nnest: {present: true";
    const Document d =
        parse(text + "}\nsoftware: {kind: imc}\nimc_driver:\n  perf: [{pmu: nest, cpus: "
                     "[0], events: [PM_NX_CYC], start_us: 5000, stop_us: 6000}]\n",
              {}, testing::TempDir());

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_EQ(d->nr_warnings, 2u);
    EXPECT_STREQ(d->warnings[1].text, "imc_driver.perf.0.events.0: no engine posts the counter at "
                                      "0x3f8: perf counts zero");

    // One that is not at a multiple of eight cannot be read at all.
    std::ofstream(testing::TempDir() + "/odd.dts") << R"(/dts-v1/;
/ {
    compatible = "ibm,opal-in-memory-counters";
    PB: pb-events {
        #address-cells = <1>;
        #size-cells = <1>;
        event@3 { event-name = "ODD"; reg = <0x3 8>; };
    };
    powerbus0@8 {
        compatible = "ibm,imc-counters";
        type = <0x10>;
        size = <0x40000>;
        reg = <0x8 8>;
        events = <&PB>;
        events-prefix = "PM_PB_";
    };
};
)";
    const Document odd =
        parse("name: t\ncatalog: odd.dts\nimc: {cores: 1}\nnest: {present: true}\nsoftware: {kind: "
              "imc}\nimc_driver:\n  perf: [{pmu: nest, cpus: [0], events: [PM_PB_ODD], start_us: "
              "5000, stop_us: 6000}]\n",
              {}, testing::TempDir());

    ASSERT_TRUE(odd.ok()) << odd.error;
    ASSERT_EQ(odd->nr_warnings, 2u);
    EXPECT_STREQ(
        odd->warnings[1].text,
        "imc_driver.perf.0.events.0: the counter at 0xb is not at a multiple of 8: the bus "
        "refuses the read, and perf prints no count");

    const Document refused = parse(
        text + ", segments: [{events: [{event: PM_NX_CYC, rate: 1}]}]}\n", {}, testing::TempDir());
    EXPECT_NE(refused.error.find("PM_NX_CYC at 0x3f8 is posted by no engine"), std::string::npos)
        << refused.error;
}

} // namespace
