// SPDX-License-Identifier: Apache-2.0
// What the page (docs/hw/nest.md) makes of a run: the transfers, the postings and the status, each
// in its cycle, from the control block's words as they were read and the cycles in which
// transfers were complete.
#ifndef CS_TB_NEST_RTL_ORACLE_HPP
#define CS_TB_NEST_RTL_ORACLE_HPP

#include <array>

#include "nest_bench.hpp"

class Oracle
{
  public:
    explicit Oracle(const Nest &nest);

    // Goes through all that was recorded; false, and a failed test, at the first difference.
    bool replay();

    // What was gone through, so that a test can tell that something was.
    struct Seen {
        unsigned ticks = 0, failed_looks = 0, cleans = 0, pauses = 0, errors = 0;
        unsigned postings[nr_group + 1] = {}, debug_postings = 0;

        Seen &operator+=(const Seen &o);
    };
    Seen seen;

  private:
    struct Block {
        uint64_t command, speed, units, mode;
    };

    const Nest &nest_;
    uint64_t now_ = 0; // the cycle that is looked at
    uint64_t counted_ = 0;
    unsigned ticks_ = 0;
    size_t next_ = 0; // transfer

    bool seen_ = false, paused_ = false;
    unsigned phase_ = 0;
    uint64_t speed_ = 0, units_ = 0, mode_ = 0;
    unsigned ring_ = 1, written_ = 0;
    std::array<uint64_t, nr_group + 1> delay_{};
    std::array<unsigned, nr_group + 1> epoch_{};
    std::array<uint32_t, nr_group + 1> number_{};
    std::array<uint64_t, nr_counter> taken_{}, prev_{}; // what clearing reads took; prevs
    std::vector<Sample> samples_;
    std::vector<Change> changes_;

    unsigned status() const;
    bool idle();
    bool tick();
    bool decide(const Block &block);
    bool visit(unsigned ring, const std::array<bool, nr_group + 1> &post,
               const std::array<unsigned, nr_group + 1> &epoch);
    uint64_t read(const struct cs_nest_row &row, unsigned counter);
    // The transfer that rises in now_ + 1; then now_ is the cycle after its end. Null: run over.
    const Transfer *transfer(bool write, uint64_t addr, const std::vector<uint64_t> &words,
                             unsigned beats);
    bool write(uint64_t addr, const std::vector<uint64_t> &words)
    {
        return transfer(true, addr, words, static_cast<unsigned>(words.size())) != nullptr;
    }
    void count_ticks(uint64_t until, bool takes);

    bool over_ = false, failed_ = false;
};

#endif
