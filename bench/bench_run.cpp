// Run speed of whole scenarios, by the command itself: simulated time against wall time, and
// what a thousand times longer period costs.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace
{

struct Figures {
    double simulated_ns;
    double wall_ns;
};

double figure(const std::string &json, const std::string &key)
{
    size_t at = json.find("\"" + key + "\": ");

    if (at == std::string::npos)
        throw std::runtime_error("no " + key + " in summary.json");
    return std::strtod(json.c_str() + at + key.size() + 4, nullptr);
}

Figures run(const std::string &arguments)
{
    char folder[] = "/tmp/cs-bench-XXXXXX";

    if (mkdtemp(folder) == nullptr)
        throw std::runtime_error("no temporary folder");
    const std::string out = std::string(folder) + "/run";
    const std::string command =
        std::string(CS_COMMAND) + " run -o " + out + " " + arguments + " > /dev/null";
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("failed: " + command);
    std::ifstream file(out + "/summary.json");
    std::stringstream json;
    json << file.rdbuf();
    if (std::system(("rm -rf " + std::string(folder)).c_str()) != 0)
        throw std::runtime_error("cannot remove the temporary folder");
    return {figure(json.str(), "simulated_ns"), figure(json.str(), "wall_ns")};
}

const std::string headline = CS_CONFIGS "/pmcu_headline.yaml";

} // namespace

static void BM_Headline(benchmark::State &state)
{
    for (auto _ : state) {
        Figures f = run(headline);

        state.SetIterationTime(f.wall_ns * 1e-9);
        state.counters["simulated_s"] = f.simulated_ns * 1e-9;
        state.counters["faster_than_hardware"] = f.simulated_ns / f.wall_ns;
    }
}
BENCHMARK(BM_Headline)->Iterations(3)->UseManualTime()->Unit(benchmark::kMillisecond);

// 1000 ms against 1 ms, turn and turn about: the ratio of the sums of their wall times.
static void BM_PeriodRatio(benchmark::State &state)
{
    double short_ns = 0;
    double long_ns = 0;

    for (auto _ : state) {
        for (int i = 0; i < 3; i++) {
            short_ns += run(headline).wall_ns;
            long_ns += run(headline + " --set driver.sample_period_ms=1000").wall_ns;
        }
        state.SetIterationTime((short_ns + long_ns) * 1e-9);
        state.counters["wall_1000ms_over_1ms"] = long_ns / short_ns;
    }
}
BENCHMARK(BM_PeriodRatio)->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
