// SPDX-License-Identifier: Apache-2.0
// Supervisor software events as the SBI specification 3.0 words them (chapter "Supervisor Software
// Events Extension") and docs/drivers/sbi_sse.md decides the rest: plain, slow, and of nothing else than
// those two.
#ifndef CS_TB_DRIVERS_RISCV_SSE_REFERENCE_HPP
#define CS_TB_DRIVERS_RISCV_SSE_REFERENCE_HPP

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace cs_test
{

class SseReference
{
  public:
    enum Error : int {
        Success = 0,
        Failed = -1,
        NotSupported = -2,
        InvalidParam = -3,
        Denied = -4,
        InvalidAddress = -5,
        AlreadyStarted = -7,
        AlreadyStopped = -8,
        InvalidState = -10,
        BadRange = -11
    };
    enum State { Unused, Registered, Enabled, Running };

    // The registers of the supervisor that the extension is about.
    struct Registers {
        uint64_t pc = 0, sepc = 0, a6 = 0, a7 = 0;
        bool privileged = false, virtualized = false;
        bool spp = false, spie = false, sie = false, spv = false, spvp = false;
    };
    struct Event {
        State state = Unused;
        bool pending = false;
        uint32_t priority = 0;
        bool oneshot = false;
        uint64_t pc = 0, arg = 0;
        uint64_t sepc = 0, flags = 0, a6 = 0, a7 = 0; // the interrupted's
    };
    // A place in shared memory: read and write a word of it, or nothing.
    struct Memory {
        uint64_t base, size;
        std::map<uint64_t, uint8_t> bytes;
    };

    SseReference(unsigned xlen, unsigned hart, unsigned harts, bool overflow, bool hypervisor,
                 unsigned platform)
        : xlen_(xlen), hart_(hart), harts_(harts), hypervisor_(hypervisor)
    {
        events[0xffff0000] = {};
        if (overflow)
            events[0x00010000] = {};
        for (unsigned i = 0; i < platform; i++)
            events[0x00004000 + i] = {};
    }

    int call(uint64_t fid, const std::array<uint64_t, 6> &args, Memory *memory, Registers *r)
    {
        if (fid == 6)
            return complete(r);
        if (fid == 8 || fid == 9) {
            if (masked == (fid == 9))
                return fid == 9 ? AlreadyStopped : AlreadyStarted;
            masked = fid == 9;
            return Success;
        }
        if (fid > 9)
            return NotSupported;
        const auto id = static_cast<uint32_t>(args[0]);
        if (events.count(id) == 0)
            return is_standard(id) ? NotSupported : InvalidParam;
        Event &e = events[id];
        switch (fid) {
        case 0:
        case 1:
            return attributes(fid == 1, e, args, memory);
        case 2:
            if (args[1] & 1)
                return InvalidParam;
            if (e.state != Unused)
                return InvalidState;
            e.state = Registered;
            e.pc = args[1];
            e.arg = args[2];
            return Success;
        case 3:
            return change(e, Registered, Unused);
        case 4:
            return change(e, Registered, Enabled);
        case 5:
            return change(e, Enabled, Registered);
        default:
            if (args[1] >= harts_)
                return InvalidParam;
            if (args[1] != hart_)
                return Failed;
            e.pending = true;
            return Success;
        }
    }

    void signal(uint32_t id)
    {
        if (events.count(id) != 0)
            events[id].pending = true;
    }

    // "A higher priority software event always preempts a lower priority one in RUNNING state."
    std::optional<uint32_t> ready() const
    {
        std::optional<std::pair<uint32_t, uint32_t>> best, running;

        for (const auto &[id, e] : events) {
            const std::pair<uint32_t, uint32_t> rank = {e.priority, id};

            if (e.state == Running && (!running || rank < *running))
                running = rank;
            if (e.state == Enabled && e.pending && (!best || rank < *best))
                best = rank;
        }
        if (masked || !best || (running && *running < *best))
            return std::nullopt;
        return best->second;
    }

    void inject(Registers *r)
    {
        Event &e = events[*ready()];

        e.state = Running;
        e.pending = false;
        e.flags = (r->spp ? 1 : 0) | (r->spie ? 2 : 0);
        if (hypervisor_)
            e.flags |= (r->spv ? 4 : 0) | (r->spvp ? 8 : 0);
        e.sepc = r->sepc;
        e.a6 = r->a6;
        e.a7 = r->a7;
        r->a6 = hart_;
        r->a7 = e.arg;
        r->sepc = r->pc;
        r->spp = r->privileged;
        r->spie = r->sie;
        r->sie = false;
        if (hypervisor_) {
            r->spv = r->virtualized;
            if (r->spv)
                r->spvp = r->spp;
        }
        r->virtualized = false;
        r->privileged = true;
        r->pc = e.pc;
    }

    std::map<uint32_t, Event> events;
    bool masked = true;

  private:
    static bool is_standard(uint32_t id)
    {
        for (uint32_t one : {0x00000000u, 0x00000001u, 0x00008000u, 0x00010000u, 0x00100000u,
                             0x00108000u, 0xffff0000u, 0xffff8000u})
            if (id == one)
                return true;
        return false;
    }

    static int change(Event &e, State from, State to)
    {
        if (e.state != from)
            return InvalidState;
        e.state = to;
        return Success;
    }

    int complete(Registers *r)
    {
        Event *highest = nullptr;
        std::pair<uint32_t, uint32_t> rank;

        for (auto &[id, e] : events)
            if (e.state == Running && (highest == nullptr || std::pair(e.priority, id) < rank)) {
                highest = &e;
                rank = {e.priority, id};
            }
        if (highest == nullptr)
            return Success;
        highest->state = highest->oneshot ? Registered : Enabled;
        r->pc = r->sepc;
        r->privileged = r->spp;
        if (hypervisor_) {
            r->virtualized = r->spv;
            r->spv = (highest->flags & 4) != 0;
            r->spvp = (highest->flags & 8) != 0;
        }
        r->sie = r->spie;
        r->spie = (highest->flags & 2) != 0;
        r->spp = (highest->flags & 1) != 0;
        r->a7 = highest->a7;
        r->a6 = highest->a6;
        r->sepc = highest->sepc;
        return Success;
    }

    std::array<uint64_t, 10> values(const Event &e) const
    {
        return {static_cast<uint64_t>(e.state) | (e.pending ? 4u : 0u) | 8u,
                e.priority,
                e.oneshot ? 1u : 0u,
                hart_,
                e.pc,
                e.arg,
                e.sepc,
                e.flags,
                e.a6,
                e.a7};
    }

    // What a value may be, in the order of the errors' rules.
    int allowed(const Event &e, unsigned attr, uint64_t value) const
    {
        const bool idle = e.state == Unused || e.state == Registered;

        switch (attr) {
        case 1:
            return !idle ? InvalidState : value > UINT32_MAX ? InvalidParam : Success;
        case 2:
            return !idle ? InvalidState : value > 1 ? InvalidParam : Success;
        case 6:
        case 8:
        case 9:
            return e.state != Running ? InvalidState : Success;
        case 7:
            return e.state != Running ? InvalidState : value > 0x3f ? InvalidParam : Success;
        default:
            return Denied;
        }
    }

    static void set(Event &e, unsigned attr, uint64_t value)
    {
        switch (attr) {
        case 1:
            e.priority = static_cast<uint32_t>(value);
            return;
        case 2:
            e.oneshot = value != 0;
            return;
        case 6:
            e.sepc = value;
            return;
        case 7:
            e.flags = value;
            return;
        case 8:
            e.a6 = value;
            return;
        default:
            e.a7 = value;
        }
    }

    int attributes(bool write, Event &e, const std::array<uint64_t, 6> &args, Memory *memory) const
    {
        const uint64_t first = static_cast<uint32_t>(args[1]),
                       count = static_cast<uint32_t>(args[2]), word = xlen_ / 8;

        if (count == 0)
            return InvalidParam;
        if (first + count > 10)
            return BadRange;
        if (args[4] != 0 || args[3] % word != 0 || args[3] < memory->base ||
            args[3] + count * word > memory->base + memory->size)
            return InvalidAddress;
        std::vector<uint64_t> in;
        for (unsigned i = 0; i < count; i++) {
            const uint64_t value = values(e)[first + i];
            uint64_t read = 0;

            for (unsigned k = 0; k < word; k++) {
                uint8_t &byte = memory->bytes[args[3] + i * word + k];

                if (!write)
                    byte = static_cast<uint8_t>(value >> (8 * k));
                read |= static_cast<uint64_t>(byte) << (8 * k);
            }
            in.push_back(read);
        }
        if (!write)
            return Success;
        for (unsigned i = 0; i < count; i++)
            if (const int error = allowed(e, static_cast<unsigned>(first) + i, in[i]))
                return error;
        for (unsigned i = 0; i < count; i++)
            set(e, static_cast<unsigned>(first) + i, in[i]);
        return Success;
    }

    unsigned xlen_, hart_, harts_;
    bool hypervisor_;
};

} // namespace cs_test

#endif
