// SPDX-License-Identifier: Apache-2.0
// docs/hw/bus.md, "Times of an undisturbed transfer": nothing at n-1, all of it at n.
#include "bench.hpp"

#include <gtest/gtest.h>

namespace
{

constexpr uint64_t cluster0 = cluster_base, cluster1 = cluster_base + 0x100000;
constexpr uint64_t nowhere = 0x40000000;
constexpr uint64_t slot0 = cluster0, slot2 = cluster0 + 0x20000, absent = cluster0 + 0x50000;
constexpr uint64_t broadcast = cluster0 + 0xf0000;
constexpr uint64_t unit_error = slot0 + 0xe000;

constexpr bool R = false, W = true;

struct Row {
    const char *name;
    bool write;
    uint64_t addr;
    unsigned beats = 1, size = 3;
    unsigned response = OKAY;
    Straps straps{};
    GuardAnswer answer{};
    std::vector<uint8_t> strb{};
    unsigned burst = 1;
};

struct Times {
    uint64_t grant, check, complete;
    uint64_t address = 0, effect = 0; // 0: there is none
    unsigned reg_en = 0;
};

// Slots that see the access, as reg_en has them; 0: refused by the bridge or by the fabric.
unsigned slots_of(const Row &row)
{
    const unsigned target = target_of(row.addr, row.straps.clusters);
    const bool strobes = !row.write || row.strb.empty();
    if (row.beats != 1 || row.size < 2 || !strobes)
        return 0;
    if (target == 1)
        return 1;
    const unsigned first = nr_slot * (target - 2), slot = row.addr >> 16 & 15;
    const unsigned present = row.straps.present >> first & ((1u << nr_slot) - 1);
    if (slot == 15)
        return row.write ? present << (1 + first) : 0;
    return slot < nr_slot ? (present & 1u << slot) << (1 + first) : 0;
}

// The page's table.
Times times_of(const Row &row, uint64_t t)
{
    const Straps &s = row.straps;
    const uint64_t n = row.beats, B = s.ret, gaps = (n - 1) * (1 + s.gap);
    const unsigned target = target_of(row.addr, s.clusters);
    const Transfer x{row.write, row.addr, row.beats, row.size, row.burst};
    Times times{};

    times.grant = t + 1;
    times.check = times.grant + 1;
    const uint64_t a = times.grant + 2 + s.forward + row.answer.stall;
    if (target == hole || malformed(x) || row.answer.error) {
        times.complete = row.write ? a + n + B : a + B + (n - 1);
        return times;
    }
    times.address = a;
    if (target == 0) {
        const uint64_t w = a + 1 + gaps;
        times.complete = row.write ? w + 2 + s.write + B : a + 2 + s.read + B + gaps;
        return times;
    }
    if (n > 1) {
        times.complete = row.write ? a + n + s.access + 1 + B : a + s.access + 1 + B + (n - 1);
        return times;
    }
    times.effect = a + s.access + row.write;
    times.complete = times.effect + 1 + B;
    times.reg_en = slots_of(row);
    return times;
}

void check(const Row &row, unsigned manager, uint64_t request, uint64_t seed)
{
    SCOPED_TRACE(row.name);
    Bench bench(row.straps, seed);
    bench.guard = [&row](const GuardAsk &) { return row.answer; };
    while (bench.now() < request)
        bench.step();

    Transfer x{row.write, row.addr, row.beats, row.size, row.burst};
    x.id = static_cast<unsigned>(seed % 16);
    x.strb = row.strb;
    x.data.assign(row.write ? row.beats : 0, 0x0123456789abcdefull);
    const Transfer &done = bench.post(manager, x);
    bench.run(70000);

    ASSERT_TRUE(done.done);
    EXPECT_EQ(done.request, request);
    const Times want = times_of(row, request);
    const unsigned target = target_of(row.addr, row.straps.clusters);
    const unsigned path = row.straps.shared ? 0 : target;
    const unsigned m = 1u << manager;

    for (uint64_t n = 0; n < bench.now(); n++) {
        const Cycle &c = bench.history()[n];
        const bool more = ::testing::Test::HasFailure();
        // Each of these is in its own cycle and in no other: not at n-1, at n.
        EXPECT_EQ(row.write ? c.aw : c.ar, n == want.grant ? m : 0u) << "grant, cycle " << n;
        EXPECT_EQ(c.chk, n == want.check ? 1u << path : 0u) << "check, cycle " << n;
        const bool address = want.address != 0 && n == want.address;
        EXPECT_EQ(row.write ? c.t_aw : c.t_ar, address ? 1u << target : 0u)
            << "address, cycle " << n;
        EXPECT_EQ(row.write ? c.t_aw_valid : c.t_ar_valid, address ? 1u << target : 0u);
        const bool effect = want.effect != 0 && n == want.effect;
        EXPECT_EQ(c.reg_en, effect ? want.reg_en : 0u) << "effect, cycle " << n;
        EXPECT_EQ(row.write ? c.b : c.r_last, n == want.complete ? m : 0u)
            << "complete, cycle " << n;
        EXPECT_EQ(row.write ? c.r_valid : c.b_valid, 0u) << "the other channel, cycle " << n;
        if (!more && ::testing::Test::HasFailure())
            break;
    }

    ASSERT_EQ(bench.asks().size(), 1u) << "the guard is asked once";
    EXPECT_EQ(bench.asks()[0].addr, row.addr);
    EXPECT_EQ(bench.asks()[0].write, row.write);
    EXPECT_EQ(bench.asks()[0].bytes, std::min<uint64_t>(128, x.bytes()));

    EXPECT_EQ(done.responses.size(), row.write ? 1u : row.beats);
    for (unsigned response : done.responses)
        EXPECT_EQ(response, row.response);
    if (!row.write && row.response != OKAY) {
        EXPECT_EQ(done.data, std::vector<uint64_t>(row.beats, 0));
    }
    EXPECT_EQ(bench.violations(), "");
}

Straps straps(bool shared, unsigned F, unsigned B, unsigned RL, unsigned WL, unsigned G, unsigned A)
{
    return {shared, F, B, RL, WL, G, A};
}

const Straps base{};
const Straps zero = straps(true, 0, 0, 0, 0, 0, 1);
const Straps zero_each = straps(false, 0, 0, 0, 0, 0, 1);
const Straps each = straps(false, 2, 2, 20, 4, 0, 10);
const Straps slow = straps(true, 255, 255, 1023, 1023, 15, 255);
const Straps odd = straps(false, 1, 3, 5, 7, 2, 3);

const Row rows[] = {
    {"read 1", R, ram_base, 1, 3, OKAY, base},
    {"read 2", R, ram_base + 8, 2, 3, OKAY, base},
    {"read 16", R, ram_base + 0x80, 16, 3, OKAY, base},
    {"read 1, all zero", R, ram_base, 1, 3, OKAY, zero},
    {"read 16, all zero", R, ram_base, 16, 3, OKAY, zero},
    {"read 16, all zero, per target", R, ram_base, 16, 3, OKAY, zero_each},
    {"read 5, odd", R, ram_base, 5, 3, OKAY, odd},
    {"read 16, longest", R, ram_base, 16, 3, OKAY, slow},
    {"read 3, gap 1", R, ram_base, 3, 3, OKAY, straps(true, 2, 2, 20, 4, 1, 10)},
    {"read 3, RL 1", R, ram_base, 3, 3, OKAY, straps(true, 2, 2, 1, 4, 0, 10)},
    {"read 3, B 1", R, ram_base, 3, 3, OKAY, straps(true, 2, 1, 20, 4, 0, 10)},
    {"read 3, F 1", R, ram_base, 3, 3, OKAY, straps(true, 1, 2, 20, 4, 0, 10)},
    {"read to the end of a page", R, ram_base + 0xf80, 16, 3, OKAY, base},
    {"read the last word of memory", R, ram_base + ram_size - 8, 1, 3, OKAY, base},
    {"read 1 byte", R, ram_base + 7, 1, 0, OKAY, base},
    {"read 2 bytes", R, ram_base + 6, 1, 1, OKAY, base},
    {"read 4 bytes", R, ram_base + 4, 1, 2, OKAY, base},
    {"read, stall 1", R, ram_base, 1, 3, OKAY, base, {false, 1}},
    {"read, stall 1, all zero", R, ram_base, 1, 3, OKAY, zero, {false, 1}},
    {"read, stall 65535", R, ram_base, 1, 3, OKAY, slow, {false, 65535}},

    {"write 1", W, ram_base, 1, 3, OKAY, base},
    {"write 2", W, ram_base + 8, 2, 3, OKAY, base},
    {"write 16", W, ram_base + 0x80, 16, 3, OKAY, base},
    {"write 1, all zero", W, ram_base, 1, 3, OKAY, zero},
    {"write 16, all zero", W, ram_base, 16, 3, OKAY, zero},
    {"write 16, all zero, per target", W, ram_base, 16, 3, OKAY, zero_each},
    {"write 5, odd", W, ram_base, 5, 3, OKAY, odd},
    {"write 16, longest", W, ram_base, 16, 3, OKAY, slow},
    {"write 3, gap 1", W, ram_base, 3, 3, OKAY, straps(true, 2, 2, 20, 4, 1, 10)},
    {"write 3, WL 1", W, ram_base, 3, 3, OKAY, straps(true, 2, 2, 20, 1, 0, 10)},
    {"write 1 byte", W, ram_base + 5, 1, 0, OKAY, base},
    {"write 4 bytes", W, ram_base + 4, 1, 2, OKAY, base},
    {"write, stall 300", W, ram_base, 2, 3, OKAY, odd, {false, 300}},

    {"register read 4", R, slot0 + 4, 1, 2, OKAY, base},
    {"register read 8", R, slot2 + 0x10, 1, 3, OKAY, base},
    {"register read, all zero", R, slot2, 1, 2, OKAY, zero},
    {"register read, odd", R, cluster1 + 0x10000, 1, 3, OKAY, odd},
    {"register read, longest", R, slot0, 1, 2, OKAY, slow},
    {"register read of the PMCU", R, pmcu_base + 0xfff8 - 0x2000, 1, 3, OKAY, base},
    {"register read, stall 9", R, slot0, 1, 2, OKAY, each, {false, 9}},
    {"register write 4", W, slot0 + 4, 1, 2, OKAY, base},
    {"register write 8", W, slot2 + 0x10, 1, 3, OKAY, base},
    {"register write, all zero", W, slot2, 1, 2, OKAY, zero},
    {"register write, odd", W, cluster1 + 0x20000, 1, 3, OKAY, odd},
    {"register write, longest", W, slot0, 1, 2, OKAY, slow},
    {"register write to the PMCU", W, pmcu_base + 0x8, 1, 2, OKAY, base},
    {"broadcast write 4", W, broadcast + 0x20, 1, 2, OKAY, base},
    {"broadcast write 8, odd", W, broadcast + 0x100000 + 8, 1, 3, OKAY, odd},
    {"broadcast write that all units refuse", W, broadcast + 0xe000, 1, 2, OKAY, base},
    {"unit's error, read", R, unit_error, 1, 2, SLVERR, base},
    {"unit's error, write", W, unit_error + 4, 1, 2, SLVERR, odd},

    {"bridge: broadcast read", R, broadcast, 1, 2, SLVERR, base},
    {"bridge: absent slot, read", R, absent, 1, 2, SLVERR, base},
    {"bridge: absent slot, write", W, absent, 1, 3, SLVERR, odd},
    {"bridge: 1 byte, read", R, slot0 + 3, 1, 0, SLVERR, base},
    {"bridge: 2 bytes, write", W, slot0 + 2, 1, 1, SLVERR, odd},
    {"bridge: 1 byte, PMCU", W, pmcu_base + 1, 1, 0, SLVERR, base},
    {"bridge: no byte enables", W, slot0, 1, 2, SLVERR, base, {}, {0x00}},
    {"bridge: one byte enable is missing, low", W, slot0, 1, 2, SLVERR, base, {}, {0x07}},
    {"bridge: one byte enable is missing, high", W, slot0 + 4, 1, 2, SLVERR, odd, {}, {0xe0}},
    {"bridge: one byte enable is missing, 8", W, slot0, 1, 3, SLVERR, base, {}, {0xfe}},
    {"bridge: broadcast without byte enables", W, broadcast, 1, 2, SLVERR, base, {}, {0x01}},
    {"bridge: burst read 2", R, slot0, 2, 3, SLVERR, base},
    {"bridge: burst read 16", R, slot0, 16, 3, SLVERR, odd},
    {"bridge: burst read, all zero", R, pmcu_base, 3, 3, SLVERR, zero},
    {"bridge: burst write 2", W, slot0, 2, 3, SLVERR, base},
    {"bridge: burst write 16", W, slot0, 16, 3, SLVERR, odd},
    {"bridge: burst write, all zero", W, pmcu_base, 3, 3, SLVERR, zero},
    {"bridge: burst broadcast", W, broadcast, 2, 3, SLVERR, base},

    {"hole read 1", R, nowhere, 1, 3, DECERR, base},
    {"hole read 16", R, nowhere, 16, 3, DECERR, each},
    {"hole read 4, all zero", R, nowhere, 4, 3, DECERR, zero},
    {"hole read, longest", R, nowhere, 16, 3, DECERR, slow},
    {"hole write 1", W, nowhere, 1, 3, DECERR, base},
    {"hole write 16", W, nowhere, 16, 3, DECERR, each},
    {"hole write 4, all zero", W, nowhere, 4, 3, DECERR, zero},
    {"hole: below memory", R, ram_base - 8, 1, 3, DECERR, base},
    {"hole: above memory", R, ram_base + ram_size, 1, 3, DECERR, base},
    {"hole: above the PMCU", W, pmcu_base + 0x10000, 1, 2, DECERR, base},
    {"hole: below the clusters", R, cluster_base - 8, 1, 3, DECERR, base},
    {"hole: a cluster that is not elaborated", R, cluster_base + 0x200000, 1, 2, DECERR, base},
    {"hole: a cluster that the die does not have",
     R,
     cluster1,
     1,
     2,
     DECERR,
     {true, 2, 2, 20, 4, 0, 10, 1}},
    {"hole: high address bits count", R, ram_base | 1ull << 40, 1, 3, DECERR, base},
    {"hole: bit 56 is not alone", R, ram_base | 3ull << 56, 1, 3, DECERR, base},
    {"hole: another bit than 56", W, ram_base | 2ull << 56, 1, 3, DECERR, each},
    {"hole: high address bits count, cluster", W, slot0 | 1ull << 63, 1, 3, DECERR, each},
    {"guard's error on a hole", R, nowhere, 2, 3, DECERR, base, {true, 3}},
    {"malformed in a hole", R, nowhere + 4, 2, 3, DECERR, base},

    {"guard's error, read 1", R, ram_base, 1, 3, SLVERR, base, {true, 0}},
    {"guard's error, read 16, stall", R, ram_base, 16, 3, SLVERR, odd, {true, 7}},
    {"guard's error, write 1", W, ram_base, 1, 3, SLVERR, base, {true, 0}},
    {"guard's error, write 16, stall", W, ram_base, 16, 3, SLVERR, odd, {true, 7}},
    {"guard's error, register", W, slot0, 1, 2, SLVERR, base, {true, 1}},
    {"guard's error, broadcast", W, broadcast, 1, 2, SLVERR, each, {true, 0}},
    {"guard's error, all zero", R, ram_base, 3, 3, SLVERR, zero, {true, 0}},

    {"malformed: FIXED", R, ram_base, 2, 3, SLVERR, base, {}, {}, 0},
    {"malformed: WRAP", W, ram_base, 2, 3, SLVERR, odd, {}, {}, 2},
    {"malformed: FIXED, one beat", R, ram_base, 1, 3, SLVERR, base, {}, {}, 0},
    {"malformed: narrow burst", R, ram_base, 4, 2, SLVERR, base},
    {"malformed: narrow burst, write", W, ram_base, 4, 0, SLVERR, base},
    {"malformed: unaligned 8", R, ram_base + 4, 1, 3, SLVERR, base},
    {"malformed: unaligned 4", W, slot0 + 2, 1, 2, SLVERR, each},
    {"malformed: unaligned 2", R, ram_base + 1, 1, 1, SLVERR, base},
    {"malformed: too wide", R, ram_base, 1, 4, SLVERR, base},
    {"malformed: widest", R, ram_base, 16, 7, SLVERR, base},
    {"malformed: across 4 KiB", R, ram_base + 0xff8, 2, 3, SLVERR, base},
    {"malformed: across 4 KiB, write", W, ram_base + 0xf88, 16, 3, SLVERR, odd},
    {"malformed: out of memory", R, ram_base + ram_size - 8, 2, 3, SLVERR, base},
    {"malformed: 17 beats, read", R, ram_base, 17, 3, SLVERR, base},
    {"malformed: 17 beats, write", W, ram_base, 17, 3, SLVERR, odd},
    {"malformed: 256 beats, read", R, ram_base, 256, 3, SLVERR, zero},
    {"malformed: 256 beats, write", W, ram_base, 256, 3, SLVERR, base},
    {"malformed: 256 beats, register", R, slot0, 256, 2, SLVERR, each},
};

TEST(BusRtlTimes, Table)
{
    uint64_t i = 0;
    for (const Row &row : rows) {
        check(row, static_cast<unsigned>(i % nr_manager), 1 + i % 5, i);
        i++;
        if (HasFatalFailure())
            return;
    }
}

TEST(BusRtlTimes, EveryBurstLength)
{
    for (bool shared : {true, false})
        for (unsigned gap : {0u, 1u, 4u})
            for (unsigned n = 1; n <= 16; n++)
                for (bool write : {R, W}) {
                    const Straps s = straps(shared, 1, 2, 3, 2, gap, 4);
                    const std::string what = (write ? "write " : "read ") + std::to_string(n) +
                                             " gap " + std::to_string(gap);
                    check({what.c_str(), write, ram_base + 0x200, n, 3, OKAY, s}, n % 3, 2, n);
                }
}

TEST(BusRtlTimes, AnyStraps)
{
    std::mt19937_64 rng(7);
    auto below = [&rng](unsigned n) { return static_cast<unsigned>(rng() % n); };
    const uint64_t addresses[] = {ram_base + 0x100, pmcu_base + 8, slot0 + 8, slot2,
                                  cluster1 + 8,     nowhere};
    for (unsigned i = 0; i < 1000; i++) {
        const Straps s =
            straps(below(2), below(12), below(12), below(40), below(20), below(16), 1 + below(20));
        Row row{"", below(2) != 0, addresses[below(6)], 1, 3, OKAY, s};
        row.answer = {below(8) == 0, below(3) ? 0 : below(30)};
        const unsigned target = target_of(row.addr, s.clusters);
        if (target == 0 || target == hole)
            row.beats = 1 + below(16);
        else if (below(4) == 0)
            row.beats = 2 + below(15);
        if (row.beats == 1 && below(2))
            row.size = 2;
        row.response = target == hole                 ? DECERR
                       : row.answer.error             ? SLVERR
                       : target != 0 && row.beats > 1 ? SLVERR
                                                      : OKAY;
        const std::string what = "case " + std::to_string(i);
        row.name = what.c_str();
        check(row, below(nr_manager), 1 + below(6), i);
        if (HasFailure())
            return;
    }
}

// "A path whose transfer completes in c can grant the next in c + 2."
TEST(BusRtlTimes, NextGrant)
{
    for (bool shared : {true, false}) {
        for (uint64_t addr : {ram_base, slot0, nowhere}) {
            for (bool write : {R, W}) {
                Bench bench(straps(shared, 1, 1, 2, 2, 0, 2));
                const Transfer &one = bench.post(0, {write, addr});
                const Transfer &two = bench.post(1, {write, addr});
                bench.run();
                ASSERT_TRUE(one.done && two.done);
                EXPECT_EQ(two.grant, one.complete + 2);
            }
        }
    }
}

// "A manager acts on a completion in c + 1": its own next request meets the path in IDLE.
TEST(BusRtlTimes, SameManagerAgain)
{
    Bench bench(zero);
    const Transfer &one = bench.post(2, {R, ram_base});
    const Transfer &two = bench.post(2, {R, ram_base + 8});
    bench.run();
    EXPECT_EQ(two.request, one.complete + 1);
    EXPECT_EQ(two.grant, one.complete + 2);
}

} // namespace
