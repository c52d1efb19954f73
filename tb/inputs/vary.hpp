// SPDX-License-Identifier: Apache-2.0
// Makes inputs out of others: a few places are changed, as damage and other writers would.
#ifndef CS_TB_INPUTS_VARY_HPP
#define CS_TB_INPUTS_VARY_HPP

#include <cstdint>
#include <random>
#include <string>
#include <vector>

class Variation
{
  public:
    explicit Variation(uint64_t seed) : random_(seed) {}

    // Another one that may be varied. Words and numbers in it are what others are given, too.
    void add(const std::string &input);
    size_t size() const
    {
        return inputs_.size();
    }

    // One of those, small ones and those that came last more often, with some places changed.
    std::string next();

  private:
    size_t below(size_t bound)
    {
        return bound == 0 ? 0 : random_() % bound;
    }
    const std::string &some();
    void change(std::string &input);
    void change_text(std::string &input, size_t at);
    void change_number(std::string &input, size_t at);

    std::mt19937_64 random_;
    std::vector<std::string> inputs_, words_;
};

#endif
