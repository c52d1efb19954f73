// SPDX-License-Identifier: Apache-2.0
// Segments that are like a measured program, and what nobody would believe of a scenario.
#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "scenario/build.h"
#include "scenario/work/doubts.h"
#include "scenario/work/measured.h"
}

#include "document.hpp"

namespace
{

constexpr uint64_t kCycles = 1000000;

// `segment` is what stands in the braces of the only segment.
std::string arm(const std::string &segment)
{
    return "pmcu: {clusters: 1, slots: 1}\nbus: {clock_mhz: 1000}\ncorepmu: {clock_mhz: 2000}\n"
           "software: {kind: script}\nscript: [{delay: 1}]\n"
           "workloads: [{segments: [{" +
           segment + "}]}]\n";
}

struct Counts {
    Document document;
    cs_timelines *timelines = nullptr;

    explicit Counts(Document d) : document(std::move(d))
    {
        EXPECT_TRUE(document.ok()) << document.error;
        EXPECT_EQ(cs_scenario_timelines(document.scenario.get(), &timelines, nullptr), CS_OK);
    }
    ~Counts()
    {
        cs_timelines_destroy(timelines);
    }
    Counts(const Counts &) = delete;
    Counts &operator=(const Counts &) = delete;
    double of(uint32_t event, unsigned cpu = 0) const
    {
        return static_cast<double>(
            cs_timeline_sum(cs_timelines_cpu(timelines, cpu), event, CS_MODE_ALL, 0, kCycles));
    }
};

std::vector<std::string> doubts(const Document &d)
{
    std::vector<std::string> result;

    EXPECT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(cs_scenario_doubts(
                  d.scenario.get(),
                  [](void *ctx, const char *text) {
                      static_cast<std::vector<std::string> *>(ctx)->push_back(text);
                  },
                  &result, nullptr),
              CS_OK);
    return result;
}

} // namespace

// What was published, in a million bus cycles of two core cycles each.
TEST(Measured, ASegmentCountsAsTheProgramDid)
{
    const Counts c(parse(arm("like: clang_build")));
    const double instructions = c.of(0x08);

    EXPECT_NEAR(instructions, 0.64 * 2 * kCycles, 5000);
    EXPECT_NEAR(c.of(0x21), instructions / 5.1, 1);                 // BR_RETIRED
    EXPECT_NEAR(c.of(0x22), instructions / 177.7, 1);               // BR_MIS_PRED_RETIRED
    EXPECT_NEAR(c.of(0x06), instructions / 3.6, 1);                 // LD_RETIRED
    EXPECT_NEAR(c.of(0x07), instructions / 5.9, 1);                 // ST_RETIRED
    EXPECT_NEAR(c.of(0x04), instructions * (1 / 3.6 + 1 / 5.9), 1); // L1D_CACHE
    EXPECT_NEAR(c.of(0x03), instructions * 6.01 / 1000, 300);       // L1D_CACHE_REFILL
    EXPECT_NEAR(c.of(0x17), instructions * 1.09 / 1000, 150);       // L2D_CACHE_REFILL
    EXPECT_NEAR(c.of(0x2a), instructions * 0.56 / 1000, 100);       // L3D_CACHE_REFILL
    EXPECT_NEAR(c.of(0x34), instructions * 0.57 / 1000, 100);       // DTLB_WALK
    EXPECT_NEAR(c.of(0x35), instructions * 0.35 / 1000, 100);       // ITLB_WALK
    EXPECT_EQ(c.of(0x23), 0);                                       // STALL_FRONTEND
}

TEST(Measured, WhatTheSegmentNamesItselfStays)
{
    const Counts c(
        parse(arm("like: stockfish, events: [{event: 8, rate: 0.5}, {event: 3, kind: none}, "
                  "{event: \"0x20-0x2f\", rate: 0.25}]")));

    EXPECT_EQ(c.of(0x08), kCycles);
    EXPECT_NEAR(c.of(0x21), kCycles / 10.1, 1); // of its own instructions, before the range
    EXPECT_EQ(c.of(0x03), 0);
    EXPECT_EQ(c.of(0x20), kCycles / 2); // the range's
}

TEST(Measured, NothingThatWasNotPublished)
{
    const Counts c(parse(arm("like: coremark")));

    EXPECT_NEAR(c.of(0x08), 0.79 * 2 * kCycles, 5000);
    for (uint32_t event : {0x03, 0x04, 0x06, 0x07, 0x17, 0x21, 0x22, 0x34})
        EXPECT_EQ(c.of(event), 0) << event;
}

// Published of a RISC-V core, and of nothing but its instructions.
TEST(Measured, ProgramsOnARiscVCore)
{
    const struct {
        const char *program;
        double per_cycle;
    } cases[] = {{"v8_richards", 0.35}, {"v8_box2d", 0.44}, {"v8_audio_fft", 0.55}};

    for (const auto &c : cases) {
        const Counts harts(
            parse(std::string("harts: {count: 1}\nbus: {clock_mhz: 1000}\n"
                              "corepmu: {clock_mhz: 1000}\nworkloads: [{segments: [{like: ") +
                  c.program + "}]}]\n"));

        EXPECT_NEAR(harts.of(CS_EVENT_HART(0x2)), c.per_cycle * kCycles, 3000) << c.program;
        EXPECT_EQ(harts.of(CS_EVENT_HART(0x4)), 0) << c.program;
    }
}

// A program that does not wait runs in each cycle.
TEST(Measured, CyclesOfPower)
{
    const Counts power(parse("imc: {cores: 1, threads: 1}\nsoftware: {kind: script}\nscript: "
                             "[{delay: 1}]\ncatalog: power9_small.dts\n"
                             "bus: {clock_mhz: 1000}\ncorepmu: {clock_mhz: 2000}\n"
                             "workloads: [{segments: [{like: blender}]}]\n",
                             {}, CS_SOURCE_DIR "/configs/imc"));
    unsigned running = 0;

    for (uint32_t event = CS_EVENT_IMC(0); event < CS_EVENT_IMC(300); event++)
        running += power.of(event) == 2 * kCycles;
    EXPECT_GE(running, 3u) << "CPM_PCYC, CPM_CS_PCYC and CPM_NON_IDLE_PCYC";
}

// Each kind of CPU has the events that it has names for.
TEST(Measured, HartsAndPower)
{
    const Counts harts(
        parse("harts: {count: 1}\nbus: {clock_mhz: 1000}\ncorepmu: {clock_mhz: 1000}\n"
              "workloads: [{segments: [{like: cloverleaf}]}]\n"));
    const Counts power(parse("imc: {cores: 1, threads: 1}\nsoftware: {kind: script}\nscript: "
                             "[{delay: 1}]\ncatalog: power9_small.dts\n"
                             "bus: {clock_mhz: 1000}\ncorepmu: {clock_mhz: 1000}\n"
                             "workloads: [{segments: [{like: cloverleaf}]}]\n",
                             {}, CS_SOURCE_DIR "/configs/imc"));
    unsigned busy = 0;

    EXPECT_NEAR(harts.of(CS_EVENT_HART(0x2)), 0.2 * kCycles, 3000);
    EXPECT_NEAR(harts.of(CS_EVENT_HART(0x4)), 0.2 * kCycles * 13.44 / 1000, 300);
    for (uint32_t event = CS_EVENT_IMC(0); event < CS_EVENT_IMC(300); event++)
        busy += power.of(event) > 0.19 * kCycles && power.of(event) < 0.21 * kCycles;
    EXPECT_GE(busy, 2u) << "CPM_INST and CPM_CS_INST";
}

TEST(Measured, Refusals)
{
    const struct {
        std::string text, error;
    } cases[] = {
        {arm("like: clang_bild"), "clang_bild"},
        {arm("mode: el0") + "handler: {like: blender}\n",
         "t.yaml:7:17: handler.like: software is like no program"},
        {"imc: {cores: 1}\nsoftware: {kind: script}\nscript: [{delay: 1}]\nnest: {present: true, "
         "segments: "
         "[{like: blender}]}\n",
         "nest.segments.0.like: only a core's workload is like a program"},
        {"imc: {cores: 1}\nsoftware: {kind: script}\nscript: [{delay: 1}]\nworkloads: [{segments: "
         "[{like: blender}]}]\n",
         "workloads.0.segments.0.like: no event of IMC cores that counts instructions has a name"},
    };

    for (const auto &c : cases) {
        const Document d = parse(c.text);

        EXPECT_FALSE(d.ok()) << c.text;
        EXPECT_NE(d.error.find(c.error), std::string::npos) << d.error;
    }
}

TEST(Doubts, WhatCannotBe)
{
    const struct {
        const char *events, *doubt;
    } cases[] = {
        {"{event: INST_RETIRED, rate: 11}", "INST_RETIRED counts 11.00 in a core cycle"},
        {"{event: INST_RETIRED, rate: 1}, {event: BR_RETIRED, rate: 1.1}", "more branches than"},
        {"{event: INST_RETIRED, rate: 1}, {event: LD_RETIRED, rate: 1.1}", "more loads than"},
        {"{event: INST_RETIRED, rate: 1}, {event: ST_RETIRED, rate: 1.1}", "more stores than"},
        {"{event: INST_RETIRED, rate: 1}, {event: L1D_CACHE, rate: 2.1}", "more than two accesses"},
        {"{event: BR_RETIRED, rate: 0.1}, {event: BR_MIS_PRED_RETIRED, rate: 0.2}",
         "more mispredictions than branches"},
        {"{event: L1D_CACHE, rate: 0.1}, {event: L1D_CACHE_REFILL, rate: 0.2}",
         "more misses than accesses"},
        {"{event: L1D_CACHE_REFILL, rate: 0.1}, {event: L2D_CACHE_REFILL, rate: 0.2}",
         "the second cache than of the first"},
        {"{event: L2D_CACHE_REFILL, rate: 0.1}, {event: L3D_CACHE_REFILL, rate: 0.2}",
         "the third cache than of the second"},
        {"{event: STALL_BACKEND, rate: 1.1}", "more cycles than there are"},
    };

    for (const auto &c : cases) {
        const auto found = doubts(parse(arm(std::string("events: [") + c.events + "]")));

        ASSERT_EQ(found.size(), 1u) << c.events;
        EXPECT_EQ(found[0].rfind("workloads.0.segments.0: ", 0), 0u) << found[0];
        EXPECT_NE(found[0].find(c.doubt), std::string::npos) << found[0];
    }
    EXPECT_TRUE(doubts(parse(arm("like: clang_build, events: [{event: STALL_BACKEND, rate: 0.9}]")))
                    .empty());
    EXPECT_TRUE(doubts(parse(arm("mode: el0"))).empty());
}

TEST(Doubts, SamplesWithoutFunctions)
{
    const std::string text =
        "harts: {count: 1}\n"
        "workloads: [{segments: [{like: coremark}]}]\n"
        "riscv: {perf: [{events: [instructions], sample_period: 1000, stop_us: 200}]}\n";

    const auto found = doubts(parse(text));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NE(found[0].find("workloads.0.segments.0: no functions"), std::string::npos) << found[0];
    EXPECT_NE(found[1].find("handler: no functions"), std::string::npos) << found[1];
    EXPECT_TRUE(doubts(parse(text, {"riscv.perf.0.sample_period=0"})).empty()) << "it counts";
}
