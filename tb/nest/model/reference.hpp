// SPDX-License-Identifier: Apache-2.0
// docs/hw/nest.md written down a second time and in another way: as one program that runs
// through a tick from top to bottom, in which every cycle passes singly and every counter adds what
// its event brings in that cycle. The rows are read from the text that people edit.
#pragma once

#include <string>
#include <vector>

#include "world.hpp"

struct HostWrite {
    cs_cycle cycle;
    Word word;
    uint64_t value;
};

struct Row {
    unsigned group;
    std::vector<unsigned> states;
    std::string kind;
    unsigned offset, count;
    std::vector<unsigned> units; // none: always
    unsigned width, prescale;
    std::string style;
    int epoch; // -1: all
};

const std::vector<Row> &row_table(bool power10 = false);

// How often what happened, so that a test can say that it has seen it.
struct Coverage {
    size_t postings[14] = {};
    size_t epochs[3] = {}; // of group 4
    size_t turns[2] = {};  // of group 2
    size_t debug_postings = 0;
    size_t statuses[5] = {}; // as changed to
    size_t failed_looks = 0, failed_writes = 0;
    size_t full = 0; // cycles with 255 ticks in which another came
    size_t take_and_come = 0;
    size_t wraps = 0;        // of a counter with prev: cur < prev
    size_t doubled = 0;      // wrap2, not zero
    size_t stores = 0;       // of something that is not zero
    size_t cleared_prev = 0; // a wrap counter that was not zero delivered zero as prev was
};

struct Outcome {
    std::vector<cs_probe_record> records;
    Coverage coverage;
};

// Cycles below `end`, with the host's writes, in `world`; the writes are in the order of cycles.
Outcome reference_run(uint32_t tick_cycles, const Nest &nest, World &world,
                      const std::vector<HostWrite> &host, cs_cycle end, bool power10 = false);
