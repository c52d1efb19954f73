// SPDX-License-Identifier: Apache-2.0
// What `countersink pmu` costs a program: a read of an event, calls that are none of ours, and work without
// calls. The program is this one, with a word that says what to do, under the command and without it. Each does
// it some hundred times over and prints the least, so that other programs on the machine matter little.
#include <benchmark/benchmark.h>

#include <algorithm>
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

constexpr unsigned kRounds = 400, kEach = 50;

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

void read_once(int fd)
{
    uint64_t value;

    if (read(fd, &value, sizeof value) != static_cast<ssize_t>(sizeof value))
        std::exit(1);
}

void read_page_once(int fd)
{
    static char page[4096];

    if (read(fd, page, sizeof page) != static_cast<ssize_t>(sizeof page))
        std::exit(1);
}

int open_zero()
{
    return open("/dev/zero", O_RDONLY);
}

void call_once(int)
{
    syscall(SYS_getppid);
}

void compute_once(int)
{
    static volatile uint64_t x;

    for (unsigned i = 0; i < 10000; i++)
        x = x * 6364136223846793005u + 1;
}

struct What {
    const char *name;
    void (*once)(int fd);
    int (*open)();
};

const What kWhat[] = {
    {"event", read_once, open_event},   {"call", call_once, nullptr},
    {"word", read_once, open_zero},     {"page", read_page_once, open_zero},
    {"compute", compute_once, nullptr},
};

double least_ns(const What &what)
{
    const int fd = what.open != nullptr ? what.open() : 0;
    double least = 1e18;

    if (fd < 0)
        std::exit(1);
    for (unsigned round = 0; round < kRounds; round++) {
        const double begun = wall_ns();

        for (unsigned i = 0; i < kEach; i++)
            what.once(fd);
        least = std::min(least, (wall_ns() - begun) / kEach);
    }
    return least;
}

// What the program under the command prints.
int be_program(const std::string &name)
{
    for (const What &what : kWhat)
        if (name == what.name)
            return std::printf("%f\n", least_ns(what)) > 0 ? 0 : 1;
    return 1;
}

void run(benchmark::State &state, const std::string &name, bool under)
{
    const std::string command = under ? CS_COMMAND " pmu -- " : "";
    char self[4096] = "";

    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        throw std::runtime_error("no /proc");
    for (auto _ : state) {
        double ns = 0;
        FILE *out = popen((command + self + " --be " + name).c_str(), "r");
        const bool good = out != nullptr && std::fscanf(out, "%lf", &ns) == 1;

        if (out == nullptr || pclose(out) != 0 || !good)
            throw std::runtime_error("the program failed");
        state.SetIterationTime(ns * 1e-9);
    }
}

} // namespace

static void BM_Under(benchmark::State &state, const char *name)
{
    run(state, name, true);
}
BENCHMARK_CAPTURE(BM_Under, event, "event")->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(BM_Under, call, "call")->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(BM_Under, word_of_zero, "word")->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(BM_Under, page_of_zero, "page")->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(BM_Under, compute, "compute")->Iterations(5)->UseManualTime();

static void BM_Without(benchmark::State &state, const char *name)
{
    run(state, name, false);
}
BENCHMARK_CAPTURE(BM_Without, call, "call")->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(BM_Without, word_of_zero, "word")->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(BM_Without, page_of_zero, "page")->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(BM_Without, compute, "compute")->Iterations(5)->UseManualTime();

int main(int argc, char **argv)
{
    if (argc == 3 && std::strcmp(argv[1], "--be") == 0)
        return be_program(argv[2]);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
