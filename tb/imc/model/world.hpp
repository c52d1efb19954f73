// SPDX-License-Identifier: Apache-2.0
// What is around an IMC core in these tests: threads that do something in every cycle, and a bus
// of any latency and any errors. The answer to a transfer depends on its number and its request
// cycle, so that the model and the reference, each in a world of its own with the same rules, get
// the same answers to the same requests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
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
    bool one_in(uint64_t n)
    {
        return (*this)(n) == 0;
    }
};

// What a thread does in each cycle.
struct Thread {
    std::function<uint64_t(uint32_t event, cs_cycle)> increment = [](uint32_t, cs_cycle) {
        return uint64_t{0};
    };
    std::function<unsigned(cs_cycle)> mode = [](cs_cycle) { return 0u; };
    std::function<uint64_t(cs_cycle)> pc = [](cs_cycle t) { return 0xC000000000000000u + 4 * t; };
    uint32_t pid = 0, lpid = 0;
    cs_cycle horizon = 100'000;                   // nothing is looked for beyond
    unsigned sums = 0, reaches = 0, contexts = 0; // how often each was asked for
    unsigned prepared = 0;                        // sums that were told ahead

    uint64_t at(uint32_t event, uint32_t modes, cs_cycle t) const
    {
        return modes >> mode(t) & 1 ? increment(event, t) : 0;
    }

    cs_event_source source()
    {
        return {[](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to) {
                    auto *self = static_cast<Thread *>(ctx);
                    uint64_t sum = 0;
                    self->sums++;
                    for (cs_cycle t = from; t < to; t++)
                        sum += self->at(event, modes, t);
                    return sum;
                },
                [](void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n) {
                    auto *self = static_cast<Thread *>(ctx);
                    uint64_t sum = 0;
                    cs_cycle t = from;
                    self->reaches++;
                    for (; sum < n && t < self->horizon; t++)
                        sum += self->at(event, modes, t);
                    return sum >= n ? t : cs_cycle{CS_NEVER};
                },
                [](void *ctx, cs_cycle t, cs_context *out) {
                    auto *self = static_cast<Thread *>(ctx);
                    self->contexts++;
                    *out = {self->pc(t), self->pid, self->lpid, static_cast<uint8_t>(self->mode(t)),
                            nullptr,     false,     0};
                },
                this,
                [](void *ctx, const uint32_t *, unsigned n, uint32_t, cs_cycle, cs_cycle) {
                    static_cast<Thread *>(ctx)->prepared += n;
                }};
    }
};

struct Transfer {
    cs_cycle request = 0;
    cs_cycle complete = 0;
    uint64_t addr = 0;
    uint8_t resp = CS_BUS_OKAY;
    std::vector<uint64_t> data; // as big-endian numbers

    bool operator==(const Transfer &o) const
    {
        return request == o.request && complete == o.complete && addr == o.addr && resp == o.resp &&
               data == o.data;
    }
};

inline std::ostream &operator<<(std::ostream &out, const Transfer &t)
{
    out << "0x" << std::hex << t.addr << std::dec << " requested " << t.request << " complete "
        << t.complete << " resp " << unsigned{t.resp} << std::hex;
    for (uint64_t word : t.data)
        out << " " << word;
    return out << std::dec;
}

// All transfers of a core are writes.
struct Bus {
    std::function<cs_cycle(unsigned, cs_cycle)> latency = [](unsigned, cs_cycle) {
        return cs_cycle{5};
    };
    std::function<uint8_t(unsigned)> error = [](unsigned) { return uint8_t{CS_BUS_OKAY}; };
    std::vector<Transfer> log;

    void submit(Transfer &t)
    {
        const auto number = static_cast<unsigned>(log.size());

        t.complete = t.request + latency(number, t.request);
        t.resp = error(number);
        log.push_back(t);
    }
};

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

// A unit tells the records of different cycles in no particular order.
inline void sort_records(std::vector<cs_probe_record> &records)
{
    std::stable_sort(records.begin(), records.end(),
                     [](const cs_probe_record &a, const cs_probe_record &b) {
                         return cs_probe_order(&a, &b) < 0;
                     });
}
