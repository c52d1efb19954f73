// SPDX-License-Identifier: Apache-2.0
// Looks for inputs of which a reader says something else when one of its mutants is switched on
// (tools/mutants.sh --seek, docs/verification.md, "Mutants"). It is of use in a mutated tree alone.
//
//   seek_inputs TARGET MUTANTS SECONDS SEED OUT FOLDER...
//
// MUTANTS is a file of numbers, FOLDERs have first inputs. OUT gets a file of each input that has told a
// mutant, and OUT/told.txt a line of each mutant that was told. A child does the work: when it dies,
// crashed or too slow, the mutant that was on is told by the input that it had.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "replay.hpp"
#include "vary.hpp"

extern "C" {
extern int cs_mutant __attribute__((weak));
extern unsigned char *cs_reached __attribute__((weak));
}

namespace
{

constexpr size_t kMostInput = 48 << 10, kMostNew = 12 << 10, kTriedOfOld = 48;
constexpr rlim_t kMemory = rlim_t{4} << 30;
constexpr long kSlowMicroseconds = 400000; // of processor time, for one input

// What outlives a child.
struct Shared {
    int on; // the mutant that is switched on; 0: none
    uint64_t inputs, calls;
    size_t size;
    char input[kMostInput];
};

template <typename T> T *shared_memory(size_t count)
{
    void *memory =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? nullptr : static_cast<T *>(memory);
}

std::string bytes_of(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);

    return {std::istreambuf_iterator<char>(file), {}};
}

class Seeker
{
  public:
    Seeker(const cs_fuzz_target &target, std::filesystem::path out, const std::vector<int> &mutants,
           uint64_t seed)
        : target_(target), out_(std::move(out)), variation_(seed),
          most_(*std::max_element(mutants.begin(), mutants.end())),
          alive_(shared_memory<unsigned char>(most_ + 1)), shared_(shared_memory<Shared>(1)),
          reached_(1 << 20), ever_(reached_.size())
    {
        for (int mutant : mutants)
            alive_[mutant] = 1;
        told_ = std::fopen((out_ / "told.txt").c_str(), "a");
    }

    // First all of these, then what comes of them.
    void look(const std::vector<std::string> &first, double seconds)
    {
        size_t next = 0;

        until_ = std::chrono::steady_clock::now() +
                 std::chrono::milliseconds(static_cast<long>(1000 * seconds));
        hash_of_said(target_, std::string(8, 'x')); // what a target makes once is the parent's
        for (const std::string &input : first)
            variation_.add(input);
        while (next < first.size() || !is_over()) {
            std::fflush(told_);
            const pid_t child = fork();
            if (child == 0) {
                work(first, next);
                std::fflush(told_);
                _exit(0);
            }
            int status = 0;
            waitpid(child, &status, 0);
            if (status == 0)
                return;
            // Without a mutant nothing may crash; such an input is passed over.
            if (shared_->on > 0)
                tell(shared_->on, std::string(shared_->input, shared_->size));
            else
                std::fprintf(stderr, "seek_inputs: an input of %zu bytes ends with status %d\n",
                             shared_->size, status);
            next = std::min<size_t>(shared_->inputs, first.size());
            variation_ = Variation(shared_->inputs);
            for (const std::string &input : first)
                variation_.add(input);
            for (const auto &entry : std::filesystem::directory_iterator(out_))
                if (entry.path().filename() != "told.txt")
                    variation_.add(bytes_of(entry.path()));
        }
    }

    uint64_t inputs() const
    {
        return shared_->inputs;
    }
    uint64_t calls() const
    {
        return shared_->calls;
    }

  private:
    bool is_over() const
    {
        return std::chrono::steady_clock::now() > until_;
    }

    void work(const std::vector<std::string> &first, size_t next)
    {
        const rlimit memory = {kMemory, kMemory}, core = {0, 0};

        setrlimit(RLIMIT_AS, &memory);
        setrlimit(RLIMIT_CORE, &core);
        std::signal(SIGPROF, SIG_DFL);
        for (; next < first.size(); next++)
            consider(first[next], true);
        while (!is_over())
            consider(variation_.next(), false);
    }

    uint64_t said(int mutant, const std::string &input)
    {
        const itimerval slow = {{0, 0}, {0, kSlowMicroseconds}}, off = {};

        shared_->on = mutant;
        shared_->calls++;
        cs_mutant = mutant;
        setitimer(ITIMER_PROF, &slow, nullptr);
        const uint64_t hash = hash_of_said(target_, input);
        setitimer(ITIMER_PROF, &off, nullptr);
        cs_mutant = 0;
        shared_->on = 0;
        return hash;
    }

    // Which mutants that nothing has told does it reach? Those are tried, all of them when the input
    // reaches what none has reached before.
    void consider(const std::string &input, bool first)
    {
        bool all = false;

        if (input.size() > (first ? kMostInput : kMostNew))
            return;
        shared_->inputs++;
        shared_->size = input.size();
        std::memcpy(shared_->input, input.data(), input.size());
        std::fill(reached_.begin(), reached_.end(), 0);
        cs_reached = reached_.data();
        const uint64_t good = said(-1, input);

        std::vector<int> those;
        for (int n = 1; n <= most_; n++) {
            if (reached_[n] == 0)
                continue;
            if (ever_[n] == 0) {
                ever_[n] = 1;
                if (!all && !first)
                    variation_.add(input);
                all = true;
            }
            if (alive_[n] != 0)
                those.push_back(n);
        }
        if (!all && those.size() > kTriedOfOld) { // others when another input comes
            const size_t from = shared_->inputs * 7919 % those.size();
            std::rotate(those.begin(), those.begin() + static_cast<long>(from), those.end());
            those.resize(kTriedOfOld);
        }
        if (those.empty() || said(0, input) != good) // it has to say the same twice
            return;
        for (int mutant : those)
            if (said(mutant, input) != good) {
                tell(mutant, input);
                variation_.add(input);
            }
    }

    void tell(int mutant, const std::string &input)
    {
        char name[32];
        uint64_t hash = kNothingSaid;

        for (char c : input)
            hash = (hash ^ static_cast<unsigned char>(c)) * UINT64_C(0x100000001b3);
        std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
        std::ofstream(out_ / name, std::ios::binary) << input;
        std::fprintf(told_, "%d %s\n", mutant, name);
        std::fflush(told_);
        alive_[mutant] = 0;
        shared_->on = 0;
    }

    cs_fuzz_target target_;
    std::filesystem::path out_;
    Variation variation_;
    int most_;
    unsigned char *alive_;
    Shared *shared_;
    std::vector<unsigned char> reached_, ever_;
    FILE *told_ = nullptr;
    std::chrono::steady_clock::time_point until_;
};

} // namespace

int main(int argc, char **argv)
{
    if (&cs_mutant == nullptr) {
        std::fprintf(stderr, "seek_inputs: there are no mutants in this build; tools/mutants.sh "
                             "--seek makes one\n");
        return 2;
    }
    const cs_fuzz_target target = cs_fuzz_choose(argc > 1 ? argv[1] : "");
    if (argc < 6 || target.run == nullptr) {
        std::fprintf(stderr, "usage: seek_inputs TARGET MUTANTS SECONDS SEED OUT FOLDER...\n");
        return 2;
    }
    std::ifstream file(argv[2]);
    const std::vector<int> mutants{std::istream_iterator<int>(file), {}};
    std::vector<std::string> first = inputs_of_pack(argv[1]);

    for (int i = 6; i < argc; i++)
        if (std::filesystem::is_directory(argv[i]))
            for (const auto &entry : std::filesystem::directory_iterator(argv[i]))
                first.push_back(bytes_of(entry.path()));
    if (mutants.empty() || first.empty()) {
        std::fprintf(stderr, "seek_inputs: there are no mutants in %s, or no first inputs\n",
                     argv[2]);
        return 2;
    }
    Seeker seeker(target, argv[5], mutants, std::stoull(argv[4]));
    seeker.look(first, std::stod(argv[3]));
    std::printf("%s: %llu inputs, %llu calls\n", argv[1],
                static_cast<unsigned long long>(seeker.inputs()),
                static_cast<unsigned long long>(seeker.calls()));
    return 0;
}
