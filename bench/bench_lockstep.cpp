// What lockstep costs against the RTL alone: both in one process, as a ratio. 1.5 is the most
// that it may be.
#include <benchmark/benchmark.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "lockstep/compare.h"
#include "lockstep/rtl_system.h"
#include "scenario/load.h"

namespace
{

constexpr cycle_t kCycles = 200000;

double seconds_since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

cs_scenario *load()
{
    const char *sets[] = {"pmcu_driver.nr_sample=200"};
    cs_scenario *scenario;
    cs_diag diag;

    if (cs_scenario_load(CS_CONFIGS "/pmcu/pmcu_lockstep_basic.yaml", sets, 1, &scenario, &diag) !=
        CS_OK)
        throw std::runtime_error(diag.text);
    return scenario;
}

double rtl_alone(const cs_scenario *scenario)
{
    cs_environment *environment;
    cs_system *system;
    cs_diag diag;

    if (cs_environment_create(scenario, nullptr, &environment, &diag) != CS_OK ||
        cs_rtl_system_create(environment, nullptr, &system, &diag) != CS_OK)
        throw std::runtime_error(diag.text);
    auto begin = std::chrono::steady_clock::now();
    system->ops->run(system, kCycles);
    double seconds = seconds_since(begin);
    system->ops->destroy(system);
    cs_environment_destroy(environment);
    return seconds;
}

} // namespace

// The model system exists once a process, hence one iteration; the RTL runs before and after,
// so that a change of the machine's speed shows.
static void BM_LockstepAgainstRtl(benchmark::State &state)
{
    cs_scenario *scenario = load();
    cs_compare_options options = {};
    cs_compare_report report;
    cs_diag diag;

    options.limit_cycles = kCycles;
    for (auto _ : state) {
        double before = rtl_alone(scenario);
        auto begin = std::chrono::steady_clock::now();
        if (cs_compare(scenario, &options, &report, &diag) != CS_OK)
            throw std::runtime_error(diag.text);
        double lockstep = seconds_since(begin);
        double after = rtl_alone(scenario);

        if (report.what != CS_COMPARE_EQUAL)
            state.SkipWithError("model and RTL differ");
        state.counters["rtl_Mcycle_s"] = kCycles * 1e-6 / before;
        state.counters["lockstep_Mcycle_s"] = kCycles * 1e-6 / lockstep;
        state.counters["ratio"] = lockstep / ((before + after) / 2);
    }
    cs_scenario_destroy(scenario);
}
BENCHMARK(BM_LockstepAgainstRtl)->Iterations(1)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
