// SPDX-License-Identifier: Apache-2.0
// The model system: the same records and the same memory whether transfers are completed
// early or not, and in chunks of any length.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bus/machine/model_system.hpp"
#include "scenario/load.h"
#include "support/configs.hpp"
#include "support/forked.hpp"
#include "world.hpp"

namespace fs = std::filesystem;

namespace
{

struct Outcome {
    cs_cycle end = 0;
    uint64_t memory = 0; // hash of what was touched
    std::vector<cs_probe_record> records;
};

uint64_t hash_memory(cs_memory *memory)
{
    uint64_t hash = 0;
    uint64_t addr;

    for (size_t i = 0; const uint8_t *page = cs_memory_page(memory, i, &addr); i++)
        hash = traffic::mix(hash ^ addr) ^ cs_probe_hash(page, CS_MEMORY_PAGE_BYTES);
    return hash;
}

// What a system sends. Of the cycles that it has finished, nothing comes any more.
struct Stream {
    std::vector<cs_probe_record> &records;
    cs_cycle finished;
};

void append(void *ctx, const cs_probe_record *record)
{
    auto *stream = static_cast<Stream *>(ctx);

    EXPECT_GE(record->cycle, stream->finished);
    stream->records.push_back(*record);
}

Outcome run_here(const std::string &text, const std::string &folder, bool early, cs_cycle chunk)
{
    Outcome run;
    Stream stream = {run.records, 0};
    const cs_probe_sink sink = {append, &stream, false, nullptr};
    cs_scenario *scenario = nullptr;
    cs_environment *environment = nullptr;
    cs_system *system = nullptr;
    cs_diag diag = {};

    EXPECT_EQ(cs_scenario_parse(text.data(), text.size(), "scenario", folder.c_str(), nullptr, 0,
                                &scenario, &diag),
              CS_OK)
        << diag.text;
    EXPECT_EQ(cs_environment_create(scenario, &sink, &environment, &diag), CS_OK) << diag.text;
    EXPECT_EQ(cs::make_model_system(environment, early, &system, &diag), CS_OK) << diag.text;
    // The end may be known ahead.
    for (cs_cycle until = chunk; run.end < system->ops->end_cycle(system); until += chunk)
        stream.finished = run.end = system->ops->run(system, until);
    EXPECT_EQ(run.end, system->ops->end_cycle(system));
    EXPECT_EQ(environment->status, CS_OK);
    run.memory = hash_memory(environment->memory);
    system->ops->destroy(system);
    cs_environment_destroy(environment);
    cs_scenario_destroy(scenario);
    // What comes at or after the end is not promised.
    auto &r = run.records;
    r.erase(std::remove_if(r.begin(), r.end(), [&](const auto &x) { return x.cycle >= run.end; }),
            r.end());
    return run;
}

// In a process of its own; what it found comes back through a file.
Outcome run_forked(const std::string &text, const std::string &folder, bool early, cs_cycle chunk)
{
    std::FILE *file = std::tmpfile();
    Outcome run;
    uint64_t count = 0;

    cs_test::in_child([&] {
        const Outcome r = run_here(text, folder, early, chunk);
        count = r.records.size();
        std::fwrite(&r.end, sizeof r.end, 1, file);
        std::fwrite(&r.memory, sizeof r.memory, 1, file);
        std::fwrite(&count, sizeof count, 1, file);
        std::fwrite(r.records.data(), sizeof(cs_probe_record), count, file);
        std::fflush(file);
    });
    std::rewind(file);
    if (std::fread(&run.end, sizeof run.end, 1, file) == 1 &&
        std::fread(&run.memory, sizeof run.memory, 1, file) == 1 &&
        std::fread(&count, sizeof count, 1, file) == 1) {
        run.records.resize(count);
        EXPECT_EQ(std::fread(run.records.data(), sizeof(cs_probe_record), count, file), count);
    }
    std::fclose(file);
    return run;
}

std::vector<fs::path> scenarios()
{
    std::vector<fs::path> found;

    for (const fs::path &path : cs_test::lockstep_configs())
        if (path.filename().string().rfind("bus_", 0) != 0)
            found.push_back(path);
    return found;
}

std::string contents(const fs::path &path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// given a scenario, when it is run at once, in pieces, and the long way, then nothing differs
void expect_no_trace(const std::string &text,
                     const std::string &folder = CS_SOURCE_DIR "/configs/imc")
{
    const Outcome whole = run_forked(text, folder, true, 1u << 30);
    const Outcome pieces = run_forked(text, folder, true, 997);
    const Outcome long_way = run_forked(text, folder, false, 1u << 20);

    EXPECT_GT(whole.records.size(), 30u);
    EXPECT_EQ(whole.end, long_way.end);
    EXPECT_EQ(whole.end, pieces.end);
    EXPECT_EQ(whole.memory, long_way.memory);
    EXPECT_EQ(whole.memory, pieces.memory);
    EXPECT_EQ(world::difference(whole.records, long_way.records), "");
    EXPECT_EQ(world::difference(whole.records, pieces.records), "");
}

// A script that starts a PMCU.
std::string start_script(bool per_target, unsigned forward)
{
    std::string s =
        "name: busy\nseed: 3\nbus: {clock_mhz: 1000, forward_cycles: " + std::to_string(forward) +
        ", arbitration: " + (per_target ? "per_target" : "shared") +
        "}\npmcu: {clusters: 1, slots: 2}\n"
        "workloads:\n  - name: w\n    segments:\n      - cycles: 1000\n"
        "        events: [{event: INST_RETIRED, kind: random, rate: 1.1}]\n"
        "software: {kind: script}\nscript:\n";
    const auto write = [&](const char *name, uint64_t value) {
        s += std::string("  - write: {at: ") + name + ", value: " + std::to_string(value) + "}\n";
    };

    write("0x80001000", 0x8);
    write("pmcu.FSM_CFG", 1u << 16 | 30u << 8 | 2u);
    write("pmcu.EVENT_BASE_L", 0x80001000);
    write("pmcu.STORE_BASE_L", 0x81000000);
    write("pmcu.KILL_BASE_L", 0x81010000);
    write("pmcu.WAIT_CNT", 7);
    write("pmcu.INT_EN", 3);
    write("pmcu.FSM_CTRL", 1);
    return s;
}

// A CPU that never leaves the PMCU alone. Its pace is such that its transfers begin at every
// distance from what the PMCU does next.
std::string busy_script(unsigned pace, bool per_target, unsigned forward)
{
    static const char *const places[] = {"pmcu.FSM_STATUS", "0x80001000", "0x200100f8",
                                         "pmcu.INT_STAT", "0x40000000"};
    std::string s = start_script(per_target, forward);

    for (unsigned i = 0; i < 400; i++) {
        s += std::string("  - read: {at: ") + places[i % 5] + "}\n";
        s += "  - delay: " + std::to_string(1 + i * pace % 61) + "\n";
    }
    return s;
}

// CPUs side by side, each with a port of its own: beside the first, busy ones, locks and signals.
std::string side_by_side(unsigned cpus, bool per_target)
{
    const unsigned rounds = cpus > 8 ? 6 : 60;
    std::string s = busy_script(11, per_target, 1);

    s.replace(s.find("{kind: script}"), 14, "{kind: script, ports: per_cpu, ipi_cycles: 90}");
    s.replace(s.find("clusters: 1, slots: 2"), 21, "clusters: 8, slots: 8");
    for (unsigned cpu = 1; cpu < cpus; cpu++) {
        s += "  - cpu: " + std::to_string(cpu) + "\n";
        for (unsigned i = 0; i < rounds; i++) {
            const std::string lock = std::to_string(i % 3 == 0);

            s += "  - lock: " + lock +
                 "\n  - write: {at: 0x80003000, value: " + std::to_string(100 * cpu + i) +
                 "}\n  - delay: " + std::to_string(1 + i * cpu % 37) +
                 "\n  - read: {at: 0x80003000}\n  - unlock: " + lock +
                 "\n  - signal: " + std::to_string(1 + (cpu + i) % (cpus - 1)) +
                 "\n  - wait_signal: " + std::to_string(50 + 13 * i) +
                 "\n  - read: {at: pmcu.FSM_STATUS}\n";
        }
    }
    return s;
}

// A PMCU that is told to fetch its events from its own registers, then to store there.
std::string self_access_script()
{
    std::string s = busy_script(7, false, 2);
    s += "  - wait_irq: 200000\n"
         "  - write: {at: pmcu.INT_CLR, value: 3}\n"
         "  - write: {at: pmcu.FSM_CFG, value: 0x10101}\n"
         "  - write: {at: pmcu.EVENT_BASE_L, value: 0x10000020}\n"
         "  - write: {at: pmcu.FSM_CTRL, value: 1}\n"
         "  - wait_irq: 200000\n"
         "  - read: {at: pmcu.FSM_STATUS}\n"
         "  - write: {at: pmcu.INT_CLR, value: 3}\n"
         "  - write: {at: pmcu.EVENT_BASE_L, value: 0x80001000}\n"
         "  - write: {at: pmcu.STORE_BASE_L, value: 0x10000020}\n"
         "  - write: {at: pmcu.KILL_BASE_L, value: 0x10000028}\n"
         "  - write: {at: pmcu.FSM_CTRL, value: 1}\n"
         "  - wait_irq: 200000\n"
         "  - read: {at: pmcu.FSM_STATUS}\n";
    return s;
}

// Cores whose threads sample at almost the same time: many ask for the bus in one cycle, or while
// it is busy. `load` is what the sampling counter begins with, out of 2^32: how often they do.
// Cores sleep meanwhile, and the nest has a path of its own to the memory.
std::string crowd(uint64_t load, bool per_target)
{
    const uint64_t trace = UINT64_C(1) << 62 | load << 30 | 0x2020000;

    return "name: crowd\ncatalog: power9_small.dts\nmemory: {size: 2 GiB}\nnest: {}\n"
           "imc: {cores: 24, threads: 4, deep_stops: [{core: 3, at_us: 80, for_us: 5},"
           " {core: 20, at_us: 82, for_us: 1}]}\n"
           "bus: {arbitration: " +
           std::string(per_target ? "per_target" : "shared") +
           "}\ncorepmu: {clock_mhz: 3800}\n"
           "workloads:\n  - name: w\n    cpus: all\n    segments:\n      - cycles: 5000\n"
           "        mode: host_user\n"
           "        events: [{event: CPM_PCYC, rate: 0.99},"
           " {event: CPM_NON_IDLE_INST, kind: random, rate: 1.1, max_increment: 12}]\n"
           "software: {kind: imc, cpu: 95}\n"
           "imc_driver:\n  opal_cycles: 50\n  cross_call_cycles: 100\n  trace_scom: " +
           std::to_string(trace) +
           "\n  perf:\n    - {pmu: trace, cpus: all, events: [trace_cycles], sample_period: 1,"
           " start_us: 10, stop_us: 120}\n";
}

// Software that ends in any cycle of the nest's ticks.
std::string ends_after(unsigned cycles)
{
    return "name: end\ncatalog: power9_small.dts\nimc: {cores: 1, threads: 1}\n"
           "nest:\n  present: true\n  base: 0x88000000\n  tick_cycles: 64\n"
           "  segments:\n    - cycles: 1000\n      events: [{event: PM_PB_CYC, rate: 1.4}]\n"
           "software: {kind: script}\nscript:\n  - delay: " +
           std::to_string(cycles) + "\n";
}

// A CPU whose last access is answered in any cycle of the PMCU's first accesses.
std::string ends_beside(unsigned cycles)
{
    return start_script(true, 1) + "  - delay: " + std::to_string(cycles) +
           "\n  - read: {at: 0x80001000}\n";
}

// Software of Arm cores ends last.
std::string ends_on_a_core()
{
    std::string s = ends_after(1);

    s.replace(s.find("software:"), std::string::npos,
              "pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: arm_pmu}\n"
              "arm_pmu: {events: [CPU_CYCLES], start_us: 1, stop_us: 3}\n");
    return s;
}

class ModelSystem : public testing::TestWithParam<fs::path>
{
};

} // namespace

TEST_P(ModelSystem, EarlyCompletionAndChunksLeaveNoTrace)
{
    expect_no_trace(contents(GetParam()), GetParam().parent_path());
}

TEST(ModelSystemBusy, EarlyCompletionAndChunksLeaveNoTrace)
{
    for (unsigned pace : {1u, 7u, 23u, 40u})
        for (bool per_target : {false, true})
            for (unsigned forward : {0u, 3u}) {
                SCOPED_TRACE("pace " + std::to_string(pace));
                expect_no_trace(busy_script(pace, per_target, forward));
            }
}

TEST(ModelSystemPorts, EarlyCompletionAndChunksLeaveNoTrace)
{
    for (unsigned cpus : {2u, 5u, 64u})
        for (bool per_target : {false, true}) {
            SCOPED_TRACE(std::to_string(cpus) + " CPUs");
            expect_no_trace(side_by_side(cpus, per_target));
        }
}

TEST(ModelSystemSelfAccess, EarlyCompletionAndChunksLeaveNoTrace)
{
    expect_no_trace(self_access_script());
}

TEST(ModelSystemCrowd, EarlyCompletionAndChunksLeaveNoTrace)
{
    for (uint64_t missing : {100u, 200u, 600u})
        for (bool per_target : {false, true}) {
            SCOPED_TRACE("a record each " + std::to_string(missing) + " cycles");
            expect_no_trace(crowd((UINT64_C(1) << 32) - missing, per_target));
        }
}

// Nobody has run on beyond the end, as far as memory shows.
TEST(ModelSystemEnd, EarlyCompletionAndChunksLeaveNoTrace)
{
    for (unsigned cycles = 4800; cycles < 4864; cycles++) {
        SCOPED_TRACE("after " + std::to_string(cycles));
        expect_no_trace(ends_after(cycles));
    }
}

// What the PMCU begins in the cycle in which software ends is not gone on with.
TEST(ModelSystemEndBeside, EarlyCompletionAndChunksLeaveNoTrace)
{
    for (unsigned cycles = 190; cycles < 234; cycles++) {
        SCOPED_TRACE("after " + std::to_string(cycles));
        expect_no_trace(ends_beside(cycles));
    }
}

TEST(ModelSystemEndOnACore, EarlyCompletionAndChunksLeaveNoTrace)
{
    expect_no_trace(ends_on_a_core());
}

INSTANTIATE_TEST_SUITE_P(Configs, ModelSystem, testing::ValuesIn(scenarios()),
                         [](const auto &info) { return info.param.stem().string(); });

TEST(ModelSystemTwice, IsRefused)
{
    cs_test::in_child([] {
        cs_scenario *scenario = nullptr;
        cs_environment *environment = nullptr;
        cs_system *first = nullptr;
        cs_system *second = nullptr;
        cs_diag diag = {};

        ASSERT_EQ(cs_scenario_load(CS_SOURCE_DIR "/configs/pmcu/pmcu_lockstep_basic.yaml", nullptr,
                                   0, &scenario, &diag),
                  CS_OK)
            << diag.text;
        ASSERT_EQ(cs_environment_create(scenario, nullptr, &environment, &diag), CS_OK);
        ASSERT_EQ(cs_model_system_create(environment, &first, &diag), CS_OK);
        EXPECT_EQ(cs_model_system_create(environment, &second, &diag), CS_ERR_UNSUPPORTED);
        EXPECT_EQ(second, nullptr);
        EXPECT_NE(std::string(diag.text).find("process"), std::string::npos);
        first->ops->destroy(first);
        cs_environment_destroy(environment);
        cs_scenario_destroy(scenario);
    });
}

namespace
{

void report_error(void *, cs_cycle, const cs_op_result *, cs_op *)
{
    SC_REPORT_ERROR("/test", "something in the simulation went wrong");
}

} // namespace

// Nothing reaches stderr, nothing ends the process: the run ends, the environment says why.
TEST(ModelSystemFailure, EndsTheRunQuietly)
{
    cs_test::in_child([] {
        cs_scenario *scenario = nullptr;
        cs_environment *environment = nullptr;
        cs_system *system = nullptr;
        cs_diag diag = {};

        unsetenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE");
        ASSERT_EQ(cs_scenario_load(CS_SOURCE_DIR "/configs/pmcu/pmcu_lockstep_basic.yaml", nullptr,
                                   0, &scenario, &diag),
                  CS_OK)
            << diag.text;
        ASSERT_EQ(cs_environment_create(scenario, nullptr, &environment, &diag), CS_OK);
        environment->ports[0].software.next = report_error;
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        EXPECT_EQ(cs_model_system_create(environment, &system, &diag), CS_OK);
        EXPECT_EQ(system->ops->run(system, 1000), 0u);
        EXPECT_EQ(system->ops->end_cycle(system), 0u);
        EXPECT_EQ(system->ops->run(system, 2000), 0u);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
        EXPECT_NE(environment->status, CS_OK);
        system->ops->destroy(system);
        cs_environment_destroy(environment);
        cs_scenario_destroy(scenario);
    });
}
