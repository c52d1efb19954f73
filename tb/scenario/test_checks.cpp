// SPDX-License-Identifier: Apache-2.0
// What several keys say together. (One example of each kind of error with its place is
// in bad/; here are the edges.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "document.hpp"
extern "C" {
#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/tell.h"
}

namespace
{

struct Case {
    const char *text;
    const char *error; // "" where it is allowed
};

void check(std::initializer_list<Case> cases)
{
    for (const auto &c : cases) {
        const Document d = parse(c.text);

        if (c.error[0] == '\0')
            EXPECT_TRUE(d.ok()) << c.text << ": " << d.error;
        else
            EXPECT_NE(d.error.find(c.error), std::string::npos) << c.text << ": " << d.error;
    }
}

std::vector<std::string> warnings(const std::string &text)
{
    const Document d = parse(text);
    std::vector<std::string> result;

    EXPECT_TRUE(d.ok()) << d.error;
    for (size_t i = 0; d.ok() && i < d->nr_warnings; i++)
        result.push_back(std::to_string(d->warnings[i].line) + ":" +
                         std::to_string(d->warnings[i].column) + ": " + d->warnings[i].text);
    return result;
}

std::string printed(const std::function<void(FILE *)> &print)
{
    char *text = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    print(out);
    fclose(out);
    const std::string result(text);
    free(text);
    return result;
}

// What a run tells of the scenario.
std::string told(const std::string &text)
{
    const Document d = parse(text);

    return d.ok() ? printed([&](FILE *out) { cs_scenario_tell(d.scenario.get(), out); }) : d.error;
}

} // namespace

TEST(Checks, Clocks)
{
    check({
        {"bus: {clock_mhz: 100}\ncorepmu: {clock_mhz: 2600}", ""}, // a debug bus
        {"bus: {clock_mhz: 50}\ncorepmu: {clock_mhz: 10000}", ""},
        {"bus: {clock_mhz: 50}\ncorepmu: {clock_mhz: 750}\nimc: {cores: 1, timebase_mhz: "
         "32}\npmcu: {clusters: 1}",
         ""},
        {"bus: {clock_mhz: 50}\ncorepmu: {clock_mhz: 751}\nimc: {cores: 1, timebase_mhz: "
         "32}\npmcu: {clusters: 1}",
         "corepmu.clock_mhz: 751 is more than 15"},
        {"bus: {clock_mhz: 800}", ""},
        {"bus: {clock_mhz: 10000}", ""},
        {"bus: {clock_mhz: 125}\npmcu: {tick_cycles: 3}\ncorepmu: {clock_mhz: 1000}", ""},
        {"bus: {clock_mhz: 300}\npmcu: {tick_cycles: 6}", "does not divide 500000"},
    });
}

TEST(Checks, Windows)
{
    check({
        {"memory: {base: 0x0fff0000, size: 64 KiB}\npmcu_driver: {aux_base: 0x0fff0000, "
         "aux_buffers: 1, aux_buffer_bytes: 4 KiB}",
         ""},
        {"memory: {base: 0x0fff0000, size: 0x11000}", "overlaps the registers of the PMCU"},
        {"memory: {base: 0x1000f000, size: 64 KiB}", "overlaps the registers of the PMCU"},
        {"memory: {base: 0x20400000}", ""},
        {"memory: {base: 0x203ff000}", "overlaps the registers of the cores"},
        {"memory: {base: 0x20300000}\npmcu: {clusters: 3}", ""},
        {"memory: {base: 0xfffffffffffff000, size: 4096}",
         "pmcu_driver.aux_base: the AUX buffers, 0x1000000 bytes"},
        {"memory: {base: 0xfffffffffffff000, size: 8192}", "ends beyond 2^64"},
        {"memory: {regions: [{base: 0xffffffffffffffff, size: 1, rights: ro}]}", ""},
        {"memory: {regions: [{base: 0xffffffffffffffff, size: 2, rights: ro}]}",
         "memory.regions.0.size: the region ends beyond"},
        {"memory: {faults: [{base: 8, size: 0xffffffffffffffff}]}",
         "memory.faults.0.size: the range ends beyond"},
    });
}

TEST(Checks, StallsThatAddUp)
{
    const std::string one = "{base: 0, size: 4, action: stall, stall_cycles: 32767}";

    EXPECT_TRUE(parse("memory: {faults: [" + one + "," + one + "]}").ok());
    EXPECT_NE(
        parse("memory: {faults: [" + one + "," + one + "," + one + "]}")
            .error.find("memory.faults.2.stall_cycles: the stalls up to here add up to 98301"),
        std::string::npos);
}

TEST(Checks, DriverMemory)
{
    const std::string small = "pmcu: {clusters: 1, slots: 1}\nmemory: {size: 64 KiB}\n";

    check({
        {"pmcu_driver: {aux_base: 0x80000000, data_base: 0x81000000}", ""},
        {"pmcu_driver: {aux_base: 0x80000000, data_base: 0x80fff000}", "overlap the AUX buffers"},
        {"pmcu_driver: {aux_base: 0x80000000, data_base: 0x80fffff8}", "overlap the AUX buffers"},
        {"pmcu_driver: {aux_base: 0x80002000, data_base: 0x80001000}", ""},
        {"pmcu_driver: {aux_base: 0x80002000, data_base: 0x80001008}", "overlap the AUX buffers"},
        {"pmcu_driver: {aux_base: 0x7ffff000}", "pmcu_driver.aux_base: the AUX buffers"},
        {"pmcu_driver: {aux_base: 0xbf000000}", ""},
        {"pmcu_driver: {aux_base: 0xbf001000}", "pmcu_driver.aux_base: the AUX buffers"},
        {"pmcu_driver: {data_base: 0xbffff000}", ""},
        {"pmcu_driver: {data_base: 0xbffff008}", "pmcu_driver.data_base: the driver's data"},
        {"pmcu_driver: {aux_buffers: 4096, aux_buffer_bytes: 1 GiB}",
         "pmcu_driver.aux_base: the AUX"},
    });

    // Header 28 + 8 * 4 = 60, rounded to 64; a sample of one group 10 * 8 * 50.4 CPUs:
    // with 2 x 8 CPUs 1280, of 3 groups 3840.
    const std::string aux =
        "pmcu: {clusters: 2, slots: 8}\npmcu_driver: {aux_buffer_bytes: 4 KiB, ";
    EXPECT_TRUE(parse(aux + "user_events: 0-17}").ok()); // 128 + 3840
    EXPECT_NE(parse(aux + "user_events: 0-18}").error.find("less than the 5280 bytes of header"),
              std::string::npos);
    EXPECT_TRUE(parse(aux + "user_events: ''}").ok());
}

TEST(Checks, Cpus)
{
    check({
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {cpu: 1}", ""},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {cpu: 2}", "software.cpu: 2 is outside"},
        {"corepmu: {offline: 0}", "software.cpu: CPU 0 is offline"},
        {"corepmu: {absent: [0]}", "software.cpu: CPU 0 is absent"},
        {"corepmu: {locked: all}", ""},
        {"corepmu: {offline: 32}", "corepmu.offline: 32 is outside the CPUs 0..31"},
        {"corepmu: {offline: 5-3}", "corepmu.offline: 5-3 is outside"},
        {"corepmu: {offline: [x]}", "corepmu.offline: \"x\" is not a CPU number"},
        {"corepmu: {offline: '1-'}", "is not a CPU number"},
        {"corepmu: {absent: [3]}\nworkloads: [{cpus: [3], segments: [{}]}]",
         "workloads.0.cpus: CPU 3 is absent"},
        {"corepmu: {absent: [3]}\nworkloads: [{cpus: all, segments: [{}]}]", ""},
        {"corepmu: {offline: [3]}\nworkloads: [{cpus: [3], segments: [{}]}]", ""},
        {"workloads: [{segments: [{}]}, {segments: [{}]}]", "workloads.1.cpus: CPU 0 runs"},
    });
}

TEST(Checks, Segments)
{
    check({
        {"workloads: [{segments: [{}]}]", ""},
        {"workloads: [{segments: [{cycles: 5}, {}]}]",
         "workloads.0.segments.1.cycles: missing; only an only segment"},
        {"workloads: [{segments: [{cycles: 0x80000000000000}, {cycles: 0x80000000000000}]}]", ""},
        {"workloads: [{segments: [{cycles: 0x80000000000000}, {cycles: 0x80000000000001}]}]",
         "longer than 2^56 cycles"},
        {"handler: {functions: [{name: a, base: 0, size: 4, weight: 0}]}",
         "handler.functions: the weights of all functions are 0"},
        {"handler: {functions: [{name: a, base: 0xfffffffffffffffc, size: 4}]}", ""},
        {"handler: {functions: [{name: a, base: 0xfffffffffffffffc, size: 8}]}",
         "handler.functions.0.size: the function ends beyond 2^64"},
    });
}

TEST(Checks, Streams)
{
    const std::string head =
        "bus: {clock_mhz: 100}\ncorepmu: {clock_mhz: 1000}\nhandler: {events: [";
    const struct {
        const char *events, *error;
    } cases[] = {
        {"{event: 8, rate: 25.5}", ""},
        {"{event: 8, rate: 25.500000000001}", "handler.events.0.rate: more than 255 counts"},
        {"{event: 8, kind: random, rate: 25.5, max_increment: 255}", ""},
        {"{event: 8, kind: random, rate: 1.500000000001}", "rate: more than 15 counts"},
        {"{event: 8, kind: periodic, period_cycles: 1, increment: 255}", ""},
        {"{event: 8, kind: random, rate: 0.4, max_increment: 4}", ""},
        {"{event: 8, kind: random, rate: 0.5, max_increment: 4}", "more than 4 counts"},
        {"{event: 8, kind: bursts, rate: 1, period_cycles: 5, length_cycles: 5}", ""},
        {"{event: 8, kind: bursts, rate: 1, period_cycles: 5, length_cycles: 6}",
         "length_cycles: 6 is more than period_cycles 5"},
        {"{event: 8, kind: spread, rate: 0, rate_high: 1}", "rate: 0; the lowest mean"},
        {"{event: 8, kind: spread, rate: 0.5, rate_high: 0.5}", ""},
        {"{event: 8, kind: spread, rate: 0.5, rate_high: 0.4}", "rate_high: less than rate"},
        {"{event: 8, kind: spread, rate: 0.5, rate_high: 1.6}", "rate_high: more than 15"},
        {"{event: 8, rate: 1}, {event: 8, rate: 1}",
         "handler.events.1.event: 0x8 has a stream already, in line 3"},
        {"{event: 0-9, rate: 1}, {event: 9-12, rate: 1}", "0x9 has a stream already"},
        {"{event: 0-9, rate: 1}, {event: 9, rate: 1}", ""}, // one alone goes before a range
        {"{event: 9-3, rate: 1}", "the range 9-3 ends before it begins"},
        {"{event: 8, kind: ratio, of: 9, rate: 1}", "of: event 0x9 does not count"},
        {"{event: 8, kind: ratio, of: CPU_CYCLES, rate: 1}", ""},
        {"{event: 8, kind: ratio, of: 8, rate: 1}", "the ratio follows itself"},
        {"{event: 8, kind: ratio, of: 9, rate: 1}, {event: 9, kind: ratio, of: 8, rate: 1}",
         "the ratio follows itself"},
        {"{event: 8, kind: ratio, of: 9, rate: 256}, {event: 9, rate: 0.1}", "handler.events.0: "},
        {"{event: 8, rate: 1e-3}", "is not a decimal number"},
        {"{event: 8, rate: .5}", "is not a decimal number"},
        {"{event: 8, rate: 0.1234567890123}", "is not a decimal number"},
        {"{event: 8, rate: 00.5}", "is not a decimal number"},
        {"{event: 0x0-0xffff, rate: 0.1}", "at most 1000000 are allowed"},
    };

    for (const auto &c : cases) {
        const Document d = parse(head + c.events + "]}\n");

        if (c.error[0] == '\0')
            EXPECT_TRUE(d.ok()) << c.events << ": " << d.error;
        else
            EXPECT_NE(d.error.find(c.error), std::string::npos) << c.events << ": " << d.error;
    }
}

TEST(Checks, Scripts)
{
    const std::string head = "software: {kind: script}\nscript: [";

    EXPECT_TRUE(parse(head + "{write: {at: 6, value: 0xffff, size: 2}}]").ok());
    EXPECT_NE(parse(head + "{write: {at: 6, value: 0x10000, size: 2}}]")
                  .error.find("script.0.write.value: 0x10000 does not fit into 2 bytes"),
              std::string::npos);
    EXPECT_NE(parse(head + "{delay: 1}, {read: {at: 6}}]")
                  .error.find("script.1.read.at: 0x6 is not a multiple of the size 4"),
              std::string::npos);
    EXPECT_NE(parse(head + "{}]").error.find("script.0: 0 keys where exactly one"),
              std::string::npos);
}

TEST(Checks, WarningsOfWhatIsHardlyMeant)
{
    const std::string load = "workloads: [{segments: [{events: [{event: 0-15, rate: 0.1}]}]}]\n";

    EXPECT_EQ(warnings(load + "pmcu_driver: {user_events: 0-7}").size(), 0u);
    EXPECT_EQ(
        warnings(load),
        std::vector<std::string>{
            "1:1: pmcu_driver.user_events: empty; the driver triggers the PMCU with FSM_CFG 0"});
    EXPECT_EQ(
        warnings(load + "pmcu_driver: {user_events: 9 10 12}"),
        std::vector<std::string>{"2:28: pmcu_driver.user_events: 2 of 3 count nothing, the first "
                                 "is 0x10: no workload has a stream for it"});
    EXPECT_EQ(warnings(load + "corepmu: {counters: 4}\npmcu_driver: {user_events: 0-5}"),
              std::vector<std::string>{"2:21: corepmu.counters: 4 is less than the 6 that the PMCU "
                                       "uses; the others read as zero"});
    EXPECT_EQ(warnings(load + "corepmu: {counters: 4}\npmcu_driver: {user_events: 0-3}").size(),
              0u);
    EXPECT_EQ(warnings(load + "corepmu: {hpmn: 4}\npmcu_driver: {user_events: 0-5}"),
              std::vector<std::string>{"2:17: corepmu.hpmn: counters 4 to 5 belong to the second "
                                       "range, which does not count without corepmu.hpme"});
    EXPECT_EQ(
        warnings(load + "corepmu: {hpmn: 4, hpme: true}\npmcu_driver: {user_events: 0-5}").size(),
        0u);
    EXPECT_EQ(
        warnings(load + "corepmu: {hpmn: 4}\npmcu_driver: {user_events: 0-3, comp: true}"),
        std::vector<std::string>{"2:17: corepmu.hpmn: 4 is more than 3: the driver will refuse "
                                 "compatibility mode and run in normal mode"});
    EXPECT_EQ(
        warnings(load + "corepmu: {hpmn: 3}\npmcu_driver: {user_events: 0-5, comp: true}").size(),
        0u);
    EXPECT_EQ(warnings("software: {kind: script}\nscript: [{delay: 1}]").size(), 0u);
}

// CPUs without so wide pins keep to 15, whatever makes the counts.
TEST(Checks, CountsOfOtherCpusAreNarrow)
{
    const std::string head =
        "bus: {clock_mhz: 100}\ncorepmu: {clock_mhz: 1000}\npmcu: {clusters: 1, "
        "slots: 1}\nimc: {cores: 1, timebase_mhz: 32}\nsoftware: {kind: script}\nscript: [{delay: "
        "1}]\nworkloads: [{cpus: 1, segments: [{events: [";
    const struct {
        const char *events, *error;
    } cases[] = {
        {"{event: cpmc3, rate: 1.5}", ""},
        {"{event: cpmc3, rate: 1.6}", "rate: more than 15 counts"},
        {"{event: cpmc3, kind: random, rate: 1, max_increment: 16}",
         "max_increment: 16 is more than the 15"},
        {"{event: cpmc3, kind: periodic, period_cycles: 9, increment: 16}",
         "increment: 16 is more than the 15"},
        {"{event: cpmc3, kind: ratio, of: \"cpmc1:5\", rate: 16}, {event: \"cpmc1:5\", rate: 0.1}",
         "up to 16 in a bus cycle; at most 15 can count"},
    };

    for (const auto &c : cases) {
        const Document d = parse(head + c.events + "]}]}]\n");

        if (c.error[0] == '\0')
            EXPECT_TRUE(d.ok()) << c.events << ": " << d.error;
        else
            EXPECT_NE(d.error.find(c.error), std::string::npos) << c.events << ": " << d.error;
    }
}

TEST(Checks, Wfi)
{
    check({
        {"workloads: [{segments: [{cycles: 10, wfi: true}, {cycles: 5}]}]", ""},
        {"workloads: [{segments: [{wfi: true, events: [{event: 8, rate: 1}]}]}]",
         "workloads.0.segments.0.events: not allowed beside wfi"},
        {"pmcu: {clusters: 1}\nimc: {cores: 1}\nworkloads: [{cpus: 8, segments: [{wfi: true}]}]",
         "workloads.0.segments.0.wfi: CPU 8 is"},
    });
}

// As check, of rows whose text is made.
static void check_made(const std::vector<std::pair<std::string, std::string>> &rows)
{
    for (const auto &[yaml, error] : rows) {
        const Document d = parse(yaml + "\n");

        if (error.empty())
            EXPECT_TRUE(d.ok()) << yaml << ": " << d.error;
        else
            EXPECT_NE(d.error.find(error), std::string::npos) << yaml << ": " << d.error;
    }
}

TEST(Checks, InterruptsOff)
{
    const std::string hart = "harts: {count: 1}\nworkloads: [{cpus: 0, segments: ";

    check_made({
        {hart + "[{cycles: 9, mode: s, irqs_off: true}, {cycles: 5}]}]", ""},
        {hart + "[{cycles: 9, mode: s, irqs_off: true}, {cycles: 5, mode: s, irqs_off: true}]}]",
         "workloads.0.segments.0.irqs_off: all segments are so"},
        {hart + "[{cycles: 9, mode: u, irqs_off: true}, {cycles: 5}]}]",
         "workloads.0.segments.0.irqs_off: only the kernel's code (mode s)"},
        {hart + "[{cycles: 9, mode: vs, irqs_off: true}, {cycles: 5}]}]", "only the kernel's code"},
        {"pmcu: {clusters: 1}\nworkloads: [{segments: [{cycles: 9, irqs_off: true}, {cycles: 5}]}]",
         "irqs_off: CPU 0 is"},
        {"harts: {count: 1}\nhandler: {irqs_off: true}", "handler.irqs_off: software has them off"},
    });
}

TEST(Checks, SoftwareEvents)
{
    const std::string hart = "harts: {count: 1}\nriscv: ";

    check_made({
        {hart + "{driver: {sse: true}}", ""},
        {hart + "{driver: {sse: true}, firmware: {sse: false}}", ""},
        {hart + "{driver: {sse: true}, firmware: {version: v2}}", ""},
        {hart + "{firmware: {sse: true, version: v2}}",
         "riscv.firmware.sse: software events need form ratified and version v3"},
        {hart + "{firmware: {sse: true, deviations: [opensbi_1_6]}}", "need form ratified"},
        {hart + "{driver: {sse: true, kind: legacy}}", "riscv.driver.sse: needs kind sbi"},
        {hart + "{driver: {sse: true}, has_guest: true}", "not allowed beside riscv.has_guest"},
        {hart + "{guest: {sse: true}, has_guest: true}", "riscv.guest.sse: a guest's calls"},
        {"harts: {count: 1}\nworkloads: [{cpus: 0, segments: [{mode: m}]}]\nriscv: {driver: {sse: "
         "true}}",
         "riscv.driver.sse: not allowed beside workloads.0.segments.0"},
    });
}

TEST(Checks, UnitsBehindSbi)
{
    const std::string units =
        "harts: {count: 1}\nuncore: {bridges: [{}], units: [{name: l3}, {name: "
        "ddr}]}\nriscv: ";

    check_made({
        {units + "{firmware: {units: [l3, ddr]}, perf: [{events: [\"ddr:7\"], stop_us: 200}]}", ""},
        {units + "{firmware: {units: [l4]}}",
         "riscv.firmware.units.0: there is no unit l4 in uncore.units; did you mean l3?"},
        {units + "{firmware: {units: [l3, l3]}}", "riscv.firmware.units.1: l3 stands there twice"},
        {units + "{firmware: {units: [l3], form: proposal_v3}}",
         "needs riscv.firmware.form ratified"},
        {units + "{firmware: {units: [l3]}, perf: [{events: ['l3:1'], stop_us: 200, "
                 "sample_period: 1000}]}",
         "riscv.perf.0.events.0: l3:1 cannot be sampled: a unit behind SBI has no overflow"},
        {units + "{firmware: {units: [l3]}, perf: [{events: [\"ddr:7\"], stop_us: 200}]}",
         "riscv.perf.0.events.0: there is no event ddr:7"},
    });
}

TEST(Checks, HowACounterIsFound)
{
    const std::string ratified = "harts: {count: 1}\nriscv: {driver: ",
                      proposal = "harts: {count: 1}\nriscv: {firmware: {form: proposal_v3";

    check_made({
        {ratified + "{find: all}}", ""},
        {ratified + "{find: each}}", "riscv.driver.find: SET_EVENT is the proposal's"},
        {ratified + "{kind: base, find: all}}", "only the kinds sbi and v3 ask"},
        {"harts: {count: 1}\nriscv: {firmware: {set_event: mask}}",
         "riscv.firmware.set_event: SET_EVENT is the proposal's"},
        {proposal + ", set_event: mask}}", ""},
        {proposal + ", set_event: boolean}, driver: {find: each}}", ""},
        {proposal + "}, driver: {find: free}}", ""},
        {proposal + "}, driver: {find: mask}}",
         "riscv.driver.find: needs riscv.firmware.set_event"},
        {proposal + "}, driver: {find: boolean}}", "needs riscv.firmware.set_event boolean"},
        {proposal + "}, driver: {find: all}}", "leaves who has which counter to the driver"},
        {proposal + "}, driver: {find: fre}}", "riscv.driver.find: "},
    });
}

// What the driver gets decides, not what it asks for.
TEST(Checks, ARefusedCompIsNormalMode)
{
    const std::string load = "workloads: [{segments: [{events: [{event: 0-15, rate: 0.1}]}]}]\n";
    const std::string asked = "pmcu_driver: {user_events: 0-7, comp: true";
    const auto found = warnings(load + "corepmu: {hpmn: 4}\n" + asked + "}");

    ASSERT_EQ(found.size(), 2u);
    EXPECT_NE(found[0].find("will refuse compatibility mode"), std::string::npos);
    EXPECT_NE(found[1].find("counters 4 to 7 belong to the second range"), std::string::npos);

    // 8 events in one group of 8, not in two of 5; a sample of normal mode has cycles.
    const std::string given = load + asked + "}\ncorepmu: {hpmn: 3}";
    const std::string refused = load + asked + "}\ncorepmu: {hpmn: 4}";
    EXPECT_NE(told(given).find("compatibility mode"), std::string::npos);
    EXPECT_EQ(told(refused).find("compatibility mode"), std::string::npos);
    EXPECT_EQ(cs_scenario_least_cycles(parse(given).scenario.get()),
              2 * cs_scenario_least_cycles(parse(refused).scenario.get()));
    const std::string small = ", aux_buffer_bytes: 4 KiB}";
    const std::string die = "pmcu: {clusters: 6}\n"; // 48 slots: 2304 bytes a comp subsample, 3840
    EXPECT_NE(
        parse(load + die + "corepmu: {hpmn: 3}\npmcu_driver: {user_events: 0-9, comp: true" + small)
            .error.find("4096 is less than the 4688 bytes"),
        std::string::npos);
    EXPECT_NE(
        parse(load + die + "corepmu: {hpmn: 4}\npmcu_driver: {user_events: 0-9, comp: true" + small)
            .error.find("4096 is less than the 7776 bytes"),
        std::string::npos);
}

// As the published driver does: where MDCR_EL2.HPMN leaves it counters from 3 on.
TEST(Checks, TheDriverChoosesCompatibilityModeByItself)
{
    const std::string load = "workloads: [{segments: [{events: [{event: 0-15, rate: 0.1}]}]}]\n";
    const struct {
        const char *corepmu, *driver;
        bool comp;
    } cases[] = {
        {"hpmn: 3", "", true},      {"hpmn: 0", "", true},
        {"hpmn: 4", "", false},     {"counters: 3", "", false}, // all are the first range
        {"counters: 8", "", false}, {"hpmn: 3", ", comp: false", false},
    };

    for (const auto &c : cases)
        EXPECT_EQ(told(load + "corepmu: {" + c.corepmu + "}\npmcu_driver: {user_events: 0-1" +
                       c.driver + "}")
                          .find("compatibility mode") != std::string::npos,
                  c.comp)
            << c.corepmu << c.driver;
}

// docs/drivers/software_way.md, "Costs": nobody's software is free unless it is asked for.
TEST(Checks, AllSoftwarePaysForItsInterrupts)
{
    const struct {
        const char *software;
        unsigned entry, exit;
    } cases[] = {{"", 300, 350}, {"software: {irq_entry_cycles: 0, irq_exit_cycles: 7}\n", 0, 7}};

    for (const auto &c : cases) {
        const Document d = parse(std::string(c.software) + "pmcu_driver: {user_events: 8}");

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->software->irq_entry_cycles, c.entry);
        EXPECT_EQ(d->software->irq_exit_cycles, c.exit);
        EXPECT_EQ(d->arm_pmu->irq_entry_cycles, c.entry);
        EXPECT_EQ(d->arm_pmu->irq_exit_cycles, c.exit);
        EXPECT_EQ(d->pmcu_driver->perf_wakeup_cycles, 3000u);
        EXPECT_EQ(d->pmcu_driver->perf_kib_cycles, 500u);
    }
}

TEST(Checks, LanesThatGainNothing)
{
    const std::string head = "software: {kind: script}\nscript: [{delay: 1}]\n";
    const auto many =
        warnings(head + "pmcu: {clusters: 2, lanes: 4}\nbus: {arbitration: per_target}");

    ASSERT_EQ(many.size(), 1u);
    EXPECT_NE(many[0].find("pmcu.lanes: 4 is more than the 2 clusters"), std::string::npos);
    EXPECT_EQ(warnings(head + "pmcu: {clusters: 4, lanes: 4}").size(), 0u);
    const std::string turns = "PMCU 4 lanes that take turns (the bus is shared)";
    EXPECT_NE(told(head + "pmcu: {lanes: 4}").find(turns), std::string::npos);
    EXPECT_EQ(told(head + "pmcu: {lanes: 4}\nbus: {arbitration: per_target}").find(turns),
              std::string::npos);
    EXPECT_EQ(told(head + "pmcu: {lanes: 1}").find("turns"), std::string::npos);
}

// Of a key in the file the file, of one by --set that; never 0:0.
TEST(Checks, WarningsNameTheirPlace)
{
    const std::string text =
        "software: {kind: script}\nscript: [{delay: 1}]\npmcu: {clusters: 1, lanes: 2}\n";
    const Document of_file = parse(text), of_set = parse(text, {"pmcu.lanes=3"});

    ASSERT_EQ(of_file->nr_warnings, 1u);
    EXPECT_STREQ(of_file->warnings[0].where, "t.yaml");
    EXPECT_EQ(of_file->warnings[0].line, 3u);
    ASSERT_EQ(of_set->nr_warnings, 1u);
    EXPECT_STREQ(of_set->warnings[0].where, "--set pmcu.lanes=3");
    EXPECT_EQ(of_set->warnings[0].line, 0u);

    EXPECT_EQ(printed([&](FILE *out) { cs_scenario_tell_warnings(of_set.scenario.get(), out); }),
              "warning: --set pmcu.lanes=3: pmcu.lanes: 3 is more than the 1 clusters; the other "
              "lanes do nothing\n");
}
