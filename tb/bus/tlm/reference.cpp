// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include "reference_targets.hpp"
#include <countersink/base/bus/bus_port.h>

namespace reference
{

namespace
{

// A manager's read or write channel: raises, waits, thinks, raises.
struct Requester {
    const traffic::Row *row = nullptr;
    size_t index = 0;
    cs_cycle rises = 0; // of row[index]
    bool out = false;   // granted, not complete
    Burst burst;
    unsigned manager = 0;

    bool valid(cs_cycle now) const
    {
        return !out && index < row->size() && now >= rises;
    }
    void prepare(cs_cycle free, bool write)
    {
        if (index == row->size())
            return;
        const Item &item = (*row)[index];
        rises = free + item.think;
        burst = Burst();
        burst.write = write;
        burst.addr = item.addr;
        burst.size = item.size;
        burst.beats = item.beats;
        burst.data.assign(item.size * item.beats, 0);
        if (write)
            traffic::fill(burst.data.data(), item.size * item.beats, item.seed);
    }
};

bool legal(const Burst &b)
{
    if (b.beats == 1)
        return b.addr % b.size == 0;
    return b.size == 8 && b.addr % 8 == 0 && b.beats <= 16 &&
           b.addr / 4096 == (b.addr + 8 * b.beats - 1) / 4096;
}

enum class State { idle, grant, check, forward, address, data, response, error };

struct Path {
    State state = State::idle;
    unsigned last = ~0u; // the requester that was picked last
    Requester *who = nullptr;
    cs_cycle granted = 0;
    unsigned target = 0;
    uint64_t left = 0; // cycles of FORWARD
    unsigned held = 0; // cycles of hold so far
};

struct World {
    const Parameters &p;
    std::vector<cs_probe_record> records;
    std::vector<std::unique_ptr<Target>> targets;
    std::vector<Requester> requesters;
    std::vector<Path> paths;
    cs_guard *guard = nullptr;

    World(const Parameters &parameters, const Managers &managers) : p(parameters)
    {
        targets.push_back(std::make_unique<Memory>(p));
        targets.push_back(std::make_unique<Bridge>(p, Slots(1, -1, CS_UNIT_PMCU, -1, records)));
        for (unsigned k = 0; k < p.clusters; k++) {
            Slots slots(p.slots, 1, CS_UNIT_CORE(k * p.slots), CS_UNIT_BROADCAST(k), records);

            if (p.ratio == 1 && p.posted == 0)
                targets.push_back(std::make_unique<Bridge>(p, std::move(slots)));
            else
                targets.push_back(std::make_unique<DebugBridge>(p, std::move(slots)));
        }
        requesters.resize(2 * managers.size());
        for (unsigned i = 0; i < requesters.size(); i++) {
            requesters[i].row = &managers[i / 2].rows[i % 2];
            requesters[i].manager = i / 2;
            requesters[i].prepare(1, i % 2);
        }
        paths.resize(p.per_target ? targets.size() + 1 : 1);
        cs_guard_create(p.regions.data(), p.regions.size(), p.faults.data(), p.faults.size(),
                        &guard, nullptr);
    }
    ~World()
    {
        cs_guard_destroy(guard);
    }

    unsigned target_of(uint64_t addr) const
    {
        if (addr >= CS_BUS_ADD) {
            const unsigned target = target_of(addr - CS_BUS_ADD);
            return target == 0 ? 0 : static_cast<unsigned>(targets.size());
        }
        if (addr >= traffic::kRam && addr < traffic::kRam + traffic::kRamSize)
            return 0;
        if (addr >= traffic::kPmcu && addr < traffic::kPmcu + traffic::kPmcuSize)
            return 1;
        for (unsigned k = 0; k < p.clusters; k++) {
            const uint64_t base = traffic::kCluster + k * traffic::kClusterSize;
            if (addr >= base && addr < base + traffic::kClusterSize)
                return 2 + k;
        }
        return static_cast<unsigned>(targets.size());
    }
    bool belongs(const Requester &r, unsigned path) const
    {
        return !p.per_target || target_of(r.burst.addr) == path;
    }

    bool over() const
    {
        for (const Requester &r : requesters)
            if (r.index < r.row->size())
                return false;
        for (const auto &target : targets)
            if (!target->quiet())
                return false;
        return true;
    }

    void pick(Path &path, unsigned number, cs_cycle now)
    {
        for (unsigned i = 1; i <= requesters.size(); i++) {
            const unsigned r = (path.last + i) % static_cast<unsigned>(requesters.size());
            if (!requesters[r].valid(now) || !belongs(requesters[r], number))
                continue;
            path.last = r;
            path.who = &requesters[r];
            path.state = State::grant;
            return;
        }
    }

    void check(Path &path)
    {
        Burst &b = path.who->burst;
        uint64_t stall = 0;

        path.target = target_of(b.addr);
        const uint64_t addr = path.target == 0 ? b.addr & ~CS_BUS_ADD : b.addr;
        const cs_bus_resp answer = cs_guard_check(guard, b.write, addr, b.size * b.beats, &stall);
        if (answer != CS_BUS_OKAY || !legal(b))
            b.worse(Resp::slverr);
        if (path.target == targets.size())
            b.worse(Resp::decerr);
        path.left = p.forward + stall;
        path.held = 0;
        path.state = State::forward;
        if (path.left == 0)
            path.state = b.resp == Resp::okay ? State::address : State::error;
    }

    void complete(Path &path, cs_cycle now)
    {
        Requester &r = *path.who;
        Burst &b = r.burst;
        cs_probe_record record = {};

        if (b.resp != Resp::okay && !b.write)
            b.data.assign(b.data.size(), 0);
        record.cycle = now;
        record.kind = CS_PROBE_BUS;
        record.write = b.write;
        record.resp = static_cast<uint8_t>(b.resp);
        record.source = static_cast<uint16_t>(r.manager);
        record.addr = b.addr;
        record.value = cs_probe_hash(b.data.data(), static_cast<unsigned>(b.data.size()));
        record.request = r.rises;
        record.grant = path.granted;
        record.bytes = static_cast<uint32_t>(b.data.size());
        records.push_back(record);
        r.out = false;
        r.index++;
        r.prepare(now + 1, b.write);
        path.who = nullptr;
        path.state = State::idle;
    }

    // Held back for B cycles, then it passes.
    bool passes(Path &path)
    {
        if (path.held == p.back)
            return true;
        path.held++;
        return false;
    }

    void cycle(cs_cycle now)
    {
        std::vector<Burst *> take(targets.size(), nullptr);
        std::vector<bool> moved(targets.size(), false);
        std::vector<Path *> complete_now;

        for (unsigned number = 0; number < paths.size(); number++) {
            Path &path = paths[number];
            Burst *b = path.who == nullptr ? nullptr : &path.who->burst;
            Target *target = path.target < targets.size() ? targets[path.target].get() : nullptr;

            switch (path.state) {
            case State::idle:
                pick(path, number, now);
                break;
            case State::grant:
                path.granted = now;
                path.who->out = true;
                path.state = State::check;
                break;
            case State::check:
                check(path);
                break;
            case State::forward:
                if (--path.left == 0)
                    path.state = b->resp == Resp::okay ? State::address : State::error;
                break;
            case State::address:
                take[path.target] = b;
                path.state = State::data;
                break;
            case State::data:
                if (b->write && target->w_ready()) {
                    moved[path.target] = true;
                    if (++b->moved == b->beats)
                        path.state = State::response;
                } else if (!b->write && target->r_valid() && passes(path)) {
                    moved[path.target] = true;
                    if (++b->moved == b->beats)
                        complete_now.push_back(&path);
                }
                break;
            case State::response:
                if (target->b_valid() && passes(path)) {
                    moved[path.target] = true;
                    complete_now.push_back(&path);
                }
                break;
            case State::error:
                if (b->write && b->moved < b->beats)
                    b->moved++;
                else if (passes(path) && (b->write || ++b->moved == b->beats))
                    complete_now.push_back(&path);
                break;
            }
        }
        for (unsigned i = 0; i < targets.size(); i++)
            targets[i]->clock(now, take[i], moved[i]);
        for (Path *path : complete_now)
            complete(*path, now);
    }
};

} // namespace

std::vector<cs_probe_record> run(const Parameters &parameters, const Managers &managers,
                                 cs_cycle limit)
{
    World world(parameters, managers);

    for (cs_cycle now = 0; now < limit && !world.over(); now++)
        world.cycle(now);
    return world.records;
}

} // namespace reference
