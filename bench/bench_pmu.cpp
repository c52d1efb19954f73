// SPDX-License-Identifier: Apache-2.0
// What `countersink pmu` costs a program: a read of an event, and calls that are none of ours. The
// program is this one, under the command, with a word that says what to do.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace
{

constexpr unsigned kReads = 20000, kCalls = 2000000;

double wall_ns()
{
    timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

int open_event()
{
    perf_event_attr attr = {};

    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = 1;
    return static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}

double ns_each(int fd, unsigned times)
{
    const double begun = wall_ns();
    uint64_t value;

    for (unsigned i = 0; i < times; i++)
        if (read(fd, &value, sizeof value) != static_cast<ssize_t>(sizeof value))
            std::exit(1);
    return (wall_ns() - begun) / times;
}

// What the program under the command prints.
int be_program(const std::string &what)
{
    const int fd = what == "event" ? open_event() : open("/dev/zero", O_RDONLY);

    if (fd < 0)
        return 1;
    std::printf("%f\n", ns_each(fd, what == "event" ? kReads : kCalls));
    return 0;
}

double under_the_command(const std::string &what)
{
    char self[4096] = "";
    double ns = 0;

    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        throw std::runtime_error("no /proc");
    FILE *out = popen((std::string(CS_COMMAND) + " pmu -- " + self + " --be " + what).c_str(), "r");
    const bool good = out != nullptr && std::fscanf(out, "%lf", &ns) == 1;

    if (out == nullptr || pclose(out) != 0 || !good)
        throw std::runtime_error("the program failed");
    return ns;
}

void report(benchmark::State &state, double ns)
{
    state.SetIterationTime(ns * 1e-9);
}

} // namespace

static void BM_ReadOfAnEvent(benchmark::State &state)
{
    for (auto _ : state)
        report(state, under_the_command("event"));
}
BENCHMARK(BM_ReadOfAnEvent)->Iterations(5)->UseManualTime()->Unit(benchmark::kMicrosecond);

static void BM_AnotherCall(benchmark::State &state)
{
    for (auto _ : state)
        report(state, under_the_command("zero"));
}
BENCHMARK(BM_AnotherCall)->Iterations(5)->UseManualTime()->Unit(benchmark::kNanosecond);

static void BM_AnotherCallWithoutTheCommand(benchmark::State &state)
{
    const int fd = open("/dev/zero", O_RDONLY);

    for (auto _ : state)
        report(state, ns_each(fd, kCalls));
    close(fd);
}
BENCHMARK(BM_AnotherCallWithoutTheCommand)
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kNanosecond);

int main(int argc, char **argv)
{
    if (argc == 3 && std::strcmp(argv[1], "--be") == 0)
        return be_program(argv[2]);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
