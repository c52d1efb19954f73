// SPDX-License-Identifier: Apache-2.0
// Random traffic of three managers, with back-pressure, against a scoreboard of memory and
// registers, the round robin and the cycle of every step (docs/hw/bus.md).
#include "Vbus_tb_top.h"
#include "bench.hpp"
#include "pins.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace
{

struct Access { // what acc_* showed
    uint64_t cycle;
    unsigned bridge;
    bool write, wide, err;
    uint64_t addr, wdata, rdata;
};

struct Expected {
    unsigned manager = 0, path = 0, target = 0, response = OKAY;
    GuardAnswer guard{};
    std::vector<unsigned> slots; // that see it
    bool broadcast = false, reaches_bridge = false;
    std::vector<uint64_t> data; // of a read
};

uint64_t lanes(const Transfer &x)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < 8; i++)
        if (Transfer{x.write, x.addr, 1, x.size}.strobe(0) >> i & 1)
            mask |= 0xffull << 8 * i;
    return mask;
}

class World
{
  public:
    World(const Straps &straps, uint64_t seed) : bench(straps, seed), rng_(seed * 77 + 5)
    {
        bench.on_grant = [this](Transfer &x, unsigned m) { granted(x, m); };
        bench.on_done = [this](Transfer &x, unsigned) { finished(x); };
        bench.guard = [this](const GuardAsk &ask) { return asked(ask); };
        bench.on_cycle = [this] { watch(); };
    }

    void fill(unsigned transfers)
    {
        for (unsigned i = 0; i < transfers; i++)
            for (unsigned m = 0; m < nr_manager; m++)
                for (bool write : {false, true})
                    list.push_back(&bench.post(m, any(write)));
    }

    void check();

    Bench bench;
    std::vector<const Transfer *> list; // by manager, then read and write: see fill()

  private:
    unsigned below(unsigned n)
    {
        return static_cast<unsigned>(rng_() % n);
    }
    Transfer any(bool write);
    void granted(Transfer &x, unsigned manager);
    void finished(Transfer &x);
    GuardAnswer asked(const GuardAsk &ask);
    void watch();
    void check_cycles(const Transfer &x, const Expected &e);
    void check_order();
    unsigned path_of(const Transfer &x) const
    {
        return bench.straps().shared ? 0 : target_of(x.addr, bench.straps().clusters);
    }

    std::mt19937_64 rng_;
    std::map<const Transfer *, Expected> expected_;
    std::map<unsigned, Transfer *> on_path_;
    std::map<uint64_t, uint64_t> memory_;
    std::map<std::pair<unsigned, unsigned>, uint64_t> regs_; // slot, word
    std::vector<Access> accesses_;
    std::vector<uint64_t> effects_; // cycles in which acc_valid must be high
};

Transfer World::any(bool write)
{
    Transfer x;
    x.write = write;
    x.id = below(16);
    x.address_delay = below(3) ? 0 : below(30);
    x.data_delay = below(3) ? 0 : below(30);
    switch (below(10)) {
    case 0:
        x.addr = 0x40000000 + 8 * below(64);
        x.beats = 1 + below(16);
        break;
    case 1:
    case 2:
    case 3: // registers, often those that others use too
        x.addr = below(4) == 0 ? pmcu_base : cluster_base + 0x100000 * below(2);
        if (x.addr != pmcu_base)
            x.addr += 0x10000 * (below(4) == 0 ? 15 : below(5));
        x.addr += 4 * below(64) + (below(10) == 0 ? 0xe000 : 0);
        x.size = x.addr & 4 ? 2 : 2 + below(2);
        if (below(10) == 0) {
            x.addr &= ~7ull;
            x.size = 3;
            x.beats = 1 + below(16);
        }
        if (below(15) == 0)
            x.strb.push_back(static_cast<uint8_t>(x.strobe(0) & rng_()));
        break;
    case 4: // malformed, now and then
        x.addr = ram_base + below(4096);
        x.size = below(5);
        x.beats = 1 + below(below(20) ? 20 : 256);
        x.burst = below(3);
        break;
    case 5: // narrow
        x.size = below(4);
        x.addr = ram_base + 0x1000 + (below(256) << x.size);
        break;
    default: // at the edge of two pages
        x.beats = 1 + below(16);
        x.addr = ram_base + 0x1000 + 8 * below(2 * (17 - x.beats)) - 8 * (17 - x.beats);
        if (x.addr % 4096 + x.bytes() > 4096)
            x.addr = ram_base + 0x1000;
    }
    if (below(5) == 0) // memory adds; elsewhere is nothing
        x.addr |= add_bit;
    if (write) {
        for (unsigned i = 0; i < x.beats; i++)
            x.data.push_back(rng_());
        if (target_of(x.addr, 2) == 0 && below(3) == 0 && !malformed(x))
            for (unsigned i = 0; i < x.beats; i++)
                x.strb.push_back(static_cast<uint8_t>(x.strobe(i) & rng_()));
    }
    return x;
}

GuardAnswer World::asked(const GuardAsk &ask)
{
    const Transfer *x = on_path_[ask.path];
    if (x == nullptr) {
        ADD_FAILURE() << "asked for nobody, cycle " << ask.cycle;
        return {};
    }
    Expected &e = expected_[x];
    EXPECT_EQ(ask.cycle, x->grant + 1);
    EXPECT_EQ(ask.addr, e.target == 0 && x->adds() ? x->addr & ~add_bit : x->addr);
    EXPECT_EQ(ask.write, x->write);
    EXPECT_EQ(ask.bytes, std::min<uint64_t>(128, x->bytes()));
    e.guard = {below(12) == 0, below(4) ? 0 : below(25)};

    // What is true from here on: no other transfer can touch the target before this is complete.
    e.response = e.target == hole ? DECERR : malformed(*x) || e.guard.error ? SLVERR : OKAY;
    if (e.response != OKAY)
        return e.guard;
    if (e.target == 0) {
        for (unsigned i = 0; !x->write && i < x->beats; i++)
            e.data.push_back(memory_[x->beat_addr(i)]);
        return e.guard;
    }
    e.reaches_bridge = true;
    e.response = SLVERR;
    const bool strobes =
        !x->write || x->strb.empty() || x->strb[0] == Transfer{true, x->addr, 1, x->size}.strobe(0);
    if (x->beats != 1 || x->size < 2 || !strobes)
        return e.guard;
    const unsigned slot = x->addr >> 16 & 15;
    if (e.target == 1) {
        e.slots = {0};
    } else {
        const unsigned first = nr_slot * (e.target - 2);
        e.broadcast = slot == 15 && x->write;
        for (unsigned s = 0; s < nr_slot; s++)
            if ((e.broadcast || s == slot) && bench.straps().present >> (first + s) & 1)
                e.slots.push_back(1 + first + s);
    }
    const bool refused = (x->addr & 0xe000) == 0xe000;
    if (e.broadcast || (!e.slots.empty() && !refused))
        e.response = OKAY;
    if (!x->write && e.response == OKAY)
        e.data = {regs_[{e.slots[0], x->addr >> 3 & 31}]};
    return e.guard;
}

void World::granted(Transfer &x, unsigned manager)
{
    Expected &e = expected_[&x];
    e.manager = manager;
    e.target = target_of(x.addr, bench.straps().clusters);
    e.path = path_of(x);
    EXPECT_EQ(on_path_[e.path], nullptr) << "two transfers on a path";
    on_path_[e.path] = &x;
}

void World::finished(Transfer &x)
{
    Expected &e = expected_[&x];
    on_path_[e.path] = nullptr;
    if (!x.write || e.response == DECERR)
        return;
    if (e.target == 0 && e.response == OKAY) {
        for (unsigned i = 0; i < x.beats && x.adds(); i++) {
            uint64_t &word = memory_[x.beat_addr(i)];
            if (x.strobe(i) == 0xff)
                word = __builtin_bswap64(__builtin_bswap64(word) + __builtin_bswap64(x.data[i]));
        }
        for (unsigned i = 0; i < x.beats && !x.adds(); i++)
            for (unsigned b = 0; b < 8; b++)
                if (x.strobe(i) >> b & 1)
                    put_pin(memory_[x.beat_addr(i)], 8 * b, 8, x.data[i] >> 8 * b & 0xff);
    }
    if ((x.addr & 0xe000) == 0xe000)
        return;
    for (unsigned slot : e.slots) {
        uint64_t &word = regs_[{slot, x.addr >> 3 & 31}];
        word = (word & ~lanes(x)) | (x.data[0] & lanes(x));
    }
}

void World::watch()
{
    Vbus_tb_top &t = bench.top();
    for (unsigned b = 0; b < 3; b++)
        if (get_pin(t.acc_valid_o, b, 1))
            accesses_.push_back({bench.now(), b, get_pin(t.acc_write_o, b, 1) != 0,
                                 get_pin(t.acc_wide_o, b, 1) != 0, get_pin(t.acc_err_o, b, 1) != 0,
                                 get_pin(t.acc_addr_o, 20 * b, 20),
                                 get_pin(t.acc_wdata_o, 64 * b, 64),
                                 get_pin(t.acc_rdata_o, 64 * b, 64)});
}

// Every step of a transfer from its grant on: only W gaps and unwillingness delay it.
void World::check_cycles(const Transfer &x, const Expected &e)
{
    const Straps &s = bench.straps();
    const auto &history = bench.history();
    const uint64_t a = x.grant + 2 + s.forward + e.guard.stall;
    const unsigned bit = 1u << e.target, m = 1u << e.manager;
    const bool asked_target = e.reaches_bridge || (e.target == 0 && e.response == OKAY);
    uint64_t first = 0;

    for (uint64_t n = x.grant; asked_target && n <= a; n++)
        EXPECT_EQ(((x.write ? history[n].t_aw : history[n].t_ar) & bit) != 0, n == a);
    for (uint64_t n = x.grant; !asked_target && s.shared && n <= x.complete; n++)
        EXPECT_EQ(history[n].t_aw_valid | history[n].t_ar_valid, 0u);

    if (x.write) {
        const uint64_t w = x.beat_cycles.back();
        EXPECT_GE(x.beat_cycles[0], asked_target ? a + 1 : a);
        first = !asked_target   ? w + 1 + s.ret
                : e.target == 0 ? w + 2 + s.write + s.ret
                                : w + s.access + 1 + s.ret;
        for (unsigned i = 1; asked_target && e.target == 0 && i < x.beats; i++)
            EXPECT_GE(x.beat_cycles[i], x.beat_cycles[i - 1] + 1 + s.gap);
        for (uint64_t n = x.grant; n <= x.complete; n++)
            EXPECT_EQ((history[n].b_valid & m) != 0, n >= first) << "BVALID, cycle " << n;
    } else {
        first = !asked_target   ? a + s.ret
                : e.target == 0 ? a + 2 + s.read + s.ret
                                : a + s.access + 1 + s.ret;
        uint64_t from = first;
        const unsigned gap = asked_target && e.target == 0 ? s.gap : 0;
        uint64_t n = x.grant;
        for (uint64_t beat : x.beat_cycles) {
            for (; n <= beat; n++)
                EXPECT_EQ((history[n].r_valid & m) != 0, n >= from) << "RVALID, cycle " << n;
            from = beat + 1 + gap;
        }
    }
    EXPECT_EQ(x.first, first);
    if (e.reaches_bridge && (e.broadcast || !e.slots.empty())) {
        const uint64_t effect = first - s.ret - 1;
        unsigned mask = 0;
        for (unsigned slot : e.slots)
            mask |= 1u << slot;
        const unsigned mine = e.target == 1 ? 1u : 7u << (1 + nr_slot * (e.target - 2));
        for (uint64_t n = x.grant; n <= x.complete; n++)
            EXPECT_EQ(history[n].reg_en & mine, n == effect ? mask : 0u);
        effects_.push_back(effect);

        const auto access = std::find_if(accesses_.begin(), accesses_.end(), [&](const Access &c) {
            return c.cycle == effect && c.bridge == e.target - 1;
        });
        ASSERT_NE(access, accesses_.end());
        EXPECT_EQ(access->addr, x.addr & 0xfffff);
        EXPECT_EQ(access->write, x.write);
        EXPECT_EQ(access->wide, x.size == 3);
        EXPECT_EQ(access->err, e.response != OKAY);
        const unsigned shift = x.size == 2 && x.addr & 4 ? 32 : 0;
        const uint64_t mask64 = x.size == 3 ? ~0ull : 0xffffffffull;
        const uint64_t read = e.data.empty() ? 0 : e.data[0] >> shift & mask64;
        EXPECT_EQ(access->rdata & mask64, read) << "nothing, of a write";
        if (x.write) {
            EXPECT_EQ(access->wdata & mask64, x.data[0] >> shift & mask64);
        }
    }
}

// "Pick", replayed from the requests alone: every grant in its cycle.
void World::check_order()
{
    for (unsigned path = 0; path < nr_path; path++) {
        std::vector<const Transfer *> open;
        for (const Transfer *x : list)
            if (path_of(*x) == path)
                open.push_back(x);
        uint64_t idle = 0;
        unsigned last = 2 * nr_manager - 1;
        while (!open.empty()) {
            uint64_t t = ~0ull;
            for (const Transfer *x : open)
                t = std::min(t, x->request);
            t = std::max(t, idle);
            const Transfer *pick = nullptr;
            unsigned distance = ~0u, who = 0;
            for (const Transfer *x : open) {
                const unsigned r = 2 * expected_[x].manager + x->write;
                const unsigned d = (r + 2 * nr_manager - last - 1) % (2 * nr_manager);
                if (x->request <= t && d < distance) {
                    pick = x;
                    distance = d;
                    who = r;
                }
            }
            ASSERT_EQ(pick->grant, t + 1) << "path " << path << ", requester " << who;
            last = who;
            idle = pick->complete + 1;
            open.erase(std::find(open.begin(), open.end(), pick));
        }
    }
}

void World::check()
{
    for (const Transfer *x : list) {
        ASSERT_TRUE(x->done);
        const Expected &e = expected_[x];
        SCOPED_TRACE(std::string(x->write ? "write" : "read") + " granted in " +
                     std::to_string(x->grant) + " to target " + std::to_string(e.target));
        EXPECT_EQ(x->responses.size(), x->write ? 1u : x->beats);
        for (unsigned response : x->responses)
            EXPECT_EQ(response, e.response);
        for (unsigned i = 0; !x->write && i < x->data.size(); i++) {
            const uint64_t want = i < e.data.size() ? e.data[i] : 0;
            EXPECT_EQ(x->data[i] & lanes(*x), want & lanes(*x)) << "beat " << i;
        }
        check_cycles(*x, e);
        if (::testing::Test::HasFailure())
            return;
    }
    EXPECT_EQ(accesses_.size(), effects_.size()) << "acc_valid and nobody asked";
    EXPECT_EQ(bench.asks().size(), list.size());
    check_order();
    for (const auto &[addr, word] : bench.memory)
        EXPECT_EQ(word, memory_[addr]) << std::hex << addr;
    for (const auto &[addr, word] : memory_)
        EXPECT_EQ(bench.memory[addr], word) << std::hex << addr;
    EXPECT_EQ(bench.violations(), "");
}

struct Kind {
    const char *name;
    Straps straps;
    std::array<Pace, nr_manager> pace;
};

const Pace eager{}, lazy{30, 30, 30}, stuck{5, 5, 5};
const Kind kinds[] = {
    {"shared, eager", {true, 2, 2, 20, 4, 0, 10}, {eager, eager, eager}},
    {"shared, lazy", {true, 1, 3, 4, 2, 0, 3}, {lazy, lazy, lazy}},
    {"shared, no latency", {true, 0, 0, 0, 0, 0, 1}, {eager, lazy, stuck}},
    {"shared, gaps", {true, 0, 1, 2, 1, 3, 2}, {lazy, eager, Pace{50, 10, 90}}},
    {"per target, eager", {false, 2, 2, 20, 4, 0, 10}, {eager, eager, eager}},
    {"per target, lazy", {false, 1, 3, 4, 2, 1, 3}, {lazy, lazy, stuck}},
    {"per target, no latency", {false, 0, 0, 0, 0, 0, 1}, {eager, eager, eager}},
    {"per target, no latency, lazy", {false, 0, 0, 0, 0, 0, 1}, {lazy, Pace{90, 90, 20}, lazy}},
    {"per target, one cluster", {false, 3, 0, 9, 0, 2, 7, 1, 0x05}, {eager, lazy, eager}},
    {"shared, absent slots", {true, 0, 5, 1, 9, 0, 2, 2, 0x2a}, {eager, eager, lazy}},
};

TEST(BusRtlRandom, Scoreboard)
{
    uint64_t seed = 1;
    for (const Kind &kind : kinds) {
        for (unsigned repeat = 0; repeat < 4; repeat++, seed++) {
            SCOPED_TRACE(std::string(kind.name) + ", seed " + std::to_string(seed));
            World world(kind.straps, seed);
            world.bench.pace = kind.pace;
            world.fill(150);
            world.bench.run(2000000);
            world.check();
            if (HasFailure())
                return;
        }
    }
}

} // namespace
