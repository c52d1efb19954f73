// SPDX-License-Identifier: Apache-2.0
// The model with its threads and a bus. The bus answers either at once (the completion lies in
// the future) or later, when its cycle has come: the unit must not know the difference.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>

#include "world.hpp"
#include <countersink/models/imc/imc_core.h>

enum class Style { at_once, later, later_copied };

constexpr uint16_t imc_unit = 0x305;
constexpr unsigned imc_port = 5;

// The default: a timebase of its own in every cycle, windows of 2^2 cycles.
inline cs_imc_core_config config_of(unsigned threads, bool power10 = false)
{
    return {power10, threads, 2, {0, 1, 1}, imc_unit};
}

class Bench
{
  public:
    std::vector<Thread> threads;
    Bus bus;
    std::vector<cs_probe_record> records;

    explicit Bench(const cs_imc_core_config &config, Style style = Style::at_once)
        : threads(config.threads), style_(style)
    {
        std::vector<cs_event_source> sources;
        for (Thread &thread : threads)
            sources.push_back(thread.source());
        sink_.record = [](void *ctx, const cs_probe_record *r) {
            static_cast<Bench *>(ctx)->records.push_back(*r);
        };
        sink_.ctx = this;
        cs_imc_core_env env = {};
        env.bus = {[](void *ctx, unsigned port, cs_bus_txn *txn) {
                       return static_cast<Bench *>(ctx)->submit(port, txn);
                   },
                   this};
        env.port = imc_port;
        env.events = sources.data();
        env.probe = &sink_;
        EXPECT_EQ(CS_OK, cs_imc_core_create(&config, &env, &core_, nullptr));
    }
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;
    ~Bench()
    {
        cs_imc_core_destroy(core_);
    }

    cs_imc_core *model()
    {
        return core_;
    }
    cs_cycle now() const
    {
        return cs_imc_core_now(core_);
    }

    // All cycles below `to` are executed.
    void run(cs_cycle to)
    {
        while (now() < to)
            step_to(to);
    }

    // One call. A bus that answers later must have been told of a request before its completion
    // is passed: a cycle in which something happens is executed alone.
    void step_to(cs_cycle to)
    {
        if (style_ != Style::at_once) {
            deliver();
            if (waiting_ != nullptr)
                to = std::min(to, transfer_.complete);
            if (cs_imc_core_next(core_) < to)
                to = cs_imc_core_next(core_) + 1;
        }
        cs_imc_core_advance(core_, to);
    }

    bool write(cs_cycle e, unsigned reg, uint64_t value)
    {
        run(e);
        return cs_imc_core_write(core_, e, reg, value) == CS_BUS_OKAY;
    }

    uint64_t read(cs_cycle e, unsigned reg)
    {
        uint64_t value = 1;
        run(e);
        EXPECT_EQ(CS_BUS_OKAY, cs_imc_core_read(core_, e, reg, &value)) << "register " << reg;
        return value;
    }

    bool read_fails(cs_cycle e, unsigned reg)
    {
        uint64_t value = 1;
        run(e);
        return cs_imc_core_read(core_, e, reg, &value) != CS_BUS_OKAY && value == 0;
    }

    void power(cs_cycle cycle, bool on)
    {
        run(cycle);
        cs_imc_core_set_power(core_, cycle, on);
    }

    std::vector<cs_probe_record> records_of(cs_probe_kind kind)
    {
        std::vector<cs_probe_record> result;

        sort_records(records);
        for (const cs_probe_record &r : records)
            if (r.kind == kind)
                result.push_back(r);
        return result;
    }

  private:
    void deliver()
    {
        if (waiting_ == nullptr || now() < transfer_.complete)
            return;
        cs_bus_txn *txn = waiting_;
        cs_bus_txn copy = *txn;
        cs_bus_txn *told = style_ == Style::later ? txn : &copy;

        waiting_ = nullptr;
        answer(told);
        cs_imc_core_bus_done(core_, told);
        copy = {};
    }

    void answer(cs_bus_txn *txn) const
    {
        txn->grant = txn->request + 1;
        txn->complete = transfer_.complete;
        txn->resp = transfer_.resp;
    }

    cs_bus_submit submit(unsigned port, cs_bus_txn *txn)
    {
        EXPECT_EQ(imc_port, port);
        EXPECT_EQ(now() + 1, txn->request);
        EXPECT_EQ(1, txn->write);
        EXPECT_EQ(8, txn->size);
        EXPECT_EQ(txn->addr >> 12, (txn->addr + 8 * txn->beats - 1) >> 12) << "across 4 KiB";
        EXPECT_TRUE(bus.log.empty() || bus.log.back().complete < now()) << "two at once";
        transfer_ = {};
        transfer_.request = txn->request;
        transfer_.addr = txn->addr;
        transfer_.data.resize(txn->beats);
        for (unsigned i = 0; i < 8u * txn->beats; i++)
            transfer_.data[i / 8] = transfer_.data[i / 8] << 8 | txn->data[i];
        bus.submit(transfer_);
        if (style_ == Style::at_once) {
            answer(txn);
            return CS_BUS_DONE;
        }
        waiting_ = txn;
        return CS_BUS_PENDING;
    }

    Style style_;
    cs_imc_core *core_ = nullptr;
    cs_probe_sink sink_ = {};
    Transfer transfer_;
    cs_bus_txn *waiting_ = nullptr;
};

// ---- register values, by the bit numbers of the page ----

constexpr uint64_t field(uint64_t value, unsigned last_bit)
{
    return value << (63 - last_bit);
}

constexpr uint64_t htm_on = field(1, 0) | field(3, 2) | field(1, 4);
constexpr uint64_t ldbar_enable = field(1, 0);
constexpr uint64_t ldbar_trace = field(1, 1);
constexpr uint64_t freeze = field(1, 34);
constexpr uint64_t disable_wrap = field(1, 33);
// ECP and ECS
constexpr uint64_t all_sets = field(3, 4) | field(3, 14) | field(3, 24);
constexpr uint64_t add_bit = uint64_t{1} << 56;

struct TraceFields {
    unsigned sampsel;
    uint32_t load;
    unsigned cpmc1sel, cpmc2sel, buffersize;

    uint64_t value() const
    {
        return field(sampsel, 1) | field(load, 33) | field(cpmc1sel, 40) | field(cpmc2sel, 47) |
               field(buffersize, 50);
    }
};

enum StateValue : uint64_t { OFF, SYNC, RUN, DONE, FROZEN };

constexpr unsigned state_of_status(uint64_t status)
{
    return static_cast<unsigned>(status >> (63 - 11) & 0x7F);
}

constexpr unsigned count_of_status(uint64_t status)
{
    return static_cast<unsigned>(status >> (63 - 15) & 0xF);
}

inline cs_probe_record state_record(cs_cycle cycle, uint64_t value)
{
    cs_probe_record r = {};
    r.cycle = cycle;
    r.kind = CS_PROBE_STATE;
    r.source = imc_unit;
    r.value = value;
    return r;
}

struct Sample {
    cs_cycle cycle;
    unsigned thread;
    uint64_t addr, number;
    unsigned bytes, resp;
    cs_cycle snapshot;

    cs_probe_record record() const
    {
        cs_probe_record r = {};
        r.cycle = cycle;
        r.kind = CS_PROBE_SAMPLE;
        r.source = imc_unit;
        r.index = static_cast<uint16_t>(thread);
        r.addr = addr;
        r.value = number;
        r.bytes = bytes;
        r.resp = static_cast<uint8_t>(resp);
        r.request = snapshot;
        return r;
    }
};
