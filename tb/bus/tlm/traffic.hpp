// SPDX-License-Identifier: Apache-2.0
// What the managers of a test ask for, and the units that answer behind register bridges.
#ifndef CS_TB_BUS_TLM_TRAFFIC_HPP
#define CS_TB_BUS_TLM_TRAFFIC_HPP

#include <cstdint>
#include <vector>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/probe/probe.h>

namespace traffic
{

constexpr uint64_t kRam = 0x80000000;
constexpr uint64_t kRamSize = 0x10000;
constexpr uint64_t kPmcu = 0x10000000;
constexpr uint64_t kPmcuSize = 0x10000;
constexpr uint64_t kCluster = 0x20000000;
constexpr uint64_t kClusterSize = 0x100000;
constexpr uint64_t kHole = 0x70000000;

struct Item {
    uint64_t think = 0; // cycles from the one after the last completion to the request
    uint64_t addr = 0;
    uint8_t size = 8;
    uint8_t beats = 1;
    uint64_t seed = 0; // of the data that is written
};

// The row of transfers of one requester, one after the other; the first may rise in cycle 1.
using Row = std::vector<Item>;

struct Manager {
    Row rows[2]; // reads, writes
};

using Managers = std::vector<Manager>;

inline uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44d;
    return x ^ x >> 33;
}

inline void fill(uint8_t *data, unsigned bytes, uint64_t seed)
{
    for (unsigned i = 0; i < bytes; i++)
        data[i] = static_cast<uint8_t>(mix(seed * 131 + i));
}

// A unit whose answers tell when it was asked, by whom before, and with what.
struct Unit {
    uint64_t state = 1;

    static bool refuses(uint32_t offset)
    {
        return (offset & 0xff0) == 0x7f0;
    }
    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data)
    {
        data = refuses(offset) ? 0 : mix(state + cycle * 3 + offset * 7 + wide);
        if (!wide)
            data &= 0xffffffff;
        return refuses(offset);
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data)
    {
        state = mix(state + data + cycle + offset + wide);
        return refuses(offset);
    }
};

} // namespace traffic

#endif
