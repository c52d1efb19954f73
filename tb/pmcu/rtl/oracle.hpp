// SPDX-License-Identifier: Apache-2.0
// What a run does, without time: the transfers of each lane in order, the states, the error
// bits, the samples and the memory it leaves behind. And the rules of time, which hold for any
// latency of the world. Both read off docs/hw/pmcu.md.
#ifndef CS_TB_PMCU_RTL_ORACLE_HPP
#define CS_TB_PMCU_RTL_ORACLE_HPP

#include <map>
#include <set>
#include <string>
#include <vector>

#include "pmcu_bench.hpp"

std::string text_of(const Transfer &t, unsigned beats);

class Oracle
{
  public:
    Oracle(const Plan &plan, const AxiWorld &world) : s_(plan), world_(world)
    {
        pointer_ = s_.store_base & ~7ull;
    }

    void run();
    // The accesses of a walk, put on record.
    void walk(State state, unsigned group);

    std::vector<std::string> lanes[nr_lane];
    std::vector<State> order{IDLE};
    std::map<uint64_t, uint32_t> memory; // what was written
    std::vector<Sample> samples;         // without cycles
    uint32_t errors = 0;                 // of FSM_STATUS

  private:
    const Plan &s_;
    const AxiWorld &world_;
    uint64_t pointer_;
    std::map<unsigned, uint32_t> sample_; // words by offset
    // Slots (by idx) without values: in the whole run, and in the subsample of a number.
    std::set<unsigned> never_;
    std::map<size_t, std::set<unsigned>> lost_;
    State state_ = IDLE;
    bool resetting_ = false;

    void lose(unsigned k, unsigned slot, bool write);
    void clear_lost();

    bool access(unsigned k, unsigned slot, bool write, unsigned offset, bool wide, uint32_t data);
    bool burst(bool write, uint64_t addr, unsigned beats);
    bool fetch(unsigned group);
    bool store();
    void slot(State state, unsigned group, unsigned k, unsigned c);
    void reset(unsigned k, unsigned c);
    void read_slot(unsigned k, unsigned c);
    void write_counters(unsigned k, unsigned c);
};

// A run that has ended by itself, against the oracle and the rules of time.
void expect_run(Pmcu &pmcu);
// The rules of time alone; a run that was broken at `brk` (effect cycle) has them until then.
void expect_times(const Pmcu &pmcu, uint64_t brk = UINT64_MAX);

#endif
