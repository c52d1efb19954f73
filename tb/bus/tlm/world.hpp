// SPDX-License-Identifier: Apache-2.0
// The fabric under test with managers that play traffic, and the targets of the reference.
#ifndef CS_TB_BUS_TLM_WORLD_HPP
#define CS_TB_BUS_TLM_WORLD_HPP

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bus/corepmu/debug_bridge.hpp"
#include "bus/machine/memory_target.hpp"
#include "reference.hpp"
#include "traffic.hpp"
#include <countersink/base/bus/guard.h>
#include <countersink/base/bus/memory.h>
#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/register_access.hpp>

namespace world
{

inline sc_core::sc_time ns(double value)
{
    return sc_core::sc_time(value, sc_core::SC_NS);
}

inline void fill(tlm::tlm_generic_payload &payload, tlm::tlm_command command, uint64_t addr,
                 void *data, unsigned bytes)
{
    payload.set_command(command);
    payload.set_address(addr);
    payload.set_data_ptr(static_cast<unsigned char *>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
}

// More cycles than any transfer of a test lasts.
constexpr cs_cycle kLong = 4000;

// A manager with a row of reads and a row of writes, played independently of each other.
class Player : public cs::AgentModule
{
  public:
    Player(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
           const traffic::Manager &manager)
        : AgentModule(name, period)
    {
        add_port("port");
        for (unsigned i = 0; i < 2; i++) {
            rows_[i].row = &manager.rows[i];
            rows_[i].prepare(1);
        }
    }

    cs_cycle earliest() const override
    {
        if (rows_[0].out || rows_[1].out)
            return clock_.cycle() + 1;
        return cs::seen_after(next());
    }
    bool alone(cs_cycle until) const override
    {
        const Row &other = rows_[1 - asking_];
        return !other.out && other.rises() > until;
    }

  private:
    struct Row {
        const traffic::Row *row = nullptr;
        size_t index = 0;
        bool out = false;
        cs_bus_txn txn = {};

        cs_cycle rises() const
        {
            return index < row->size() ? txn.request : CS_NEVER;
        }
        void prepare(cs_cycle free)
        {
            if (index < row->size())
                txn.request = free + (*row)[index].think;
        }
    };

    cs_cycle next() const override
    {
        cs_cycle first = CS_NEVER;
        for (const Row &row : rows_)
            if (!row.out && row.index < row.row->size())
                first = std::min(first, row.txn.request - 1);
        return first;
    }
    void execute(cs_cycle cycle) override
    {
        for (unsigned i = 0; i < 2; i++) {
            Row &row = rows_[i];
            if (row.out || row.index == row.row->size() || row.txn.request != cycle + 1)
                continue;
            const traffic::Item &item = (*row.row)[row.index];
            row.txn.write = i == 1;
            row.txn.addr = item.addr;
            row.txn.size = item.size;
            row.txn.beats = item.beats;
            if (i == 1)
                traffic::fill(row.txn.data, item.size * item.beats, item.seed);
            asking_ = i;
            row.out = true;
            if (port(0).submit(&row.txn) == CS_BUS_DONE)
                finish(row);
        }
    }
    void bus_done(unsigned, cs_bus_txn *txn) override
    {
        finish(rows_[txn->write]);
        wake();
    }
    void finish(Row &row)
    {
        row.out = false;
        row.index++;
        row.prepare(row.txn.complete + 1);
    }

    Row rows_[2];
    unsigned asking_ = 0;
};

class UnitPort : public cs::RegisterPort
{
  public:
    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        return unit.read(cycle, offset, wide, data);
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        return unit.write(cycle, offset, wide, data);
    }
    traffic::Unit unit;
};

// One fabric with everything around it. `managers` is borrowed.
class World
{
  public:
    World(const std::string &name, const reference::Parameters &p,
          const traffic::Managers &managers, bool early)
    {
        sink_ = {[](void *ctx, const cs_probe_record *r) {
                     static_cast<World *>(ctx)->records.push_back(*r);
                 },
                 this, false, nullptr};
        cs_memory_create(&memory, nullptr);
        cs_guard_create(p.regions.data(), p.regions.size(), p.faults.data(), p.faults.size(),
                        &guard_, nullptr);
        add_bridge(name + "_pmcu", {{unit(), CS_UNIT_PMCU}});
        for (unsigned k = 0; k < p.clusters; k++)
            add_cluster(name + "_cluster" + std::to_string(k), p, k);
        fabric = std::make_unique<cs::Fabric>((name + "_fabric").c_str(),
                                              config(p, managers.size(), early));
        ram_ = std::make_unique<cs::MemoryTarget>((name + "_ram").c_str(), memory, -traffic::kRam,
                                                  true);
        fabric->target[0].bind(ram_->socket);
        for (unsigned i = 0; i < bridges_.size(); i++)
            fabric->target[1 + i].bind(bridges_[i]->socket);
        for (unsigned k = 0; k < debug_.size(); k++)
            fabric->target[2 + k].bind(debug_[k]->socket);
        for (unsigned i = 0; i < managers.size(); i++) {
            players_.push_back(std::make_unique<Player>(
                (name + "_player" + std::to_string(i)).c_str(), period(), managers[i]));
            players_[i]->connect(*fabric, i);
        }
    }
    ~World()
    {
        cs_memory_destroy(memory);
        cs_guard_destroy(guard_);
    }

    static sc_core::sc_time period()
    {
        return ns(1);
    }

    std::vector<cs_probe_record> records;
    std::unique_ptr<cs::Fabric> fabric;
    cs_memory *memory = nullptr;

  private:
    cs::FabricConfig config(const reference::Parameters &p, size_t managers, bool early)
    {
        cs::FabricConfig config;
        config.period = period();
        config.per_target = p.per_target;
        config.forward_cycles = p.forward;
        config.return_cycles = p.back;
        config.managers = static_cast<unsigned>(managers);
        config.guard = guard_;
        config.probe = &sink_;
        config.early_completion = early;
        cs::TargetConfig target;
        target.timing.kind = cs::TargetKind::memory;
        target.timing.read_cycles = p.read;
        target.timing.write_cycles = p.write;
        target.timing.gap_cycles = p.gap;
        target.base = traffic::kRam;
        target.size = traffic::kRamSize;
        target.memory = memory;
        target.memory_offset = -traffic::kRam;
        target.adds = true;
        config.targets.push_back(target);
        target.adds = false;
        target.memory = nullptr;
        target.timing.kind = cs::TargetKind::registers;
        target.timing.access_cycles = p.access;
        target.base = traffic::kPmcu;
        target.size = traffic::kPmcuSize;
        target.registers = &bridges_[0]->access();
        config.targets.push_back(target);
        for (unsigned k = 0; k < p.clusters; k++) {
            target.base = traffic::kCluster + k * traffic::kClusterSize;
            target.size = traffic::kClusterSize;
            if (is_slow(p)) {
                target.timing.kind = cs::TargetKind::planned;
                target.planner = debug_[k].get();
                target.registers = nullptr;
            } else {
                target.registers = &bridges_[1 + k]->access();
            }
            config.targets.push_back(target);
        }
        return config;
    }
    static bool is_slow(const reference::Parameters &p)
    {
        return p.ratio != 1 || p.posted != 0;
    }
    std::vector<cs::RegisterSlot> slots_of(const reference::Parameters &p, unsigned k)
    {
        std::vector<cs::RegisterSlot> slots;

        for (unsigned i = 0; i < p.slots; i++)
            slots.push_back(
                {i == 1 ? nullptr : unit(), static_cast<uint16_t>(CS_UNIT_CORE(i + k * p.slots))});
        return slots;
    }
    cs::RegisterPort *unit()
    {
        units_.push_back(std::make_unique<UnitPort>());
        return units_.back().get();
    }
    cs::RegisterBridge &add_bridge(const std::string &name, std::vector<cs::RegisterSlot> slots)
    {
        bridges_.push_back(
            std::make_unique<cs::RegisterBridge>(name.c_str(), period(), std::move(slots), &sink_));
        return *bridges_.back();
    }
    void add_cluster(const std::string &name, const reference::Parameters &p, unsigned k)
    {
        const auto all = static_cast<uint16_t>(CS_UNIT_BROADCAST(k));

        if (!is_slow(p)) {
            add_bridge(name, slots_of(p, k)).enable_broadcast(all);
            return;
        }
        debug_.push_back(std::make_unique<cs::DebugBridge>(
            name.c_str(), period(), cs::DebugBusConfig{p.ratio, p.access, p.posted}, slots_of(p, k),
            &sink_, all));
    }

    cs_probe_sink sink_ = {};
    cs_guard *guard_ = nullptr;
    std::unique_ptr<cs::MemoryTarget> ram_;
    std::vector<std::unique_ptr<UnitPort>> units_;
    std::vector<std::unique_ptr<cs::RegisterBridge>> bridges_;
    std::vector<std::unique_ptr<cs::DebugBridge>> debug_; // of the clusters, where they are slow
    std::vector<std::unique_ptr<Player>> players_;
};

// As a log of records does: two of one unit and cycle come in no order of their own.
inline void sort(std::vector<cs_probe_record> &records)
{
    const auto rest = [](const cs_probe_record &r) {
        return std::tuple(r.resp, r.addr, r.value, r.request, r.grant, r.bytes);
    };

    std::sort(records.begin(), records.end(), [&rest](const auto &a, const auto &b) {
        const int order = cs_probe_order(&a, &b);

        return order != 0 ? order < 0 : rest(a) < rest(b);
    });
}

// "" when both streams are the same, else where they part.
inline std::string difference(std::vector<cs_probe_record> a, std::vector<cs_probe_record> b)
{
    char left[256];
    char right[256];

    sort(a);
    sort(b);
    for (size_t i = 0; i < a.size() && i < b.size(); i++) {
        const char *field = cs_probe_difference(&a[i], &b[i], nullptr, nullptr);
        if (field != nullptr)
            return "record " + std::to_string(i) + ", " + field + "\n  " +
                   cs_probe_print(&a[i], left, sizeof left) + "\n  " +
                   cs_probe_print(&b[i], right, sizeof right);
    }
    if (a.size() != b.size())
        return std::to_string(a.size()) + " and " + std::to_string(b.size()) + " records";
    return "";
}

} // namespace world

#endif
