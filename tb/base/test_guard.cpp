// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support.hpp"
#include <countersink/base/bus/guard.h>

namespace
{

struct Destroy {
    void operator()(cs_guard *guard) const
    {
        cs_guard_destroy(guard);
    }
};
using Guard = std::unique_ptr<cs_guard, Destroy>;

Guard make(const std::vector<cs_guard_region> &regions, const std::vector<cs_guard_fault> &faults)
{
    cs_guard *out = nullptr;
    cs_diag diag{};
    EXPECT_EQ(
        cs_guard_create(regions.data(), regions.size(), faults.data(), faults.size(), &out, &diag),
        CS_OK)
        << printed(diag);
    return Guard(out);
}

// "OKAY", "SLVERR", with "+n" for a stall.
std::string ask(const Guard &guard, bool write, uint64_t addr, unsigned bytes)
{
    uint64_t stall = 99;
    cs_bus_resp resp = cs_guard_check(guard.get(), write, addr, bytes, &stall);
    std::string text = resp == CS_BUS_OKAY ? "OKAY" : resp == CS_BUS_SLVERR ? "SLVERR" : "?";
    return stall == 0 ? text : text + "+" + std::to_string(stall);
}

TEST(Guard, WithoutOneAllIsAllowed)
{
    EXPECT_EQ(ask(Guard(), true, 0x1000, 8), "OKAY");
}

TEST(Guard, RegionsGiveRights)
{
    Guard guard = make({{0x1000, 0x100, true, false},
                        {0x2000, 0x100, false, true},
                        {0x3000, 0x100, false, false},
                        {0x2080, 0x10, true, true},
                        {UINT64_MAX - 7, 8, true, false}},
                       {});
    const struct {
        uint64_t addr;
        unsigned bytes;
        const char *read, *write;
    } cases[] = {
        {0x0, 8, "OKAY", "OKAY"},
        {0xff8, 8, "OKAY", "OKAY"},   // ends where the region begins
        {0xff8, 9, "OKAY", "SLVERR"}, // one byte of it
        {0x1000, 1, "OKAY", "SLVERR"},
        {0x10ff, 1, "OKAY", "SLVERR"},
        {0x1100, 8, "OKAY", "OKAY"},
        {0x2000, 8, "SLVERR", "OKAY"},
        {0x3008, 8, "SLVERR", "SLVERR"},
        {0x2080, 8, "SLVERR", "OKAY"}, // both regions must allow it
        {UINT64_MAX - 7, 8, "OKAY", "SLVERR"},
    };

    for (const auto &c : cases) {
        EXPECT_EQ(ask(guard, false, c.addr, c.bytes), c.read) << std::hex << c.addr;
        EXPECT_EQ(ask(guard, true, c.addr, c.bytes), c.write) << std::hex << c.addr;
    }
}

TEST(Guard, FaultsComeAtTheirAccess)
{
    const struct {
        const char *name;
        std::vector<cs_guard_fault> faults;
        const char *accesses; // r, w: within the fault; R, W: outside
        std::vector<std::string> expected;
    } cases[] = {
        {"second write, once",
         {{0x100, 0x10, CS_GUARD_WRITE, 2, 1, CS_GUARD_ERROR, 0}},
         "wrWww",
         {"OKAY", "OKAY", "OKAY", "SLVERR", "OKAY"}},
        {"reads for ever from the second",
         {{0x100, 0x10, CS_GUARD_READ, 2, 0, CS_GUARD_ERROR, 0}},
         "rwrrrR",
         {"OKAY", "OKAY", "SLVERR", "SLVERR", "SLVERR", "OKAY"}},
        {"two of any direction",
         {{0x100, 0x10, CS_GUARD_ANY, 1, 2, CS_GUARD_ERROR, 0}},
         "rwrw",
         {"SLVERR", "SLVERR", "OKAY", "OKAY"}},
        {"stall",
         {{0x100, 0x10, CS_GUARD_ANY, 2, 2, CS_GUARD_STALL, 50}},
         "wwrw",
         {"OKAY", "OKAY+50", "OKAY+50", "OKAY"}},
        {"stalls add up, an error counts too",
         {{0x100, 0x10, CS_GUARD_ANY, 1, 0, CS_GUARD_STALL, 5},
          {0x100, 0x10, CS_GUARD_ANY, 2, 1, CS_GUARD_STALL, 7},
          {0x100, 0x10, CS_GUARD_WRITE, 1, 1, CS_GUARD_ERROR, 0}},
         "wrr",
         {"SLVERR+5", "OKAY+12", "OKAY+5"}},
        {"a huge count does not overflow",
         {{0x100, 0x10, CS_GUARD_ANY, UINT64_MAX, UINT64_MAX, CS_GUARD_ERROR, 0}},
         "ww",
         {"OKAY", "OKAY"}},
    };

    for (const auto &c : cases) {
        Guard guard = make({}, c.faults);
        for (int run = 0; run < 2; run++) {
            for (size_t i = 0; i < c.expected.size(); i++) {
                char what = c.accesses[i];
                bool write = what == 'w' || what == 'W';
                bool outside = what == 'W' || what == 'R';
                EXPECT_EQ(ask(guard, write, outside ? 0x110 : 0xf9, 8), c.expected[i])
                    << c.name << ", access " << i << ", run " << run;
            }
            cs_guard_reset(guard.get());
        }
    }
}

TEST(Guard, RefusesTheImpossible)
{
    const struct {
        std::vector<cs_guard_region> regions;
        std::vector<cs_guard_fault> faults;
        const char *expected;
    } cases[] = {
        {{{0, 0, true, true}},
         {},
         "region 1 at 0x0 of 0x0 bytes: must have at least 1 byte and end within 64 bits"},
        {{{0, 1, true, true}, {UINT64_MAX, 2, true, true}},
         {},
         "region 2 at 0xffffffffffffffff of 0x2 bytes: must have at least 1 byte and end within "
         "64 bits"},
        {{},
         {{0, 0, CS_GUARD_ANY, 1, 1, CS_GUARD_ERROR, 0}},
         "fault 1 at 0x0 of 0x0 bytes: must have at least 1 byte and end within 64 bits"},
        {{},
         {{0, 8, CS_GUARD_ANY, 0, 1, CS_GUARD_ERROR, 0}},
         "fault 1: access 0: accesses are numbered from 1"},
        {{},
         {{0, 8, static_cast<cs_guard_direction>(3), 1, 1, CS_GUARD_ERROR, 0}},
         "fault 1: direction 3: must be 0..2"},
        {{},
         {{0, 8, CS_GUARD_ANY, 1, 1, static_cast<cs_guard_action>(2), 0}},
         "fault 1: action 2: must be 0 or 1"},
        {{},
         {{0, 8, CS_GUARD_ANY, 1, 1, CS_GUARD_STALL, 0}},
         "fault 1: stall of 0 cycles: must be at least 1 for a stall, 0 for an error"},
        {{},
         {{0, 8, CS_GUARD_ANY, 1, 1, CS_GUARD_ERROR, 3}},
         "fault 1: stall of 3 cycles: must be at least 1 for a stall, 0 for an error"},
    };

    for (const auto &c : cases) {
        cs_guard *out = nullptr;
        cs_diag diag{};
        EXPECT_EQ(cs_guard_create(c.regions.data(), c.regions.size(), c.faults.data(),
                                  c.faults.size(), &out, &diag),
                  CS_ERR_RANGE);
        EXPECT_EQ(printed(diag), c.expected);
        EXPECT_EQ(out, nullptr);
    }
}

} // namespace
