// SPDX-License-Identifier: Apache-2.0
// Ports of a die: bits at any place, and whether a write changed any.
#include <gtest/gtest.h>

#include "lockstep/pin.hpp"

using cs::Pin;

namespace
{

struct Place {
    unsigned lsb, width;
};

class PinAt : public testing::TestWithParam<Place>
{
};

constexpr uint64_t kValue = 0x123456789abcdef1;

} // namespace

TEST_P(PinAt, HoldsWhatWasSetAndNothingElse)
{
    const auto [lsb, width] = GetParam();
    const uint64_t mask = ~0ull >> (64 - width);
    unsigned char bits[24];

    for (const unsigned char before : {0x00, 0xff}) {
        std::memset(bits, before, sizeof bits);
        Pin pin(bits);
        pin.set(lsb, width, kValue);
        EXPECT_EQ(pin.get(lsb, width), kValue & mask);
        for (unsigned i = 0; i < 8 * sizeof bits; i++) {
            const bool own = i >= lsb && i < lsb + width;

            EXPECT_EQ(pin.bit(i), own ? (kValue >> (i - lsb) & 1) != 0 : before != 0) << i;
        }
    }
}

TEST_P(PinAt, TellsOnlyWhatChanges)
{
    const auto [lsb, width] = GetParam();
    unsigned char bits[24] = {};
    bool changed = false;
    Pin pin(bits, &changed);

    pin.set(lsb, width, 0);
    EXPECT_FALSE(changed) << "it was zero";
    for (unsigned i = 0; i < width; i++) {
        pin.set(lsb, width, 1ull << i);
        EXPECT_TRUE(changed) << i;
        changed = false;
        pin.set(lsb, width, 1ull << i);
        EXPECT_FALSE(changed) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Places, PinAt,
                         testing::Values(Place{0, 1}, Place{7, 1}, Place{0, 64}, Place{3, 61},
                                         Place{3, 62}, Place{7, 64}, Place{13, 40}, Place{61, 64},
                                         Place{64, 8}));
