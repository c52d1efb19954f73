// SPDX-License-Identifier: Apache-2.0
// What docs/hw/pmcu.md asks of a run, written down a second time and in another way: not
// cycle by cycle but as the list of transfers and states that a run is, each from the one
// before. BRK is one cut through this list.
#pragma once

#include <vector>

#include "die.hpp"
#include "world.hpp"

// The registers that a run copies.
struct Program {
    unsigned ev_len = 4, nr_loop = 1, nr_pmu = 4;
    bool comp = false;
    uint64_t event_base = 0x80001000;
    uint64_t store_base = 0x80010000;
    uint64_t kill_base = 0x80100000;
    uint32_t wait_cnt = 3;
    uint32_t pmcr = 0xC1;
    uint32_t pmccfiltr = 0xA5000000;

    unsigned fsm_cfg() const
    {
        return ev_len | nr_loop << 8 | nr_pmu << 16;
    }
};

struct Outcome {
    std::vector<Transfer> transfers; // by request, then port
    std::vector<Edge> states;
    std::vector<Sample> samples;
    uint32_t errors = 0; // bits of FSM_STATUS at the end
    cs_cycle end = 0;    // first cycle of IDLE
};

// A run whose first cycle of INIT is `start`; `brk`: the first cycle in which the flag of
// BRK is set, CS_NEVER for none. `world` is used up.
Outcome reference_run(const cs_pmcu_config &config, const Program &program, World &world,
                      cs_cycle start, cs_cycle brk = CS_NEVER);

// Puts events into memory: word i of the array is 0x5A000000 | 0x100 + i.
void put_events(World &world, const Program &program);

// Writes the program into the registers, one write a cycle from `cycle` on, and the trigger
// as the last; returns the first cycle of INIT.
cs_cycle put_program(Die &die, const Program &program, cs_cycle cycle);

void expect_same(const Outcome &outcome, const Die &die);
