// SPDX-License-Identifier: Apache-2.0
// A hart in front of a CSR block and a bus that say what they are told to, and log what they are
// asked. The same software runs in three ways: called directly; on its own stack, cycle by cycle;
// on its own stack, from one answer of cs_hart_next to the next, ahead as far as chance has it.
#ifndef CS_TB_DRIVERS_HART_HART_BENCH_HPP
#define CS_TB_DRIVERS_HART_HART_BENCH_HPP

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <countersink/base/bus/memory.h>
#include <countersink/drivers/hpm/hart.h>

namespace cs_test
{

// No two are alike, and none is a sum of others.
constexpr cs_hart_costs kCosts = {3, 70, 50, 400, 20};
constexpr cs_hart_costs kNoCosts = {1, 0, 0, 0, 0};

enum class Way { kDirect, kEveryCycle, kByNext };
constexpr Way kWays[] = {Way::kDirect, Way::kEveryCycle, Way::kByNext};
enum class Bus { kAtOnce, kLater, kLaterCopied, kLaterAlways }; // kLater: when stepped

class HartBench
{
  public:
    using Software = std::function<void(cs_hart *)>;
    using Log = std::vector<std::string>;

    struct Level { // lines are high in [from, to)
        cs_cycle from, to;
        unsigned lines;
    };

    HartBench()
    {
        config.costs = kCosts;
        config.xlen = 64;
        config.time_mhz = config.clock_mhz = 1;
        EXPECT_EQ(cs_memory_create(&memory, nullptr), CS_OK);
    }
    HartBench(const HartBench &) = delete;
    HartBench &operator=(const HartBench &) = delete;
    ~HartBench()
    {
        destroy();
        cs_memory_destroy(memory);
    }

    // What happens to it.
    cs_hart_config config = {};
    Bus bus = Bus::kAtOnce;
    cs_cycle latency = 4; // of a transfer, from request to completion
    std::vector<Level> levels;
    std::map<uint16_t, cs_hpm_exception> exceptions; // by CSR
    std::map<uint64_t, cs_bus_resp> faults;          // by address of a transfer
    cs_memory *memory = nullptr;

    // What it did.
    Log log;
    std::vector<cs_bus_txn> transfers;
    cs_hart *hart = nullptr;

    const Log &run(Way way, Software software, uint64_t seed = 1)
    {
        create(way != Way::kDirect, std::move(software));
        if (way == Way::kDirect)
            software_(hart);
        for (unsigned i = 0; way != Way::kDirect && !cs_hart_ended(hart) && i < 100000; i++)
            step(way, seed);
        return log;
    }

    void create(bool stepped, Software software)
    {
        const cs_hart_env env = {csr, line, run_track, context, {submit, this}, this, nullptr};
        cs_diag diag = {};

        destroy();
        log.clear();
        transfers.clear();
        stepped_ = stepped;
        software_ = std::move(software);
        cycle_ = to_ = looked_ = accessed_ = 0;
        ahead_ = stepped ? 0 : CS_NEVER;
        pending_ = nullptr;
        config.software = stepped ? run_software : nullptr;
        config.software_ctx = this;
        ASSERT_EQ(cs_hart_create(&config, &env, &hart, &diag), CS_OK) << diag.text;
    }

    // Executes the cycles below `to`, and as far as it can those below `ahead`.
    void advance(cs_cycle to, cs_cycle ahead)
    {
        to_ = to;
        ahead_ = ahead > to ? ahead : to;
        cs_hart_advance(hart, to, ahead);
    }
    bool pending() const
    {
        return pending_ != nullptr;
    }
    void complete()
    {
        cs_bus_txn copy = *pending_;

        pending_ = nullptr;
        cs_hart_bus_done(hart, bus == Bus::kLaterCopied ? &copy : original_);
    }

    void say(const char *format, ...) __attribute__((format(printf, 2, 3)))
    {
        char text[200];
        va_list args;

        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        log.push_back(text);
    }

    // The workload is in U and VU by turns, 16 cycles each.
    static uint8_t mode_at(cs_cycle cycle)
    {
        return cycle / 16 % 2 ? CS_HPM_MODE_VU : CS_HPM_MODE_U;
    }

  private:
    static HartBench &of(void *ctx)
    {
        return *static_cast<HartBench *>(ctx);
    }

    void destroy()
    {
        cs_hart_destroy(hart);
        hart = nullptr;
    }

    void step(Way way, uint64_t &seed)
    {
        if (way == Way::kByNext)
            cycle_ = pending() ? pending_->complete : cs_hart_next(hart);
        ASSERT_NE(cycle_, CS_NEVER);
        if (pending() && pending_->complete == cycle_)
            complete();
        if (way == Way::kEveryCycle) {
            step_cycle();
            return;
        }
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        advance(cycle_ + 1, cycle_ + 1 + (seed >> 33) % 200);
        EXPECT_EQ(cs_hart_next(hart) == CS_NEVER, pending() || cs_hart_ended(hart));
    }

    // As hardware sees it: what an access is must be known when its cycle comes.
    void step_cycle()
    {
        const cs_hpm_access *seen = cs_hart_access(hart, cycle_);
        const uint64_t before = accesses_;

        if (cs_hart_access(hart, cycle_ + 1) != nullptr) {
            EXPECT_EQ(cs_hart_next(hart), cycle_ + 1);
        }
        seen_ = seen != nullptr ? *seen : cs_hpm_access{};
        advance(cycle_ + 1, cycle_ + 1);
        EXPECT_EQ(accesses_ - before, seen != nullptr ? 1u : 0u) << "in cycle " << cycle_;
        cycle_++;
    }

    static void run_software(void *ctx, cs_hart *hart)
    {
        of(ctx).software_(hart);
    }

    static cs_hpm_result csr(void *ctx, cs_cycle e, const cs_hpm_access *a)
    {
        HartBench &b = of(ctx);
        const auto found = b.exceptions.find(a->csr);
        const cs_hpm_exception exception =
            found != b.exceptions.end() ? found->second : CS_HPM_EXCEPTION_NONE;

        EXPECT_LT(e, b.ahead_);
        EXPECT_GT(e, b.accessed_) << "accesses come in rising cycles";
        EXPECT_GE(e, b.looked_) << "a line of a later cycle has been told";
        EXPECT_TRUE(a->stateen_m && a->stateen_h);
        if (b.stepped_ && b.to_ == b.ahead_ && b.seen_.csr != 0) {
            EXPECT_EQ(e, b.cycle_);
            EXPECT_EQ(a->csr, b.seen_.csr);
            EXPECT_EQ(a->value, b.seen_.value);
        }
        b.accessed_ = e;
        b.accesses_++;
        b.say("csr %03x op %u value %llx mode %u time %llu @%llu", a->csr, a->op, ull(a->value),
              a->mode, ull(a->time), ull(e));
        return {exception, exception == CS_HPM_EXCEPTION_NONE ? 0x1000000 + e : 0};
    }

    static cs_cycle line(void *ctx, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high)
    {
        HartBench &b = of(ctx);

        EXPECT_LT(from, to);
        EXPECT_LE(to, b.ahead_);
        EXPECT_GE(from, b.looked_) << "lines are asked about in rising cycles";
        EXPECT_GT(from, b.accessed_);
        for (b.looked_ = lines == 0 ? to : from; b.looked_ < to; b.looked_++) {
            *high = b.lines_at(b.looked_) & lines;
            if (*high != 0)
                return b.looked_;
        }
        *high = 0;
        return to;
    }

    unsigned lines_at(cs_cycle cycle) const
    {
        unsigned lines = 0;

        for (const Level &level : levels)
            if (cycle >= level.from && cycle < level.to)
                lines |= level.lines;
        return lines;
    }

    static void run_track(void *ctx, cs_cycle cycle, cs_hart_track track)
    {
        of(ctx).say("run %d @%llu", track, ull(cycle));
    }

    static void context(void *, cs_cycle cycle, cs_context *out)
    {
        *out = {0x10000 + 4 * cycle, 7, 8, mode_at(cycle), nullptr, false, 0};
    }

    static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn)
    {
        HartBench &b = of(ctx);

        EXPECT_EQ(port, 0u);
        EXPECT_EQ(b.pending_, nullptr);
        EXPECT_TRUE(txn->resp == 0 && txn->grant == 0 && txn->complete == 0) << "of the last one";
        EXPECT_TRUE(!b.stepped_ || txn->request == b.to_) << "asked for in cycle " << b.to_ - 1;
        b.say("%s %llx %ux%u @%llu", txn->write ? "store" : "load", ull(txn->addr), txn->beats,
              txn->size, ull(txn->request));
        txn->grant = txn->request;
        txn->complete = txn->request + b.latency;
        b.carry_out(txn);
        b.transfers.push_back(*txn);
        if (b.bus == Bus::kAtOnce || (!b.stepped_ && b.bus != Bus::kLaterAlways))
            return CS_BUS_DONE;
        b.original_ = txn;
        b.copy_ = *txn;
        b.pending_ = &b.copy_;
        if (b.bus == Bus::kLaterCopied)
            memset(txn->data, 0xee, sizeof txn->data);
        return CS_BUS_PENDING;
    }

    void carry_out(cs_bus_txn *txn)
    {
        const auto found = faults.find(txn->addr);

        txn->resp = static_cast<uint8_t>(found != faults.end() ? found->second : CS_BUS_OKAY);
        if (txn->write)
            EXPECT_EQ(cs_memory_write(memory, txn->addr, cs_bus_txn_bytes(txn), txn->data, nullptr),
                      CS_OK);
        else
            cs_memory_read(memory, txn->addr, cs_bus_txn_bytes(txn), txn->data);
    }

    static unsigned long long ull(uint64_t value)
    {
        return value;
    }

    Software software_;
    bool stepped_ = false;
    cs_cycle cycle_ = 0, to_ = 0, ahead_ = 0;
    cs_cycle looked_ = 0, accessed_ = 0; // cycles below it; of the last access
    uint64_t accesses_ = 0;
    cs_hpm_access seen_ = {};
    cs_bus_txn *original_ = nullptr, *pending_ = nullptr, copy_ = {};
};

} // namespace cs_test

#endif
