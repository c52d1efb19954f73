// SPDX-License-Identifier: Apache-2.0
// The least of a few cycles that change one at a time: a tree of minima over a power of two.
#ifndef CS_BUS_IMC_EARLIEST_OF_HPP
#define CS_BUS_IMC_EARLIEST_OF_HPP

#include <algorithm>
#include <array>

#include <countersink/base/cycle.h>

namespace cs
{

class EarliestOf
{
  public:
    static constexpr unsigned kPlaces = 32;

    EarliestOf()
    {
        tree_.fill(CS_NEVER);
    }

    void set(unsigned place, cs_cycle cycle)
    {
        unsigned node = kPlaces + place;

        tree_[node] = cycle;
        while (node > 1) {
            cycle = std::min(cycle, tree_[node ^ 1]);
            node /= 2;
            tree_[node] = cycle;
        }
    }

    cs_cycle least() const
    {
        return tree_[1];
    }

    // The least of all places but one.
    cs_cycle least_but(unsigned place) const
    {
        cs_cycle least = CS_NEVER;

        for (unsigned node = kPlaces + place; node > 1; node /= 2)
            least = std::min(least, tree_[node ^ 1]);
        return least;
    }

    // The first place that has it, and the least of all others.
    unsigned place(cs_cycle &others) const
    {
        unsigned node = 1;

        others = CS_NEVER;
        while (node < kPlaces) {
            node = tree_[2 * node] == tree_[node] ? 2 * node : 2 * node + 1;
            others = std::min(others, tree_[node ^ 1]);
        }
        return node - kPlaces;
    }

  private:
    std::array<cs_cycle, 2 * kPlaces> tree_; // node n has the least of 2 n and 2 n + 1
};

} // namespace cs

#endif
