// SPDX-License-Identifier: Apache-2.0
// The model with a World at its ports. The world answers either at once (the completion lies
// in the future) or later, when its cycle has come: the unit must not know the difference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "world.hpp"
#include <countersink/models/pmcu/pmcu.h>
#include <countersink/regs/pmcu_regs.h>

struct Edge {
    cs_cycle cycle;
    uint64_t value;
    bool operator==(const Edge &o) const
    {
        return cycle == o.cycle && value == o.value;
    }
};

struct Sample {
    cs_cycle cycle;
    uint64_t addr;
    uint64_t number;
    uint32_t bytes;
    bool operator==(const Sample &o) const
    {
        return cycle == o.cycle && addr == o.addr && number == o.number && bytes == o.bytes;
    }
};

enum class Style { at_once, later };

class Die
{
  public:
    World world;
    std::vector<Edge> states;
    std::vector<Edge> irqs;      // from the probe
    std::vector<Edge> irq_calls; // from the callback
    std::vector<Sample> samples;
    std::vector<bool> alone; // what cs_pmcu_bus_alone said, by submit

    explicit Die(const cs_pmcu_config &config, Style style = Style::at_once)
        : style_(style), source_(static_cast<uint16_t>(CS_UNIT_PMCU + config.die))
    {
        sink_ = {[](void *ctx, const cs_probe_record *r) { static_cast<Die *>(ctx)->record(*r); },
                 this, false, nullptr};
        cs_pmcu_env env = {};
        env.bus = {[](void *ctx, unsigned port, cs_bus_txn *txn) {
                       return static_cast<Die *>(ctx)->submit(port, txn);
                   },
                   this};
        env.irq = [](void *ctx, cs_cycle cycle, bool level) {
            static_cast<Die *>(ctx)->irq_calls.push_back({cycle, level});
        };
        env.irq_ctx = this;
        env.probe = &sink_;
        EXPECT_EQ(CS_OK, cs_pmcu_create(&config, &env, &pmcu_, nullptr));
    }
    Die(const Die &) = delete;
    Die &operator=(const Die &) = delete;
    ~Die()
    {
        cs_pmcu_destroy(pmcu_);
    }

    cs_pmcu *pmcu()
    {
        return pmcu_;
    }
    cs_cycle now() const
    {
        return cs_pmcu_now(pmcu_);
    }

    // All cycles below `to` are executed.
    void run(cs_cycle to)
    {
        while (now() < to)
            step_to(to);
    }

    // As far as one call goes: to a completion, an interrupt edge or `to`. A world that answers
    // later must have been told of a request before its completion is passed: a cycle in
    // which something happens is executed alone.
    void step_to(cs_cycle to)
    {
        to = std::min(to, deliver());
        if (style_ == Style::later && cs_pmcu_next(pmcu_) < to)
            to = cs_pmcu_next(pmcu_) + 1;
        cs_pmcu_advance(pmcu_, to);
    }

    // The cycle in which something happens next.
    cs_cycle next()
    {
        const cs_cycle completion = deliver();
        return std::min(completion, cs_pmcu_next(pmcu_));
    }

    void write(cs_cycle cycle, uint32_t offset, uint32_t data)
    {
        run(cycle);
        EXPECT_EQ(CS_BUS_OKAY, cs_pmcu_write(pmcu_, cycle, offset, false, data));
    }

    uint32_t read(cs_cycle cycle, uint32_t offset)
    {
        uint64_t data = 0;
        run(cycle);
        EXPECT_EQ(CS_BUS_OKAY, cs_pmcu_read(pmcu_, cycle, offset, false, &data));
        return static_cast<uint32_t>(data);
    }

    uint32_t state(cs_cycle cycle)
    {
        return read(cycle, CS_PMCU_FSM_STATUS) & CS_PMCU_FSM_STATUS_STATE_MASK;
    }

    // The first cycle at which the state is IDLE again.
    cs_cycle run_to_idle(cs_cycle limit = 100'000'000)
    {
        const auto idle = [&] { return !states.empty() && states.back().value == 0; };
        while (!idle() && now() < limit) {
            const cs_cycle to = next();
            if (to >= limit)
                break;
            step_to(to + 1);
        }
        EXPECT_TRUE(idle()) << "state " << (states.empty() ? 0 : states.back().value);
        return idle() ? states.back().cycle : CS_NEVER;
    }

  private:
    struct Waiting {
        unsigned port;
        cs_bus_txn *txn;
    };

    // Posts what is due; returns when the next completion is to be posted.
    cs_cycle deliver()
    {
        cs_cycle first = CS_NEVER;
        for (size_t i = 0; i < waiting_.size();) {
            const Waiting w = waiting_[i];
            if (w.txn->complete <= now()) {
                hand_back(w.port, w.txn);
                waiting_.erase(waiting_.begin() + static_cast<long>(i));
            } else {
                first = std::min(first, w.txn->complete);
                i++;
            }
        }
        return first;
    }

    // A platform may hand in a copy that it filled: every other time that is so, and nothing of it
    // stands in the unit's own.
    void hand_back(unsigned port, cs_bus_txn *txn)
    {
        cs_bus_txn filled = *txn;
        copies_ = !copies_;
        if (!copies_)
            return cs_pmcu_bus_done(pmcu_, port, txn);
        txn->resp = filled.resp == CS_BUS_OKAY ? CS_BUS_SLVERR : CS_BUS_OKAY;
        if (!txn->write)
            std::fill(std::begin(txn->data), std::end(txn->data), uint8_t{0xEE});
        cs_pmcu_bus_done(pmcu_, port, &filled);
    }

    cs_bus_submit submit(unsigned port, cs_bus_txn *txn)
    {
        EXPECT_EQ(now() + 1, txn->request);
        if (last_submit_ == now()) {
            EXPECT_GT(port, last_port_) << "lane order";
        }
        last_submit_ = now();
        last_port_ = port;
        EXPECT_TRUE(done_at_[port] == CS_NEVER || done_at_[port] < txn->request) << port;
        alone.push_back(cs_pmcu_bus_alone(pmcu_));
        world.answer(port, txn);
        done_at_[port] = txn->complete;
        if (style_ == Style::at_once)
            return CS_BUS_DONE;
        // The last that was submitted is posted first: order must not matter.
        waiting_.insert(waiting_.begin(), {port, txn});
        return CS_BUS_PENDING;
    }

    void record(const cs_probe_record &r)
    {
        EXPECT_EQ(source_, r.source);
        EXPECT_EQ(0u, r.index + r.write + r.resp + r.request + r.grant + r.reserved + r.reserved2);
        if (r.kind != CS_PROBE_SAMPLE) {
            EXPECT_EQ(0u, r.addr + r.bytes);
        }
        if (r.kind == CS_PROBE_STATE)
            states.push_back({r.cycle, r.value});
        else if (r.kind == CS_PROBE_IRQ)
            irqs.push_back({r.cycle, r.value});
        else if (r.kind == CS_PROBE_SAMPLE)
            samples.push_back({r.cycle, r.addr, r.value, r.bytes});
        else
            ADD_FAILURE() << "kind " << unsigned{r.kind};
    }

    Style style_;
    uint16_t source_;
    cs_pmcu *pmcu_ = nullptr;
    cs_probe_sink sink_ = {};
    std::vector<Waiting> waiting_;
    bool copies_ = false;
    cs_cycle last_submit_ = CS_NEVER;
    unsigned last_port_ = 0;
    cs_cycle done_at_[4] = {CS_NEVER, CS_NEVER, CS_NEVER, CS_NEVER};
};
