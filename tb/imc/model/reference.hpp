// SPDX-License-Identifier: Apache-2.0
// docs/hw/imc.md written down a second time and in another way: a loop over cycles with the state
// of this cycle and that of the next, in which every counter adds what its event brings in the
// cycle and the timebase is counted on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "world.hpp"
#include <countersink/models/imc/imc_core.h>

// A write, or a read, with effect in `cycle`.
struct Access {
    cs_cycle cycle;
    bool write;
    unsigned reg;
    uint64_t value;
};

struct Answer {
    bool good;
    uint64_t value;

    bool operator==(const Answer &o) const
    {
        return good == o.good && value == o.value;
    }
};

inline std::ostream &operator<<(std::ostream &out, const Answer &a)
{
    return out << (a.good ? "0x" : "error 0x") << std::hex << a.value << std::dec;
}

struct Program {
    cs_imc_core_config config;
    cs_cycle end;
    std::vector<Access> accesses;                 // by cycle
    std::vector<std::pair<cs_cycle, bool>> power; // by cycle; before the first it is on
};

// How often what happened, so that a test can say that it has seen it.
struct Coverage {
    std::map<std::string, size_t> seen;

    void add(const Coverage &o)
    {
        for (const auto &[what, times] : o.seen)
            seen[what] += times;
    }
};

struct Outcome {
    std::vector<cs_probe_record> records; // sorted
    std::vector<Answer> answers;          // to the accesses
    Coverage coverage;
};

Outcome reference_run(const Program &program, std::vector<Thread> &threads, Bus &bus);
