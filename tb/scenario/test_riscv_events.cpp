// SPDX-License-Identifier: Apache-2.0
// What perf calls the events of RISC-V harts: every name, every form, and what is suggested for one that is none.
#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_spec.h"
#include <countersink/formats/riscv/read/pmu_map.h>
}

#include "document.hpp"

namespace
{

constexpr uint64_t kFirmware = 0x8000000000000000; // raw, [63:62] = 2

// "type:config"; "-": there is no such event.
std::string perf(const std::string &name, bool proposal = false)
{
    cs_riscv_perf_config config = {};

    if (!cs_riscv_perf_event_number(name.c_str(), proposal, &config, nullptr))
        return "-";
    return std::to_string(config.type) + ":" + std::to_string(config.config);
}

std::string raw(uint64_t config)
{
    return "4:" + std::to_string(config);
}

std::string suggested(const std::string &name, bool proposal = false)
{
    cs_suggest suggest = cs_suggest_begin(name.c_str());
    cs_riscv_perf_config config = {};

    EXPECT_FALSE(cs_riscv_perf_event_number(name.c_str(), proposal, &config, &suggest)) << name;
    const char *near = cs_suggest_end(&suggest);
    return near != nullptr ? near : "-";
}

std::string firmware(const std::string &name, bool proposal)
{
    unsigned code = 0;

    if (!cs_riscv_firmware_event_number(name.c_str(), proposal, &code, nullptr))
        return "-";
    return std::to_string(code);
}

// Names of the firmware's events by their codes, as the two forms of the specification list them.
const std::vector<const char *> kRatified = {"fw_misaligned_load",
                                             "fw_misaligned_store",
                                             "fw_access_load",
                                             "fw_access_store",
                                             "fw_illegal_insn",
                                             "fw_set_timer",
                                             "fw_ipi_sent",
                                             "fw_ipi_received",
                                             "fw_fence_i_sent",
                                             "fw_fence_i_received",
                                             "fw_sfence_vma_sent",
                                             "fw_sfence_vma_received",
                                             "fw_sfence_vma_asid_sent",
                                             "fw_sfence_vma_asid_received",
                                             "fw_hfence_gvma_sent",
                                             "fw_hfence_gvma_received",
                                             "fw_hfence_gvma_vmid_sent",
                                             "fw_hfence_gvma_vmid_received",
                                             "fw_hfence_vvma_sent",
                                             "fw_hfence_vvma_received",
                                             "fw_hfence_vvma_asid_sent",
                                             "fw_hfence_vvma_asid_received"};
const std::vector<const char *> kProposal = {"fw_misaligned_load",   "fw_misaligned_store",
                                             "fw_illegal_insn",      "fw_local_set_timer",
                                             "fw_local_ipi",         "fw_local_fence_i",
                                             "fw_local_sfence_vma",  "fw_local_sfence_vma_asid",
                                             "fw_local_hfence_gvma", "fw_local_hfence_gvma_vmid",
                                             "fw_local_hfence_vvma", "fw_local_hfence_vvma_asid"};

} // namespace

// PERF_COUNT_HW_* of linux/perf_event.h.
TEST(RiscvEvents, Hardware)
{
    const std::vector<std::vector<const char *>> names = {
        {"cycles", "cpu-cycles"},
        {"instructions"},
        {"cache-references"},
        {"cache-misses"},
        {"branches", "branch-instructions"},
        {"branch-misses"},
        {"bus-cycles"},
        {"stalled-cycles-frontend"},
        {"stalled-cycles-backend"},
        {"ref-cycles"},
    };

    for (size_t i = 0; i < names.size(); i++)
        for (const char *name : names[i])
            EXPECT_EQ(perf(name), "0:" + std::to_string(i)) << name;
}

// id | op << 8 | result << 16, with PERF_COUNT_HW_CACHE_* of linux/perf_event.h.
TEST(RiscvEvents, Caches)
{
    const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
                                  "iTLB",      "branch",    "node"};
    const struct {
        const char *name;
        unsigned config;
    } parts[] = {
        {"-loads", 0x00000},       {"-stores", 0x00100},       {"-prefetches", 0x00200},
        {"-load-misses", 0x10000}, {"-store-misses", 0x10100}, {"-prefetch-misses", 0x10200},
    };

    for (unsigned id = 0; id < 7; id++)
        for (const auto &part : parts)
            EXPECT_EQ(perf(std::string(caches[id]) + part.name),
                      "3:" + std::to_string(part.config + id))
                << caches[id] << part.name;
}

TEST(RiscvEvents, Raw)
{
    const struct {
        const char *name;
        std::string expected;
    } cases[] = {
        {"r0", raw(0)},
        {"r21", raw(0x21)},
        {"rf", raw(0xf)},
        {"rABcd", raw(0xabcd)},
        {"rffffffffffffffff", raw(UINT64_MAX)},
        {"ref", raw(0xef)},
        {"r10000000000000000", "-"},
        {"r", "-"},
        {"R21", "-"},
        {"r2g", "-"},
        {"hpm:0x21", raw(0x21)},
        {"hpm:33", raw(33)},
        {"hpm:65535", raw(65535)},
        {"hpm:65536", "-"},
        {"hpm:0", "-"},
        {"hpm:", "-"},
        {"hpm:x", "-"},
        {"HPM:1", "-"},
        {"", "-"},
        {"cycle", "-"},
        {"Cycles", "-"},
        {"LLC-misses", "-"},
        {"L1-dcache-load", "-"},
        {"L1-dcache-loads-misses", "-"},
    };

    for (const auto &c : cases)
        EXPECT_EQ(perf(c.name), c.expected) << c.name;
}

TEST(RiscvEvents, NamesOfTheHartsOwn)
{
    size_t found = 0;

    for (; const cs_riscv_event *event = cs_riscv_event_at(found); found++) {
        uint32_t number = 0;

        EXPECT_EQ(perf(event->name), raw(event->encoding)) << event->name;
        EXPECT_TRUE(cs_riscv_event_number(event->name, &number));
        EXPECT_EQ(number, event->encoding) << event->name;
    }
    EXPECT_GE(found, 10u);
    EXPECT_EQ(perf("CYCLES.HART"), raw(CS_RISCV_CYCLES));
    EXPECT_EQ(perf("INST.RET"), raw(CS_RISCV_INSTRET));
    EXPECT_EQ(cs_riscv_event_named("INST.RET")->encoding, CS_RISCV_INSTRET);
}

// A segment's events: no name of perf's.
TEST(RiscvEvents, NumbersOfStreams)
{
    uint32_t number = 77;

    EXPECT_TRUE(cs_riscv_event_number("hpm:0xffff", &number));
    EXPECT_EQ(number, 0xffffu);
    for (const char *none : {"cycles", "r21", "fw_set_timer", "hpm:0x10000", "hpm:0", ""})
        EXPECT_FALSE(cs_riscv_event_number(none, &number)) << none;
    EXPECT_EQ(number, 0xffffu) << "not touched";
}

TEST(RiscvEvents, FirmwareInBothForms)
{
    const std::vector<const char *> *forms[] = {&kRatified, &kProposal};

    for (bool proposal : {false, true}) {
        for (size_t code = 0; code < forms[proposal]->size(); code++) {
            const char *name = (*forms[proposal])[code];

            EXPECT_EQ(firmware(name, proposal), std::to_string(code)) << name;
            EXPECT_EQ(perf(name, proposal), raw(kFirmware | code)) << name;
        }
        for (const char *name : *forms[!proposal]) {
            bool both = false;

            for (const char *other : *forms[proposal])
                both |= std::string(name) == other;
            EXPECT_EQ(firmware(name, proposal) == "-", !both) << name;
        }
    }
}

TEST(RiscvEvents, FirmwareByNumber)
{
    const struct {
        const char *name, *code;
    } cases[] = {{"fw:0", "0"},
                 {"fw:256", "256"},
                 {"fw:0x100", "256"},
                 {"fw:65534", "65534"},
                 {"fw:65535", "-"},
                 {"fw:", "-"},
                 {"fw:-1", "-"},
                 {"fw", "-"},
                 {"fw_", "-"},
                 {"FW:1", "-"},
                 {"fw:18446744073709551616", "-"}};

    for (bool proposal : {false, true})
        for (const auto &c : cases) {
            EXPECT_EQ(firmware(c.name, proposal), c.code) << c.name;
            EXPECT_EQ(perf(c.name, proposal),
                      *c.code == '-' ? "-" : raw(kFirmware | std::stoull(c.code)))
                << c.name;
        }
}

TEST(RiscvEvents, Suggestions)
{
    const struct {
        const char *name, *near;
    } cases[] = {
        {"cycle", "cycles"},
        {"cpu-cycle", "cpu-cycles"},
        {"branch-mises", "branch-misses"},
        {"L1-dcache-load-mises", "L1-dcache-load-misses"},
        {"LLC-prefetchs", "LLC-prefetches"},
        {"node-stroe-misses", "node-store-misses"},
        {"INST.RTE", "INST.RET"},
        {"fw_set_time", "fw_set_timer"},
        {"fw_hfence_vvma_asid_recieved", "fw_hfence_vvma_asid_received"},
        {"something-else", "-"},
    };

    for (const auto &c : cases)
        EXPECT_EQ(suggested(c.name), c.near) << c.name;
    EXPECT_EQ(suggested("fw_local_ip", true), "fw_local_ipi");
    EXPECT_EQ(suggested("fw_local_ipi"), "-") << "not in this form";
    EXPECT_EQ(suggested("fw_set_timer", true), "-") << "likewise";
}

TEST(RiscvEvents, AScenarioHasThemAsPerfOpensThem)
{
    const Document d =
        parse("harts: {count: 2}\n"
              "riscv:\n"
              "  firmware_events: [{event: fw_ipi_sent, every_us: 5}]\n"
              "  perf:\n"
              "    - {events: [LLC-store-misses, r21, fw_ipi_sent], stop_us: 200}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    const cs_riscv_perf_config *configs = d->riscv->perf[0].configs;
    EXPECT_EQ(d->riscv->firmware_events[0].code, 6u);
    EXPECT_EQ(configs[0].type, 3u);
    EXPECT_EQ(configs[0].config, 0x10102u);
    EXPECT_EQ(configs[1].type, 4u);
    EXPECT_EQ(configs[1].config, 0x21u);
    EXPECT_EQ(configs[2].config, kFirmware | 6);
    EXPECT_TRUE(d->riscv->perf[0].cpus[0] && d->riscv->perf[0].cpus[1]);
}
