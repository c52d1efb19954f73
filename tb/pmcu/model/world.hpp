// SPDX-License-Identifier: Apache-2.0
// What is at the other end of the PMCU's bus ports in these tests: memory, core PMUs that
// answer with a hash, latencies and errors. The answer to a transfer depends on the transfer
// alone (port, request cycle, address, its number on that port), so that two worlds with the
// same rules give the same answers to the same requests, in whatever order they are asked.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <countersink/base/bus/bus_port.h>

inline uint64_t mix(uint64_t a, uint64_t b = 0, uint64_t c = 0)
{
    uint64_t x = a * 0x9E3779B97F4A7C15u + b * 0xC2B2AE3D27D4EB4Fu + c * 0x165667B19E3779F9u + 1;
    x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93u;
    x = (x ^ (x >> 29)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

struct Transfer {
    unsigned port;
    cs_cycle request;
    cs_cycle complete;
    uint64_t addr;
    bool write;
    unsigned size;
    unsigned beats;
    uint8_t resp;
    std::vector<uint8_t> data;

    bool operator==(const Transfer &o) const
    {
        return port == o.port && request == o.request && complete == o.complete && addr == o.addr &&
               write == o.write && size == o.size && beats == o.beats && resp == o.resp &&
               data == o.data;
    }
};

struct World {
    uint64_t seed = 1;
    unsigned min_latency = 1; // cycles from the request to the completion
    unsigned max_latency = 7;
    // (port, number of the transfer on it) -> response
    std::function<uint8_t(unsigned, unsigned)> error;
    std::map<uint64_t, uint8_t> memory;
    unsigned count[4] = {};
    std::vector<Transfer> log;

    static bool is_core(uint64_t addr)
    {
        return addr >> 28 == 2;
    }

    void set_word(uint64_t addr, uint32_t value)
    {
        for (unsigned i = 0; i < 4; i++)
            memory[addr + i] = static_cast<uint8_t>(value >> (8 * i));
    }

    uint32_t word(uint64_t addr) const
    {
        uint32_t value = 0;
        for (unsigned i = 0; i < 4; i++)
            if (auto it = memory.find(addr + i); it != memory.end())
                value |= static_cast<uint32_t>(it->second) << (8 * i);
        return value;
    }

    void answer(unsigned port, cs_bus_txn *txn)
    {
        const unsigned bytes = cs_bus_txn_bytes(txn);
        const uint64_t hash = mix(seed, txn->addr, txn->request * 4 + port);

        txn->grant = txn->request + 1;
        txn->complete = txn->request + min_latency + hash % (max_latency - min_latency + 1);
        txn->resp = error ? error(port, count[port]) : uint8_t{CS_BUS_OKAY};
        count[port]++;
        for (unsigned i = 0; i < bytes; i++) {
            const uint64_t at = txn->addr + i;
            if (txn->write) {
                if (txn->resp == CS_BUS_OKAY && !is_core(at))
                    memory[at] = txn->data[i];
            } else if (txn->resp != CS_BUS_OKAY) {
                txn->data[i] = 0;
            } else if (is_core(at)) {
                txn->data[i] = static_cast<uint8_t>(mix(hash, i / 4) >> (8 * (i % 4)));
            } else {
                auto it = memory.find(at);
                txn->data[i] = it == memory.end() ? uint8_t{0} : it->second;
            }
        }
        log.push_back({port,
                       txn->request,
                       txn->complete,
                       txn->addr,
                       txn->write != 0,
                       txn->size,
                       txn->beats,
                       txn->resp,
                       {txn->data, txn->data + bytes}});
    }
};
