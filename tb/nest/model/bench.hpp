// SPDX-License-Identifier: Apache-2.0
// The model with a World at its port. The world answers either at once (the completion lies in
// the future) or later, when its cycle has come: the unit must not know the difference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "world.hpp"
#include <countersink/models/nest/nest.h>

inline bool operator==(const cs_probe_record &a, const cs_probe_record &b)
{
    uint64_t value_a, value_b;
    return cs_probe_difference(&a, &b, &value_a, &value_b) == nullptr;
}

inline std::ostream &operator<<(std::ostream &out, const cs_probe_record &r)
{
    char line[256];
    return out << cs_probe_print(&r, line, sizeof line);
}

inline std::ostream &operator<<(std::ostream &out, const Transfer &t)
{
    out << std::hex << (t.write ? "write 0x" : "read 0x") << t.addr << std::dec << " requested "
        << t.request << " complete " << t.complete << " resp " << unsigned{t.resp} << std::hex;
    for (uint64_t word : t.data)
        out << " " << word;
    return out << std::dec;
}

enum class Style { at_once, later, later_copied };

constexpr uint16_t nest_unit = 0x321;
constexpr unsigned nest_port = 7;

class Bench
{
  public:
    World world;
    Nest nest;
    std::vector<cs_probe_record> records;

    explicit Bench(uint32_t tick_cycles, Style style = Style::at_once, bool power10 = false)
        : style_(style)
    {
        sink_ = {[](void *ctx, const cs_probe_record *r) {
                     static_cast<Bench *>(ctx)->records.push_back(*r);
                 },
                 this, false, nullptr};
        const cs_nest_config config = {world.base, tick_cycles, nest_unit, power10};
        cs_nest_env env = {};
        env.bus = {[](void *ctx, unsigned port, cs_bus_txn *txn) {
                       return static_cast<Bench *>(ctx)->submit(port, txn);
                   },
                   this};
        env.port = nest_port;
        env.events = nest.source();
        env.probe = &sink_;
        EXPECT_EQ(CS_OK, cs_nest_create(&config, &env, &nest_, nullptr));
    }
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;
    ~Bench()
    {
        cs_nest_destroy(nest_);
    }

    cs_nest *model()
    {
        return nest_;
    }
    cs_cycle now() const
    {
        return cs_nest_now(nest_);
    }
    unsigned status() const
    {
        return cs_nest_status(nest_);
    }

    // All cycles below `to` are executed.
    void run(cs_cycle to)
    {
        while (now() < to)
            step_to(to);
    }

    // One call. A world that answers later must have been told of a request before its
    // completion is passed: a cycle in which something happens is executed alone.
    void step_to(cs_cycle to)
    {
        if (style_ != Style::at_once) {
            deliver();
            if (waiting_ != nullptr)
                to = std::min(to, transfer_.complete);
            if (cs_nest_next(nest_) < to)
                to = cs_nest_next(nest_) + 1;
        }
        cs_nest_advance(nest_, to);
    }

    // The host writes its word before cycle `cycle` is executed.
    void host(cs_cycle cycle, Word which, uint64_t value)
    {
        run(cycle);
        world.control(which) = value;
    }

    std::vector<cs_probe_record> records_of(cs_probe_kind kind) const
    {
        std::vector<cs_probe_record> result;

        for (const cs_probe_record &r : records)
            if (r.kind == kind)
                result.push_back(r);
        return result;
    }

    // The transfers with a request in [from, to).
    std::vector<Transfer> transfers(cs_cycle from, cs_cycle to) const
    {
        std::vector<Transfer> result;

        for (const Transfer &t : world.log)
            if (t.request >= from && t.request < to)
                result.push_back(t);
        return result;
    }

  private:
    void deliver()
    {
        if (waiting_ == nullptr || now() < transfer_.complete)
            return;
        cs_bus_txn *txn = waiting_;

        waiting_ = nullptr;
        if (world.effect_at_end)
            world.take_effect(transfer_);
        if (style_ == Style::later) {
            answer(txn);
            cs_nest_bus_done(nest_, txn);
            return;
        }
        cs_bus_txn copy = *txn;
        answer(&copy);
        cs_nest_bus_done(nest_, &copy);
        copy = {};
    }

    void answer(cs_bus_txn *txn)
    {
        txn->grant = txn->request + 1;
        txn->complete = transfer_.complete;
        txn->resp = transfer_.resp;
        if (txn->write)
            return;
        for (size_t i = 0; i < transfer_.data.size(); i++)
            for (unsigned byte = 0; byte < 8; byte++)
                txn->data[8 * i + byte] =
                    static_cast<uint8_t>(transfer_.data[i] >> (56 - 8 * byte));
    }

    cs_bus_submit submit(unsigned port, cs_bus_txn *txn)
    {
        EXPECT_EQ(nest_port, port);
        EXPECT_EQ(now() + 1, txn->request);
        EXPECT_EQ(8, txn->size);
        EXPECT_GE(txn->beats, 1);
        EXPECT_LE(txn->beats, CS_BUS_MAX_BEATS);
        EXPECT_EQ(txn->addr >> 12, (txn->addr + 8 * txn->beats - 1) >> 12) << "across 4 KiB";
        EXPECT_TRUE(world.log.empty() || world.log.back().complete < txn->request) << "two at once";
        transfer_ = {};
        transfer_.request = txn->request;
        transfer_.addr = txn->addr;
        transfer_.write = txn->write != 0;
        transfer_.data.resize(txn->beats);
        for (unsigned i = 0; txn->write && i < 8u * txn->beats; i++)
            transfer_.data[i / 8] = transfer_.data[i / 8] << 8 | txn->data[i];
        world.submit(transfer_);
        if (style_ == Style::at_once) {
            answer(txn);
            return CS_BUS_DONE;
        }
        waiting_ = txn;
        return CS_BUS_PENDING;
    }

    Style style_;
    cs_nest *nest_ = nullptr;
    cs_probe_sink sink_ = {};
    Transfer transfer_;
    cs_bus_txn *waiting_ = nullptr;
};
