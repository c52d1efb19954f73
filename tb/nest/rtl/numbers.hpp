// SPDX-License-Identifier: Apache-2.0
// A fixed sequence of numbers.
#ifndef CS_TB_NEST_RTL_NUMBERS_HPP
#define CS_TB_NEST_RTL_NUMBERS_HPP

#include <cstdint>

class Numbers
{
  public:
    explicit Numbers(uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
    uint64_t wide()
    {
        uint64_t high = next();
        return high << 32 | next();
    }
    unsigned below(unsigned n)
    {
        return next() % n;
    }
    bool one_in(unsigned n)
    {
        return below(n) == 0;
    }

  private:
    uint64_t state_;

    uint32_t next()
    {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<uint32_t>(state_ >> 32);
    }
};

#endif
