// SPDX-License-Identifier: Apache-2.0
// What lockstep costs against the RTL alone, for each unit: both in one process, as a ratio of
// processor time. 1.2 is the most that it may be.
#include <benchmark/benchmark.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/compare.h"
#include "lockstep/rtl_system.h"
#include "run_command.hpp"
#include "scenario/load.h"

namespace
{

struct Row {
    const char *name, *scenario;
    std::vector<const char *> sets;
    cs_cycle cycles;
};

const Row kRows[] = {
    {"pmcu_small",
     "configs/pmcu/pmcu_lockstep_basic.yaml",
     {"perf.0.record.0.nr_sample=200"},
     200000},
    {"pmcu_large",
     "configs/pmcu/pmcu_lockstep_basic.yaml",
     {"perf.0.record.0.nr_sample=200", "pmcu.clusters=4", "pmcu.slots=8"},
     100000},
    {"imc", "tb/scenarios/imc/imc_lockstep_core.yaml", {}, 120000},
    {"nest", "configs/imc/imc_lockstep_nest.yaml", {}, 120000},
    {"hpm", "tb/scenarios/riscv/riscv_lockstep_sample.yaml", {}, 380000},
    {"uncore", "configs/uncore/uncore_lockstep_perf.yaml", {}, 98000},
    {"everything", "tb/scenarios/all/everything_lockstep_drivers.yaml", {}, 100000},
};

double processor_seconds()
{
    timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double rtl_alone(const cs_scenario *scenario, cs_cycle cycles)
{
    cs_environment *environment;
    cs_system *system;
    cs_diag diag;

    if (cs_environment_create(scenario, nullptr, &environment, &diag) != CS_OK ||
        cs_rtl_system_create(environment, nullptr, &system, &diag) != CS_OK)
        throw std::runtime_error(diag.text);
    const double begin = processor_seconds();
    system->ops->run(system, cycles);
    const double seconds = processor_seconds() - begin;
    system->ops->destroy(system);
    cs_environment_destroy(environment);
    return seconds;
}

struct Times {
    double rtl, lockstep;
    uint64_t cycles;
    bool equal;
};

// The RTL runs before and after, so that a change of the machine's speed shows.
Times measure(const Row &row)
{
    const std::string path = std::string(CS_SOURCE "/") + row.scenario;
    cs_compare_options options = {};
    cs_compare_report report;
    cs_scenario *scenario;
    cs_diag diag;

    auto sets = row.sets;
    if (cs_scenario_load(path.c_str(), sets.data(), sets.size(), &scenario, &diag) != CS_OK)
        throw std::runtime_error(diag.text);
    options.limit_cycles = row.cycles;
    const double before = rtl_alone(scenario, row.cycles);
    const double begin = processor_seconds();
    if (cs_compare(scenario, &options, &report, &diag) != CS_OK)
        throw std::runtime_error(diag.text);
    const double lockstep = processor_seconds() - begin;
    const double after = rtl_alone(scenario, row.cycles);
    cs_scenario_destroy(scenario);
    return {(before + after) / 2, lockstep, report.cycles, report.what == CS_COMPARE_EQUAL};
}

double seconds_of_children()
{
    rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// The headline's cycles in a second of processor time, all included, against those of the verilated
// RTL of its die, which runs before and after.
void headline_against_rtl(benchmark::State &state)
{
    constexpr double kHertz = 1e9; // the headline's bus
    const Row &large = kRows[1];
    const std::string path = std::string(CS_SOURCE "/") + large.scenario;
    cs_scenario *scenario;
    cs_diag diag;

    auto sets = large.sets;
    if (cs_scenario_load(path.c_str(), sets.data(), sets.size(), &scenario, &diag) != CS_OK)
        throw std::runtime_error(diag.text);
    for (auto _ : state) {
        const double before = rtl_alone(scenario, large.cycles);
        const double begin = seconds_of_children();
        const RunFigures f = run_command(CS_SOURCE "/configs/pmcu/pmcu_headline.yaml");
        const double model = seconds_of_children() - begin;
        const double rtl = (before + rtl_alone(scenario, large.cycles)) / 2;
        const double model_hertz = f["simulated_ns"] * 1e-9 * kHertz / model;
        const double rtl_hertz = static_cast<double>(large.cycles) / rtl;

        state.counters["headline_Gcycle_s"] = 1e-9 * model_hertz;
        state.counters["rtl_Mcycle_s"] = 1e-6 * rtl_hertz;
        state.counters["ratio"] = model_hertz / rtl_hertz;
    }
    cs_scenario_destroy(scenario);
}

// The model system exists once a process, hence a process a row, and one iteration.
void lockstep_against_rtl(benchmark::State &state, const Row &row)
{
    Times times = {};
    int ends[2];

    for (auto _ : state) {
        if (pipe(ends) != 0)
            throw std::runtime_error("no pipe");
        if (fork() == 0) {
            times = measure(row);
            _exit(write(ends[1], &times, sizeof times) == sizeof times ? 0 : 1);
        }
        close(ends[1]);
        if (read(ends[0], &times, sizeof times) != sizeof times)
            state.SkipWithError("the measuring process has died");
        else if (!times.equal)
            state.SkipWithError("model and RTL differ");
        close(ends[0]);
        wait(nullptr);
    }
    state.counters["rtl_Mcycle_s"] = 1e-6 * static_cast<double>(times.cycles) / times.rtl;
    state.counters["lockstep_Mcycle_s"] = 1e-6 * static_cast<double>(times.cycles) / times.lockstep;
    state.counters["ratio"] = times.lockstep / times.rtl;
}

} // namespace

int main(int argc, char **argv)
{
    for (const Row &row : kRows)
        benchmark::RegisterBenchmark(row.name, lockstep_against_rtl, row)
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("headline_against_rtl", headline_against_rtl)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
