// SPDX-License-Identifier: Apache-2.0
// What is around the nest in these tests: memory with the control block, a bus of any latency
// and any errors, a host that writes, and a nest that counts. The answer to a transfer depends on
// its number, its request cycle and what memory holds, so that the model and the reference, each
// in a world of its own with the same rules, get the same answers to the same requests.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/events.h>

inline uint64_t mix(uint64_t a, uint64_t b = 0, uint64_t c = 0)
{
    uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xC2B2AE3D27D4EB4Fu + c * 0x165667B19E3779F9u + 1;
    x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93u;
    x = (x ^ (x >> 29)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

struct Random {
    uint64_t state;
    uint64_t operator()(uint64_t n)
    {
        return mix(state++, 0x4E57) % n;
    }
};

constexpr uint64_t add_bit = uint64_t{1} << 56;

// The control block and the version, as offsets in the window.
constexpr uint32_t block = 0x3FC00;
enum Word { status_word, command_word, speed_word, units_word, mode_word, mode_state_word };
constexpr uint32_t version_offset = 0x2FC00;

// What each event does in each cycle.
struct Nest {
    static constexpr unsigned events = 0x400;
    using Increment = std::function<uint64_t(cs_cycle)>;

    std::array<Increment, events> increment;
    unsigned sums = 0; // how often a sum was asked for

    uint64_t at(unsigned event, cs_cycle t) const
    {
        return increment[event] ? increment[event](t) : 0;
    }

    uint64_t sum(unsigned event, cs_cycle from, cs_cycle to)
    {
        uint64_t result = 0;

        sums++;
        if (event < events && increment[event])
            for (cs_cycle t = from; t < to; t++)
                result += increment[event](t);
        return result;
    }

    cs_event_source source()
    {
        return {[](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) {
                    return modes == CS_MODE_ALL ? static_cast<Nest *>(ctx)->sum(event, from, to)
                                                : 0;
                },
                nullptr, nullptr, this, nullptr};
    }
};

struct Transfer {
    cs_cycle request = 0;
    cs_cycle complete = 0;
    uint64_t addr = 0;
    bool write = false;
    uint8_t resp = CS_BUS_OKAY;
    std::vector<uint64_t> data; // as big-endian numbers

    bool operator==(const Transfer &o) const
    {
        return request == o.request && complete == o.complete && addr == o.addr &&
               write == o.write && resp == o.resp && data == o.data;
    }
};

struct World {
    uint64_t base = 0x80040000;
    uint64_t seed = 1;
    unsigned min_latency = 5; // from the request to the completion
    unsigned max_latency = 5;
    bool effect_at_end = false; // when memory is read or written: at the submit or the completion
    std::function<uint8_t(unsigned)> error;    // number of the transfer -> response
    std::function<cs_cycle(unsigned)> latency; // likewise; 0: by the rule above
    std::map<uint64_t, uint64_t> memory;       // address of a doubleword -> big-endian number
    std::vector<Transfer> log;

    uint64_t &word(uint32_t offset)
    {
        return memory[base + offset];
    }
    uint64_t &control(Word which)
    {
        return word(block + 8 * which);
    }

    // Number, completion and response; the data of a write is in `t`.
    void submit(Transfer &t)
    {
        const unsigned number = static_cast<unsigned>(log.size());
        const unsigned spread = max_latency - min_latency + 1;
        cs_cycle cycles = latency ? latency(number) : 0;

        if (cycles == 0)
            cycles = min_latency + mix(seed, number, t.request) % spread;
        t.complete = t.request + cycles;
        t.resp = error ? error(number) : uint8_t{CS_BUS_OKAY};
        log.push_back(t);
        if (!effect_at_end)
            take_effect(t);
    }

    // The last transfer that was submitted.
    void take_effect(Transfer &t)
    {
        for (size_t i = 0; i < t.data.size(); i++) {
            const uint64_t at = (t.addr & ~add_bit) + 8 * i;

            if (t.resp != CS_BUS_OKAY)
                t.data[i] = t.write ? t.data[i] : 0;
            else if (!t.write)
                t.data[i] = memory.count(at) ? memory[at] : 0;
            else if (t.addr & add_bit)
                memory[at] += t.data[i];
            else
                memory[at] = t.data[i];
        }
        log.back().data = t.data;
    }
};
