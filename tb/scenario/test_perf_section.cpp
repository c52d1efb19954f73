// SPDX-License-Identifier: Apache-2.0
// Section perf against the drivers' own lists: what is said either way is the same to the driver.
// (Messages are in bad/perf/.)
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "document.hpp"
extern "C" {
#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/iommu_hpm/iommu_driver_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/perf/perf_owner.h"
#include "scenario/pmcu/pmcu_driver_spec.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/section_list.h"
#include "scenario/uncore/uncore_driver_spec.h"
}

namespace
{

const std::string kUncore = R"(
pmcu: {clusters: 1, slots: 2}
uncore:
  bridges: [{access_cycles: 1}]
  units: [{name: mc0, extended: true}, {name: mc1, extended: true}, {name: link, extended: true}]
)";
const std::string kIommu = R"(
pmcu: {clusters: 1, slots: 2}
iommu_hpm: {units: [{name: io0, sources: [{name: a, device_id: 1}]}]}
)";
const std::string kHarts = "harts: {count: 2}\n";
const std::string kImc = "catalog: " CS_SOURCE_DIR "/configs/imc/power9_small.dts\n"
                         "imc: {cores: 2, threads: 4}\n";

std::string cpus_of(const bool cpus[])
{
    std::string result = " cpus";

    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (cpus[cpu])
            result += " " + std::to_string(cpu);
    return result;
}

std::string names_of(const char **names, size_t count)
{
    std::string result;

    for (size_t i = 0; i < count; i++)
        result += std::string(" ") + names[i];
    return result;
}

std::string uncore(const Document &d)
{
    std::ostringstream out;

    for (size_t i = 0; i < d->uncore_driver->nr_perf; i++) {
        const auto &p = d->uncore_driver->perf[i];

        out << p.partition << names_of(p.unit_names, p.nr_unit_names) << " |"
            << names_of(p.pmus, p.nr_pmus) << " | " << p.start_us << " " << p.stop_us << " "
            << p.interval_us << "\n";
        for (size_t k = 0; k < p.nr_events; k++)
            out << "  " << p.events[k].event << " " << p.events[k].group << " "
                << p.events[k].pinned << " " << p.events[k].counters << " " << p.events[k].config1
                << " " << p.events[k].config2 << "\n";
    }
    return out.str();
}

std::string iommu(const Document &d)
{
    std::ostringstream out;

    for (size_t i = 0; i < d->iommu_driver->nr_perf; i++) {
        const auto &p = d->iommu_driver->perf[i];

        out << names_of(p.unit_names, p.nr_unit_names) << " | " << p.start_us << " " << p.stop_us
            << " " << p.interval_us << "\n";
        for (size_t k = 0; k < p.nr_events; k++)
            out << "  " << p.events[k].name << " " << p.events[k].config << " " << p.events[k].group
                << " " << p.events[k].pinned << "\n";
    }
    return out.str();
}

std::string harts(const Document &d)
{
    std::ostringstream out;

    for (size_t i = 0; i < d->riscv->nr_perf; i++) {
        const auto &p = d->riscv->perf[i];

        out << names_of(p.events, p.nr_events) << cpus_of(p.cpus) << " | " << p.start_us << " "
            << p.stop_us << " " << p.interval_us << " | " << p.sample_period << " " << p.freq << " "
            << p.callchain << " | " << p.exclude_user << p.exclude_kernel << p.exclude_hv
            << p.exclude_host << p.exclude_guest << p.guest_events << p.mmapped << p.guest << "\n";
    }
    return out.str();
}

std::string imc(const Document &d)
{
    std::ostringstream out;

    for (size_t i = 0; i < d->imc_driver->nr_perf; i++) {
        const auto &p = d->imc_driver->perf[i];

        out << p.pmu << names_of(p.events, p.nr_events) << " " << p.config << cpus_of(p.cpus)
            << " | " << p.start_us << " " << p.stop_us << " " << p.interval_us << " | "
            << p.sample_period << " " << p.freq << " " << p.per_socket << p.exclude << p.task
            << p.privileged << p.inherit << "\n";
    }
    return out.str();
}

std::string arm(const Document &d)
{
    const auto &p = *d->arm_pmu;
    std::ostringstream out;

    out << int(p.command) << cpus_of(p.cpus) << " | " << p.process << " " << p.period << " "
        << p.guest << " | " << p.start_us << " " << p.stop_us << " " << p.interval_us << " |";
    for (unsigned i = 0; i < p.nr_events; i++)
        out << " " << p.events[i];
    return out.str();
}

std::string pmi(const Document &d)
{
    std::ostringstream out;

    out << d->pmi->period << " " << d->pmi->freq << " " << d->pmi->stop_us << cpus_of(d->pmi->cpus);
    return out.str();
}

std::string pmcu(const Document &d)
{
    std::ostringstream out;

    out << d->pmcu_driver->start_at_cycle << "\n";
    for (unsigned die = 0; die < d->pmcu->dies; die++) {
        const auto &p = d->pmcu_driver->programs[die];

        out << p.sccl << " " << p.runs << " " << p.cpu << " " << p.nr_user_events << " "
            << p.nr_sample << " " << p.sample_period_ticks << " " << p.pmccfiltr << " "
            << p.stop_at_cycle << "\n";
    }
    return out.str();
}

struct Pair {
    const char *perf;
    const char *driver; // without software.kind
};

unsigned former(const Document &d)
{
    unsigned n = 0;

    for (size_t i = 0; i < d->nr_warnings; i++)
        n += strstr(d->warnings[i].text, ": a former way to say what perf does") != nullptr;
    return n;
}

void expect_same(const std::string &machine, const char *kind,
                 std::string (*show)(const Document &), std::initializer_list<Pair> pairs)
{
    for (const auto &pair : pairs) {
        const std::string word = std::string("software: {kind: ") + kind + "}\n";
        const Document a = parse(machine + pair.perf);
        const Document b = parse(machine + word + pair.driver);

        ASSERT_TRUE(a.ok()) << pair.perf << "\n" << a.error;
        ASSERT_TRUE(b.ok()) << pair.driver << "\n" << b.error;
        EXPECT_EQ(a->software->kinds, b->software->kinds) << pair.perf;
        EXPECT_EQ(show(a), show(b)) << pair.perf;
        EXPECT_EQ(former(a), 0u) << pair.perf;
        // Settings of one die have no other place.
        EXPECT_EQ(former(b), strcmp(pair.driver, "pmcu_driver: {}") != 0 &&
                                 strncmp(pair.driver, "pmcu_driver: {dies", 18) != 0)
            << pair.driver;
    }
}

} // namespace

TEST(PerfSection, OnUncoreUnits)
{
    expect_same(
        kUncore, "uncore", uncore,
        {
            {"perf: [{stat: [uncore/event=1/], stop: 9us}]",
             "uncore_driver: {perf: [{stop_us: 9, events: [{event: \"uncore:1\"}]}]}"},
            {"perf: [{stat: [\"mc?/event=0x10,config1=3,config2=0xf/\"], start: 2us, stop: 1.5ms,"
             " interval: 1ms}]",
             "uncore_driver: {perf: [{units: [mc0, mc1], start_us: 2, stop_us: 1500,"
             " interval_us: 1000, events: [{event: \"uncore:16\", config1: 3, config2: 15}]}]}"},
            {"perf: [{stat: [\"{mc0/event=1/,mc0/event=2,counters=2/}\", mc0/event=3/D,"
             " \"{mc0/event=4/,mc0/event=5/}:D\"], stop: 1s}]",
             "uncore_driver: {perf: [{units: [mc0], stop_us: 1000000, events: [{event: "
             "\"uncore:1\", group: 1}, {event: \"uncore:2\", group: 1, counters: 2}, {event: "
             "\"uncore:3\", pinned: true}, {event: \"uncore:4\", group: 2, pinned: true}, {event: "
             "\"uncore:5\", group: 2, pinned: true}]}]}"},
            {"perf: [{stat: [link/event=1/, mc0/event=2/, \"link/event=3/,mc0/event=4/\"],"
             " stop: 9us}]",
             "uncore_driver: {perf: [{units: [link], stop_us: 9, events: [{event: \"uncore:1\"},"
             " {event: \"uncore:3\"}]}, {units: [mc0], stop_us: 9, events: [{event: \"uncore:2\"},"
             " {event: \"uncore:4\"}]}]}"},
            {"perf: [{stat: [uncore/event=1/], pmus: [mc1, link], stop: 9us}]",
             "uncore_driver: {perf: [{units: [mc1, link], stop_us: 9, events: [{event: "
             "\"uncore:1\"}]}]}"},
        });
}

TEST(PerfSection, OnIommus)
{
    expect_same(
        kIommu, "iommu", iommu,
        {
            {"perf: [{stat: [iommu_hpm/tlb_miss/, \"iommu_hpm/cycles/\"], stop: 9us}]",
             "iommu_driver: {perf: [{stop_us: 9, events: [{event: \"iommu_hpm:tlb_miss\"}, {event: "
             "\"iommu_hpm:cycles\"}]}]}"},
            {"perf: [{stat: [\"{io0/tlb_miss,device_id=0x101,partial/,io0/ats_trans_req/}\"],"
             " stop: 9us}]",
             "iommu_driver: {perf: [{iommus: [io0], stop_us: 9, events: [{event: "
             "\"iommu_hpm:tlb_miss\", device_id: 257, partial: true, group: 1}, {event: "
             "\"iommu_hpm:ats_trans_req\", group: 1}]}]}"},
        });
}

TEST(PerfSection, OnHarts)
{
    expect_same(
        kHarts, "none", harts,
        {
            {"perf: [{stat: [cycles, cpu/instructions/, r21, cpu/event=0x5/], stop: 2ms}]",
             "riscv: {perf: [{events: [cycles, instructions, r21, r5], stop_us: 2000}]}"},
            {"riscv: {driver: {mux_us: 100}}\n"
             "perf: [{stat: [\"cycles:D\", \"{instructions,branches}\"], cpus: 1, start: 300us,"
             " stop: 2ms, interval: 100us, mmapped: true}]",
             "riscv: {driver: {mux_us: 100}, perf: [{events: [\"cycles:D\","
             " \"{instructions,branches}\"], cpus: 1, start_us: 300, stop_us: 2000,"
             " interval_us: 100, mmapped: true}]}"},
            {"perf: [{record: [cycles], period: 50000, callchain: true, exclude: [kernel],"
             " stop: 2ms}]",
             "riscv: {perf: [{events: [cycles], sample_period: 50000, callchain: true,"
             " exclude_kernel: true, stop_us: 2000}]}"},
            {"perf: [{record: [\"cycles:u\"], stop: 2ms}]",
             "riscv: {perf: [{events: [cycles], freq: 4000, exclude_kernel: true,"
             " exclude_hv: true, stop_us: 2000}]}"},
            {"perf: [{record: [cycles, \"branches:k\", \"instructions:GD\"], freq: 100,"
             " stop: 2ms}]\n"
             "riscv: {driver: {mux_us: 100}}",
             "riscv: {driver: {mux_us: 100}, perf: [{events: [cycles], freq: 100, stop_us: 2000},"
             " {events: [branches], freq: 100, exclude_user: true, exclude_hv: true,"
             " stop_us: 2000}, {events: [\"instructions:D\"], freq: 100, exclude_host: true,"
             " stop_us: 2000}]}"},
        });
}

TEST(PerfSection, OnArmCores)
{
    expect_same("pmcu: {clusters: 1, slots: 2}\n", "arm_pmu", arm,
                {
                    {"perf: [{stat: [cycles, inst_retired, r4, armv8_pmuv3/event=0x12/], cpus: 1,"
                     " interval: 1ms, start: 1ms, stop: 9ms}]",
                     "arm_pmu: {events: [CPU_CYCLES, INST_RETIRED, 4, 0x12], cpus: 1,"
                     " interval_us: 1000, start_us: 1000, stop_us: 9000}"},
                    {"perf: [{record: [branch-misses], period: 1000, guest: true, stop: 9ms}]",
                     "arm_pmu: {command: record, events: [BR_MIS_PRED], period: 1000, guest: true,"
                     " stop_us: 9000}"},
                    {"perf: [{stat: [cycles], pid: \"7\", stop: 9ms}]\narm_pmu: {mux_us: 1000}",
                     "arm_pmu: {command: task, events: [CPU_CYCLES], process: 7, stop_us: 9000}"},
                });
}

TEST(PerfSection, OnImc)
{
    expect_same(
        kImc, "imc", imc,
        {
            {"perf: [{stat: [core_imc/CPM_CS_INST/, core_imc/CPM_NON_IDLE_INST/], cpus: [0, 4],"
             " per_socket: true, interval: 1ms, start: 2us, stop: 9ms}]",
             "imc_driver: {perf: [{pmu: core, events: [CPM_CS_INST, CPM_NON_IDLE_INST],"
             " cpus: [0, 4], per_socket: true, interval_us: 1000, start_us: 2, stop_us: 9000}]}"},
            {"perf: [{record: [trace_imc/trace_cycles/], cpus: all, period: 1, stop: 9ms}]",
             "imc_driver: {perf: [{pmu: trace, events: [trace_cycles], cpus: all,"
             " sample_period: 1, stop_us: 9000}]}"},
            {"perf: [{record: [trace_imc/trace_cycles/], cpus: \"0-3\", stop: 9ms}]",
             "imc_driver: {perf: [{pmu: trace, events: [trace_cycles], cpus: \"0-3\","
             " freq: 4000, stop_us: 9000}]}"},
            {"perf: [{stat: [nest_mcs01_imc/PM_MCS01_128B_RD_DISP_PORT01/,"
             " nest_powerbus0_imc/PM_PB_CYC/, thread_imc/config=0x18/], cpus: 0, task: true,"
             " privileged: false, exclude: [user], stop: 9ms}]\nnest: {present: true}",
             "nest: {present: true}\n"
             "imc_driver: {perf: [{pmu: nest, events: ["
             "nest_mcs01_imc/PM_MCS01_128B_RD_DISP_PORT01, nest_powerbus0_imc/PM_PB_CYC], cpus: 0,"
             " task: true, privileged: false, exclude: true, stop_us: 9000}, {pmu: thread,"
             " config: 0x18, cpus: 0, task: true, privileged: false, exclude: true,"
             " stop_us: 9000}]}"},
        });
}

TEST(PerfSection, OnPowerCores)
{
    expect_same(
        "imc: {cores: 1}\n", "pmi", pmi,
        {
            {"perf: [{record: [cycles], cpus: \"0-1\", period: 5000, stop: 9ms}]",
             "pmi: {cpus: \"0-1\", period: 5000, stop_us: 9000}"},
            {"perf: [{record: [cpu/cycles/], stop: 9ms}]", "pmi: {freq: 4000, stop_us: 9000}"},
        });
}

TEST(PerfSection, OnPmcus)
{
    expect_same("pmcu: {clusters: 1, slots: 2}\n", "pmcu_driver", pmcu,
                {
                    {"perf: [{record: [\"hisi_pmcu_sccl0/nr_sample=9,sample_period_ms=2/\"],"
                     " start: 7us, stop: 9ms}]",
                     "pmcu_driver: {nr_sample: 9, sample_period_ms: 2, start_at_cycle: 7000,"
                     " stop_at_cycle: 9000000}"},
                    {"perf: [{record: [hisi_pmcu_sccl*//]}]", "pmcu_driver: {}"},
                });
    expect_same(
        "pmcu: {dies: 3, clusters: 1, slots: 2}\n", "pmcu_driver", pmcu,
        {
            {"perf: [{record: [hisi_pmcu_sccl*/nr_sample=9/]}]", "pmcu_driver: {nr_sample: 9}"},
            {"perf: [{record: [hisi_pmcu_sccl1/nr_sample=9/, hisi_pmcu_sccl2//]}]",
             "pmcu_driver: {dies: [{sccl: 1, nr_sample: 9}, {sccl: 2}]}"},
            {"pmcu_driver: {dies: [{sccl: 1, cpu: 0, user_events: \"08 04\"}]}\n"
             "perf: [{record: [\"hisi_pmcu_sccl?/nr_sample=9,pmccfiltr=8/\"]}]",
             "pmcu_driver: {nr_sample: 9, pmccfiltr: 8, dies: [{sccl: 0}, {sccl: 2},"
             " {sccl: 1, cpu: 0, user_events: \"08 04\"}]}"},
        });
}

// A path goes into the terms of an event, also where a way has it.
TEST(PerfSection, TermsThatAreSet)
{
    const std::string machine = "pmcu: {clusters: 1, slots: 2}\n";
    const std::string terms =
        "perf: [{record: [\"hisi_pmcu_sccl0/nr_sample=9,sample_period_ms=2/\"]}]";
    const auto text_of = [](const Document &d, const char *text) {
        return d.ok() && std::string(d->yaml).find(text) != std::string::npos;
    };
    const struct {
        const char *set, *text;
    } cases[] = {
        {"perf.0.record.0.nr_sample=10", "hisi_pmcu_sccl0/nr_sample=10,sample_period_ms=2/"},
        {"perf.0.record.0.sample_period_ms=1", "hisi_pmcu_sccl0/nr_sample=9,sample_period_ms=1/"},
        {"perf.0.record.0.pmccfiltr=8", "/nr_sample=9,sample_period_ms=2,pmccfiltr=8/"},
    };

    for (const auto &c : cases)
        EXPECT_TRUE(text_of(parse(machine + terms, {c.set}), c.text)) << c.set;
    EXPECT_TRUE(text_of(parse(machine + "ways: [{name: a, text: a, set: {" + terms +
                                  "}}, {name: b, text: b, set: {}}]",
                              {"ways.0.set.perf.0.record.0.nr_sample=10"}),
                        "hisi_pmcu_sccl0/nr_sample=10,sample_period_ms=2/"));
    EXPECT_TRUE(text_of(parse(kUncore + "perf: [{stat: [uncore/event=1/D], stop: 9us}]",
                              {"perf.0.stat.0.config1=3"}),
                        "uncore/event=1,config1=3/D"));
    for (const char *set : {"perf.0.stop.x=1", "perf.0.stat.0.event=1", "perf.0.stat.1.event=1"})
        EXPECT_FALSE(parse(kUncore + "perf: [{stat: [\"{mc0/event=1/,mc0/event=2/}\"],"
                                     " stop: 9us}]",
                           {set})
                         .ok())
            << set;
}

// One command on two kinds of PMU: each driver has its part, and both run.
TEST(PerfSection, OfSeveralDrivers)
{
    const Document d = parse(kUncore + "perf: [{stat: [mc0/event=1/, cycles], stop: 9us}]");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->software->kinds,
              CS_SOFTWARE_BIT(CS_SOFTWARE_uncore_driver) | CS_SOFTWARE_BIT(CS_SOFTWARE_arm_pmu));
    EXPECT_EQ(d->uncore_driver->nr_perf, 1u);
    EXPECT_EQ(d->arm_pmu->nr_events, 1u);
}

// The text that a run keeps has the section as it was written, and means the same.
TEST(PerfSection, IsKeptAsWritten)
{
    const Document d =
        parse(kUncore + "perf: [{stat: [mc0/event=1/], stop: 9us}]", {"perf.0.stop=8us", "seed=3"});

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(std::string(d->yaml).find("uncore_driver"), std::string::npos) << d->yaml;
    const Document again = parse(d->yaml);
    ASSERT_TRUE(again.ok()) << d->yaml << "\n" << again.error;
    EXPECT_EQ(uncore(again), uncore(d));
    EXPECT_EQ(d->uncore_driver->perf[0].stop_us, 8u);
}

TEST(PerfSection, EventsThatAreNotThereHaveANeighbour)
{
    const struct {
        std::string machine;
        const char *event, *says;
    } cases[] = {
        {kUncore, "instrutions",
         "armv8_pmuv3 has no event instrutions; did you mean instructions?"},
        {kUncore, "armv8_pmuv3/inst_retird/",
         "armv8_pmuv3 has no event inst_retird; did you mean inst_retired?"},
        {kUncore, "armv8_pmuv3/quux/", "armv8_pmuv3 has no event quux"},
        {kImc, "core_imc/CPM_CS_INSTT/",
         "core_imc has no event CPM_CS_INSTT; did you mean CPM_CS_INST?"},
        {kHarts, "cpu/LLC-load-mises/",
         "there is no event LLC-load-mises; did you mean LLC-load-misses?"},
        {kIommu, "iommu_hpm/tlb_mis/",
         "there is no event iommu_hpm:tlb_mis; did you mean iommu_hpm:tlb_miss?"},
    };

    for (const auto &c : cases) {
        const std::string command = std::string("perf: [{stat: [") + c.event + "], stop: 9ms}]";
        const Document d = parse(c.machine + command);
        const std::string says = std::string("perf.0.stat.0: ") + c.says;

        EXPECT_NE((d.error + "\n").find(says + "\n"), std::string::npos) << d.error;
    }
}

// What `list --perf` says that there is.
TEST(PerfSection, EveryListedEventIsTaken)
{
    unsigned events = 0;

    for (const std::string &machine : {kUncore, kIommu, kHarts, kImc + "nest: {present: true}\n"}) {
        const Document of = parse(machine + "software: {kind: none}\n");

        ASSERT_TRUE(of.ok()) << of.error;
        for (size_t i = 0; i < cs_nr_sections; i++) {
            const cs_perf_owner *owner = cs_sections[i].section->perf;
            const bool record = owner != nullptr && std::string(owner->of) == "a POWER core";
            const std::string command =
                record ? "perf: [{stop: 9ms, record: [" : "perf: [{stop: 9ms, stat: [";

            for (size_t pmu = 0; owner != nullptr && owner->event != nullptr &&
                                 owner->pmu(of.scenario.get(), pmu) != nullptr;
                 pmu++)
                for (size_t k = 0; owner->event(of.scenario.get(), pmu, k) != nullptr; k++) {
                    const std::string event = std::string(owner->pmu(of.scenario.get(), pmu)) +
                                              "/" + owner->event(of.scenario.get(), pmu, k) + "/";
                    const Document d = parse(machine + command + event + "]}]");

                    EXPECT_EQ(d.error.find(" no event "), std::string::npos) << event << d.error;
                    EXPECT_EQ(d.error.find(" no PMU "), std::string::npos) << event << d.error;
                    EXPECT_EQ(d.error.find("found "), std::string::npos) << event << d.error;
                    events++;
                }
        }
    }
    EXPECT_GT(events, 500u);
}

// One warning, however many old keys there are.
TEST(PerfSection, OldKeysAreWarnedOfOnce)
{
    const Document d = parse(kUncore + "software: {kind: [pmcu_driver, uncore]}\n"
                                       "pmcu_driver: {nr_sample: 9, pmccfiltr: 8}\n"
                                       "uncore_driver: {perf: [{stop_us: 9, events: [{event: "
                                       "\"uncore:1\"}]}]}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(former(d), 1u);
    EXPECT_STREQ(d->warnings[0].text,
                 "pmcu_driver.nr_sample: a former way to say what perf does; now a command of "
                 "section perf says it (docs/drivers/perf_language.md)");
}

// What a driver finds out later is said of what a person wrote.
TEST(PerfSection, LaterMessagesHaveItsPath)
{
    const Document d = parse("pmcu: {clusters: 1, slots: 2}\n"
                             "uncore: {bridges: [{}], units: [{name: mc0, counters: 1}]}\n"
                             "perf:\n"
                             "  - stat: [\"{mc0/event=1/,mc0/event=2/}\"]\n"
                             "    stop: 9us\n");

    EXPECT_EQ(d.error.rfind("t.yaml:4:12: perf.0.stat.0: group 1 has no place", 0), 0u) << d.error;
}
