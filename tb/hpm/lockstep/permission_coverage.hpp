// SPDX-License-Identifier: Apache-2.0
// Group of registers / mode / operation / answer, as met by accesses; those that can be met are
// the table of register_groups.hpp.
#pragma once

#include <array>
#include <cstring>

#include "../model/coverage.hpp"
#include "register_groups.hpp"

class PermissionCoverage
{
  public:
    PermissionCoverage() : counts_(groups().size()), groups_(0x1000, 0)
    {
        for (size_t g = 0; g < groups().size(); g++)
            for (unsigned number : groups()[g].numbers)
                groups_[number] = static_cast<uint8_t>(1 + g);
    }

    void access(const Pins &p, const Answer &a)
    {
        const unsigned group = groups_[p.csr];
        if (group != 0)
            counts_[group - 1][p.mode][static_cast<unsigned>(p.op)]
                   [static_cast<unsigned>(a.exception)]++;
    }

    // With 0 hits what can be met and was not, and with its hits also what cannot be.
    Coverage::Cells cells() const
    {
        static const char *const ops[] = {"read", "csrrw", "csrrs", "csrrc"};
        static const char *const words[] = {"done", "illegal", "virtual"};
        Coverage::Cells cells;
        for (size_t g = 0; g < groups().size(); g++)
            for (unsigned m = 0; m < 5; m++)
                for (unsigned op = 0; op < 4; op++)
                    for (unsigned answer = 0; answer < 3; answer++) {
                        const uint64_t hits = counts_[g][GROUP_MODES[m]][op][answer];
                        if (hits != 0 || can_be(groups()[g], m, op, answer))
                            cells[std::string(groups()[g].name) + " / " + GROUP_MODE_NAMES[m] +
                                  " / " + ops[op] + " / " + words[answer]] = hits;
                    }
        return cells;
    }

    static size_t possible()
    {
        size_t count = 0;
        for (const Group &group : groups())
            for (unsigned m = 0; m < 5; m++)
                for (unsigned op = 0; op < 4; op++)
                    for (unsigned answer = 0; answer < 3; answer++)
                        count += can_be(group, m, op, answer);
        return count;
    }

  private:
    using Modes = std::array<std::array<std::array<uint64_t, 3>, 4>, 6>; // mode, op, answer

    std::vector<Modes> counts_;
    std::vector<uint8_t> groups_; // by number: 0 for none, else 1 + index

    // A write of what is read only is illegal in every mode.
    static bool can_be(const Group &group, unsigned m, unsigned op, unsigned answer)
    {
        if (op != 0 && group.numbers[0] >= 0xC00)
            return answer == 1;
        return std::strchr(group.answers[m], "DIV"[answer]) != nullptr;
    }
};
