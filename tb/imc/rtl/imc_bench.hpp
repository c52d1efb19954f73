// SPDX-License-Identifier: Apache-2.0
// A core's engine on its pins, held against the oracle in every cycle. One call of step() is
// one bus cycle. The timebase is the bench's: it ticks in every cycle unless told otherwise.
#ifndef CS_TB_IMC_RTL_IMC_BENCH_HPP
#define CS_TB_IMC_RTL_IMC_BENCH_HPP

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "axi_memory.hpp"
#include "oracle.hpp"
#include "verilated.h"

struct Answer {
    uint64_t data;
    bool error;

    bool operator==(const Answer &other) const
    {
        return data == other.data && error == other.error;
    }
};

struct Sample {
    uint64_t cycle;
    unsigned thread;
    uint64_t addr;
    unsigned resp;
    uint64_t snap;
    uint32_t number;
};

struct Dropped {
    uint64_t cycle;
    unsigned thread;
    uint64_t addr, snap;
};

class Core
{
  public:
    explicit Core(const Straps &s = {});
    ~Core()
    {
        for (const std::string &complaint : memory.complaints)
            ADD_FAILURE() << complaint;
        dut.final();
    }

    // What the core tells in a cycle; `codes` are those of CPMC1 and CPMC2.
    std::function<Told(unsigned thread, const unsigned codes[2])> tell =
        [](unsigned, const unsigned *) { return Told{}; };
    // Every counter counts by these, in this mode.
    void count(const std::array<unsigned, 4> &inc, unsigned mode = 0)
    {
        tell = [inc, mode](unsigned, const unsigned *) { return Told{mode, inc, 0, 0, 0}; };
    }

    void step();
    void step(uint64_t cycles)
    {
        for (uint64_t i = 0; i < cycles; i++)
            step();
    }
    // Until the next cycle to come is `to`.
    void run_to(uint64_t to)
    {
        while (cycle < to)
            step();
    }
    // Until nothing is under way.
    void settle()
    {
        step(2);
        for (unsigned i = 0; i < 10000 && (dut.awvalid_o || !memory.idle()); i++)
            step();
        step(2);
    }

    // Accesses whose effect cycle is the one to come.
    Answer access(bool write, unsigned sel, uint64_t data);
    Answer access_ldbar(bool write, unsigned thread, uint64_t data);
    void write(imc::Reg reg, uint64_t data)
    {
        EXPECT_EQ(access(true, reg, data), (Answer{0, false}));
    }
    uint64_t read(imc::Reg reg)
    {
        Answer answer = access(false, reg, 0);
        EXPECT_FALSE(answer.error);
        return answer.data;
    }
    void write_ldbar(unsigned thread, uint64_t data)
    {
        EXPECT_EQ(access_ldbar(true, thread, data), (Answer{0, false}));
    }
    uint64_t status(unsigned a, unsigned b)
    {
        return imc::get(read(imc::STATUS), a, b);
    }
    imc::State state();

    Inputs in; // of the next cycle; accesses and increments are set by step() and access()
    ImcCoreTop dut;
    AxiMemory memory;
    uint64_t cycle = 0;
    bool tb_runs = true; // the timebase is the cycle's number, and ticks
    Answer answer{0, false};
    Answer ldbar_answer{0, false};
    std::vector<Sample> samples;
    std::vector<Dropped> dropped;
    std::vector<std::pair<uint64_t, unsigned>> lost; // cycle and thread
    std::vector<std::pair<uint64_t, unsigned>> snapshots;

  private:
    Oracle oracle_;

    void drive();
    void drive_told();
    Pins pins() const;
    void compare();
    void observe();
};

#endif
